//! The film of a recorded tool that is pressed into an organ by the reference solver.
//!
//! ```text
//! cargo run --release -p palpate-tests --example press_film -- RECORDING FOLDER
//! ```
//!
//! `RECORDING` is a folder with `organ_tets.vtkhdf` and `tool.vtkhdf`. Writes `press.html`, a page that plays the film, and
//! `press.svg`, six of its frames.
#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

mod page;
mod strip;

use palpate_math::Point;
use palpate_tests::xpbd::{Press, Result};
use std::path::Path;

/// One frame in how many is kept.
const EVERY: usize = 3;

/// What is kept of a frame.
struct Shot {
    /// Seconds.
    time: f64,
    /// The vertices of the organ's surface.
    surface: Vec<Point>,
    /// The centres of the capsule's ends.
    ends: [Point; 2],
    /// [`Press::depth`] at the end of the frame.
    depth: f64,
}

/// The frames, and the triangles of the organ's surface.
struct Film {
    shots: Vec<Shot>,
    triangles: Vec<[u32; 3]>,
    /// The greatest depth at the end of a step, in radii of the tool.
    worst: f64,
    /// The steps of the simulation.
    steps: usize,
}

impl Film {
    fn of(press: &mut Press) -> Result<Self> {
        let mut used: Vec<u32> = press.triangles.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |id: &u32| used.binary_search(id).unwrap_or(0) as u32;
        let triangles = press.triangles.iter().map(|ids| [0, 1, 2].map(|k| number(&ids[k]))).collect();
        let shot = |press: &Press, frame: usize| Shot {
            time: press.interval() * frame as f64,
            surface: used.iter().map(|id| press.organ()[*id as usize]).collect(),
            ends: press.ends(),
            depth: press.depth(),
        };
        let mut shots = vec![shot(press, 0)];
        let (mut worst, mut steps) = (f64::NEG_INFINITY, 0);
        for frame in 1..press.path.len() {
            press.to_frame(frame, |press| {
                worst = worst.max(press.depth());
                steps += 1;
            })?;
            if frame % EVERY == 0 {
                shots.push(shot(press, frame));
            }
        }
        Ok(Self { shots, triangles, worst, steps })
    }
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [recording, folder] = &arguments[..] else {
        return Err("wanted: the folder of the recording, and the folder to write to".into());
    };
    let film = Film::of(&mut Press::read(Path::new(recording))?)?;
    println!("{} steps, at most {:.4} radii deep", film.steps, film.worst);
    let folder = Path::new(folder);
    std::fs::write(folder.join("press.html"), page::page(&film))?;
    std::fs::write(folder.join("press.svg"), strip::strip(&film))?;
    Ok(())
}
