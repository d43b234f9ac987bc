//! A curved needle makes three stitches in an organ that breathes and draws a thread after it: recorded, and drawn from the recording.
//!
//! ```text
//! cargo run --release -p palpate --example stitches -- FOLDER
//! ```
//!
//! writes `stitches.h5`, for `palpate replay` and `palpate report`, and `stitches.svg`, four of its frames.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;
use palpate::procedure::{Crossing, Passing, Shaft, ShaftTracker, Stay};
use palpate::replay::{Replay, ReplayOptions};
use std::f64::consts::TAU;
use std::path::Path;

#[path = "shared/picture.rs"]
mod picture;
#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const NEEDLE: usize = 24; // segments of the needle
const THREAD: usize = 130; // segments of the thread
const SPACING: f64 = 1e-3; // metres, of a segment
const RADIUS: f64 = 7e-3; // metres, of the circle on which the needle turns
const PITCH: f64 = 11e-3; // metres along the organ for each turn
const TURNS: f64 = 3.15;
const STEP: f64 = 0.02; // seconds
const FRAMES: usize = 60;
const THREAD_COLOR: picture::Color = [30.0, 70.0, 190.0];

/// Where needle and thread are at a length of the needle's way, a screw about the x axis that begins above the organ.
fn way(length: f64) -> Point {
    let run = (RADIUS * RADIUS + (PITCH / TAU).powi(2)).sqrt();
    let at = |angle: f64| {
        Point::new(PITCH * (angle / TAU - 1.4), 11e-3 + RADIUS * angle.cos(), RADIUS * angle.sin())
    };
    // Before its beginning the way is straight.
    let straight = Vector::new(PITCH / TAU, 0.2 * RADIUS, RADIUS) * (length.min(0.0) / run);
    at(length.max(0.0) / run - 0.2) + straight
}

struct Stitches {
    scene: Scene,
    /// Needle, thread, organ.
    ids: [GeometryId; 3],
    at_rest: Vec<Point>,
    tracker: ShaftTracker,
    frame: usize,
}

impl Stitches {
    fn new() -> Result<Self> {
        let (vertices, cells) = shapes::rounded_block(Vector::new(0.03, 0.01, 0.02), [12, 4, 8]);
        let mut scene = Scene::standard();
        let [needle, thread] = shaft_at(0.0);
        let needle = scene.add("needle", LineMesh::polyline(needle)?.with_radius(0.4e-3)?)?;
        let thread = scene.add("thread", LineMesh::polyline(thread)?.with_radius(0.2e-3)?)?;
        let at_rest = vertices.clone();
        let organ = scene.add("organ", TetraMesh::new(vertices, cells)?)?;
        for shaft in [needle, thread] {
            scene.add_pair(shaft, organ, PairOptions::default())?;
        }
        Ok(Self {
            scene,
            ids: [needle, thread, organ],
            at_rest,
            tracker: ShaftTracker::new(0.5e-3),
            frame: 0,
        })
    }

    /// The needle moves on, the thread follows, the organ breathes.
    fn frame(&mut self) -> Result<()> {
        self.frame += 1;
        let part = self.frame as f64 / FRAMES as f64;
        let [needle, thread] = shaft_at(part * TURNS * TAU * RADIUS * 1.03);
        let lift =
            |at: &Point| at + Vector::y() * (0.04 * (at.y + 0.01) * (2.0 * TAU * part + 60.0 * at.x).sin());
        let breathing: Vec<Point> = self.at_rest.iter().map(lift).collect();
        for (id, points) in self.ids.into_iter().zip([&needle, &thread, &breathing]) {
            self.scene.set_positions(id, points)?;
        }
        let organ = self.scene.geometry_mut::<TetraMesh>(self.ids[2])?;
        organ.prepare(Needs::TREE | Needs::BOUNDARY);
        self.tracker.update(&Shaft::new(&[&needle, &thread])?, &*organ)?;
        // The tip is sharp: it goes through whatever it touches.
        self.tracker.allow();
        self.scene.step()?;
        Ok(())
    }
}

/// The points of the needle and of the thread when the tip is at a length of its way.
fn shaft_at(length: f64) -> [Vec<Point>; 2] {
    let row = |from: usize, to: usize| (from..=to).map(|k| way(length - SPACING * k as f64)).collect();
    [row(0, NEEDLE), row(NEEDLE, NEEDLE + THREAD)]
}

