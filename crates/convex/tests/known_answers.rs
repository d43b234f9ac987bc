//! Results known from the literature or worked out by hand.

#[allow(unreachable_pub)]
mod counting;

use counting::Counting;
use nalgebra::{Rotation3, Vector2, Vector3};
use palpate_convex::{
    Ball, Capsule, Cone, Core, Cuboid, Cylinder, Dimension, Ellipsoid, Memory, Points, Posed, Query,
    QueryResult, RigidTransform, Rounded, Segment, Settings, Termination, Tetrahedron, VectorSpace, contact,
    directional_depth, explain, intersects, nearer_than, overlap_along,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Plane = Vector2<f64>;
type Vector = Vector3<f64>;

fn ask<V: Dimension, A: Core<V>, B: Core<V>>(
    a: (&A, RigidTransform<V>),
    b: (&B, RigidTransform<V>),
) -> QueryResult<V> {
    contact((a.0, &a.1), (b.0, &b.1), &mut Memory::default(), &Settings::default())
}

fn polygon(corners: &[[f64; 2]]) -> Points<Plane> {
    Points::new(corners.iter().map(|&[x, y]| Plane::new(x, y)).collect()).expect("finite corners")
}

fn cube(half: f64) -> Cuboid<Vector> {
    Cuboid { half_extents: Vector::repeat(half) }
}

fn at(x: f64, y: f64, z: f64) -> RigidTransform<Vector> {
    RigidTransform::at(Vector::new(x, y, z))
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-14 * b.abs().max(1.0), "{a} {b}");
}

/// W. Bittle, "EPA (Expanding Polytope Algorithm)", dyn4j.org, 2010: the worked example, by plain GJK and EPA.
#[test]
fn the_polygons_of_the_worked_example() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[5.0, 7.0], [12.0, 7.0], [10.0, 2.0], [7.0, 3.0]]);
    let contact = ask((&a, RigidTransform::identity()), (&b, RigidTransform::identity()));
    close(contact.depth, 6.0 / 41.0_f64.sqrt());
    // The article's normal (0.62, -0.78) moves B.
    close(contact.direction.x, -4.0 / 41.0_f64.sqrt());
    close(contact.direction.y, 5.0 / 41.0_f64.sqrt());
    assert_eq!(contact.status, Termination::Converged);
}

/// The same example from the article's own simplex (4,2), (-8,-2), (-1,-2), step by step. The numbers are the
/// article's, to two digits, except for its rounding of intermediate values: its first distance is 0.62 for 2/√10, its
/// last depth 0.92 for 6/√41.
#[test]
fn the_steps_of_the_worked_example() {
    let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
    let b = polygon(&[[5.0, 7.0], [12.0, 7.0], [10.0, 2.0], [7.0, 3.0]]);
    let place = RigidTransform::identity();
    // (9,9) - (5,7), (4,5) - (12,7), (4,5) - (5,7).
    let told = explain((&a, &place), (&b, &place), &[[2, 0], [1, 1], [1, 0]], &Settings::default());
    let told = told.expect("these ids name corners");
    let start = [Plane::new(4.0, 2.0), Plane::new(-8.0, -2.0), Plane::new(-1.0, -2.0)];
    assert_eq!(told.simplex, start);
    let two_digits = |x: f64| (100.0 * x).round() / 100.0;
    let [first, last] = &told.epa[..] else { panic!("{:?}", told.epa) };
    assert_eq!([first.normal.x, first.normal.y, first.distance].map(two_digits), [-0.32, 0.95, 0.63]);
    assert_eq!(first.support, Plane::new(-6.0, 9.0));
    assert_eq!([last.normal.x, last.normal.y, last.distance].map(two_digits), [0.62, -0.78, 0.94]);
    assert_eq!(told.contact.direction, -last.normal);
}

