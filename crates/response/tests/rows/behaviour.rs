//! Rows in closed-form situations.

use crate::sample::{Pair, Sample, feature};
use nalgebra::Isometry3;
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::pbd::{Body, Mapping, Positions, RigidBody, Rows, State, Velocities};
use palpate_response::push::{Averaged, Penalty, apart};
use palpate_response::{Material, Motion, ResponseError};

const STEP: f64 = 0.01;

fn pair(contacts: &[Contact]) -> ContactsOfPair<'_, usize> {
    ContactsOfPair { number: 0, geometries: [0, 1], contacts }
}

/// Particle 0, `gap` above the triangle of particles 1, 2 and 3 in the plane y = 0.
fn above_triangle(gap: f64) -> (Vec<Point>, Contact) {
    let at = [[0.25, gap, 0.25], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(Point::from);
    let a = Feature::vertex(0, 0, at[0]);
    let b = Feature::triangle([0, 1, 2], [0.5, 0.25, 0.25], 0, Point::new(0.25, 0.0, 0.25));
    (at.to_vec(), Contact::exact(a, b, Vector::y(), -gap, 0))
}

fn bodies(side: usize) -> Body<'static> {
    Body::Particles(side)
}

#[test]
fn a_vertex_above_a_triangle_is_never_pulled_down() {
    for gap in [0.0, 1e-6, 0.01] {
        let (start, contact) = above_triangle(gap);
        let mut rows = Rows::new(STEP);
        rows.gather([pair(&[contact])], &start, bodies, |_| Material::with_friction(0.5)).unwrap();
        let mut x = start.clone();
        for height in [0.0, 0.001, 0.02] {
            x[0].y = gap + height;
            x[0].x += 0.01;
            let before = x.clone();
            (0..10).for_each(|_| rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[1.0; 4])));
            assert_eq!(x, before, "gap {gap}");
        }
        // Pushed from below, and then lifted: what it was pushed is taken back at most.
        x[0].y = -0.01;
        rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[1.0; 4]));
        let pushed = rows.get(0).unwrap().multipliers()[0];
        assert!(pushed > 0.0);
        let before = x[0].y + 0.5;
        x[0].y = before;
        rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[1.0; 4]));
        assert_eq!(rows.get(0).unwrap().multipliers(), [0.0; 3]);
        assert!((before - x[0].y - pushed).abs() < 1e-12);
    }
}

#[test]
fn one_projection_closes_the_gap_by_inverse_masses_and_thickness_adds_to_it() {
    let (start, contact) = above_triangle(-0.25);
    let material = Material { thickness: 0.05, ..Material::HARD };
    let mut rows = Rows::new(STEP);
    rows.gather([pair(&[contact])], &start, bodies, |_| material).unwrap();
    let mut x = start.clone();
    rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[2.0, 1.0, 1.0, 0.0]));
    // Weights 1, -1/2, -1/4, -1/4: the inverse mass is 2 + 1/4 + 1/16.
    let multiplier = 0.3 / 2.3125;
    assert!((x[0].y + 0.25 - 2.0 * multiplier).abs() < 1e-15);
    assert!((x[1].y + 0.5 * multiplier).abs() < 1e-15);
    assert!((x[2].y + 0.25 * multiplier).abs() < 1e-15);
    assert_eq!(x[3].y, 0.0);
    assert!(rows.get(0).unwrap().gap(&x).abs() < 1e-15);
}

#[test]
fn scaled_inverse_masses_move_one_side() {
    let (start, contact) = above_triangle(-0.25);
    let material = Material { inverse_mass_scale: [1.0, 0.0], ..Material::HARD };
    let mut rows = Rows::new(STEP);
    rows.gather([pair(&[contact])], &start, bodies, |_| material).unwrap();
    let mut x = start.clone();
    rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[1.0; 4]));
    assert!(x[0].y.abs() < 1e-15 && x[1..] == start[1..]);
}