/// Draws frames of a recording: the shaft in the tissue dashed, entries green, exits red.
fn drawn(recording: &Path) -> Result<String> {
    let mut replay = Replay::open(&[recording], &ReplayOptions::default())?;
    let (mut tracker, mut shots) = (ShaftTracker::new(0.5e-3), Vec::new());
    let last = replay.frame_count() - 1;
    let wanted = [1, 2, 3].map(|k| last * (3 * k + 1) / 12);
    for frame in 0..=last {
        replay.load(frame)?;
        let scene = replay.scene();
        let line = |name: &str| -> Result<Vec<Point>> {
            Ok(picture::named::<LineMesh>(scene, name)?.points().positions().to_vec())
        };
        let (needle, thread) = (line("needle")?, line("thread")?);
        let shaft = Shaft::new(&[&needle, &thread])?;
        let mut organ = picture::named::<TetraMesh>(scene, "organ")?.clone();
        organ.prepare(Needs::TREE | Needs::BOUNDARY);
        tracker.update(&shaft, &organ)?;
        if !wanted.contains(&frame) && frame != last {
            continue;
        }
        let mut shot = picture::Shot { triangles: picture::surface(&organ, u32::MAX), ..Default::default() };
        for (points, color, width) in [(needle, picture::STEEL, 2.6), (thread, THREAD_COLOR, 1.4)] {
            shot.lines.push(picture::Line { points, color, width });
        }
        shot.inside = tracker.path().iter().map(|stay| inside(stay, &shaft)).collect();
        shot.dots = tracker.crossings().iter().map(dot).collect();
        let stitches = tracker.crossings().iter().filter(|crossing| crossing.passing == Passing::Out).count();
        shot.title =
            format!("{:.1} s: {} crossings, out {stitches} times", replay.time(), tracker.crossings().len());
        shots.push(shot);
    }
    Ok(picture::svg(&shots, &picture::View::new(Vector::new(0.35, 0.75, 0.9), 4600.0)))
}

/// The part of the shaft in a cell.
fn inside(stay: &Stay, shaft: &Shaft) -> picture::Line {
    let color = if stay.places[0].section == 0 { picture::STEEL } else { THREAD_COLOR };
    picture::Line { points: stay.places.iter().map(|place| shaft.point(place)).collect(), color, width: 1.6 }
}

fn dot(crossing: &Crossing) -> (Point, picture::Color) {
    let color = if crossing.passing == Passing::In { [30.0, 140.0, 60.0] } else { [200.0, 30.0, 30.0] };
    (crossing.point, color)
}

/// Records the stitches.
fn record(path: &Path) -> Result<Stitches> {
    let mut stitches = Stitches::new()?;
    stitches.scene.step()?;
    let mut recorder = Recorder::create(path, &stitches.scene)?;
    recorder.record(&stitches.scene, 0.0)?;
    for _ in 0..FRAMES {
        stitches.frame()?;
        recorder.record(&stitches.scene, stitches.frame as f64 * STEP)?;
    }
    recorder.finish()?;
    Ok(stitches)
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).ok_or("wanted: the folder to write to")?;
    let folder = Path::new(&folder);
    let recording = folder.join("stitches.h5");
    let stitches = record(&recording)?;
    for crossing in stitches.tracker.crossings() {
        println!(
            "{:?}: {:?} at {:.1} mm of the shaft",
            crossing.id,
            crossing.passing,
            1e3 * crossing.place.arc
        );
    }
    std::fs::write(folder.join("stitches.svg"), drawn(&recording)?)?;
    Ok(())
}

#[cfg(test)]
#[path = "../tests/record/live_run.rs"]
mod live_run;

#[cfg(test)]
mod tests {
    use super::live_run::LiveRun;
    use super::*;

    #[test]
    fn three_stitches_and_their_picture() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let recording = folder.path().join("stitches.h5");
        let stitches = record(&recording)?;
        let crossings = stitches.tracker.crossings();
        let passings: Vec<Passing> = crossings.iter().map(|crossing| crossing.passing).collect();
        assert_eq!(passings, [Passing::Out, Passing::In].repeat(3), "the tip has come out three times");
        assert!(crossings[1..].iter().all(|crossing| crossing.place.section == 1), "{crossings:?}");
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/stitches.svg");
        let drawn = drawn(&recording)?;
        assert!(drawn.len() < 200_000, "{}", drawn.len());
        assert!(std::fs::read_to_string(docs)? == drawn, "docs/stitches.svg is not what this example draws");
        Ok(())
    }

    #[test]
    fn the_replay_has_the_contacts_of_the_live_run() -> Result<()> {
        let mut stitches = Stitches::new()?;
        let mut run = LiveRun::of(&stitches.scene);
        for _ in 0..20 {
            stitches.frame()?;
            run.record(&stitches.scene);
        }
        let compared = run.compare_replay();
        assert!(compared["needle"] > 50, "{compared:?}");
        Ok(())
    }
}