/// A reader's case in the comments of the same article: the origin lies on the first segment that GJK finds.
#[test]
fn the_origin_on_the_first_segment() {
    let a = polygon(&[[2.0, 2.0], [2.0, 5.0], [4.0, 5.0], [4.0, 2.0]]);
    let b = polygon(&[[3.0, 3.0], [5.0, 4.0], [5.0, 2.0]]);
    let place = RigidTransform::identity();
    assert!(intersects((&a, &place), (&b, &place), &Settings::default()));
    let contact = ask((&a, place), (&b, place));
    close(contact.depth, 1.0);
    assert_eq!(contact.direction, Plane::new(-1.0, 0.0));
    // From the same segment: (2,5) - (5,2) is (-3,3), (4,2) - (3,3) is (1,-1).
    let told = explain((&a, &place), (&b, &place), &[[1, 2], [3, 0]], &Settings::default());
    let told = told.expect("these ids name corners");
    assert_eq!((told.gjk_ended, told.simplex.len()), ("inside", 2));
    close(told.contact.depth, 1.0);
}

/// The article's open question about moving shapes: the minimum depth is not along the motion.
#[test]
fn the_depth_along_the_motion_is_another_one() {
    let a = polygon(&[[0.0, 0.0], [0.0, 4.0], [4.0, 4.0], [4.0, 0.0]]);
    let b = polygon(&[[2.0, 3.0], [2.0, 7.0], [6.0, 7.0], [6.0, 3.0]]);
    let place = RigidTransform::identity();
    let contact = ask((&a, place), (&b, place));
    close(contact.depth, 1.0);
    assert_eq!(contact.direction, Plane::new(0.0, -1.0));
    let (a, b) = ((&a, &place), (&b, &place));
    let moved = directional_depth(a, b, Plane::new(-3.0, 0.0), &Settings::default());
    assert_eq!((moved.depth, moved.converged), (2.0, true));
    assert_eq!(overlap_along(a, b, Plane::new(0.0, -1.0)), 1.0);
    // Diagonally down and left: A clears the lower side of B first, after 1 downward.
    let slanted = directional_depth(a, b, Plane::new(-1.0, -1.0), &Settings::default());
    close(slanted.depth, 2.0_f64.sqrt());
}

/// A start simplex on which another engine fails: two coincident unit boxes.
#[test]
fn coincident_boxes_from_a_given_simplex() {
    let (shape, place) = (cube(0.5), RigidTransform::identity());
    // (0,0,0), (0,1,1), (-1,1,0), (-1,0,1), by the corners' ids.
    let start = [[0, 0], [0, 6], [1, 2], [1, 4]];
    let told = explain((&shape, &place), (&shape, &place), &start, &Settings::default());
    let told = told.expect("these ids name corners");
    close(told.contact.depth, 1.0);
    close(told.contact.direction.largest(), 1.0);
    assert_eq!(told.epa_ended, Some("converged"));
}

/// From eight years of issues of several engines: boxes that coincide, and that touch in a face, an edge, a vertex.
#[test]
fn boxes_on_each_other_and_touching() {
    let shape = cube(1.0);
    for (place, depth) in [
        ([0.0, 0.0, 0.0], 2.0),
        ([2.0, 0.0, 0.0], 0.0),
        ([2.0, 0.5, -0.25], 0.0),
        ([2.0, 2.0, 0.0], 0.0),
        ([2.0, 2.0, 0.5], 0.0),
        ([2.0, 2.0, 2.0], 0.0),
        ([-2.0, 2.0, -2.0], 0.0),
        ([1.5, 0.0, 0.0], 0.5),
        ([3.0, 0.0, 0.0], -1.0),
        ([5.0, 6.0, 0.0], -5.0),
    ] {
        let pose = RigidTransform::at(Vector::from(place));
        let contact = ask((&shape, RigidTransform::identity()), (&shape, pose));
        assert!((contact.depth - depth).abs() < 1e-14, "{place:?}: {contact:?}");
        assert!(contact.status.converged() && contact.gap() < 1e-13, "{place:?}: {contact:?}");
        assert!((contact.direction.norm() - 1.0).abs() < 1e-14, "{place:?}: {contact:?}");
        let meet = intersects((&shape, &RigidTransform::identity()), (&shape, &pose), &Settings::default());
        assert_eq!(meet, depth >= 0.0, "{place:?}");
    }
}

