//! The shared vectors of constraints (a second layer, with `PALPATE_SHARED`): values and gradients up to their sign, and one
//! projection. Every vector is compared; those without a constraint have to follow from a stated rule. What the rules and
//! the solve of the vectors do wrong has tests of its own in `defects`.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::elements::{ElementGap, edge_edge, point_edge, point_point, point_triangle};
use palpate_response::pbd::{Body, Positions, RigidBody, Rows, State};
use palpate_response::rigid;
use serde_json::Value;
use std::collections::BTreeMap;

/// Relative to the size of the input, which is one.
const TOLERANCE: f64 = 1e-9;

/// The thickness of the edges in vectors of motion, metres.
const EDGE_THICKNESS: f64 = 0.0016;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn vector(value: &Value) -> Vector {
    Vector::from_fn(|k, _| number(&value[k]))
}

fn vectors(value: &Value) -> Vec<Vector> {
    value.as_array().expect("a list").iter().map(vector).collect()
}

fn body(value: &Value) -> RigidBody {
    let q = |k: usize| number(&value["quat_wxyz"][k]);
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(q(0), q(1), q(2), q(3)));
    let pose = Isometry3::from_parts(Translation3::from(vector(&value["pos"])), rotation);
    RigidBody::new(pose, number(&value["invMass"]), vector(&value["invInertiaDiag_bodyframe"]))
}

fn weights<const A: usize, const B: usize>(gap: &ElementGap<A, B>) -> (f64, Vector, Vec<f64>, bool) {
    let all = gap.weights_a.iter().copied().chain(gap.weights_b.iter().map(|weight| -weight));
    (gap.value, gap.direction, all.collect(), gap.is_inside)
}

/// Value, direction, signed weights and whether the witness points are on the elements.
fn element_gap(kind: &str, x: &[Point]) -> Option<(f64, Vector, Vec<f64>, bool)> {
    let up = Vector::y();
    match kind {
        "PointPoint" => point_point(&x[0], &x[1], &(x[0] - x[1])).map(|gap| weights(&gap)),
        "PointEdge" => {
            let side = x[0] - x[1];
            let gap = point_edge(&x[0], [&x[1], &x[2]], &side)?;
            Some(weights(&gap))
        }
        "PointTriangle" => {
            let normal = (x[2] - x[1]).cross(&(x[3] - x[1]));
            point_triangle(&x[0], [&x[1], &x[2], &x[3]], &normal).map(|gap| weights(&gap))
        }
        _ => {
            let gap = edge_edge([&x[0], &x[1]], [&x[2], &x[3]], &up)?;
            let toward = if gap.value < 0.0 { -up } else { up };
            edge_edge([&x[0], &x[1]], [&x[2], &x[3]], &toward).map(|gap| weights(&gap))
        }
    }
}

/// The same up to the sign of the whole gradient.
fn same_gradients(given: &[Vector], wanted: &[Vector]) -> bool {
    [1.0, -1.0].iter().any(|sign| {
        given.len() == wanted.len()
            && given.iter().zip(wanted).all(|(given, wanted)| (given * *sign - wanted).norm() < TOLERANCE)
    })
}

/// Whether a vector of a point and an element has no constraint because the vertex closest to the point is fixed. At an
/// edge the vectors decide which is closest by `1 - s < s` for the distance `s` from the first vertex in metres: a listed
/// defect, right only for an edge of one metre.
fn is_beside_fixed_vertex(kind: &str, case: &Value, x: &[Point], weights: &[f64]) -> bool {
    let inverse_mass = |vertex: usize| number(&case["invMass"][vertex]);
    match kind {
        "PointEdge" => {
            let distance = -weights[2] * (x[2] - x[1]).norm();
            inverse_mass(if 1.0 - distance < distance { 2 } else { 1 }) == 0.0
        }
        "PointTriangle" => {
            let closest = (1..4).max_by(|&i, &j| weights[j].total_cmp(&weights[i])).unwrap();
            inverse_mass(closest) == 0.0
        }
        _ => false,
    }
}

/// Returns whether the vector has a constraint.
fn check_elements(case: &Value) -> bool {
    let kind = case["constraint"].as_str().unwrap();
    let x: Vec<Point> = vectors(&case["x"]).into_iter().map(Point::from).collect();
    let (value, direction, weights, is_inside) = element_gap(kind, &x).unwrap();
    let is_active = case["active"] == true;
    let wanted = is_inside && !is_beside_fixed_vertex(kind, case, &x, &weights);
    assert_eq!(is_active, wanted, "{kind} {}", case["id"]);
    if !is_active {
        return false;
    }
    assert!((value.abs() - number(&case["C"]).abs()).abs() < TOLERANCE, "{kind} {}", case["id"]);
    let given: Vec<Vector> = weights.iter().map(|weight| direction * *weight).collect();
    assert!(same_gradients(&given, &vectors(&case["gradients"])), "{kind} {}", case["id"]);
    true
}

