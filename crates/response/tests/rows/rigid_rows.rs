//! Rows of rigid bodies: Jacobians, matrices, bounds, and small scenes in closed form.

use crate::extended::Triple;
use crate::sample::{Sample, count};
use nalgebra::{DMatrix, DVector, Isometry3, Matrix3, Translation3, UnitQuaternion};
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::rigid::{
    Body, Csr, FrictionBound, Mass, RowRef, Rows, Settings, Stabilization, Velocity,
};
use palpate_response::{Material, Motion};

const STEP: f64 = 0.01;

pub(crate) fn list(number: u64, bodies: [usize; 2], contacts: &[Contact]) -> ContactsOfPair<'_, usize> {
    ContactsOfPair { number, geometries: bodies, contacts }
}

pub(crate) fn random_mass(sample: &mut Sample) -> Mass {
    let turn = UnitQuaternion::from_scaled_axis(sample.vector() * 3.0);
    let pose = Isometry3::from_parts(Translation3::from(sample.vector()), turn);
    let inertia = Vector::from_fn(|_, _| sample.between(0.5, 3.0));
    Mass::new(&pose, sample.between(0.3, 3.0), &inertia)
}

pub(crate) fn random_contact(sample: &mut Sample, depth: f64) -> Contact {
    let (b, direction) = (sample.point(), sample.direction());
    let a = b - direction * depth;
    Contact::exact(Feature::point(a), Feature::point(b), direction, depth, 0)
}

/// The rate of the gap and the slips, against the motion of both contact points computed in extended precision.
#[test]
fn jacobians_are_exact() {
    let mut sample = Sample::new(60);
    for _ in 0..count() {
        let masses = [random_mass(&mut sample), random_mass(&mut sample)];
        let contact = random_contact(&mut sample, 0.01);
        let mut rows = Rows::new(Settings::new(STEP));
        let velocities = [Velocity::default(); 2];
        rows.gather([list(0, [0, 1], &[contact])], &masses, &velocities, Body::Dynamic, |_| Material::HARD)
            .unwrap();
        let row = rows.get(0).unwrap();
        let place = nalgebra::center(&contact.a.surface_point(), &contact.b.surface_point());
        let along = [row.direction(), row.tangents()[0], row.tangents()[1]];
        for (k, along) in along.into_iter().enumerate() {
            let jacobian = row.jacobian(k);
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                // Central differences of along · (centre + rotated lever) are exact for a linear function: one per axis.
                let lever = Triple::from(place) - masses[side].center.into();
                let [linear, angular] = [0, 1].map(|part| {
                    Vector::from_fn(|axis, _| {
                        let unit = Triple::from(Vector::ith(axis, 1.0));
                        let moved = if part == 0 { unit } else { unit.cross(lever) };
                        moved.dot(along.into()).to_f64() * sign
                    })
                });
                assert!((jacobian[side][0] - linear).amax() <= 1e-15);
                assert!((jacobian[side][1] - angular).amax() <= 1e-14);
            }
        }
    }
}

/// Momentum through the solve, friction included, and the sign of the normal impulse.
#[test]
fn solving_conserves_both_momenta() {
    let mut sample = Sample::new(61);
    let mut pushed = 0;
    for _ in 0..count() {
        let masses = [random_mass(&mut sample), random_mass(&mut sample)];
        let contact = random_contact(&mut sample, 0.01);
        let mut velocities = [0, 1].map(|_| Velocity { linear: sample.vector(), angular: sample.vector() });
        let momentum = |velocities: &[Velocity; 2]| {
            let mut sums = [Vector::zeros(); 2];
            for (mass, velocity) in masses.iter().zip(velocities) {
                let linear = velocity.linear / mass.inverse;
                sums[0] += linear;
                sums[1] += mass.center.coords.cross(&linear)
                    + mass.inverse_inertia.try_inverse().unwrap() * velocity.angular;
            }
            sums
        };
        let before = momentum(&velocities);
        let mut rows = Rows::new(Settings::new(STEP));
        let material = Material::with_friction(0.4);
        rows.gather([list(0, [0, 1], &[contact])], &masses, &velocities, Body::Dynamic, |_| material)
            .unwrap();
        (0..200).for_each(|_| rows.iter_mut().for_each(|row| row.solve(&mut velocities)));
        let after = momentum(&velocities);
        for (before, after) in before.iter().zip(after) {
            assert!((after - before).norm() <= 1e-12 * (1.0 + before.norm()));
        }
        let [normal, first, second] = rows.get(0).unwrap().impulses();
        assert!(normal >= 0.0 && first.hypot(second) <= 0.4 * normal + 1e-9);
        pushed += usize::from(normal > 0.0);
    }
    assert!(pushed > count() / 4);
}

