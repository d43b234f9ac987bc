//! Random cuts of blocks of tetrahedra and of their surfaces: every result is a valid division of what was there.
//!
//! `PALPATE_BLADE_CUTS` sets the number of cuts, 120 without it; one in a hundred is of a mesh of 1,000 to 48,000 cells, without it
//! the first two, of the smallest. `PALPATE_BLADE_CUT` runs the cut of this number alone.

mod check;
mod material;
mod shapes;
mod timing;
mod verbs;

use check::{Parts, check, parts};
use material::Material;
use palpate_geometry::{Geometry, Needs, SurfaceMesh, TetraMesh};
use palpate_math::Point;
use palpate_procedure::{Blade, CutLimits, Divisible, Sweep};
use palpate_tests::Random;
use shapes::{Block, Kind, Stroke};
use std::collections::BTreeMap;
use std::ops::Range;

/// The numbers of the cuts.
fn cuts() -> Range<u64> {
    let asked = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    match asked("PALPATE_BLADE_CUT") {
        Some(one) => one..one + 1,
        None => 0..asked("PALPATE_BLADE_CUTS").unwrap_or(120),
    }
}

/// What the cuts hit.
#[derive(Default)]
struct Tally(BTreeMap<String, usize>);

impl Tally {
    fn add(&mut self, what: impl Into<String>, count: usize) {
        *self.0.entry(what.into()).or_default() += count;
    }

    /// Each was hit more often than its part of the cuts, unless one cut is run alone.
    fn assert_enough(&self, wanted: &[(&str, f64)]) {
        let cuts = cuts();
        for (what, part) in wanted.iter().filter(|_| cuts.start == 0) {
            let found = self.0.get(*what).copied().unwrap_or(0);
            assert!(found as f64 > part * cuts.end as f64, "{what}: {:?}", self.0);
        }
    }
}

/// Cubes of a block of 1,000 to 48,000 tetrahedra.
fn large(number: u64) -> [u32; 3] {
    match number / 100 % 10 {
        0..4 => [5, 6, 6],
        4..7 => [9, 10, 10],
        7..9 => [14, 15, 15],
        _ => [20; 3],
    }
}

/// The cuboid of 1,200 to 44,000 triangles.
fn large_surface(number: u64) -> [u32; 3] {
    match number / 100 % 10 {
        0..4 => [10; 3],
        4..7 => [20; 3],
        7..9 => [50, 50, 6],
        _ => [100, 100, 5],
    }
}

/// Cuts along a stroke and checks every division. Returns the cells that were divided.
fn cut_along<M: Divisible<N> + Geometry, const N: usize>(
    (mesh, material): (&mut M, &mut Material),
    blade: &mut Blade,
    sweeps: &[Sweep],
    least: f64,
    what: &str,
) -> Vec<u32> {
    let mut divided = Vec::new();
    for (frame, sweep) in sweeps.iter().enumerate() {
        mesh.prepare(Needs::TREE);
        let before = mesh.cells().to_vec();
        let division = blade.cut(mesh, sweep).expect("valid");
        material.carry(&division);
        check((&before, mesh), material, &division, least, &format!("{what}, frame {frame}"));
        divided.extend(division.removed);
    }
    divided
}

/// Another stroke across a cut, or two at once: by two blades, in turns. The cells from number `first` on are parts that the cut has
/// made.
fn cut_across<M: Divisible<N> + Geometry, const N: usize>(
    (mesh, material, first): (&mut M, &mut Material, usize),
    (random, block): (&mut Random, &Block),
    limits: CutLimits,
    (what, tally): (&str, &mut Tally),
) {
    let count = if random.one_in(4) { 2 } else { 1 };
    let strokes: Vec<Stroke> = (0..count).map(|_| Stroke::random(random, block)).collect();
    let parts = first as u32..mesh.cells().len() as u32;
    let mut blades = vec![Blade::new(limits); count];
    let mut divided = vec![Vec::new(); count];
    let kinds: Vec<Kind> = strokes.iter().map(|stroke| stroke.kind).collect();
    for frame in 0..shapes::FRAMES {
        for (at, (blade, stroke)) in blades.iter_mut().zip(&strokes).enumerate() {
            let sweeps = stroke.sweeps.get(frame..=frame).unwrap_or(&[]);
            let what = format!("{what}, crossed by {kinds:?}, frame {frame}");
            divided[at].extend(cut_along((mesh, material), blade, sweeps, limits.least, &what));
        }
    }
    let crosses = divided.iter().flatten().any(|cell| parts.contains(cell));
    tally.add("across an older cut", usize::from(crosses));
    tally.add("two at once", usize::from(divided.iter().filter(|cells| !cells.is_empty()).count() == 2));
}

