//! Every shape given by a pose and sizes is described, read back, recorded and replayed with the same bits.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]
#![allow(dead_code, reason = "the geometries are shared with the tests of recordings")]

mod record;

use palpate::describe::{from_json, to_json};
use palpate::geometry::{ImplicitBody, ShapeType, SizeField, SizedShape, Turn, TypedGeometry};
use palpate::prelude::*;
use palpate::serde_json::{Value, json};
use record::{organ, pose, record};
use std::collections::BTreeMap;

/// Numbers that fill the sizes of a type, and zeros after them.
fn sizes(shape: &ShapeType, numbers: [f64; 3]) -> [f64; 3] {
    let count: usize = shape.sizes().iter().map(|field| field.count()).sum();
    std::array::from_fn(|k| if k < count { numbers[k] } else { 0.0 })
}

fn example(shape: &ShapeType, number: usize) -> Box<dyn SizedShape> {
    let by = 1.0 + number as f64 / 7.0;
    shape.make(pose(number, number % 5), sizes(shape, [0.3 * by, 0.7, 0.2 / by])).unwrap()
}

fn bits(geometry: &dyn Geometry) -> Vec<u64> {
    geometry.content().into_iter().map(f64::to_bits).collect()
}

fn read(value: &Value) -> Box<dyn Geometry> {
    from_json(value).unwrap_or_else(|error| panic!("{error} in {value}"))
}

fn message(value: &Value) -> String {
    from_json(value).err().unwrap().to_string()
}

#[test]
fn every_sized_shape_is_described_and_read_back() {
    for shape in ShapeType::all() {
        for number in 0..20 {
            let made = example(shape, number);
            let value = to_json(made.as_ref()).unwrap();
            let mut keys: Vec<_> = shape.sizes().iter().map(|field| field.key()).collect();
            keys.extend(["center", "type", "unit_quat_wxyz"]);
            keys.sort_unstable();
            assert_eq!(value.as_object().unwrap().keys().collect::<Vec<_>>(), keys);
            assert_eq!(value["type"], shape.name());
            let again = read(&value.to_string().parse().unwrap());
            assert_eq!((bits(again.as_ref()), again.kind()), (bits(made.as_ref()), shape.kind().clone()));
            assert_eq!(to_json(again.as_ref()).unwrap(), value);
            // A previous pose is read as well.
            let mut moved = value;
            moved["previous_center"] = json!([1, 2, 3]);
            let moved = read(&moved);
            let (now, previous) = TypedGeometry::of(moved.as_ref()).sized().unwrap().poses();
            assert_eq!(previous.unwrap().translation.vector, Vector::new(1.0, 2.0, 3.0));
            assert_eq!(previous.unwrap().rotation, now.rotation);
        }
    }
}

#[test]
fn every_sized_shape_that_is_a_function_is_described_as_one() {
    let mut functions = 0;
    for shape in ShapeType::all() {
        let Some(key) = shape.function_key() else { continue };
        functions += 1;
        let function = shape.make_function(pose(3, 1), sizes(shape, [0.3, 0.7, 0.2])).unwrap();
        let value = to_json(&ImplicitBody::new(pose(1, 2), function).unwrap()).unwrap();
        let fields = value["function"][key].as_object().unwrap();
        assert!(shape.sizes().iter().all(|field| fields.contains_key(field.key())), "{value}");
        assert_eq!(to_json(read(&value).as_ref()).unwrap(), value);
    }
    assert!(functions >= 6, "{functions}");
}

