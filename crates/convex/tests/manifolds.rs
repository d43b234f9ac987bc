//! Manifolds with results that can be checked by hand.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use nalgebra::{Matrix3, Rotation3, Vector3};
use palpate_convex::{
    Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, FacedHull, Faces, Hull, HullFaces, Manifold,
    ManifoldPoint, Memory, NO_ID, RigidTransform, Settings, contact,
};
use palpate_math::Point;
use rand::{RngExt, SeedableRng};

type Vector = Vector3<f64>;

const UNIT: Cuboid<Vector> = Cuboid { half_extents: Vector::new(1.0, 1.0, 1.0) };

fn at(x: f64, y: f64, z: f64) -> RigidTransform<Vector> {
    RigidTransform::at(Vector::new(x, y, z))
}

fn turned(pose: RigidTransform<Vector>, axis: Vector, degrees: f64) -> RigidTransform<Vector> {
    let rotation: Matrix3<f64> = Rotation3::new(axis.normalize() * degrees.to_radians()).into_inner();
    RigidTransform::new(rotation, pose.translation)
}

/// Returns the points and the direction.
fn manifold(
    a: &impl Faces,
    pose_a: &RigidTransform<Vector>,
    b: &impl Faces,
    pose_b: &RigidTransform<Vector>,
    margin: f64,
) -> (Vec<ManifoldPoint>, Vector) {
    let found = contact((a, pose_a), (b, pose_b), &mut Memory::default(), &Settings::default());
    let points = Manifold::default().find((a, pose_a), (b, pose_b), &found, margin).to_vec();
    assert!((points[0].depth - found.depth).abs() <= 1e-9);
    (points, found.direction)
}

/// Whether the x and z of A's points are these in any order, up to rounding error.
fn are_at(points: &[ManifoldPoint], wanted: &[[f64; 2]]) -> bool {
    let near = |point: &ManifoldPoint, [x, z]: [f64; 2]| {
        (point.point_a.x - x).abs() < 1e-9 && (point.point_a.z - z).abs() < 1e-9
    };
    points.len() == wanted.len() && wanted.iter().all(|&place| points.iter().any(|point| near(point, place)))
}

fn ids(points: &[ManifoldPoint]) -> Vec<u64> {
    points.iter().map(|point| point.id).collect()
}

