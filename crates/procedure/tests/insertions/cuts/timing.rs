//! The time of a frame's cut in 48,000 tetrahedra: `PALPATE_PROCEDURE_TIMES=1`, in a release build.

use crate::cost::block;
use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::Point;
use palpate_procedure::{Blade, Sweep};
use std::time::Instant;

/// Milliseconds, of every frame but the first of a mesh, whose times are printed.
const BOUND: f64 = 1.0;

/// Cuts along a stroke; returns the milliseconds of each frame that cuts anything, and how many cells it made.
fn times(mut mesh: TetraMesh) -> Vec<(f64, usize)> {
    let row = |frame: u32| {
        let x = -11e-3 + 0.5e-3 * f64::from(frame);
        [0.0, 1.0, 2.0, 3.0].map(|k| Point::new(x + 0.3e-3 * k, 0.4e-3 + 0.2e-3 * k, 12e-3 - 7e-3 / 3.0 * k))
    };
    let (mut blade, mut times) = (Blade::default(), Vec::new());
    for frame in 0..44 {
        let sweep = Sweep::new(&row(frame), &row(frame + 1)).expect("finite points");
        mesh.prepare(Needs::TREE | Needs::BOUNDARY | Needs::CUTS);
        let start = Instant::now();
        let division = blade.cut(&mut mesh, &sweep).expect("prepared");
        let time = start.elapsed().as_secs_f64() * 1e3;
        if !division.is_empty() {
            times.push((time, division.cells.len()));
        }
    }
    times
}

fn median_and_most(times: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut times: Vec<f64> = times.collect();
    times.sort_unstable_by(f64::total_cmp);
    [times[times.len() / 2], times[times.len() - 1]]
}

/// A scalpel, 5 mm deep, that moves half a millimetre in a frame, 30 mm a second at 60 frames, in nine copies of a mesh.
#[test]
fn a_frame_takes_a_millisecond() {
    if std::env::var_os("PALPATE_PROCEDURE_TIMES").is_none() {
        return;
    }
    let mesh = block(20);
    let strokes: Vec<Vec<(f64, usize)>> = (0..9).map(|_| times(mesh.clone())).collect();
    let cells: usize = strokes[0].iter().map(|(_, cells)| cells).sum();
    let first = median_and_most(strokes.iter().map(|stroke| stroke[0].0));
    let later = median_and_most(strokes.iter().flat_map(|stroke| &stroke[1..]).map(|(time, _)| *time));
    println!(
        "{} frames, {cells} new cells, {} in the first; median and most, ms: first {first:.2?}, later {later:.2?}",
        strokes[0].len(),
        strokes[0][0].1
    );
    assert!(cells > 1000 && later[0] <= BOUND, "{first:?} {later:?}");
}
