//! Dirty surfaces made by script from sound ones: the sides of points are those of a winding number computed independently, and
//! the surfaces say that they are dirty; the laws of solids hold for their contacts, or the pair is flagged. `PALPATE_DIRTY` is the number of points per surface; with `PALPATE_SHARED` the sound
//! ones are real meshes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

mod dirty_contacts;
mod winding;

use dirty_contacts::{Judged, LAWS, judge};
use palpate_geometry::{Geometry, Needs, Sidedness, SurfaceMesh};
use palpate_math::{Aabb, Point};
use palpate_mesh_io::read;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;
use std::path::Path;
use winding::turns;

type Soup = (Vec<Point>, Vec<[u32; 3]>);

/// A torus of squares with a wave on it.
fn torus(waves: f64) -> Soup {
    let (long, short) = (36_u32, 14_u32);
    let positions = (0..long * short)
        .map(|k| {
            let (u, v) =
                (f64::from(k / short) / f64::from(long) * TAU, f64::from(k % short) / f64::from(short) * TAU);
            let radius = 0.3 + 0.05 * (waves * u).sin();
            let around = 1.0 + radius * v.cos();
            Point::new(around * u.cos(), around * u.sin(), radius * v.sin())
        })
        .collect();
    let id = |i: u32, j: u32| i % long * short + j % short;
    let quads = (0..long).flat_map(|i| (0..short).map(move |j| (i, j)));
    let triangles = quads.flat_map(|(i, j)| {
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        [[a, b, c], [a, c, d]]
    });
    (positions, triangles.collect())
}

/// The sound surfaces: four.
fn sound() -> Vec<(String, Soup)> {
    let shared = std::env::var_os("PALPATE_SHARED").map(|folder| Path::new(&folder).join("data/meshes"));
    let names = ["genus3_decimated.obj", "nut.ply", "sphere.obj", "Bunny.stl"];
    let mut found = Vec::new();
    for (index, name) in names.into_iter().enumerate() {
        found.push(match &shared {
            Some(folder) => {
                let contents = read(folder.join(name)).unwrap();
                (name.to_owned(), (contents.positions, contents.triangles))
            }
            None => (format!("torus {index}"), torus(index as f64)),
        });
    }
    found
}

/// The five ways to make a surface dirty.
fn dirty((positions, triangles): &Soup, way: usize, random: &mut ChaCha8Rng) -> Soup {
    let (mut positions, mut triangles) = (positions.clone(), triangles.clone());
    let bounds = Aabb::from_points(&positions);
    let (center, size) = (bounds.center(), bounds.size());
    match way {
        // It intersects itself: the end of it pushed through the other end.
        0 => {
            let level = center.x + 0.1 * size.x;
            positions.iter_mut().filter(|p| p.x > level).for_each(|p| p.x = 2.0 * level - p.x - 0.9 * size.x);
        }
        // Not manifold: a tetrahedron on the outside of an edge, which has four triangles then.
        1 => {
            let [a, b, c] = triangles[random.random_range(0..triangles.len())];
            let [pa, pb, pc] = [a, b, c].map(|id| positions[id as usize]);
            let out = (pb - pa).cross(&(pc - pa)).normalize() * (0.1 * size.norm());
            let next = positions.len() as u32;
            positions.extend([pa + (pb - pa) * 0.5 + out, pb + out]);
            triangles.extend([[a, b, next], [b, a, next + 1], [a, next, next + 1], [b, next + 1, next]]);
        }
        // Holes: one triangle in fifty.
        2 => {
            let mut k = 0;
            triangles.retain(|_| {
                k += 1;
                k % 50 != 7
            });
        }
        // Flipped parts: one patch turned over.
        3 => {
            let at = positions[triangles[random.random_range(0..triangles.len())][0] as usize];
            let near = |ids: &[u32; 3]| (positions[ids[0] as usize] - at).norm() < 0.12 * size.norm();
            triangles.iter_mut().filter(|ids| near(ids)).for_each(|ids| ids.swap(0, 1));
        }
        // A second shell a little beside the first, nobody united them.
        _ => {
            let (before, shift) = (positions.len() as u32, size * 0.07);
            let more: Vec<Point> = positions.iter().map(|p| p + shift).collect();
            positions.extend(more);
            let second: Vec<[u32; 3]> = triangles.iter().map(|ids| ids.map(|id| id + before)).collect();
            triangles.extend(second);
        }
    }
    (positions, triangles)
}

