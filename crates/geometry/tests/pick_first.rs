//! The first hit is bitwise the first of all hits; compounds equal their children.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod shapes;

use palpate_contact::NONE;
use palpate_geometry::implicit::{ImplicitBody, Torus};
use palpate_geometry::pick::{Hit, Nearest, Ray, all_hits, first_hit, nearest_cell, nearest_vertex};
use palpate_geometry::{
    Capsule, Compound, Convex, Geometry, LineMesh, Needs, OrientedBox, PointSet, Pose, Sphere, SurfaceMesh,
    TetraMesh,
};
use palpate_math::{Point, Vector};
use shapes::{Numbers, ball, bumpy_ball, torus};
use std::sync::Arc;

/// Generates rays that aim at a vertex or the midpoint of an edge, as exactly as possible, and others.
fn rays(numbers: &mut Numbers, mesh: &SurfaceMesh, count: usize) -> Vec<Ray> {
    let positions = mesh.points().positions();
    let aimed = |numbers: &mut Numbers, round: usize| {
        let any = |numbers: &mut Numbers, count: usize| {
            ((0.5 + 0.5 * numbers.number()) * count as f64) as usize % count
        };
        let target = match round % 4 {
            0 => positions[any(numbers, positions.len())],
            1 => {
                let [a, b] = mesh.edge_ends(any(numbers, mesh.adjacency().edges.len()) as u32);
                a + (b - a) * 0.5
            }
            _ => return numbers.ray(),
        };
        // From a vertex, from inside and from outside.
        let from = match round % 3 {
            0 => positions[any(numbers, positions.len())],
            1 => Point::from(numbers.vector() * 0.2),
            _ => Point::from(numbers.vector() * 3.0),
        };
        if from == target { numbers.ray() } else { Ray::new(from, target - from, f64::INFINITY).unwrap() }
    };
    (0..count).map(|round| aimed(numbers, round)).collect()
}

#[test]
fn the_first_hit_is_the_first_of_all_to_the_last_bit() {
    let mut numbers = Numbers(11);
    let needles = {
        // Long thin triangles, on which points along the ray are inaccurate.
        let (positions, triangles) = bumpy_ball(40, 0.2, &mut numbers);
        (positions.iter().map(|p| Point::new(p.x, p.y * 1e-4, p.z)).collect(), triangles)
    };
    let (mut met, mut shared, mut behind) = (0, 0, 0);
    for (positions, triangles) in
        [bumpy_ball(24, 0.3, &mut numbers), torus(24), needles, ball(9, 1.0, Vector::zeros())]
    {
        for size in [1.0, 2.0_f64.powi(-20), 1e4] {
            let positions: Vec<Point> = positions.iter().map(|point| point * size).collect();
            let bare = SurfaceMesh::new(positions.clone(), triangles.clone()).unwrap();
            let mut prepared = bare.clone();
            prepared.prepare(Needs::TREE | Needs::NORMALS);
            let mut refitted =
                SurfaceMesh::new(positions.iter().rev().copied().collect(), triangles.clone()).unwrap();
            refitted.prepare(Needs::TREE);
            refitted.set_positions(&positions).unwrap();
            refitted.prepare(Needs::TREE);
            for ray in rays(&mut numbers, &bare, 400) {
                let ray = Ray::new(ray.origin(), ray.direction(), ray.length() * size).unwrap();
                let all = all_hits(&bare, &ray).unwrap();
                assert_eq!(all_hits(&prepared, &ray).unwrap(), all);
                for mesh in [&bare, &prepared, &refitted] {
                    assert_eq!(first_hit(mesh, &ray).unwrap(), all.first().copied(), "{ray:?}");
                }
                met += usize::from(!all.is_empty());
                behind += usize::from(all.len() > 1);
                shared += usize::from(all.first().is_some_and(|hit| hit.feature.vertex_count < 3));
            }
        }
    }
    assert!(met > 2500 && behind > 1500 && shared > 300, "{met} {behind} {shared}");
}

/// Bodies of all types around the origin, some overlapping.
fn children(numbers: &mut Numbers) -> Vec<Box<dyn Geometry>> {
    let (positions, triangles) = bumpy_ball(10, 0.1, numbers);
    let moved = |by: Vector| positions.iter().map(|point| point * 0.6 + by).collect::<Vec<_>>();
    let mut surface = SurfaceMesh::new(moved(Vector::x()), triangles).unwrap();
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let cells: Vec<[u32; 4]> = (0..20).map(|k| [k, k + 3, k + 17, k + 29]).collect();
    let corners: Vec<Point> = (0..12).map(|_| Point::from(numbers.vector() * 0.6)).collect();
    let ring = Arc::new(Torus::new(Pose::identity(), 0.7, 0.2).unwrap());
    vec![
        Box::new(Sphere::new(Point::new(-0.8, 0.1, 0.0), 0.5).unwrap()),
        Box::new(surface),
        Box::new(OrientedBox::new(numbers.pose(), Vector::new(0.5, 0.3, 0.4)).unwrap()),
        Box::new(TetraMesh::new(moved(Vector::y()), cells).unwrap()),
        Box::new(Capsule::new(numbers.pose(), 0.2, 1.4).unwrap()),
        Box::new(LineMesh::polyline(moved(Vector::z())[..30].to_vec()).unwrap().with_radius(0.05).unwrap()),
        Box::new(Convex::new(numbers.pose(), &corners).unwrap()),
        Box::new(ImplicitBody::new(numbers.pose(), ring).unwrap()),
        Box::new(PointSet::new(moved(-Vector::y())).unwrap().with_radius(0.04).unwrap()),
        // A duplicate: every hit occurs twice, at the same distance.
        Box::new(Sphere::new(Point::new(-0.8, 0.1, 0.0), 0.5).unwrap()),
    ]
}

