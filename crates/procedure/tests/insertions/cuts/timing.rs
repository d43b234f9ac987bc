//! The time of a frame's cut in 48,000 tetrahedra: `PALPATE_PROCEDURE_TIMES=1`, in a release build.

use crate::cost::block;
use palpate_geometry::{Geometry, Needs};
use palpate_math::Point;
use palpate_procedure::{Blade, Sweep};
use std::time::Instant;

/// Milliseconds.
const BOUND: f64 = 1.0;

/// A scalpel, 5 mm deep, that moves half a millimetre in a frame, 30 mm a second at 60 frames.
#[test]
fn a_frame_takes_a_millisecond() {
    if std::env::var_os("PALPATE_PROCEDURE_TIMES").is_none() {
        return;
    }
    let mut mesh = block(20);
    let row = |frame: u32| {
        let x = -11e-3 + 0.5e-3 * f64::from(frame);
        [0.0, 1.0, 2.0, 3.0].map(|k| Point::new(x + 0.3e-3 * k, 0.4e-3 + 0.2e-3 * k, 12e-3 - 7e-3 / 3.0 * k))
    };
    let (mut blade, mut times, mut cells) = (Blade::default(), Vec::new(), 0);
    for frame in 0..44 {
        let sweep = Sweep::new(&row(frame), &row(frame + 1)).expect("finite points");
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let start = Instant::now();
        let division = blade.cut(&mut mesh, &sweep).expect("prepared");
        let time = start.elapsed().as_secs_f64() * 1e3;
        if !division.is_empty() {
            times.push(time);
            cells += division.cells.len();
        }
    }
    let first = times[0];
    times.sort_unstable_by(f64::total_cmp);
    let median = times[times.len() / 2];
    println!(
        "{} frames, {cells} new cells: median {median:.2} ms, worst {:.2} ms, first {first:.2} ms",
        times.len(),
        times[times.len() - 1]
    );
    assert!(cells > 1000 && median <= BOUND, "{median} ms");
}
