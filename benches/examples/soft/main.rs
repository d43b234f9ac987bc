//! Soft contact beside rapier3d: the same positions of cloth, tetrahedra, threads and tools for both, every crossing judged exactly.
//!
//! Two recordings are made by rapier's soft bodies and two by the XPBD solver of palpate's tests ([`record`]), and larger scenes by
//! formulas ([`growth`]). Both detectors get each frame: palpate by `set_positions` and `step`, rapier by `set_particle_position` and
//! a step of length zero, which updates its contacts and skips its dynamics. Both report what is within the same reach. An oracle
//! in big integers ([`judge`]) lists the pairs of elements of which an edge of one passes through the other.
//!
//! A crossing is found by palpate when contacts of zero or positive depth name it: both triangles, or, where a body is solid and
//! contacts are of vertices and edges, one of the edges that cross or an end of it; the JSON counts the crossings with a further edge
//! that no contact names (`unnamed`). It is found by rapier when the pair is among those it lists; rapier lists at most 256 in each of
//! two passes, and marks further elements without their partners: `marked` counts the crossings of
//! which both elements are marked. A contact of two triangles, or a listed pair, is false when the elements are apart; another
//! contact of palpate's when none of its vertices is inside the other body or belongs to an element that crosses. Ids are kept
//! when the contacts of a pair of elements that are in one frame and the next have the same ids; rapier has none. A crossing that stays
//! is traced when one id names it in both frames, in rapier when it is listed in both; an edge deep in a solid leaves by the element
//! that is closest, which may change while the crossing stays.
//!
//! Run it with `cargo run --release -p palpate-benches --example soft`; `-- --json` prints the rows as JSON, `-- growth` and
//! `-- frames` only one of the tables, `-- 20000` only that size.
#![allow(clippy::print_stdout)] // an example shows what it finds

mod body;
mod growth;
mod judge;
mod palpate_side;
mod rapier_side;
mod record;

use body::Recording;
use judge::{Crossing, Judge, vertices_that_cross};
use palpate::serde_json::{Value, json};
use palpate_side::{Named, Palpate};
use rapier_side::{Rapier, Reported};
use std::collections::HashMap;
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Metres: how far apart elements still have a contact, in both.
const REACH: f64 = 1e-3;

/// Frames of a recording.
const FRAMES: usize = 120;

/// What one side has found.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    found: usize,
    wrong: usize,
    /// Crossings that were in the frame before and are found in both, by palpate under one id.
    traced: usize,
    /// Contacts of the last frame.
    contacts: usize,
    /// Milliseconds, of a frame.
    time: f64,
    /// Bytes, after some frames.
    memory: u64,
}

/// A recording's row.
#[derive(Clone, Debug, Default)]
struct Row {
    name: String,
    triangles: usize,
    frames: usize,
    crossings: usize,
    /// Crossings that were in the frame before.
    stay: usize,
    /// Pairs of elements that palpate's contacts name in a frame and the one before, and those under the same ids.
    pairs: [usize; 2],
    palpate: Score,
    rapier: Score,
    /// Crossings with an edge that no contact of palpate's names.
    unnamed: usize,
    /// Crossings of which rapier has marked both elements.
    marked: usize,
    /// rapier's time divided by palpate's.
    faster: f64,
}

/// The upper median.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Counts what each side finds in every `stride`th frame and the one after it, and times all frames, in turns.
fn run(recording: &Recording, stride: usize) -> Result<Row> {
    let (bodies, frames) = (&recording.bodies, &recording.frames);
    let triangles = bodies.iter().map(|body| body.elements.len()).sum();
    let mut row = Row { name: recording.name.to_owned(), triangles, ..Row::default() };
    let mut palpate;
    (palpate, row.palpate.memory) = made(|| {
        let mut side = Palpate::new(bodies, &frames[0], REACH)?;
        frames.iter().take(3).try_for_each(|frame| side.detect(frame))?;
        Ok(side)
    })?;
    let mut rapier;
    (rapier, row.rapier.memory) = made(|| {
        let mut side = Rapier::new(bodies, &frames[0], REACH)?;
        frames.iter().take(3).for_each(|frame| side.detect(frame));
        Ok(side)
    })?;
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    let mut before = Answers::default();
    for (number, frame) in frames.iter().enumerate() {
        let started = Instant::now();
        palpate.detect(frame)?;
        let between = Instant::now();
        rapier.detect(frame);
        let [ours, theirs] = [between - started, between.elapsed()].map(|time| 1e3 * time.as_secs_f64());
        [ours, theirs, theirs / ours].into_iter().zip(&mut times).for_each(|(time, times)| times.push(time));
        if number % stride > 1 {
            before = Answers::default();
            continue;
        }
        let judge = Judge { bodies, frame };
        let (crossings, named, reported) = (judge.crossings(), palpate.named()?, rapier.reported());
        row.palpate.wrong += palpate.count_false(&judge, &vertices_that_cross(&judge, &crossings))?;
        let is_wrong = |pair: &&[u32; 2]| judge.pair(**pair).0 == judge::Verdict::Apart;
        row.rapier.wrong += reported.listed.iter().filter(is_wrong).count();
        row.palpate.contacts = palpate.count()?;
        row.rapier.contacts = reported.candidates + reported.listed.len();
        before = row.count(&crossings, named, &reported, &before);
    }
    [row.palpate.time, row.rapier.time, row.faster] = times.map(median);
    Ok(row)
}