fn named(mut hit: Hit, child: u32) -> Hit {
    assert_eq!(hit.feature.child, NONE);
    hit.feature.child = child;
    hit
}

#[test]
fn a_compound_is_met_where_its_children_are() {
    let mut numbers = Numbers(12);
    let (mut met, mut firsts, mut tied) = (0, [0; 10], 0);
    for _ in 0..5 {
        let mut compound = Compound::new(children(&mut numbers));
        for round in 0..120 {
            let ray = numbers.ray();
            let mut expected: Vec<Hit> = Vec::new();
            for (number, child) in compound.children() {
                expected.extend(all_hits(child, &ray).unwrap().into_iter().map(|hit| named(hit, number)));
            }
            expected.sort_by(|a, b| a.distance.total_cmp(&b.distance));
            let found = all_hits(&compound, &ray).unwrap();
            assert_eq!(found, expected);
            assert_eq!(first_hit(&compound, &ray).unwrap(), expected.first().copied(), "{ray:?}");
            met += found.len();
            tied += found.windows(2).filter(|pair| pair[0].distance == pair[1].distance).count();
            if let Some(first) = found.first() {
                firsts[first.feature.child as usize] += 1;
            }
            if round == 60 {
                // The numbers of the others do not change.
                compound.remove_child(4);
            }
        }
    }
    assert!(met > 1000 && tied > 30, "{met} {tied}");
    assert!(firsts[..9].iter().all(|count| *count > 3) && firsts[9] == 0, "{firsts:?}");
}

type Ask = fn(&dyn Geometry, &Point) -> Option<Nearest>;

#[test]
fn the_nearest_of_a_compound_is_the_nearest_of_its_children() {
    let mut numbers = Numbers(13);
    let compound = Compound::new(children(&mut numbers));
    let mut seen = [[0; 10]; 2];
    for _ in 0..400 {
        let query = Point::from(numbers.vector() * 2.0);
        let ask: [Ask; 2] = [nearest_cell, nearest_vertex];
        for (ask, seen) in ask.iter().zip(&mut seen) {
            let found = ask(&compound, &query).unwrap();
            let child = compound.child(found.feature.child).unwrap();
            let of_child = ask(child, &query).unwrap();
            assert_eq!(
                (of_child.distance, of_child.feature.vertices),
                (found.distance, found.feature.vertices)
            );
            assert_eq!((of_child.feature.cell, of_child.feature.child), (found.feature.cell, NONE));
            for (number, child) in compound.children() {
                let other = ask(child, &query).map_or(f64::INFINITY, |nearest| nearest.distance);
                assert!(other > found.distance || (other == found.distance && number >= found.feature.child));
            }
            seen[found.feature.child as usize] += 1;
        }
    }
    // Cells: of the surface, the tetrahedra and the thread; vertices: of the particles, too.
    assert!([1, 3, 5].iter().all(|&child| seen[0][child] > 10) && seen[0][8] == 0, "{seen:?}");
    assert!([1, 3, 5, 8].iter().all(|&child| seen[1][child] > 10), "{seen:?}");
    let without = Compound::default().with(Sphere::new(Point::origin(), 1.0).unwrap());
    assert_eq!(nearest_cell(&without, &Point::origin()), None);
    assert_eq!(nearest_vertex(&Compound::default(), &Point::origin()), None);
}

#[test]
fn what_no_ray_can_meet_is_refused_of_a_child_too() {
    struct Cloud;
    impl Geometry for Cloud {
        fn kind(&self) -> palpate_geometry::GeometryKind {
            palpate_geometry::GeometryKind::new("cloud")
        }
        fn bounds(&self) -> palpate_math::Aabb {
            palpate_math::Aabb::ALL
        }
        fn version(&self) -> palpate_geometry::Version {
            palpate_geometry::Version::default()
        }
    }
    let compound = Compound::default().with(Cloud).with(Sphere::new(Point::origin(), 1.0).unwrap());
    let ray = Ray::new(Point::new(-3.0, 0.0, 0.0), Vector::x(), 9.0).unwrap();
    let error = all_hits(&compound, &ray).unwrap_err().to_string();
    assert!(error.starts_with("the geometry is of kind cloud"), "{error}");
    assert!(first_hit(&Compound::default(), &ray).unwrap().is_none());
}
