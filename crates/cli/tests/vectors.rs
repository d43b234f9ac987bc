//! The detectors against vectors computed by another toolkit: iMSTK's answers, where they are correct. Runs if
//! `PALPATE_SHARED` names the folder that contains them.
//!
//! The vectors are unordered pairs of elements, with shared elements repeated; they are compared as maps from pairs
//! of elements to numbers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use nalgebra::{Point3, Vector3};
use palpate::math::nearest::point_triangle;
use palpate_tests::laws::solids::directions;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Relative to the size of the cases, which is 1.
const TOLERANCE: f64 = 1e-9;

/// Depths up to this are touching: palpate's sets are closed, the toolkit's mostly open.
const TOUCHING: f64 = 1e-8;

/// An element of one side: its kind and its ids, sorted.
type Element = (&'static str, Vec<u64>);
/// The numbers of a contact: depth, direction of A, points of A and B; empty if not given.
#[derive(Clone, Debug, Default)]
struct Numbers {
    depth: Option<f64>,
    direction: Vec<f64>,
    points: [Vec<f64>; 2],
}
type Contacts = BTreeMap<(Element, Element), Numbers>;

fn vectors(name: &str) -> Option<Vec<Value>> {
    Some(vectors_file(name)?["cases"].as_array().unwrap().clone())
}

fn vectors_file(name: &str) -> Option<Value> {
    let folder = PathBuf::from(std::env::var_os("PALPATE_SHARED")?);
    let path = folder.join("data/vectors").join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(serde_json::from_str(&text).unwrap())
}

/// The answers of `palpate detect`, one per case.
fn answers(detector: &str, cases: &[Value]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_palpate"))
        .args(["detect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> = cases
        .iter()
        .map(|case| {
            json!({"id": case["id"], "detector": detector, "a": case["a"], "b": case["b"]}).to_string()
        })
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.join("\n").as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), cases.len());
    assert!(answers.iter().all(|answer| answer.get("error").is_none()), "{text}");
    answers
}

fn ids(value: &Value) -> Vec<u64> {
    let mut ids: Vec<u64> = value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
    ids.sort_unstable();
    ids
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// An element as written in the vectors. A cell with one id is that cell, with several ids its vertices.
fn their_element(element: &Value) -> Element {
    match element["t"].as_str().unwrap() {
        "PD" => ("point", vec![]),
        "PID" => ("vertex", vec![element["ptIndex"].as_u64().unwrap()]),
        _ => match (element["cell"].as_str().unwrap(), element["idCount"].as_u64().unwrap()) {
            ("vertex", _) => ("vertex", ids(&element["ids"])),
            ("tetrahedron", 1) => ("tetrahedron", ids(&element["ids"])),
            ("edge", 1) => ("cell", ids(&element["ids"])),
            ("edge", _) => ("edge", ids(&element["ids"])),
            ("triangle", _) => ("triangle", ids(&element["ids"])),
            other => panic!("{other:?}"),
        },
    }
}

fn their_contacts(case: &Value) -> Contacts {
    let side = |name: &str| case["out"][name].as_array().unwrap().clone();
    let mut contacts = Contacts::new();
    for (a, b) in side("A").iter().zip(&side("B")) {
        let mut direction = numbers(&a["dir"]);
        if direction.is_empty() {
            direction = numbers(&b["dir"]).iter().map(|x| -x).collect();
        }
        let depth = a["depth"].as_f64().or(b["depth"].as_f64());
        let points = [numbers(&a["pt"]), numbers(&b["pt"])];
        contacts.insert((their_element(a), their_element(b)), Numbers { depth, direction, points });
    }
    contacts
}

/// An element of an answer; detectors of a volume name segments by their cell.
fn our_element(feature: &Value, by_cell: bool) -> Element {
    match feature["kind"].as_str().unwrap() {
        "point" => ("point", vec![]),
        "vertex" => ("vertex", ids(&feature["vertices"])),
        "tetrahedron" => ("tetrahedron", vec![feature["cell"].as_u64().unwrap()]),
        "edge" if by_cell => ("cell", vec![feature["cell"].as_u64().unwrap()]),
        "edge" => ("edge", ids(&feature["vertices"])),
        _ => ("triangle", ids(&feature["vertices"])),
    }
}

fn our_contacts(answer: &Value, by_cell: bool) -> Contacts {
    let mut contacts = Contacts::new();
    for contact in answer["contacts"].as_array().unwrap() {
        let (a, b) = (&contact["a"], &contact["b"]);
        let found = Numbers {
            depth: contact["depth"].as_f64(),
            direction: numbers(&contact["direction"]),
            points: [numbers(&a["point"]), numbers(&b["point"])],
        };
        let key = (our_element(a, by_cell), our_element(b, by_cell));
        assert!(contacts.insert(key.clone(), found).is_none(), "{key:?} is reported twice");
    }
    contacts
}

/// The largest difference; a list that either side lacks is not compared.
fn difference(ours: &Numbers, theirs: &Numbers, with_points: bool) -> f64 {
    let list = |a: &[f64], b: &[f64]| match (a.len(), b.len()) {
        (3, 3) => a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max),
        _ => 0.0,
    };
    let depth = ours.depth.zip(theirs.depth).map_or(0.0, |(x, y)| (x - y).abs());
    let points = (0..2).map(|side| list(&ours.points[side], &theirs.points[side])).fold(0.0, f64::max);
    depth.max(list(&ours.direction, &theirs.direction)).max(if with_points { points } else { 0.0 })
}

/// Compares all cases of a detector. `excused` identifies the toolkit's known errors: it gets the case, the pair of
/// elements, palpate's numbers and the toolkit's. Returns how many contacts agreed and how many were excused.
fn compare(
    detector: &str,
    with_points: bool,
    mut excused: impl FnMut(&Value, &(Element, Element), Option<&Numbers>, Option<&Numbers>) -> bool,
) -> Option<(usize, usize)> {
    let cases = vectors(detector)?;
    let by_cell = detector.starts_with("Tetra");
    let (mut agreed, mut excuses) = (0, 0);
    for (case, answer) in cases.iter().zip(answers(detector, &cases)) {
        let (ours, theirs) = (our_contacts(&answer, by_cell), their_contacts(case));
        for key in ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(key))) {
            let pair = (ours.get(key), theirs.get(key));
            let fits = match pair {
                (Some(ours), Some(theirs)) => difference(ours, theirs, with_points) <= TOLERANCE,
                (one, other) => one.or(other).unwrap().depth.is_some_and(|depth| depth.abs() <= TOUCHING),
            };
            if fits {
                agreed += 1;
            } else if excused(case, key, pair.0, pair.1) {
                excuses += 1;
            } else {
                panic!("{detector}, case {}: {key:?}\n  ours {:?}\ntheirs {:?}", case["id"], pair.0, pair.1);
            }
        }
    }
    Some((agreed, excuses))
}

