//! The contacts of the recording agree with the stored snapshot: an example of a simulator's own tests.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate::recording::PairInfo;
use palpate::replay::{Replay, ReplayOptions};
use palpate::snapshot::Snapshot;
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
    insta::assert_snapshot!(Snapshot::take(&mut replay).unwrap());
}

#[test]
fn the_text_of_a_session_is_the_same_every_time() {
    let text = palpate::snapshot::session(demo()).unwrap();
    assert_eq!(text, palpate::snapshot::session(demo()).unwrap());
    assert!(text.lines().count() > 1000);
    let read: Snapshot = text.parse().unwrap();
    assert_eq!(read.to_string(), text);
}