/// What both sides said of a frame.
#[derive(Default)]
struct Answers {
    named: Named,
    /// Of each crossing: the ids of palpate's contacts, and whether rapier lists it.
    crossings: HashMap<[u32; 2], (Vec<u64>, bool)>,
}

/// What a closure makes, and the bytes that it holds.
fn made<T>(make: impl FnOnce() -> Result<T>) -> Result<(T, u64)> {
    let mut made = None;
    let info = allocation_counter::measure(|| made = Some(make()));
    Ok((made.ok_or("nothing was made")??, info.bytes_current.max(0) as u64))
}

impl Row {
    /// Adds a frame.
    fn count(
        &mut self,
        crossings: &[Crossing],
        named: Named,
        reported: &Reported,
        before: &Answers,
    ) -> Answers {
        self.frames += 1;
        self.crossings += crossings.len();
        let [pairs, kept] = named.stay(&before.named);
        self.pairs = [self.pairs[0] + pairs, self.pairs[1] + kept];
        let mut now = Answers::default();
        for crossing in crossings {
            let pair = crossing.elements;
            let ((ids, unnamed), is_listed) = (named.ids(crossing), reported.listed.contains(&pair));
            self.palpate.found += usize::from(!ids.is_empty());
            self.rapier.found += usize::from(is_listed);
            self.unnamed += usize::from(unnamed > 0);
            self.marked += usize::from((0..2).all(|side| reported.marked[side].contains(&pair[side])));
            if let Some((ids_before, was_listed)) = before.crossings.get(&pair) {
                self.stay += 1;
                self.palpate.traced += usize::from(ids.iter().any(|id| ids_before.contains(id)));
                self.rapier.traced += usize::from(is_listed && *was_listed);
            }
            now.crossings.insert(pair, (ids, is_listed));
        }
        now.named = named;
        now
    }

    fn to_json(&self) -> Value {
        let side = |score: &Score| {
            let Score { found, wrong, traced, contacts, time, memory } = score;
            let missed = self.crossings - found;
            json!({"found": found, "missed": missed, "false": wrong, "traced": traced, "contacts": contacts, "ms": time, "bytes": memory})
        };
        json!({
            "name": self.name,
            "triangles": self.triangles,
            "frames": self.frames,
            "crossings": self.crossings,
            "stay": self.stay,
            "pairs_stay": self.pairs[0],
            "ids_kept": self.pairs[1],
            "palpate": side(&self.palpate),
            "rapier": side(&self.rapier),
            "unnamed": self.unnamed,
            "rapier_marked": self.marked,
            "faster": self.faster,
        })
    }

    fn print(&self) {
        let Self { name, triangles, frames, crossings, stay, pairs, .. } = self;
        for (who, score) in [("palpate", &self.palpate), ("rapier", &self.rapier)] {
            let Score { found, wrong, traced, contacts, time, memory } = score;
            let found = if who == "rapier" && self.marked > *found {
                format!("{found} (marked {})", self.marked)
            } else {
                found.to_string()
            };
            let missed = crossings - score.found;
            let kept = match (who, pairs) {
                ("palpate", [all, kept]) => format!("{kept} of {all}"),
                _ => "no ids".to_owned(),
            };
            let megabytes = *memory as f64 / 1e6;
            println!(
                "| {name} | {triangles} | {who} | {frames} | {crossings} | {found} | {missed} | {wrong} | {kept} | {traced} of {stay} | {contacts} | {time:.3} ms | {megabytes:.1} MB |"
            );
        }
    }
}

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wants = |word: &str| words.iter().any(|each| each == word);
    let sizes: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let mut rows = Vec::new();
    if !wants("growth") && sizes.is_empty() {
        for recording in record::all(FRAMES)? {
            rows.push(run(&recording, 2)?);
        }
    }
    if !wants("frames") {
        for make in [growth::sheets, growth::organ] {
            for size in growth::SIZES.into_iter().filter(|size| sizes.is_empty() || sizes.contains(size)) {
                rows.push(run(&make(size, 24), 24)?);
            }
        }
    }
    if wants("--json") {
        println!("{}", Value::from_iter(rows.iter().map(Row::to_json)));
        return Ok(());
    }
    println!(
        "| scene | triangles | side | frames | crossings | found | missed | false | ids kept | traced | contacts | time a frame | memory |"
    );
    println!("|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for row in &rows {
        row.print();
        println!("| | | palpate is faster by | | | | | | | | | {:.2} | |", row.faster);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn palpate_names_every_crossing_and_nothing_false() {
        let mut recordings = record::all(FRAMES).unwrap();
        recordings.extend([growth::sheets, growth::organ].map(|make| make(2_000, 4)));
        for recording in &recordings {
            let row = run(recording, 8).unwrap();
            assert!(row.crossings > 50, "{row:?}");
            assert_eq!((row.palpate.found, row.palpate.wrong), (row.crossings, 0), "{row:?}");
            assert!(row.pairs[0] > 20 && 1000 * row.pairs[1] >= 999 * row.pairs[0], "{row:?}");
        }
    }
}
