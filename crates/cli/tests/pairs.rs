//! Convex pairs against the signed distances of another engine. Runs if `PALPATE_SHARED` names the folder that
//! contains them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

#[allow(unreachable_pub, reason = "a module of a test")]
mod solid;

use nalgebra::Vector3;
use serde_json::Value;
use solid::Solid;
use std::path::PathBuf;
use std::process::Command;

/// Number of pairs.
const PAIRS: usize = 910;

/// Metres: largest error of the other engine.
const WORST: f64 = 4e-6;

/// Metres: its largest error for nearly all pairs.
const USUAL: f64 = 1e-7;

/// Relative to the size of a pair: the largest width of a certified interval where the engines differ.
const NARROW: f64 = 1e-9;

/// Relative to the size of a pair: rounding of the checks.
const ROUNDING: f64 = 1e-13;

/// Directions tried around the reported one, at each of a few angles.
const ABOUT: u32 = 500;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The negative depth of the deepest contact.
fn signed_distance(answer: &Value) -> Option<f64> {
    let contacts = answer["contacts"].as_array()?;
    contacts.iter().filter_map(|contact| contact["depth"].as_f64()).reduce(f64::max).map(|depth| -depth)
}

/// The answers of a command to the pairs, and the pairs.
fn asked(path: &PathBuf, command: &str) -> [Vec<Value>; 2] {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases = lines(&text);
    assert_eq!(cases.len(), PAIRS);
    let output = Command::new(env!("CARGO_BIN_EXE_palpate")).arg(command).arg(path).output().unwrap();
    let answers = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(answers.len(), PAIRS);
    assert!(cases.iter().zip(&answers).all(|(case, answer)| case["id"] == answer["id"]));
    [cases, answers]
}

fn recorded() -> Option<PathBuf> {
    let folder = std::env::var_os("PALPATE_SHARED")?;
    Some(PathBuf::from(folder).join("data/recordings/r3a/pairs.jsonl"))
}

#[test]
fn signed_distances_of_convex_pairs() {
    let Some(path) = recorded() else { return };
    let [cases, answers] = asked(&path, "detect");
    let mut off = Vec::new();
    for (case, answer) in cases.iter().zip(&answers) {
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

fn vector(value: &Value) -> Vector3<f64> {
    Vector3::from_fn(|axis, _| value[axis].as_f64().unwrap())
}

/// Where the two engines differ, palpate's certified interval is narrow and does not contain the other's value; and
/// the certificate itself is checked from the definitions of the shapes.
#[test]
fn where_the_engines_differ_the_certificate_shows_why() {
    let Some(path) = recorded() else { return };
    let [cases, detected] = asked(&path, "detect");
    let [_, explained] = asked(&path, "explain");
    let (mut checked, mut worst, mut widest) = (0, (0.0, String::new()), 0.0_f64);
    for ((case, detected), explained) in cases.iter().zip(&detected).zip(&explained) {
        let truth = -case["truth"]["signed_distance"].as_f64().unwrap();
        let depth = -signed_distance(detected).unwrap();
        let difference = (depth - truth).abs();
        if difference <= USUAL {
            continue;
        }
        checked += 1;
        let contact = &explained["contact"];
        let [lower, upper] = [0, 1].map(|bound| contact["depth_bounds"][bound].as_f64().unwrap());
        let (a, b) = (Solid::of(&case["a"]), Solid::of(&case["b"]));
        let size = a.bounding_radius() + b.bounding_radius();
        let rounding = ROUNDING * (size + 1.0);
        assert!(upper - lower <= NARROW * size, "{lower} to {upper}: {case}");
        assert!(
            depth >= lower - rounding && depth <= upper + rounding,
            "{depth}, {lower} to {upper}: {case}"
        );
        assert!(truth < lower - rounding || truth > upper + rounding, "{truth}, {lower} to {upper}: {case}");
        widest = widest.max((upper - lower) / size);
        // Upper bound: the overlap along the direction, by two support points.
        let direction = vector(&contact["direction"]);
        let into = |d: &Vector3<f64>| a.extent(&-d) + b.extent(d);
        assert!(into(&direction) <= upper + rounding, "{} {upper}: {case}", into(&direction));
        // The two witness points: in the shapes, and separated by the depth.
        let [on_a, on_b] = ["point_a", "point_b"].map(|point| vector(&contact[point]));
        assert!(((on_b - on_a).dot(&direction) - depth).abs() <= NARROW * size, "{case}");
        if depth < 0.0 {
            assert!((on_b - on_a).norm() <= -lower + rounding, "{case}");
            let off = a.outside(&on_a).max(b.outside(&on_b));
            assert!(off <= NARROW * size, "outside by {off:e}: {case}");
        } else {
            // Lower bound: no direction near it, or elsewhere, separates them by less.
            for angle in [1e-5, 1e-3, 0.1, 1.0] {
                for step in 0..ABOUT {
                    let turn = f64::from(step) * 2.399_963;
                    let aside = Vector3::new(turn.cos(), turn.sin(), (1.7 * turn).cos());
                    let d = (direction + aside * angle * f64::from(step + 1) / f64::from(ABOUT)).normalize();
                    assert!(into(&d) >= lower - rounding, "{d}: {} {lower}: {case}", into(&d));
                }
            }
        }
        if difference > worst.0 {
            let pair = format!("{} and {}", case["a"]["type"], case["b"]["type"]);
            worst = (difference, format!("{pair}: depth {lower} to {upper}, the other engine {truth}"));
        }
    }
    println!("{checked} differ by more than {USUAL:e} m, by {:e} m at worst ({})", worst.0, worst.1);
    println!("the widest certified interval is {widest:e} of the size");
    assert!(checked > 0, "nothing to show");
}
