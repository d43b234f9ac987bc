//! Hulls that move little: the search from the last step's contact, and the search from scratch.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::pose::{from_rotation, rotation_from_angles_xyz};
use palpate_geometry::{Convex, Geometry, Pose};
use palpate_math::{Point, Vector};
use serde_json::json;

/// A hull of random points of the unit cube, placed.
fn hull(number: &mut impl FnMut() -> f64, pose: Pose) -> Convex {
    let points: Vec<Point> = (0..24).map(|_| Point::new(number(), number(), number())).collect();
    Convex::new(pose, &points).unwrap()
}

/// Bodies that touch, part and touch again: the same contacts, depths to rounding.
#[test]
fn the_last_step_changes_no_contact() {
    let mut state = 11_u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 23) as f64 - 1.0
    };
    let registry = Registry::standard();
    let context = Context::new().with_margin(0.02);
    let settings = json!({ "coherent": true });
    let (mut touching, mut apart) = (0, 0);
    for _ in 0..40 {
        let a = hull(&mut number, Pose::identity());
        let mut b = hull(&mut number, Pose::identity());
        let axis = Vector::new(number(), number(), number());
        let mut coherent = registry.bind(&a, &b, Choice::default().with_settings(&settings)).unwrap();
        let mut scratch = registry.bind(&a, &b, Choice::default()).unwrap();
        assert_eq!((coherent.name(), scratch.name()), ("convex_convex", "convex_convex"));
        let (mut found, mut expected) = (CollisionData::new(), CollisionData::new());
        for step in 0..60 {
            let s = f64::from(step);
            let away = 1.5 + 0.6 * (s * 0.1).sin();
            let rotation =
                rotation_from_angles_xyz([axis.x, axis.y, axis.z].map(|angle| angle * 1e-2 * s)).unwrap();
            let pose = from_rotation(Point::new(away, 0.0, 0.0), rotation).unwrap();
            Geometry::set_pose(&mut b, pose).unwrap();
            coherent.run(&a, &b, &context, &mut found).unwrap();
            scratch.run(&a, &b, &context, &mut expected).unwrap();
            let ids = |out: &CollisionData| out.contacts.iter().map(|contact| contact.id).collect::<Vec<_>>();
            assert_eq!(ids(&found), ids(&expected), "step {step}");
            for (contact, other) in found.contacts.iter().zip(&expected.contacts) {
                assert!((contact.depth - other.depth).abs() < 1e-12, "{} {}", contact.depth, other.depth);
                let turned = Vector::from(contact.direction) - Vector::from(other.direction);
                assert!(turned.norm() < 1e-9, "step {step}: {turned}");
            }
            if found.is_empty() { apart += 1 } else { touching += 1 }
        }
    }
    assert!(touching > 500 && apart > 500, "{touching} {apart}");
}
