//! `palpate pack`, `palpate convert` and `palpate validate`.

use crate::run::{damaged, files, kept_demo, palpate, sinking_ball, text};
use palpate::mesh_io;
use palpate::recording::Reader;
use serde_json::Value;
use std::path::Path;

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&palpate(arguments).well().stdout).unwrap()
}

#[test]
fn a_packed_session_replays_to_the_same_bits_without_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (packed, anonymous, demo) = (path("packed.vtkhdf"), path("anonymous.vtkhdf"), kept_demo());
    let said = json(&["pack", text(&demo), "--out", text(&packed), "--json"]);
    palpate(&["pack", text(&demo), "--out", text(&anonymous), "--anonymous"]).well();
    for packed in [&packed, &anonymous] {
        let again = json(&["pack", "--check", text(packed), "--json"]);
        assert_eq!(again["contacts_crc32"], said["contacts_crc32"]);
        assert_eq!(again["contacts"], said["contacts"]);
    }
    let reader = Reader::open(&anonymous).unwrap();
    let header = format!("{:?}", reader.info());
    assert!(
        ["organ", "tool", "thread"].iter().all(|name| !header.contains(&format!("{name}\""))),
        "{header}"
    );
    assert_eq!(reader.info().objects[0].name, "object 1");
    assert!(reader.info().metadata.contains_key("palpate.health.object 1"), "{:?}", reader.info().metadata);
    palpate(&["pack", "--check", text(&demo)]).refused(2, &["--check", "palpate.contacts_crc32"]);
}

#[test]
fn meshes_are_converted_and_what_is_lost_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let source = path("square.obj");
    std::fs::write(&source, "v 0.1 0 0\nv 1 0 0\nv 1 1 0.3\nv 0 1 0\nv 9 9 9\nf 1 2 3 4\n").unwrap();
    let original = mesh_io::read(&source).unwrap();
    for (name, lost) in
        [("square.vtu", 1), ("square.ply", 1), ("square.ply.gz", 1), ("again.obj", 1), ("square.stl", 3)]
    {
        let out = path(name);
        let would = json(&["convert", text(&source), text(&out), "--validate", "--json"]);
        assert!(would["written"] == false && !out.exists(), "{would}");
        let said = json(&["convert", text(&source), text(&out), "--json"]);
        assert_eq!(said["lost"], would["lost"]);
        assert_eq!(said["lost"].as_array().unwrap().len(), lost, "{said}");
        let back = mesh_io::read(&out).unwrap();
        if lost == 1 {
            assert_eq!(
                (&back.positions, &back.triangles),
                (&original.positions, &original.triangles),
                "{name}"
            );
        }
    }
    let session = path("square.vtkhdf");
    palpate(&["convert", text(&source), text(&session), "--unit", "mm"]).well();
    let back = path("back.vtu");
    palpate(&["convert", text(&session), text(&back)]).well();
    let points = mesh_io::read(&back).unwrap().positions;
    assert_eq!(points.len(), 5);
    assert!(points.iter().zip(&original.positions).all(|(is, was)| is.coords == was.coords * 1e-3));
    let demo = kept_demo();
    let organ = path("organ.stl");
    palpate(&["convert", text(&demo), text(&organ)]).refused(2, &["--object", "organ"]);
    palpate(&["convert", text(&demo), text(&organ), "--object", "orgam"])
        .refused(2, &["did you mean \"organ\""]);
    let said =
        palpate(&["convert", text(&demo), text(&organ), "--object", "organ", "--frame", "7"]).well().stdout;
    assert!(said.contains("lost: 119 other frames") && said.contains("closed, oriented, manifold"), "{said}");
    assert!(files(folder.path()).iter().all(|name| !name.contains(".part")));
}

#[test]
fn a_recording_is_validated_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 3, &[("ball", "floor")]);
    let said = palpate(&["validate", text(&session)]).well().stdout;
    assert!(said.contains("guessed: pair ball : floor names no detector"), "{said}");
    assert!(said.lines().all(|line| line.starts_with("guessed: ")), "{said}");
    let any = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let broken =
        std::fs::read_dir(any).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let broken: Vec<String> =
        broken.filter(|name| name.ends_with(".vtkhdf") || name.ends_with(".h5")).collect();
    assert!(!broken.is_empty());
    for name in broken {
        let outcome = palpate(&["validate", text(&damaged(&name)), "--json"]);
        let value: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!(outcome.status == 1, value["refused"] != 0, "{name}: {value}");
    }
}