#[test]
fn a_box_on_a_box_has_four_points_the_corners_of_what_they_share() {
    let (points, direction) = manifold(&UNIT, &at(0.5, 1.875, 0.25), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(direction, Vector::y());
    assert!(are_at(&points, &[[-0.5, -0.75], [-0.5, 1.0], [1.0, -0.75], [1.0, 1.0]]), "{points:?}");
    for point in &points {
        assert_eq!((point.depth, point.point_a.y, point.features), (0.125, 0.875, [3, 2]));
    }
}

/// A small step changes no id.
// Proves: REQ-MANIFOLD-IDS
#[test]
fn ids_stay_while_the_same_features_meet() {
    let (before, _) = manifold(&UNIT, &at(0.5, 1.875, 0.25), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    let pose = turned(at(0.51, 1.87, 0.26), Vector::new(0.2, 1.0, -0.1), 0.5);
    let (after, _) = manifold(&UNIT, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    let sorted = |points: &[ManifoldPoint]| {
        let mut ids = ids(points);
        ids.sort_unstable();
        ids
    };
    assert_eq!(sorted(&before), sorted(&after));
    let kinds: Vec<u64> = sorted(&before).iter().map(|id| id >> 62).collect();
    assert_eq!(kinds, [1, 2, 3, 3], "a corner of A, a corner of B, two crossings");
}

/// The intersection of two squares turned by 45° is an octagon with corners at ±(1, √2 - 1) and the like; four of them
/// make a square.
#[test]
fn a_box_turned_on_a_box_keeps_the_largest_square_of_eight_corners() {
    let pose = turned(at(0.0, 1.9375, 0.0), Vector::y(), 45.0);
    let (points, _) = manifold(&UNIT, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(points.len(), 4);
    let t = 2.0_f64.sqrt() - 1.0;
    for point in &points {
        let [x, z] = [point.point_a.x.abs(), point.point_a.z.abs()];
        assert!((x.min(z) - t).abs() < 1e-12 && (x.max(z) - 1.0).abs() < 1e-12, "{point:?}");
        assert!((point.depth - 0.0625).abs() < 1e-12);
    }
    let area = |p: &ManifoldPoint| -> [f64; 2] { [p.point_a.x, p.point_a.z] };
    let mut corners: Vec<[f64; 2]> = points.iter().map(area).collect();
    corners.sort_by(|p, q| p[1].atan2(p[0]).total_cmp(&q[1].atan2(q[0])));
    let shoelace: f64 = (0..4)
        .map(|k| corners[k][0] * corners[(k + 1) % 4][1] - corners[k][1] * corners[(k + 1) % 4][0])
        .sum();
    assert!((0.5 * shoelace - 2.0 * (1.0 + t * t)).abs() < 1e-12);
}

/// Turned by 45° about z, an edge along z points down, at a distance of √2 from the middle.
#[test]
fn the_edge_of_a_box_on_a_face_has_two_points() {
    let pose = turned(at(0.25, 1.0 + 2.0_f64.sqrt() - 0.125, 0.5), Vector::z(), 45.0);
    let (points, direction) = manifold(&UNIT, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert!((direction - Vector::y()).norm() < 1e-12);
    assert!(are_at(&points, &[[0.25, -0.5], [0.25, 1.0]]), "{points:?}");
    assert!(points.iter().all(|point| (point.depth - 0.125).abs() < 1e-12));
}

/// Standing on a corner, √3 from the middle.
#[test]
fn the_corner_of_a_box_on_a_face_has_one_point() {
    let axis = Vector::new(1.0, 0.0, -1.0);
    let pose = turned(at(0.25, 1.0 + 3.0_f64.sqrt() - 0.125, 0.5), axis, 2.0_f64.sqrt().atan().to_degrees());
    let (points, _) = manifold(&UNIT, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert!(are_at(&points, &[[0.25, 0.5]]), "{points:?}");
    assert!((points[0].depth - 0.125).abs() < 1e-12);
}

fn hull(points: &[Point]) -> Hull {
    let triangles = ConvexHull::new(points).triangles;
    Hull::new(points.iter().map(|point| point.coords).collect(), triangles).unwrap()
}

/// A hexagonal prism of radius 1 on another, turned by half a side: twelve corners, reduced to four.
#[test]
fn a_face_of_a_hull_on_a_face_of_a_hull() {
    let corner = |k: u32, y: f64| {
        let angle = f64::from(k) * std::f64::consts::FRAC_PI_3;
        Point::new(libm::cos(angle), y, libm::sin(angle))
    };
    let prism: Vec<Point> = (0..6).flat_map(|k| [corner(k, -1.0), corner(k, 1.0)]).collect();
    let hull = hull(&prism);
    let faces = HullFaces::new(&hull);
    assert_eq!(faces.len(), 8);
    let body = FacedHull { hull: &hull, faces: &faces, radius: 0.0 };
    let (points, _) =
        manifold(&body, &turned(at(0.0, 1.9375, 0.0), Vector::y(), 30.0), &body, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(points.len(), 4);
    for point in &points {
        // Two hexagons with the inner radius √3/2 intersect at that over the cosine of 15°.
        let radius = 3.0_f64.sqrt() / 2.0 / 15.0_f64.to_radians().cos();
        assert!((point.point_a.xz().norm() - radius).abs() < 1e-12, "{point:?}");
        assert!((point.depth - 0.0625).abs() < 1e-12);
        assert_eq!(faces.normal(point.features[0] as usize), -Vector::y());
    }
    // Rounded, and on a box that covers all of it: the deepest is a corner of the face.
    let rounded = FacedHull { radius: 0.25, ..body };
    let wide = Cuboid { half_extents: Vector::new(4.0, 1.0, 4.0) };
    let (points, _) = manifold(&rounded, &at(0.0, 2.125, 0.0), &wide, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(points.len(), 4);
    for point in &points {
        assert!((point.point_a.xz().norm() - 1.0).abs() < 1e-12 && (point.depth - 0.125).abs() < 1e-12);
    }
}

#[test]
fn a_capsule_lying_on_a_box_has_two_points_also_where_an_end_hangs_over() {
    let capsule = Capsule { radius: 0.25, half_length: 0.5 };
    for (x, wanted) in [(0.0, [[-0.5, 0.5], [0.5, 0.5]]), (0.75, [[0.25, 0.5], [1.0, 0.5]])] {
        let pose = turned(at(x, 1.1875, 0.5), Vector::z(), 90.0);
        let (points, _) = manifold(&capsule, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
        assert!(are_at(&points, &wanted), "{points:?}");
        assert!(points.iter().all(|point| (point.depth - 0.0625).abs() < 1e-12));
    }
    // Upright it has one: the other end is far above.
    let (points, _) = manifold(&capsule, &at(0.0, 1.625, 0.0), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!((points.len(), points[0].features), (1, [0, 2]));
}

#[test]
fn a_cylinder_standing_on_a_box_has_four_points_of_its_rim_and_lying_two_of_its_wall() {
    let cylinder = Cylinder { radius: 0.5, half_length: 0.25 };
    let (points, _) = manifold(&cylinder, &at(0.0, 1.1875, 0.25), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(points.len(), 4);
    for point in &points {
        assert!(((point.point_a - Vector::new(0.0, 0.9375, 0.25)).norm() - 0.5).abs() < 1e-12);
        assert!((point.depth - 0.0625).abs() < 1e-12);
        assert_eq!(point.features, [3, 2]);
    }
    assert!(are_at(&points, &[[0.5, 0.25], [0.0, 0.75], [-0.5, 0.25], [0.0, -0.25]]), "{points:?}");
    let lying = turned(at(0.0, 1.4375, 0.25), Vector::z(), 90.0);
    let (points, _) = manifold(&cylinder, &lying, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert!(are_at(&points, &[[-0.25, 0.25], [0.25, 0.25]]), "{points:?}");
}

/// Tilted about z by 10°, the rim's lowest point is the contact's own, between two corners of the polygon that
/// approximates the cap when rotated about its axis as well.
#[test]
fn a_tilted_cylinder_keeps_its_lowest_point() {
    let cylinder = Cylinder { radius: 0.5, half_length: 0.25 };
    let turn = Rotation3::new(Vector::z() * 0.17) * Rotation3::new(Vector::y() * 0.1);
    let low = 0.5 * 0.17_f64.sin() + 0.25 * 0.17_f64.cos();
    let pose = RigidTransform::new(turn.into_inner(), Vector::new(0.0, 1.0 + low - 0.0625, 0.0));
    let (points, _) = manifold(&cylinder, &pose, &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert!((points[0].depth - 0.0625).abs() < 1e-9 && points[0].id == 0 && points[0].features == [0, 2]);
    assert!(points.len() > 2 && points[1..].iter().all(|point| point.depth < 0.0625));
}

#[test]
fn capsules_side_by_side_have_two_points_and_crossed_ones_one() {
    let capsule = Capsule { radius: 0.25, half_length: 1.0 };
    let (points, direction) = manifold(&capsule, &at(0.4375, 0.5, 0.0), &capsule, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!(direction, Vector::x());
    let mut heights: Vec<f64> = points.iter().map(|point| point.point_a.y).collect();
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights, [-0.5, 1.0]);
    assert!(points.iter().all(|point| point.depth == 0.0625));
    let crossed = turned(at(0.4375, 0.0, 0.0), Vector::x(), 60.0);
    assert_eq!(manifold(&capsule, &crossed, &capsule, &at(0.0, 0.0, 0.0), 0.0).0.len(), 1);
}

#[test]
fn a_cone_on_its_base_has_four_points_and_an_ellipsoid_one() {
    let cone = Cone { radius: 0.5, half_length: 0.5 };
    let (points, _) = manifold(&cone, &at(0.0, 1.4375, 0.0), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!((points.len(), points[0].features), (4, [3, 2]));
    let ellipsoid = Ellipsoid { radii: Vector::new(1.0, 0.5, 0.25) };
    let (points, _) = manifold(&ellipsoid, &at(0.0, 1.4375, 0.0), &UNIT, &at(0.0, 0.0, 0.0), 0.0);
    assert_eq!((points.len(), points[0].id, points[0].features), (1, 0, [NO_ID, 2]));
}

/// Tilted by a tenth about z: the far corners are 0.2 above the near ones.
#[test]
fn points_farther_apart_than_the_margin_are_left_out() {
    let low = 0.1_f64.sin() + 0.1_f64.cos();
    let pose = RigidTransform::new(
        Rotation3::new(Vector::z() * 0.1).into_inner(),
        Vector::new(0.0, 1.0 + low - 0.0625, 0.0),
    );
    let floor = Cuboid { half_extents: Vector::new(4.0, 1.0, 4.0) };
    let below = at(0.0, 0.0, 0.0);
    assert_eq!(manifold(&UNIT, &pose, &floor, &below, 0.0).0.len(), 2);
    let all = manifold(&UNIT, &pose, &floor, &below, 0.25).0;
    assert_eq!(all.len(), 4);
    let least = all.iter().map(|point| point.depth).fold(f64::INFINITY, f64::min);
    assert!((least - (0.0625 - 2.0 * 0.1_f64.sin())).abs() < 1e-12);
}

/// A body that lies on a plane, and one that stands on it.
#[test]
fn over_a_plane_the_corners_of_the_lowest_face() {
    let mut manifold = Manifold::default();
    let plane = (Vector::y(), Vector::y(), Vector::zeros());
    let lowest = (Vector::new(0.0, -0.125, 0.0), NO_ID, 0.125);
    let mut points = Vec::new();
    manifold.over_plane(plane, (&UNIT, &at(0.0, 0.875, 0.0)), lowest, 0.0, |_, point| points.push(*point));
    assert!(are_at(&points, &[[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]), "{points:?}");
    assert!(points.iter().all(|point| point.depth == 0.125 && point.point_a.y == 0.0));
    let cylinder = Cylinder { radius: 0.5, half_length: 0.25 };
    let lying = turned(at(0.0, 0.4375, 0.0), Vector::z(), 90.0);
    points.clear();
    let lowest = (Vector::new(0.0, -0.0625, 0.0), NO_ID, 0.0625);
    let plane = (Vector::y(), lying.rotation.tr_mul(&Vector::y()), Vector::zeros());
    manifold.over_plane(plane, (&cylinder, &lying), lowest, 0.0, |_, point| points.push(*point));
    assert!(are_at(&points, &[[-0.25, 0.0], [0.25, 0.0]]), "{points:?}");
}

/// Planes of any slope through the origin, each given by a different distant point: the box touches them up to its
/// rounding error.
#[test]
fn a_box_that_touches_a_plane_to_rounding_lies_on_four_corners() {
    for k in 1..200 {
        let turn = Rotation3::from_euler_angles(0.31 * f64::from(k), 0.17 * f64::from(k), 0.7);
        let outward = turn * Vector::y();
        let place = turn * Vector::new(1e6, 0.0, 3e5);
        let pose = RigidTransform::new(turn.into_inner(), turn * Vector::new(0.25, 1.0, -0.5));
        let lowest = pose.point(Vector::new(1.0, -1.0, 1.0));
        let mut points = Vec::new();
        let plane = (outward, Vector::y(), place);
        Manifold::default()
            .over_plane(plane, (&UNIT, &pose), (lowest, NO_ID, 0.0), 0.0, |_, point| points.push(*point));
        assert_eq!(points.len(), 4, "{k}: {points:?}");
    }
}

/// Returns how far a point is beyond the sides of a cone, local frame; negative inside.
fn beyond_cone(cone: &Cone, place: Vector) -> f64 {
    let height = 2.0 * cone.half_length;
    let wall = place.xz().norm() - cone.radius * (cone.half_length - place.y) / height;
    (-cone.half_length - place.y).max(wall * height / height.hypot(cone.radius))
}

/// A cone and a box in deep penetration: some part of the stretch of every point, from A's side to B's, is in both of
/// them, up to a fraction of its length.
#[test]
fn the_points_of_a_manifold_are_between_places_of_both_bodies() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(5);
    let mut many = 0;
    for case in 0..5000 {
        let mut between = |low: f64, high: f64| random.random_range(low..high);
        let cone = Cone { radius: between(0.2, 1.0), half_length: between(0.2, 1.0) };
        let cuboid = Cuboid { half_extents: Vector::from_fn(|_, _| between(0.1, 1.0)) };
        let [pose_a, pose_b] = [0, 1].map(|_| {
            let turn =
                Rotation3::from_euler_angles(between(-3.0, 3.0), between(-1.5, 1.5), between(-3.0, 3.0));
            RigidTransform::new(turn.into_inner(), Vector::from_fn(|_, _| between(-0.4, 0.4)))
        });
        let (points, direction) = manifold(&cone, &pose_a, &cuboid, &pose_b, 0.0);
        if points.len() < 2 {
            continue;
        }
        many += 1;
        for point in points.iter().filter(|point| point.depth > 0.0) {
            let off = |step: u32| {
                let place = point.point_a + direction * (point.depth * f64::from(step) / 256.0);
                let of_box = (pose_b.own(place).abs() - cuboid.half_extents).max();
                beyond_cone(&cone, pose_a.own(place)).max(of_box)
            };
            let least = (0..=256).map(off).fold(f64::INFINITY, f64::min);
            assert!(
                least <= 0.07 * point.depth + 1e-9,
                "{case}: {least} off a point of depth {}",
                point.depth
            );
        }
    }
    assert!(many > 1000, "{many}");
}
