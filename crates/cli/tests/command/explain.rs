//! `palpate explain` in a frame of a session, and of a case of any kinds. The detectors are in `explain_detectors`.

use crate::run::{kept_demo, palpate, palpate_with_input, sinking_ball, text};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn a_frame_of_a_session_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("ball.vtkhdf");
    sinking_ball(&session, 4, &[("ball", "floor"), ("ball", "still")]);
    let explain = |more: &[&str]| palpate(&[&["explain", text(&session)], more].concat());
    let said = explain(&["--frame", "3", "--pair", "ball:floor"]).well().stdout;
    assert!(said.contains("is detected by plane_sphere") && said.contains("\n1 contact, 0.3"), "{said}");
    let said = explain(&["--frame", "0", "--pair", "ball:still"]).well().stdout;
    assert!(said.contains(" m apart along x, more than the margin of 0 m."), "{said}");
    assert!(said.lines().last().unwrap().starts_with("No contact: the nearest elements are 2.010"), "{said}");
    let said = explain(&["--frame", "0", "--pair", "still:floor"]).well().stdout;
    assert!(
        said.starts_with("The session does not detect this pair: it is none of those that it names"),
        "{said}"
    );
    let json =
        explain(&["--frame", "3", "--pair", "ball:floor", "--point", "0,-0.1,0", "--json"]).well().stdout;
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&value["frame"], value["contacts"].as_array().unwrap().len()), (&json!(3), 1));
    // The ball's centre is at 0.2, its radius 0.5; the floor is at 0.
    let inside = |side: &str| {
        let mut steps = value["steps"].as_array().unwrap().iter().map(|step| &step["values"]);
        steps.find(|values| values["side"] == side && values["point"].is_array()).unwrap()["signed_distance"]
            .as_f64()
    };
    assert!((inside("ball").unwrap() + 0.2).abs() < 1e-12 && (inside("floor").unwrap() + 0.1).abs() < 1e-12);
    explain(&["--frame", "4", "--pair", "ball:floor"]).refused(2, &["no frame 4"]);
    explain(&["--frame", "0", "--pair", "ball:floor", "--point", "1,2"])
        .refused(2, &["--point: found \"1,2\""]);
    let picture = folder.path().join("pair.png");
    let demo = kept_demo();
    let arguments =
        ["explain", text(&demo), "--frame", "50", "--pair", "tool:organ", "--out", text(&picture)];
    palpate(&arguments).well();
    assert!(std::fs::metadata(&picture).unwrap().len() > 10_000);
}

