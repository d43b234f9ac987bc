//! Directional depth and sampled depth, compared with each other and with the contact.

#[allow(dead_code, clippy::unwrap_used, unreachable_pub)]
mod any;
#[allow(dead_code, clippy::unwrap_used, clippy::should_implement_trait, unreachable_pub)]
mod pairs;

use any::{Any, Curved, Vector};
use nalgebra::{Vector2, Vector3};
use pairs::Pairs;
use palpate_convex::{
    Core, Cuboid, Memory, Points, RigidTransform, Settings, contact, directional_depth, overlap_along,
    sampled_depth,
};

fn size(shape: &Any) -> f64 {
    let shape = Curved(shape.clone());
    shape.bounding_radius() + shape.radius()
}

/// Along every direction: depth ≤ directional depth ≤ overlap along it. The sampled depth is the least of such
/// overlaps, so it is no less than the directional depth along its own direction, and that no less than the depth.
#[test]
fn each_bounds_the_next() {
    let mut pairs = Pairs::new(5);
    let (mut deep, mut less) = (0, 0);
    for _ in 0..3000 {
        let pair = pairs.next();
        let (a, b) = (Curved(pair.a.clone()), Curved(pair.b.clone()));
        let (a, b) = ((&a, &pair.pose_a), (&b, &pair.pose_b));
        let settings = Settings::default();
        let answer = contact(a, b, &mut Memory::default(), &settings);
        let (sampled, direction) = sampled_depth(a, b, 200);
        let length = size(&pair.a) + size(&pair.b);
        let place = (pair.pose_b.translation - pair.pose_a.translation).amax();
        let slack = 1e-9 * length + 2e-14 * place + 4.0 * f64::EPSILON * pair.pose_a.translation.amax();
        // The same two supports, through another chain of frames.
        assert!((overlap_along(a, b, direction) - sampled).abs() <= slack, "{pair:?}");
        assert!(sampled >= answer.depth_lower - slack, "{pair:?}: {sampled} {answer:?}");
        if answer.depth_lower <= slack {
            continue;
        }
        deep += 1;
        let moved = directional_depth(a, b, direction, &settings);
        assert!(moved.depth <= sampled + slack, "{pair:?}: {moved:?} {sampled}");
        assert!(moved.depth >= answer.depth_lower - slack, "{pair:?}: {moved:?} {answer:?}");
        less += usize::from(moved.depth < sampled - 0.01 * length);
        // Along the contact's own direction both are equal.
        let own = directional_depth(a, b, answer.direction, &settings);
        assert!(own.depth <= answer.depth_upper + slack, "{pair:?}: {own:?} {answer:?}");
        assert!(own.depth >= answer.depth_lower - slack, "{pair:?}: {own:?} {answer:?}");
    }
    assert!(deep > 800 && less > 20, "{deep} {less}");
}

/// The depth is the minimum directional depth: many directions approach it from above, closer the more there are.
#[test]
fn the_least_of_many_directions_comes_near_the_depth() {
    let mut pairs = Pairs::new(6);
    let mut deep = 0;
    let mut worse = [0.0_f64; 2];
    for _ in 0..400 {
        let pair = pairs.next();
        let (a, b) = (Curved(pair.a.clone()), Curved(pair.b.clone()));
        let (a, b) = ((&a, &pair.pose_a), (&b, &pair.pose_b));
        let answer = contact(a, b, &mut Memory::default(), &Settings::default());
        let length = size(&pair.a) + size(&pair.b);
        if answer.depth <= 1e-3 * length {
            continue;
        }
        deep += 1;
        for (worst, count) in worse.iter_mut().zip([100, 10_000]) {
            let over = (sampled_depth(a, b, count).0 - answer.depth_lower) / length;
            *worst = worst.max(over);
        }
    }
    // Half the widest gap between directions, which is about √(4π/count) wide, times the largest offset of a point of
    // the difference perpendicular to the direction: its size, at most twice.
    let hole = |count: f64| (4.0 * std::f64::consts::PI / count).sqrt();
    assert!(deep > 100 && worse[0] <= hole(100.0) && worse[1] <= hole(10_000.0), "{deep} {worse:?}");
    assert!(worse[1] < 0.2 * worse[0], "{worse:?}");
}

/// Two boxes a unit apart along y: the minimum overlap is along y, and no sample is below it.
#[test]
fn sampling_estimates_from_above() {
    let shape = Cuboid { half_extents: Vector3::repeat(1.0) };
    let (place, away) = (RigidTransform::identity(), RigidTransform::at(Vector3::new(0.3, 1.2, -0.1)));
    let (few, _) = sampled_depth((&shape, &place), (&shape, &away), 10);
    let (many, direction): (f64, Vector) = sampled_depth((&shape, &place), (&shape, &away), 10_000);
    assert!(few >= many && (0.8..0.85).contains(&many), "{few} {many}");
    assert!(direction.y < -0.99, "{direction}");
}

/// In 2D, along directions of the circle: a square of side 2 separates from an equal one by whichever side it clears
/// first.
#[test]
fn a_square_leaves_a_square() {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vector2::new(x, y));
    let square = Points::new(corners.to_vec()).expect("four corners");
    let (place, away) = (RigidTransform::identity(), RigidTransform::at(Vector2::new(0.5, 0.25)));
    for step in 0..64 {
        let turn = std::f64::consts::TAU * f64::from(step) / 64.0 + 0.01;
        let d = Vector2::new(turn.cos(), turn.sin());
        let moved = directional_depth((&square, &place), (&square, &away), d, &Settings::default());
        // A moves by t d; it is clear when |t d - away| reaches 2 along an axis, on the far side.
        let clear = |d: f64, away: f64| (2.0 + away * d.signum()) / d.abs();
        let wanted = clear(d.x, 0.5).min(clear(d.y, 0.25));
        assert!((moved.depth - wanted).abs() < 1e-12 && moved.converged, "{turn}: {moved:?} {wanted}");
    }
}
