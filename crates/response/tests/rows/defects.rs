//! What another toolkit's constraints do wrong, each in closed form: friction and rebound that never act, contacts that pull,
//! elements beside fixed vertices that are ignored, absolute velocities, lever arms that do not turn.

use crate::gradients::random_body;
use crate::sample::{Pair, Sample, feature};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion};
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::pbd::{Body, Positions, RigidBody, Rows, State, Velocities};
use palpate_response::{Material, rigid};

const STEP: f64 = 0.01;

/// The pairs of elements of deformable bodies.
const ELEMENTS: [[usize; 2]; 6] = [[1, 1], [1, 2], [2, 1], [1, 3], [3, 1], [2, 2]];

/// With a rigid body on one side, or both.
const WITH_BODIES: [[usize; 2]; 5] = [[1, 0], [0, 2], [3, 0], [0, 4], [0, 0]];

fn side_of(sides: [usize; 2]) -> impl Fn(usize) -> Body<'static> {
    move |side| if sides[side] == 0 { Body::Rigid(side) } else { Body::Particles(4 * side) }
}

/// Friction takes `μ λ w` off the slip, and the rebound is `e` times the speed of approach: of relative motion, whatever
/// velocity both sides have in common.
#[test]
fn friction_and_rebound_act_between_deformable_bodies() {
    let material = Material { restitution: 0.5, ..Material::with_friction(0.3) };
    for sides in ELEMENTS {
        let mut sample = Sample::new(70);
        for common in [Vector::zeros(), Vector::new(3.0, -2.0, 5.0)] {
            let pair = Pair::random(&mut sample, sides, 0.01);
            let mut rows = pair.rows(material);
            let row = rows.get(0).unwrap();
            let (n, t) = (row.direction(), row.tangents()[0]);
            // Side A has come from ahead by 0.02 along n and from behind by 0.2 along the tangent.
            let own = |k: usize| if k < 4 { n * -0.02 + t * 0.2 } else { Vector::zeros() };
            let previous: Vec<Point> =
                pair.positions.iter().enumerate().map(|(k, x)| x - own(k) - common * STEP).collect();
            let masses: Vec<f64> = (0..8).map(|_| sample.between(0.2, 3.0)).collect();
            let mass = row.inverse_mass(&masses, &[]);
            let mut x = pair.positions.clone();
            rows.iter_mut().for_each(|row| row.project(&mut x, &previous, &masses));
            let row = rows.get(0).unwrap();
            let multiplier = 0.01 / mass;
            assert!((row.multipliers()[0] / multiplier - 1.0).abs() < 1e-9, "{sides:?}");
            let [slip, across] = row.slip(&x, &previous);
            assert!(
                (slip - (0.2 - 0.3 * multiplier * mass)).abs() < 1e-9 && across.abs() < 1e-9,
                "{sides:?}"
            );
            assert!((row.approach_speed() - 2.0).abs() < 1e-9, "{sides:?}: {}", row.approach_speed());
            let mut speeds: Vec<Vector> =
                x.iter().zip(&previous).map(|(x, previous)| (x - previous) / STEP).collect();
            let mut velocities = Velocities { particles: &mut speeds, bodies: &mut [] };
            rows.iter_mut().for_each(|row| row.rebound_velocities(&mut velocities, &masses, &[]));
            let speed = rows.get(0).unwrap().velocity(&velocities, &[]).dot(&n);
            assert!((speed - 1.0).abs() < 1e-9, "{sides:?}: {speed}");
        }
    }
}