fn agrees(detector: &str, least: usize) {
    if let Some((agreed, _)) = compare(detector, true, |_, _, _, _| false) {
        assert!(agreed >= least, "{detector}: only {agreed} contacts compared");
    }
}

#[test]
fn primitives_agree() {
    for detector in ["BidirectionalPlaneToSphereCD", "UnidirectionalPlaneToSphereCD", "SphereToSphereCD"] {
        agrees(detector, 50);
    }
    agrees("SphereToCapsuleCD", 50);
    agrees("CapsuleToCapsuleCD", 50);
}

/// Its contact points are wrong (at the centre of the capsule if the +y end is the deeper); depth and direction are
/// not.
#[test]
fn plane_against_capsule_agrees_in_depth_and_direction() {
    if let Some((agreed, _)) = compare("UnidirectionalPlaneToCapsuleCD", false, |_, _, _, _| false) {
        assert!(agreed >= 50);
    }
}

#[test]
fn points_agree() {
    agrees("PointSetToPlaneCD", 300);
    agrees("PointSetToSphereCD", 300);
    agrees("PointSetToCapsuleCD", 100);
    agrees("PointSetToOrientedBoxCD", 300);
}

/// In some cases the toolkit pushes out of a cylinder by the farther cap. There the depth must be the least of wall
/// and caps, by the case's own numbers, and smaller than the toolkit's.
#[test]
fn points_against_a_cylinder_agree_or_leave_by_a_nearer_way() {
    let nearer_way =
        |case: &Value, key: &(Element, Element), ours: Option<&Numbers>, theirs: Option<&Numbers>| {
            let (ours, theirs) = (ours.unwrap().depth.unwrap(), theirs.unwrap().depth.unwrap());
            let point = numbers(&case["a"]["vertices"][key.0.1[0] as usize]);
            let (center, axis) = (numbers(&case["b"]["center"]), numbers(&case["b"]["axis"]));
            let offset: Vec<f64> = (0..3).map(|k| point[k] - center[k]).collect();
            let axial: f64 = (0..3).map(|k| offset[k] * axis[k]).sum();
            let square: f64 = offset.iter().map(|x| x * x).sum();
            let to_wall = case["b"]["radius"].as_f64().unwrap() - (square - axial * axial).sqrt();
            let to_cap = 0.5 * case["b"]["length"].as_f64().unwrap() - axial.abs();
            (ours - to_wall.min(to_cap)).abs() <= TOLERANCE && ours < theirs - TOLERANCE
        };
    if let Some((agreed, excused)) = compare("PointSetToCylinderCD", true, nearer_way) {
        assert!(agreed >= 200 && excused <= 11, "{agreed} agreed, {excused} with a shorter exit");
    }
}