/// A segment from -1 to 3 about a point at 0: the point's weights on it are 3/4 and 1/4 (a published implementation has
/// them the other way around).
#[test]
fn the_origin_on_a_segment() {
    let segment = Segment { ends: [Vector::new(-1.0, 0.0, 0.0), Vector::new(3.0, 0.0, 0.0)] };
    let point = Points::new(vec![Vector::new(0.0, 2.0, 0.0)]).expect("a point");
    let apart = ask((&segment, RigidTransform::identity()), (&point, RigidTransform::identity()));
    assert_eq!((apart.depth, apart.point_a), (-2.0, Vector::zeros()));
    let on = ask((&segment, at(0.0, 2.0, 0.0)), (&point, RigidTransform::identity()));
    let off = (on.point_a - Vector::new(0.0, 2.0, 0.0)).norm();
    assert!(on.depth.abs() < 1e-15 && off < 1e-15, "{on:?}");
}

/// Queries that do not apply to a pair return `None`, never a number with another meaning.
#[test]
fn penetration_of_a_separated_pair_and_closest_points_of_a_meeting_one() {
    let shape = cube(1.0);
    let mut query =
        Query::new((&shape, RigidTransform::identity()), (&shape, at(5.0, 6.0, 0.0)), Settings::default());
    assert_eq!((query.penetration(), query.distance()), (None, Some(5.0)));
    let [a, b] = query.nearest().expect("they are apart");
    assert_eq!((b - a).norm(), 5.0);
    query.place_b(at(1.5, 0.25, 0.0));
    assert_eq!((query.nearest(), query.distance()), (None, None));
    assert_eq!(query.penetration(), Some((0.5, -Vector::x())));
    // Touching shapes intersect, at depth zero.
    query.place_b(at(2.0, 0.25, 0.0));
    assert_eq!((query.nearest(), query.distance()), (None, None));
    assert_eq!(query.penetration(), Some((0.0, -Vector::x())));
}

/// Returns the distance from the surface of a hull of points to an origin inside, by every plane through three of them
/// that has all points on one side.
fn depth_by_all_planes(points: &[Vector]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = (b - a).cross(&(c - a)).normalize();
                let heights = points.iter().map(|p| (p - a).dot(&normal));
                let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
                if low > -1e-12 || high < 1e-12 {
                    least = least.min(a.dot(&normal).abs());
                }
            }
        }
    }
    least
}

/// EPA as published in tutorials, without queue or adjacency: a facet is replaced if the new vertex lies beyond the
/// plane through the origin perpendicular to its normal (`offset` 0) or beyond its own plane (`offset` 1).
fn plain_epa(points: &[Vector], start: [usize; 4], offset: f64) -> f64 {
    let facet = |[a, b, c]: [usize; 3]| {
        let normal = (points[b] - points[a]).cross(&(points[c] - points[a])).normalize();
        let distance = normal.dot(&points[a]);
        // Outward, seen from an origin inside.
        if distance < 0.0 { ([a, c, b], -normal, -distance) } else { ([a, b, c], normal, distance) }
    };
    let [a, b, c, d] = start;
    let mut facets = [[a, b, c], [a, b, d], [a, c, d], [b, c, d]].map(facet).to_vec();
    for _ in 0..points.len() {
        let Some(&(_, normal, distance)) = facets.iter().min_by(|x, y| x.2.total_cmp(&y.2)) else { break };
        let far =
            (0..points.len()).max_by(|&x, &y| points[x].dot(&normal).total_cmp(&points[y].dot(&normal)));
        let far = far.expect("there are points");
        if points[far].dot(&normal) - distance < 1e-12 {
            return distance;
        }
        let mut rim: Vec<[usize; 2]> = Vec::new();
        facets.retain(|&([a, b, c], normal, distance)| {
            let stays = points[far].dot(&normal) - offset * distance < 1e-12;
            for edge in [[a, b], [b, c], [c, a]].into_iter().filter(|_| !stays) {
                match rim.iter().position(|&[from, to]| [to, from] == edge) {
                    Some(inner) => drop(rim.swap_remove(inner)),
                    None => rim.push(edge),
                }
            }
            stays
        });
        facets.extend(rim.into_iter().map(|[from, to]| facet([from, to, far])));
    }
    f64::NAN
}

