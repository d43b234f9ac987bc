//! `palpate snapshot`.

use crate::run::{files, palpate, sinking_ball, text};

#[test]
fn a_snapshot_agrees_with_itself_and_not_with_a_changed_session() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 4, &[("ball", "floor"), ("still", "floor")]);
    palpate(&["snapshot", text(&session)]).well();
    assert_eq!(files(folder.path()), ["ball.contacts.snap", "ball.vtkhdf"]);
    let said = palpate(&["snapshot", text(&session), "--check"]).well().stdout;
    assert!(said.contains("4 frames: the contacts are those of"), "{said}");

    sinking_ball(&session, 5, &[("ball", "floor"), ("still", "floor")]);
    let outcome = palpate(&["snapshot", text(&session), "--check"]);
    outcome.refused(1, &["ball.contacts.snap", "the contacts differ", "frames: were 4, are 5"]);
}

#[test]
fn the_text_is_compared_by_numbers_within_its_tolerance() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 4, &[("ball", "floor")]);
    let snap = folder.path().join("other.snap");
    palpate(&["snapshot", text(&session), "--out", text(&snap)]).well();
    let before = std::fs::read_to_string(&snap).unwrap();
    assert!(before.contains("frame 3 at 1.5 s: 1\n  0: point ~ point id 0 | 0.3 "), "{before}");
    let check = || palpate(&["snapshot", text(&session), "--out", text(&snap), "--check"]);
    // The scene is some 15 m across: a nanometre is within the tolerance, a tenth of a micrometre is not.
    std::fs::write(&snap, before.replace("| 0.3 ", "| 0.300000001 ")).unwrap();
    check().well();
    std::fs::write(&snap, before.replace("| 0.3 ", "| 0.3000001 ")).unwrap();
    check().refused(1, &["frame 3", "number 0 was 0.3000001, is 0.3"]);
    std::fs::write(&snap, before.replace("id 0", "id 1")).unwrap();
    check().refused(1, &["id 1, is 0: point ~ point id 0"]);
    std::fs::write(&snap, "something else\n").unwrap();
    check().refused(2, &["other.snap", "line 1", "something else"]);
}

#[test]
fn a_snapshot_that_is_missing_is_not_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[("ball", "floor")]);
    palpate(&["snapshot", text(&session), "--check"]).refused(2, &["ball.contacts.snap", "reading failed"]);
    palpate(&["snapshot", text(&session), "--out", text(&session)])
        .refused(2, &["one of the files that are read"]);
    assert_eq!(files(folder.path()), ["ball.vtkhdf"]);
}
