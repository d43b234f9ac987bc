//! `palpate snapshot`.

use crate::run::{files, kept_demo, palpate, sinking_ball, sinking_ball_with, text};
use palpate::recording::PairInfo;

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
    outcome.refused(
        1,
        &["ball.contacts.snap", "the contacts differ", "1 difference", "~ number of frames was 4, is 5"],
    );
}

#[test]
fn the_text_is_compared_by_numbers_within_its_tolerance() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 4, &[("ball", "floor")]);
    let snap = folder.path().join("other.snap");
    palpate(&["snapshot", text(&session), "--out", text(&snap)]).well();
    let before = std::fs::read_to_string(&snap).unwrap();
    assert!(before.contains(": 1\n  0: point ~ point id 0 | 0.3 "), "{before}");
    let check = || palpate(&["snapshot", text(&session), "--out", text(&snap), "--check"]);
    // The scene is some 15 m across: a tenth of a micrometre is the tolerance.
    assert!(before.contains("lengths to 1e-7 m"), "{before}");
    std::fs::write(&snap, before.replace("| 0.3 ", "| 0.3000001 ")).unwrap();
    check().well();
    std::fs::write(&snap, before.replace("| 0.3 ", "| 0.30000013 ")).unwrap();
    check().refused(
        1,
        &["~ frame 3, ball : floor: point ~ point id 0: depth was 0.30000013, is 0.3 (by -1.30e-7 m)"],
    );
    std::fs::write(&snap, before.replace("  0: point ~ point id 0 | 0.3 ", "  0: point ~ point id 1 | 0.3 "))
        .unwrap();
    let outcome = check();
    outcome.refused(1, &["2 differences"]);
    assert_eq!(
        outcome.stdout,
        "- frame 3, ball : floor: point ~ point id 1, depth 0.3 m\n+ frame 3, ball : floor: point ~ point id 0, depth 0.3 m\n"
    );
    std::fs::write(&snap, "something else\n").unwrap();
    check().refused(2, &["other.snap", "line 1", "something else"]);
}

#[test]
fn a_snapshot_that_is_missing_is_not_a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 2, &[("ball", "floor")]);
    palpate(&["snapshot", text(&session), "--check"]).refused(2, &["ball.contacts.snap", "reading failed"]);
    palpate(&["snapshot", text(&session), "--out", text(&session)]).refused(2, &["is an input file"]);
    assert_eq!(files(folder.path()), ["ball.vtkhdf"]);
}