#[test]
fn lines_and_volumes_agree() {
    agrees("LineMeshToSphereCD", 80);
    agrees("LineMeshToCapsuleCD", 60);
    agrees("TetraToPointSetCD", 50);
    agrees("TetraToLineMeshCD", 40);
}

/// An analytic shape as an implicit body against points. The toolkit's directions and the points that follow from
/// them are central differences with a step of 1e-3, with an error of 4e-6.
#[test]
fn implicit_bodies_against_points_agree_in_depth() {
    let Some(cases) = vectors("ImplicitGeometryToPointSetCD") else { return };
    let as_implicit = |case: &Value| {
        let mut shape = case["a"].clone();
        let name = shape["type"].as_str().unwrap().to_lowercase();
        shape.as_object_mut().unwrap().remove("type");
        let mut case = case.clone();
        case["a"] = json!({"type": "Implicit", "function": { name: shape }});
        case
    };
    let implicit: Vec<Value> = cases.iter().map(as_implicit).collect();
    let mut agreed = 0;
    for (case, answer) in implicit.iter().zip(answers("ImplicitGeometryToPointSetCD", &implicit)) {
        let (ours, theirs) = (our_contacts(&answer, false), their_contacts(case));
        for key in ours.keys().chain(theirs.keys()) {
            match (ours.get(key), theirs.get(key)) {
                (Some(ours), Some(theirs)) => {
                    let apart = (ours.depth.unwrap() - theirs.depth.unwrap()).abs();
                    let turned = difference(ours, &Numbers { depth: None, ..theirs.clone() }, false);
                    assert!(apart <= TOLERANCE && turned <= 1e-5, "case {}: {key:?}", case["id"]);
                    agreed += 1;
                }
                (one, other) => {
                    let depth = one.or(other).unwrap().depth.unwrap();
                    assert!(depth.abs() <= TOUCHING, "case {}: {key:?}", case["id"]);
                }
            }
        }
    }
    assert!(agreed >= 100, "{agreed}");
}

/// Samples on a lattice. The toolkit's own interpolated values are inexact (its README says so), so the trilinear
/// value is computed here, one axis after the other.
#[test]
fn a_grid_of_samples_is_trilinear_between_them() {
    let Some(cases) = vectors("ImplicitGeometryToPointSetCD_SDF") else { return };
    let grid = vectors_file("ImplicitGeometryToPointSetCD_SDF").unwrap()["sdf"].clone();
    let [dims, spacing, corner] = ["dims", "spacing", "origin"].map(|key| numbers(&grid[key]));
    let values = numbers(&grid["scalars"]);
    let origin: Vec<f64> = (0..3).map(|axis| corner[axis] + 0.5 * spacing[axis]).collect();
    let size: Vec<usize> = dims.iter().map(|&n| n as usize).collect();
    let at = |point: &[f64]| {
        let places: Vec<f64> = (0..3).map(|axis| (point[axis] - origin[axis]) / spacing[axis]).collect();
        let cell: Vec<usize> = (0..3).map(|axis| (places[axis] as usize).min(size[axis] - 2)).collect();
        let t: Vec<f64> = (0..3).map(|axis| places[axis] - cell[axis] as f64).collect();
        let sample = |i: usize, j: usize, k: usize| values[i + size[0] * (j + size[1] * k)];
        let along_x = |j, k| {
            let [low, high] = [0, 1].map(|i| sample(cell[0] + i, cell[1] + j, cell[2] + k));
            low + t[0] * (high - low)
        };
        let along_y = |k| along_x(0, k) + t[1] * (along_x(1, k) - along_x(0, k));
        along_y(0) + t[2] * (along_y(1) - along_y(0))
    };
    let function = json!({"grid": {"origin": origin, "spacing": spacing, "size": size, "values": values}});
    let gridded: Vec<Value> = cases
        .iter()
        .map(
            |case| json!({"id": case["id"], "a": {"type": "Implicit", "function": function}, "b": case["b"]}),
        )
        .collect();
    let (mut inside, mut outside) = (0, 0);
    for (case, answer) in gridded.iter().zip(answers("ImplicitGeometryToPointSetCD", &gridded)) {
        let found: BTreeMap<Vec<u64>, f64> = our_contacts(&answer, false)
            .into_iter()
            .map(|((_, (_, vertex)), numbers)| (vertex, numbers.depth.unwrap()))
            .collect();
        for (vertex, point) in (0..).zip(case["b"]["vertices"].as_array().unwrap()) {
            let depth = -at(&numbers(point));
            match found.get(&vec![vertex]) {
                Some(found) => {
                    assert!(
                        (found - depth).abs() <= TOLERANCE,
                        "case {}: {vertex}: {found} {depth}",
                        case["id"]
                    );
                    inside += 1;
                }
                None => {
                    assert!(depth <= TOUCHING, "case {}: {vertex} is {depth} inside", case["id"]);
                    outside += 1;
                }
            }
        }
    }
    assert!(inside >= 20 && outside >= 50, "{inside} inside, {outside} outside");
}