/// Two edges that may have crossed: the gap keeps to the side of the previous positions, less the thickness.
fn check_moved_edges(case: &Value) -> bool {
    let [x, before] =
        ["x", "prev"].map(|key| vectors(&case[key]).into_iter().map(Point::from).collect::<Vec<_>>());
    if case["active"] != true {
        return false;
    }
    let (_, side, _, _) = element_gap("EdgeEdge", &before).unwrap();
    let gap = edge_edge([&x[0], &x[1]], [&x[2], &x[3]], &side).unwrap();
    let value = gap.value - EDGE_THICKNESS;
    assert!((value.abs() - number(&case["C"])).abs() < TOLERANCE, "{}", case["id"]);
    assert!(value < 0.0, "{}: it is pushed out", case["id"]);
    let given: Vec<Vector> = weights(&gap).2.iter().map(|weight| gap.direction * *weight).collect();
    assert!(same_gradients(&given, &vectors(&case["gradients"])), "{}", case["id"]);
    true
}

/// Whether the contact point of a body is beside the element; before the front of a triangle there is no constraint.
fn is_in_contact(kind: &str, point: &Point, x: &[Point]) -> bool {
    match kind {
        "EdgeToBody" => {
            let side = point - x[0];
            point_edge(point, [&x[0], &x[1]], &side).unwrap().is_inside
        }
        "TriangleToBody" => {
            let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
            let gap = point_triangle(point, [&x[0], &x[1], &x[2]], &normal).unwrap();
            gap.is_inside && gap.value < 0.0
        }
        _ => true,
    }
}

/// One XPBD projection. The vectors pull where there is a gap: the row gets the opposite direction, in which the same gap is
/// negative.
fn check_bodies(case: &Value) -> bool {
    let kind = case["constraint"].as_str().unwrap();
    let is_pair = kind == "BodyToBodyNormal";
    let particles = if is_pair { Vec::new() } else { vectors(&case["x"]) };
    let (mut x, first): (Vec<Point>, Point) =
        (particles.into_iter().map(Point::from).collect(), vector(&case["body0"]["contactPt"]).into());
    assert_eq!(case["active"] == true, is_in_contact(kind, &first, &x), "{kind} {}", case["id"]);
    if case["active"] != true {
        return false;
    }
    let gradients = vectors(&case["gradients"]);
    let value = number(&case["C"]);
    let mut bodies = vec![body(&case["body0"])];
    let direction = gradients[0] * -value.signum();
    let masses: Vec<f64> = if is_pair {
        bodies.push(body(&case["body1"]));
        Vec::new()
    } else {
        case["invMass"].as_array().unwrap().iter().map(number).collect()
    };
    let other = if is_pair {
        Feature::point(Point::from(vector(&case["body1"]["contactPt"])))
    } else {
        // The weights are the gradients' parts along the first one, which is the body's.
        let weights: Vec<f64> = gradients[1..].iter().map(|gradient| -gradient.dot(&gradients[0])).collect();
        match weights[..] {
            [_] => Feature::vertex(0, 0, x[0]),
            [a, b] => Feature::edge([0, 1], [a, b], 0, first),
            [a, b, c] => Feature::triangle([0, 1, 2], [a, b, c], 0, first),
            _ => panic!("{kind} of {} vertices", weights.len()),
        }
    };
    let contact = Contact::exact(Feature::point(first), other, direction, value.abs(), 0);
    let dt = number(&case["dt"]);
    let mut rows = Rows::new(dt);
    let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[contact] };
    let side = |side| if side == 0 || is_pair { Body::Rigid(side) } else { Body::Particles(0) };
    let material = Material { compliance: number(&case["compliance"]), ..Material::HARD };
    rows.gather([list], Positions { particles: &x, bodies: &bodies }, side, |_| material).unwrap();
    // The gradients of the row are those of the vector up to the sign of the whole.
    let row = rows.get(0).unwrap();
    let mut given: Vec<Vector> = row.body_gradients(&bodies).map(|(_, [linear, _])| linear).collect();
    given.extend(row.gradients().map(|(_, gradient)| gradient));
    assert!(same_gradients(&given, &gradients), "{kind} {}", case["id"]);
    let (previous, start) = (x.clone(), bodies.clone());
    let mut state =
        State { particles: &mut x, previous: &previous, inverse_masses: &masses, bodies: &mut bodies };
    rows.iter_mut().for_each(|row| row.project_in(&mut state));
    let multiplier = rows.get(0).unwrap().multipliers()[0];
    assert!((multiplier - number(&case["lambda"]).abs()).abs() < TOLERANCE, "{kind} {}", case["id"]);
    let after = vector(&case["body0_after"]["pos"]);
    assert!((bodies[0].pose.translation.vector - after).norm() < TOLERANCE, "{kind} {}", case["id"]);
    if !is_pair {
        for (given, wanted) in x.iter().zip(vectors(&case["x_after"])) {
            assert!((given.coords - wanted).norm() < TOLERANCE, "{kind} {}", case["id"]);
        }
    }
    // The vectors rotate to first order in the quaternion and by at most 0.5: the tangent of the half angle.
    let q = |k: usize| number(&case["body0_after"]["quat_wxyz"][k]);
    let wanted = UnitQuaternion::from_quaternion(Quaternion::new(q(0), q(1), q(2), q(3)));
    let turn = |to: &UnitQuaternion<f64>| (to * start[0].pose.rotation.inverse()).scaled_axis();
    let (given, wanted) = (turn(&bodies[0].pose.rotation), turn(&wanted));
    if given.norm() < 0.5 {
        let first_order = wanted.normalize() * (2.0 * (0.5 * wanted.norm()).tan());
        assert!((given - first_order).norm() < 1e-7, "{kind} {}: {given} {first_order}", case["id"]);
    }
    true
}