/// Within the margin, and sliding: no type of row moves anything.
#[test]
fn nothing_that_is_apart_is_pulled_or_rubbed() {
    for sides in ELEMENTS.into_iter().chain(WITH_BODIES) {
        let mut sample = Sample::new(71);
        for gap in [0.0, 1e-9, 0.01] {
            let pair = Pair::random(&mut sample, sides, -gap);
            let points = [pair.contact.a.surface_point(), pair.contact.b.surface_point()];
            let mut bodies = points.map(|point| random_body(&mut sample, &point));
            let previous: Vec<Point> = pair.positions.iter().map(|x| x + sample.vector() * 0.1).collect();
            let mut x = pair.positions.clone();
            let mut rows = Rows::new(STEP);
            let at = Positions { particles: &pair.positions, bodies: &bodies };
            rows.gather([pair.list()], at, side_of(sides), |_| Material::with_friction(1.0)).unwrap();
            // Exactly touching is not above a rounding error in front of zero.
            let gap = rows.get(0).unwrap().gap(at);
            if gap < 0.0 {
                continue;
            }
            let start = bodies;
            let masses = [1.0; 8];
            let mut state = State {
                particles: &mut x,
                previous: &previous,
                inverse_masses: &masses,
                bodies: &mut bodies,
            };
            (0..5).for_each(|_| rows.iter_mut().for_each(|row| row.project_in(&mut state)));
            assert_eq!((&x, bodies), (&pair.positions, start), "{sides:?} {gap}");
        }
    }
}

/// The push is along the direction alone: a vertex that a rigid body pushes keeps its place along the surface.
#[test]
fn a_push_does_not_stick() {
    for sides in ELEMENTS.into_iter().chain(WITH_BODIES) {
        let mut sample = Sample::new(72);
        let pair = Pair::random(&mut sample, sides, 0.01);
        let points = [pair.contact.a.surface_point(), pair.contact.b.surface_point()];
        let mut bodies = points.map(|point| random_body(&mut sample, &point));
        let previous: Vec<Point> = pair.positions.iter().map(|x| x + sample.vector() * 0.1).collect();
        let mut x = pair.positions.clone();
        let mut rows = Rows::new(STEP);
        let at = Positions { particles: &pair.positions, bodies: &bodies };
        rows.gather([pair.list()], at, side_of(sides), |_| Material::HARD).unwrap();
        let masses = [1.0; 8];
        let mut state =
            State { particles: &mut x, previous: &previous, inverse_masses: &masses, bodies: &mut bodies };
        rows.iter_mut().for_each(|row| row.project_in(&mut state));
        let direction = rows.get(0).unwrap().direction();
        let moved = x.iter().zip(&pair.positions).map(|(x, from)| x - from);
        assert!(moved.into_iter().all(|moved| moved.cross(&direction).norm() < 1e-15), "{sides:?}");
        assert!(rows.get(0).unwrap().multipliers()[0] > 0.0, "{sides:?}");
    }
}

/// An edge of any length, and a triangle, are met beside a fixed vertex: the vertex stays, the others and the point yield.
#[test]
fn elements_beside_fixed_vertices_have_rows() {
    for size in [0.25, 1.0, 8.0] {
        for sides in [2, 3] {
            let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]];
            let mut positions: Vec<Point> = corners.map(|corner| Point::from(corner) * size).to_vec();
            // Closest to the first vertex, which is fixed; a tenth of the size too deep.
            let weights = if sides == 2 { [0.75, 0.25, 0.0, 0.0] } else { [0.5, 0.25, 0.25, 0.0] };
            let foot: Vector = (0..3).map(|k| positions[k].coords * weights[k]).sum();
            positions[3] = Point::from(foot - Vector::y() * (0.1 * size));
            let a = Feature::vertex(3, 0, positions[3]);
            let b = feature(sides, weights, foot.into());
            let contact = Contact::exact(a, b, Vector::y(), 0.1 * size, 0);
            let list = ContactsOfPair { number: 0, geometries: [0, 0], contacts: &[contact] };
            let mut rows = Rows::new(STEP);
            rows.gather([list], &positions, |_| Body::Particles(0), |_| Material::HARD).unwrap();
            let masses = [0.0, 1.0, 1.0, 1.0];
            let mut x = positions.clone();
            rows.iter_mut().for_each(|row| row.project(&mut x, &positions, &masses));
            assert_eq!(x[0], positions[0]);
            assert!(rows.get(0).unwrap().gap(&x).abs() < 1e-15 * size);
            // The inverse mass is 1 + 1/16 for every vertex of weight 1/4.
            let mass = 1.0 + f64::from(sides as u32 - 1) / 16.0;
            assert!((x[3].y - positions[3].y - 0.1 * size / mass).abs() < 1e-15 * size);
            assert!((x[1].y + 0.25 * 0.1 * size / mass).abs() < 1e-15 * size);
        }
    }
}

