//! A static detector reads the current state alone: a geometry that comes from elsewhere has the contacts of one made where it is.

use crate::all_cases::{ALL, DetectorCases, REGISTRY};
use palpate_geometry::Geometry;
use palpate_math::Vector;
use palpate_tests::{ALL_NEEDS, Regime, Shape, Subject};

/// How far the geometries were before, in metres and in sizes of the case.
const WAYS: [[f64; 2]; 3] = [[0.0, 0.01], [0.0, 3.0], [1e6, 0.0]];

/// The shape's geometry, which was elsewhere in the previous step.
fn moved(shape: &Shape, way: &Vector) -> Box<dyn Geometry> {
    let mut geometry = shape.shifted(way).prepared();
    geometry.advance();
    shape.place(geometry.as_mut());
    geometry.prepare(ALL_NEEDS);
    geometry
}

// Proves: REQ-PRESENT
#[test]
fn contacts_do_not_depend_on_the_previous_state() {
    let subject = Subject::new(&REGISTRY);
    let (mut failures, mut judged) = (Vec::new(), 0);
    for DetectorCases { entry, cases } in ALL.iter() {
        let mut of_detector = 0;
        for case in cases.iter().filter(|case| case.number < 6 || case.regime == Regime::Near) {
            let wanted = subject.contacts(case).unwrap();
            for [metres, sizes] in WAYS {
                let way = Vector::new(1.0, -0.5, 0.75) * (metres + sizes * case.size());
                let [a, b] = [moved(&case.a, &way), moved(&case.b, &-way)];
                let found = subject.contacts_of(case, a.as_ref(), b.as_ref()).unwrap();
                of_detector += usize::from(!wanted.is_empty());
                if !found.same_bits(&wanted) {
                    let reason =
                        format!("from {metres} m and {sizes} sizes away: {found:?}, wanted {wanted:?}");
                    failures.push(case.failure("history", &reason));
                }
            }
        }
        assert!(of_detector >= 12, "{}: {of_detector} cases with contacts", entry.name);
        judged += of_detector;
    }
    let shown: Vec<&str> = failures.iter().map(String::as_str).take(6).collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), shown.join("\n"));
    assert!(judged > 1000, "only {judged} cases with contacts");
}
