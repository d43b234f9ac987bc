//! What a new user tries: mesh files, misspelt names, ranges beyond the end, names that are hostile or odd.

use crate::run::{Outcome, files, kept_demo, palpate, palpate_with_input, sinking_ball, text};
use palpate::math::Point;
use palpate::recording::{Frame, ObjectInfo, Primitive, SessionInfo, State, Writer, WriterOptions};
use serde_json::{Value, json};
use std::path::Path;

/// A cube of half side 1 about the origin, in triangles and quadrilaterals, wound outward.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
    f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&palpate(&[arguments, &["--json"]].concat()).well().stdout).unwrap()
}

/// Balls of radius 1 with these names, each 1.5 beside the one before.
fn balls(path: &Path, names: &[&str]) {
    let object = |name: &&str| ObjectInfo {
        name: (*name).to_owned(),
        kind: "sphere".to_owned(),
        ..ObjectInfo::default()
    };
    let info = SessionInfo {
        objects: names.iter().map(object).collect(),
        metadata: [("made\u{1b}[31m by".to_owned(), "\u{202e}bell\u{7}\n".to_owned() + &"m".repeat(5000))]
            .into(),
        ..SessionInfo::default()
    };
    let mut writer =
        Writer::create(path, &info, WriterOptions { overwrite: true, ..WriterOptions::default() }).unwrap();
    for frame in 0..3 {
        let state = |index: usize| {
            State::Primitive(Primitive {
                position: Point::new(1.5 * index as f64, 0.0, 0.0),
                rotation_wxyz: [1.0, 0.0, 0.0, 0.0],
                size: [1.0, 0.0, 0.0],
            })
        };
        let states = (0..names.len()).map(state).collect();
        writer.append(&Frame { time: f64::from(frame), states, ..Frame::default() }).unwrap();
    }
    writer.finish().unwrap();
}

/// Asserts an error line that contains words, and perhaps a hint that contains words; nothing else.
#[track_caller]
fn refused_with_hint(outcome: &Outcome, words: &[&str], hint: &str) {
    assert_eq!(outcome.status, 2, "{}", outcome.stderr);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{}", outcome.stderr);
    assert!(lines[0].starts_with("palpate: error: "), "{}", outcome.stderr);
    assert!(words.iter().all(|word| lines[0].contains(word)), "{}", outcome.stderr);
    assert!(lines[1].starts_with("palpate: hint: ") && lines[1].contains(hint), "{}", outcome.stderr);
}

#[test]
fn mesh_files_join_a_recording_and_make_a_session() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (cube, session) = (at("cube.obj"), at("session.vtkhdf"));
    std::fs::write(&cube, CUBE).unwrap();
    sinking_ball(&session, 4, &[]);
    // The ball of radius 0.5 at (0, 0.5 - 0.1 i, 0) is deep in the cube of half side 0.5 in every frame; the other is not.
    let summary = json_of(&["replay", text(&session), text(&cube), "--scale", "0.5", "--pair", "ball:cube"]);
    assert_eq!((&summary["frames"], &summary["pairs"][0]["frames_in_contact"]), (&json!(4), &json!(4)));
    let depth = summary["pairs"][0]["deepest"]["depth"].as_f64().unwrap();
    // The centre is 0.2 above the middle in the last frame: 0.3 to the top and the radius.
    assert!((depth - 0.8).abs() < 1e-9, "{depth}");
    let far = json_of(&["replay", text(&cube), text(&session), "--unit", "mm", "--pair", "still:cube"]);
    assert_eq!(far["contacts"], 0);
    std::fs::write(
        at("other.off"),
        "OFF\n4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
    )
    .unwrap();
    let meshes =
        json_of(&["replay", text(&cube), text(&at("other.off")), "--out", text(&at("contacts.csv"))]);
    assert_eq!(
        (&meshes["frames"], &meshes["pairs"][0]["a"], &meshes["pairs"][0]["b"]),
        (&json!(1), &json!("cube"), &json!("other"))
    );
    assert!(meshes["contacts"].as_u64().unwrap() > 0);
    palpate(&["snapshot", text(&cube), text(&session)]).well();
    assert!(files(folder.path()).contains(&"session.contacts.snap".to_owned()));
    refused_with_hint(
        &palpate(&["replay", text(&cube)]),
        &["\"cube\" is the only object"],
        "--pair cube:cube",
    );
    palpate(&["replay", text(&cube), text(&at("missing.stl"))]).refused(2, &["missing.stl"]);
    palpate(&["replay", text(&cube), text(&cube)]).refused(2, &["\"cube\"", "already"]);
    palpate(&["replay", text(&cube), "--scale", "0"])
        .refused(2, &["--scale: found \"0\", wanted a finite number greater than 0"]);
}