/// Five bodies, ten contacts, one of them with the static world.
#[test]
fn the_matrices_are_those_of_the_rows() {
    let mut sample = Sample::new(62);
    let masses: Vec<Mass> = (0..5).map(|_| random_mass(&mut sample)).collect();
    let pairs = [[0, 1], [1, 2], [3, 2], [4, 0], [4, 9]];
    let contacts: Vec<[Contact; 2]> =
        pairs.iter().map(|_| [0, 1].map(|id| Contact { id, ..random_contact(&mut sample, 0.02) })).collect();
    let velocities: Vec<Velocity> =
        (0..5).map(|_| Velocity { linear: sample.vector(), angular: sample.vector() }).collect();
    let mut rows = Rows::new(Settings { friction_bound: FrictionBound::Pyramid, ..Settings::new(STEP) });
    let lists = pairs.iter().zip(&contacts).enumerate().map(|(k, (&pair, two))| list(k as u64, pair, two));
    let body = |number| if number == 9 { Body::Static } else { Body::Dynamic(number) };
    rows.gather(lists, &masses, &velocities, body, |_| Material::with_friction(0.5)).unwrap();
    let (mut jacobian, mut delassus) = (Csr::default(), Csr::default());
    rows.jacobian(&mut jacobian);
    rows.delassus(&mut delassus);
    assert_eq!((jacobian.rows(), jacobian.columns, delassus.rows()), (30, 30, 30));
    assert!(jacobian.indptr.windows(2).all(|r| jacobian.indices[r[0]..r[1]].is_sorted()));
    let dense = |matrix: &Csr| {
        let mut dense = DMatrix::<f64>::zeros(matrix.rows(), matrix.columns);
        for row in 0..matrix.rows() {
            for k in matrix.indptr[row]..matrix.indptr[row + 1] {
                dense[(row, matrix.indices[k])] += matrix.data[k];
            }
        }
        dense
    };
    let j = dense(&jacobian);
    let mut inverse = DMatrix::<f64>::zeros(30, 30);
    for (k, mass) in masses.iter().enumerate() {
        inverse.view_mut((6 * k, 6 * k), (3, 3)).copy_from(&(Matrix3::identity() * mass.inverse));
        inverse.view_mut((6 * k + 3, 6 * k + 3), (3, 3)).copy_from(&mass.inverse_inertia);
    }
    let product = &j * inverse * j.transpose();
    assert!((dense(&delassus) - &product).amax() < 1e-13);
    assert!(delassus.data.len() < 900, "rows without a common body have no entries");
    for (k, row) in rows.iter().enumerate() {
        for l in 0..3 {
            assert!((row.effective_masses()[l] * product[(3 * k + l, 3 * k + l)] - 1.0).abs() < 1e-13);
        }
    }
    let flat: Vec<f64> = velocities
        .iter()
        .flat_map(|v| v.linear.iter().chain(&v.angular).copied().collect::<Vec<_>>())
        .collect();
    let rates = jacobian.times(&flat);
    assert!((DVector::from_vec(rates.clone()) - &j * DVector::from_vec(flat)).amax() < 1e-14);
    let mut right = Vec::new();
    rows.right_hand_side(&velocities, &mut right);
    for (k, row) in rows.iter().enumerate() {
        assert!((right[3 * k] - (rates[3 * k] - row.target())).abs() < 1e-13);
        assert!((right[3 * k + 1] - rates[3 * k + 1]).abs() < 1e-13);
    }
    // The solution of the rows solves the complementarity problem without friction.
    rows.gather(
        pairs.iter().zip(&contacts).enumerate().map(|(k, (&pair, two))| list(k as u64, pair, two)),
        &masses,
        &velocities,
        body,
        |_| Material::HARD,
    )
    .unwrap();
    let mut solved = velocities.clone();
    (0..5000).for_each(|_| rows.iter_mut().for_each(|row| row.solve(&mut solved)));
    let impulses: Vec<f64> = rows.iter().flat_map(|row| row.impulses()).collect();
    let free: Vec<f64> = delassus.times(&impulses).iter().zip(&right).map(|(a, b)| a + b).collect();
    for k in 0..10 {
        let (impulse, rate) = (impulses[3 * k], free[3 * k]);
        assert!(impulse >= 0.0 && rate >= -1e-9 && impulse * rate < 1e-9, "row {k}: {impulse}, {rate}");
    }
    let mut bounds = Vec::new();
    rows.bounds(&mut bounds);
    assert_eq!((bounds.len(), bounds[0], bounds[1]), (30, [0.0, f64::INFINITY], [0.0, 0.0]));
}