/// XPBD at rest: a weight of 9.81 N sinks by compliance times force, however many iterations.
#[test]
fn a_compliant_contact_yields_by_its_compliance() {
    let floor = Feature::point(Point::origin());
    let material = Material { compliance: 1e-4, ..Material::HARD };
    for iterations in [1, 10] {
        let (mut x, mut velocity) = (vec![Point::origin()], Vector::zeros());
        let mut rows = Rows::new(STEP);
        for _ in 0..2000 {
            let previous = x.clone();
            velocity = velocity * 0.9 + Vector::y() * (-9.81 * STEP);
            x[0] += velocity * STEP;
            let contact = Contact::exact(Feature::vertex(0, 0, x[0]), floor, Vector::y(), -x[0].y, 0);
            let body = |side| if side == 0 { Body::Particles(0) } else { Body::Static };
            rows.gather([pair(&[contact])], &x, body, |_| material).unwrap();
            for _ in 0..iterations {
                rows.iter_mut().for_each(|row| row.project(&mut x, &previous, &[1.0]));
            }
            velocity = (x[0] - previous[0]) / STEP;
        }
        assert!((x[0].y / -9.81e-4 - 1.0).abs() < 1e-6, "{}", x[0].y);
        let force = rows.get(0).unwrap().multipliers()[0] / (STEP * STEP);
        assert!((force / 9.81 - 1.0).abs() < 1e-6, "{force}");
    }
}

/// A particle on a slope: its acceleration along the slope, and the distance it slid in a second.
fn slide(slope: f64, material: Material, ground: Motion) -> [f64; 2] {
    let (sine, cosine) = slope.sin_cos();
    let (normal, down) = (Vector::new(sine, cosine, 0.0), Vector::new(cosine, -sine, 0.0));
    let (mut x, mut velocity) = (vec![Point::origin()], Vector::zeros());
    let mut rows = Rows::new(STEP);
    for _ in 0..100 {
        let previous = x.clone();
        velocity.y -= 9.81 * STEP;
        x[0] += velocity * STEP;
        let depth = -x[0].coords.dot(&normal);
        let foot = Feature::point(x[0] + normal * depth);
        let contact = Contact::exact(Feature::vertex(0, 0, x[0]), foot, normal, depth, 0);
        let body = |side| if side == 0 { Body::Particles(0) } else { Body::Kinematic(ground) };
        rows.gather([pair(&[contact])], &x, body, |_| material).unwrap();
        for _ in 0..3 {
            rows.iter_mut().for_each(|row| row.project(&mut x, &previous, &[0.5]));
        }
        velocity = (x[0] - previous[0]) / STEP;
    }
    [velocity.dot(&down), x[0].coords.dot(&down)]
}

#[test]
fn a_block_on_a_slope_sticks_below_the_friction_angle_and_slides_above_it() {
    let friction = 0.5;
    let angle = f64::atan(friction);
    let material = Material::with_friction(friction);
    let [speed, way] = slide(angle * 0.99, material, Motion::REST);
    assert!(speed.abs() < 1e-9 && way.abs() < 1e-9, "{speed}, {way}");
    for slope in [angle * 1.01, 0.6, 0.9] {
        let [speed, _] = slide(slope, material, Motion::REST);
        let wanted = 9.81 * (slope.sin() - friction * slope.cos());
        assert!((speed / wanted - 1.0).abs() < 0.01, "{speed}, wanted {wanted}");
    }
    // Static friction holds where dynamic friction alone would not.
    let material = Material { static_friction: 0.8, ..material };
    let [_, way] = slide(0.6, material, Motion::REST);
    assert!(way.abs() < 1e-9, "{way}");
    let [speed, _] = slide(0.7, material, Motion::REST);
    assert!((speed / (9.81 * (0.7_f64.sin() - 0.5 * 0.7_f64.cos())) - 1.0).abs() < 0.01, "{speed}");
}

#[test]
fn a_moving_floor_carries_what_lies_on_it() {
    let ground = Motion::translation(Vector::x() * 0.3);
    let [speed, _] = slide(0.0, Material::with_friction(0.5), ground);
    assert!((speed - 0.3).abs() < 1e-12, "{speed}");
    let [speed, _] = slide(0.0, Material::HARD, ground);
    assert_eq!(speed, 0.0);
}

