//! A blade cuts a soft organ, which gapes: recorded, and drawn from the recording.
//!
//! ```text
//! cargo run --release -p palpate --example incision -- FOLDER
//! ```
//!
//! writes `incision.h5`, for `palpate replay` and `palpate report`, and `incision.svg`, four of its frames.
#![allow(clippy::print_stdout)] // an example shows what it finds

use palpate::prelude::*;
use palpate::procedure::{Blade, Sweep};
use palpate::replay::{Replay, ReplayOptions};
use palpate::response::pbd::Distance;
use std::collections::BTreeSet;
use std::path::Path;

#[path = "shared/picture.rs"]
mod picture;
#[path = "shared/shapes.rs"]
mod shapes;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const FRAMES: usize = 60;
const STEP: f64 = 0.02; // seconds
const ITERATIONS: usize = 20;
const TENSION: f64 = 0.91; // the length of an edge without load, as a part of its length in the organ

/// The blade's edge at a part of its way, from above the organ down to its lower end.
fn edge(part: f64) -> [Point; 2] {
    let x = 0.045 * part - 0.022;
    let z = 2.5e-3 * (110.0 * x).sin();
    [Point::new(x - 6e-3, 0.016, z), Point::new(x, 1e-3, z)]
}

struct Incision {
    scene: Scene,
    organ: GeometryId,
    tool: GeometryId,
    blade: Blade,
    at_rest: Vec<Point>,
    frame: usize,
    cells_before: usize,
}

impl Incision {
    fn new() -> Result<Self> {
        let (vertices, cells) = shapes::rounded_block(Vector::new(0.03, 0.01, 0.02), [12, 4, 9]);
        let (at_rest, cells_before) = (vertices.clone(), cells.len());
        let mut scene = Scene::standard();
        let organ = scene.add("organ", TetraMesh::new(vertices, cells)?)?;
        let tool = scene.add("blade", LineMesh::polyline(edge(0.0).to_vec())?.with_radius(0.2e-3)?)?;
        scene.add_pair(tool, organ, PairOptions::default())?;
        Ok(Self { scene, organ, tool, blade: Blade::default(), at_rest, frame: 0, cells_before })
    }

    /// The blade moves on and cuts; then the edges pull the wound open.
    fn frame(&mut self) -> Result<()> {
        let [before, now] = [0, 1].map(|more| edge((self.frame + more) as f64 / FRAMES as f64));
        self.frame += 1;
        let mesh = self.scene.geometry_mut::<TetraMesh>(self.organ)?;
        mesh.prepare(Needs::TREE);
        let division = self.blade.cut(mesh, &Sweep::new(&before, &now)?)?;
        division.carry(&mut self.at_rest, |a, b, part| a + (b - a) * part);
        let is_there = |cell: &&[u32; 4]| cell[0] != palpate::contact::NONE;
        let mut edges = BTreeSet::new();
        for cell in mesh.cells().iter().filter(is_there) {
            for (first, a) in cell.iter().enumerate() {
                edges.extend(cell[first + 1..].iter().map(|b| [*a.min(b) as usize, *a.max(b) as usize]));
            }
        }
        let at_rest = &self.at_rest;
        // The organ lies on a table, and its rim is held.
        let is_held = |at: &Point| at.y < -4e-3 || (at.x / 0.03).powi(2) + (at.z / 0.02).powi(2) > 0.6;
        let masses: Vec<f64> = at_rest.iter().map(|at| if is_held(at) { 0.0 } else { 1e3 }).collect();
        let mut lengths: Vec<Distance> =
            edges.into_iter().map(|ends| Distance::new(ends, at_rest, 1e-3)).collect();
        lengths.iter_mut().for_each(|length| length.length *= TENSION);
        let mut positions = mesh.points().positions().to_vec();
        for _ in 0..ITERATIONS {
            lengths.iter_mut().for_each(|length| length.project(&mut positions, &masses, STEP));
        }
        self.scene.set_positions(self.organ, &positions)?;
        self.scene.set_positions(self.tool, &now)?;
        self.scene.step()?;
        Ok(())
    }
}

/// Draws frames of a recording.
fn drawn(recording: &Path) -> Result<String> {
    let mut replay = Replay::open(&[recording], &ReplayOptions::default())?;
    let (mut shots, mut vertices) = (Vec::new(), 0);
    let last = replay.frame_count() - 1;
    for frame in [0, last / 3, last * 2 / 3, last] {
        replay.load(frame)?;
        let scene = replay.scene();
        let organ = picture::named::<TetraMesh>(scene, "organ")?;
        if frame == 0 {
            vertices = organ.points().positions().len() as u32;
        }
        let ends = picture::named::<LineMesh>(scene, "blade")?.points().positions();
        // In pieces, which the organ hides one by one.
        let tool = (0..=16).map(|k| ends[0] + (ends[1] - ends[0]) * (f64::from(k) / 16.0)).collect();
        let more = organ.points().positions().len() - vertices as usize;
        let mut shot = picture::Shot { triangles: picture::surface(organ, vertices), ..Default::default() };
        shot.lines.push(picture::Line { points: tool, color: picture::STEEL, width: 3.0 });
        shot.title = format!("{:.1} s: {more} new vertices", replay.time());
        shots.push(shot);
    }
    Ok(picture::svg(&shots, &picture::View::new(Vector::new(0.5, 0.9, 0.55), 4600.0)))
}

/// Records the cut.
fn record(path: &Path) -> Result<Incision> {
    let mut incision = Incision::new()?;
    incision.scene.step()?;
    let mut recorder = Recorder::create(path, &incision.scene)?;
    recorder.record(&incision.scene, 0.0)?;
    for _ in 0..FRAMES {
        incision.frame()?;
        recorder.record(&incision.scene, incision.frame as f64 * STEP)?;
    }
    recorder.finish()?;
    Ok(incision)
}

fn main() -> Result<()> {
    let folder = std::env::args().nth(1).ok_or("wanted: the folder to write to")?;
    let folder = Path::new(&folder);
    let recording = folder.join("incision.h5");
    let incision = record(&recording)?;
    let cells = incision.scene.geometry_as::<TetraMesh>(incision.organ)?.cells();
    let there = cells.iter().filter(|cell| cell[0] != palpate::contact::NONE).count();
    println!("{} tetrahedra before the cut, {there} after it", incision.cells_before);
    std::fs::write(folder.join("incision.svg"), drawn(&recording)?)?;
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
    fn the_cut_and_its_picture() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let recording = folder.path().join("incision.h5");
        let incision = record(&recording)?;
        let mesh = incision.scene.geometry_as::<TetraMesh>(incision.organ)?;
        assert!(mesh.cells().len() > incision.cells_before + 200);
        assert_eq!(mesh.points().positions().len(), incision.at_rest.len());
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/incision.svg");
        let drawn = drawn(&recording)?;
        assert!(drawn.len() < 200_000, "{}", drawn.len());
        assert!(std::fs::read_to_string(docs)? == drawn, "docs/incision.svg is not what this example draws");
        Ok(())
    }

    #[test]
    fn the_replay_has_the_contacts_of_the_live_run() -> Result<()> {
        let mut incision = Incision::new()?;
        let mut run = LiveRun::of(&incision.scene);
        for _ in 0..30 {
            incision.frame()?;
            run.record(&incision.scene);
        }
        let compared = run.compare_replay();
        assert!(compared["blade"] > 50, "{compared:?}");
        Ok(())
    }
}