/// Capsules that overlap a triangle by a tenth of their radius or more, for which the toolkit reports nothing. The
/// distances there are the minimum of dense samples of the axis: never less than the distance.
#[test]
fn capsules_that_the_toolkit_misses_are_found() {
    let Some(cases) = vectors("audit_capsule_triangle_misses") else { return };
    let pairs: Vec<Value> = (0..)
        .zip(&cases)
        .map(|(id, case): (u64, _)| {
            let sheet = json!({"type": "SurfaceMesh", "vertices": case["triangle"], "cells": [[0, 1, 2]]});
            json!({"id": id, "a": sheet, "b": case["capsule"]})
        })
        .collect();
    for (case, answer) in cases.iter().zip(answers("surface_mesh_capsule", &pairs)) {
        let sampled = case["capsule"]["radius"].as_f64().unwrap() - case["true_dist"].as_f64().unwrap();
        let found = our_contacts(&answer, false);
        let deepest = found.values().filter_map(|numbers| numbers.depth).fold(f64::NEG_INFINITY, f64::max);
        let off = deepest - sampled;
        assert!((-TOLERANCE..1e-3).contains(&off), "{}: {deepest} and {sampled}", answer["id"]);
    }
    assert_eq!(cases.len(), 15);
}

/// A sphere wholly inside a closed surface has no contact in the toolkit; in palpate a closed surface is a solid.
#[test]
fn a_surface_against_a_sphere_agrees_but_for_what_is_wholly_inside() {
    let wholly_inside = |case: &Value, _: &_, ours: Option<&Numbers>, _: Option<&Numbers>| {
        let radius = case["b"]["radius"].as_f64().unwrap();
        let alone = case["out"]["A"].as_array().unwrap().is_empty();
        alone && ours.is_some_and(|ours| ours.depth.unwrap() > 2.0 * radius)
    };
    if let Some((agreed, excused)) = compare("SurfaceMeshToSphereCD", true, wholly_inside) {
        assert!(agreed >= 100 && excused == 2, "{agreed} agreed, {excused} wholly inside");
    }
}

