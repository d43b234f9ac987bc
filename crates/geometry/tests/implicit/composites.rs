//! Unions, intersections, differences, offsets.

use palpate_geometry::implicit::{
    Cell, CellValues, Exactness, ImplicitFunction, Intersection, Offset, Union,
};
use palpate_geometry::{OrientedBox, Plane, Pose, Sphere};
use palpate_math::{Point, Vector};
use std::sync::Arc;

type Part = Arc<dyn ImplicitFunction>;

fn ball(x: f64, radius: f64) -> Part {
    Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), radius).unwrap())
}

fn slab(half: f64) -> Part {
    Arc::new(OrientedBox::new(Pose::identity(), Vector::new(half, 4.0, 4.0)).unwrap())
}

fn value(function: &dyn ImplicitFunction, x: f64, y: f64) -> f64 {
    function.sample(&Point::new(x, y, 0.0)).value
}

#[test]
fn a_union_is_exact_outside() {
    let union = Union::new(vec![ball(-1.0, 2.0), ball(1.0, 2.0)]).unwrap();
    assert_eq!((value(&union, 5.0, 0.0), value(&union, 0.0, 0.0)), (2.0, -1.0));
    assert_eq!(union.exactness(), Exactness { inside: false, outside: true });
    assert_eq!(union.lipschitz(), Some(1.0));
    let bounds = union.sublevel_bounds(0.0);
    assert!(-3.0 - 1e-14 < bounds.min.x && bounds.min.x <= -3.0, "{bounds:?}");
    assert!(3.0 <= bounds.max.x && bounds.max.x < 3.0 + 1e-14, "{bounds:?}");
}

#[test]
fn an_intersection_is_exact_inside() {
    let lens = Intersection::new(vec![ball(-1.0, 2.0), ball(1.0, 2.0)]).unwrap();
    assert_eq!((value(&lens, 0.0, 0.0), value(&lens, 3.0, 0.0)), (-1.0, 2.0));
    assert_eq!(lens.exactness(), Exactness { inside: true, outside: false });
    assert!(lens.is_convex() && lens.sublevel_bounds(0.0).max.x < 1.001);
}

#[test]
fn a_difference_has_the_hole_of_what_is_taken_away() {
    let shell = Intersection::difference(vec![ball(0.0, 4.0), ball(0.0, 2.0)]).unwrap();
    assert_eq!((value(&shell, 1.0, 0.0), value(&shell, 3.0, 0.0), value(&shell, 5.0, 0.0)), (1.0, -1.0, 1.0));
    let in_the_hole = shell.sample(&Point::new(1.0, 0.0, 0.0));
    assert_eq!(in_the_hole.gradient, -Vector::x());
    assert_eq!(shell.exactness(), Exactness { inside: true, outside: false });
    assert!(!shell.is_convex() && shell.sublevel_bounds(0.0).max.x < 4.001);
}

#[test]
fn an_offset_of_a_convex_body_is_a_distance_when_it_grows() {
    let grown = Offset::new(slab(1.0), 0.5).unwrap();
    assert_eq!((value(&grown, 2.5, 0.0), value(&grown, 0.0, 0.0)), (1.0, -1.5));
    assert!(grown.exactness().is_distance() && grown.sublevel_bounds(0.0).max.x >= 1.5);
    let shrunk = Offset::new(slab(1.0), -0.5).unwrap();
    assert_eq!(shrunk.exactness(), Exactness { inside: true, outside: false });
    let pair: Part = Arc::new(Union::new(vec![ball(0.0, 1.0), ball(3.0, 1.0)]).unwrap());
    assert_eq!(Offset::new(pair, 0.5).unwrap().exactness(), Exactness { inside: false, outside: true });
    assert!(Offset::new(slab(1.0), f64::NAN).is_err());
}

#[test]
fn nothing_is_no_composite() {
    let error = Union::new(Vec::new()).err().unwrap().to_string();
    assert_eq!(error, "the list of a union's bodies is empty: wanted at least one");
    assert!(Intersection::new(Vec::new()).is_err() && Intersection::difference(Vec::new()).is_err());
}

/// A half-space minus a ball: over random triangles the bounds of the composites hold at every sampled point.
#[test]
fn the_bounds_hold_over_cells() {
    let floor: Part = Arc::new(Plane::new(Point::origin(), Vector::new(0.2, 1.0, 0.1)).unwrap());
    let functions: Vec<Part> = vec![
        Arc::new(Union::new(vec![ball(-1.0, 2.0), floor.clone()]).unwrap()),
        Arc::new(Intersection::new(vec![ball(-1.0, 2.0), floor.clone()]).unwrap()),
        Arc::new(Intersection::difference(vec![floor.clone(), ball(0.5, 1.0), slab(0.3)]).unwrap()),
        Arc::new(Offset::new(slab(1.0), 0.25).unwrap()),
    ];
    for k in 0..40 {
        let s = f64::from(k) / 10.0;
        let corners =
            [[-2.0 + s, 0.5, 0.2], [1.5, -0.5 + 0.2 * s, 0.1 - s], [0.2 * s, 1.0, 1.0]].map(Point::from);
        let cell = Cell::new(&corners);
        for function in &functions {
            let (below, above) = (function.bound_below(&cell), function.bound_above(&cell));
            for i in 0..=10 {
                for j in 0..=10 - i {
                    let w = [f64::from(i) / 10.0, f64::from(j) / 10.0, f64::from(10 - i - j) / 10.0];
                    let at = |list: &CellValues| w[0] * list[0] + w[1] * list[1] + w[2] * list[2];
                    let place =
                        corners[0].coords * w[0] + corners[1].coords * w[1] + corners[2].coords * w[2];
                    let value = function.sample(&Point::from(place)).value;
                    assert!(at(&below) <= value + 1e-13 && value <= at(&above) + 1e-13);
                }
            }
        }
    }
}
