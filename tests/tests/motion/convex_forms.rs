//! Moving shapes whose first impact has a closed form.

use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Detection, Flags, Registry};
use palpate_geometry::{
    Capsule, Convex, Geometry, LineMesh, Needs, OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh, pose,
};
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use std::f64::consts::{FRAC_PI_2, PI};

fn first_within(a: &dyn Geometry, b: &dyn Geometry, margin: f64) -> Option<Contact> {
    let choice = Choice { detection: Detection::Continuous, ..Choice::default() };
    let mut out = CollisionData::new();
    let mut bound = Registry::standard().bind(a, b, choice).unwrap();
    let status = bound.run(a, b, &Context::new().with_margin(margin), &mut out).unwrap();
    assert_eq!(status.flags, Flags::empty());
    assert!(out.len() <= 1, "{}", out.len());
    out.contacts.first().copied()
}

fn first(a: &dyn Geometry, b: &dyn Geometry) -> Option<Contact> {
    first_within(a, b, 0.0)
}

/// A time is no later than the true one, and earlier by no more than what the tolerance is at that speed.
fn check_time(found: f64, wanted: f64, early: f64) {
    assert!(found <= wanted && found >= wanted - early, "{found}, wanted {wanted}");
}

fn is_along(found: &Contact, direction: Vector) -> bool {
    (Vector::from(found.direction) - direction).norm() < 1e-9
}

fn moved(mut shape: Sphere, from: Point) -> Sphere {
    shape.set_previous_pose(Pose::from(from.coords)).unwrap();
    shape
}

#[test]
fn two_spheres_meet_at_the_root_of_a_quadratic() {
    let mut random = Random::new(14);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..2000 {
        let radii = [random.between(0.01, 0.3), random.between(0.01, 0.3)];
        let sum = radii[0] + radii[1];
        let ends: [[Vector; 2]; 2] = [[random.vector(), random.vector()], [random.vector(), random.vector()]];
        let start = ends[0][0] - ends[1][0];
        let way = (ends[0][1] - ends[1][1]) - start;
        if start.norm() <= sum * 1.001 {
            continue;
        }
        let [a, b] = [0, 1].map(|k| {
            let sphere = Sphere::new(Point::from(ends[k][1]), radii[k]).unwrap();
            moved(sphere, Point::from(ends[k][0]))
        });
        let found = first(&a, &b);
        // |start + way t|^2 = sum^2
        let (square, half) = (way.norm_squared(), start.dot(&way));
        let least = start.norm_squared() - half * half / square;
        let discriminant = half * half - square * (start.norm_squared() - sum * sum);
        let root = (-half - discriminant.max(0.0).sqrt()) / square;
        if (least.max(0.0).sqrt() - sum).abs() < 1e-4 * sum || (root - 1.0).abs() < 1e-4 {
            continue;
        }
        if discriminant > 0.0 && (0.0..1.0).contains(&root) {
            hits += 1;
            let found = found.expect("the spheres meet");
            check_time(found.time_of_impact, root, 1e-4);
            let normal = (start + way * root).normalize();
            assert!((Vector::from(found.direction) - normal).norm() < 1e-2);
            let past = sum - Vector::from(found.direction).dot(&(start + way));
            assert!((found.depth - past).abs() < 1e-12, "{} {past}", found.depth);
        } else {
            misses += 1;
            assert!(found.is_none(), "{found:?}");
        }
    }
    assert!(hits > 200 && misses > 300, "{hits} {misses}");
}

#[test]
fn a_box_falls_on_a_box_and_on_a_plane() {
    let half = Vector::repeat(0.5);
    let mut falling = OrientedBox::new(Pose::translation(0.25, 0.0, 0.0), half).unwrap();
    falling.set_previous_pose(Pose::translation(0.25, 4.0, 0.0)).unwrap();
    let floor = OrientedBox::new(Pose::translation(0.0, -0.5, 0.0), Vector::new(5.0, 0.5, 5.0)).unwrap();
    let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
    for (other, name) in [(&floor as &dyn Geometry, "box"), (&plane, "plane")] {
        // The lower face reaches the floor after 3.5 m of 4 m.
        let found = first(&falling, other).unwrap();
        check_time(found.time_of_impact, 0.875, 1e-6);
        assert!(is_along(&found, Vector::y()), "{name}: {found:?}");
        assert!((found.depth - 0.5).abs() < 1e-14, "{name}: {}", found.depth);
        assert!(found.a.point[1].abs() < 2e-6 && found.b.point[1].abs() < 2e-6, "{name}: {found:?}");
        // Within a margin of 0.5 m after 3 m.
        check_time(first_within(&falling, other, 0.5).unwrap().time_of_impact, 0.75, 1e-6);
    }
    // Rising from contact: an impact at time 0, which the end of the step has left.
    let mut rising = OrientedBox::new(Pose::translation(0.0, 1.0, 0.0), half).unwrap();
    rising.set_previous_pose(Pose::translation(0.0, 0.25, 0.0)).unwrap();
    let found = first(&rising, &floor).unwrap();
    assert_eq!(found.time_of_impact, 0.0);
    assert!((found.depth + 0.5).abs() < 1e-14, "{}", found.depth);
    // At rest in contact: the depth of static detection.
    let resting = OrientedBox::new(Pose::translation(0.0, 0.25, 0.0), half).unwrap();
    let found = first(&resting, &floor).unwrap();
    assert!(found.time_of_impact == 0.0 && (found.depth - 0.25).abs() < 1e-14, "{found:?}");
}

