//! Hand-made bad input: one line that names the item, an exit status, and no output left behind.

use crate::run::{damaged, files, kept_demo, palpate, sinking_ball, text};
use std::path::Path;

/// Files that are not valid recordings, and the words of their errors.
fn unusable(folder: &Path) -> Vec<(std::path::PathBuf, Vec<&'static str>)> {
    let at = |name: &str| folder.join(name);
    std::fs::create_dir(at("directory")).unwrap();
    std::fs::write(at("empty.vtkhdf"), b"").unwrap();
    std::fs::write(at("text.vtkhdf"), b"this is no HDF5 file, but long enough to look into").unwrap();
    palpate(&["replay", text(&kept_demo()), "--out", text(&at("contacts.h5"))]).well();
    vec![
        (at("missing.vtkhdf"), vec!["missing.vtkhdf", "no such file"]),
        (at("directory"), vec!["directory", "is a directory"]),
        (at("empty.vtkhdf"), vec!["empty.vtkhdf", "empty"]),
        (at("text.vtkhdf"), vec!["text.vtkhdf", "not an HDF5 file"]),
        (at("contacts.h5"), vec!["contacts.h5", "HDF5, but it has no"]),
        (damaged("nan_vertex.vtkhdf"), vec!["nan_vertex", "frame 1", "vertex 2", "NaN"]),
        (damaged("index_out_of_range.vtkhdf"), vec!["index_out_of_range", "cell 3", "vertex 9", "4 points"]),
    ]
}

#[test]
fn what_is_no_recording_is_refused_by_every_subcommand_that_reads_one() {
    let folder = tempfile::tempdir().unwrap();
    for (path, words) in unusable(folder.path()) {
        for subcommand in ["inspect", "replay", "snapshot"] {
            // A folder is inspected file by file.
            if subcommand == "inspect" && path.is_dir() {
                continue;
            }
            let before = files(folder.path());
            let outcome = palpate(&[subcommand, text(&path)]);
            if subcommand != "inspect" && path.ends_with("nan_vertex.vtkhdf") {
                // A single object has no pair to detect: reported before the damaged frame.
                outcome
                    .refused(2, &["nothing to detect", "is the only object", "--pair nan_vertex:nan_vertex"]);
            } else {
                outcome.refused(2, &words);
            }
            assert_eq!(outcome.stdout, "");
            assert_eq!(files(folder.path()), before);
        }
    }
}

#[test]
fn a_frame_that_is_damaged_leaves_no_contacts_behind() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.vtkhdf");
    std::fs::copy(damaged("tetrahedron.vtkhdf"), &good).unwrap();
    let bad = damaged("nan_vertex.vtkhdf");
    for ending in ["h5", "json", "csv"] {
        let out = folder.path().join(format!("contacts.{ending}"));
        let pair = "good:nan_vertex:point_set_surface_mesh";
        let outcome = palpate(&["replay", text(&good), text(&bad), "--pair", pair, "--out", text(&out)]);
        outcome.refused(2, &["frame 1", "vertex 2"]);
        assert_eq!(files(folder.path()), ["good.vtkhdf"], "{ending}");
    }
}

#[test]
fn pairs_that_cannot_be_name_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[]);
    let out = folder.path().join("contacts.json");
    let try_pair = |pair: &str, words: &[&str]| {
        for subcommand in ["replay", "snapshot"] {
            let arguments = [subcommand, text(&session), "--pair", pair, "--out", text(&out)];
            palpate(&arguments).refused(2, words);
            assert_eq!(files(folder.path()), ["ball.vtkhdf"]);
        }
    };
    try_pair("ball:roof", &["no object \"roof\"", "wanted one of ball, still, floor, net"]);
    try_pair("ball:floor:nothing", &["unknown detector \"nothing\"", "plane_sphere"]);
    try_pair("ball:floor:sphere_sphere", &["ball:floor", "sphere_sphere does not accept sphere and plane"]);
    try_pair("floor:floor", &["floor:floor", "no detector for plane with itself"]);
    try_pair("ball", &["--pair", "\"ball\"", "wanted A:B"]);
}

#[test]
fn a_pair_without_a_detector_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[("net", "floor"), ("floor", "floor")]);
    palpate(&["replay", text(&session)]).refused(2, &["floor:floor", "no detector for plane with itself"]);
}

#[test]
fn frames_margins_and_outputs_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[("ball", "floor")]);
    let refused = |extra: &[&str], words: &[&str]| {
        let arguments: Vec<&str> =
            ["replay", text(&session)].into_iter().chain(extra.iter().copied()).collect();
        palpate(&arguments).refused(2, words);
        assert_eq!(files(folder.path()), ["ball.vtkhdf"]);
    };
    refused(&["--frames", "2:3"], &["--frames", "\"2:3\"", "a range with one of the 2 frames"]);
    refused(&["--frames", "one"], &["--frames", "\"one\""]);
    refused(&["--margin", "-0.5"], &["margin is -0.5"]);
    refused(&["--margin", "nan"], &["margin is NaN"]);
    refused(&["--out", text(&folder.path().join("contacts.txt"))], &["contacts.txt", ".h5", ".json or .csv"]);
    refused(&["--out", text(folder.path())], &["is a directory"]);
    refused(&["--out", text(&folder.path().join("nowhere/contacts.json"))], &["nowhere/contacts.json"]);
    refused(&["--out", text(&folder.path().join("nowhere/contacts.h5"))], &["nowhere"]);
    refused(&["--out", text(&folder.path().join("contacts.csv")), "--vtk"], &["--vtk"]);
    refused(&["--out", text(&session)], &["is an input file"]);
}

#[test]
fn cases_that_cannot_be_read_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.jsonl");
    let out = folder.path().join("answers.jsonl");
    palpate(&["detect", text(&missing), "--out", text(&out)])
        .refused(2, &["missing.jsonl", "opening failed"]);
    palpate(&["detect", text(folder.path()), "--out", text(&out)]).refused(2, &["is a directory"]);
    let cases = folder.path().join("cases.jsonl");
    std::fs::write(&cases, b"").unwrap();
    palpate(&["detect", text(&cases), "--out", text(folder.path())]).refused(2, &["is a directory"]);
    palpate(&["detect", text(&cases), "--out", text(&cases)]).refused(2, &["is an input file"]);
    assert_eq!(files(folder.path()), ["cases.jsonl"]);
}

#[test]
fn wrong_arguments_are_explained() {
    let outcome = palpate(&["replay"]);
    assert_eq!(outcome.status, 2);
    assert!(outcome.stderr.contains("FILE"), "{}", outcome.stderr);
    assert_eq!(palpate(&["no-such-subcommand"]).status, 2);
}
