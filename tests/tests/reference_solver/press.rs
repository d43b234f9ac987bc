//! A tool against an organ that this solver moves: at the end of no step does the organ's surface reach into the tool by
//! more than a fiftieth of its radius.

use crate::steps;
use palpate_math::{Point, Vector};
use palpate_tests::xpbd::Press;
use palpate_tests::{Random, meshes};
use std::path::PathBuf;

/// In radii of the tool.
const DEEPEST: f64 = 0.02;

/// Runs a path from frame to frame and judges every step.
fn judge(mut press: Press, frames: usize) {
    let (mut worst, mut touching, mut steps) = (f64::NEG_INFINITY, 0, 0);
    let (mut volume, mut farthest) = (1.0_f64, 0.0_f64);
    let rest = press.organ().to_vec();
    for frame in 1..=frames.min(press.path.len() - 1) {
        let step = |press: &Press| {
            let depth = press.depth();
            worst = worst.max(depth);
            steps += 1;
            touching += usize::from(depth > -DEEPEST);
            volume = press.world.volumes().fold(volume, f64::min);
            let moved = press.organ().iter().zip(&rest).map(|(now, rest)| (now - rest).norm());
            farthest = moved.fold(farthest, f64::max);
        };
        press.to_frame(frame, step).unwrap();
    }
    let millimetres = 1e3 * farthest;
    println!(
        "{touching} of {steps} steps in touch, at most {worst:.4} radii deep; the organ gives way by {millimetres:.1} mm; least volume {volume:.3}"
    );
    assert!(2 * touching > steps, "{touching} of {steps}");
    assert!(farthest > Press::RADIUS, "the tool presses by less than its radius: {farthest} m");
    assert!(worst <= DEEPEST, "{worst} radii");
}

/// A block of 12 by 8 by 4 cm, into whose top the capsule is pressed by its diameter and drawn along.
#[test]
fn a_tool_does_not_penetrate_a_block() {
    let (mut vertices, cells) = meshes::tetra_block(&mut Random::new(4), [9, 6, 3], 0.0);
    let high = vertices.iter().fold(Vector::zeros(), |high, vertex| high.sup(&vertex.coords));
    for vertex in &mut vertices {
        let half = Vector::new(0.06, 0.04, 0.02);
        *vertex = Point::from(vertex.coords.component_div(&high).component_mul(&half));
    }
    let place = |frame: u32| {
        let time = f64::from(frame) / 40.0;
        let depth = 2.0 * Press::RADIUS * (4.0 * time).min(1.0);
        let middle = Point::new(0.03 * (time - 0.5), 0.0, 0.02 + 1.01 * Press::RADIUS - depth);
        let half = Vector::new(0.2, 1.0, 0.3 * (time - 0.5)).normalize() * 0.05;
        [middle - half, middle + half]
    };
    let path = (0..=40).map(place).collect();
    judge(Press::new((vertices, cells), path, 0.01).unwrap(), 40);
}

/// The recorded tool of another simulator against the recorded organ, as this solver moves it.
#[test]
fn a_recorded_tool_does_not_penetrate_the_organ() {
    let Some(shared) = std::env::var_os("PALPATE_SHARED") else { return };
    let folder = PathBuf::from(shared).join("data/recordings/r1a_liver2_capsule");
    judge(Press::read(&folder).unwrap(), steps("PALPATE_PRESS_FRAMES", 60));
}