/// A published implementation (winter.dev, "EPA: Collision response algorithm for 2D/3D", 2020) replaces every facet
/// whose normal has a positive product with the new vertex, ignoring the facet's own offset. That loses facets it
/// needs: here on hulls of nine points, from the same simplex that palpate starts from.
#[test]
fn a_facet_is_seen_from_beyond_its_own_plane() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (mut pairs, mut lost) = (0, 0);
    while pairs < 500 {
        let points: Vec<Vector> =
            (0..9).map(|_| Vector::from_fn(|_, _| random.random_range(-1.0..1.0))).collect();
        let (hull, origin) = (Points::new(points.clone()), Points::new(vec![Vector::zeros()]));
        let (hull, origin) = (hull.expect("nine points"), origin.expect("a point"));
        let place = RigidTransform::identity();
        let start = [[0, 0], [1, 0], [2, 0], [3, 0]];
        let told = explain((&hull, &place), (&origin, &place), &start, &Settings::default());
        let told = told.expect("these ids name corners");
        // Only where the first four points contain the origin do both start from them.
        if told.simplex[..] != points[..4] {
            continue;
        }
        pairs += 1;
        let depth = depth_by_all_planes(&points);
        assert!((told.contact.depth - depth).abs() < 1e-13, "{points:?}: {} {depth}", told.contact.depth);
        assert!((plain_epa(&points, [0, 1, 2, 3], 1.0) - depth).abs() < 1e-13, "{points:?}");
        let without = plain_epa(&points, [0, 1, 2, 3], 0.0);
        lost += usize::from(without.is_nan() || (without - depth).abs() > 1e-3);
    }
    assert!(lost > 50, "{lost}");
}

/// The same for boxes with offset centers, where the result is obvious.
#[test]
fn boxes_at_random_offsets() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let shape = cube(1.0);
    for _ in 0..2000 {
        let place = Vector::from_fn(|_, _| random.random_range(-2.0..2.0));
        let contact = ask((&shape, RigidTransform::identity()), (&shape, RigidTransform::at(place)));
        close(contact.depth, 2.0 - place.abs().max());
        close(contact.direction[place.iamax()].abs(), 1.0);
    }
}

/// A question in the article's comments: is the result exact at medium depth? A point in a tetrahedron is as deep as
/// its distance from the closest of four planes.
#[test]
fn a_point_in_a_tetrahedron() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut deep = 0;
    for _ in 0..2000 {
        let mut number = || random.random_range(-1.0..1.0);
        let corners: [Vector; 4] = std::array::from_fn(|_| Vector::new(number(), number(), number()));
        let weights: [f64; 4] = std::array::from_fn(|_| 1.0 + number());
        let sum: f64 = weights.iter().sum();
        let place: Vector = (0..4).map(|i| corners[i] * (weights[i] / sum)).sum();
        let plane = |[a, b, c]: [usize; 3]| {
            let normal = (corners[b] - corners[a]).cross(&(corners[c] - corners[a])).normalize();
            normal.dot(&(place - corners[a])).abs()
        };
        let depth = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].map(plane).into_iter().fold(9.0, f64::min);
        let point = Points::new(vec![Vector::zeros()]).expect("a point");
        let contact =
            ask((&point, RigidTransform::at(place)), (&Tetrahedron { corners }, RigidTransform::identity()));
        assert!((contact.depth - depth).abs() < 1e-14, "{contact:?} {depth}");
        deep += usize::from(depth > 0.02);
    }
    assert!(deep > 1000, "{deep}");
}

