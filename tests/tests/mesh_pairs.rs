//! The triangles of two surfaces, or of one surface, that intersect: the same set as by comparing all of them, decided by
//! exact predicates.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_SHEET` | squares along a side of the folded sheet; default 30, which gives 1,800 triangles |
//! | `PALPATE_SHARED` | the shared folder: also compares all its closed meshes; then a missing file is a failure |
//! | `PALPATE_W2` | a folder with workload W2: also compares its tool with its organs |

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "prints what was compared")]

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Geometry, SurfaceMesh, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_mesh_io::{Contents, read};
use palpate_tests::meshes::{CLOSED, Triangles};
use palpate_tests::selection::on_all_cores;
use palpate_tests::{ALL_NEEDS, Random, meshes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Poses of every pair of meshes.
const POSES: u64 = 20;

/// Pairs of triangles, ascending.
type Pairs = BTreeSet<[u32; 2]>;

/// The pairs that intersect, and those that the predicates cannot decide: with an edge in the plane of the other triangle.
#[derive(Default)]
struct Truth {
    meeting: Pairs,
    undecided: Pairs,
}

/// A triangle with its box.
struct Boxed {
    number: u32,
    corners: [Point; 3],
    low: Vector,
    high: Vector,
}

impl Boxed {
    fn overlaps(&self, low: &Vector, high: &Vector) -> bool {
        (0..3).all(|axis| self.low[axis] <= high[axis] && low[axis] <= self.high[axis])
    }
}

fn boxed(surface: &SurfaceMesh) -> Vec<Boxed> {
    let triangle = |number: u32| {
        let corners = surface.corners(number);
        let [a, b, c] = corners.map(|corner| corner.coords);
        Boxed { number, corners, low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c) }
    };
    (0..surface.triangles().len() as u32).map(triangle).collect()
}

/// The sign of the volume of a tetrahedron, exactly (Shewchuk 1997).
fn side(a: &Point, b: &Point, c: &Point, d: &Point) -> i32 {
    let [a, b, c, d] = [a, b, c, d].map(|p| robust::Coord3D { x: p.x, y: p.y, z: p.z });
    let volume = robust::orient3d(a, b, c, d);
    i32::from(volume > 0.0) - i32::from(volume < 0.0)
}

/// Whether a segment intersects a triangle; `None` if it is in the triangle's plane.
fn pierces([p, q]: [&Point; 2], [a, b, c]: &[Point; 3]) -> Option<bool> {
    let ends = [side(a, b, c, p), side(a, b, c, q)];
    if ends == [0, 0] {
        return None;
    }
    let around = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    let is_within = around.iter().all(|&side| side >= 0) || around.iter().all(|&side| side <= 0);
    Some(ends[0] != ends[1] && ends[0] * ends[1] <= 0 && is_within)
}

/// Whether two triangles intersect: an edge of one intersects the other. `None` if that is not decided.
fn meet(a: &[Point; 3], b: &[Point; 3]) -> Option<bool> {
    let edges = |of: &[Point; 3]| [0, 1, 2].map(|k| [of[k], of[(k + 1) % 3]]);
    let of_a = edges(a).map(|[p, q]| pierces([&p, &q], b));
    let of_b = edges(b).map(|[p, q]| pierces([&p, &q], a));
    let all = || of_a.iter().chain(&of_b);
    if all().any(|&found| found == Some(true)) {
        return Some(true);
    }
    all().all(Option::is_some).then_some(false)
}

/// Compares every triangle of the first with every one of the second that `counts`, by boxes in the order of x, then exactly.
fn brute_force(a: &SurfaceMesh, b: &SurfaceMesh, counts: impl Fn(u32, u32) -> bool) -> Truth {
    let mut truth = Truth::default();
    let mut all = boxed(b);
    all.sort_by(|p, q| p.low.x.total_cmp(&q.low.x));
    let widest = 1.001 * all.iter().map(|second| second.high.x - second.low.x).fold(0.0, f64::max);
    for first in boxed(a) {
        let from = all.partition_point(|second| second.low.x < first.low.x - widest);
        let near = all[from..].iter().take_while(|second| second.low.x <= first.high.x);
        for second in near.filter(|second| second.overlaps(&first.low, &first.high)) {
            if counts(first.number, second.number) {
                let pair = [first.number, second.number];
                match meet(&first.corners, &second.corners) {
                    Some(true) => _ = truth.meeting.insert(pair),
                    Some(false) => {}
                    None => _ = truth.undecided.insert(pair),
                }
            }
        }
    }
    truth
}