fn whole(parts: &Parts) -> bool {
    parts.iter().all(|part| part.euler == 1)
}

/// What a stroke has left of a block.
fn check_parts((mesh, blade): (&TetraMesh, &Blade), limits: CutLimits, stroke: &Stroke, what: &str) {
    let now = parts(mesh);
    match stroke.kind {
        // Two sides, each a ball.
        Kind::Straight | Kind::Curved | Kind::AlongFaces | Kind::ThroughVertices if limits.least == 0.0 => {
            // A cut that is moved far, to vertices, may loosen bits; one that only touches a vertex ends there.
            let is_moved = limits.snap > 0.1 && stroke.kind == Kind::Curved;
            assert!((is_moved || now.len() == 2) && whole(&now), "{what}: {now:?}");
            // A vertex to which the cut was moved may be left in the front.
            let is_generic = matches!(stroke.kind, Kind::Straight | Kind::Curved) && limits.snap == 0.0;
            assert!(!is_generic || blade.front().is_empty(), "{what}: {:?}", blade.front());
            if let Some(plane) = &stroke.plane {
                shapes::sides_differ(mesh, &now, plane, what);
            }
        }
        Kind::Partial => {
            // It may cut off a corner of the block; a slit that does not reach the surface is a hollow.
            let most = now.iter().map(|part| part.cells.len()).max().unwrap_or(0);
            let all: usize = now.iter().map(|part| part.cells.len()).sum();
            let is_hollow = now.iter().any(|part| part.euler > 1);
            assert!(4 * most > 3 * all && (is_hollow || whole(&now)), "{what}: {now:?}");
        }
        _ => {}
    }
}

// Proves: REQ-CROSSINGS
#[test]
fn a_cut_is_a_valid_division() {
    let mut tally = Tally::default();
    for number in cuts() {
        let mut random = Random::named("cut", number);
        let block = match number % 100 {
            0 => Block::new(&mut random, large(number)),
            _ => Block::small(&mut random),
        };
        let (mut mesh, mut material) = (block.mesh(), Material::new(&block.vertices));
        let limits = block.limits(&mut random);
        let mut blade = Blade::new(limits);
        let stroke = Stroke::random(&mut random, &block);
        let (what, first) = (format!("cut {number}, {:?}", stroke.kind), mesh.cells().len());
        let cells = cut_along((&mut mesh, &mut material), &mut blade, &stroke.sweeps, limits.least, &what);
        check_parts((&mesh, &blade), limits, &stroke, &what);
        tally.add(format!("{:?}", stroke.kind), usize::from(!cells.is_empty()));
        tally.add("large", usize::from(first >= 1000));
        tally.add("cells divided", cells.len());
        cut_across((&mut mesh, &mut material, first), (&mut random, &block), limits, (&what, &mut tally));
        check::equals_new(&mut mesh, &mut random, block.size(), &what);
        tally.add("vertices added", mesh.points().len() - block.vertices.len());
    }
    println!("{:?}", tally.0);
    tally.assert_enough(&[
        ("Straight", 0.1),
        ("Curved", 0.05),
        ("ThroughVertices", 0.05),
        ("AlongFaces", 0.01),
        ("Partial", 0.05),
        ("Any", 0.05),
        ("Grazing", 0.01),
        ("large", 0.005),
        ("across an older cut", 0.3),
        ("two at once", 0.1),
        ("cells divided", 20.0),
        ("vertices added", 20.0),
    ]);
}

