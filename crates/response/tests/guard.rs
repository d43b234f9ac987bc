//! The guard: cases with numbers to check by hand.
#![allow(clippy::unwrap_used)] // a test may panic

use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::{Capsule, LineMesh, OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_response::ResponseError;
use palpate_response::guard::{Contradiction, Guard, Mover, Moves, Shortened, Start};

fn point(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

/// A fixed triangle in z = 0, and a single particle.
fn over_a_triangle(distance: f64) -> Guard {
    let corners = vec![point(0.0, 0.0, 0.0), point(1.0, 0.0, 0.0), point(0.0, 1.0, 0.0)];
    let mut guard = Guard::new();
    let floor = guard.add(&SurfaceMesh::new(corners, vec![[0, 1, 2]]).unwrap(), Moves::Fixed).unwrap();
    let dot = PointSet::new(vec![Point::origin()]).unwrap();
    let dot = guard.add(&dot, Moves::Particles(0)).unwrap();
    guard.add_pair(floor, dot, distance).unwrap();
    guard
}

fn close(found: Point, wanted: Point) {
    assert!((found - wanted).norm() < 1e-12, "{found}, wanted {wanted}");
}

#[test]
fn a_particle_stops_at_its_distance_and_slides_on() {
    let mut guard = over_a_triangle(0.125);
    let start = [point(0.25, 0.25, 1.0)];
    let mut end = [point(0.375, 0.25, -1.0)];
    let report = guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).unwrap().clone();
    close(end[0], point(0.375, 0.25, 0.125));
    assert_eq!((report.near, report.crossing, report.frozen), (1, 0, 0));
    let [Shortened { mover: Mover::Particle(0), pair: 0, lost, .. }] = report.shortened[..] else {
        panic!("{report:?}")
    };
    assert!((lost - 1.125).abs() < 1e-12);
    // Its velocity of -2 and 0.125 along x in a step of 1 loses 1.125 along z.
    let mut velocities = [Vector::new(0.125, 0.0, -2.0)];
    guard.slow(&end, &mut velocities, 1.0);
    assert!((velocities[0] - Vector::new(0.125, 0.0, -0.875)).norm() < 1e-12);
}

#[test]
fn a_motion_is_free_as_long_as_it_ends_at_the_distance() {
    let mut guard = over_a_triangle(0.125);
    let start = [point(0.25, 0.25, 1.0)];
    for (height, is_free) in [(0.9, true), (0.1251, true), (0.1249, false), (-1.0, false)] {
        let end = [point(0.25, 0.25, height)];
        let places = Start { particles: &start, poses: &[] };
        assert_eq!(guard.is_free(places, &end, &[]).unwrap(), is_free, "{height}");
        let mut held = end;
        assert_eq!(guard.hold(places, &mut held, &mut []).unwrap().is_empty(), is_free, "{height}");
    }
    let lost = [point(0.25, f64::NAN, 0.5)];
    let refused = guard.is_free(Start { particles: &start, poses: &[] }, &lost, &[]);
    assert_eq!(refused, Err(ResponseError::NotFinite { what: "particle", index: 0 }));
}

/// A slope sends a particle into another one that its own way passes by, and that comes before or after it.
#[test]
fn what_is_shortened_is_held_from_what_its_new_way_meets() {
    let along = Vector::new(0.8, 0.0, -0.6) * 9.0;
    let slope = [along, -along * 0.5 + Vector::y() * 9.0, -along * 0.5 - Vector::y() * 9.0];
    let slope = SurfaceMesh::new(slope.map(Point::from).to_vec(), vec![[0, 1, 2]]).unwrap();
    for other in [0, 1] {
        let mut guard = Guard::new();
        let slope = guard.add(&slope, Moves::Fixed).unwrap();
        let dots = PointSet::new(vec![Point::origin(); 2]).unwrap();
        let dots = guard.add(&dots, Moves::Particles(0)).unwrap();
        guard.add_pair(slope, dots, 0.1).unwrap();
        guard.add_pair(dots, dots, 0.1).unwrap();
        let (mut start, rest) = ([point(0.0, 0.0, 1.0); 2], point(0.75, 0.0, 0.0));
        start[other] = rest;
        let mut end = start;
        end[1 - other] = point(0.0, 0.0, -3.0);
        let places = Start { particles: &start, poses: &[] };
        let report = guard.hold(places, &mut end, &mut []).unwrap();
        assert!(report.near == 2 && !report.is_empty(), "{report:?}");
        let (from, to) = (start[1 - other], end[1 - other]);
        assert!((to - from).norm() > 0.5, "{to}");
        let between = nalgebra::distance(&end[other], &rest);
        let nearest = (0..=1000).map(|k| from + (to - from) * (f64::from(k) / 1000.0) - rest);
        let nearest = nearest.map(|way| way.norm()).fold(f64::INFINITY, f64::min);
        assert!(between == 0.0 && nearest > 0.1 - 1e-9, "{other}: {nearest}");
    }
}

/// Two segments across each other, which come nearer from both sides, or go the same way.
#[test]
fn the_way_of_both_counts() {
    let mut guard = Guard::new();
    let rod = LineMesh::new(vec![Point::origin(), point(1.0, 0.0, 0.0)], vec![[0, 1]]).unwrap();
    let [upper, lower] = [0, 2].map(|first| guard.add(&rod, Moves::Particles(first)).unwrap());
    guard.add_pair(upper, lower, 0.125).unwrap();
    let at = |upper: f64, lower: f64| {
        [point(-0.5, 0.0, upper), point(0.5, 0.0, upper), point(0.0, -0.5, lower), point(0.0, 0.5, lower)]
    };
    let start = at(1.0, 0.0);
    for (upper, lower, is_free) in [
        (0.5626, 0.4374, true),
        (0.5624, 0.4376, false),
        (-9.0, -10.0, true),
        (-9.0, -9.5, true),
        (-9.0, 0.0, false),
    ] {
        let found = guard.is_free(Start { particles: &start, poses: &[] }, &at(upper, lower), &[]);
        assert_eq!(found, Ok(is_free), "{upper} {lower}");
    }
}

#[test]
fn what_passes_by_or_leaves_is_not_touched() {
    let mut guard = over_a_triangle(0.125);
    for (from, to) in [
        (point(0.25, 0.25, 1.0), point(7.0, -3.0, 0.5)),
        // Past the hypotenuse: only the exact query tells.
        (point(0.2, 0.2, 0.5), point(2.0, 2.0, -0.5)),
        // From closer than the distance: away.
        (point(0.25, 0.25, 0.01), point(0.3, 0.25, 0.02)),
        (point(0.25, 0.25, 0.01), point(0.3, 0.25, 0.01)),
    ] {
        let mut end = [to];
        let report = guard.hold(Start { particles: &[from], poses: &[] }, &mut end, &mut []).unwrap();
        assert!(report.is_empty() && end == [to], "{from} {to}: {report:?}");
    }
}

#[test]
fn what_is_missing_is_shared_in_the_ratio_of_the_motions() {
    let mut guard = Guard::new();
    let dot = |first: usize, guard: &mut Guard| {
        let geometry = PointSet::new(vec![Point::origin()]).unwrap();
        guard.add(&geometry, Moves::Particles(first)).unwrap()
    };
    let (a, b) = (dot(0, &mut guard), dot(1, &mut guard));
    guard.add_pair(a, b, 0.25).unwrap();
    let start = [point(0.0, 0.0, 0.0), point(1.0, 0.0, 0.0)];
    // They approach each other by 1 and by 0.5; 0.75 is allowed: two thirds of it for the faster.
    let mut end = [point(1.0, 0.0, 0.0), point(0.5, 0.0, 0.0)];
    guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).unwrap();
    close(end[0], point(0.5, 0.0, 0.0));
    close(end[1], point(0.75, 0.0, 0.0));
    // Both move on together, faster than they are apart: nothing is missing.
    let mut end = [point(5.0, 0.0, 0.0), point(6.0, 0.0, 0.0)];
    assert!(guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).unwrap().is_empty());
}

