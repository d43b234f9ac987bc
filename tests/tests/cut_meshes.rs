//! Every detector finds the same in a mesh that was cut as in one made anew from the cells that are left, but for the numbers
//! of cells and edges.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use palpate::procedure::{Blade, Sweep};
use palpate_contact::{CollisionData, Contact, Feature, NONE};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Geometry, LineMesh, SurfaceMesh, TetraMesh};
use palpate_math::{Aabb, Point, Vector};
use palpate_tests::cases::cases;
use palpate_tests::{ALL_NEEDS, Case, Regime, Shape};
use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cells that blades have divided.
static DIVIDED: AtomicUsize = AtomicUsize::new(0);

/// Parts of a cut that another has divided.
static DIVIDED_AGAIN: AtomicUsize = AtomicUsize::new(0);

/// How the cells of a mesh are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Copies of cells are added, and removed again.
    Added,
    /// Some of the cells are removed.
    Removed,
    /// A blade sweeps through it, or ends within it.
    Swept,
    /// A second blade crosses the cut of the first, and then some of the cells that are left are removed.
    Crossed,
}

/// A mesh that was cut, the same made anew, and the number that each cell of the first has in the second.
struct Pair {
    cut: Box<dyn Geometry>,
    new: Box<dyn Geometry>,
    map: Vec<u32>,
}

/// The cells to remove: some of them, another choice for each case.
fn chosen(count: usize, case: usize) -> Vec<u32> {
    (0..count as u32).filter(|&cell| (7 * cell + case as u32).is_multiple_of(9)).collect()
}

/// The cells that are left, and for each cell its number among them.
fn left<const N: usize>(cells: &[[u32; N]]) -> (Vec<[u32; N]>, Vec<u32>) {
    let (mut now, mut map) = (Vec::new(), Vec::new());
    for ids in cells {
        let is_left = ids[0] != NONE;
        map.push(if is_left { now.len() as u32 } else { NONE });
        now.extend(is_left.then_some(*ids));
    }
    (now, map)
}

/// A sweep through the middle of the vertices, turned another way for each case.
fn sweep(vertices: &[Point], case: usize) -> Sweep {
    let bounds = Aabb::from_points(vertices.iter().copied());
    let (middle, size) = (bounds.center(), 2.0 * bounds.diagonal_length());
    let turn = case as f64;
    let along = Vector::new(turn.sin(), turn.cos(), 0.3);
    let across = along.cross(&Vector::new(0.2, (3.0 * turn).sin(), 1.0));
    let end = if case.is_multiple_of(2) { 1.0 } else { 0.02 };
    let row = |forward: f64| [-1.0, 0.1, 1.0].map(|s| middle + (along * s + across * forward) * size);
    Sweep::new(&row(-1.0), &row(end)).unwrap()
}

macro_rules! cut_as {
    ($geometry:expr, $type:ty, $all:ident, ($vertices:expr, $cells:expr), $number:expr, $cut:expr) => {{
        let any: &mut dyn Any = $geometry.as_mut();
        let mesh = any.downcast_mut::<$type>().unwrap();
        let chosen = chosen($cells.len(), $number);
        match $cut {
            Cut::Removed => mesh.remove_cells(&chosen).unwrap(),
            Cut::Added => {
                let copies: Vec<_> = chosen.iter().map(|&cell| $cells[cell as usize]).collect();
                let added: Vec<u32> = mesh.add_cells(&[], &copies).unwrap().collect();
                mesh.remove_cells(&added).unwrap();
            }
            Cut::Swept => {
                let division = Blade::default().cut(mesh, &sweep($vertices, $number)).unwrap();
                DIVIDED.fetch_add(division.removed.len(), Ordering::Relaxed);
            }
            Cut::Crossed => {
                let first = Blade::default().cut(mesh, &sweep($vertices, $number)).unwrap();
                let second = Blade::default().cut(mesh, &sweep($vertices, $number + 1)).unwrap();
                let again = second.removed.iter().filter(|cell| first.cells.contains(cell)).count();
                DIVIDED_AGAIN.fetch_add(again, Ordering::Relaxed);
                let left = (0..mesh.$all().len() as u32).filter(|&cell| !mesh.is_removed(cell));
                let removed: Vec<u32> = left.skip($number % 9).step_by(9).collect();
                mesh.remove_cells(&removed).unwrap();
            }
        }
        *$vertices = mesh.points().positions().to_vec();
        let (left, map) = left(mesh.$all());
        *$cells = left;
        map
    }};
}

