//! Comparison of a live run with the replay of its recording.

use palpate::contact::Contact;
use palpate::describe::to_json;
use palpate::detect::Flags;
use palpate::prelude::*;
use palpate::recording::{CompactOptions, Reader, compact};
use palpate::replay::{Replay, ReplayOptions};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

const FILE: &str = "session.h5";

/// Contacts by the names of their pair, in the order of the names: pairs of groups are listed only while they are near.
type Found = Vec<(String, Contact)>;

/// What a step found: contacts, geometries, and the flags of the pairs.
#[derive(Default)]
struct Step {
    contacts: Found,
    descriptions: Vec<String>,
    flags: BTreeMap<String, Flags>,
}

impl Step {
    fn of(scene: &Scene) -> Self {
        Self { contacts: contacts(scene), descriptions: descriptions(scene), flags: flags(scene) }
    }
}

/// A live run that is recorded step by step.
pub(crate) struct LiveRun {
    folder: TempDir,
    recorder: Recorder,
    steps: Vec<Step>,
    compared: BTreeMap<String, usize>,
}

impl LiveRun {
    pub(crate) fn of(scene: &Scene) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recorder = Recorder::create(folder.path().join(FILE), scene).unwrap();
        Self { folder, recorder, steps: Vec::new(), compared: BTreeMap::new() }
    }

    /// Records a step that was just made.
    pub(crate) fn record(&mut self, scene: &Scene) {
        self.recorder.record(scene, 0.01 * self.steps.len() as f64).unwrap();
        self.steps.push(Step::of(scene));
        count(scene, &mut self.compared);
    }

    /// Replays the recording forwards and backwards, and compares all geometries, contacts and flags. Returns the number of
    /// contacts compared, by kind and by name of the geometry.
    pub(crate) fn compare_replay(self) -> BTreeMap<String, usize> {
        self.recorder.finish().unwrap();
        compare_file(&self.folder.path().join(FILE), &self.steps);
        self.compared
    }

    /// [`compare_replay`](Self::compare_replay), also of the recording as a compact session.
    #[allow(dead_code, reason = "shared with other tests and examples")]
    pub(crate) fn compare_replay_and_compact(self) -> BTreeMap<String, usize> {
        self.recorder.finish().unwrap();
        let [path, small] = [FILE, "session.palpate"].map(|name| self.folder.path().join(name));
        compare_file(&path, &self.steps);
        let mut reader = Reader::open(&path).unwrap();
        compact(&mut reader, &small, &CompactOptions::default()).unwrap();
        compare_file(&small, &self.steps);
        self.compared
    }
}

/// Replays a recording forwards and backwards.
fn compare_file(path: &Path, steps: &[Step]) {
    let mut replay = Replay::open(&[path], &ReplayOptions::default()).unwrap();
    let count = steps.len();
    for step in (0..count).chain((0..count).rev()) {
        replay.load(step).unwrap();
        replay.detect().unwrap();
        let (then, now) = (&steps[step], Step::of(replay.scene()));
        compare(&then.contacts, &now.contacts, step);
        assert_eq!(now.descriptions, then.descriptions, "step {step}");
        assert_eq!(now.flags, then.flags, "step {step}");
    }
}

/// The names of a pair's geometries.
fn name_of(scene: &Scene, pair: &Pair) -> String {
    format!("{}:{}", scene.name(pair.a()).unwrap(), scene.name(pair.b()).unwrap())
}

/// The flags of all pairs that have contacts.
fn flags(scene: &Scene) -> BTreeMap<String, Flags> {
    let pairs = scene.pairs().map(|id| scene.pair(id).unwrap());
    let touching = pairs.filter(|pair| !pair.contacts().contacts.is_empty());
    touching.map(|pair| (name_of(scene, pair), pair.status().flags)).collect()
}

fn contacts(scene: &Scene) -> Found {
    let mut found = Found::new();
    for id in scene.pairs() {
        let pair = scene.pair(id).unwrap();
        let name = name_of(scene, pair);
        found.extend(pair.contacts().contacts.iter().map(|contact| (name.clone(), *contact)));
    }
    found.sort_by(|one, two| one.0.cmp(&two.0));
    found
}

/// All geometries as text that distinguishes every bit.
fn descriptions(scene: &Scene) -> Vec<String> {
    let text = |id| to_json(scene.geometry(id).unwrap()).unwrap().to_string();
    scene.geometries().map(text).collect()
}

fn count(scene: &Scene, compared: &mut BTreeMap<String, usize>) {
    for (pair, _) in scene.all_contacts() {
        let pair = scene.pair(pair).unwrap();
        for side in [pair.a(), pair.b()] {
            *compared.entry(scene.geometry(side).unwrap().kind().name().to_owned()).or_default() += 1;
            *compared.entry(scene.name(side).unwrap().to_owned()).or_default() += 1;
        }
    }
}

fn compare(live: &Found, again: &Found, step: usize) {
    for ((live_pair, live), (pair, contact)) in live.iter().zip(again) {
        assert!(
            live_pair == pair && live.same_bits(contact),
            "step {step}: {live_pair}: {live:?} was recorded, {pair}: {contact:?} was replayed"
        );
    }
    assert_eq!(live.len(), again.len(), "step {step}");
}
