//! Closed surfaces that intersect themselves: what is found, what is flagged, what holds for one that folds as it moves, and what
//! it costs those that do not. With `PALPATE_SHARED` a liver is folded too; `PALPATE_DETECTING=41` is the number of rounds in which
//! detection with found sides is timed beside that with given ones (`--release`, prints the ratios).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

use palpate::geometry::{Sidedness, implicit::Torus};
use palpate::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Places and triangles.
type Soup = (Vec<[f64; 3]>, Vec<[u32; 3]>);

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

/// The deepest contact of a ball with a surface, and the flags.
fn deepest(surface: SurfaceMesh, center: [f64; 3], radius: f64) -> (Option<f64>, Flags) {
    let mut scene = Scene::standard();
    let organ = scene.add("organ", surface).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::from(center), radius).unwrap()).unwrap();
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
        let (depth, flags) = deepest(overlapping(), center, 0.05);
        assert_eq!(depth.is_some(), wanted.is_some(), "{center:?}: {depth:?}");
        assert!(depth.is_none_or(|depth| (depth - wanted.unwrap()).abs() < 1e-12), "{center:?}: {depth:?}");
        if depth.is_some() {
            assert_eq!(flags, dirty, "{center:?}");
        }
    }
    // By normals, which was the default before, there is none: the wall of the second box faces the ball.
    let (depth, flags) =
        deepest(overlapping().with_sidedness(Sidedness::Pseudonormals), [0.7, 0.5, 0.5], 0.05);
    assert_eq!((depth, flags), (None, Flags::empty()));
    // A clean one is neither searched twice nor flagged.
    let (positions, triangles) = cuboid([0.0; 3], [1.0; 3]);
    let (depth, flags) = deepest(SurfaceMesh::new(positions, triangles).unwrap(), [0.9, 0.5, 0.5], 0.05);
    assert!((depth.unwrap() - 0.15).abs() < 1e-12 && flags.is_empty());
}

/// A unit ball of 320 triangles: an icosahedron whose triangles are divided in four, twice.
fn icosphere() -> (Vec<Point>, Vec<[u32; 3]>) {
    let [short, long] = [0.5257311121191336, 0.85065080835204];
    let signs = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]];
    let mut points: Vec<Point> = signs
        .iter()
        .map(|[a, b]| [a * short, b * long])
        .flat_map(|[a, b]| [[a, b, 0.0], [0.0, a, b], [b, 0.0, a]].map(Point::from))
        .collect();
    let near = |a: u32, b: u32| (points[a as usize] - points[b as usize]).norm() < 1.1;
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [p, q, r] = [a, b, c].map(|id| points[id as usize].coords);
                match near(a, b) && near(b, c) && near(c, a) {
                    true if p.cross(&q).dot(&r) > 0.0 => triangles.push([a, b, c]),
                    true => triangles.push([a, c, b]),
                    false => {}
                }
            }
        }
    }
    for _ in 0..2 {
        let mut middles = std::collections::HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                points.push(((points[a as usize].coords + points[b as usize].coords).normalize()).into());
                points.len() as u32 - 1
            })
        };
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]: [u32; 3]| {
                let [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
            })
            .collect();
    }
    (points, triangles)
}

/// Two unit balls whose centers are 1.2 apart: a ball of radius 0.02 in the first, 0.1 from the foremost vertex of the second, in
/// both, and outside. These numbers had no contact and no flag where the first was wanted.
#[test]
fn case_14_overlapping_shells() {
    let (points, triangles) = icosphere();
    assert_eq!((points.len(), triangles.len()), (162, 320));
    let shells = [0.0, 1.2].map(|x| points.iter().map(|p| p + Vector::x() * x).collect::<Vec<Point>>());
    let second: Vec<[u32; 3]> = triangles.iter().map(|ids| ids.map(|id| id + 162)).collect();
    let surface = SurfaceMesh::new(shells.concat(), [triangles, second].concat()).unwrap();
    let wall = |center: [f64; 3]| {
        (0..640).map(|t| distance(&center.into(), surface.corners(t))).fold(f64::INFINITY, f64::min)
    };
    assert!((wall([0.1, 0.0, 0.0]) - 0.1).abs() < 1e-12);
    for (center, is_inside) in [([0.1, 0.0, 0.0], true), ([0.6, 0.0, 0.0], true), ([0.6, 0.0, 0.95], false)] {
        let (depth, flags) = deepest(surface.clone(), center, 0.02);
        let wanted = is_inside.then(|| wall(center) + 0.02);
        assert_eq!(depth.is_some(), is_inside, "{center:?}: {depth:?}");
        assert!(depth.is_none_or(|depth| (depth - wanted.unwrap()).abs() < 1e-12), "{center:?}: {depth:?}");
        assert!(!is_inside || flags == Flags::WINDING_NUMBER | Flags::SELF_INTERSECTING, "{flags:?}");
    }
    let (depth, flags) = deepest(surface.with_sidedness(Sidedness::Pseudonormals), [0.1, 0.0, 0.0], 0.02);
    assert_eq!((depth, flags), (None, Flags::empty()), "as it was");
}

