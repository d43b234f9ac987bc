//! The shared meshes against their manifest. Runs if `PALPATE_SHARED` names the shared folder; then a missing file
//! is a failure.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod winding;

use palpate_geometry::health::SurfaceHealth;
use palpate_geometry::{Geometry, Needs, Sidedness, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_mesh_io::{Contents, read};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use winding::turns;

/// A row of the manifest.
struct Row {
    file: String,
    vertices: usize,
    triangles: usize,
    tetrahedra: usize,
    closed: Option<bool>,
    self_intersections: Option<usize>,
    what: String,
}

fn folder() -> Option<PathBuf> {
    std::env::var_os("PALPATE_SHARED").map(|shared| PathBuf::from(shared).join("data"))
}

/// The rows of the table of meshes: those with a number of bytes in the third column.
fn manifest() -> Vec<Row> {
    let Some(folder) = folder() else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join("MANIFEST.md")).expect("the shared folder has a manifest");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let number = |index: usize| cells.get(index).and_then(|cell| cell.parse::<usize>().ok());
        number(2)?;
        Some(Row {
            file: cells[0].to_owned(),
            vertices: number(3)?,
            triangles: number(4)?,
            tetrahedra: number(5)?,
            closed: match cells[6] {
                "True" => Some(true),
                "False" => Some(false),
                _ => None,
            },
            self_intersections: number(7),
            what: cells[8].to_owned(),
        })
    };
    let rows: Vec<Row> = text.lines().filter_map(row).collect();
    assert!(rows.len() >= 15, "{} rows in the manifest", rows.len());
    rows
}

