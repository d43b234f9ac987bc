//! The commands in README.md and docs/ run as printed, and the page of the limits is that of the table.

use crate::run::{damaged, kept_demo, palpate, sinking_ball};
use palpate::math::{Limits, Point};
use palpate::recording::{Frame, ObjectInfo, PairInfo, SessionInfo, State, Topology, Writer, WriterOptions};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md and the pages of docs/, with their names.
fn pages() -> Vec<(String, String)> {
    let mut paths = vec![root().join("README.md")];
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    paths.sort();
    let page = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    paths.into_iter().map(page).collect()
}

/// The blocks of a page that are marked as shell commands.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match &mut open {
            Some(_) if line.starts_with("```") => blocks.extend(open.take()),
            Some(block) => block.push_str(&format!("{line}\n")),
            None if line == "```sh" => open = Some(String::new()),
            None => {}
        }
    }
    blocks
}

/// A session of a thread of two segments that do not touch.
fn thread(path: &Path) {
    let object = ObjectInfo {
        name: "thread".to_owned(),
        kind: "line_mesh".to_owned(),
        radius: Some(0.01),
        topology: Topology::Lines(vec![[0, 1], [1, 2], [2, 3]]),
        ..ObjectInfo::default()
    };
    let pair = PairInfo { a: "thread".to_owned(), b: "thread".to_owned(), ..PairInfo::default() };
    let info = SessionInfo { objects: vec![object], pairs: vec![pair], ..SessionInfo::default() };
    let mut writer = Writer::create(path, &info, WriterOptions::default()).unwrap();
    for index in 0..120 {
        let points = [0.0, 1.0, 2.0, 3.0].map(|x| Point::new(x, 0.01 * f64::from(index), 0.0)).to_vec();
        let states = vec![State::Points(points)];
        writer.append(&Frame { time: 0.01 * f64::from(index), states, ..Frame::default() }).unwrap();
    }
    writer.finish().unwrap();
}

/// The files that the pages mention, in a folder.
fn make_files(folder: &Path) {
    for name in ["data", "docs"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    std::fs::copy(kept_demo(), folder.join("data/demo.vtkhdf")).unwrap();
    for name in ["explain.jsonl", "explain-3d.jsonl", "migration.jsonl"] {
        std::fs::copy(root().join("docs").join(name), folder.join("docs").join(name)).unwrap();
    }
    for name in ["organ_surface.vtkhdf", "tool.vtkhdf"] {
        std::fs::copy(damaged("tetrahedron.vtkhdf"), folder.join(name)).unwrap();
    }
    thread(&folder.join("thread.vtkhdf"));
    sinking_ball(&folder.join("session.vtkhdf"), 4, &[("ball", "floor")]);
    let organ = "v 0 0 0\nv 90 0 0\nv 0 90 0\nv 0 0 90\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.join("organ.obj"), organ).unwrap();
    let case = r#"{"a": {"type": "SurfaceMesh", "file": "organ.obj"}, "b": {"type": "Sphere", "center": [0, 0, 0], "radius": 1}}"#;
    std::fs::write(folder.join("cases.jsonl"), format!("{case}\n")).unwrap();
}

#[cfg(unix)]
// Proves: REQ-COMMANDS
#[test]
fn the_commands_of_the_pages_run_as_printed() {
    let bin = Path::new(env!("CARGO_BIN_EXE_palpate")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    // A page for people who have the sources runs the command through cargo.
    let cargo = "cargo() { while [ $# -gt 0 ] && [ \"$1\" != -- ]; do [ \"$1\" = test ] && return 0; shift; done; \
                 shift; palpate \"$@\"; }\n";
    let mut commands = 0;
    for (name, page) in pages() {
        // What a block writes, later blocks of the page may read.
        let folder = tempfile::tempdir().unwrap();
        make_files(folder.path());
        for block in
            blocks(&page).iter().filter(|block| block.contains("palpate") || block.contains("cargo run"))
        {
            let script = format!("set -e\n{cargo}{block}");
            let output = std::process::Command::new("sh")
                .args(["-c", &script])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name}: {block}{errors}");
            commands += block.matches("palpate ").count() + block.matches("cargo run").count();
        }
    }
    assert!(commands >= 25, "only {commands} commands were found");
}

/// The cases of the page about other libraries have the numbers of contacts that they say, and are all on the page.
#[test]
fn the_differences_from_other_libraries_are_as_told() {
    let [page, cases] = ["docs/migration.md", "docs/migration.jsonl"]
        .map(|name| std::fs::read_to_string(root().join(name)).unwrap());
    let found = palpate(&["detect", root().join("docs/migration.jsonl").to_str().unwrap()]).well().stdout;
    let mut count = 0;
    for (case, answer) in cases.lines().zip(found.lines()) {
        let [case, answer] =
            [case, answer].map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let contacts = answer["contacts"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(case["contacts"], contacts.len(), "{}", case["id"]);
        if let Some(wanted) = case["depth"].as_f64() {
            let depths = contacts.iter().map(|contact| contact["depth"].as_f64().unwrap());
            let deepest = depths.fold(f64::NEG_INFINITY, f64::max);
            assert!((deepest - wanted).abs() <= 1e-12 * wanted.abs().max(1.0), "{}: {deepest}", case["id"]);
        }
        assert!(
            page.contains(&format!("*{}*", case["id"].as_str().unwrap())),
            "{} is not on the page",
            case["id"]
        );
        count += 1;
    }
    assert_eq!(count, cases.lines().count());
    // Every row of a detector that says what differs has a case.
    let section = page.split("## iMSTK: detectors").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `") && !line.ends_with("| |"));
    let bare: Vec<&str> = rows.filter(|line| line.matches('*').count() < 2).collect();
    assert!(bare.is_empty(), "rows without a case: {bare:#?}");
}

// Proves: REQ-LIMIT-TABLE
#[test]
fn the_page_of_the_limits_is_that_of_the_table() {
    let page = std::fs::read_to_string(root().join("docs/limits.md")).unwrap();
    for (name, meaning) in Limits::TABLE {
        let row = format!("| `{name}` | {} | {meaning} |\n", Limits::DEFAULT.get(name).unwrap());
        assert!(page.contains(&row), "docs/limits.md has no row {row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, Limits::TABLE.len(), "a row of docs/limits.md is of no limit");
    let help = palpate(&["replay", "--help"]).well().stdout;
    for (name, meaning) in Limits::TABLE {
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(help.contains(&format!("{name} [default: ")), "{name} in {help}");
        assert!(words.join(" ").contains(meaning), "{meaning} in {help}");
    }
}

/// The picture of README.md is the one that the demo draws.
#[test]
fn the_picture_of_the_contacts_is_that_of_the_demo() {
    let folder = tempfile::tempdir().unwrap();
    palpate(&["demo", "--out", folder.path().to_str().unwrap()]).well();
    let [drawn, kept] = [folder.path().join("demo.png"), root().join("docs/contacts.png")]
        .map(|path| std::fs::read(path).unwrap());
    assert!(drawn == kept, "docs/contacts.png is old: replace it by demo.png of `palpate demo`");
}