#[test]
fn a_surface_is_cut_alike() {
    let mut tally = Tally::default();
    for number in cuts() {
        let mut random = Random::named("cut of a surface", number);
        let block = match number % 100 {
            0 => Block::new(&mut random, large_surface(number)),
            _ => Block::small(&mut random),
        };
        let mut material = Material::new(&block.vertices);
        let triangles = block.mesh().boundary_triangles().to_vec();
        let first = triangles.len();
        let mut mesh = SurfaceMesh::new(block.positions(), triangles).expect("valid");
        let limits = CutLimits { least: 0.0, ..block.limits(&mut random) };
        let stroke = Stroke::random(&mut random, &block);
        let what = format!("cut {number} of a surface, {:?}", stroke.kind);
        let mut blade = Blade::new(limits);
        let cells = cut_along((&mut mesh, &mut material), &mut blade, &stroke.sweeps, 0.0, &what);
        if matches!(stroke.kind, Kind::Straight | Kind::Curved) {
            assert!(parts(&mesh).len() >= 2, "{what}");
        }
        cut_across((&mut mesh, &mut material, first), (&mut random, &block), limits, (&what, &mut tally));
        tally.add(format!("{:?}", stroke.kind), usize::from(!cells.is_empty()));
        tally.add("large", usize::from(first >= 1000));
        tally.add("triangles divided", cells.len());
    }
    println!("{:?}", tally.0);
    tally.assert_enough(&[
        ("Straight", 0.1),
        ("Curved", 0.05),
        ("ThroughVertices", 0.05),
        ("AlongFaces", 0.01),
        ("Partial", 0.05),
        ("Any", 0.05),
        ("Grazing", 0.01),
        ("large", 0.005),
        ("across an older cut", 0.2),
        ("two at once", 0.1),
        ("triangles divided", 4.0),
    ]);
}

/// Small enough to check by hand: a unit tetrahedron, cut at a quarter of its height in two frames.
#[test]
fn the_next_sweep_takes_up_the_front() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let mut mesh = TetraMesh::new(corners.to_vec(), vec![[0, 1, 2, 3]]).expect("valid");
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let row = |x: f64| [Point::new(x, -1.0, 0.25), Point::new(x, 2.0, 0.25)];
    let mut blade = Blade::default();
    // Past the two edges at x = 0, but not the one at x = 0.75.
    let first = blade.cut(&mut mesh, &Sweep::new(&row(-1.0), &row(0.5)).expect("valid")).expect("valid");
    assert_eq!((first.cuts.len(), first.vertices.len(), first.cells.len()), (2, 2, 3));
    assert_eq!((blade.front(), parts(&mesh).len()), (vec![4, 5], 1));
    let second = blade.cut(&mut mesh, &Sweep::new(&row(0.5), &row(1.0)).expect("valid")).expect("valid");
    // The third edge, a vertex on it, and copies of all three.
    assert_eq!((second.cuts.len(), second.vertices.len()), (1, 4));
    assert_eq!((blade.front().len(), parts(&mesh).len()), (0, 2));
    let volumes: f64 = mesh
        .cells()
        .iter()
        .filter(|ids| ids[0] != palpate_contact::NONE)
        .map(|ids| {
            let [a, b, c, d] = ids.map(|id| mesh.points().positions()[id as usize]);
            palpate_math::orient::orient3d(&a, &b, &c, &d) / 6.0
        })
        .sum();
    assert!((volumes - 1.0 / 6.0).abs() < 1e-15, "{volumes}");
}

/// A bent blade passes twice through one edge of a tetrahedron and through no other, at once or one leg after the other: the ends
/// of the edge are on one side, and nothing is left in the front.
#[test]
fn an_edge_that_is_passed_twice_is_not_cut() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let bend = [[0.9, 0.6], [0.45, 0.45], [0.6, 0.9]];
    let sweep = |legs: &[[f64; 2]]| {
        let row = |z: f64| legs.iter().map(|[x, y]| Point::new(*x, *y, z)).collect::<Vec<_>>();
        Sweep::new(&row(-1.0), &row(0.05)).expect("valid")
    };
    let run = |sweeps: &[Sweep]| {
        let mut mesh = TetraMesh::new(corners.to_vec(), vec![[0, 1, 2, 3]]).expect("valid");
        let mut blade = Blade::default();
        let front_after = |sweep: &Sweep| {
            mesh.prepare(Needs::TREE);
            let division = blade.cut(&mut mesh, sweep).expect("valid");
            (division.vertices.len(), blade.front())
        };
        sweeps.iter().map(front_after).collect::<Vec<_>>()
    };
    assert_eq!(run(&[sweep(&bend)]), [(0, vec![])]);
    assert_eq!(run(&[sweep(&bend[..2]), sweep(&bend[1..])]), [(1, vec![4]), (0, vec![])]);
}
