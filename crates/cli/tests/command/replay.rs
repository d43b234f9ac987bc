//! `palpate replay` and `palpate inspect`.

use crate::run::{files, kept_demo, palpate, sinking_ball, text};
use palpate::recording::{ContactFrame, ContactsReader};
use serde_json::{Value, json};
use std::path::Path;

fn summary(arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["replay", "--json"].into_iter().chain(arguments.iter().copied()).collect();
    serde_json::from_str(&palpate(&all).well().stdout).unwrap()
}

#[test]
fn the_summary_counts_contacts_and_finds_the_deepest() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 6, &[("ball", "floor"), ("still", "floor")]);
    let summary = summary(&[text(&session)]);
    assert_eq!((&summary["frames"], &summary["contacts"]), (&json!(6), &json!(12)));
    let ball = &summary["pairs"][0];
    assert_eq!(
        (&ball["a"], &ball["b"], &ball["detector"]),
        (&json!("ball"), &json!("floor"), &json!("plane_sphere"))
    );
    assert_eq!((&ball["contacts"], &ball["frames_in_contact"]), (&json!(6), &json!(6)));
    assert_eq!((&ball["deepest"]["frame"], &ball["deepest"]["time"]), (&json!(5), &json!(2.5)));
    assert!((ball["deepest"]["depth"].as_f64().unwrap() - 0.5).abs() < 1e-12);
    assert_eq!(summary["pairs"][1]["deepest"], json!({"depth": 0.25, "frame": 0, "time": 0.0}));
    assert_eq!(summary["deepest_pair"], 0);
    assert_eq!(summary["timing"]["recorded_frames_per_second"], 2.0);
    let text = palpate(&["replay", text(&session)]).well().stdout;
    assert!(text.contains("deepest: ball : floor, 500 mm in frame 5 (2.5 s)"), "{text}");
}

#[test]
fn without_pairs_all_that_have_a_detector_run_and_the_rest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[]);
    let summary = summary(&[text(&session)]);
    let names: Vec<_> =
        summary["pairs"].as_array().unwrap().iter().map(|pair| [&pair["a"], &pair["b"]]).collect();
    assert!(
        names.contains(&[&json!("ball"), &json!("still")])
            && names.contains(&[&json!("floor"), &json!("net")])
    );
    let unsupported = summary["unsupported"].as_array().unwrap().len();
    assert_eq!(names.len() + unsupported, 6, "every pair of the four objects is reported");
}

#[test]
fn pairs_margin_and_frames_are_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 6, &[("ball", "floor")]);
    let near = summary(&[text(&session), "--pair", "still:ball:SphereToSphereCD", "--margin", "2.1"]);
    assert_eq!(near["pairs"][0]["margin"], 2.1);
    assert_eq!(
        near["pairs"][0]["deepest"]["depth"],
        -(3.0_f64.hypot(0.05) - 1.0),
        "closest in frames 2 and 3"
    );
    for (range, frames, deepest) in [("2..4", 2, 3), ("..3", 3, 2), ("4..", 2, 5)] {
        let part = summary(&[text(&session), "--frames", range]);
        assert_eq!(
            (&part["frames"], &part["pairs"][0]["deepest"]["frame"]),
            (&json!(frames), &json!(deepest))
        );
    }
}

/// The contacts of a replay, written to a file with this extension.
fn contacts(session: &Path, ending: &str, extra: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join(format!("contacts.{ending}"));
    let mut arguments = vec!["replay", text(session), "--out", text(&out)];
    arguments.extend(extra);
    palpate(&arguments).well();
    assert_eq!(files(folder.path()), [format!("contacts.{ending}")]);
    std::fs::read(out).unwrap()
}

// Proves: REQ-SAME-ORDER
#[test]
fn any_number_of_threads_and_any_run_writes_the_same_bytes() {
    for ending in ["h5", "json", "csv"] {
        let one = contacts(&kept_demo(), ending, &["--threads", "1"]);
        assert!(one.len() > 10_000, "{ending}: {} bytes", one.len());
        for threads in ["1", "2", "4"] {
            assert!(
                contacts(&kept_demo(), ending, &["--threads", threads]) == one,
                "{ending}, {threads} threads"
            );
        }
    }
}

