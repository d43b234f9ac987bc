//! A body that is given another geometry is guarded as that.

use palpate_geometry::{Geometry, ImplicitBody, OrientedBox, Plane, Pose, Sphere};
use palpate_math::{Point, Vector};
use palpate_response::ResponseError;
use palpate_response::guard::{Guard, GuardedBody, Moves, Start};
use std::sync::Arc;

/// Metres.
const DISTANCE: f64 = 1e-3;

/// A body whose lowest point is 4 mm above the ground falls by 20 mm, held: the height of its lowest point.
fn falls(guard: &mut Guard, half: f64) -> f64 {
    let start = [Pose::translation(0.0, half + 0.004, 0.0)];
    let mut end = [Pose::translation(0.0, half - 0.016, 0.0)];
    let held = guard.hold(Start { particles: &[], poses: &start }, &mut [], &mut end).unwrap();
    assert_eq!(held.shortened.len(), 1);
    end[0].translation.vector.y - half
}

fn guard_of(floor: &dyn Geometry, body: &dyn Geometry) -> (Guard, GuardedBody) {
    let mut guard = Guard::new();
    let floor = guard.add(floor, Moves::Fixed).unwrap();
    let body = guard.add(body, Moves::Body(0)).unwrap();
    guard.add_pair(floor, body, DISTANCE).unwrap();
    (guard, body)
}

/// Above a floor, and above a body that is given by a function: of a larger ball the radius counts, of a larger box the box.
#[test]
fn a_larger_body_is_held_higher() {
    let floor = Plane::new(Point::origin(), Vector::y()).unwrap();
    let block = OrientedBox::new(Pose::translation(0.0, -0.5, 0.0), Vector::repeat(0.5)).unwrap();
    let block = ImplicitBody::new(Pose::identity(), Arc::new(block)).unwrap();
    let ball = |radius: f64| -> Box<dyn Geometry> { Box::new(Sphere::new(Point::origin(), radius).unwrap()) };
    let cube = |half: f64| -> Box<dyn Geometry> {
        Box::new(OrientedBox::new(Pose::identity(), Vector::repeat(half)).unwrap())
    };
    for floor in [&floor as &dyn Geometry, &block] {
        for of in [&ball as &dyn Fn(f64) -> Box<dyn Geometry>, &cube] {
            let (mut guard, body) = guard_of(floor, &*of(0.01));
            for half in [0.01, 0.05, 0.02] {
                guard.replace(body, &*of(half)).unwrap();
                let height = falls(&mut guard, half);
                assert!((0.999 * DISTANCE..0.004).contains(&height), "{half}: {height}");
            }
        }
    }
}

/// The radius of the new ball leaves nothing to be kept: the guard goes on with the old one.
#[test]
fn a_body_that_cannot_be_kept_apart_replaces_nothing() {
    let floor = Plane::new(Point::origin(), Vector::y()).unwrap();
    let ball = |radius: f64| Sphere::new(Point::origin(), radius).unwrap();
    let mut guard = Guard::new();
    let [ground, body] =
        [guard.add(&floor, Moves::Fixed).unwrap(), guard.add(&ball(0.05), Moves::Body(0)).unwrap()];
    guard.add_pair(ground, body, -0.015).unwrap();
    let replaced = guard.replace(body, &ball(0.01));
    assert!(matches!(replaced, Err(ResponseError::GuardedDistance { pair: 0, .. })), "{replaced:?}");
    assert!(falls(&mut guard, 0.05) >= -0.0151);
    guard.forget();
    let mut velocities = [[Vector::y(); 2]];
    guard.slow_bodies(&mut velocities, 0.01);
    assert_eq!(velocities, [[Vector::y(); 2]]);
}