#[test]
fn a_sheet_is_met_from_the_side_where_the_body_was() {
    let sheet = Plane::new(Point::origin(), Vector::y()).unwrap().with_two_sided(true);
    for side in [1.0, -1.0] {
        let ball = moved(
            Sphere::new(Point::new(0.0, -3.0 * side, 0.0), 1.0).unwrap(),
            Point::new(0.0, 3.0 * side, 0.0),
        );
        let found = first(&ball, &sheet).unwrap();
        check_time(found.time_of_impact, 1.0 / 3.0, 1e-6);
        assert!(is_along(&found, Vector::y() * side), "{found:?}");
        assert!((found.depth - 4.0).abs() < 1e-14);
    }
}

#[test]
fn a_plane_that_turns_meets_a_ball_at_a_known_angle() {
    // The plane turns about the origin from the normal +y to +x: the height of the ball at (-2, 1) is
    // |c| sin(angle of c - angle of the plane), and its radius 0.5.
    let center = Point::new(-2.0, 1.0, 0.0);
    let ball = Sphere::new(center, 0.5).unwrap();
    let mut plane = Plane::new(Point::origin(), Vector::x()).unwrap();
    plane.set_previous_pose(Pose::identity()).unwrap();
    let normal = |angle: f64| Vector::new(angle.sin(), angle.cos(), 0.0);
    let height = |angle: f64| normal(angle).dot(&center.coords) - 0.5;
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if height(middle) > 0.0 { low = middle } else { high = middle }
    }
    let found = first(&plane, &ball).unwrap();
    check_time(found.time_of_impact, low / FRAC_PI_2, 1e-5);
    assert!((Vector::from(found.direction) + normal(low)).norm() < 1e-4);
    assert!((found.depth - 2.5).abs() < 1e-12, "{}", found.depth);
}

#[test]
fn the_tip_of_a_rod_hits_a_ball_at_a_known_angle() {
    // A rod along x turns about z, its far end at 2; the ball is at an angle and near the tip.
    let turned = |angle: f64| {
        let axis = pose::rotation_from_axis(Vector::x()).unwrap();
        pose::from_rotation(Point::origin(), Pose::rotation(Vector::z() * angle).rotation * axis).unwrap()
    };
    for (turn, at) in [(FRAC_PI_2, 0.7), (FRAC_PI_2, 1.3), (PI - 0.01, 2.5), (-FRAC_PI_2, -1.0_f64)] {
        let (radius, ball_radius, distance) = (0.01, 0.1, 1.9_f64);
        let mut rod = Capsule::new(turned(turn), radius, 4.0).unwrap();
        rod.set_previous_pose(turned(0.0)).unwrap();
        let ball =
            Sphere::new(Point::new(distance * at.cos(), distance * at.sin(), 0.0), ball_radius).unwrap();
        // The distance of the ball's centre from the rod is D sin(angle between).
        let between = ((radius + ball_radius) / distance).asin();
        let wanted = (at.abs() - between) / turn.abs();
        let found = first(&rod, &ball).unwrap();
        check_time(found.time_of_impact, wanted, 1e-6);
    }
    // Half a turn in the plane of the rod, with the ball beside the plane: nothing.
    let mut rod = Capsule::new(turned(PI - 0.01), 0.01, 4.0).unwrap();
    rod.set_previous_pose(turned(0.0)).unwrap();
    assert!(first(&rod, &Sphere::new(Point::new(0.0, 1.9, 0.12), 0.1).unwrap()).is_none());
    assert!(first(&rod, &Sphere::new(Point::new(0.0, 2.12, 0.0), 0.1).unwrap()).is_none());
}