/// The toolkit tests only two candidate points of the axis, so that some of its depths are too small and some contacts are
/// missing; and it always leaves along a triangle's normal. Where the two differ, it is shown to be wrong: palpate is
/// deeper where no motion as long as the toolkit's depth separates the two, and less deep where its own motion does.
#[test]
fn a_surface_against_a_capsule_agrees_in_the_deepest_contact_where_that_is_right() {
    let Some(cases) = vectors("SurfaceMeshToCapsuleCD") else { return };
    let deepest = |contacts: Contacts| {
        let with_depth =
            contacts.into_values().filter_map(|found| Some((found.depth?, vector(&found.direction))));
        with_depth.max_by(|x, y| x.0.total_cmp(&y.0))
    };
    let (mut agreed, mut deeper, mut less_deep) = (0, 0, 0);
    for (case, answer) in cases.iter().zip(answers("SurfaceMeshToCapsuleCD", &cases)) {
        match (deepest(our_contacts(&answer, false)), deepest(their_contacts(case))) {
            (Some((ours, _)), Some((theirs, _))) if (ours - theirs).abs() <= TOLERANCE => agreed += 1,
            (Some((ours, direction)), Some((theirs, _))) if ours < theirs => {
                assert!(
                    are_apart(case, &(direction * -ours), SAMPLES),
                    "case {}: {ours} {theirs}",
                    case["id"]
                );
                less_deep += 1;
            }
            (Some((ours, _)), theirs) => {
                let theirs = theirs.map_or(0.0, |(depth, _)| depth);
                let mut all = directions(DIRECTIONS).into_iter();
                let separates = all.any(|direction| are_apart(case, &(direction * theirs), FEW_SAMPLES));
                assert!(!separates, "case {}: {ours} {theirs}", case["id"]);
                deeper += 1;
            }
            (None, None) => {}
            other => panic!("case {}: {other:?}", case["id"]),
        }
    }
    assert_eq!([agreed, deeper, less_deep], [5, 2, 1]);
}

/// Samples of an axis, and how much less the least of their distances may be than the radius of a capsule that is apart.
const SAMPLES: u32 = 4000;
const FEW_SAMPLES: u32 = 50;
const APART: f64 = 1e-6;

/// Directions in which a motion is tried.
const DIRECTIONS: usize = 2000;

/// Whether the samples of a capsule's axis are at least its radius away from the surface after a motion of the capsule.
fn are_apart(case: &Value, motion: &Vector3<f64>, samples: u32) -> bool {
    let [center, axis] = ["center", "axis"].map(|name| vector(&numbers(&case["b"][name])));
    let [length, radius] = ["length", "radius"].map(|name| case["b"][name].as_f64().unwrap());
    let corner = |id: &u64| Point3::from(vector(&numbers(&case["a"]["vertices"][*id as usize])));
    let cells: Vec<Vec<Point3<f64>>> = case["a"]["cells"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cell| cell.as_array().unwrap().iter().map(|id| corner(&id.as_u64().unwrap())).collect())
        .collect();
    (0..=samples).all(|k| {
        let along = length * (f64::from(k) / f64::from(samples) - 0.5);
        let place = Point3::from(center + motion + axis * along);
        let distance = |cell: &Vec<Point3<f64>>| {
            (point_triangle(&place, &cell[0], &cell[1], &cell[2]).point - place).norm()
        };
        cells.iter().all(|cell| distance(cell) >= radius - APART)
    })
}

fn vector(numbers: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(numbers)
}

/// The closest element of every vertex inside; pairs of edges, which some of its cases request, come later.
#[test]
fn vertices_in_a_closed_surface_agree() {
    let edge_pair =
        |_: &Value, key: &(Element, Element), _: Option<&Numbers>, _: Option<&Numbers>| key.0.0 == "edge";
    if let Some((agreed, _)) = compare("ClosedSurfaceMeshToMeshCD", true, edge_pair) {
        assert!(agreed >= 180, "{agreed}");
    }
}

/// The toolkit decomposes an intersection of two triangles into a vertex and a triangle, or two edges (and names
/// the wrong triangle): each of its contacts lies on a pair of intersecting triangles, and each of these pairs has
/// one of its contacts.
#[test]
fn triangles_that_meet_agree() {
    let detector = "SurfaceMeshToSurfaceMeshCD";
    let Some(cases) = vectors(detector) else { return };
    let holds = |outer: &Vec<u64>, inner: &Vec<u64>| inner.iter().all(|id| outer.contains(id));
    let (mut pairs, mut apart) = (0, 0);
    for (case, answer) in cases.iter().zip(answers(detector, &cases)) {
        let side = |name: &str| {
            case["out"][name].as_array().unwrap().iter().map(|e| ids(&e["ids"])).collect::<Vec<_>>()
        };
        let theirs: Vec<_> = side("A").into_iter().zip(side("B")).collect();
        let contacts = answer["contacts"].as_array().unwrap();
        let ours = contacts.iter().map(|c| [&c["a"], &c["b"]].map(|side| ids(&side["vertices"])));
        let ours: Vec<_> = ours.collect();
        for (a, b) in &theirs {
            let covered = ours.iter().any(|[t, u]| holds(t, a) && holds(u, b));
            assert!(covered, "case {}: {a:?} and {b:?} are on no pair of intersecting triangles", case["id"]);
        }
        for [t, u] in &ours {
            let covered = theirs.iter().any(|(a, b)| holds(t, a) && holds(u, b));
            assert!(
                covered,
                "case {}: {t:?} and {u:?} intersect, which the toolkit does not report",
                case["id"]
            );
        }
        pairs += ours.len();
        apart += usize::from(ours.is_empty());
    }
    assert!(pairs >= 300 && apart >= 60, "{pairs} pairs intersect, {apart} cases have none");
}

