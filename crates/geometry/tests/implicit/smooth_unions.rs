//! Smooth unions.

use palpate_geometry::implicit::internal::Structure;
use palpate_geometry::implicit::{Cell, CellValues, ImplicitBody, ImplicitFunction, Offset, SmoothUnion};
use palpate_geometry::{Capsule, Cylinder, Ellipsoid, OrientedBox, Pose, Sphere};
use palpate_math::nearest::segment_segment;
use palpate_math::{Point, Vector};
use std::sync::Arc;

fn two_balls() -> SmoothUnion {
    let ball = |x: f64| -> Arc<dyn ImplicitFunction> {
        Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap())
    };
    SmoothUnion::new(vec![ball(-1.5), ball(1.5)], 2.0).unwrap()
}

#[test]
fn the_seam_is_filled_and_far_from_it_nothing_changes() {
    // Half-way both are 0.5 away: minus a quarter of the radius.
    let seam = two_balls().sample(&Point::origin());
    assert_eq!(seam.value, 0.0);
    assert_eq!(seam.gradient.norm(), 0.0, "a saddle");
    assert_eq!(two_balls().sample(&Point::new(5.0, 0.0, 0.0)).value, 2.5);
}

/// Against samples all around, and for two rods at the closest places of their axes, where the lowest value is.
#[test]
fn no_value_is_below_the_floor() {
    let rod = |x: f64, turn: f64, radius: f64| -> Arc<dyn ImplicitFunction> {
        let pose = Pose::new(Vector::new(x, 0.0, 0.1), Vector::new(0.0, 0.3, turn));
        Arc::new(Capsule::new(pose, radius, 1.0).unwrap())
    };
    let block: Arc<dyn ImplicitFunction> =
        Arc::new(OrientedBox::new(Pose::identity(), Vector::new(0.5, 0.3, 0.2)).unwrap());
    let cases = [
        (vec![rod(-0.2, 0.0, 0.2), rod(0.2, 1.2, 0.25)], true),
        (vec![rod(-0.1, 0.0, 0.2), rod(0.1, 0.0, 0.1)], true),
        (vec![rod(-0.7, 0.0, 0.2), rod(0.7, 0.4, 0.25)], true),
        (vec![block.clone(), rod(0.1, 0.5, 0.25)], false),
        (vec![block, rod(0.1, 0.5, 0.25), rod(-0.3, 0.2, 0.2)], false),
    ];
    for (number, (parts, is_met)) in cases.into_iter().enumerate() {
        let union = SmoothUnion::new(parts.clone(), 0.3).unwrap();
        let mut lowest = f64::INFINITY;
        for k in 0..8000 {
            let at = [k % 20, k / 20 % 20, k / 400].map(|n| f64::from(n) / 10.0 - 0.95);
            lowest = lowest.min(union.sample(&Point::from(at)).value);
        }
        if let (Some(([a, b], _)), Some(([c, d], _))) =
            (parts[0].rounded_segment(), parts[1].rounded_segment())
        {
            let nearest = segment_segment(&a, &b, &c, &d);
            let ends = [nearest.point_a, nearest.point_b];
            lowest = ends.iter().map(|end| union.sample(end).value).fold(lowest, f64::min);
        }
        let floor = union.floor();
        assert!(floor <= lowest + 1e-15 && floor > lowest - 0.1, "{number}: {floor} {lowest}");
        assert!(!is_met || lowest - floor < 1e-14, "{number}: {floor} {lowest}");
    }
}

#[test]
fn the_gradient_is_the_slope_and_no_steeper_than_the_parts() {
    for k in 0..60 {
        let x = -3.0 + 0.1 * f64::from(k);
        let place = Point::new(x, 0.7, 0.3);
        let gradient = two_balls().sample(&place).gradient;
        for axis in 0..3 {
            let mut step = Vector::zeros();
            step[axis] = 1e-6;
            let slope = (two_balls().sample(&(place + step)).value
                - two_balls().sample(&(place - step)).value)
                / 2e-6;
            assert!((slope - gradient[axis]).abs() < 1e-8, "{slope} {}", gradient[axis]);
        }
        assert!(gradient.norm() <= 1.0 + 1e-15);
    }
}

#[test]
fn the_bound_holds_over_cells_and_closes_with_the_square_of_their_size() {
    for k in 0..50 {
        let s = f64::from(k) / 25.0;
        let mut gaps = [0.0; 2];
        for (gap, size) in gaps.iter_mut().zip([1.0, 0.5]) {
            let middle = Point::new(s - 1.0, 0.9, 0.1 * s);
            let corners = [[-1.0, 0.3, 0.0], [0.8, -0.2, 0.4], [0.2, -0.1, -0.4]]
                .map(|[x, y, z]| middle + Vector::new(x, y, z) * (0.3 * size));
            let cell = Cell::new(&corners);
            let below = two_balls().bound_below(&cell);
            for (corner, below) in corners.iter().zip(below) {
                *gap = f64::max(*gap, two_balls().sample(corner).value - below);
            }
            let center = two_balls().sample(&cell.center).value;
            assert!(below[..3].iter().sum::<f64>() / 3.0 <= center + 1e-15);
        }
        assert!(gaps[1] <= 0.3 * gaps[0] + 1e-12, "{gaps:?}");
    }
}

