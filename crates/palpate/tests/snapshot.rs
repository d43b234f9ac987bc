//! The kept recording has the contacts that it had: what a simulator's own tests look like.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate::recording::PairInfo;
use palpate::replay::{Replay, ReplayOptions};
use palpate::snapshot::{Detail, Snapshot, SnapshotOptions, session};
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
    insta::assert_snapshot!(Snapshot::take(&mut replay, &SnapshotOptions::default()).unwrap());
}

#[test]
fn the_text_of_a_session_is_the_same_every_time_and_holds_all_of_it() {
    let options = SnapshotOptions::default();
    let snapshot = session(demo(), &options).unwrap();
    let text = snapshot.to_string();
    assert_eq!(text, session(demo(), &options).unwrap().to_string());
    assert!(text.lines().count() > 1000);
    assert_eq!(text.parse::<Snapshot>().unwrap(), snapshot);
}

#[test]
fn options_take_a_part_of_the_whole() {
    let whole = session(demo(), &SnapshotOptions::default()).unwrap().to_string();
    for (detail, contacts) in [(Detail::Contacts, true), (Detail::Deepest(2), true), (Detail::Counts, false)]
    {
        let options = SnapshotOptions { every: 10, detail, ..SnapshotOptions::default() };
        let part = session(demo(), &options).unwrap();
        part.check_options(&options).unwrap();
        let text = part.to_string();
        assert_eq!(text.parse::<Snapshot>().unwrap(), part);
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
