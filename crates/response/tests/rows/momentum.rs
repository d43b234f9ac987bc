//! Momentum of a free pair through one projection.

use crate::gradients::random_body;
use crate::sample::{Pair, Sample, count};
use nalgebra::UnitQuaternion;
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::{Body, Mapping, Positions, RigidBody, Rows, State};

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

/// Particles and bodies.
type Bodies = (Vec<Point>, Vec<RigidBody>);

/// Where one projection of all rows takes what is at `start`.
fn projected(rows: &mut Rows, start: Positions, previous: &[Point], inverse_masses: &[f64]) -> Bodies {
    let (mut particles, mut bodies) = (start.particles.to_vec(), start.bodies.to_vec());
    let state = &mut State { particles: &mut particles, previous, inverse_masses, bodies: &mut bodies };
    rows.iter_mut().for_each(|row| row.project_in(state));
    (particles, bodies)
}

/// The relative change of linear and angular momentum by one projection without friction.
fn project(sample: &mut Sample, sides: [usize; 2], depth: f64) -> [f64; 2] {
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
    rows.gather([pair.list()], at, body, |_| Material::HARD).unwrap();
    let after = projected(&mut rows, at, &previous, &masses);
    let change = momentum((&pair.positions, &bodies), (&after.0, &after.1), &masses);
    assert!(rows.get(0).unwrap().multipliers()[0] > 0.0);
    [change.linear.norm() / change.size, change.angular.norm() / change.size]
}

const TYPES: [[usize; 2]; 12] =
    [[1, 1], [1, 2], [1, 3], [2, 2], [2, 3], [3, 3], [1, 4], [4, 4], [1, 0], [2, 0], [3, 0], [0, 0]];

#[test]
fn normal_projections_conserve_both_momenta() {
    for sides in TYPES {
        let mut sample = Sample::new(20);
        for _ in 0..count() / 4 {
            let [linear, angular] = project(&mut sample, sides, 0.02);
            assert!(linear <= 1e-12 && angular <= 1e-12, "{sides:?}: {linear:e}, {angular:e}");
        }
    }
}

/// What a side moves with: an element of one to four particles, a rigid body, a particle that carries a shape, an embedded
/// vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Element(usize),
    Rigid,
    Carried,
    Embedded,
}

const SIDES: [Side; 7] = [
    Side::Element(1),
    Side::Element(2),
    Side::Element(3),
    Side::Element(4),
    Side::Rigid,
    Side::Carried,
    Side::Embedded,
];

/// What friction does to a pair: its linear and angular impulse relative to the size of their parts, and the row's account of
/// it.
struct Friction {
    linear: f64,
    angular: Vector,
    /// The distance of both points times the impulse of friction, as a vector product.
    torque: Vector,
    /// The length of that distance times the impulse.
    bound: f64,
}

