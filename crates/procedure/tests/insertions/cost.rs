//! The time of a path through fifty tetrahedra of a mesh of 48,000, and what it allocates: nothing once it is warm.
//!
//! `PALPATE_PROCEDURE_TIMES=1` prints the times of a release build and compares them with their bounds.

use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_procedure::{Shaft, ShaftTracker};
use palpate_tests::Random;
use palpate_tests::meshes::tetra_block;
use std::time::Instant;

/// Microseconds: moved a little, and looked for afresh.
const BOUNDS: [f64; 2] = [20.0, 100.0];

/// A block of cubes of a millimetre, prepared.
pub(crate) fn block(cubes: u32) -> TetraMesh {
    let mut random = Random::named("cost", u64::from(cubes));
    let (vertices, cells) = tetra_block(&mut random, [cubes; 3], 0.2);
    let half = 0.5e-3 * f64::from(cubes);
    let vertices = vertices.iter().map(|vertex| vertex * half).collect();
    let mut mesh = TetraMesh::new(vertices, cells).expect("cells of its vertices");
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    mesh
}

/// A straight needle of `segments` from above, its tip `depth` below the surface of a block of this many cubes.
fn set(shaft: &mut Shaft, points: &mut Vec<Point>, (segments, cubes, depth): (u32, u32, f64), shift: Vector) {
    let top = Point::new(1.3e-3, -0.7e-3, 0.5e-3 * f64::from(cubes)) + shift;
    let along = Vector::new(0.21, -0.13, -1.0).normalize();
    let at = |k: u32| top + along * (depth - 0.04 * f64::from(k) / f64::from(segments));
    points.clear();
    points.extend((0..=segments).map(at));
    shaft.set(&[points]).expect("finite points");
}

#[test]
fn a_settled_step_allocates_nothing() {
    let (mesh, mut tracker) = (block(8), ShaftTracker::new(1e-3));
    let (mut shaft, mut points) = (Shaft::default(), Vec::new());
    let mut step = |number: u32| {
        let shift = Vector::new(0.3e-3 * f64::from(number % 7).sin(), 0.1e-3 * f64::from(number % 5), 0.0);
        set(&mut shaft, &mut points, (10, 8, 6.5e-3), shift);
        tracker.update(&shaft, &mesh).expect("prepared");
        tracker.path().len()
    };
    let cells = (0..35).map(&mut step).max();
    let allocated = allocation_counter::measure(|| (35..105).for_each(|number| _ = step(number)));
    assert_eq!((allocated.count_total, cells > Some(20)), (0, true), "{cells:?}");
}

#[test]
fn a_path_takes_microseconds() {
    if std::env::var_os("PALPATE_PROCEDURE_TIMES").is_none() {
        return;
    }
    let mesh = block(20);
    assert_eq!(mesh.cells().len(), 48_000);
    let (mut shaft, mut points) = (Shaft::default(), Vec::new());
    for segments in [1, 10, 40] {
        let mut tracker = ShaftTracker::new(1e-3);
        let mut times = [Vec::new(), Vec::new()];
        let mut cells = 0;
        for round in 0..4000_u32 {
            let t = f64::from(round) * 1e-3;
            let shift = Vector::new(0.4e-3 * (3.0 * t).sin(), 0.3e-3 * (2.0 * t).cos(), 0.0);
            set(&mut shaft, &mut points, (segments, 20, 13.2e-3 + 0.3e-3 * t.sin()), shift);
            let afresh = round % 2;
            if afresh == 1 {
                tracker.reset();
            }
            let start = Instant::now();
            tracker.update(&shaft, &mesh).expect("prepared");
            times[afresh as usize].push(start.elapsed().as_secs_f64() * 1e6);
            cells += tracker.path().len();
        }
        let medians = times.map(|mut all| {
            all.sort_unstable_by(f64::total_cmp);
            all[all.len() / 2]
        });
        println!("{segments} segments, {} cells: {medians:.1?} us", cells / 4000);
        assert!(cells / 4000 >= 50 && medians[0] <= BOUNDS[0] && medians[1] <= BOUNDS[1], "{medians:?}");
    }
}