/// A bar of squares along x, 80 long and 4 around, closed at both ends.
fn bar() -> Soup {
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

/// A liver, without unit: 1 long, and as thick as the bar.
fn liver() -> Option<Soup> {
    let folder = std::path::PathBuf::from(std::env::var_os("PALPATE_SHARED")?);
    let contents = palpate::mesh_io::read(folder.join("data/meshes/liver.vtk")).unwrap();
    let bounds = palpate::math::Aabb::from_points(&contents.positions);
    let (center, size) = (bounds.center(), bounds.size());
    let place = |p: &Point| {
        let [x, y, z] = [0, 1, 2].map(|axis| (p[axis] - center[axis]) / size[axis]);
        [x + 0.5, 0.2 * y, 0.2 * z]
    };
    Some((contents.positions.iter().map(place).collect(), contents.triangles))
}

/// Surfaces that were clean when they were made and fold into themselves as they move: no contact is deeper than the distance of
/// the ball's center to the nearest surface, of whichever side of the fold, and its radius.
#[test]
fn a_surface_that_folds_as_it_moves_gives_no_contact_deeper_than_its_nearest_wall() {
    let (points, triangles) = bar();
    fold(&points, &triangles, 1.1);
    if let Some((points, triangles)) = liver() {
        fold(&points, &triangles, 1.45);
    }
}

fn fold(points: &[[f64; 3]], triangles: &[[u32; 3]], turns: f64) {
    let mesh = SurfaceMesh::new(bent(points, 0.5), triangles.to_vec()).unwrap();
    assert!(mesh.health().self_intersections.is_empty() && mesh.is_closed());
    let mut scene = Scene::standard();
    let organ = scene.add("organ", mesh).unwrap();
    let ball = scene.add("ball", Sphere::new(Point::origin(), 0.02).unwrap()).unwrap();
    let pair = scene.add_pair(organ, ball, PairOptions::default()).unwrap();
    scene.step().unwrap();
    scene.geometry_mut::<SurfaceMesh>(organ).unwrap().set_positions(&bent(points, turns)).unwrap();
    let folded = scene.geometry_as::<SurfaceMesh>(organ).unwrap().clone();
    let crossings = folded.health().self_intersections.count;
    assert!(crossings > 4, "{crossings} at {turns} turns");
    let mut sample = 3_u64;
    let mut next = |from: f64, to: f64| {
        sample = sample.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from + (to - from) * ((sample >> 11) as f64 / (1_u64 << 53) as f64)
    };
    let (mut contacts, mut deepest) = (0, 0.0_f64);
    for _ in 0..600 {
        let center = Point::new(next(-0.3, 0.3), next(-0.5, 0.2), next(-0.15, 0.15));
        scene.geometry_mut::<Sphere>(ball).unwrap().set_center(center).unwrap();
        scene.step().unwrap();
        let all = 0..folded.triangles().len() as u32;
        let nearest = all.map(|t| distance(&center, folded.corners(t))).fold(f64::INFINITY, f64::min);
        for contact in &scene.contacts(pair).unwrap().contacts {
            assert!(contact.depth <= nearest + 0.02 + 1e-12, "{center}: {} and {nearest}", contact.depth);
            contacts += 1;
            deepest = deepest.max(contact.depth);
        }
        assert!(scene.pair(pair).unwrap().status().flags.is_empty(), "it was clean when it was made");
    }
    assert!(contacts > 80 && deepest > 0.06, "{contacts} contacts, the deepest {deepest}");
}

/// One of each kind that a bench has a row for, at the wall of the surface.
fn partners() -> Vec<Box<dyn Geometry>> {
    let pose = Pose::new(Vector::new(1.28, 0.0, 0.02), Vector::new(0.3, 0.2, -0.4));
    let cloud: Vec<Point> = (0..200)
        .map(|k| Point::new(1.1 + 0.002 * f64::from(k), 0.1 * (0.7 * f64::from(k)).sin(), 0.01))
        .collect();
    let (corners, cells) = cuboid([1.2, -0.05, -0.05], [1.4, 0.05, 0.05]);
    let four = [[1.2, 0.0, 0.0], [1.4, 0.0, 0.0], [1.3, 0.1, 0.0], [1.3, 0.0, 0.1]].map(Point::from);
    let ring = Arc::new(Torus::new(Pose::identity(), 0.05, 0.03).unwrap());
    vec![
        Box::new(Sphere::new(Point::new(1.28, 0.0, 0.0), 0.05).unwrap()),
        Box::new(Capsule::new(pose, 0.03, 0.2).unwrap()),
        Box::new(Cylinder::new(pose, 0.03, 0.2).unwrap()),
        Box::new(OrientedBox::new(pose, Vector::new(0.05, 0.04, 0.1)).unwrap()),
        Box::new(Plane::new(Point::new(1.2, 0.0, 0.0), -Vector::x()).unwrap()),
        Box::new(PointSet::new(cloud.clone()).unwrap()),
        Box::new(LineMesh::polyline(cloud).unwrap()),
        Box::new(SurfaceMesh::new(corners, cells).unwrap()),
        Box::new(TetraMesh::new(four.to_vec(), vec![[0, 1, 2, 3]]).unwrap()),
        Box::new(ImplicitBody::new(pose, ring).unwrap()),
    ]
}

/// A torus of 57,600 triangles, which is clean.
fn torus() -> SurfaceMesh {
    let (long, short) = (240_u32, 120_u32);
    let turn = |k: u32, of: u32| f64::from(k) / f64::from(of) * std::f64::consts::TAU;
    let place = |k: u32| {
        let (u, v) = (turn(k / short, long), turn(k % short, short));
        Point::new((1.0 + 0.3 * v.cos()) * u.cos(), (1.0 + 0.3 * v.cos()) * u.sin(), 0.3 * v.sin())
    };
    let id = |i: u32, j: u32| i % long * short + j % short;
    let cell = |k: u32| {
        let (i, j) = (k / short, k % short);
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..long * short).flat_map(cell).collect();
    SurfaceMesh::new((0..long * short).map(place).collect(), triangles).unwrap()
}

/// What is found out about a clean surface when it is made changes no contact afterwards, and no time but for noise.
#[test]
fn detection_with_sides_that_were_found_is_that_with_sides_that_were_given() {
    let rounds = std::env::var("PALPATE_DETECTING").ok().and_then(|count| count.parse().ok());
    for mut partner in partners() {
        let mut both = [torus(), torus().with_sidedness(Sidedness::Pseudonormals)].map(|mut mesh| {
            let mut bound = Registry::standard().bind(&mesh, partner.as_ref(), Choice::default()).unwrap();
            let [needs, of_partner] = bound.needs();
            mesh.prepare(needs | Needs::NORMALS);
            partner.prepare(of_partner);
            let mut out = CollisionData::new();
            let status = bound.run(&mesh, partner.as_ref(), &Context::new(), &mut out).unwrap();
            (mesh, bound, out, status)
        });
        let [(_, _, found, status), (_, _, given, of_given)] = &both;
        assert!(!found.is_empty() && found.len() == given.len() && status == of_given);
        assert!(found.contacts.iter().zip(&given.contacts).all(|(one, two)| one.same_bits(two)));
        let mut times = [Vec::new(), Vec::new()];
        let mut time = |way: usize, runs: usize| {
            let (mesh, bound, out, _) = &mut both[way];
            let start = Instant::now();
            for _ in 0..runs {
                bound.run(mesh, partner.as_ref(), &Context::new(), out).unwrap();
            }
            times[way].push(start.elapsed().as_secs_f64() / runs as f64);
            start.elapsed()
        };
        let Some(rounds) = rounds else { continue };
        let once = time(0, 1).max(time(1, 1)).as_secs_f64();
        let runs = (2e-3 / once).ceil() as usize;
        for round in 0..rounds {
            let first = round % 2;
            time(first, runs);
            time(1 - first, runs);
        }
        let [found, given] = times.map(|mut all| {
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        });
        println!(
            "{}: {:.2} us found, {:.2} us given, {:.3}",
            partner.kind(),
            1e6 * found,
            1e6 * given,
            found / given
        );
    }
}
