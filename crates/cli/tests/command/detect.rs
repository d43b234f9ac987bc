//! `palpate detect`.

use crate::run::{files, palpate, palpate_with_input, text};
use serde_json::{Value, json};

fn sphere(x: f64) -> Value {
    json!({"type": "Sphere", "center": [x, 0, 0], "radius": 0.5})
}

fn plane() -> Value {
    json!({"type": "Plane", "position": [0, 0, 0], "normal": [0, 2, 0]})
}

/// Cases as JSON Lines.
pub(crate) fn lines(cases: &[Value]) -> Vec<u8> {
    cases.iter().flat_map(|case| format!("{case}\n").into_bytes()).collect()
}

/// The answers, one a line.
pub(crate) fn answers(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Cases of many kinds, sizes and outcomes.
fn many(count: usize) -> Vec<u8> {
    let case = |index: usize| {
        let x = index as f64 * 0.37 % 2.0;
        let points: Vec<_> = (0..index % 40).map(|k| json!([0.1 * k as f64, x - 1.0, 0.3])).collect();
        let b = match index % 4 {
            0 => sphere(x),
            1 => plane(),
            2 => json!({"type": "PointSet", "vertices": points, "radius": 0.1}),
            _ => json!({"type": "Sphere", "center": [x, 0, 0], "radius": -1}),
        };
        json!({"id": index, "a": sphere(0.0), "b": b, "options": {"margin": 0.25}})
    };
    lines(&(0..count).map(case).collect::<Vec<_>>())
}

#[test]
fn a_case_is_answered_by_numbers_that_can_be_checked_by_hand() {
    let input =
        lines(&[json!({"id": "deep", "detector": "SphereToSphereCD", "a": sphere(0.0), "b": sphere(0.75)})]);
    let answer = &answers(&palpate_with_input(&["detect", "-"], &input).well().stdout)[0];
    let wanted = json!({
        "id": "deep",
        "detector": "sphere_sphere",
        "contacts": [{
            "a": {"kind": "point", "point": [0.5, 0.0, 0.0]},
            "b": {"kind": "point", "point": [0.25, 0.0, 0.0]},
            "direction": [-1.0, 0.0, 0.0],
            "depth": 0.25,
            "depth_bounds": [0.25, 0.25],
            "time_of_impact": null,
            "id": 0
        }],
        "flags": []
    });
    assert_eq!(answer, &wanted);
}

#[test]
fn margin_and_either_order_and_self_contact_are_understood() {
    let thread = json!({"type": "LineMesh", "radius": 0.1, "cells": [[0, 1], [1, 2], [2, 3]],
        "vertices": [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0.5, 0.15, -1]]});
    let input = lines(&[
        json!({"id": 0, "a": sphere(0.0), "b": sphere(1.25)}),
        json!({"id": 1, "a": sphere(0.0), "b": sphere(1.25), "options": {"margin": 0.5}}),
        json!({"id": 2, "a": plane(), "b": sphere(1.25)}),
        json!({"id": 3, "a": sphere(1.25), "b": plane()}),
        json!({"id": 4, "a": thread, "b": "self"}),
    ]);
    let answers = answers(&palpate_with_input(&["detect", "-"], &input).well().stdout);
    assert_eq!(answers[0]["contacts"], json!([]));
    assert_eq!(answers[1]["contacts"][0]["depth"], -0.25);
    for (first, second) in [(2, 3), (3, 2)] {
        let (given, swapped) = (&answers[first]["contacts"][0], &answers[second]["contacts"][0]);
        assert_eq!(given["depth"], 0.5);
        assert_eq!(given["a"], swapped["b"]);
    }
    assert_eq!(answers[4]["contacts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_bad_case_gets_an_error_line_and_the_others_are_answered() {
    let input = br#"{"id": 1, "a": {"type": "Sphere", "center": [0,0,0], "radius": 1}, "b": {"type": "Plane", "position": [0,0,0], "normal": [0,1,0]}}
{"id": 2, "a":

{"id": 4, "a": {"type": "PointSet", "vertices": [[0,0,0],[0,NaN,0]]}, "b": {"type": "Plane", "position": [0,0,0], "normal": [0,1,0]}}
{"id": 5, "a": {"type": "LineMesh", "vertices": [[0,0,0]], "cells": [[0, 1]]}, "b": "self"}
{"id": 6, "detector": "nothing", "a": {"type": "Sphere", "center": [0,0,0], "radius": 1}, "b": "self"}
{"a": {"type": "Plane", "position": [0,0,0], "normal": [0,1,0]}, "b": {"type": "Plane", "position": [0,0,0], "normal": [0,1,0]}}
{"id": 8, "a": {"type": "Plane", "position": [0,0,0], "normal": [0,1,0]}, "b": {"type": "Sphere", "center": [0,0,0], "radius": 1}}"#;
    let outcome = palpate_with_input(&["detect", "-"], input);
    outcome.refused(1, &["5 of 7 cases", "line 2"]);
    let answers = answers(&outcome.stdout);
    assert_eq!(answers.len(), 7);
    assert_eq!(
        (&answers[0]["contacts"][0]["depth"], &answers[6]["contacts"][0]["depth"]),
        (&json!(1.0), &json!(1.0))
    );
    let error = |index: usize| answers[index]["error"].as_str().unwrap();
    assert_eq!(answers[1]["line"], 2);
    assert!(error(1).starts_with("not valid JSON"));
    assert_eq!(answers[2]["id"], 4);
    assert_eq!(error(2), "a.vertices[1][1]: found \"NaN\", wanted a finite number");
    assert_eq!(error(3), "a.cells[0][1]: found 1, wanted a whole number less than 1, the number of vertices");
    assert!(error(4).contains("unknown detector \"nothing\": wanted one of"), "{}", error(4));
    assert_eq!(answers[5]["line"], 7);
    assert!(error(5).contains("plane and plane are refused: two half-spaces"), "{}", error(5));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let input = many(3000);
    let one = palpate_with_input(&["detect", "-"], &input);
    assert_eq!(one.status, 1);
    assert_eq!(one.stdout.lines().count(), 3000);
    assert!(one.stdout.matches("\"depth\"").count() > 1000, "most cases have contacts");
    for threads in ["2", "5", "0"] {
        let more = palpate_with_input(&["detect", "-", "--threads", threads], &input);
        assert!(more.stdout == one.stdout, "{threads} threads differ");
    }
}

#[test]
fn numbers_read_back_to_the_same_bits() {
    let (a, b) = (0.1 + 0.2, 1.0 / 3.0);
    let case = json!({"a": {"type": "Sphere", "center": [a, b, -b], "radius": 1e-3}, "b": {"type": "Sphere",
        "center": [a, b, -b * (1.0 - 1e-15)], "radius": 1e-3}});
    let first = palpate_with_input(&["detect", "-"], &lines(&[case])).well();
    let answer = &answers(&first.stdout)[0];
    assert_eq!(answer["line"], 1);
    let depth = answer["contacts"][0]["depth"].as_f64().unwrap();
    assert_eq!(serde_json::to_string(&depth).unwrap().parse::<f64>().unwrap().to_bits(), depth.to_bits());
}

#[test]
fn timing_is_told_when_asked_for() {
    let input = lines(&[json!({"a": sphere(0.0), "b": plane()})]);
    let answer = &answers(&palpate_with_input(&["detect", "-", "--timing"], &input).well().stdout)[0];
    assert!(answer["nanoseconds"].as_u64().unwrap() > 0);
}

#[test]
fn out_holds_what_standard_output_would() {
    let folder = tempfile::tempdir().unwrap();
    let (cases, out) = (folder.path().join("cases.jsonl"), folder.path().join("answers.jsonl"));
    std::fs::write(&cases, many(20)).unwrap();
    let to_file = palpate(&["detect", text(&cases), "--out", text(&out)]);
    assert_eq!((to_file.status, to_file.stdout.as_str()), (1, ""));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), palpate(&["detect", text(&cases)]).stdout);
    assert_eq!(files(folder.path()), ["answers.jsonl", "cases.jsonl"]);
}

/// Ellipsoid, cone and hull, each sunk by a quarter into the plane y = 0; a cone without a length is rejected.
#[test]
fn convex_types_are_read() {
    let corners = json!([[-1, -1, 0], [1, -1, 0], [0, -1, 1], [0, 1, 0]]);
    let bodies = [
        json!({"type": "Ellipsoid", "center": [0, 1.75, 0], "radii": [1, 2, 3]}),
        json!({"type": "Cone", "center": [0, 0.75, 0], "radius": 1, "length": 2}),
        json!({"type": "Convex", "position": [0, 1.25, 0], "vertices": corners, "margin": 0.5}),
        json!({"type": "Cone", "center": [0, 0.75, 0], "radius": 1}),
    ];
    let cases = bodies.map(|body| json!({"id": 0, "a": plane(), "b": body}));
    let answers = answers(&palpate_with_input(&["detect", "-"], &lines(&cases)).stdout);
    for answer in &answers[..3] {
        assert_eq!(answer["contacts"][0]["depth"], json!(0.25), "{answer}");
    }
    assert!(answers[3].to_string().contains("length"), "{}", answers[3]);
}