#[test]
fn a_needle_spins_beside_a_box_and_through_it() {
    // 1 : 1000, on its way along its own axis, turning about it by a radian.
    let along = |x: f64, angle: f64| {
        let axis = pose::rotation_from_axis(Vector::x()).unwrap();
        pose::from_rotation(Point::new(x, 0.0, 0.0), Pose::rotation(Vector::x() * angle).rotation * axis)
            .unwrap()
    };
    let mut needle = Capsule::new(along(5.0, 1.0), 0.0005, 0.999).unwrap();
    needle.set_previous_pose(along(-5.0, 0.0)).unwrap();
    let block = |y: f64| OrientedBox::new(Pose::translation(0.0, y, 0.0), Vector::repeat(0.01)).unwrap();
    assert!(first(&needle, &block(0.0106)).is_none());
    let found = first(&needle, &block(0.0104)).unwrap();
    // The tip touches the corner of the block's front between x = -0.01 and the reach of the round tip.
    let reach = 0.4995 + (0.0005_f64.powi(2) - 0.0004_f64.powi(2)).sqrt();
    check_time(found.time_of_impact, (5.0 - 0.01 - reach) / 10.0, 1e-5);
}

#[test]
fn elements_of_meshes_meet_a_ball_once() {
    let mut ball = Sphere::new(Point::new(0.0, -1.0, 0.0), 0.25).unwrap();
    ball.set_previous_pose(Pose::translation(0.0, 1.0, 0.0)).unwrap();
    // Two triangles that share the edge below the ball, and a corner of a thread below it.
    let points = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]].map(Point::from);
    let mut sheet = SurfaceMesh::new(points.to_vec(), vec![[2, 3, 0], [3, 2, 1]]).unwrap();
    let thread_points = [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -0.5, 0.0]].map(Point::from);
    let mut thread = LineMesh::polyline(thread_points.to_vec()).unwrap().with_radius(0.25).unwrap();
    let mut set = PointSet::new(vec![Point::new(0.0, 0.0, 0.0), Point::new(0.0, 5.0, 0.0)]).unwrap();
    sheet.prepare(Needs::all());
    thread.prepare(Needs::all());
    set.prepare(Needs::all());
    let on_sheet = first(&sheet, &ball).unwrap();
    check_time(on_sheet.time_of_impact, 0.375, 1e-6);
    assert_eq!(on_sheet.a.vertex_ids(), &[2, 3]);
    assert!(is_along(&on_sheet, -Vector::y()), "{on_sheet:?}");
    assert!((on_sheet.depth - 1.25).abs() < 1e-12);
    let on_thread = first(&thread, &ball).unwrap();
    check_time(on_thread.time_of_impact, 0.25, 1e-6);
    assert_eq!(on_thread.a.vertex_ids(), &[1]);
    assert!((on_thread.depth - 1.5).abs() < 1e-12);
    assert!((on_thread.a.point[1] - 0.25).abs() < 1e-5, "on the surface of the thread");
    let on_points = first(&set, &ball).unwrap();
    check_time(on_points.time_of_impact, 0.375, 1e-6);
}

#[test]
fn a_ball_that_leaves_a_solid_has_no_contact_and_one_that_enters_has() {
    let corners: Vec<Point> =
        (0..8).map(|k: u32| Point::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
    let hull = Convex::new(Pose::identity(), &corners).unwrap();
    let triangles = hull.hull().triangles().to_vec();
    let points = hull.hull().points().iter().map(|point| Point::from(*point)).collect();
    let mut solid = SurfaceMesh::new(points, triangles).unwrap();
    solid.prepare(Needs::all());
    let (inside, outside) = (Point::new(0.5, 0.45, 0.4), Point::new(0.5, 3.0, 0.4));
    let contacts = |from: Point, to: Point| {
        let ball = moved(Sphere::new(to, 0.1).unwrap(), from);
        let choice = Choice { detection: Detection::Continuous, ..Choice::default() };
        let mut out = CollisionData::new();
        let mut bound = Registry::standard().bind(&solid, &ball, choice).unwrap();
        bound.run(&solid, &ball, &Context::new(), &mut out).unwrap();
        out.contacts
    };
    assert!(contacts(inside, outside).is_empty());
    let entering = contacts(outside, inside);
    assert_eq!(entering.len(), 1, "{entering:#?}");
    check_time(entering[0].time_of_impact, 1.9 / 2.55, 1e-5);
}