/// Another question in the comments: when do the cores suffice? A capsule lying on a slab only needs its segment while
/// that is outside, up to a depth of the whole radius, at no more cost than a pair apart. Deeper, where the segment
/// itself is inside, the distance of the cores is zero and carries no information (by it the depth would stay at the
/// radius): EPA continues from there, with some more supports.
#[test]
fn where_cores_no_longer_do_the_polytope_takes_over() {
    let capsule = Counting::new(Capsule { radius: 0.25, half_length: 1.0 });
    let slab = Counting::new(cube(2.0));
    let lying = Rotation3::from_axis_angle(&Vector::z_axis(), std::f64::consts::FRAC_PI_2).into_inner();
    let cost = |height: f64| {
        let pose = RigidTransform::new(lying, Vector::new(0.1, height, 0.2));
        let contact = ask((&capsule, pose), (&slab, RigidTransform::identity()));
        close(contact.depth, 2.25 - height);
        assert!((contact.direction - Vector::y()).norm() < 1e-14);
        (contact, capsule.taken() + slab.taken())
    };
    let (_, apart) = cost(2.5);
    for height in [2.2, 2.01, 2.000_001] {
        let (contact, supports) = cost(height);
        assert_eq!((contact.iterations[1], supports), (0, apart), "{contact:?}");
        assert!(contact.depth <= 0.25);
    }
    for height in [1.999_999, 1.99, 1.0] {
        let (contact, supports) = cost(height);
        assert!(contact.iterations[1] > 0 && contact.depth > 0.25, "{contact:?}");
        assert!((apart + 2..=40).contains(&supports), "{supports} beside {apart}: {contact:?}");
    }
}

/// Returns the depth of a ball of radius 1/2 at a point in a shape at the origin.
fn with_ball<S: Core<Vector>>(shape: &S, x: f64, y: f64) -> f64 {
    let contact = ask((shape, RigidTransform::identity()), (&Ball { radius: 0.5 }, at(x, y, 0.0)));
    assert_eq!(contact.status, Termination::Exact);
    contact.depth
}

#[test]
fn closed_forms_of_balls() {
    let cylinder = Cylinder { radius: 1.0, half_length: 2.0 };
    assert_eq!(with_ball(&cylinder, 0.0, 0.0), 1.5);
    assert_eq!(with_ball(&cylinder, 0.0, 1.75), 0.75);
    assert_eq!(with_ball(&cylinder, 4.0, 6.0), -4.5);
    let cone = Cone { radius: 3.0, half_length: 2.0 };
    close(with_ball(&cone, 0.0, 3.0), -0.5);
    close(with_ball(&cone, 0.0, -3.0), -0.5);
    close(with_ball(&cone, 0.0, -2.0), 0.5);
    // Two below the apex, by 3/5 perpendicular to the slant (3, 4).
    close(with_ball(&cone, 0.0, 0.0), 0.5 + 2.0 * 0.6);
    let ellipsoid = Ellipsoid { radii: Vector::new(1.0, 2.0, 3.0) };
    close(with_ball(&ellipsoid, 0.0, 0.0), 1.5);
    close(with_ball(&ellipsoid, 0.0, 5.0), -2.5);
    let capsule = Capsule { radius: 1.0, half_length: 2.0 };
    assert_eq!(with_ball(&capsule, 3.0, 6.0), -3.5);
    assert_eq!(with_ball(&capsule, 0.0, 0.0), 1.5);
    assert_eq!(with_ball(&Ball { radius: 0.5 }, 0.0, 0.0), 1.0);
}

/// Coaxial bodies of revolution: the depth of cones and cylinders by their sections.
#[test]
fn closed_forms_about_one_axis() {
    let (cylinder, cone) =
        (Cylinder { radius: 1.0, half_length: 2.0 }, Cone { radius: 3.0, half_length: 2.0 });
    let stacked = ask((&cylinder, RigidTransform::identity()), (&cone, at(0.0, 5.0, 0.0)));
    assert_eq!((stacked.depth, stacked.direction), (-1.0, -Vector::y()));
    let sunk = ask((&cylinder, RigidTransform::identity()), (&cone, at(0.0, 3.75, 0.0)));
    assert_eq!((sunk.depth, sunk.direction), (0.25, -Vector::y()));
    // The upper rim of the cylinder, at the cone's apex and 1 off the axis, is 4/5 outside of the slant; the lower rim,
    // 4 below, is 4 · 3/5 - 4/5 inside.
    let across = ask((&cylinder, RigidTransform::identity()), (&cone, RigidTransform::identity()));
    close(across.depth, 0.8 + 2.4);
    let parallel = ask((&cylinder, RigidTransform::identity()), (&cylinder, at(1.5, 0.5, 0.0)));
    assert_eq!((parallel.depth, parallel.direction), (0.5, -Vector::x()));
    let same = ask((&cylinder, RigidTransform::identity()), (&cylinder, RigidTransform::identity()));
    assert_eq!((same.depth, same.status), (2.0, Termination::Exact));
}

