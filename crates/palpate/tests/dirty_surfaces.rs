//! Closed surfaces that intersect themselves: what is found, what is flagged, and what holds for one that folds as it moves.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate::detect::Flags;
use palpate::geometry::Sidedness;
use palpate::prelude::*;

/// A box between two corners, wound outward.
fn cuboid(min: [f64; 3], max: [f64; 3]) -> (Vec<Point>, Vec<[u32; 3]>) {
    let corner = |k: usize| {
        let at = |axis: usize| if k >> axis & 1 == 0 { min[axis] } else { max[axis] };
        Point::new(at(0), at(1), at(2))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Two boxes that overlap, nobody united them: x from 0 to 1, and from 0.8 to 2 a little slimmer.
fn overlapping() -> SurfaceMesh {
    let (mut positions, mut triangles) = cuboid([0.0; 3], [1.0; 3]);
    let (more, cells) = cuboid([0.8, 0.05, 0.05], [2.0, 0.95, 0.95]);
    positions.extend(more);
    triangles.extend(cells.iter().map(|ids| ids.map(|id| id + 8)));
    SurfaceMesh::new(positions, triangles).unwrap()
}

/// The deepest contact of a ball of radius 0.05 with a surface, and the flags.
fn deepest(surface: SurfaceMesh, center: [f64; 3]) -> (Option<f64>, Flags) {
    let mut scene = Scene::standard();
    let organ = scene.add("organ", surface).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::from(center), 0.05).unwrap()).unwrap();
    let pair = scene.add_pair(organ, ball, PairOptions::default()).unwrap();
    scene.step().unwrap();
    let found = scene.contacts(pair).unwrap();
    let deepest = found.contacts.iter().map(|contact| contact.depth).reduce(f64::max);
    (deepest, scene.pair(pair).unwrap().status().flags)
}

#[test]
fn a_ball_in_one_shell_beside_the_wall_of_the_other_is_in_contact_and_flagged() {
    let dirty = Flags::WINDING_NUMBER | Flags::SELF_INTERSECTING;
    // In the first, 0.1 from the wall of the second; in both; in the second; outside.
    for (center, wanted) in [
        ([0.7, 0.5, 0.5], Some(0.15)),
        ([0.9, 0.5, 0.5], Some(0.15)),
        ([1.5, 0.5, 0.5], Some(0.5)),
        ([2.2, 0.5, 0.5], None),
    ] {
        let (depth, flags) = deepest(overlapping(), center);
        assert_eq!(depth.is_some(), wanted.is_some(), "{center:?}: {depth:?}");
        assert!(depth.is_none_or(|depth| (depth - wanted.unwrap()).abs() < 1e-12), "{center:?}: {depth:?}");
        if depth.is_some() {
            assert_eq!(flags, dirty, "{center:?}");
        }
    }
    // By normals, which was the default before, there is none: the wall of the second box faces the ball.
    let (depth, flags) = deepest(overlapping().with_sidedness(Sidedness::Pseudonormals), [0.7, 0.5, 0.5]);
    assert_eq!((depth, flags), (None, Flags::empty()));
    // A clean one is neither searched twice nor flagged.
    let (positions, triangles) = cuboid([0.0; 3], [1.0; 3]);
    let (depth, flags) = deepest(SurfaceMesh::new(positions, triangles).unwrap(), [0.9, 0.5, 0.5]);
    assert!((depth.unwrap() - 0.15).abs() < 1e-12 && flags.is_empty());
}

/// A bar of squares along x, 80 long and 4 around, closed at both ends.
fn bar() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let count = 80_u32;
    let around = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]];
    let mut points: Vec<[f64; 3]> = Vec::new();
    for k in 0..=count {
        points.extend(around.map(|[y, z]| [f64::from(k) / f64::from(count), y, z]));
    }
    let mut triangles = vec![[0, 3, 2], [0, 2, 1]];
    for k in 0..count {
        for side in 0..4 {
            let [a, b] = [4 * k + side, 4 * k + (side + 1) % 4];
            triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
        }
    }
    let last = 4 * count;
    triangles.extend([[last, last + 1, last + 2], [last, last + 2, last + 3]]);
    (points, triangles)
}

/// The bar bent into a circle, by so many turns: beyond one its ends lie in each other.
fn bent(points: &[[f64; 3]], turns: f64) -> Vec<Point> {
    let radius = 1.0 / (std::f64::consts::TAU * turns.max(1e-3));
    let bend = |[x, y, z]: [f64; 3]| {
        let angle = x / radius;
        Point::new((radius + y) * angle.sin(), (radius + y) * angle.cos() - radius, z + 0.02 * x)
    };
    points.iter().copied().map(bend).collect()
}

fn distance(p: &Point, [a, b, c]: [Point; 3]) -> f64 {
    let to_segment = |a: Point, b: Point| {
        let along = b - a;
        let t = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (p - (a + along * t)).norm()
    };
    let nearest = to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a));
    let normal = (b - a).cross(&(c - a)).normalize();
    let foot = p - normal * (p - a).dot(&normal);
    let is_left = |from: Point, to: Point| (to - from).cross(&(foot - from)).dot(&normal) >= 0.0;
    if is_left(a, b) && is_left(b, c) && is_left(c, a) { nearest.min((p - foot).norm()) } else { nearest }
}

/// A surface that was clean when it was made and folds into itself as it moves: no contact is deeper than the distance of the
/// ball's center to the nearest surface, of whichever side of the fold, and its radius.
#[test]
fn a_surface_that_folds_as_it_moves_gives_no_contact_deeper_than_its_nearest_wall() {
    let (points, triangles) = bar();
    let mesh = SurfaceMesh::new(bent(&points, 0.5), triangles).unwrap();
    assert!(mesh.health().self_intersections.is_empty() && !mesh.health().is_inward());
    let mut scene = Scene::standard();
    let organ = scene.add("organ", mesh).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 0.02).unwrap()).unwrap();
    let pair = scene.add_pair(organ, ball, PairOptions::default()).unwrap();
    scene.step().unwrap();
    scene.geometry_mut::<SurfaceMesh>(organ).unwrap().set_positions(&bent(&points, 1.1)).unwrap();
    let folded = scene.geometry_as::<SurfaceMesh>(organ).unwrap().clone();
    assert!(folded.health().self_intersections.count > 4);
    let mut sample = 3_u64;
    let mut next = |from: f64, to: f64| {
        sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from + (to - from) * ((sample >> 11) as f64 / (1_u64 << 53) as f64)
    };
    let mut contacts = 0;
    for _ in 0..600 {
        let center = Point::new(next(-0.3, 0.3), next(-0.5, 0.2), next(-0.15, 0.15));
        scene.geometry_mut::<Sphere>(ball).unwrap().set_center(center).unwrap();
        scene.step().unwrap();
        let all = 0..folded.triangles().len() as u32;
        let nearest = all.map(|t| distance(&center, folded.corners(t))).fold(f64::INFINITY, f64::min);
        for contact in &scene.contacts(pair).unwrap().contacts {
            assert!(contact.depth <= nearest + 0.02 + 1e-12, "{center}: {} and {nearest}", contact.depth);
            contacts += 1;
        }
        assert!(scene.pair(pair).unwrap().status().flags.is_empty(), "it was clean when it was made");
    }
    assert!(contacts > 150, "{contacts} contacts");
}