#[test]
fn cases_name_mesh_files_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("cases")).unwrap();
    std::fs::write(folder.path().join("cases/cube.obj"), CUBE).unwrap();
    let cases = folder.path().join("cases/cases.jsonl");
    let sphere = json!({"type": "Sphere", "center": [0, 1.5, 0], "radius": 1});
    let mesh = |extra: Value| {
        let mut mesh = json!({"type": "SurfaceMesh", "file": "cube.obj"});
        mesh.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        mesh
    };
    let answer = |a: Value, arguments: &[&str]| -> Value {
        std::fs::write(&cases, format!("{}\n", json!({"a": a, "b": sphere}))).unwrap();
        let outcome = palpate(&[&["detect", text(&cases)], arguments].concat());
        serde_json::from_str(&outcome.stdout).unwrap()
    };
    let contacts = answer(mesh(json!({"closed": true})), &[])["contacts"].clone();
    assert_eq!(contacts[0]["depth"], 0.5);
    assert_eq!(answer(mesh(json!({})), &["--unit", "mm"])["contacts"], json!([]));
    let child = json!({"type": "Compound", "children": [mesh(json!({}))]});
    assert_eq!(answer(child, &[])["contacts"][0]["depth"], 0.5);
    for (a, words) in [
        (
            mesh(json!({"vertices": [[0, 0, 0]]})),
            "a.vertices: found a list of 1, wanted nothing beside a file",
        ),
        (
            json!({"type": "TetrahedralMesh", "file": "cube.obj"}),
            "cube.obj: holds 12 triangles: wanted tetrahedra",
        ),
        (json!({"type": "SurfaceMesh", "file": "none.obj"}), "none.obj"),
        (json!({"type": "SurfaceMesh", "file": 3}), "a.file: found 3, wanted a text"),
    ] {
        let error = answer(a, &[])["error"].as_str().unwrap().to_owned();
        assert!(error.contains(words), "{error}");
    }
    // Explained shapes are convex: no file is read.
    let line = format!("{}\n", json!({"a": mesh(json!({})), "b": sphere}));
    let explained = palpate_with_input(&["explain", "-"], line.as_bytes()).stdout;
    assert!(explained.contains("files are not read here"), "{explained}");
}

#[test]
fn misspelt_names_are_answered_with_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[]);
    let pair =
        |pair: &str, words: &[&str]| palpate(&["replay", text(&session), "--pair", pair]).refused(2, words);
    pair("bal:floor", &["no object \"bal\"", "did you mean \"ball\"?"]);
    pair("ball:floor:plane_sphre", &["did you mean \"plane_sphere\"?", "wanted one of plane_sphere"]);
    pair("ball:floor:sphere_sphere", &["wanted sphere and sphere; the two are taken by", " plane_sphere"]);
    palpate(&["detectors", "sphere_capsul"]).refused(2, &["did you mean \"sphere_capsule\"?"]);
    palpate(&["detectors", "spheer"]).refused(2, &["did you mean \"sphere\"?"]);
    palpate(&["replay", text(&session), "--limit", "thread=2"]).refused(2, &["did you mean \"threads\"?"]);
    let case = |detector: &str, settings: Value| {
        let sphere = json!({"type": "Sphere", "center": [0, 0, 0], "radius": 1});
        let body = json!({"type": "OrientedBox", "center": [0, 0, 0], "half_extents": [1, 1, 1]});
        let case = json!({"a": body, "b": {"type": "Sphre", "center": [0, 0, 0], "radius": 1}});
        let named = json!({"a": body, "b": sphere, "detector": detector, "options": {"settings": settings}});
        let input = format!("{case}\n{named}\n");
        palpate_with_input(&["detect", "-"], input.as_bytes()).stdout
    };
    let said = case("convex_convex", json!({"manifol": true}));
    assert!(
        said.contains("did you mean \\\"Sphere\\\"?") && said.contains("did you mean \\\"manifold\\\"?"),
        "{said}"
    );
    refused_with_hint(&palpate(&["replay", text(&session), "--thread", "2"]), &["--thread"], "'--threads'");
    refused_with_hint(&palpate(&["replya"]), &["'replya'"], "'replay'");
    refused_with_hint(&palpate(&["replay"]), &["<FILE>"], "usage: palpate replay");
    let first = palpate::<&str>(&[]).well().stdout;
    assert!(first.contains("palpate demo") && first.lines().all(|line| line.len() <= 80), "{first}");
}