/// Points per surface.
fn points() -> usize {
    std::env::var("PALPATE_DIRTY").ok().and_then(|count| count.parse().ok()).unwrap_or(150)
}

#[test]
fn sides_of_dirty_surfaces_are_those_of_an_independent_winding_number() {
    let points = points();
    let mut random = ChaCha8Rng::seed_from_u64(54);
    let (mut checked, mut inside, mut flagged) = (0, 0, 0);
    for (name, soup) in sound() {
        let clean = SurfaceMesh::new(soup.0.clone(), soup.1.clone()).unwrap();
        assert_eq!((clean.is_closed(), clean.sidedness()), (true, Sidedness::Pseudonormals), "{name}");
        for way in 0..5 {
            let (positions, triangles) = dirty(&soup, way, &mut random);
            let mut mesh = SurfaceMesh::new(positions, triangles).unwrap().with_closed(true);
            mesh.prepare(Needs::TREE | Needs::NORMALS);
            assert_eq!(mesh.sidedness(), Sidedness::WindingNumber, "{name}, {way}");
            flagged += usize::from(mesh.is_self_intersecting());
            let bounds = mesh.bounds();
            for _ in 0..points {
                let at = |axis: usize, x: f64| bounds.min[axis] + bounds.size()[axis] * x;
                let mut part = || random.random_range(-0.02..1.02);
                let p = Point::new(at(0, part()), at(1, part()), at(2, part()));
                let turns = turns(&p, &mesh);
                // Undecided by rounding of either sum.
                if (turns.abs() - 0.5).abs() < 1e-6 {
                    continue;
                }
                let (signed, _) = mesh.signed_distance(&p, f64::INFINITY).unwrap();
                let wanted = turns.abs() > 0.5 && bounds.contains_point(&p);
                assert_eq!(signed.distance < 0.0, wanted, "{name}, {way}, {p}: {turns} turns");
                checked += 1;
                inside += usize::from(wanted);
            }
        }
    }
    assert!(
        checked > 19 * points && inside > checked / 20 && flagged == 8,
        "{checked}, {inside} inside, {flagged} flagged"
    );
    if std::env::var_os("PALPATE_DIRTY").is_some() {
        println!("20 surfaces, {checked} points, {inside} of them inside");
    }
}

#[test]
fn contacts_of_dirty_surfaces_hold_the_laws_of_solids_or_are_flagged() {
    let mut random = ChaCha8Rng::seed_from_u64(55);
    let (positions, triangles) = torus(2.0);
    let tool = SurfaceMesh::new(positions, triangles).unwrap();
    let mut all = Judged::default();
    for (name, soup) in sound() {
        for way in 0..5 {
            let (positions, triangles) = dirty(&soup, way, &mut random);
            let mut mesh = SurfaceMesh::new(positions, triangles).unwrap().with_closed(true);
            mesh.prepare(Needs::TREE | Needs::NORMALS);
            let judged = judge(&mesh, &tool, points() / 15, &mut random);
            assert_eq!(judged.silent, 0, "{name}, {way}: {:?}", judged.broken);
            if std::env::var_os("PALPATE_DIRTY").is_some() {
                println!("{name}, {way}: {} cases, {:?} {:?}", judged.cases, LAWS, judged.broken);
            }
            all.cases += judged.cases;
            all.touching += judged.touching;
            all.broken.iter_mut().zip(judged.broken).for_each(|(sum, count)| *sum += count);
        }
    }
    let broken: usize = all.broken.iter().sum();
    assert!(all.touching > all.cases / 3 && broken < all.cases / 5, "{:?} of {}", all.broken, all.touching);
    assert_eq!([all.broken[0], all.broken[3]], [0, 0], "least exit and in place hold for whatever surface");
}