#[test]
fn decorators_do_what_the_shapes_themselves_would() {
    let place = Vector::new(0.5, -0.25, 1.0);
    let posed = Posed { shape: cube(1.0), pose: RigidTransform::at(place) };
    let other = at(2.25, 0.0, 0.5);
    let plain = ask((&cube(1.0), RigidTransform::at(place)), (&cube(1.0), other));
    let decorated = ask((&posed, RigidTransform::identity()), (&cube(1.0), other));
    close(decorated.depth, plain.depth);
    assert_eq!(decorated.direction, plain.direction);
    let rounded = Rounded { shape: cube(1.0), radius: 0.125 };
    close(ask((&rounded, RigidTransform::at(place)), (&cube(1.0), other)).depth, plain.depth + 0.125);
}

#[test]
fn nearer_than_a_distance() {
    let (shape, place) = (cube(1.0), RigidTransform::identity());
    let away = at(5.0, 6.0, 0.0);
    for (distance, nearer) in [(0.0, false), (4.99, false), (5.0, true), (5.01, true), (100.0, true)] {
        assert_eq!(nearer_than((&shape, &place), (&shape, &away), distance, &Settings::default()), nearer);
    }
}

/// A ball with its centre in a face of a body about 1e-6 thin. The face runs through (-0.5, 0, h), (0, 0, -h) and (0.5,
/// 0, 0), a needle, and the whole body lies behind it: the minimum depth is the ball's radius, however the body is
/// rotated.
#[test]
fn a_centre_in_a_needle_of_a_face() {
    let h = 7.344623871916529e-7;
    let corners = [[-0.5, 0.0, h], [0.0, 0.0, -h], [0.5, 0.0, 0.0], [0.0, -0.7, -h], [-0.5, -0.7, h]];
    let body = Points::new(corners.map(Vector::from).to_vec()).expect("finite corners");
    let ball = Capsule { radius: 0.5, half_length: 0.0 };
    let mut random = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..2000 {
        let mut angle = || random.random_range(-3.2..3.2);
        let turned = RigidTransform::new(
            Rotation3::from_euler_angles(angle(), angle(), angle()).into_inner(),
            Vector::new(angle(), angle(), angle()),
        );
        let contact = ask((&ball, RigidTransform::at(turned.translation)), (&body, turned));
        let rounding = 2e-14;
        assert!(contact.depth_lower <= 0.5 + rounding, "{turned:?} {contact:?}");
        assert!(contact.depth_upper >= 0.5 - rounding, "{turned:?} {contact:?}");
        assert!(contact.status.converged(), "{turned:?} {contact:?}");
        assert!(contact.gap() <= 3e-13, "{turned:?} {contact:?}");
    }
}

/// A segment on the axis of a cone, closer to the wall than to the base: it separates perpendicular to the wall, by the
/// distance of its lower end, (0.25 + 0.1) from the apex, from the wall. The wall is equally close all around, and EPA
/// follows it.
#[test]
fn a_line_on_the_axis_of_a_cone() {
    let cone = Cone { radius: 0.25, half_length: 0.25 };
    let line = Points::new(vec![Vector::y() * -0.1, Vector::y() * 0.15]).expect("finite corners");
    let wanted = 0.35 * 0.25 / (0.25_f64 * 0.25 + 0.5 * 0.5).sqrt();
    let mut random = ChaCha8Rng::seed_from_u64(12);
    for _ in 0..200 {
        let mut angle = || random.random_range(-3.2..3.2);
        let turned = RigidTransform::new(
            Rotation3::from_euler_angles(angle(), angle(), angle()).into_inner(),
            Vector::new(angle(), angle(), angle()),
        );
        let contact = ask((&line, turned), (&cone, turned));
        assert!((contact.depth - wanted).abs() < 1e-10, "{turned:?} {contact:?}");
        assert!(
            contact.depth_lower <= wanted + 1e-13 && contact.depth_upper >= wanted - 1e-13,
            "{contact:?}"
        );
    }
}