#[test]
fn restitution_gives_the_right_rebound() {
    for restitution in [0.0, 0.5, 1.0] {
        for by_velocity in [false, true] {
            let (start, speed) = (vec![Point::new(0.0, 0.01, 0.0)], 2.0);
            let mut x = vec![start[0] - Vector::y() * (speed * STEP)];
            let contact = Contact::exact(
                Feature::vertex(0, 0, x[0]),
                Feature::point(Point::origin()),
                Vector::y(),
                -x[0].y,
                0,
            );
            let material = Material { restitution, rebound_speed: 0.2, ..Material::HARD };
            let mut rows = Rows::new(STEP);
            let body = |side| if side == 0 { Body::Particles(0) } else { Body::Static };
            rows.gather([pair(&[contact])], &x, body, |_| material).unwrap();
            let masses = [0.7];
            let mut state =
                State { particles: &mut x, previous: &start, inverse_masses: &masses, bodies: &mut [] };
            rows.iter_mut().for_each(|row| row.project_in(&mut state));
            if !by_velocity {
                rows.iter_mut().for_each(|row| row.rebound(&mut state));
            }
            let mut velocities = [(x[0] - start[0]) / STEP];
            let mut all = Velocities { particles: &mut velocities, bodies: &mut [] };
            if by_velocity {
                rows.iter_mut().for_each(|row| row.rebound_velocities(&mut all, &masses, &[]));
            }
            let wanted = if restitution == 0.0 && !by_velocity {
                -1.0 // it comes to rest on the floor: a displacement of 0.01 m in the step
            } else {
                restitution * speed
            };
            assert!((velocities[0].y - wanted).abs() < 1e-12, "{restitution}: {}", velocities[0].y);
        }
    }
}

/// Two rigid balls of different mass that meet head on: speeds by the closed form of an impact.
#[test]
fn rigid_bodies_rebound_by_their_masses() {
    let ball = |x: f64, inverse_mass: f64| {
        RigidBody::new(Isometry3::translation(x, 0.0, 0.0), inverse_mass, Vector::repeat(1.0))
    };
    let mut bodies = [ball(0.1 + 0.001, 1.0), ball(-0.1, 0.25)];
    bodies[0].predict(&(Vector::x() * -3.0), &Vector::zeros(), STEP);
    bodies[1].predict(&(Vector::x() * 1.0), &Vector::zeros(), STEP);
    let surface = [bodies[0].pose.translation.x - 0.1, bodies[1].pose.translation.x + 0.1];
    let [a, b] = surface.map(|x| Feature::point(Point::new(x, 0.0, 0.0)));
    let contact = Contact::exact(a, b, Vector::x(), surface[1] - surface[0], 0);
    let mut rows = Rows::new(STEP);
    let material = Material { restitution: 0.5, ..Material::HARD };
    rows.gather([pair(&[contact])], &bodies[..], Body::Rigid, |_| material).unwrap();
    let mut state = State { particles: &mut [], previous: &[], inverse_masses: &[], bodies: &mut bodies };
    rows.iter_mut().for_each(|row| row.project_in(&mut state));
    let mut speeds = bodies.map(|body| body.velocities(STEP));
    let mut all = Velocities { particles: &mut [], bodies: &mut speeds };
    rows.iter_mut().for_each(|row| row.rebound_velocities(&mut all, &[], &bodies));
    // Masses 1 and 4: the centre moves at 0.2 m/s, the relative speed is 4 before and -2 after.
    assert!((speeds[0][0].x - 1.8).abs() < 1e-12, "{}", speeds[0][0].x);
    assert!((speeds[1][0].x + 0.2).abs() < 1e-12, "{}", speeds[1][0].x);
}

