//! Queries of the scene: the same answer however a geometry got to its place.
#![allow(clippy::unwrap_used)] // a test may panic

use nalgebra::{Translation3, UnitQuaternion};
use palpate_geometry::pick::{self, Ray};
use palpate_geometry::{
    Capsule, Compound, Geometry, LineMesh, OrientedBox, Pose, Sphere, SurfaceMesh, signed_distance,
};
use palpate_math::{Point, Vector};
use palpate_scene::{GeometryId, Groups, PairOptions, Scene, SceneError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A closed cube of half the given edge around the origin.
fn cube(half: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let corner = |k: u32| {
        let side = |axis: u32| if k >> axis & 1 == 1 { half } else { -half };
        Point::new(side(0), side(1), side(2))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn ball(radius: f64) -> Sphere {
    Sphere::new(Point::origin(), radius).unwrap()
}

fn mesh(half: f64) -> SurfaceMesh {
    let (vertices, triangles) = cube(half);
    SurfaceMesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_placed_geometry_is_asked_where_it_is() {
    let mut scene = Scene::standard();
    let bodies: [(&str, Box<dyn Geometry>); 3] = [
        ("sphere", Box::new(ball(0.1))),
        ("compound", Box::new(Compound::default().with(ball(0.1)))),
        ("mesh", Box::new(mesh(0.1))),
    ];
    let mut ids = Vec::new();
    for (number, (name, body)) in (0..).zip(bodies) {
        let groups = Groups { membership: 1 << number, mask: u32::MAX };
        let id = scene.add_boxed(name, body, groups).unwrap();
        scene.set_pose(id, Pose::translation(5.0, 0.0, 0.0)).unwrap();
        ids.push((id, Groups { membership: 1, mask: 1 << number }));
    }
    let ray = Ray::new(Point::new(-1.0, 0.01, 0.02), Vector::x(), 10.0).unwrap();
    let inside = Point::new(5.035, 0.0, 0.0);
    for (id, groups) in ids {
        let hit = scene.first_hit(&ray, groups).unwrap().unwrap();
        assert_eq!(hit.geometry, id);
        assert!((hit.found.distance - 5.9).abs() < 0.003 && (hit.found.point().x - 4.9).abs() < 0.003);
        assert!((hit.found.normal + Vector::x()).norm() < 0.25);
        let all = scene.all_hits(&ray, groups).unwrap();
        assert!(all.len() == 2 && (all[1].found.distance - 6.1).abs() < 0.003, "{all:?}");
        let found = scene.signed_distance(&inside, groups).unwrap().unwrap();
        assert!((found.found.signed.distance + 0.065).abs() < 1e-12, "{found:?}");
        assert!((found.found.signed.nearest - Point::new(5.1, 0.0, 0.0)).norm() < 1e-12);
        let near = scene.closest(&Point::new(5.3, 0.0, 0.0), 1.0, groups).unwrap().unwrap();
        assert!((near.found.distance - 0.2).abs() < 1e-12 && (near.found.point.x - 5.1).abs() < 1e-12);
        assert_eq!(scene.closest(&Point::new(5.3, 0.0, 0.0), 0.1, groups).unwrap(), None);
        // The geometry itself carries its frame.
        let own = scene.geometry(id).unwrap();
        assert_eq!(pick::first_hit(own, &ray).unwrap(), Some(hit.found));
        assert_eq!(signed_distance(own, &inside).unwrap(), found.found);
        if let Some(cell) = pick::nearest_cell(own, &Point::new(5.3, 0.01, 0.02)) {
            assert!((cell.distance - 0.2).abs() < 1e-12 && (cell.feature.point[0] - 5.1).abs() < 1e-12);
        }
    }
}

#[test]
fn a_clone_and_a_replacement_are_not_placed() {
    let mut scene = Scene::standard();
    let id = scene.add("mesh", mesh(0.1)).unwrap();
    scene.set_pose(id, Pose::translation(5.0, 0.0, 0.0)).unwrap();
    let copy = scene.geometry(id).unwrap().try_clone().unwrap();
    assert!(copy.placement().is_some());
    let copy = scene.add_boxed("copy", copy, Groups::default()).unwrap();
    assert_eq!(scene.geometry(copy).unwrap().placement(), None);
    scene.replace(id, Box::new(mesh(0.2))).unwrap();
    assert_eq!(scene.geometry(id).unwrap().placement(), None);
    let at_origin = Ray::new(Point::new(-1.0, 0.01, 0.02), Vector::x(), 10.0).unwrap();
    let hit = scene.first_hit(&at_origin, Groups::default()).unwrap().unwrap();
    assert!(hit.geometry == id && (hit.found.distance - 0.8).abs() < 1e-12);
}

#[test]
fn threads_have_their_radius_and_no_inside() {
    let mut scene = Scene::standard();
    let ends = vec![Point::new(0.0, 0.0, -1.0), Point::new(0.0, 0.0, 1.0)];
    let thread = LineMesh::polyline(ends).unwrap().with_radius(0.1).unwrap();
    let id = scene.add("thread", thread).unwrap();
    let point = Point::new(0.0, 0.5, 0.25);
    let near = scene.closest(&point, 1.0, Groups::default()).unwrap().unwrap();
    assert!(near.geometry == id && (near.found.distance - 0.4).abs() < 1e-12);
    assert!((near.found.point - Point::new(0.0, 0.1, 0.25)).norm() < 1e-12);
    assert_eq!(near.found.feature.vertex_ids(), [0, 1]);
    assert_eq!(scene.signed_distance(&point, Groups::default()).unwrap(), None);
}

#[test]
fn overlaps_are_found_between_all_kinds_and_through_groups() {
    let mut scene = Scene::standard();
    let tool = Groups { membership: 2, mask: u32::MAX };
    let a = scene.add("mesh", mesh(0.1)).unwrap();
    let b =
        scene.add_in("box", OrientedBox::new(Pose::identity(), Vector::repeat(0.1)).unwrap(), tool).unwrap();
    let c = scene.add("compound", Compound::default().with(ball(0.1))).unwrap();
    for (id, x) in [(a, 1.0), (b, 1.15), (c, 3.0)] {
        scene.set_pose(id, Pose::translation(x, 0.0, 0.0)).unwrap();
    }
    let at = |x: f64| Sphere::new(Point::new(x, 0.0, 0.0), 0.06).unwrap();
    let mut all = |x: f64, groups: Groups| scene.overlapping(&at(x), groups).unwrap();
    assert_eq!(all(1.1, Groups::default()), [a, b]);
    assert_eq!(all(1.1, Groups { membership: 1, mask: 2 }), [b]);
    assert_eq!(all(2.9, Groups::default()), [c]);
    assert!(all(2.0, Groups::default()).is_empty());
    // A mesh that asks, and one that was placed in another scene.
    assert_eq!(scene.overlapping(&mesh(0.1), Groups::default()).unwrap(), []);
    let mut other = Scene::standard();
    let id = other.add("mesh", mesh(0.1)).unwrap();
    other.set_pose(id, Pose::translation(3.1, 0.0, 0.0)).unwrap();
    assert_eq!(scene.overlapping(other.geometry(id).unwrap(), Groups::default()).unwrap(), [c]);
}

/// Random bodies at random places: what the scene finds is what a ray finds among meshes whose vertices were moved there.
#[test]
fn random_rays_hit_what_meshes_in_the_world_show() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut number = |low: f64, high: f64| random.random_range(low..high);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..60 {
        let mut scene = Scene::standard();
        let mut world: Vec<(GeometryId, SurfaceMesh)> = Vec::new();
        for body in 0..8 {
            let axis = Vector::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 1.0));
            let rotation = UnitQuaternion::from_scaled_axis(axis * 3.0);
            let place = Translation3::new(number(-2.0, 2.0), number(-2.0, 2.0), number(-2.0, 2.0));
            let pose = Pose::from_parts(place, rotation);
            let (half, name) = (number(0.1, 0.5), format!("body {body}"));
            let (vertices, triangles) = cube(half);
            let id = match body % 3 {
                0 => scene.add(&name, mesh(half)),
                1 => scene.add(&name, Compound::default().with(mesh(half))),
                _ => scene.add(&name, OrientedBox::new(Pose::identity(), Vector::repeat(half)).unwrap()),
            };
            scene.set_pose(id.clone().unwrap(), pose).unwrap();
            let moved = vertices.iter().map(|vertex| pose * vertex).collect();
            world.push((id.unwrap(), SurfaceMesh::new(moved, triangles).unwrap()));
        }
        for shot in 0..20 {
            let origin = Point::new(number(-3.0, 3.0), number(-3.0, 3.0), -4.0);
            // Half of the rays aim at a body.
            let aim = Point::new(number(-2.0, 2.0), number(-2.0, 2.0), number(-2.0, 2.0));
            let body = world[shot % 8].1.points().positions();
            let aim = if shot % 2 == 0 { nalgebra::center(&body[0], &body[7]) } else { aim };
            let ray = Ray::new(origin, aim - origin, 20.0).unwrap();
            let one_by_one = world
                .iter()
                .filter_map(|(id, mesh)| Some((*id, pick::first_hit(mesh, &ray).unwrap()?.distance)));
            let expected = one_by_one.reduce(|best, next| if next.1 < best.1 { next } else { best });
            let found = scene.first_hit(&ray, Groups::default()).unwrap();
            match (expected, found) {
                (Some((id, distance)), Some(found)) => {
                    hits += 1;
                    assert!(found.geometry == id && (found.found.distance - distance).abs() < 1e-9);
                }
                (None, None) => misses += 1,
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(hits > 400 && misses > 100, "{hits} {misses}");
}

#[test]
fn groups_that_match_nothing_are_an_error() {
    let mut scene = Scene::standard();
    scene.add("floor", mesh(1.0)).unwrap();
    scene.add("tool", Capsule::new(Pose::identity(), 0.1, 0.5).unwrap()).unwrap();
    let refused = scene.add_pairs_between(2, 4, PairOptions::default()).unwrap_err();
    let expected = SceneError::NoPairOfGroups { first: 2, second: 4, count: 2, members: 1 };
    assert_eq!(refused, expected);
    assert!(refused.to_string().contains("0b10 and 0b100"), "{refused}");
    assert!(scene.add_pairs_between(1, 1, PairOptions::default()).is_ok());
    // Before there is anything, only what nothing could ever match is one.
    let mut empty = Scene::standard();
    assert!(empty.add_pairs_between(2, 4, PairOptions::default()).is_ok());
    assert!(empty.add_pairs_between(2, 0, PairOptions::default()).is_err());
}