/// A ball of 1 kg above or in a floor: its velocity after the solve.
fn on_floor(depth: f64, speed: f64, material: Material, settings: Settings, floor: Body) -> (Velocity, Rows) {
    let mass = Mass {
        center: Point::new(0.0, 0.1 - depth, 0.0),
        inverse: 1.0,
        inverse_inertia: Matrix3::identity() * 250.0,
    };
    let a = Feature::point(Point::new(0.0, -depth, 0.0));
    let contact = Contact::exact(a, Feature::point(Point::origin()), Vector::y(), depth, 0);
    let mut velocities = [Velocity { linear: Vector::y() * speed, angular: Vector::zeros() }];
    let body = |number| if number == 0 { Body::Dynamic(0) } else { floor };
    let mut rows = Rows::new(settings);
    rows.gather([list(0, [0, 1], &[contact])], &[mass], &velocities, body, |_| material).unwrap();
    (0..100).for_each(|_| rows.iter_mut().for_each(|row| row.solve(&mut velocities)));
    (velocities[0], rows)
}

#[test]
fn a_gap_may_close_and_is_never_pulled() {
    let solve = |depth: f64, speed: f64| {
        on_floor(depth, speed, Material::HARD, Settings::new(STEP), Body::Static).0.linear.y
    };
    assert_eq!(solve(-0.002, -0.1), -0.1, "slower than the gap allows");
    assert!((solve(-0.002, -1.0) + 0.2).abs() < 1e-12, "closes the gap within the step");
    assert_eq!(solve(0.0, 0.3), 0.3, "leaves");
    assert!((solve(0.01, -1.0) - 0.2).abs() < 1e-12, "a fifth of the depth per step");
    let split = Settings { stabilization: Stabilization::SplitImpulse, slop: 0.005, ..Settings::new(STEP) };
    let (velocity, mut rows) = on_floor(0.01, -1.0, Material::HARD, split, Body::Static);
    assert!(velocity.linear.y.abs() < 1e-12, "no speed is added");
    let mut pseudo = [Velocity::default()];
    (0..100).for_each(|_| rows.iter_mut().for_each(|row| row.solve_push(&mut pseudo)));
    assert!((pseudo[0].linear.y - 0.1).abs() < 1e-12, "a fifth of the excess");
    let slow = Settings { most_push_speed: 0.05, ..Settings::new(STEP) };
    assert!((on_floor(0.01, -1.0, Material::HARD, slow, Body::Static).0.linear.y - 0.05).abs() < 1e-12);
}

#[test]
fn restitution_gives_the_right_rebound() {
    for restitution in [0.0, 0.5, 1.0] {
        let material = Material { restitution, rebound_speed: 0.3, ..Material::HARD };
        let speed =
            |depth, speed| on_floor(depth, speed, material, Settings::new(STEP), Body::Static).0.linear.y;
        assert!((speed(0.0, -2.0) - 2.0 * restitution).abs() < 1e-12);
        assert!(speed(0.0, -0.2).abs() < 1e-12, "too slow to rebound");
        assert_eq!(speed(-0.03, -2.0), -2.0, "too far to touch in this step");
    }
}