#[test]
fn a_tool_is_cut_short_by_what_does_not_give_way_and_the_report_says_so() {
    let mut guard = Guard::new();
    let tool = guard.add(&Sphere::new(Point::origin(), 0.5).unwrap(), Moves::Tool(0)).unwrap();
    let dot = guard.add(&PointSet::new(vec![Point::origin()]).unwrap(), Moves::Particles(0)).unwrap();
    guard.add_pair(tool, dot, 0.0).unwrap();
    let pose = |x: f64| Pose::translation(x, 0.0, 0.0);
    // The particle comes by 0.25 and gives that up; the tool wants 1, and gets to 1 - 0.5.
    let mut end = [point(0.75, 0.0, 0.0)];
    let mut poses = [pose(1.0)];
    let start = Start { particles: &[point(1.0, 0.0, 0.0)], poses: &[pose(0.0)] };
    let report = guard.hold(start, &mut end, &mut poses).unwrap();
    close(end[0], point(1.0, 0.0, 0.0));
    close(poses[0].translation.vector.into(), point(0.5, 0.0, 0.0));
    let [Contradiction { tool: 0, pair: 0, missing, direction }] = report.contradictions[..] else {
        panic!("{report:?}")
    };
    assert!((missing - 0.5).abs() < 1e-12 && (direction + Vector::x()).norm() < 1e-12);
}

