//! Momentum of a free pair through one projection.

use crate::gradients::random_body;
use crate::sample::{Pair, Sample, count};
use nalgebra::UnitQuaternion;
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::{Body, Positions, RigidBody, Rows, State};

/// Linear and angular momentum of displacements about the origin, times the step; and the size of their parts.
struct Momentum {
    linear: Vector,
    angular: Vector,
    size: f64,
}

fn momentum(before: (&[Point], &[RigidBody]), after: (&[Point], &[RigidBody]), masses: &[f64]) -> Momentum {
    let mut sum = Momentum { linear: Vector::zeros(), angular: Vector::zeros(), size: 0.0 };
    let mut add = |place: &Vector, part: Vector, spin: Vector| {
        sum.linear += part;
        sum.angular += place.cross(&part) + spin;
        sum.size += part.norm();
    };
    for (k, (from, to)) in before.0.iter().zip(after.0).enumerate() {
        add(&from.coords, (to - from) / masses[k], Vector::zeros());
    }
    for (from, to) in before.1.iter().zip(after.1) {
        let moved = to.pose.translation.vector - from.pose.translation.vector;
        let turn: UnitQuaternion<f64> = to.pose.rotation * from.pose.rotation.inverse();
        // The inertia in the world frame before the correction.
        let local = from.pose.rotation.inverse_transform_vector(&turn.scaled_axis());
        let spin = from.pose.rotation * local.component_div(&from.inverse_inertia);
        add(&from.pose.translation.vector, moved / from.inverse_mass, spin);
    }
    sum
}

/// The relative change of linear and angular momentum by one projection, and the torque that friction may leave.
fn project(sample: &mut Sample, sides: [usize; 2], depth: f64, friction: f64) -> [f64; 3] {
    let pair = Pair::random(sample, sides, depth);
    let points = [pair.contact.a.surface_point(), pair.contact.b.surface_point()];
    let mut bodies = points.map(|point| random_body(sample, &point)).to_vec();
    for body in &mut bodies {
        let (velocity, spin) = (sample.vector() * 0.1, sample.vector() * 0.1);
        let pose = body.pose;
        body.predict(&velocity, &spin, 0.01);
        (body.previous, body.pose) = (body.pose, pose);
    }
    let masses: Vec<f64> = (0..8).map(|_| sample.between(0.2, 3.0)).collect();
    let previous: Vec<Point> = pair.positions.iter().map(|p| p + sample.vector() * 0.001).collect();
    let mut rows = Rows::new(0.01);
    let body = |side| if sides[side] == 0 { Body::Rigid(side) } else { Body::Particles(4 * side) };
    let at = Positions { particles: &pair.positions, bodies: &bodies };
    rows.gather([pair.list()], at, body, |_| Material::with_friction(friction)).unwrap();
    let mut particles = pair.positions.clone();
    let start = bodies.clone();
    let state = &mut State {
        particles: &mut particles,
        previous: &previous,
        inverse_masses: &masses,
        bodies: &mut bodies,
    };
    rows.iter_mut().for_each(|row| row.project_in(state));
    let change = momentum((&pair.positions, &start), (&particles, &bodies), &masses);
    let row = rows.get(0).unwrap();
    let [normal, first, second] = row.multipliers();
    assert!(normal > 0.0);
    // Friction acts at both witness points, which are apart by this much.
    let apart = (points[0] - points[1]).norm();
    let torque = apart * first.hypot(second);
    [change.linear.norm() / change.size, change.angular.norm() / change.size, torque / change.size]
}

const TYPES: [[usize; 2]; 12] =
    [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3], [1, 4], [4, 4], [1, 0], [2, 0], [3, 0], [0, 0]];

#[test]
fn normal_projections_conserve_both_momenta() {
    for sides in TYPES {
        let mut sample = Sample::new(20);
        for _ in 0..count() / 4 {
            let [linear, angular, _] = project(&mut sample, sides, 0.02, 0.0);
            assert!(linear <= 1e-12 && angular <= 1e-12, "{sides:?}: {linear:e}, {angular:e}");
        }
    }
}

#[test]
fn friction_conserves_linear_momentum_and_turns_by_the_gap_times_the_impulse() {
    for sides in TYPES {
        let mut sample = Sample::new(21);
        let mut torques = 0;
        for _ in 0..count() / 4 {
            let [linear, _, _] = project(&mut sample, sides, 0.02, 0.4);
            assert!(linear <= 1e-12, "{sides:?}: {linear:e}");
            let [_, angular, torque] = project(&mut sample, sides, 0.002, 0.4);
            // The normal correction comes first and turns a rigid body a little under the friction impulse.
            let turned = if sides.contains(&0) { 0.1 * torque + 1e-3 } else { 1e-11 };
            assert!(angular <= torque + turned, "{sides:?}: {angular:e} of {torque:e}");
            torques += usize::from(torque > 1e-3);
        }
        assert!(torques > count() / 8, "{sides:?}: friction acts in {torques}");
    }
}
