//! Convex pairs against the signed distances that another engine gives. Runs when `PALPATE_SHARED` names the folder that
//! holds them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// The pairs that are there.
const PAIRS: usize = 910;

/// Metres: what the other engine may be off at worst.
const WORST: f64 = 4e-6;

/// Metres: what it is off at most for nearly all.
const USUAL: f64 = 1e-7;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The negative depth of the deepest contact.
fn signed_distance(answer: &Value) -> Option<f64> {
    let contacts = answer["contacts"].as_array()?;
    contacts.iter().filter_map(|contact| contact["depth"].as_f64()).reduce(f64::max).map(|depth| -depth)
}

#[test]
fn signed_distances_of_convex_pairs() {
    let Some(folder) = std::env::var_os("PALPATE_SHARED") else { return };
    let path = PathBuf::from(folder).join("data/recordings/r3a/pairs.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases = lines(&text);
    assert_eq!(cases.len(), PAIRS);
    let output = Command::new(env!("CARGO_BIN_EXE_palpate")).arg("detect").arg(&path).output().unwrap();
    let answers = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answers.len(), PAIRS);
    let mut off = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(case["id"], answer["id"]);
        let truth = case["truth"]["signed_distance"].as_f64().unwrap();
        let found = signed_distance(answer).unwrap_or_else(|| panic!("no contact: {answer}, wanted {truth}"));
        let difference = (found - truth).abs();
        assert!(difference <= WORST, "{found} is not {truth}, by {difference:e}: {case}");
        off.push(difference);
    }
    let usual = off.iter().filter(|&&difference| difference <= USUAL).count();
    let worst = off.iter().copied().fold(0.0, f64::max);
    println!("{usual} of {PAIRS} within {USUAL:e} m, the worst off by {worst:e} m");
    assert!(usual * 100 >= PAIRS * 95, "{usual} of {PAIRS} within {USUAL:e} m");
}