#[test]
fn a_stick_that_turns_stops_at_a_post() {
    let mut guard = Guard::new();
    // Along y from the origin, 2 long, turning about z by a quarter; the post stands at 45 degrees.
    let stick =
        guard.add(&LineMesh::polyline(vec![Point::origin(), point(0.0, 2.0, 0.0)]).unwrap(), Moves::Body(0));
    let post = Capsule::new(
        Pose::from_parts(
            Translation3::new(-0.8, 0.8, 0.0),
            UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(
                0.5_f64.sqrt(),
                0.5_f64.sqrt(),
                0.0,
                0.0,
            )),
        ),
        0.1,
        2.0,
    );
    let post = guard.add(&post.unwrap(), Moves::Fixed).unwrap();
    guard.add_pair(stick.unwrap(), post, 0.0).unwrap();
    let turned = |angle: f64| {
        Pose::from_parts(Translation3::identity(), UnitQuaternion::from_scaled_axis(Vector::z() * angle))
    };
    let mut poses = [turned(std::f64::consts::FRAC_PI_2)];
    let start = Start { particles: &[], poses: &[turned(0.0)] };
    let report = guard.hold(start, &mut [], &mut poses).unwrap().clone();
    let way = poses[0] * Vector::y();
    let angle = (-way.x).atan2(way.y);
    // The post of radius 0.1 is tangent to the stick at 45 degrees minus asin(0.1 / 1.131).
    let last = std::f64::consts::FRAC_PI_4 - (0.1_f64 / (0.8 * 2.0_f64.sqrt())).asin();
    assert!(angle > 0.3 && angle <= last + 1e-12, "{angle}, at most {last}");
    assert!((report.shortened[0].lost_turn - (std::f64::consts::FRAC_PI_2 - angle)).abs() < 1e-9);
}

#[test]
fn a_box_rests_on_a_plane_and_slides() {
    let mut guard = Guard::new();
    let half = Vector::new(0.5, 0.25, 0.5);
    let body = guard.add(&OrientedBox::new(Pose::identity(), half).unwrap(), Moves::Body(0)).unwrap();
    let floor = guard.add(&Plane::new(Point::origin(), Vector::y()).unwrap(), Moves::Fixed).unwrap();
    guard.add_pair(body, floor, 1e-3).unwrap();
    let start = [Pose::translation(0.0, 0.251, 0.0)];
    let mut poses = [Pose::translation(2.0, -1.0, 0.0)];
    guard.hold(Start { particles: &[], poses: &start }, &mut [], &mut poses).unwrap();
    close(poses[0].translation.vector.into(), point(2.0, 0.251, 0.0));
}

