//! `palpate diff`.

use crate::run::{files, palpate, sinking_ball, sinking_ball_with, text};
use palpate::recording::PairInfo;

#[test]
fn files_of_contacts_sessions_and_snapshots_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [one, two] = ["one.vtkhdf", "two.vtkhdf"].map(path);
    sinking_ball(&one, 4, &[("ball", "floor")]);
    let pair = PairInfo { a: "ball".into(), b: "floor".into(), margin: 0.125, ..PairInfo::default() };
    sinking_ball_with(&two, 5, vec![pair]);
    let contacts = path("one.h5");
    palpate(&["replay", text(&one), "--out", text(&contacts)]).well();
    palpate(&["snapshot", text(&one)]).well();
    let snap = path("one.contacts.snap");
    for [was, is] in [[&one, &one], [&contacts, &one], [&one, &contacts], [&snap, &one], [&one, &snap]] {
        let said = palpate(&["diff", text(was), text(is)]).well().stdout;
        assert!(said.contains("4 frames, 4 contacts: the contacts agree"), "{said}");
    }
    for was in [&one, &contacts, &snap] {
        let junit = path("junit.xml");
        let outcome = palpate(&["diff", text(was), text(&two), "--junit", text(&junit)]);
        outcome.refused(1, &["the contacts differ, the first: "]);
        let xml = std::fs::read_to_string(&junit).unwrap();
        assert!(xml.contains("<testcase classname=\"palpate.diff\" name=\"ball : floor\""), "{xml}");
        assert!(xml.contains("<failure message="), "{xml}");
        std::fs::remove_file(&junit).unwrap();
        let json = palpate(&["diff", text(was), text(&two), "--json"]);
        assert!(json.status == 1 && !json.stdout.contains("\"differences\": 0,"), "{}", json.stdout);
    }
    assert_eq!(files(folder.path()).len(), 4);
}

#[test]
fn the_policy_decides_and_what_cannot_be_compared_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [one, two, none] = ["one.vtkhdf", "two.vtkhdf", "none.vtkhdf"].map(path);
    sinking_ball(&one, 4, &[("ball", "floor")]);
    sinking_ball(&two, 4, &[("still", "floor")]);
    sinking_ball(&none, 4, &[("ball", "net")]);
    let diff = |more: &[&str]| palpate(&[&["diff", text(&one), text(&two)], more].concat());
    diff(&[]).refused(1, &["an object is renamed"]);
    diff(&["--same-within", "10"]).refused(1, &["renamed"]);
    diff(&["--tolerance", "-1"]).refused(2, &["tolerance: found -1"]);
    palpate(&["diff", text(&none), text(&none)]).refused(1, &["the baseline has no contacts"]);
    palpate(&["diff", text(&none), text(&none), "--allow-empty"]).well();
    palpate(&["diff", text(&path("missing.h5")), text(&one)]).refused(2, &["missing.h5", "no such file"]);
    palpate(&["diff", text(&one), text(&two), "--junit", text(&one)]).refused(2, &["is an input file"]);
}
