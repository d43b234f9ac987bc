//! Compounds through `palpate detect`.

use crate::detect::{answers, lines};
use crate::run::palpate_with_input;
use serde_json::{Value, json};

fn sphere(x: f64) -> Value {
    json!({"type": "Sphere", "center": [x, 0.5, 0], "radius": 1})
}

fn compound(children: &[Value]) -> Value {
    json!({"type": "Compound", "children": children})
}

fn plane() -> Value {
    json!({"type": "Plane", "position": [0, 0, 0], "normal": [0, 1, 0]})
}

fn answer(case: &Value) -> Value {
    answers(&palpate_with_input(&["detect", "-"], &lines(std::slice::from_ref(case))).stdout).remove(0)
}

/// Depths and children of both sides.
fn told(answer: &Value) -> Vec<(Value, Value, Value)> {
    let contacts = answer["contacts"].as_array().unwrap_or_else(|| panic!("{answer}"));
    contacts.iter().map(|c| (c["depth"].clone(), c["a"]["child"].clone(), c["b"]["child"].clone())).collect()
}

#[test]
fn children_are_numbered_depth_first_and_named_by_their_contacts() {
    let inner = compound(&[sphere(3.0), json!({"type": "PointSet", "vertices": [[0, -0.25, 0]]})]);
    let a = compound(&[sphere(0.0), inner]);
    let found = answer(&json!({"a": a, "b": plane()}));
    let none = Value::Null;
    let wanted = vec![
        (json!(0.5), json!(0), none.clone()),
        (json!(0.5), json!(1), none.clone()),
        (json!(0.25), json!(2), none.clone()),
    ];
    assert_eq!((told(&found), &found["detector"]), (wanted, &json!("compound_plane")));
    let found = answer(&json!({"a": plane(), "b": a, "detector": "CompoundCD"}));
    assert_eq!(told(&found)[2], (json!(0.25), none, json!(2)));
    // Between two compounds both children are named, and in self-contact the lower child is a.
    let b = compound(&[plane(), sphere(4.5)]);
    let found = answer(&json!({"a": compound(&[sphere(0.0), sphere(3.0)]), "b": b}));
    let pairs: Vec<_> = told(&found).into_iter().map(|(_, a, b)| (a, b)).collect();
    assert_eq!(pairs, [(json!(0), json!(0)), (json!(1), json!(0)), (json!(1), json!(1))]);
    let found = answer(&json!({"a": b, "b": "self"}));
    assert_eq!(told(&found), [(json!(0.5), json!(0), json!(1))]);
}

#[test]
fn what_is_wrong_with_a_compound_is_named() {
    let message = |a: Value, b: Value| answer(&json!({"a": a, "b": b}))["error"].as_str().unwrap().to_owned();
    let wrong = compound(&[sphere(0.0), json!({"type": "Sphere", "center": [0, 0, 0], "radius": -1})]);
    assert!(message(wrong.clone(), plane()).starts_with("a.children[1].radius: found -1, wanted a number"));
    let nested = compound(&[plane(), compound(&[sphere(0.0), json!({"type": "Sfere"})])]);
    assert!(message(plane(), nested).starts_with("b.children[1].children[1].type: found \"Sfere\""));
    assert!(
        message(json!({"type": "Compound"}), plane()).starts_with("a.children: found nothing, wanted a list")
    );
    assert!(
        message(json!({"type": "Compound", "children": {}}), plane())
            .starts_with("a.children: found an object")
    );
    let keyed = json!({"type": "Compound", "children": [], "radius": 1});
    assert!(message(keyed, plane()).starts_with("a.radius: found an unknown key"));
    let refused = message(compound(&[sphere(0.0), plane()]), plane());
    assert!(
        refused.starts_with("a, b: child 1 of the first geometry: plane and plane are refused: "),
        "{refused}"
    );
    let settings = json!({"a": compound(&[sphere(0.0)]), "b": plane(), "options": {"settings": {"side": 1}}});
    let error = answer(&settings)["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("options.settings: child 0 of the first geometry: settings of"), "{error}");
    assert_eq!(told(&answer(&json!({"a": compound(&[]), "b": plane()}))), []);
}