#[test]
fn nan_is_refused_by_name_and_nothing_changes() {
    let mut guard = over_a_triangle(0.125);
    let start = [point(0.25, 0.25, 1.0)];
    let mut end = [point(f64::NAN, 0.25, -1.0)];
    let refused = guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).unwrap_err();
    assert_eq!(refused, ResponseError::NotFinite { what: "particle", index: 0 });
    assert!(end[0].x.is_nan() && end[0].z == -1.0);
    let mut end = [point(0.25, 0.25, f64::INFINITY)];
    assert!(guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).is_err());
    // The next step is as if that had not been.
    let mut end = [point(0.25, 0.25, -1.0)];
    guard.hold(Start { particles: &start, poses: &[] }, &mut end, &mut []).unwrap();
    close(end[0], point(0.25, 0.25, 0.125));
}

#[test]
fn what_cannot_be_guarded_is_refused_by_name() {
    let mut guard = Guard::new();
    let sphere = Sphere::new(Point::origin(), 0.5).unwrap();
    let refused = guard.add(&sphere, Moves::Particles(0)).unwrap_err().to_string();
    assert!(refused.contains("sphere") && refused.contains("a mesh of particles"), "{refused}");
    let dot = guard.add(&PointSet::new(vec![Point::origin()]).unwrap(), Moves::Particles(4)).unwrap();
    let refused = guard.add_pair(dot, dot, 0.0).unwrap_err();
    assert_eq!(refused, ResponseError::GuardedDistance { pair: 0, found: 0.0 });
    let start = [Point::origin(); 2];
    let refused = guard.hold(Start { particles: &start, poses: &[] }, &mut start.clone(), &mut []);
    assert_eq!(refused.unwrap_err(), ResponseError::GuardedCount { what: "particles", found: 2, wanted: 5 });
}

/// A ball slides through a ring that is given by a function, stops at its tube, and neither gets inside of it.
#[test]
fn an_implicit_body_is_passed_by_and_not_entered() {
    use palpate_geometry::ImplicitBody;
    use palpate_geometry::implicit::Torus;
    use std::sync::Arc;
    let torus = Torus::new(Pose::identity(), 0.03, 0.01).unwrap(); // about +y
    let ring = ImplicitBody::new(Pose::identity(), Arc::new(torus)).unwrap();
    let mut guard = Guard::new();
    let ring = guard.add(&ring, Moves::Fixed).unwrap();
    let ball = guard
        .add(&PointSet::new(vec![Point::origin()]).unwrap().with_radius(0.002).unwrap(), Moves::Particles(0));
    guard.add_pair(ball.unwrap(), ring, 0.001).unwrap();
    let mut go = |from: Point, to: Point| {
        let mut end = [to];
        let start = Start { particles: &[from], poses: &[] };
        let report = guard.hold(start, &mut end, &mut []).unwrap().clone();
        (end[0], report)
    };
    // Through the hole, 40 mm in a step: free.
    let (end, report) = go(point(0.0, 0.02, 0.0), point(0.0, -0.02, 0.0));
    assert!(end == point(0.0, -0.02, 0.0) && report.is_empty());
    // From above through the tube: on the way its core would pass; it stays above, 3 mm off the surface at 10 mm.
    let (end, report) = go(point(0.03, 0.02, 0.0), point(0.03, -0.02, 0.0));
    assert!(end.y >= 0.013 - 1e-9 && end.y < 0.0132 && report.shortened.len() == 1, "{end}");
    // Into the tube, and along: the way along is kept.
    let (end, _) = go(point(0.03, 0.0131, 0.0), point(0.03, 0.012, 0.001));
    assert!(end.z > 0.0009 && (end.y - 0.013).abs() < 1e-5, "{end}");
}
