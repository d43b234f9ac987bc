//! Random cuts of blocks of tetrahedra and of their surfaces: every result is a valid division of what was there.
//!
//! `PALPATE_BLADE_CUTS` sets the number of cuts, 120 without it; one in a hundred is of a mesh of 1,000 to 48,000 cells, without it
//! the first, of the smallest.

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
use shapes::{Kind, Stroke};

fn cuts() -> u64 {
    let asked =
        std::env::var("PALPATE_BLADE_CUTS").ok().map(|count| count.parse().expect("a number of cuts"));
    asked.unwrap_or(120)
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

/// Cuts along a stroke and checks every division.
fn cut_along<M: Divisible<N> + Geometry, const N: usize>(
    (mesh, material): (&mut M, &mut Material),
    blade: &mut Blade,
    sweeps: &[Sweep],
    least: f64,
    what: &str,
) -> usize {
    let mut divided = 0;
    for (frame, sweep) in sweeps.iter().enumerate() {
        mesh.prepare(Needs::TREE);
        let before = mesh.cells().to_vec();
        let division = blade.cut(mesh, sweep).expect("valid");
        material.carry(&division);
        check((&before, mesh), material, &division, least, &format!("{what}, frame {frame}"));
        divided += division.removed.len();
    }
    divided
}

fn whole(parts: &Parts) -> bool {
    parts.iter().all(|part| part.euler == 1)
}

// Proves: REQ-CROSSINGS
#[test]
fn a_cut_is_a_valid_division() {
    let (mut through, mut partial, mut divided, mut doubled) = (0, 0, 0, 0);
    for number in 0..cuts() {
        let mut random = Random::named("cut", number);
        let block = match number % 100 {
            0 => shapes::Block::new(&mut random, large(number)),
            _ => shapes::Block::small(&mut random),
        };
        let (mut mesh, mut material) = (block.mesh(), Material::new(&block.vertices));
        let limits = block.limits(&mut random);
        let mut blade = Blade::new(limits);
        let stroke = Stroke::random(&mut random, &block);
        let what = format!("cut {number}, {:?}", stroke.kind);
        let cells = cut_along((&mut mesh, &mut material), &mut blade, &stroke.sweeps, limits.least, &what);
        divided += cells;
        let now = parts(&mesh);
        match stroke.kind {
            // Two sides, each a ball.
            Kind::Straight | Kind::Curved | Kind::AlongFaces | Kind::ThroughVertices
                if limits.least == 0.0 =>
            {
                // A cut that is moved far, to vertices, may loosen bits; one that only touches a vertex ends there.
                let is_moved = limits.snap > 0.1 && stroke.kind == Kind::Curved;
                assert!((is_moved || now.len() == 2) && whole(&now), "{what}: {now:?}");
                // A vertex to which the cut was moved may be left in the front.
                let is_generic = matches!(stroke.kind, Kind::Straight | Kind::Curved) && limits.snap == 0.0;
                assert!(!is_generic || blade.front().is_empty(), "{what}: {:?}", blade.front());
                if let Some(plane) = &stroke.plane {
                    shapes::sides_differ(&mesh, &now, plane, &what);
                }
                through += 1;
            }
            Kind::Partial => {
                // It may cut off a corner of the block; a slit that does not reach the surface is a hollow.
                let most = now.iter().map(|part| part.cells.len()).max().unwrap_or(0);
                let all: usize = now.iter().map(|part| part.cells.len()).sum();
                let is_hollow = now.iter().any(|part| part.euler > 1);
                assert!(4 * most > 3 * all && (is_hollow || whole(&now)), "{what}: {now:?}");
                partial += usize::from(cells > 0);
            }
            _ => {}
        }
        // Another blade crosses the cut, or two at once.
        let mut other = Blade::new(limits);
        let crossing = Stroke::random(&mut random, &block);
        let what = format!("{what}, crossed by {:?}", crossing.kind);
        cut_along((&mut mesh, &mut material), &mut other, &crossing.sweeps, limits.least, &what);
        check::equals_new(&mut mesh, &mut random, block.size(), &what);
        doubled += mesh.points().len() - block.vertices.len();
    }
    let count = cuts() as usize;
    assert!(
        through > count / 3 && partial > count / 20 && divided > 20 * count && doubled > 20 * count,
        "{through} {partial} {divided} {doubled}"
    );
}

#[test]
fn a_surface_is_cut_alike() {
    let mut divided = 0;
    for number in 0..cuts() {
        let mut random = Random::named("cut of a surface", number);
        let block = shapes::Block::small(&mut random);
        let mut material = Material::new(&block.vertices);
        let triangles = block.mesh().boundary_triangles().to_vec();
        let mut mesh = SurfaceMesh::new(block.positions(), triangles).expect("valid");
        let limits = CutLimits { least: 0.0, ..block.limits(&mut random) };
        let stroke = Stroke::random(&mut random, &block);
        let what = format!("cut {number} of a surface, {:?}", stroke.kind);
        let mut blade = Blade::new(limits);
        divided += cut_along((&mut mesh, &mut material), &mut blade, &stroke.sweeps, 0.0, &what);
        let crossing = Stroke::random(&mut random, &block);
        let mut other = Blade::new(limits);
        cut_along((&mut mesh, &mut material), &mut other, &crossing.sweeps, 0.0, &what);
        if matches!(stroke.kind, Kind::Straight | Kind::Curved) {
            assert!(parts(&mesh).len() >= 2, "{what}");
        }
    }
    assert!(divided > 8 * cuts() as usize, "{divided}");
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
