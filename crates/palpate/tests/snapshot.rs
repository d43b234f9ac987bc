//! The contacts of the recording agree with the stored snapshot: an example of a simulator's own tests.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

use palpate::recording::PairInfo;
use palpate::replay::{Replay, ReplayOptions};
use palpate::snapshot::{ContactSnapshot, Detail, SnapshotOptions, session};
use std::path::PathBuf;

fn demo() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../../data/demo.vtkhdf"].iter().collect()
}

#[test]
fn the_contacts_of_the_tool_are_those_of_the_snapshot() {
    let pair = |a: &str, b: &str| PairInfo { a: a.to_owned(), b: b.to_owned(), ..PairInfo::default() };
    let options = ReplayOptions {
        pairs: vec![pair("tool", "organ"), pair("thread", "tool")],
        ..ReplayOptions::default()
    };
    let mut replay = Replay::open(&[demo()], &options).unwrap();
    palpate::assert_contacts!(ContactSnapshot::take(&mut replay, &SnapshotOptions::default()).unwrap());
}

#[test]
fn the_text_of_a_session_is_the_same_every_time_and_holds_all_of_it() {
    let options = SnapshotOptions::default();
    let snapshot = session(demo(), &options).unwrap();
    let text = snapshot.to_string();
    assert_eq!(text, session(demo(), &options).unwrap().to_string());
    assert!(text.lines().count() > 1000);
    assert_eq!(text.parse::<ContactSnapshot>().unwrap(), snapshot);
}

#[test]
fn options_select_part_of_a_session() {
    let whole = session(demo(), &SnapshotOptions::default()).unwrap().to_string();
    for (detail, contacts) in [(Detail::Contacts, true), (Detail::Deepest(2), true), (Detail::Counts, false)]
    {
        let options = SnapshotOptions { every: 10, detail, ..SnapshotOptions::default() };
        let part = session(demo(), &options).unwrap();
        part.check_options(&options).unwrap();
        let text = part.to_string();
        assert_eq!(text.parse::<ContactSnapshot>().unwrap(), part);
        let frames = text.lines().filter(|line| line.starts_with("frame "));
        assert!(frames.clone().all(|line| line.split(' ').nth(1).unwrap().ends_with('0')));
        assert_eq!(frames.count(), 12);
        let mut lines = text.lines().filter(|line| line.starts_with("  "));
        assert_eq!(lines.clone().count() > 0, contacts, "{text}");
        assert!(lines.all(|line| whole.contains(line)));
        let error = part.differences(&whole.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("every 10") && error.contains("\"every 1, all contacts\""), "{error}");
    }
}

/// Returns whether insta accepts a stored text for the current contacts.
fn insta_agrees(stored: &str, now: &str) -> bool {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contacts.snap");
    let file = format!("---\nsource: crates/palpate/tests/snapshot.rs\n---\n{stored}");
    std::fs::write(&path, &file).unwrap();
    let assertion = || {
        let settings = (folder.path().to_owned(), false);
        insta::with_settings!({ snapshot_path => settings.0, prepend_module_to_snapshot => settings.1 }, {
            palpate::assert_contacts!("contacts", now);
        });
    };
    let passed = std::panic::catch_unwind(assertion).is_ok();
    // An insta assertion that is configured to accept new text does not fail, but writes the file.
    let is_kept = std::fs::read_to_string(&path).unwrap() == file;
    passed && is_kept
}

#[test]
fn insta_passes_only_differences_within_the_tolerance() {
    let options = SnapshotOptions {
        tolerance: Some(1e-4),
        unit_tolerance: 1e-3,
        every: 20,
        ..SnapshotOptions::default()
    };
    let now = session(demo(), &options).unwrap().to_string();
    let (head, contact) = now.split_once("\n  0: ").unwrap();
    let (name, depth) = contact.split_once(" | ").unwrap();
    let (depth, rest) = depth.split_once(' ').unwrap();
    let stored = |by: f64| {
        let depth = depth.parse::<f64>().unwrap() + by;
        format!("{head}\n  0: {name} | {depth} {rest}")
    };
    assert!(insta_agrees(&now, &now));
    assert!(insta_agrees(&stored(0.99e-4), &now) && insta_agrees(&stored(-0.99e-4), &now));
    assert!(!insta_agrees(&stored(1.3e-4), &now) && !insta_agrees(&stored(-1.3e-4), &now));
    assert!(!insta_agrees("something else", &now));
}