// Proves: REQ-LIMIT-THREADS
#[test]
fn threads_beyond_the_limit_are_refused_before_any_work() {
    let demo = kept_demo();
    let words = ["--threads: found 100000, wanted at most 256"];
    let replay = ["replay", text(&demo), "--threads", "100000"];
    refused_with_hint(&palpate(&replay), &words, "--limit threads=");
    refused_with_hint(&palpate_with_input(&["detect", "-", "--threads", "100000"], b"{}"), &words, "--limit");
    let lowered = ["replay", text(&demo), "--threads", "3", "--limit", "threads=2"];
    refused_with_hint(&palpate(&lowered), &["found 3, wanted at most 2"], "--limit threads=");
}

#[test]
fn names_are_data_on_the_terminal_and_whole_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("odd.vtkhdf");
    // Together more than 65,535 letters, the most that the formatting of Rust pads to.
    let (long, other) = ("n".repeat(40_000), "m".repeat(40_000));
    let hostile = "bell\u{7}\u{1b}[2J\u{202e} next";
    balls(&session, &[&long, &other, hostile, "a:b"]);
    let commands: [&[&str]; 5] = [
        &["inspect", text(&session)],
        &["replay", text(&session)],
        &["replay", text(&session), "--pair", "x:y"],
        &["snapshot", text(&session)],
        &["replay", text(&session), "--pair", "a\\:b:a\\:b"],
    ];
    for command in commands {
        let outcome = palpate(command);
        let said = outcome.stdout + &outcome.stderr;
        assert!(said.len() < 20_000, "{command:?}: {} bytes", said.len());
        assert!(
            !said.chars().any(|letter| (letter.is_control() && letter != '\n') || letter == '\u{202e}'),
            "{said:?}"
        );
    }
    let summary = json_of(&["replay", text(&session), "--pair", "a\\:b:bell\u{7}\u{1b}[2J\u{202e} next"]);
    assert_eq!((&summary["pairs"][0]["a"], &summary["pairs"][0]["b"]), (&json!("a:b"), &json!(hostile)));
    assert_eq!(json_of(&["inspect", text(&session)])["objects"][0]["name"], json!(long));
    palpate(&["snapshot", text(&session), "--check"]).well();
    balls(&session, &["a:b"]);
    refused_with_hint(
        &palpate(&["replay", text(&session)]),
        &["\"a:b\" is the only object"],
        "--pair a\\:b:a\\:b",
    );
}

#[test]
fn every_command_prints_json() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let session = at("ball.vtkhdf");
    sinking_ball(&session, 3, &[("ball", "floor")]);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let snapshot = json_of(&["snapshot", text(&session)]);
    assert_eq!(keys(&snapshot), ["checked", "differences", "frames", "input", "snapshot"]);
    assert_eq!((&snapshot["checked"], &snapshot["frames"]), (&json!(false), &json!(3)));
    sinking_ball(&session, 4, &[("ball", "floor")]);
    let differs = palpate(&["snapshot", text(&session), "--check", "--json"]);
    let report: Value = serde_json::from_str(&differs.stdout).unwrap();
    assert_eq!((differs.status, report["differences"].as_array().unwrap().len()), (1, 1));
    let demo = json_of(&["demo", "--out", text(&at("demo"))]);
    assert_eq!(keys(&demo), ["contacts", "frames", "picture", "recording", "replay"]);
    assert_eq!(demo["replay"]["pairs"].as_array().unwrap().len(), 4);
    let made = json_of(&["demo", "--make", text(&at("made.vtkhdf"))]);
    assert_eq!(keys(&made), ["frames", "recording"]);
    let one = json_of(&["detectors", "SphereToCapsuleCD"]);
    assert_eq!((&one["name"], one["settings"].is_array()), (&json!("sphere_capsule"), true));
    let kind = json_of(&["detectors", "sphere"]);
    assert_eq!(kind.as_array().unwrap().len(), 12);
    let case = r#"{"a": {"type": "Sphere", "center": [0,0,0], "radius": 1}, "b": {"type": "Sphere", "center": [0,0,0.5], "radius": 1}}"#;
    std::fs::write(at("cases.jsonl"), format!("{case}\n{case}\n")).unwrap();
    for (command, out) in [("detect", "answers.jsonl"), ("explain", "answers.html")] {
        let report = json_of(&[command, text(&at("cases.jsonl")), "--out", text(&at(out))]);
        assert_eq!((&report["cases"], &report["failed"]), (&json!(2), &json!(0)));
        let lines = palpate(&[command, text(&at("cases.jsonl")), "--json"]).well().stdout;
        assert!(
            lines.lines().all(|line| serde_json::from_str::<Value>(line).is_ok())
                && lines.lines().count() == 2
        );
    }
}