#[test]
fn a_moving_floor_carries_and_a_soft_one_yields() {
    let floor = Body::Kinematic(Motion::translation(Vector::new(0.5, 0.25, 0.0)));
    let (velocity, _) = on_floor(0.0, -1.0, Material::with_friction(10.0), Settings::new(STEP), floor);
    assert!((velocity.linear.y - 0.25).abs() < 1e-12);
    let surface = velocity.at(&Vector::new(0.0, -0.1, 0.0));
    assert!((surface.x - 0.5).abs() < 1e-9, "{surface}");
    // At rest under 10 N on 1 mm per newton: sunk by 10 mm.
    let material = Material { compliance: 1e-3, ..Material::HARD };
    let (velocity, rows) = on_floor(0.01, -10.0 * STEP, material, Settings::new(STEP), Body::Static);
    assert!(velocity.linear.y.abs() < 1e-12, "{}", velocity.linear.y);
    assert!((rows.get(0).unwrap().impulses()[0] - 10.0 * STEP).abs() < 1e-12);
}

#[test]
fn two_geometries_of_one_body_do_not_push_each_other() {
    let mut sample = Sample::new(64);
    let (mass, contact) = (random_mass(&mut sample), random_contact(&mut sample, 0.1));
    let before = Velocity { linear: sample.vector(), angular: sample.vector() };
    let mut velocities = [before];
    let mut rows = Rows::new(Settings::new(STEP));
    let body = |_: usize| Body::Dynamic(0);
    rows.gather([list(0, [0, 1], &[contact])], &[mass], &velocities, body, |_| Material::with_friction(1.0))
        .unwrap();
    rows.iter_mut().for_each(|row| row.solve(&mut velocities));
    assert_eq!(velocities, [before]);
    assert_eq!(rows.get(0).unwrap().impulses(), [0.0; 3]);
}

#[test]
fn two_immovable_bodies_do_nothing() {
    let contact = random_contact(&mut Sample::new(63), 0.1);
    let mut velocities = [Velocity::default()];
    let mut rows = Rows::new(Settings::new(STEP));
    let side = |number| if number == 0 { Body::Dynamic(0) } else { Body::Static };
    rows.gather([list(0, [0, 1], &[contact])], &[Mass::infinite()], &velocities, side, |_| {
        Material::with_friction(1.0)
    })
    .unwrap();
    rows.iter_mut().for_each(|row| row.solve(&mut velocities));
    assert_eq!(velocities[0], Velocity::default());
    assert_eq!(rows.get(0).unwrap().impulses(), [0.0; 3]);
    assert!(rows.gather([list(0, [3, 1], &[contact])], &[], &[], Body::Dynamic, |_| Material::HARD).is_err());
}

/// A box of 1 kg on a slope, on its four lower corners, from rest: its acceleration along the slope over half a second.
fn slide(slope: f64, material: Material) -> f64 {
    let (sine, cosine) = slope.sin_cos();
    let gravity = Vector::new(sine, -cosine, 0.0) * 9.81; // x is down the slope, y its normal
    let half = Vector::new(0.1, 0.02, 0.1);
    let moments = Vector::new(0.1 * 0.1 + 0.02 * 0.02, 2.0 * 0.1 * 0.1, 0.1 * 0.1 + 0.02 * 0.02) / 3.0;
    let (mut pose, mut velocities) = (Isometry3::translation(0.0, half.y, 0.0), [Velocity::default()]);
    let mut rows = Rows::new(Settings::new(STEP));
    let steps = 50;
    for _ in 0..steps {
        velocities[0].linear += gravity * STEP;
        let corner = |id: u64| {
            let side = |bit: u64| if id >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let a = pose * Point::new(side(0) * half.x, -half.y, side(1) * half.z);
            let foot = Point::new(a.x, 0.0, a.z);
            Contact::exact(Feature::point(a), Feature::point(foot), Vector::y(), -a.y, id)
        };
        let contacts = [corner(0), corner(1), corner(2), corner(3)];
        let mass = Mass::new(&pose, 1.0, &moments.map(|moment| 1.0 / moment));
        let body = |number| if number == 0 { Body::Dynamic(0) } else { Body::Static };
        rows.gather([list(0, [0, 1], &contacts)], &[mass], &velocities, body, |_| material).unwrap();
        rows.warm_start(&mut velocities, 1.0);
        (0..100).for_each(|_| rows.iter_mut().for_each(|row| row.solve(&mut velocities)));
        pose.translation.vector += velocities[0].linear * STEP;
        pose.rotation = UnitQuaternion::from_scaled_axis(velocities[0].angular * STEP) * pose.rotation;
    }
    assert!((pose.translation.y - half.y).abs() < 1e-6, "{}", pose.translation.y);
    velocities[0].linear.x / (STEP * f64::from(steps))
}