fn check_jacobian(case: &Value) -> bool {
    let is_static = case["static1"] == true;
    let centers = ["pos1", "pos2"].map(|name| Point::from(vector(&case[name])));
    let masses = centers.map(|center| rigid::Mass { center, ..rigid::Mass::infinite() });
    let (normal, place) = (vector(&case["normal"]), Point::from(vector(&case["pt"])));
    let depth = number(&case["depth"]);
    let [a, b] = [place - normal * (0.5 * depth), place + normal * (0.5 * depth)].map(Feature::point);
    let contact = Contact::exact(a, b, normal, depth, 0);
    let settings =
        rigid::Settings { push_rate: number(&case["beta"]), ..rigid::Settings::new(number(&case["dt"])) };
    let mut rows = rigid::Rows::new(settings);
    let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[contact] };
    let still = [rigid::Velocity::default(); 2];
    rows.gather([list], &masses, &still, rigid::Body::Dynamic, |_| Material::HARD).unwrap();
    let row = rows.get(0).unwrap();
    let jacobian = row.jacobian(0);
    let wanted = &case["J_rows_xyz_cols_lin1_ang1_lin2_ang2"];
    for column in 0..4 {
        let wanted = Vector::from_fn(|axis, _| number(&wanted[axis][column]));
        // A static body has zero columns there; here its side is not dynamic.
        let given = if is_static && column < 2 { Vector::zeros() } else { jacobian[column / 2][column % 2] };
        assert!((given - wanted).norm() < TOLERANCE, "{}: column {column}", case["id"]);
    }
    assert!((row.target() - number(&case["vu"])).abs() < TOLERANCE * 100.0);
    true
}

#[test]
fn shared_vectors_agree() {
    let Ok(shared) = std::env::var("PALPATE_SHARED") else { return };
    let path = std::path::Path::new(&shared).join("data/vectors/constraints.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let data: Value = serde_json::from_str(&text).unwrap();
    let mut compared: BTreeMap<String, usize> = BTreeMap::new();
    for case in data["cases"].as_array().unwrap() {
        let kind = case["constraint"].as_str().unwrap();
        let is_compared = match kind {
            "PointPoint" | "PointEdge" | "PointTriangle" | "EdgeEdge" => check_elements(case),
            "RbdContact" => check_jacobian(case),
            "EdgeEdgeCCD" => check_moved_edges(case),
            _ => check_bodies(case),
        };
        *compared.entry(kind.to_owned()).or_default() += usize::from(is_compared);
    }
    assert_eq!(compared.len(), 10);
    // Only two of the triangles and bodies are active.
    let enough = |(kind, count): (&String, &usize)| *count >= if kind == "TriangleToBody" { 2 } else { 7 };
    assert!(compared.iter().all(enough), "{compared:?}");
}