#[test]
fn a_case_of_any_kinds_is_explained() {
    let mesh =
        json!({"type": "SurfaceMesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 0, -1]], "cells": [[0, 1, 2]]});
    let case = json!({"a": mesh, "b": {"type": "Sphere", "center": [0.25, 0.75, -0.25], "radius": 0.5}});
    let said = palpate_with_input(&["explain", "-"], format!("{case}\n").as_bytes()).well().stdout;
    let value: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(value["verdict"], "No contact: the nearest elements are 0.25 m apart, and the margin is 0 m.");
    assert!(value.get("gjk").is_none());
    let ball = |x: f64| json!({"type": "Sphere", "center": [x, 0.0, 0.0], "radius": 1.0});
    let case = json!({"a": {"type": "Compound", "children": [ball(0.0), ball(9.0)]}, "b": ball(1.5)});
    let said = palpate_with_input(&["explain", "-"], format!("{case}\n").as_bytes()).well().stdout;
    let value: Value = serde_json::from_str(&said).unwrap();
    let steps = value["steps"].as_array().unwrap().iter().filter(|step| step["stage"] == "children");
    let parts: Vec<&Value> = steps.map(|step| &step["values"]).collect();
    assert_eq!((&parts[0]["pairs"], &parts[0]["apart"]), (&json!(2), &json!(1)));
    // The centres are 1.5 and 7.5 apart, the radii 1.
    for (part, gap, contacts, child) in [(parts[1], -0.5, 1, 0), (parts[2], 5.5, 0, 1)] {
        assert!(
            (part["gap"].as_f64().unwrap() - gap).abs() < 1e-12 && part["contacts"] == contacts,
            "{part}"
        );
        assert_eq!(part["children"], json!([child, null]));
    }
    assert_eq!(value["verdict"], "1 contact, 0.5 m deep.");
}

/// Changes the fields that `by` names.
fn merge(value: &mut Value, by: &Value) {
    match by.as_object() {
        Some(fields) if value.is_object() && by.get("type").is_none() => {
            for (name, by) in fields {
                merge(&mut value[name], by);
            }
        }
        _ => *value = by.clone(),
    }
}

/// Questions of users why there is no contact, on the geometries of known complaints: the reason is in the first screen of 24 lines.
#[test]
fn the_reason_why_there_is_no_contact_is_in_the_first_screen() {
    let Ok(shared) = std::env::var("PALPATE_SHARED") else { return };
    let cases = Path::new(&shared).join("data/cases");
    let thread = json!({"type": "LineMesh", "radius": 0.012, "cells": [[0, 1], [1, 2]],
        "vertices": [[0.05, -0.02, 0.02], [0.05, -0.03, 0.01], [0.05, -0.04, -0.03]]});
    let ball = |center: [f64; 3], radius: f64| json!({"type": "Sphere", "center": center, "radius": radius});
    let parts =
        json!({"type": "Compound", "children": [ball([0.0, 0.0, 0.0], 1.0), ball([9.0, 0.0, 0.0], 1.0)]});
    let settings = |settings: Value| json!({"options": {"settings": settings}});
    // A file, a line, what is changed, and the reason.
    let complaints = [
        ("14_overlapping_shells", 2, json!({}), "vertex 317 cell 420 ~ point, 0.10404075202126109 m apart"),
        (
            "14_overlapping_shells",
            0,
            json!({"a": {"sidedness": "pseudonormals"}}),
            "intersects itself, but its inside",
        ),
        (
            "09_sheet_inside_closed_surface",
            0,
            settings(json!({"vertices": "second"})),
            "\"both\" there would be 6 contacts",
        ),
        (
            "09_sheet_inside_closed_surface",
            0,
            json!({"detector": "surface_mesh_surface_mesh"}),
            "the default, closed_surface_mesh_surface_mesh, would report 6 contacts",
        ),
        ("01_mesh_in_large_convex", 0, json!({"b": {"center": [0.0, -0.55, 0.0]}}), "boxes are 0.0199"),
        (
            "01_mesh_in_large_convex",
            2,
            json!({"b": ball([0.0, 0.55, 0.0], 0.1)}),
            "m apart, and the margin is 0 m",
        ),
        (
            "18_margin_hides_a_piercing",
            0,
            json!({"a": thread, "b": "self"}),
            "that share a vertex, 1 in pairs",
        ),
        (
            "18_margin_hides_a_piercing",
            0,
            json!({"b": ball([0.05, -0.03, -0.03], 0.02), "options": {"settings": {"sides": "one"}, "margin": 0.005}}),
            "m apart along z, more than the margin of 0.005 m",
        ),
        (
            "12_manifold_point_outside_bodies",
            0,
            json!({"a": parts, "b": ball([4.5, 0.0, 0.0], 1.0)}),
            "sphere_sphere, boxes 2.49",
        ),
        (
            "16_sheet_border_jump",
            0,
            json!({"b": {"vertices": [[-1e-9, 0.04, 0.05], [-1e-9, 0.04, -0.05]]}}),
            "0.000000001 m apart",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (number, (file, line, change, reason)) in complaints.iter().enumerate() {
        let lines = std::fs::read_to_string(cases.join(format!("{file}.jsonl"))).unwrap();
        let mut case: Value = serde_json::from_str(lines.lines().nth(*line).unwrap()).unwrap();
        merge(&mut case, change);
        let (input, out) = (folder.path().join("case.jsonl"), folder.path().join(format!("{number}.txt")));
        std::fs::write(&input, case.to_string()).unwrap();
        palpate(&["explain", text(&input), "--out", text(&out)]).well();
        let said = std::fs::read_to_string(&out).unwrap();
        println!("{said}");
        let screen = said.lines().take(24).collect::<Vec<_>>().join("\n");
        assert!(screen.contains(reason), "wanted {reason:?} in:\n{said}");
        let verdict = said.trim_end().lines().last().unwrap();
        assert!(verdict.starts_with("No contact: "), "{said}");
    }
}
