//! `palpate demo`, and the recording in the repository.

use crate::run::{files, kept_demo, palpate, text};
use palpate::recording::{Frame, Reader};

// Proves: REQ-DEMO
#[test]
fn the_demo_leaves_a_recording_contacts_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/demo");
    let said = palpate(&["demo", "--out", text(&out)]).well().stdout;
    assert_eq!(files(&out), ["demo-contacts.h5", "demo.png", "demo.vtkhdf"]);
    for word in
        ["The tool touches the organ in", "The thread touches itself in", "deepest at", "What to try next"]
    {
        assert!(said.contains(word), "no {word:?} in {said}");
    }
    let picture = std::fs::read(out.join("demo.png")).unwrap();
    assert_eq!(&picture[1..4], b"PNG");
    // The commands that it suggests can be run as printed.
    let mut tried = 0;
    for line in said.lines().filter_map(|line| line.trim().strip_prefix("palpate ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let words = words
            .iter()
            .map(|word| if *word == "contacts.csv" { folder.path().join(word) } else { word.into() });
        palpate(&words.collect::<Vec<_>>()).well();
        tried += 1;
    }
    assert_eq!(tried, 5);
}

#[test]
fn making_the_kept_recording_again_gives_the_same_session() {
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("demo.vtkhdf");
    palpate(&["demo", "--make", text(&again)]).well();
    let (mut kept, mut made) = (Reader::open(kept_demo()).unwrap(), Reader::open(&again).unwrap());
    assert_eq!(kept.info(), made.info());
    assert_eq!(kept.times(), made.times());
    let (mut of_kept, mut of_made) = (Frame::default(), Frame::default());
    for frame in 0..kept.frame_count() {
        kept.read_frame(frame, &mut of_kept).unwrap();
        made.read_frame(frame, &mut of_made).unwrap();
        assert_eq!(of_kept, of_made, "frame {frame}");
    }
    assert!(std::fs::metadata(&again).unwrap().len() < 3_000_000);
}
