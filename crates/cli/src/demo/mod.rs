//! `palpate demo`: a small generated session, its contacts and a picture of them.

mod drawing;
mod motion;
mod organ;
mod session;
mod sphere;
mod thread;
mod tool;

use crate::args::DemoArguments;
use crate::error::CommandError;
use crate::replay::summary::{Deepest, Summary};
use crate::replay::{run_frames, sink};
use crate::{terminal, text, words};
use palpate::replay::{Replay, ReplayOptions};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Generates the session, replays it from the file, and reports the result. Errors: a folder that cannot be written to.
pub(crate) fn run(arguments: &DemoArguments) -> Result<(), CommandError> {
    match &arguments.make {
        Some(path) => make(path, arguments.json),
        None => {
            let folder = &arguments.out;
            let is_new = !folder.exists();
            fs::create_dir_all(folder)
                .map_err(|error| CommandError::io(folder, "making the folder", error))?;
            let shown = show(folder, arguments.json);
            if shown.is_err() && is_new {
                // Nothing is left of a demo that failed at once; a folder with files is kept.
                let _ = fs::remove_dir(folder);
            }
            shown
        }
    }
}

/// The result as JSON.
#[derive(Serialize)]
struct Report<'a> {
    recording: String,
    frames: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
    /// As `palpate replay --json` prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<&'a Summary>,
}

fn make(path: &Path, json: bool) -> Result<(), CommandError> {
    session::record(path)?;
    let (recording, frames) = (path.display().to_string(), session::FRAMES);
    if json {
        return terminal::print_json(&Report {
            recording,
            frames,
            contacts: None,
            picture: None,
            replay: None,
        });
    }
    terminal::print(&format!("{frames} frames recorded: {}\n", text::line(&recording)))
}

fn show(folder: &Path, json: bool) -> Result<(), CommandError> {
    let recording = folder.join("demo.vtkhdf");
    let contacts = folder.join("demo-contacts.h5");
    let picture = folder.join("demo.png");
    session::record(&recording)?;
    let mut replay = Replay::open(&[&recording], &ReplayOptions::default())?;
    let frames = 0..replay.frame_count();
    let sink = sink::create(&contacts, true, &replay)?;
    let summary = run_frames(&mut replay, frames, Some(sink))?;
    if let Some(deepest) = summary.deepest_pair.and_then(|pair| summary.pairs[pair].deepest) {
        drawing::draw(&mut replay, deepest.frame)?.write(&picture)?;
    }
    if json {
        let [recording, contacts, picture] =
            [&recording, &contacts, &picture].map(|path| path.display().to_string());
        let (frames, contacts, picture) = (summary.frames, Some(contacts), Some(picture));
        return terminal::print_json(&Report {
            recording,
            frames,
            contacts,
            picture,
            replay: Some(&summary),
        });
    }
    terminal::print(&story(&summary, &recording, &contacts, &picture))
}

/// The text printed for the user.
fn story(summary: &Summary, recording: &Path, contacts: &Path, picture: &Path) -> String {
    let mut text = String::from(
        "A recorded session: a tool (a capsule) comes down on a breathing organ (a\n\
         closed surface of 2,000 triangles), presses a dent into it, slides, and pushes\n\
         a thread aside. palpate read it from its file, frame by frame, and found what\n\
         touches what:\n\n",
    );
    for pair in &summary.pairs {
        text.push_str(&format!(
            "  {}\n",
            sentence(pair.a == pair.b, &pair.a, &pair.b, pair.frames_in_contact, pair.deepest)
        ));
    }
    text.push_str(&format!("\n{}\n", summary.text()));
    let files = [(recording, "the recording"), (contacts, "the contacts"), (picture, "the deepest frame")];
    for (path, what) in files {
        text.push_str(&format!("{what:18} {}\n", shown(path)));
    }
    let [recording, contacts] = [recording, contacts].map(shown);
    text.push_str(&format!(
        "\nWhat to try next:\n\
         \x20 palpate inspect {recording}\n\
         \x20 palpate replay {recording} --pair tool:organ --margin 0.002 --out contacts.csv\n\
         \x20 palpate snapshot {recording}\n\
         \x20 palpate snapshot {recording} --check\n\
         \x20 palpate detectors\n\
         or open {recording} and {contacts}\n\
         in ParaView (reader: VTKHDF) and press play.\n"
    ));
    text
}

fn sentence(itself: bool, a: &str, b: &str, frames: u64, deepest: Option<Deepest>) -> String {
    let who = if itself { format!("The {a} touches itself") } else { format!("The {a} touches the {b}") };
    match deepest {
        None => format!("{} in no frame.", who.replace("touches", "never touches")),
        Some(deepest) => format!(
            "{who} in {}, deepest at {} s: {}.",
            words::plural(frames as usize, "frame"),
            words::significant(deepest.time, 3),
            words::length(deepest.depth)
        ),
    }
}

/// A path as it is printed.
fn shown(path: &Path) -> String {
    text::line(&path.display().to_string())
}