#[test]
fn wrong_sizes_and_rotations_are_refused_by_name() {
    for shape in ShapeType::all() {
        let value = to_json(example(shape, 1).as_ref()).unwrap();
        for field in shape.sizes() {
            let (key, wanted, wrong) = match *field {
                SizeField::Positive(key) => (key, "a number greater than 0", json!(0)),
                SizeField::NotNegative(key) => (key, "a number, 0 or more", json!(-1)),
                SizeField::ThreePositive(key) => (key, "3 numbers greater than 0", json!([1, 0, 1])),
            };
            let mut without = value.clone();
            without.as_object_mut().unwrap().remove(key);
            assert_eq!(message(&without), format!("{key}: found nothing, wanted {wanted}"));
            without[key] = wrong;
            let refused = message(&without);
            assert!(refused.starts_with(&format!("{key}: found")) && refused.ends_with(wanted), "{refused}");
        }
        let mut turned = value.clone();
        turned.as_object_mut().unwrap().remove("unit_quat_wxyz");
        for (key, turn, direction) in [
            ("axis", Turn::Axis, json!([0, 1, 0])),
            ("axes", Turn::Axes, json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]])),
        ] {
            let mut turned = turned.clone();
            turned[key] = direction;
            match shape.turn() == turn {
                true => assert_eq!(read(&turned).pose().unwrap().rotation, Pose::identity().rotation),
                false => assert!(message(&turned).starts_with(&format!("{key}: found an unknown key"))),
            }
        }
    }
}

#[test]
fn the_names_that_are_wanted_are_listed_in_their_order() {
    // Six shapes have their places; later ones come after the cone.
    let later: String = ShapeType::all().skip(6).map(|shape| format!(", {}", shape.name())).collect();
    let unknown = message(&json!({"type": "Cilinder"}));
    let wanted = format!(
        "one of Sphere, Capsule, Cylinder, Plane, OrientedBox, Ellipsoid, Cone{later}, Convex, PointSet, LineMesh, \
         SurfaceMesh, TetrahedralMesh, Implicit, Compound (did you mean \"Cylinder\"?)"
    );
    assert_eq!(unknown, format!("type: found \"Cilinder\", wanted {wanted}"));
    let keys = ShapeType::all().skip(6).filter_map(ShapeType::function_key);
    let later: String = keys.map(|key| format!(", {key}")).collect();
    let unknown = message(&json!({"type": "Implicit", "function": {"bell": {}}}));
    let wanted = format!(
        "an object with one key: sphere, box, capsule, cylinder, ellipsoid, cone{later}, convex, plane, torus, grid, \
         placed, union, intersection, difference, smooth_union or offset"
    );
    assert_eq!(unknown, format!("function: found \"bell\", wanted {wanted}"));
}

/// Each shape moves against a sphere and a surface, alone and in a compound; in the last steps it has other sizes.
// Proves: REQ-RECORD-ALL
#[test]
fn every_sized_shape_is_recorded_and_replayed() {
    for shape in ShapeType::all() {
        let mut scene = Scene::standard();
        let add =
            |scene: &mut Scene, name: &str, geometry| scene.add_boxed(name, geometry, Groups::default());
        let id = add(&mut scene, "shape", example(shape, 0)).unwrap();
        let mut tool = Compound::default();
        tool.add_child(example(shape, 3));
        scene.add("tool", tool).unwrap();
        scene.add("ball", Sphere::new(Point::origin(), 0.4).unwrap()).unwrap();
        scene.add("organ", organ(0.8, 5)).unwrap();
        let all = scene.add_all_pairs().unwrap();
        assert!(all.unsupported.is_empty());
        // A recording has one order of the inputs of a pair, also after another shape takes the place of the first.
        all.bound.into_iter().for_each(|pair| scene.keep_orders(pair).unwrap());
        let compared: BTreeMap<String, usize> = record(&mut scene, 6, |scene, step| {
            if step == 4 {
                scene.replace(id, example(shape, 5)).unwrap();
            }
            scene.geometry_dyn_mut(id).unwrap().set_pose(pose(2, step)).unwrap();
        });
        for name in ["shape", "tool"] {
            assert!(compared.get(name).is_some_and(|&count| count >= 6), "{}: {compared:?}", shape.name());
        }
    }
}