#[test]
fn a_mapped_surface_moves_its_particles_and_shared_particles_have_one_entry() {
    // Vertex 0 of A is the middle of particles 0 and 1; B is an edge whose first vertex is particle 1 itself.
    let mapping_a = Mapping::new(&[[0_u32, 1]], &[[0.5, 0.5]]).unwrap();
    let mapping_b = Mapping::new(&[[1_u32], [2]], &[[1.0], [1.0]]).unwrap();
    let start: Vec<Point> = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from).to_vec();
    let a = feature(1, [1.0, 0.0, 0.0, 0.0], Point::new(0.5, 0.0, 0.0));
    let b = feature(2, [0.25, 0.75, 0.0, 0.0], Point::new(0.25, 0.1, 0.75));
    let contact = Contact::exact(a, b, Vector::y(), 0.1, 0);
    let mut rows = Rows::new(STEP);
    let body = |side| Body::Mapped(if side == 0 { &mapping_a } else { &mapping_b });
    rows.gather([pair(&[contact])], &start, body, |_| Material::HARD).unwrap();
    let row = rows.get(0).unwrap();
    let entries: Vec<_> = row.entries().iter().map(|entry| (entry.particle, entry.weight)).collect();
    assert_eq!(entries, [(0, 0.5), (1, 0.25), (2, -0.75)]);
    let mut x = start.clone();
    rows.iter_mut().for_each(|row| row.project(&mut x, &start, &[1.0; 3]));
    assert!(rows.get(0).unwrap().gap(&x).abs() < 1e-15);
    let sum: Vector = x.iter().zip(&start).map(|(now, before)| now - before).sum();
    assert!(sum.norm() < 1e-16);
    // Re-projected, the shares of the vertices are kept.
    rows.reproject(&x);
    let weights: f64 = rows.get(0).unwrap().entries().iter().map(|entry| entry.weight).sum();
    assert!(weights.abs() < 1e-15);
}

/// A particle that was pushed out in one substep and leaves in the next is not held back by the multiplier of the first.
#[test]
fn a_further_substep_does_not_take_back_what_an_earlier_one_pushed() {
    let (start, contact) = above_triangle(-0.01);
    let mut rows = Rows::new(STEP);
    rows.gather([pair(&[contact])], &start, bodies, |_| Material::with_friction(0.5)).unwrap();
    let mut x = start.clone();
    let masses = [1.0, 0.0, 0.0, 0.0];
    rows.iter_mut().for_each(|row| row.project(&mut x, &start, &masses));
    assert!(x[0].y.abs() < 1e-15 && rows.get(0).unwrap().multipliers()[0] > 0.0);
    x[0].y = 0.005;
    let before = x.clone();
    rows.begin_substep();
    rows.reproject(&x);
    rows.iter_mut().for_each(|row| row.project(&mut x, &before, &masses));
    assert_eq!(x, before);
    assert_eq!(rows.get(0).unwrap().multipliers(), [0.0; 3]);
    assert_eq!(rows.get(0).unwrap().approach_speed(), 0.0);
}

#[test]
fn what_does_not_exist_is_an_error_that_names_it() {
    let (start, contact) = above_triangle(0.0);
    let mut rows = Rows::new(STEP);
    let found = rows.gather([pair(&[contact])], &start[..3], bodies, |_| Material::HARD);
    assert_eq!(found, Err(ResponseError::UnknownParticle { pair: 0, found: 3, count: 3 }));
    assert!(rows.is_empty());
    let found = rows.gather([pair(&[contact])], &start, |_| Body::Rigid(2), |_| Material::HARD);
    assert_eq!(found, Err(ResponseError::UnknownBody { pair: 0, found: 2, count: 0 }));
    let empty = Mapping::default();
    let found = rows.gather([pair(&[contact])], &start, |_| Body::Mapped(&empty), |_| Material::HARD);
    assert_eq!(found, Err(ResponseError::UnmappedVertex { pair: 0, found: 0, count: 0 }));
}