/// Returns the number of pairs found; panics if they are not those by brute force.
fn compare(name: &str, out: &CollisionData, truth: &Truth) -> usize {
    let found: Pairs = out.contacts.iter().map(|contact| [contact.a.cell, contact.b.cell]).collect();
    assert_eq!(found.len(), out.len(), "{name}: a pair is reported twice");
    let decided: Pairs = found.difference(&truth.undecided).copied().collect();
    let missing = truth.meeting.difference(&decided).next();
    let more = decided.difference(&truth.meeting).next();
    assert_eq!((missing, more), (None, None), "{name}");
    found.len()
}

fn choice() -> Choice<'static> {
    Choice::named("surface_mesh_surface_mesh")
}

fn compare_two(name: &str, a: &SurfaceMesh, b: &SurfaceMesh) -> usize {
    let mut out = CollisionData::new();
    let mut bound = Registry::standard().bind(a, b, choice()).unwrap();
    bound.run(a, b, &Context::new(), &mut out).unwrap();
    compare(name, &out, &brute_force(a, b, |_, _| true))
}

/// A sheet of `n` by `n` squares that is folded six times; the layers wave and go through each other.
fn folded(n: u32) -> Triangles {
    let row = n + 1;
    let vertex = |number: u32| {
        let [s, u] = [number / row, number % row].map(|k| f64::from(k) / f64::from(n));
        let turn = 6.0 * std::f64::consts::PI * s;
        let wave = 0.03 * (7.0 * u + 11.0 * s).sin() + 0.01 * (31.0 * u * s).cos();
        Point::new(0.5 * turn.sin(), u + 0.01 * s, 0.05 * turn.cos() + 0.02 * s + wave)
    };
    let squares = (0..n * n).map(|number| number / n * row + number % n);
    let triangles = squares.flat_map(|at| [[at, at + row, at + 1], [at + 1, at + row, at + row + 1]]);
    ((0..row * row).map(vertex).collect(), triangles.collect())
}

#[test]
fn a_folded_sheet_meets_itself_as_by_brute_force_and_no_neighbours() {
    let squares = std::env::var("PALPATE_SHEET").map_or(30, |given| given.parse().unwrap());
    let (vertices, triangles) = folded(squares);
    let mut sheet = SurfaceMesh::new(vertices, triangles).unwrap();
    sheet.prepare(ALL_NEEDS);
    let shares = |a: u32, b: u32| {
        let [a, b] = [a, b].map(|triangle| sheet.triangles()[triangle as usize]);
        a.iter().any(|id| b.contains(id))
    };
    let mut out = CollisionData::new();
    let mut bound = Registry::standard().bind_self(&sheet, choice()).unwrap();
    bound.run_self(&sheet, &Context::new(), &mut out).unwrap();
    let neighbours = out.contacts.iter().filter(|contact| shares(contact.a.cell, contact.b.cell)).count();
    assert_eq!(neighbours, 0);
    let truth = brute_force(&sheet, &sheet, |a, b| a < b && !shares(a, b));
    let found = compare("folded sheet", &out, &truth);
    println!("{} triangles, {found} pairs meet", sheet.triangles().len());
    assert!(found > 100 && truth.undecided.is_empty(), "{found} {}", truth.undecided.len());
}

/// Compares two meshes of about unit size in random poses near each other; returns the number of pairs that meet.
fn compare_in_poses(names: [&str; 2], fixed: &SurfaceMesh, moved: &SurfaceMesh) -> usize {
    let in_pose = |number: &u64| {
        let name = format!("{} {} {number}", names[0], names[1]);
        let pose = Random::named(&name, *number).pose(0.5);
        let mut moved = moved.clone();
        let positions: Vec<Point> = moved.points().positions().iter().map(|point| pose * point).collect();
        moved.set_positions(&positions).unwrap();
        moved.prepare(ALL_NEEDS);
        compare_two(&name, fixed, &moved)
    };
    on_all_cores(&Vec::from_iter(0..POSES), in_pose).into_iter().sum()
}

