//! `palpate explain`: the chain of decisions, for every detector and in a frame of a session.

use crate::run::{kept_demo, palpate, palpate_with_input, sinking_ball, text};
use palpate::contact::{CollisionData, Contact};
use palpate::detect::{Choice, Context, Registry};
use palpate::explain::{Stage, explain};
use palpate::geometry::Geometry;
use palpate::math::Point;
use palpate::scene::{Groups, PairOptions, Scene};
use palpate_tests::{Case, Regime, Shape, cases};
use serde_json::{Value, json};

fn built(shape: &Shape) -> Box<dyn Geometry> {
    shape.build().expect("a valid case")
}

/// What the detector reports, without a scene.
fn run(case: &Case, settings: Option<&Value>, margin: f64) -> Vec<Contact> {
    let registry = Registry::standard();
    let (mut a, mut b) = (built(&case.a), built(&case.b));
    let choice = Choice { detector: Some(case.detector), settings, ..Choice::default() };
    let mut bound = registry.bind(a.as_ref(), b.as_ref(), choice).unwrap();
    let [needs_a, needs_b] = bound.needs();
    a.prepare(needs_a);
    b.prepare(needs_b);
    let mut out = CollisionData::new();
    bound.run(a.as_ref(), b.as_ref(), &Context::new().with_margin(margin), &mut out).unwrap();
    out.contacts
}

fn deepest(contacts: &[Contact]) -> Value {
    json!(contacts.iter().map(|contact| contact.depth).reduce(f64::max))
}

fn check(case: &Case) -> Stage {
    let mut scene = Scene::standard();
    let a = scene.add_boxed("a", built(&case.a), Groups::default()).unwrap();
    let b = scene.add_boxed("b", built(&case.b), Groups::default()).unwrap();
    let options = PairOptions {
        detector: Some(case.detector.to_owned()),
        settings: case.settings.clone(),
        margin: case.margin,
        ..PairOptions::default()
    };
    let pair = scene.add_pair(a, b, options).unwrap();
    let found = explain(&mut scene, pair, Some(Point::new(0.1, 0.2, 0.3))).unwrap();
    let told = format!("{} {:?} {}: {found}", case.detector, case.regime, case.number);
    let contacts = run(case, case.settings.as_ref(), case.margin);
    let verdict = found.steps.last().unwrap();
    assert_eq!(verdict.values["contacts"], contacts.len(), "{told}");
    assert_eq!(verdict.values["deepest"], deepest(&contacts), "{told}");
    assert_eq!(scene.contacts(pair).unwrap().contacts.len(), contacts.len(), "the scene is as before");
    assert_eq!(scene.pairs().count(), 1);
    let boxes = [&case.a, &case.b].map(|shape| built(shape).bounds());
    for step in &found.steps {
        let number = |name: &str| step.values[name].as_f64().unwrap();
        match step.stage {
            Stage::Boxes => {
                let gaps = (0..3).flat_map(|axis| {
                    let [a, b] = &boxes;
                    [a.min[axis] - b.max[axis], b.min[axis] - a.max[axis]]
                });
                let gap = gaps.fold(f64::NEG_INFINITY, f64::max);
                assert!(gap == step.values["gap"].as_f64().unwrap_or(gap), "{told}");
            }
            Stage::Nearest => {
                let distance = number("distance");
                let margin = |part: f64| run(case, case.settings.as_ref(), distance * part).len();
                // A search finds the distance to its tolerance.
                let slack =
                    case.search_tolerance().map_or(1e-9, |tolerance| tolerance * case.size() / distance);
                assert!(margin(1.0 + slack + 1e-9) > 0, "{told}");
                assert_eq!(margin((1.0 - slack - 1e-6).max(0.0)), 0, "{told}");
            }
            Stage::Setting => {
                let name = step.values["setting"].as_str().unwrap();
                let registry = Registry::standard();
                let mut settings = registry.entry(case.detector).unwrap().default_settings();
                for (key, value) in case.settings.iter().flat_map(|own| own.as_object().unwrap()) {
                    settings[key] = value.clone();
                }
                settings[name] = step.values["other"].clone();
                let other = run(case, Some(&settings), case.margin);
                assert_eq!(step.values["contacts"], other.len(), "{told}");
                assert_eq!(step.values["deepest"], deepest(&other), "{told}");
            }
            Stage::Several => {
                let [one, two] = ["first", "second"].map(|name| &contacts[number(name) as usize]);
                let distance = (one.a.surface_point() - two.a.surface_point()).norm();
                assert_eq!(number("distance"), distance, "{told}");
            }
            _ => {}
        }
    }
    found.steps[found.steps.len() - 2].stage
}

/// `PALPATE_EXPLAIN=100` is the number of cases of each detector, 6 without it.
#[test]
fn every_detector_is_explained_with_numbers_that_hold() {
    let count: usize = std::env::var("PALPATE_EXPLAIN").map_or(6, |text| text.parse().unwrap());
    let registry = Registry::standard();
    let (mut checked, mut settings, mut nearest) = (0, 0, 0);
    for entry in registry.detectors() {
        let mut own = 0;
        for regime in Regime::GENERAL {
            for case in cases::cases(&registry, entry, regime, count.div_ceil(5)).unwrap_or_default() {
                let stage = check(&case);
                settings += usize::from(stage == Stage::Setting);
                nearest += usize::from(case.regime == Regime::Separated);
                own += 1;
            }
        }
        checked += usize::from(own * 3 >= count);
    }
    assert!(checked * 10 >= registry.detectors().len() * 7, "{checked} of {}", registry.detectors().len());
    assert!(nearest > 20, "{nearest} {settings}");
}

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
}