/// Hand-made degenerate and touching cases: every one is answered, with unit directions, and with the toolkit's
/// depth where that is finite and not known to be wrong.
#[test]
fn degenerate_cases_are_answered() {
    let Some(cases) = vectors("degenerate") else { return };
    // Cases 20 and 23 are reported though apart, 34 has an uninitialised depth.
    let wrong = [20, 23, 34];
    let mut compared = 0;
    for case in &cases {
        let detector = case["cd"].as_str().unwrap();
        if detector.starts_with("Implicit") {
            continue;
        }
        let answer = answers(detector, std::slice::from_ref(case)).remove(0);
        for contact in answer["contacts"].as_array().unwrap() {
            let length: f64 = numbers(&contact["direction"]).iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-12, "case {}: {contact}", case["id"]);
        }
        let theirs: Vec<f64> =
            case["out"]["B"].as_array().unwrap().iter().filter_map(|e| e["depth"].as_f64()).collect();
        if theirs.is_empty() || wrong.contains(&case["id"].as_u64().unwrap()) {
            continue;
        }
        let ours: Vec<f64> = answer["contacts"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|contact| contact["depth"].as_f64())
            .collect();
        let largest = |depths: &[f64]| depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(
            (largest(&ours) - largest(&theirs)).abs() <= TOLERANCE,
            "case {}: {ours:?}, {theirs:?}",
            case["id"]
        );
        compared += 1;
    }
    assert!(compared >= 35, "{compared} compared");
}

/// Child by child, each by the toolkit's class for it, where side A is the child's. A child without a class is
/// missing in its answer. A capsule against a surface has the toolkit's known fault: with two candidate points of
/// the axis it may be less deep there.
#[test]
fn compounds_agree_child_by_child() {
    let Some(cases) = vectors("CompoundCD") else { return };
    let compound = |case: &Value| {
        let children = json!({"type": "Compound", "children": case["subs"]});
        json!({"id": case["id"], "a": children, "b": case["other"]})
    };
    let pairs: Vec<Value> = cases.iter().map(compound).collect();
    let (mut agreed, mut excused) = (0, 0);
    for (case, answer) in cases.iter().zip(answers("CompoundCD", &pairs)) {
        let other = &case["other"]["type"];
        let has_class = |sub: &Value| !(sub["type"] == "OrientedBox" && other == "Sphere");
        let children = case["subs"].as_array().unwrap().iter().enumerate().filter(|(_, sub)| has_class(sub));
        let theirs = case["out"].as_array().unwrap();
        assert_eq!(children.clone().count(), theirs.len());
        for ((child, sub), out) in children.zip(theirs) {
            let contacts = answer["contacts"].as_array().unwrap().iter();
            let of_child: Vec<_> = contacts.filter(|contact| contact["a"]["child"] == child).collect();
            let ours = our_contacts(&json!({"contacts": of_child}), false);
            let theirs = their_contacts(&json!({"out": out}));
            let faulty = sub["type"] == "Capsule" && other == "SurfaceMesh";
            for key in ours.keys().chain(theirs.keys().filter(|key| !ours.contains_key(key))) {
                let pair = (ours.get(key), theirs.get(key));
                let (fits, deeper) = match pair {
                    (Some(ours), Some(theirs)) => (
                        difference(ours, theirs, true) <= TOLERANCE,
                        ours.depth.unwrap() >= theirs.depth.unwrap() - TOLERANCE,
                    ),
                    (one, other) => {
                        (one.or(other).unwrap().depth.is_some_and(|depth| depth.abs() <= TOUCHING), false)
                    }
                };
                match (fits, faulty && deeper) {
                    (true, _) => agreed += 1,
                    (false, true) => excused += 1,
                    _ => panic!("case {}, child {child}: {key:?}: {pair:?}", case["id"]),
                }
            }
        }
    }
    assert!(agreed >= 23 && excused <= 2, "{agreed} agreed, {excused} are deeper here");
}