#[test]
fn one_contact_that_is_new_and_one_that_is_gone_are_one_difference_each() {
    let folder = tempfile::tempdir().unwrap();
    let snap = folder.path().join("demo.snap");
    let demo = kept_demo();
    let arguments = ["snapshot", text(&demo), "--out", text(&snap), "--pair", "tool:organ"];
    palpate(&arguments).well();
    let before = std::fs::read_to_string(&snap).unwrap();
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    // The first frame with several contacts loses its second.
    let has_two = |line: &usize| lines[line + 1..line + 3].iter().all(|line| line.starts_with("  "));
    let frame = (0..lines.len() - 2).find(|line| lines[*line].starts_with("frame") && has_two(line)).unwrap();
    let contact = lines.remove(frame + 2);
    let (head, count) = lines[frame].rsplit_once(' ').unwrap();
    let fewer = format!("{head} {}", count.parse::<usize>().unwrap() - 1);
    lines[frame] = fewer;
    std::fs::write(&snap, lines.join("\n")).unwrap();
    let outcome = palpate(&[&arguments[..], &["--check"]].concat());
    outcome.refused(1, &["1 difference,"]);
    assert_eq!(outcome.stdout.lines().count(), 1, "{}", outcome.stdout);
    let name = contact.split(" | ").next().unwrap().trim_start_matches("  0: ");
    assert!(outcome.stdout.starts_with("+ frame ") && outcome.stdout.contains(name), "{}", outcome.stdout);

    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    let (head, count) = lines[frame].rsplit_once(' ').unwrap();
    let more = format!("{head} {}", count.parse::<usize>().unwrap() + 1);
    lines[frame] = more;
    lines.insert(frame + 2, "  0: vertex 1 ~ point id 77 | 0.5 0 0 0 0 0 0.5 | 0 0 1 1".to_owned());
    std::fs::write(&snap, lines.join("\n")).unwrap();
    let outcome = palpate(&[&arguments[..], &["--check"]].concat());
    outcome.refused(1, &["1 difference,"]);
    assert!(
        outcome.stdout.ends_with("tool : organ: vertex 1 ~ point id 77, depth 0.5 m\n")
            && outcome.stdout.starts_with("- frame"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_pair_that_the_session_names_keeps_its_margin_and_detector() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    let detector = Some("plane_convex".to_owned());
    let pair = PairInfo {
        a: "ball".to_owned(),
        b: "floor".to_owned(),
        detector,
        margin: 0.25,
        ..PairInfo::default()
    };
    sinking_ball_with(&session, 2, vec![pair]);
    let snap = folder.path().join("pair.snap");
    let pair_line = |extra: &[&str]| {
        let arguments = [&["snapshot", text(&session), "--out", text(&snap)], extra].concat();
        palpate(&arguments).well();
        let written = std::fs::read_to_string(&snap).unwrap();
        let line = written.lines().find(|line| line.starts_with("pair 0")).unwrap();
        line.split(" settings ").next().unwrap().to_owned()
    };
    assert_eq!(pair_line(&[]), "pair 0: ball : floor by plane_convex margin 0.25");
    assert_eq!(pair_line(&["--pair", "ball:floor"]), "pair 0: ball : floor by plane_convex margin 0.25");
    assert_eq!(pair_line(&["--pair", "floor:ball"]), "pair 0: floor : ball by plane_convex margin 0.25");
    assert_eq!(
        pair_line(&["--pair", "ball:floor:plane_sphere"]),
        "pair 0: ball : floor by plane_sphere margin 0.25"
    );
    assert_eq!(
        pair_line(&["--pair", "ball:floor", "--margin", "0.5"]),
        "pair 0: ball : floor by plane_convex margin 0.5"
    );
    assert_eq!(pair_line(&["--pair", "still:floor"]), "pair 0: still : floor by plane_sphere margin 0");
    let replayed = palpate(&["replay", text(&session), "--pair", "ball:floor", "--json"]).well().stdout;
    assert!(replayed.contains("\"margin\": 0.25") && replayed.contains("\"plane_convex\""), "{replayed}");
}

#[test]
fn options_make_it_short_and_have_to_be_the_same_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    let snap = folder.path().join("demo.snap");
    let demo = kept_demo();
    let snapshot =
        |extra: &[&str]| palpate(&[&["snapshot", text(&demo), "--out", text(&snap)], extra].concat());
    for (options, head, most) in [
        (vec!["--every", "10"], "every 10, all contacts", 3000),
        (vec!["--every", "10", "--deepest", "2"], "every 10, deepest 2", 12 * 9 + 12),
        (vec!["--counts"], "every 1, counts", 132),
    ] {
        let said = snapshot(&options).well().stdout;
        assert!(said.starts_with(if options[0] == "--every" { "12 frames" } else { "120 frames" }), "{said}");
        let written = std::fs::read_to_string(&snap).unwrap();
        assert_eq!(written.lines().nth(1), Some(head));
        assert!(written.lines().count() <= most, "{} lines", written.lines().count());
        snapshot(&[&options[..], &["--check"]].concat()).well();
        let other = snapshot(&["--every", "7", "--check"]);
        other.refused(2, &["demo.snap", "\"every 7, all contacts\"", head]);
        assert_eq!(other.stdout, "");
    }
    assert_eq!(snapshot(&["--counts", "--deepest", "2"]).status, 2);
    snapshot(&["--every", "0"]).refused(2, &["every: found 0, wanted 1 or more"]);
    snapshot(&["--deepest", "0"]).refused(2, &["deepest: found 0, wanted 1 or more"]);
    snapshot(&["--tolerance", "-1"]).refused(2, &["tolerance: found -1, wanted"]);
}

#[test]
fn a_tolerance_in_metres_is_kept_in_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 4, &[("ball", "floor")]);
    let snap = folder.path().join("ball.contacts.snap");
    palpate(&["snapshot", text(&session), "--tolerance", "0.001"]).well();
    let before = std::fs::read_to_string(&snap).unwrap();
    assert_eq!(before.lines().nth(2), Some("lengths to 1e-3 m, directions and weights to 1e-6"));
    let check = |depth: &str| {
        std::fs::write(&snap, before.replace("| 0.3 ", &format!("| {depth} "))).unwrap();
        palpate(&["snapshot", text(&session), "--check"])
    };
    check("0.301").well();
    check("0.299").well();
    check("0.3013").refused(1, &["depth was 0.3013, is 0.3 (by -1.30e-3 m)"]);
}

