//! The description of a session on the page.

use super::collect::Bodies;
use super::numbers::Numbers;
use super::stored::Object;
use crate::error::CommandError;
use crate::inspect::{surface_line, tetra_line};
use palpate::contact::Contact;
use palpate::detect::Flags;
use palpate::geometry::TypedGeometry;
use palpate::replay::{Replay, ReplayError};
use palpate::scene::Scene;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Serialize)]
struct Pair {
    a: String,
    b: String,
    detector: String,
    margin: f64,
    settings: Value,
    flags: Vec<&'static str>,
}

/// The contacts of the kept frames: records, and the index of the pair of each.
#[derive(Serialize)]
struct Contacts {
    offset: usize,
    pairs: usize,
    starts: Vec<usize>,
}

/// Of every frame, kept or not.
#[derive(Serialize, Default)]
struct Stats {
    contacts: Vec<usize>,
    /// Metres; null without contacts.
    depth: Vec<Option<f64>>,
    milliseconds: Vec<f64>,
}

impl Stats {
    /// Begins a frame that took so many seconds.
    fn start(&mut self, seconds: f64) {
        self.milliseconds.push(seconds * 1e3);
        self.contacts.push(0);
        self.depth.push(None);
    }

    /// Adds contacts to the frame.
    fn count(&mut self, contacts: &[Contact]) {
        let (Some(count), Some(depth)) = (self.contacts.last_mut(), self.depth.last_mut()) else { return };
        *count += contacts.len();
        for contact in contacts {
            *depth = Some(depth.map_or(contact.depth, |depth| depth.max(contact.depth)));
        }
    }
}

/// A session as the page has it.
#[derive(Serialize)]
pub(super) struct Session {
    pub(super) title: String,
    files: Vec<String>,
    times: Vec<f64>,
    /// The frames that are drawn.
    pub(super) kept: Vec<usize>,
    pub(super) objects: Vec<Object>,
    pairs: Vec<Pair>,
    unsupported: Vec<(String, String)>,
    notes: Vec<String>,
    metadata: BTreeMap<String, String>,
    contacts: Contacts,
    stats: Stats,
    #[serde(skip)]
    pub(super) bounds: ([f64; 3], [f64; 3]),
    /// Metres.
    #[serde(skip)]
    pub(super) deepest: f64,
}

/// Bytes of the numbers of a frame, before compression: for the choice of frames.
pub(super) fn bytes_per_frame(scene: &Scene) -> Result<usize, CommandError> {
    let mut points = 0;
    for id in scene.geometries() {
        points += scene.geometry(id).map_err(ReplayError::from)?.as_points().map_or(0, |points| points.len());
    }
    Ok(6 * points)
}

impl Session {
    /// Replays a session; every `step`-th frame is drawn.
    pub(super) fn collect(
        replay: &mut Replay,
        title: String,
        step: usize,
        numbers: &mut Numbers,
    ) -> Result<Self, CommandError> {
        let mut bodies = Bodies::new();
        let mut stats = Stats::default();
        let (mut kept, mut starts) = (Vec::new(), vec![0]);
        let (mut records, mut owners): (Vec<Contact>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut flags = vec![Flags::default(); replay.pairs().count()];
        let bar = crate::progress::bar(replay.frame_count(), "frames");
        for frame in 0..replay.frame_count() {
            replay.load(frame)?;
            let begun = Instant::now();
            replay.detect()?;
            stats.start(begun.elapsed().as_secs_f64());
            let is_kept = frame.is_multiple_of(step);
            for (number, id) in replay.pairs().enumerate() {
                let pair = replay.scene().pair(id).map_err(ReplayError::from)?;
                flags[number] |= pair.status().flags;
                stats.count(&pair.contacts().contacts);
                if is_kept {
                    records.extend_from_slice(&pair.contacts().contacts);
                    owners.resize(records.len(), number as u32);
                }
            }
            if is_kept {
                bodies.add(replay.scene()).map_err(ReplayError::from)?;
                kept.push(frame);
                starts.push(records.len());
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        replay.load(0)?;
        let bounds = (bodies.low, bodies.high);
        let mut objects = bodies.finish(numbers);
        health(replay.scene(), &mut objects)?;
        let contacts = Contacts { offset: numbers.push(&records), pairs: numbers.push(&owners), starts };
        let reader = replay.reader();
        let notes = reader.iter().flat_map(|reader| reader.notes()).map(ToString::to_string).collect();
        let files = reader.iter().flat_map(|reader| reader.paths());
        Ok(Self {
            title,
            files: files.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect(),
            times: reader.map_or_else(|| vec![0.0], |reader| reader.times().to_vec()),
            kept,
            objects,
            pairs: pairs(replay, &flags)?,
            unsupported: replay.unsupported().to_vec(),
            notes,
            metadata: reader.map(|reader| reader.info().metadata.clone()).unwrap_or_default(),
            contacts,
            deepest: stats.depth.iter().flatten().copied().fold(0.0, f64::max),
            stats,
            bounds,
        })
    }

    /// Metres: how far a point that is drawn is from the recorded one at most.
    pub(super) fn error(&self) -> f64 {
        self.objects.iter().map(|object| object.error).fold(0.0, f64::max)
    }
}

fn pairs(replay: &Replay, flags: &[Flags]) -> Result<Vec<Pair>, CommandError> {
    let mut pairs = Vec::new();
    for (id, flags) in replay.pairs().zip(flags) {
        let [a, b] = replay.names(id)?.map(str::to_owned);
        let pair = replay.scene().pair(id).map_err(ReplayError::from)?;
        let (detector, margin, settings) = (pair.detector().to_owned(), pair.margin(), pair.settings());
        pairs.push(Pair { a, b, detector, margin, settings, flags: flags.names().collect() });
    }
    Ok(pairs)
}

/// Notes the health of the meshes of a scene.
fn health(scene: &Scene, objects: &mut [Object]) -> Result<(), CommandError> {
    for id in scene.geometries() {
        let name = scene.name(id).map_err(ReplayError::from)?;
        let words = match TypedGeometry::of(scene.geometry(id).map_err(ReplayError::from)?) {
            TypedGeometry::SurfaceMesh(mesh) => surface_line(&mesh.health()),
            TypedGeometry::TetraMesh(mesh) => tetra_line(&mesh.health()),
            _ => continue,
        };
        objects
            .iter_mut()
            .filter(|object| object.name == name)
            .for_each(|object| object.health.clone_from(&words));
    }
    Ok(())
}
