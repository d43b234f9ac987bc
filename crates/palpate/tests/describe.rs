//! Geometries as JSON and back, bit for bit.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]
#![allow(dead_code, reason = "the geometries are shared with the tests of recordings")]

mod record;

use palpate::describe::{from_json, to_json};
use palpate::geometry::implicit::{Intersection, Offset, SmoothUnion, Torus, Union};
use palpate::geometry::{Cone, Ellipsoid, ImplicitBody, Sidedness};
use palpate::prelude::*;
use palpate::serde_json::{self, Value, json};
use record::{block, grid_of_points, organ, pose, rope, stubborn_hull};
use std::sync::Arc;

fn text(geometry: &dyn Geometry) -> String {
    to_json(geometry).unwrap().to_string()
}

/// Asserts that a geometry recreated from its description has the same numbers and the same description. Returns the JSON.
fn assert_repeats(geometry: &dyn Geometry) -> Value {
    let told = text(geometry);
    let value: Value = serde_json::from_str(&told).unwrap();
    let again = from_json(&value).unwrap_or_else(|error| panic!("{error} in {told}"));
    assert_eq!(text(again.as_ref()), told);
    let bits =
        |geometry: &dyn Geometry| -> Vec<u64> { geometry.content().into_iter().map(f64::to_bits).collect() };
    assert_eq!(bits(again.as_ref()), bits(geometry), "{told}");
    assert_eq!(again.kind(), geometry.kind());
    value
}

#[test]
fn shapes_with_unnormalised_quaternions_round_trip() {
    let mut off = 0;
    for number in 0..40 {
        let at = pose(number, number % 7);
        off += usize::from(at.rotation.coords.norm() != 1.0);
        let mut ball = Sphere::new(Point::new(0.1, -0.0, 0.3), 1.0 / 3.0).unwrap();
        assert_repeats(&ball);
        ball.set_pose(at).unwrap();
        assert_repeats(&ball);
        assert_repeats(&Capsule::new(at, 0.1, 0.0).unwrap());
        assert_repeats(&Cylinder::new(at, 0.1, 0.7).unwrap());
        assert_repeats(&OrientedBox::new(at, Vector::new(0.1, 0.2, 0.3)).unwrap());
        assert_repeats(&Cone::new(at, 0.1, 0.7).unwrap());
        assert_repeats(&Ellipsoid::new(at, Vector::new(0.1, 0.2, 0.3)).unwrap());
        let mut plane = Plane::new(Point::new(0.0, 0.1, -0.0), Vector::new(0.3, -0.2, 0.7)).unwrap();
        assert_repeats(&plane);
        plane.set_pose(at).unwrap();
        assert_repeats(&plane.with_two_sided(true));
        let at_place = |part: Point| Torus::new(at * Pose::translation(part.x, 0.0, 0.0), 0.5, 0.2).unwrap();
        assert_repeats(&ImplicitBody::new(at, Arc::new(at_place(Point::origin()))).unwrap());
    }
    assert!(off > 10, "{off}");
}

#[test]
fn a_hull_keeps_its_triangles() {
    let hull = stubborn_hull(pose(3, 1)).with_radius(0.1 + 0.2).unwrap();
    let mut value = assert_repeats(&hull);
    // Without them a different triangulation of the same body is computed.
    value.as_object_mut().unwrap().remove("cells");
    let anew = from_json(&value).unwrap();
    assert_ne!(text(anew.as_ref()), text(&hull));
    value["cells"] = json!([[0, 1, 2]]);
    let message = from_json(&value).err().unwrap().to_string();
    assert!(message.contains("the hull is not closed (it has 1 triangles"), "{message}");
}