fn compare_all(surfaces: &[(&str, SurfaceMesh)]) -> usize {
    let pairs = surfaces
        .iter()
        .enumerate()
        .flat_map(|(second, moved)| surfaces[..=second].iter().map(move |fixed| (fixed, moved)));
    pairs.map(|((other, fixed), (name, moved))| compare_in_poses([other, name], fixed, moved)).sum()
}

fn prepared((vertices, triangles): Triangles) -> SurfaceMesh {
    let mut surface = SurfaceMesh::new(vertices, triangles).unwrap();
    surface.prepare(ALL_NEEDS);
    surface
}

#[test]
fn generated_meshes_meet_as_by_brute_force() {
    let mut random = Random::new(7);
    let found = compare_all(&[
        ("ball", prepared(meshes::bumpy(&mut random, 2, 0.2))),
        ("ring", prepared(meshes::torus(&mut random, 24, 12))),
        ("sheet", prepared(folded(12))),
    ]);
    assert!(found > 5_000, "{found} pairs meet");
}

/// A closed mesh of the shared folder, moved to the origin and scaled to about two units.
fn shared_mesh(path: &Path) -> SurfaceMesh {
    let Contents { positions, mut triangles, tetrahedra, .. } =
        read(path).unwrap_or_else(|error| panic!("{error}"));
    if !tetrahedra.is_empty() {
        triangles = TetraMesh::new(positions.clone(), tetrahedra).unwrap().boundary_triangles().to_vec();
    }
    let (mut low, mut high) = (Vector::repeat(f64::MAX), Vector::repeat(f64::MIN));
    for point in &positions {
        (low, high) = (low.inf(&point.coords), high.sup(&point.coords));
    }
    let (middle, half) = ((low + high) / 2.0, (high - low).max() / 2.0);
    prepared((positions.iter().map(|point| Point::from((point.coords - middle) / half)).collect(), triangles))
}

#[test]
fn closed_meshes_of_the_shared_folder_meet_as_by_brute_force() {
    let Some(shared) = std::env::var_os("PALPATE_SHARED") else { return };
    let folder = PathBuf::from(shared).join("data/meshes");
    let surfaces = CLOSED.map(|name| (name, shared_mesh(&folder.join(name))));
    for (name, surface) in &surfaces {
        println!("{name}: {} triangles", surface.triangles().len());
    }
    let found = compare_all(&surfaces);
    println!("{found} pairs meet");
    assert!(found > 10_000, "{found} pairs meet");
}

/// A file of numbers of double precision, little-endian.
fn numbers(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// A mesh of W2: the numbers of vertices and triangles, the coordinates, the vertex ids.
fn workload_mesh(path: &Path) -> Triangles {
    let all = numbers(path);
    let (vertices, triangles) = all[2..].split_at(3 * all[0] as usize);
    let point = |xyz: &[f64; 3]| Point::from(*xyz);
    let ids = |ids: &[f64; 3]| ids.map(|id| id as u32);
    (vertices.as_chunks().0.iter().map(point).collect(), triangles.as_chunks().0.iter().map(ids).collect())
}

#[test]
fn the_tool_of_w2_meets_its_organs_as_by_brute_force() {
    let Some(folder) = std::env::var_os("PALPATE_W2").map(PathBuf::from) else { return };
    let (vertices, triangles) = workload_mesh(&folder.join("tool.bin"));
    let poses = numbers(&folder.join("tool_poses.bin"));
    for size in ["5k", "20k", "80k"] {
        let organ = prepared(workload_mesh(&folder.join(format!("organ_{size}.bin"))));
        let mut found = 0;
        // Every fifth of a hundred.
        for (number, pose) in poses.as_chunks::<12>().0.iter().enumerate().step_by(5) {
            let turn = nalgebra::Matrix3::from_row_slice(&pose[..9]);
            let shift = Vector::new(pose[9], pose[10], pose[11]);
            let moved = vertices.iter().map(|point| turn * point + shift).collect();
            found += compare_two(&format!("{size} {number}"), &prepared((moved, triangles.clone())), &organ);
        }
        println!("{size}: {found} pairs meet");
        assert!(found > 1_000, "{found} pairs meet");
    }
}
