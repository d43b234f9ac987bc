//! Rolling friction against the motion of a ball on a plane in closed form: without slip it slows down by
//! `b g / (1.4 r)`, where `b` is the coefficient and `r` the radius.

use nalgebra::Isometry3;
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::{Material, pbd, rigid};

const RADIUS: f64 = 0.005; // metres
const STEP: f64 = 5e-5; // seconds: by positions a ball gains some of its speed times the step
const SPEED: f64 = 0.03; // metres per second
const GRAVITY: f64 = 9.81;
const INVERSE_MOMENT: f64 = 1.0 / (0.4 * RADIUS * RADIUS); // of one kilogram

/// A ball on the plane y = 0; the ball is geometry 0.
fn contact(center: &Vector) -> Contact {
    let bottom = Point::new(center.x, center.y - RADIUS, center.z);
    let below = Point::new(center.x, 0.0, center.z);
    Contact::exact(Feature::point(bottom), Feature::point(below), Vector::y(), -bottom.y, 0)
}

fn material(coefficient: f64) -> Material {
    Material { rolling_friction: coefficient, ..Material::with_friction(0.5) }
}

/// The speed after so many steps, by impulses.
fn by_impulses(coefficient: f64, steps: usize) -> f64 {
    let mut pose = Isometry3::translation(0.0, RADIUS, 0.0);
    let rolling = -Vector::z() * (SPEED / RADIUS);
    let mut velocities = [rigid::Velocity { linear: Vector::x() * SPEED, angular: rolling }];
    let mut rows = rigid::Rows::new(rigid::Settings::new(STEP));
    for _ in 0..steps {
        velocities[0].linear.y -= GRAVITY * STEP;
        let contacts = [contact(&pose.translation.vector)];
        let pair = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &contacts };
        let masses = [rigid::Mass::new(&pose, 1.0, &Vector::repeat(INVERSE_MOMENT))];
        let body = |id: usize| if id == 0 { rigid::Body::Dynamic(0) } else { rigid::Body::Static };
        rows.gather([pair], &masses, &velocities, body, |_| material(coefficient)).unwrap();
        rows.warm_start(&mut velocities, 1.0);
        for _ in 0..10 {
            for row in &mut rows {
                row.solve(&mut velocities);
            }
            rows.solve_rolling(&mut velocities);
        }
        pose.translation.vector += velocities[0].linear * STEP;
    }
    velocities[0].linear.x
}

/// The same, by positions.
fn by_positions(coefficient: f64, steps: usize) -> f64 {
    let pose = Isometry3::translation(0.0, RADIUS, 0.0);
    let mut bodies = [pbd::RigidBody::new(pose, 1.0, Vector::repeat(INVERSE_MOMENT))];
    let mut velocity = [Vector::x() * SPEED, -Vector::z() * (SPEED / RADIUS)];
    let mut rows = pbd::Rows::new(STEP);
    for _ in 0..steps {
        let contacts = [contact(&bodies[0].pose.translation.vector)];
        let pair = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &contacts };
        let body = |id: usize| if id == 0 { pbd::Body::Rigid(0) } else { pbd::Body::Static };
        rows.gather([pair], &bodies[..], body, |_| material(coefficient)).unwrap();
        velocity[0].y -= GRAVITY * STEP;
        bodies[0].predict(&velocity[0], &velocity[1], STEP);
        let mut state =
            pbd::State { particles: &mut [], previous: &[], inverse_masses: &[], bodies: &mut bodies };
        for _ in 0..10 {
            rows.iter_mut().for_each(|row| row.project_in(&mut state));
        }
        rows.iter_mut().for_each(|row| row.resist_rolling(&mut state));
        velocity = bodies[0].velocities(STEP);
    }
    velocity[0].x
}

#[test]
fn a_ball_slows_down_as_in_closed_form_and_stays_where_it_stops() {
    for (name, speed_after) in
        [("impulses", by_impulses as fn(f64, usize) -> f64), ("positions", by_positions)]
    {
        // Off by default: it rolls on.
        let on = speed_after(0.0, 8000);
        assert!((on - SPEED).abs() < 0.04 * SPEED, "{name}: {on}");
        let coefficient = 1e-4;
        let deceleration = coefficient * GRAVITY / (1.4 * RADIUS);
        let after = speed_after(coefficient, 2000);
        let expected = SPEED - deceleration * 0.1;
        assert!((after - expected).abs() < 0.1 * SPEED, "{name}: {after}, expected {expected}");
        // It stops after 0.214 s.
        let late = speed_after(coefficient, 8000);
        assert!(late.abs() < 1e-4 * SPEED, "{name}: {late}");
    }
}