/// The relative velocity of a triangle and a body is made of velocities, with the weights and the lever arm.
#[test]
fn the_velocity_of_a_row_is_relative() {
    let mut sample = Sample::new(73);
    let pair = Pair::random(&mut sample, [3, 0], 0.01);
    let point = pair.contact.b.surface_point();
    let bodies = [point; 2].map(|point| random_body(&mut sample, &point));
    let mut rows = Rows::new(STEP);
    let at = Positions { particles: &pair.positions, bodies: &bodies };
    rows.gather([pair.list()], at, side_of([3, 0]), |_| Material::HARD).unwrap();
    let mut particles: Vec<Vector> = (0..8).map(|_| sample.vector()).collect();
    let mut of_bodies = [[sample.vector(), sample.vector()], [sample.vector(), sample.vector()]];
    let weights = pair.contact.a.weights;
    let of_triangle: Vector = (0..3).map(|k| particles[k] * weights[k]).sum();
    let lever = point - Point::from(bodies[1].pose.translation.vector);
    let wanted = of_triangle - (of_bodies[1][0] + of_bodies[1][1].cross(&lever));
    let velocities = Velocities { particles: &mut particles, bodies: &mut of_bodies };
    assert!((rows.get(0).unwrap().velocity(&velocities, &bodies) - wanted).norm() < 1e-14);
}

/// The gap of a body that has turned is that of the point that turned with it.
#[test]
fn the_contact_point_turns_with_its_body() {
    let mut bodies = [RigidBody::new(Isometry3::identity(), 1.0, Vector::repeat(1.0))];
    let (point, floor) = (Point::new(1.0, 0.0, 0.0), Point::new(1.0, 0.0, 0.0));
    let contact = Contact::exact(Feature::point(point), Feature::point(floor), Vector::y(), 0.0, 0);
    let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[contact] };
    let mut rows = Rows::new(STEP);
    let side = |side| if side == 0 { Body::Rigid(0) } else { Body::Static };
    rows.gather([list], &bodies[..], side, |_| Material::HARD).unwrap();
    for degrees in [-90.0_f64, -30.0, 30.0, 90.0] {
        let angle = degrees.to_radians();
        bodies[0].pose.rotation = UnitQuaternion::from_axis_angle(&Vector::z_axis(), angle);
        assert!((rows.get(0).unwrap().gap(&bodies[..]) - angle.sin()).abs() < 1e-15);
    }
}

/// Friction of rigid bodies is against relative motion: two that fly on together do not slow each other.
#[test]
fn friction_of_rigid_bodies_is_relative() {
    let mass = |x: f64| rigid::Mass {
        center: Point::new(x, 0.0, 0.0),
        inverse: 1.0,
        inverse_inertia: Matrix3::identity(),
    };
    let contact = {
        let place = Feature::point(Point::origin());
        Contact::exact(place, place, Vector::x(), 0.0, 0)
    };
    let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[contact] };
    let together = Vector::new(1.0, 4.0, -2.0);
    let velocity = |x: f64| rigid::Velocity { linear: together + Vector::x() * x, angular: Vector::zeros() };
    let mut velocities = [velocity(-1.0), velocity(1.0)];
    let mut rows = rigid::Rows::new(rigid::Settings::new(STEP));
    let body = rigid::Body::Dynamic;
    rows.gather([list], &[mass(1.0), mass(-1.0)], &velocities, body, |_| Material::with_friction(1.0))
        .unwrap();
    (0..10).for_each(|_| rows.iter_mut().for_each(|row| row.solve(&mut velocities)));
    assert_eq!(rows.get(0).unwrap().impulses(), [1.0, 0.0, 0.0]);
    assert!(velocities.iter().all(|velocity| (velocity.linear - together).norm() < 1e-15));
}