/// The multipliers of a step, found by key in any order; rows without a predecessor begin at zero.
#[test]
fn warm_start_survives_reordering() {
    let mut sample = Sample::new(30);
    let pairs: Vec<Pair> = (0..9).map(|_| Pair::random(&mut sample, [1, 3], 0.01)).collect();
    let positions: Vec<Point> = pairs.iter().flat_map(|pair| pair.positions.clone()).collect();
    let contacts: Vec<Contact> = (0..9)
        .map(|k| {
            let mut contact = pairs[k].contact;
            for feature in [&mut contact.a, &mut contact.b] {
                for vertex in &mut feature.vertices[..feature.vertex_count as usize] {
                    *vertex += 8 * k as u32;
                }
            }
            contact.id = k as u64;
            contact
        })
        .collect();
    let mut rows = Rows::new(STEP);
    let body = |side: usize| Body::Particles(4 * side);
    rows.gather([pair(&contacts)], &positions, body, |_| Material::HARD).unwrap();
    let masses = vec![1.0; positions.len()];
    let mut x = positions.clone();
    rows.iter_mut().for_each(|row| row.project(&mut x, &positions, &masses));
    let solved: Vec<f64> = rows.iter().map(|row| row.multipliers()[0]).collect();
    assert!(solved.iter().all(|&multiplier| multiplier > 0.0));
    let tangents: Vec<_> = rows.iter().map(|row| row.tangents()).collect();
    // Reversed, with the middle one gone and a new one.
    let mut next: Vec<Contact> = contacts.iter().rev().copied().collect();
    next[4].id = 77;
    rows.gather([pair(&next)], &positions, body, |_| Material::HARD).unwrap();
    assert!(rows.iter().all(|row| row.multipliers() == [0.0; 3]));
    let mut x = positions.clone();
    let mut state =
        State { particles: &mut x, previous: &positions, inverse_masses: &masses, bodies: &mut [] };
    rows.warm_start(&mut state, 1.0);
    for (k, row) in rows.iter().enumerate() {
        let wanted = if k == 4 { 0.0 } else { solved[8 - k] };
        assert_eq!(row.multipliers()[0], wanted, "row {k}");
        assert_eq!(row.is_known(), k != 4);
        assert!(k == 4 || row.tangents() == tangents[8 - k]);
        // The multiplier has moved the particles: its gap is closed.
        assert!(k == 4 || row.gap(&x).abs() < 1e-12, "{}", row.gap(&x));
    }
}

#[test]
fn averaged_corrections_do_not_depend_on_the_order_and_agreeing_ones_count_once() {
    let (start, contact) = above_triangle(-0.25);
    let twice = [contact, Contact { id: 1, ..contact }];
    let mut rows = Rows::new(STEP);
    let body = |side| if side == 0 { Body::Particles(0) } else { Body::Static };
    rows.gather([pair(&twice)], &start, body, |_| Material::HARD).unwrap();
    let mut x = start.clone();
    let masses = [1.0; 4];
    let mut state = State { particles: &mut x, previous: &start, inverse_masses: &masses, bodies: &mut [] };
    Averaged::default().push(&rows, &mut state, 1.0);
    assert!(state.particles[0].y.abs() < 1e-15, "{}", state.particles[0].y);
    state.particles[0].y = -0.5;
    apart(&mut rows, &mut state);
    assert!(x[0].y.abs() < 1e-15);
}

#[test]
fn penalty_forces_push_damp_and_never_pull() {
    let (start, contact) = above_triangle(-0.25);
    let mut rows = Rows::new(STEP);
    rows.gather([pair(&[contact])], &start, bodies, |_| Material::with_friction(0.5)).unwrap();
    let penalty = Penalty { stiffness: 100.0, damping: 10.0, viscosity: 1.0 };
    let force = |velocity: Vector, x: &mut [Point]| {
        let state = State { particles: x, previous: &start, inverse_masses: &[1.0; 4], bodies: &mut [] };
        let mut speeds = [velocity, Vector::zeros(), Vector::zeros(), Vector::zeros()];
        let speeds = Velocities { particles: &mut speeds, bodies: &mut [] };
        let mut forces = [Vector::zeros(); 4];
        penalty.add_forces(&rows, &state, &speeds, &mut forces, &mut []);
        let sum: Vector = forces.iter().sum();
        assert!(sum.norm() < 1e-13);
        forces[0]
    };
    let mut x = start.clone();
    assert!((force(Vector::zeros(), &mut x) - Vector::y() * 25.0).norm() < 1e-13);
    assert!((force(Vector::y() * -1.0, &mut x) - Vector::y() * 35.0).norm() < 1e-13);
    assert_eq!(force(Vector::y() * 3.0, &mut x), Vector::zeros(), "leaving");
    assert!((force(Vector::x() * 4.0, &mut x) - Vector::new(-4.0, 25.0, 0.0)).norm() < 1e-13);
    assert!((force(Vector::x() * 40.0, &mut x) - Vector::new(-12.5, 25.0, 0.0)).norm() < 1e-13);
    x[0].y = 0.1;
    assert_eq!(force(Vector::y() * -9.0, &mut x), Vector::zeros(), "apart");
}