/// The pair of a shape; without a cut for one that is no mesh.
fn pair(shape: &Shape, number: usize, cut: Cut) -> Pair {
    // Prepared before it is cut: its trees are cut, not made anew.
    let mut geometry = shape.prepared();
    let mut left_over = shape.clone();
    let map = match &mut left_over {
        Shape::LineMesh { vertices, cells: segments, .. } => {
            cut_as!(geometry, LineMesh, cells, (vertices, segments), number, cut)
        }
        Shape::SurfaceMesh { vertices, cells: faces, .. } => {
            cut_as!(geometry, SurfaceMesh, triangles, (vertices, faces), number, cut)
        }
        Shape::TetraMesh { vertices, cells: tetrahedra } => {
            cut_as!(geometry, TetraMesh, cells, (vertices, tetrahedra), number, cut)
        }
        _ => Vec::new(),
    };
    geometry.prepare(ALL_NEEDS);
    Pair { cut: geometry, new: left_over.prepared(), map }
}

/// The contacts as text, in any order, without ids.
fn lines(out: &CollisionData, of_cell: impl Fn(&Feature, usize) -> u32) -> Vec<String> {
    let side = |contact: &Contact, side: usize| {
        let feature = [&contact.a, &contact.b][side];
        Feature { cell: of_cell(feature, side), ..*feature }
    };
    let line = |contact: &Contact| {
        let (a, b) = (side(contact, 0), side(contact, 1));
        format!("{:?}", Contact { a, b, id: 0, ..*contact })
    };
    let mut lines: Vec<String> = out.contacts.iter().map(line).collect();
    lines.sort_unstable();
    lines
}

/// Detects both; returns the number of contacts, or a description of the difference.
fn compare(registry: &Registry, case: &Case, cut: Cut) -> Result<usize, String> {
    let [a, b] = [&case.a, &case.b].map(|shape| pair(shape, case.number, cut));
    let run = |a: &dyn Geometry, b: &dyn Geometry| {
        let choice =
            Choice { detector: Some(case.detector), settings: case.settings.as_ref(), ..Choice::default() };
        let mut bound = registry.bind(a, b, choice).map_err(|error| error.to_string())?;
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(case.margin);
        bound.run(a, b, &context, &mut out).map_err(|error| error.to_string())?;
        Ok::<_, String>(out)
    };
    let (found, wanted) = (run(&*a.cut, &*b.cut)?, run(&*a.new, &*b.new)?);
    let maps = [&a.map, &b.map];
    let mapped = |feature: &Feature, side: usize| match maps[side].get(feature.cell as usize) {
        Some(&cell) => cell,
        None => feature.cell,
    };
    let (found_lines, wanted_lines) = (lines(&found, mapped), lines(&wanted, |feature, _| feature.cell));
    if found_lines == wanted_lines {
        return Ok(found.len());
    }
    let missing = wanted_lines.iter().find(|line| found_lines.binary_search(line).is_err());
    let more = found_lines.iter().find(|line| wanted_lines.binary_search(line).is_err());
    Err(format!("{} and {} contacts; missing {missing:?}; more {more:?}", found.len(), wanted.len()))
}

// Proves: REQ-CUT-IDS
#[test]
fn a_cut_mesh_has_the_contacts_of_one_made_anew() {
    const MESHES: [&str; 3] = ["line_mesh", "surface_mesh", "tetra_mesh"];
    let registry = Registry::standard();
    let (mut failures, mut contacts, mut runs) = (Vec::new(), 0, 0);
    for entry in registry.static_detectors() {
        for regime in [Regime::Deep, Regime::Near] {
            for case in cases(&registry, entry, regime, 6).unwrap() {
                let is_mesh = |shape: &Shape| MESHES.contains(&shape.kind().name());
                if !is_mesh(&case.a) && !is_mesh(&case.b) {
                    continue;
                }
                for cut in [Cut::Added, Cut::Removed, Cut::Swept, Cut::Crossed] {
                    runs += 1;
                    match compare(&registry, &case, cut) {
                        Ok(count) => contacts += count,
                        Err(how) => {
                            failures
                                .push(format!("{} {regime:?} {} {cut:?}: {how}", entry.name, case.number));
                        }
                    }
                }
            }
        }
    }
    let [divided, again] = [&DIVIDED, &DIVIDED_AGAIN].map(|count| count.load(Ordering::Relaxed));
    assert!(
        runs > 600 && contacts > 10_000 && divided > 1000 && again > 300,
        "{runs} runs, {contacts} contacts, {divided} divided, {again} again"
    );
    assert!(failures.is_empty(), "{} of {runs}:\n{}", failures.len(), failures.join("\n"));
}