#[test]
fn what_is_printed_fits_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("d");
    let demo = palpate(&["demo", "--out", text(&out)]).well().stdout;
    let session = kept_demo();
    let mut kinds: Vec<Vec<&str>> = vec![
        vec!["detectors"],
        vec!["detectors", "--matrix"],
        vec!["detectors", "compound"],
        vec!["detectors", "plane"],
        vec!["detectors", "convex_convex"],
        vec!["detectors", "closed_surface_mesh_surface_mesh"],
    ];
    kinds.extend([vec!["inspect", text(&session)], vec!["replay", text(&session)]]);
    let told = kinds.iter().map(|arguments| palpate(arguments).well().stdout).chain([demo]);
    for said in told {
        // A path is as long as it is.
        for line in said.lines().filter(|line| !line.contains('/')) {
            let most = if line.contains("surface_mesh") { 100 } else { 80 };
            assert!(line.chars().count() <= most, "{} letters: {line}", line.chars().count());
        }
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = palpate(&["completions", shell]).well().stdout;
        assert!(
            script.contains("palpate") && script.contains("replay") && script.contains("allow-external"),
            "{shell}"
        );
    }
    let page = palpate(&["man"]).well().stdout;
    assert!(page.contains(".TH palpate 1") && page.contains("replay"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    palpate(&["man", "--out", text(&folder.path().join("man"))]).well();
    let pages = files(&folder.path().join("man"));
    assert_eq!(pages.len(), 15, "{pages:?}");
    let replay = std::fs::read_to_string(folder.path().join("man/palpate-replay.1")).unwrap();
    assert!(replay.contains("frames") && replay.contains("json_line_bytes"), "{replay}");
}

/// A file that may not grow beyond some blocks is as a full disk: nothing is left of the outputs that did not fit.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_whole_files_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("demo.vtkhdf");
    std::fs::copy(kept_demo(), &session).unwrap();
    let run = |blocks: u32, command: &str| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {command}");
        std::process::Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_palpate")])
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    for command in [
        "demo --out new",
        "demo --make made.vtkhdf",
        "replay demo.vtkhdf --out c.h5",
        "replay demo.vtkhdf --out c.json",
        "replay demo.vtkhdf --out c.csv",
        "snapshot demo.vtkhdf --out c.snap",
    ] {
        let output = run(8, command);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {errors}");
        assert!(errors.starts_with("palpate: error: ") && !errors.contains(".part"), "{command}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{command}: {errors}");
        assert_eq!(files(folder.path()), ["demo.vtkhdf"], "{command}");
    }
}

/// A run that was killed leaves temporary files; the next one that writes the same output removes them.
#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("answers.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_palpate"))
        .args(["detect", "-", "--out", text(&out)])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while files(folder.path()).is_empty() && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let of_child = files(folder.path());
    assert_eq!(of_child.len(), 1, "{of_child:?}");
    // While it lives, another run leaves its file alone.
    palpate_with_input(&["detect", "-", "--out", text(&out)], b"").well();
    assert_eq!(files(folder.path()), ["answers.jsonl".to_owned(), of_child[0].clone()]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(files(folder.path()).len(), 2);
    palpate_with_input(&["detect", "-", "--out", text(&out)], b"").well();
    assert_eq!(files(folder.path()), ["answers.jsonl"]);
}
