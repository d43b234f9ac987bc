//! Every pair of kinds through `palpate detect`, in either order.

use crate::detect::{answers, lines};
use crate::run::{palpate, palpate_with_input};
use serde_json::{Value, json};

/// How far every body extends above the plane y = 0, in metres.
const OVER: f64 = 0.05;

/// A body of a kind below y = 0 that extends slightly above it at the origin; rotated by half a turn about z it is
/// above and extends below.
fn body(kind: &str, turned: bool) -> Value {
    let sign = if turned { -1.0 } else { 1.0 };
    let at = |x: f64, y: f64, z: f64| json!([sign * x, sign * y, z]);
    let middle = at(0.0, OVER - 0.5, 0.0);
    let tip = at(0.0, OVER, 0.0);
    let corners = [tip.clone(), at(1.0, -0.95, -1.0), at(-1.0, -0.95, -1.0), at(0.0, -0.95, 1.5)];
    match kind {
        "implicit" => {
            json!({"type": "Implicit", "function": {"box": {"center": middle, "half_extents": [0.5, 0.5, 0.5]}}})
        }
        "compound" => json!({"type": "Compound", "children": [
            {"type": "Sphere", "center": at(7.0, 0.0, 0.0), "radius": 0.25},
            {"type": "Sphere", "center": middle, "radius": 0.5},
        ]}),
        "point_set" => json!({"type": "PointSet", "vertices": [at(0.0, OVER - 0.1, 0.0)], "radius": 0.1}),
        "line_mesh" => {
            json!({"type": "LineMesh", "vertices": [at(-0.3, OVER - 0.1, 0.0), at(0.4, OVER - 0.1, 0.0)],
            "cells": [[0, 1]], "radius": 0.1})
        }
        "surface_mesh" => json!({"type": "SurfaceMesh", "vertices": corners,
            "cells": [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]}),
        "tetra_mesh" => json!({"type": "TetrahedralMesh", "vertices": corners, "cells": [[0, 1, 2, 3]]}),
        "plane" => json!({"type": "Plane", "position": tip, "normal": [0.0, sign, 0.0]}),
        "sphere" => json!({"type": "Sphere", "center": middle, "radius": 0.5}),
        "capsule" => {
            json!({"type": "Capsule", "center": middle, "axis": [1, 0, 0.25], "radius": 0.5, "length": 0.5})
        }
        "cylinder" => {
            json!({"type": "Cylinder", "center": middle, "axis": [1, 0, -0.5], "radius": 0.5, "length": 0.75})
        }
        "oriented_box" => json!({"type": "OrientedBox", "center": middle, "half_extents": [0.5, 0.5, 0.25]}),
        "convex" => json!({"type": "Convex", "vertices": corners}),
        other => panic!("write a body of kind {other}"),
    }
}

// Proves: REQ-ALL-PAIRS
#[test]
fn every_two_kinds_meet_in_either_order_or_are_refused_by_name() {
    let cells: Vec<Value> =
        serde_json::from_str(&palpate(&["detectors", "--matrix", "--json"]).well().stdout).unwrap();
    let cases: Vec<Value> = cells
        .iter()
        .flat_map(|cell| {
            let [a, b] = [(&cell["a"], false), (&cell["b"], true)]
                .map(|(kind, turned)| body(kind.as_str().unwrap(), turned));
            [json!({"a": a, "b": b}), json!({"a": b, "b": a})]
        })
        .collect();
    let answers = answers(&palpate_with_input(&["detect", "-"], &lines(&cases)).stdout);
    assert_eq!((cells.len(), answers.len()), (78, 156));
    let mut served = 0;
    for (cell, pair) in cells.iter().zip(answers.chunks(2)) {
        if let Some(reason) = cell["refused"].as_str() {
            assert!(pair.iter().all(|answer| answer["error"].as_str().unwrap().contains(reason)), "{pair:?}");
            continue;
        }
        served += 1;
        let told = |answer: &Value, sides: [&str; 2], sign: f64| -> Vec<(Value, Value, Value, Vec<f64>)> {
            let contacts = answer["contacts"].as_array().unwrap_or_else(|| panic!("{cell}: {answer}"));
            let direction = |contact: &Value| {
                let direction = contact["direction"].as_array().unwrap().iter();
                direction.map(|x| sign * x.as_f64().unwrap() + 0.0).collect()
            };
            let [a, b] = sides;
            contacts.iter().map(|c| (c["depth"].clone(), c[a].clone(), c[b].clone(), direction(c))).collect()
        };
        let given = told(&pair[0], ["a", "b"], 1.0);
        assert!(given.iter().any(|(depth, ..)| depth.as_f64().unwrap() > 0.0), "{cell}: {}", pair[0]);
        assert_eq!(given, told(&pair[1], ["b", "a"], -1.0), "{cell}");
        assert_eq!(pair[0]["detector"], pair[1]["detector"], "{cell}");
    }
    assert!(served >= 75, "{served} cells are served");
}