#[test]
fn meshes_keep_the_properties_that_affect_contacts() {
    assert_repeats(&PointSet::new(grid_of_points()).unwrap().with_radius(0.1).unwrap());
    assert_repeats(&rope(5).with_radius(0.1).unwrap());
    assert_repeats(&organ(1.0, 4));
    let open = organ(1.0, 4).with_closed(false).with_radius(0.1).unwrap();
    let value = assert_repeats(&open.with_sidedness(Sidedness::WindingNumber));
    assert_eq!((&value["closed"], &value["sidedness"]), (&json!(false), &json!("winding_number")));
    let mut flesh = block();
    assert_eq!(assert_repeats(&flesh)["inverted"], json!(flesh.inverted_cells()));
    let before = flesh.inverted_cells();
    let pressed: Vec<Point> =
        flesh.points().positions().iter().map(|p| Point::new(p.x, -2.0 * p.y * p.y, p.z)).collect();
    flesh.set_positions(&pressed).unwrap();
    assert_eq!(assert_repeats(&flesh)["inverted"], json!(before));
    let mut value = to_json(&flesh).unwrap();
    value.as_object_mut().unwrap().remove("inverted");
    assert_ne!(
        text(from_json(&value).unwrap().as_ref()),
        text(&flesh),
        "a mesh created from the vertices alone orients its cells differently"
    );
}

#[test]
fn functions_and_compounds_round_trip() {
    let at = pose(2, 5);
    let ball = || Arc::new(Sphere::new(Point::new(0.1, 0.2, 0.3), 0.7).unwrap());
    let ring = || Arc::new(Torus::new(at, 0.5, 0.2).unwrap());
    let inner = ImplicitBody::new(at, ring()).unwrap().with_scale(1.0 / 3.0).unwrap();
    let difference = Intersection::difference(vec![ball(), ring(), Arc::new(inner)]).unwrap();
    let plane = Arc::new(Plane::new(Point::new(0.0, 0.1, 0.2), Vector::new(1.0, 2.0, 3.0)).unwrap());
    let cut = Intersection::new(vec![Arc::new(difference), plane]).unwrap();
    let hull = Arc::new(stubborn_hull(at));
    let soft = SmoothUnion::new(vec![Arc::new(cut), hull, Arc::new(Cone::new(at, 0.1, 0.2).unwrap())], 0.1);
    let grown = Offset::new(Arc::new(soft.unwrap()), -0.01).unwrap();
    let all = Union::new(vec![Arc::new(grown), ball()]).unwrap();
    let body = ImplicitBody::new(at, Arc::new(all)).unwrap();
    let value = assert_repeats(&body);
    let first = &value["function"]["union"][0]["offset"]["of"]["smooth_union"]["of"][0];
    assert_eq!(first["intersection"][0]["difference"].as_array().unwrap().len(), 3);

    let mut tool = Compound::default().with(rope(3)).with(block()).with(body).with(stubborn_hull(at));
    assert!(assert_repeats(&tool).get("numbers").is_none());
    tool.remove_child(0);
    tool.remove_child(2);
    let value = assert_repeats(&tool);
    assert_eq!(value["numbers"], json!([1, 3]));
    let again = from_json(&value).unwrap();
    let any: &dyn std::any::Any = again.as_ref();
    let numbers: Vec<u32> =
        any.downcast_ref::<Compound>().unwrap().children().map(|(number, _)| number).collect();
    assert_eq!(numbers, [1, 3]);
    let mut wrong = value;
    wrong["numbers"] = json!([3, 1]);
    let message = from_json(&wrong).err().unwrap().to_string();
    assert_eq!(message, "numbers: found a list of 2, wanted 2 ascending numbers, one for each child");
}

#[test]
fn functions_that_cannot_be_described_are_refused() {
    let mut ball = Sphere::new(Point::origin(), 1.0).unwrap();
    ball.advance();
    let message = |body: ImplicitBody| to_json(&body).unwrap_err().to_string();
    let moving = message(ImplicitBody::new(Pose::identity(), Arc::new(ball)).unwrap());
    assert!(moving.starts_with("function.sphere: found a shape with a previous pose, wanted"), "{moving}");
    let mut at = pose(1, 1);
    at.rotation = palpate::nalgebra::UnitQuaternion::new_unchecked(at.rotation.into_inner() * (1.0 + 1e-9));
    let rod = Arc::new(Capsule::new(at, 0.1, 0.2).unwrap());
    let drifted = message(ImplicitBody::new(Pose::identity(), rod).unwrap());
    assert!(
        drifted.starts_with("function.capsule.quat_wxyz: found a quaternion of length 1.000"),
        "{drifted}"
    );
}