#[test]
fn a_part_of_the_frames_has_the_contacts_of_the_whole() {
    let read = |bytes: Vec<u8>| -> Value { serde_json::from_slice(&bytes).unwrap() };
    let whole = read(contacts(&kept_demo(), "json", &[]));
    let part = read(contacts(&kept_demo(), "json", &["--frames", "50..60"]));
    let frames = part["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 10);
    assert_eq!(frames[..], whole["frames"].as_array().unwrap()[50..60]);
    assert_eq!(frames[0]["frame"], 50);
}

#[test]
fn the_three_forms_tell_the_same_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.h5");
    palpate(&["replay", text(&kept_demo()), "--out", text(&path), "--vtk"]).well();
    let mut reader = ContactsReader::open(&path).unwrap();
    let json: Value = serde_json::from_slice(&contacts(&kept_demo(), "json", &[])).unwrap();
    let csv = String::from_utf8(contacts(&kept_demo(), "csv", &[])).unwrap();
    let mut rows = csv.lines().skip(1);
    let mut frame = ContactFrame::default();
    for (index, of_frame) in json["frames"].as_array().unwrap().iter().enumerate() {
        reader.read_frame(index, &mut frame).unwrap();
        let mut contacts = frame.contacts.iter().zip(&frame.pairs);
        for (number, pair) in of_frame["pairs"].as_array().unwrap().iter().enumerate() {
            assert_eq!(pair["detector"], reader.pairs()[number].detector.as_str());
            for of_json in pair["contacts"].as_array().unwrap() {
                let (contact, of_pair) = contacts.next().unwrap();
                assert_eq!(*of_pair as usize, number);
                assert_eq!(of_json["depth"], contact.depth);
                assert_eq!(of_json["id"], contact.id);
                assert_eq!(of_json["b"]["point"], json!(contact.b.point));
                let row = rows.next().unwrap();
                let start = format!("{index},{},", of_frame["time"].as_f64().unwrap());
                assert!(row.starts_with(&start) && row.contains(&format!(",{},", contact.depth)), "{row}");
            }
        }
        assert!(contacts.next().is_none());
    }
    assert!(rows.next().is_none());
    assert_eq!(reader.frame_count(), 120);
}

#[test]
fn several_plain_files_make_a_session_named_by_their_stems() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one", "two"] {
        let plain = folder.path().join(format!("{name}.vtkhdf"));
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tetrahedron.vtkhdf"), plain)
            .unwrap();
    }
    let [one, two] = ["one.vtkhdf", "two.vtkhdf"].map(|name| folder.path().join(name));
    let pair = "one:two:point_set_surface_mesh";
    let summary = summary(&[text(&one), text(&two), "--pair", pair]);
    assert_eq!((&summary["pairs"][0]["a"], &summary["pairs"][0]["b"]), (&json!("one"), &json!("two")));
    assert_eq!(summary["contacts"], 2 * 4, "the two coincide: every vertex touches");
}

#[test]
fn inspect_says_what_is_there() {
    let report: Value =
        serde_json::from_str(&palpate(&["inspect", text(&kept_demo()), "--json"]).well().stdout).unwrap();
    assert_eq!(
        (&report["frames"], &report["checksums"], &report["unfinished"]),
        (&json!(120), &json!(true), &json!(false))
    );
    let organ = &report["objects"][0];
    assert_eq!(
        (&organ["name"], &organ["kind"], &organ["closed"]),
        (&json!("organ"), &json!("surface_mesh"), &json!(true))
    );
    assert_eq!((&organ["points"], &organ["cells"]), (&json!(1002), &json!(2000)));
    assert_eq!(report["objects"][1]["size"], json!([0.005, 0.085, 0.0]));
    assert_eq!(report["pairs"].as_array().unwrap().len(), 4);
    let words = palpate(&["inspect", text(&kept_demo())]).well().stdout;
    for word in [
        "120 frames",
        "60 a second",
        "checksums: right for every frame",
        "1,002",
        "radius 800 um",
        "thread : thread",
    ] {
        assert!(words.contains(word), "no {word:?} in {words}");
    }
    let plain = crate::run::damaged("tetrahedron.vtkhdf");
    assert!(palpate(&["inspect", text(&plain)]).well().stdout.contains("checksums: none in the file"));
}