#[test]
fn a_box_on_a_slope_sticks_below_the_friction_angle_and_slides_above_it() {
    let friction = 0.5;
    let angle = f64::atan(friction);
    let material = Material::with_friction(friction);
    let creep = slide(angle * 0.99, material);
    assert!(creep.abs() < 1e-6, "{creep}");
    for slope in [angle * 1.01, 0.6, 0.9] {
        let wanted = 9.81 * (slope.sin() - friction * slope.cos());
        let found = slide(slope, material);
        assert!((found / wanted - 1.0).abs() < 0.01, "{slope}: {found}, wanted {wanted}");
    }
    let material = Material { static_friction: 0.8, ..material };
    assert!(slide(0.6, material).abs() < 1e-6, "static friction holds");
}

/// Rows are written where those of earlier steps were: nothing of these is left, whether there are fewer or more.
#[test]
fn rows_in_a_used_list_are_those_of_a_new_one() {
    let mut sample = Sample::new(66);
    let masses = [random_mass(&mut sample), random_mass(&mut sample)];
    let settings = Settings { stabilization: Stabilization::SplitImpulse, ..Settings::new(STEP) };
    let mut used = Rows::new(settings);
    for (number, count) in [40, 7, 90].into_iter().enumerate() {
        let start = [0, 1].map(|_| Velocity { linear: sample.vector(), angular: sample.vector() });
        let motion = Motion { center: sample.point(), velocity: sample.vector(), spin: sample.vector() };
        let contacts: Vec<Contact> =
            (0..count).map(|id| Contact { id, ..random_contact(&mut sample, 0.01) }).collect();
        let material = match number {
            0 => Material { restitution: 0.5, ..Material::with_friction(0.5) },
            _ => Material { compliance: 1e-4, ..Material::HARD },
        };
        let body =
            |side| if side == 1 && number == 0 { Body::Kinematic(motion) } else { Body::Dynamic(side) };
        let mut described = [&mut used, &mut Rows::new(settings)].map(|rows| {
            let (mut velocities, mut pushes) = (start, [Velocity::default(); 2]);
            let list = list(number as u64, [0, 1], &contacts);
            rows.gather([list], &masses, &velocities, body, |_| material).unwrap();
            let describe = |row: RowRef<'_>| {
                let jacobians = [row.jacobian(0), row.jacobian(1), row.jacobian(2)];
                let numbers = [row.effective_masses(), row.impulses(), row.rates(&start)];
                (row.bodies(), jacobians, numbers, [row.gap(), row.target()], row.bounds(), row.is_known())
            };
            let before: Vec<_> = rows.iter().map(describe).collect();
            rows.iter_mut().for_each(|row| row.solve(&mut velocities));
            rows.iter_mut().for_each(|row| row.solve_push(&mut pushes));
            (before, rows.clone().iter().map(describe).collect::<Vec<_>>(), velocities, pushes)
        });
        assert_eq!(described[0].0.len(), count as usize);
        assert_ne!(described[0].2, start);
        assert_ne!(described[0].3, [Velocity::default(); 2]);
        let [used, new] = &mut described;
        assert_eq!(used, new);
    }
}