/// Eggs, boxes and cylinders, whose distances have creases inside: around a crease there are several bounds, each nowhere above the
/// value, and together they are tighter than their best mixture.
#[test]
fn every_bound_holds_where_the_parts_have_creases() {
    let pose = |x: f64, turn: f64| Pose::new(Vector::new(x, 0.0, 0.1 * turn), Vector::new(0.2, turn, 0.3));
    let egg = |x, turn| Arc::new(Ellipsoid::new(pose(x, turn), Vector::new(0.7, 0.3, 0.4)).unwrap());
    let block = |x, turn| Arc::new(OrientedBox::new(pose(x, turn), Vector::new(0.8, 0.3, 0.25)).unwrap());
    let disc = |x, turn| Arc::new(Cylinder::new(pose(x, turn), 0.5, 0.4).unwrap());
    let bodies: [Vec<Arc<dyn ImplicitFunction>>; 3] = [
        vec![egg(-0.3, 0.0), egg(0.3, 0.8)],
        vec![block(0.0, 0.0), block(0.2, 1.2)],
        vec![disc(-0.2, 0.4), egg(0.1, 0.2), block(0.3, 0.5)],
    ];
    let (mut state, mut several, mut tighter, mut tight) = (23_u64, 0, 0, 0);
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1 << 23) - 1.0
    };
    for (number, parts) in (0..600).flat_map(|_| &bodies).enumerate() {
        let body: Arc<dyn ImplicitFunction> = Arc::new(SmoothUnion::new(parts.clone(), 0.3).unwrap());
        let distance = [0.1, -0.05][number % 2];
        let grown = Offset::new(body.clone(), distance).unwrap();
        let placed = ImplicitBody::new(pose(0.4, 0.7), body.clone()).unwrap().with_scale(2.0).unwrap();
        let middle = Point::new(0.5 * random(), 0.2 * random(), 0.2 * random());
        let size = [0.02, 0.1, 0.3][number / 3 % 3];
        let corners: [Point; 4] = std::array::from_fn(|_| middle + Vector::from_fn(|_, _| random()) * size);
        let cell = Cell::new(&corners);
        let mut bounds = Vec::new();
        body.bounds_below(&cell, &mut |bound| {
            bounds.push(bound);
            false
        });
        assert_eq!(bounds[0][..4], body.bound_below(&cell)[..4]);
        several += usize::from(bounds.len() > 1);
        // At a corner, inside, and beside the cell.
        let place = corners[0] + (middle - corners[0]) * (number % 4) as f64;
        let about = body.bound_about(&cell, &place).unwrap();
        assert!(about[0] <= body.sample(&corners[0]).value + 1e-14);
        let with_offset = grown.bound_about(&cell, &place).unwrap();
        assert!((0..4).all(|k| (with_offset[k] - about[k] + distance).abs() < 1e-15));
        let (world, of_world) =
            (|p: &Point| placed.pose() * (p * 2.0), corners.map(|p| placed.pose() * (p * 2.0)));
        let of_placed = (&placed as &dyn ImplicitFunction).bound_about(&Cell::new(&of_world), &world(&place));
        assert!((0..4).all(|k| (of_placed.unwrap()[k] - 2.0 * about[k]).abs() < 1e-13));
        tight += usize::from(number % 4 == 0 && about[0] > body.sample(&corners[0]).value - 1e-12);
        let mut is_tighter = false;
        for _ in 0..40 {
            let shares: [f64; 4] = std::array::from_fn(|_| random().abs());
            let weights = shares.map(|share| share / shares.iter().sum::<f64>());
            let place = corners.iter().zip(weights).map(|(corner, w)| corner.coords * w).sum::<Vector>();
            let value = body.sample(&Point::from(place)).value;
            let at = |bound: &CellValues| weights.iter().zip(bound).map(|(w, v)| w * v).sum::<f64>();
            let holds = |bound: &CellValues| at(bound) <= value + 1e-14;
            assert!(bounds.iter().chain([&about]).all(holds), "{number}: {value} {bounds:?} {about:?}");
            is_tighter |= bounds[1..].iter().any(|bound| at(bound) > at(&bounds[0]) + 1e-3 * size);
        }
        tighter += usize::from(is_tighter);
    }
    assert!(several > 500 && tighter > 300 && tight == 450, "{several} {tighter} {tight}");
}