/// One projection with friction beside one without: what differs is friction alone, which comes after the normal.
/// Surfaces overlap by `depth` at the contact.
fn friction(sample: &mut Sample, sides: [Side; 2], depth: f64) -> Friction {
    let vertices = sides.map(|side| match side {
        Side::Element(count) => count,
        Side::Embedded => 1,
        Side::Rigid | Side::Carried => 0,
    });
    let mut pair = Pair::random(sample, vertices, depth);
    // Both surface points within the depth of each other, as a detector reports them.
    let direction = Vector::from(pair.contact.direction);
    let shift = pair.contact.a.surface_point() + direction * depth - pair.contact.b.surface_point();
    pair.positions[4..].iter_mut().for_each(|p| *p += shift);
    pair.contact.b.point = (pair.contact.b.surface_point() + shift).into();
    let points = [pair.contact.a.surface_point(), pair.contact.b.surface_point()];
    let weights: [f64; 3] = sample.weights();
    let mappings = [0, 1].map(|side: u32| {
        // A vertex at the middle of three particles by their weights.
        let mut mapping = Mapping::default();
        mapping.push((0..3).map(|k| (4 * side + k as u32, weights[k])));
        mapping
    });
    for (side, point) in points.iter().enumerate() {
        let ids = 4 * side..4 * side + 3;
        match sides[side] {
            Side::Embedded => {
                let middle: Vector =
                    ids.clone().map(|k| pair.positions[k].coords * weights[k - 4 * side]).sum();
                pair.positions[ids].iter_mut().for_each(|p| *p += point.coords - middle);
            }
            // The particle is a radius behind the surface.
            Side::Carried => pair.positions[4 * side] += sample.vector() * 0.02,
            Side::Element(_) | Side::Rigid => {}
        }
    }
    let bodies = points.map(|point| {
        let mut body = random_body(sample, &point);
        let (velocity, spin) = (sample.vector() * 0.1, sample.vector() * 0.1);
        let pose = body.pose;
        body.predict(&velocity, &spin, 0.01);
        (body.previous, body.pose) = (body.pose, pose);
        body
    });
    let masses: Vec<f64> = (0..8).map(|_| sample.between(0.2, 3.0)).collect();
    let previous: Vec<Point> = pair.positions.iter().map(|p| p + sample.vector() * 0.001).collect();
    let body = |side: usize| match sides[side] {
        Side::Element(_) => Body::Particles(4 * side),
        Side::Rigid => Body::Rigid(side),
        Side::Carried => Body::Particle(4 * side),
        Side::Embedded => Body::Mapped(&mappings[side]),
    };
    let project = |friction: f64| -> (Bodies, Rows) {
        let mut rows = Rows::new(0.01);
        let at = Positions { particles: &pair.positions, bodies: &bodies };
        rows.gather([pair.list()], at, body, |_| Material::with_friction(friction)).unwrap();
        (projected(&mut rows, at, &previous, &masses), rows)
    };
    let ((before, normal), (after, rows)) = (project(0.0), project(0.4));
    let change = momentum((&before.0, &before.1), (&after.0, &after.1), &masses);
    let row = rows.get(0).unwrap();
    assert_eq!(row.multipliers()[0], normal.get(0).unwrap().multipliers()[0], "the normal comes first");
    let [_, first, second] = row.multipliers();
    let impulse = row.tangents()[0] * first + row.tangents()[1] * second;
    let particles = row.entries().iter().map(|entry| before.0[entry.particle as usize].coords * entry.weight);
    let arms = row.levers(&before.1);
    let arms = arms.map(|(k, lever, sign)| (before.1[k].pose.translation.vector + lever) * sign);
    let between: Vector = particles.chain(arms).sum();
    // Both sides get the impulses of the normal and of friction; positions are rounded to them.
    let size = 2.0 * row.impulse().norm();
    Friction {
        linear: change.linear.norm() / size,
        angular: change.angular / size,
        torque: between.cross(&impulse) / size,
        bound: between.norm() * impulse.norm() / size,
    }
}

/// Friction acts at the points of both sides: it leaves linear momentum, and changes angular momentum by exactly the distance of the
/// points times its impulse, for every two sides.
#[test]
fn friction_turns_by_the_gap_times_the_impulse() {
    for a in SIDES {
        for b in SIDES {
            let mut sample = Sample::new(21);
            let mut turned = 0;
            for _ in 0..count() / 8 {
                let Friction { linear, angular, torque, bound } = friction(&mut sample, [a, b], 0.02);
                assert!(linear <= 1e-12, "{a:?}, {b:?}: {linear:e}");
                let off = (angular - torque).norm();
                assert!(off <= 1e-11, "{a:?}, {b:?}: {off:e}");
                assert!(angular.norm() <= bound + 1e-11, "{a:?}, {b:?}: {angular} of {bound:e}");
                turned += usize::from(bound > 1e-9);
            }
            let may_turn = [a, b].iter().any(|side| matches!(side, Side::Rigid | Side::Carried));
            assert!(!may_turn || turned > count() / 16, "{a:?}, {b:?}: friction turns in {turned}");
        }
    }
}