/// A rigid side in friction and rebound: a box that stands on a particle floor keeps its lever.
#[test]
fn friction_on_a_rigid_side_stops_its_surface() {
    let mut body = RigidBody::new(Isometry3::translation(0.0, 0.1, 0.0), 1.0, Vector::repeat(10.0));
    body.predict(&Vector::new(0.2, -0.5, 0.0), &Vector::zeros(), STEP);
    let mut bodies = [body];
    let point = body.pose * Point::new(0.0, -0.1, 0.0);
    let floor = Feature::point(Point::new(point.x, 0.0, 0.0));
    let contact = Contact::exact(Feature::point(point), floor, Vector::y(), -point.y, 0);
    let mut rows = Rows::new(STEP);
    let side = |side| if side == 0 { Body::Rigid(0) } else { Body::Static };
    let at = Positions { particles: &[], bodies: &bodies };
    rows.gather([pair(&[contact])], at, side, |_| Material::with_friction(1.0)).unwrap();
    let mut state = State { particles: &mut [], previous: &[], inverse_masses: &[], bodies: &mut bodies };
    for _ in 0..50 {
        rows.iter_mut().for_each(|row| row.project_in(&mut state));
    }
    let row = rows.get(0).unwrap();
    let slip = row.slip(Positions { particles: &[], bodies: &bodies }, &[]);
    assert!(slip[0].hypot(slip[1]) < 1e-9, "{slip:?}");
    assert!(bodies[0].velocities(STEP)[1].z.abs() > 0.1, "friction turns it");
}

/// Steps of what rests: 2,000, or `PALPATE_STEPS`.
fn steps() -> usize {
    std::env::var("PALPATE_STEPS").map_or(2000, |steps| steps.parse().unwrap())
}

/// A rigid box of 1 kg on its four corners, on a floor that yields by 1e-5 m/N per corner: XPBD, warm started.
#[test]
fn a_rigid_box_at_rest_neither_sinks_nor_drifts_nor_jitters() {
    let material = Material { compliance: 1e-5, ..Material::with_friction(0.5) };
    let corners = [[-0.1, 0.1], [0.1, 0.1], [0.1, -0.1], [-0.1, -0.1]];
    let mut bodies = [RigidBody::new(Isometry3::translation(0.0, 0.1, 0.0), 1.0, Vector::repeat(6.0 / 0.04))];
    let mut velocity = [Vector::zeros(); 2];
    let mut rows = Rows::new(STEP);
    let mut rest = Vector::zeros();
    let (mut jitter, mut contacts) = (0.0_f64, Vec::new());
    for step in 0..steps() {
        velocity[0].y -= 9.81 * STEP;
        bodies[0].predict(&velocity[0], &velocity[1], STEP);
        contacts.clear();
        for (id, [x, z]) in (0..).zip(corners) {
            let point = bodies[0].pose * Point::new(x, -0.1, z);
            let foot = Feature::point(Point::new(point.x, 0.0, point.z));
            contacts.push(Contact::exact(Feature::point(point), foot, Vector::y(), -point.y, id));
        }
        let side = |side| if side == 0 { Body::Rigid(0) } else { Body::Static };
        rows.gather([pair(&contacts)], &bodies[..], side, |_| material).unwrap();
        let mut state = State { particles: &mut [], previous: &[], inverse_masses: &[], bodies: &mut bodies };
        rows.warm_start(&mut state, 1.0);
        for _ in 0..10 {
            rows.iter_mut().for_each(|row| row.project_in(&mut state));
        }
        // Damping, so that the soft floor comes to rest.
        velocity = bodies[0].velocities(STEP).map(|velocity| velocity * 0.9);
        let place = bodies[0].pose.translation.vector;
        if step == 1000 {
            rest = place;
        } else if step > 1000 {
            jitter = jitter.max((place - rest).norm());
        }
    }
    // A quarter of 9.81 N on each corner.
    assert!((rest.y - (0.1 - 9.81e-5 / 4.0)).abs() < 1e-7, "{}", rest.y - 0.1);
    assert!(jitter < 1e-9 && rest.xz().norm() < 1e-5, "{jitter:e}, {rest}");
    let upright = bodies[0].pose.rotation * Vector::y();
    assert!((upright - Vector::y()).norm() < 1e-6);
}
