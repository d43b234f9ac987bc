//! Where shells are deepest.

use palpate_geometry::implicit::internal::Structure;
use palpate_geometry::implicit::{ImplicitFunction, Intersection, Offset};
use palpate_geometry::{Capsule, Cylinder, OrientedBox, Pose, Sphere};
use palpate_math::{Point, Vector};
use std::sync::Arc;

type Part = Arc<dyn ImplicitFunction>;

fn floor(solid: Part, hollow: Part) -> f64 {
    Intersection::difference(vec![solid, hollow]).unwrap().floor()
}

fn cylinder(x: f64, radius: f64, length: f64) -> Part {
    Arc::new(Cylinder::new(Pose::translation(x, 0.0, 0.0), radius, length).unwrap())
}

#[test]
fn a_shell_is_deepest_in_its_middle() {
    let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap());
    let grown: Part = Arc::new(Offset::new(block.clone(), 0.5).unwrap());
    assert_eq!(floor(grown, block), -0.25);
    let ball = |x: f64, r: f64| -> Part { Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), r).unwrap()) };
    assert_eq!(floor(ball(0.0, 2.0), ball(0.0, 1.5)), -0.25);
    // The thickest place of a shell about two centres.
    assert_eq!(floor(ball(0.25, 2.0), ball(0.0, 1.5)), -0.375);
    // The hollow is the solid, eroded.
    let eroded = |of: Part, by: f64| -> Part { Arc::new(Offset::new(of, -by).unwrap()) };
    let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap());
    assert_eq!(floor(block.clone(), eroded(block, 0.5)), -0.25);
    assert_eq!(floor(ball(0.0, 2.0), eroded(ball(0.0, 2.0), 0.5)), -0.25);
    assert!((floor(cylinder(0.0, 1.0, 4.0), eroded(cylinder(0.0, 1.0, 4.0), 0.5)) + 0.25).abs() < 1e-13);
    let rod = |r: f64| -> Part { Arc::new(Capsule::new(Pose::identity(), r, 3.0).unwrap()) };
    assert_eq!(floor(rod(1.0), rod(0.5)), -0.25);
    assert!((floor(cylinder(0.0, 1.0, 4.0), cylinder(0.0, 0.5, 5.0)) + 0.25).abs() < 1e-13);
    assert!((floor(cylinder(0.125, 1.0, 4.0), cylinder(0.0, 0.5, 5.0)) + 0.3125).abs() < 1e-13);
}

/// Tubes and shells about two axes, at random places: none is deeper.
#[test]
fn no_place_is_deeper() {
    let mut state = 5_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    let mut close = 0;
    for case in 0..300 {
        let aslant = if case % 2 == 0 { 0.0 } else { 1e-4 * random() };
        let pose = Pose::new(
            Vector::new(0.1 * random(), random(), 0.1 * random()),
            Vector::new(aslant, 0.0, aslant),
        );
        let hollow: Part = match case % 3 {
            0 => Arc::new(Cylinder::new(pose, 0.6, 2.0).unwrap()),
            1 => Arc::new(Capsule::new(pose, 0.6, 2.0).unwrap()),
            _ => Arc::new(OrientedBox::new(pose, Vector::new(0.4, 1.0, 0.5)).unwrap()),
        };
        let solid: Part = match case / 3 % 3 {
            0 => Arc::new(Cylinder::new(Pose::identity(), 1.0, 2.0).unwrap()),
            1 => Arc::new(Capsule::new(Pose::identity(), 1.0, 2.0).unwrap()),
            _ => Arc::new(OrientedBox::new(Pose::identity(), Vector::new(0.9, 1.0, 0.8)).unwrap()),
        };
        let hollow: Part = match case / 9 % 3 {
            0 => Arc::new(Offset::new(solid.clone(), -0.3).unwrap()),
            _ => hollow,
        };
        let body = Intersection::difference(vec![solid, hollow]).unwrap();
        let floor = body.floor();
        let values = (0..300).map(|_| body.sample(&Point::new(random(), 1.5 * random(), random())).value);
        let least = values.fold(f64::INFINITY, f64::min);
        assert!(least >= floor - 1e-14, "{case}: {least} {floor}");
        close += usize::from(least < 0.8 * floor);
    }
    assert!(close > 60, "{close}");
}