#[test]
fn a_changed_input_is_named_before_the_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    let pair = |margin| PairInfo { a: "ball".into(), b: "floor".into(), margin, ..PairInfo::default() };
    sinking_ball_with(&session, 4, vec![pair(0.0)]);
    let snap = folder.path().join("ball.contacts.snap");
    palpate(&["snapshot", text(&session)]).well();
    let before = std::fs::read_to_string(&snap).unwrap();
    let check = |from: &str, to: &str| {
        assert!(before.contains(from), "{from} in {before}");
        std::fs::write(&snap, before.replace(from, to)).unwrap();
        let outcome = palpate(&["snapshot", text(&session), "--check"]);
        (outcome.stdout.lines().next().unwrap().to_owned(), outcome)
    };
    // Of the input alone: a note, and success.
    let (first, outcome) = check("\"radius\":0.5", "\"radius\":0.501");
    assert_eq!((first.as_str(), outcome.status), ("! input: object \"ball\": radius was 0.501, is 0.5", 0));
    // With contacts that differ: the input first, in the first line and in the error.
    let version = format!("by palpate {}", env!("CARGO_PKG_VERSION"));
    let changed = before.replace(&version, "by palpate 0.0.1").replace("| 0.3 ", "| 0.4 ");
    std::fs::write(&snap, changed).unwrap();
    let outcome = palpate(&["snapshot", text(&session), "--check"]);
    assert!(outcome.stdout.starts_with("! input: palpate was 0.0.1, is "), "{}", outcome.stdout);
    outcome.refused(
        1,
        &["the input differs, and the contacts differ", "1 difference", "~ frame 3, ball : floor"],
    );
    // Changed settings, and a state that is another from frame 2 on.
    let sides = before.split("\"sides\":\"").nth(1).unwrap().split('"').next().unwrap();
    let (first, _) = check(&format!("\"sides\":\"{sides}\""), "\"sides\":\"two\"");
    assert_eq!(first, format!("! input: pair ball : floor: sides was \"two\", is \"{sides}\""));
    let line = before.lines().find(|line| line.starts_with("frame 2 ")).unwrap();
    let state = line.split(", ").nth(1).unwrap().split(' ').next().unwrap();
    let (first, _) = check(&format!(", {state} "), ", 00000001 ");
    assert!(first.starts_with("! input, frame 2: object \"ball\": "), "{first}");
    let (first, _) = check(" by plane_sphere ", " by plane_convex ");
    assert_eq!(first, "~ ball : floor: detector was plane_convex, is plane_sphere");
    let (first, outcome) = check("| 0.3 ", "| 0.4 ");
    assert!(first.starts_with("~ frame 3, ball : floor"), "a detector that finds something else: {first}");
    outcome.refused(1, &["the contacts differ", "~ frame 3"]);
}