fn contents(row: &Row) -> Contents {
    let path = folder().expect("called only with a folder").join("meshes").join(&row.file);
    read(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// Hexagons of `skull.vtp` that VTK's triangle filter (9.7), whose triangles the manifest counts, splits into two
/// triangles each and so leaves partly open; palpate fills them with four.
const CUT_SHORT: [([u32; 6], [[u32; 3]; 2]); 2] = [
    ([1483, 928, 929, 931, 932, 1484], [[1484, 1483, 932], [931, 932, 929]]),
    ([3089, 2538, 2537, 2535, 2534, 3088], [[3089, 2538, 3088], [2537, 2535, 2538]]),
];

/// The triangles counted by the manifest: those of the file, but for polygons that VTK leaves partly open only
/// VTK's.
fn counted(row: &Row) -> Contents {
    let mut contents = contents(row);
    if row.file == "skull.vtp" {
        for (hexagon, triangles) in CUT_SHORT {
            let whole = contents.triangles.len();
            contents.triangles.retain(|triangle| !triangle.iter().all(|corner| hexagon.contains(corner)));
            assert_eq!(contents.triangles.len(), whole - 4, "the triangles of {hexagon:?}");
            contents.triangles.extend(triangles);
        }
    }
    contents
}

/// The surface described by the manifest: the triangles that it counts, or the boundary of its tetrahedra.
fn surface_health(row: &Row) -> SurfaceHealth {
    let contents = counted(row);
    if contents.tetrahedra.is_empty() {
        contents.into_surface().unwrap().health()
    } else {
        contents.into_tetra().unwrap().health().boundary
    }
}

/// The number before a word in the remarks: `11 boundary edges`.
fn number_before(row: &Row, word: &str) -> Option<usize> {
    let before = row.what[..row.what.find(word)?].trim_end();
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[test]
fn files_hold_what_the_manifest_says() {
    for row in manifest() {
        let contents = contents(&row);
        assert_eq!(contents.positions.len(), row.vertices, "points of {}", row.file);
        assert_eq!(contents.tetrahedra.len(), row.tetrahedra, "tetrahedra of {}", row.file);
        if row.tetrahedra == 0 {
            assert_eq!(counted(&row).triangles.len(), row.triangles, "triangles of {}", row.file);
        } else {
            let boundary = surface_health(&row);
            assert_eq!(boundary.triangles, row.triangles, "boundary triangles of {}", row.file);
        }
        if let Some(lines) = number_before(&row, "segments").or_else(|| number_before(&row, "line cells")) {
            assert_eq!(contents.lines.len(), lines, "lines of {}", row.file);
        }
    }
}

#[test]
fn health_is_what_the_manifest_says() {
    let mut dirty = 0;
    for row in manifest() {
        let Some(closed) = row.closed else { continue };
        let health = surface_health(&row);
        assert_eq!(health.is_closed(), closed, "{} closed", row.file);
        dirty += usize::from(health.sidedness() == Sidedness::WindingNumber);
        assert_eq!(
            Some(health.self_intersections.count),
            row.self_intersections,
            "{} self-intersections",
            row.file
        );
        assert_eq!(health.is_inward(), row.what.contains("INVERTED"), "{} inverted", row.file);
        if let Some(count) = number_before(&row, "components") {
            assert_eq!(health.components.count, count, "{} components", row.file);
        }
        if let Some(count) = number_before(&row, "boundary edges") {
            assert_eq!(health.boundary_edges.count, count, "{} boundary edges", row.file);
        }
        let non_manifold = number_before(&row, "non-manifold").or_else(|| number_before(&row, "edges)"));
        if let Some(count) = non_manifold.filter(|_| row.what.to_lowercase().contains("non-manifold")) {
            assert_eq!(health.non_manifold_edges.count, count, "{} non-manifold edges", row.file);
        }
    }
    assert!(folder().is_none() || dirty >= 3, "{dirty} surfaces that are not sound");
}

/// The parts of the skull that VTK leaves open are filled here: of the eleven boundary edges the eight around its
/// gaps are shared.
#[test]
fn polygons_that_vtk_cuts_short_are_whole() {
    for row in manifest().iter().filter(|row| row.file == "skull.vtp") {
        let [whole, short] = [contents(row), counted(row)];
        assert_eq!(whole.triangles.len(), short.triangles.len() + 4);
        let [whole, short] = [whole, short].map(|contents| contents.into_surface().unwrap().health());
        assert_eq!([whole.boundary_edges.count, short.boundary_edges.count], [3, 11]);
        assert_eq!(whole.non_manifold_edges.count, short.non_manifold_edges.count);
    }
}

/// The closest point of a triangle, by projection onto its plane and all its sides.
fn distance_to_triangle(p: &Point, [a, b, c]: [Point; 3]) -> f64 {
    let to_segment = |from: Point, to: Point| {
        let along = to - from;
        let length = along.norm_squared();
        let t = if length > 0.0 { ((p - from).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
        (p - (from + along * t)).norm()
    };
    let mut nearest = to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a));
    let normal = (b - a).cross(&(c - a));
    if normal.norm_squared() > 0.0 {
        let unit = normal.normalize();
        let height = (p - a).dot(&unit);
        let foot = p - unit * height;
        let inside = |from: Point, to: Point| (to - from).cross(&(foot - from)).dot(&normal) >= 0.0;
        if inside(a, b) && inside(b, c) && inside(c, a) {
            nearest = nearest.min(height.abs());
        }
    }
    nearest
}

/// Half uniform in the slightly enlarged box of the surface, half near the surface.
fn sample(mesh: &SurfaceMesh, random: &mut ChaCha8Rng) -> Point {
    let bounds = mesh.bounds();
    let size = bounds.size();
    if random.random_range(0.0..1.0) < 0.5 {
        let at = |axis: usize, x: f64| bounds.min[axis] + size[axis] * (1.2 * x - 0.1);
        return Point::new(
            at(0, random.random_range(0.0..1.0)),
            at(1, random.random_range(0.0..1.0)),
            at(2, random.random_range(0.0..1.0)),
        );
    }
    let [a, b, c] = mesh.corners(random.random_range(0..mesh.triangles().len() as u32));
    let mut weights = [0.0; 3].map(|_: f64| random.random_range(0.0..1.0));
    let sum: f64 = weights.iter().sum();
    weights = weights.map(|weight| weight / sum);
    let reach = 0.02 * size.norm();
    let off = Vector::new(0.0, 0.0, 0.0).map(|_: f64| random.random_range(-reach..reach));
    Point::from(a.coords * weights[0] + b.coords * weights[1] + c.coords * weights[2]) + off
}

#[test]
fn signed_distances_of_closed_surfaces_are_those_of_brute_force_and_winding() {
    let mut random = ChaCha8Rng::seed_from_u64(17);
    let (mut surfaces, mut inside) = (0, 0);
    for row in manifest().iter().filter(|row| row.closed == Some(true)) {
        let contents = contents(row);
        let mesh = if contents.tetrahedra.is_empty() {
            contents.into_surface().unwrap()
        } else {
            let mesh = contents.into_tetra().unwrap();
            let cells =
                palpate_geometry::derived::boundary_triangles(mesh.cells(), mesh.points().positions()).0;
            SurfaceMesh::new(mesh.points().positions().to_vec(), cells).unwrap()
        };
        let mut mesh = mesh.examined();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let tolerance = 1e-12 * mesh.bounds().diagonal_length();
        for _ in 0..2000 {
            let p = sample(&mesh, &mut random);
            let (signed, _) = mesh.signed_distance(&p, f64::INFINITY).unwrap();
            let all = 0..mesh.triangles().len() as u32;
            let nearest =
                all.map(|t| distance_to_triangle(&p, mesh.corners(t))).fold(f64::INFINITY, f64::min);
            let off = (signed.distance.abs() - nearest).abs();
            assert!(off <= tolerance, "{} at {p}: {} and {nearest}", row.file, signed.distance);
            let winds = turns(&p, &mesh).abs() > 0.5;
            if nearest > 1e3 * tolerance {
                assert_eq!(signed.distance < 0.0, winds, "{} at {p}: {}", row.file, signed.distance);
            }
            inside += usize::from(winds);
        }
        surfaces += 1;
    }
    let wanted = folder().is_some();
    assert!(!wanted || (surfaces >= 10 && inside > 5000), "{surfaces} surfaces, {inside} points inside");
}
