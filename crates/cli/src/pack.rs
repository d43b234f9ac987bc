//! `palpate pack`: a session with its meshes, settings and versions in one file, which replays to the same bits.

use crate::args::PackArguments;
use crate::error::CommandError;
use crate::output::refuse_own_input;
use crate::{progress, terminal, text, words};
use palpate::geometry::TypedGeometry;
use palpate::record::{RecordError, Recorder, RecorderOptions};
use palpate::recording::WriterOptions;
use palpate::replay::{Replay, ReplayError, SessionFiles};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Metadata of a packed session: the checksum of all contacts, and their number.
const CHECKSUM: &str = "palpate.contacts_crc32";
const COUNT: &str = "palpate.contacts";
const VERSION: &str = "palpate.version";

/// The result as JSON.
#[derive(Serialize)]
struct Said {
    out: String,
    checked: bool,
    frames: usize,
    contacts: u64,
    /// CRC-32 of the records of all contacts, in order.
    contacts_crc32: String,
    /// The version that packed the session.
    version: String,
    same: bool,
}

/// Packs a session, or checks a packed one. Errors: a session that cannot be replayed; contacts that are others.
pub(crate) fn run(arguments: &PackArguments) -> Result<(), CommandError> {
    let options = arguments.read.replay_options(&arguments.mesh, arguments.margin)?;
    let mut replay = crate::replay::pairs::replay(&arguments.files, &arguments.pairs, options)?;
    let (checksum, contacts) = checksum(&mut replay)?;
    let frames = replay.frame_count();
    let leader = SessionFiles::leader(&arguments.files).unwrap_or_default();
    let (out, version, same) = if arguments.check {
        let stored = metadata(&replay);
        let version = stored.get(VERSION).cloned().unwrap_or_else(|| "of an unknown version".to_owned());
        let Some(wanted) = stored.get(CHECKSUM) else {
            let wanted = format!("a packed session, with the metadata {CHECKSUM}");
            let found = leader.display().to_string();
            return Err(CommandError::Argument { argument: "--check", found, wanted });
        };
        (leader, version, *wanted == checksum)
    } else {
        let out = arguments.out.clone().unwrap_or_else(|| leader.with_extension("packed.vtkhdf"));
        refuse_own_input(&out, &arguments.files)?;
        write(&mut replay, &out, arguments.anonymous, (&checksum, contacts))?;
        (out, env!("CARGO_PKG_VERSION").to_owned(), true)
    };
    let said = Said {
        out: out.display().to_string(),
        checked: arguments.check,
        frames,
        contacts,
        contacts_crc32: checksum,
        version,
        same,
    };
    if arguments.json {
        terminal::print_json(&said)?;
    } else if same {
        terminal::print(&told(&said))?;
    }
    if same {
        return Ok(());
    }
    let what = format!(
        "the contacts are others than when it was packed by palpate {}; this is {}",
        said.version,
        env!("CARGO_PKG_VERSION")
    );
    Err(CommandError::OtherContacts { path: out, what })
}

fn told(said: &Said) -> String {
    let what = if said.checked {
        "the contacts are the same bits as when it was packed by palpate"
    } else {
        "packed by palpate"
    };
    format!(
        "{}: {}, {} contacts: {what} {}\n",
        text::line(&said.out),
        words::plural(said.frames, "frame"),
        words::count(said.contacts),
        said.version
    )
}

fn metadata(replay: &Replay) -> BTreeMap<String, String> {
    replay.reader().map(|reader| reader.info().metadata.clone()).unwrap_or_default()
}

/// The checksum of the contacts of all frames, and their number.
fn checksum(replay: &mut Replay) -> Result<(String, u64), CommandError> {
    let mut hasher = crc32fast::Hasher::new();
    let mut count = 0;
    let bar = progress::bar(replay.frame_count(), "frames");
    for frame in 0..replay.frame_count() {
        replay.load(frame)?;
        replay.detect()?;
        for id in replay.pairs() {
            let contacts = &replay.scene().pair(id).map_err(ReplayError::from)?.contacts().contacts;
            hasher.update(bytemuck::cast_slice(contacts));
            count += contacts.len() as u64;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((format!("{:08x}", hasher.finalize()), count))
}

fn write(
    replay: &mut Replay,
    out: &Path,
    anonymous: bool,
    (checksum, contacts): (&str, u64),
) -> Result<(), CommandError> {
    let mut metadata = if anonymous { BTreeMap::new() } else { metadata(replay) };
    metadata.insert(CHECKSUM.to_owned(), checksum.to_owned());
    metadata.insert(COUNT.to_owned(), contacts.to_string());
    metadata.insert(VERSION.to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    metadata
        .insert("palpate.system".to_owned(), format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    replay.load(0)?;
    for (number, id) in replay.scene().geometries().enumerate() {
        let words = match TypedGeometry::of(replay.scene().geometry(id).map_err(ReplayError::from)?) {
            TypedGeometry::SurfaceMesh(mesh) => crate::inspect::surface_line(&mesh.health()),
            TypedGeometry::TetraMesh(mesh) => crate::inspect::tetra_line(&mesh.health()),
            _ => continue,
        };
        let name = replay.scene().name(id).map_err(ReplayError::from)?;
        let name = if anonymous { format!("object {}", number + 1) } else { name.to_owned() };
        metadata.insert(format!("palpate.health.{name}"), words);
    }
    let failed = |error: RecordError| CommandError::Writing(format!("{}: {error}", out.display()));
    let writer = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let options = RecorderOptions { writer, metadata, anonymous, ..RecorderOptions::default() };
    let mut recorder = Recorder::create_as(out, replay.scene(), options).map_err(failed)?;
    for frame in 0..replay.frame_count() {
        replay.load(frame)?;
        recorder.record(replay.scene(), replay.time()).map_err(failed)?;
    }
    recorder.finish().map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_one_line() {
        let said = Said {
            out: "a.vtkhdf".to_owned(),
            checked: true,
            frames: 3,
            contacts: 1200,
            contacts_crc32: "00000000".to_owned(),
            version: "0.1.0".to_owned(),
            same: true,
        };
        assert_eq!(
            told(&said),
            "a.vtkhdf: 3 frames, 1,200 contacts: the contacts are the same bits as when it was packed by palpate 0.1.0\n"
        );
    }
}
