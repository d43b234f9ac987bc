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
use crate::words;
use palpate::replay::{Replay, ReplayOptions};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Makes the session, replays it from the file, and reports the result. Errors: a folder that cannot be written to.
pub(crate) fn run(arguments: &DemoArguments) -> Result<(), CommandError> {
    match &arguments.make {
        Some(path) => make(path),
        None => show(&arguments.out),
    }
}

fn make(path: &Path) -> Result<(), CommandError> {
    session::record(path)?;
    say(&format!("{} frames recorded: {}\n", session::FRAMES, path.display()))
}

fn show(folder: &Path) -> Result<(), CommandError> {
    fs::create_dir_all(folder).map_err(|error| CommandError::io(folder, "making the folder", error))?;
    let recording = folder.join("demo.vtkhdf");
    let contacts = folder.join("demo-contacts.h5");
    let picture = folder.join("demo.png");
    session::record(&recording)?;
    let mut replay = Replay::open(&[&recording], &ReplayOptions::default())?;
    let frames = 0..replay.reader().frame_count();
    let sink = sink::create(&contacts, true, &replay)?;
    let summary = run_frames(&mut replay, frames, Some(sink))?;
    if let Some(deepest) = summary.deepest_pair.and_then(|pair| summary.pairs[pair].deepest) {
        drawing::draw(&mut replay, deepest.frame)?.write(&picture)?;
    }
    say(&story(&summary, &recording, &contacts, &picture))
}

/// The text printed for the user.
fn story(summary: &Summary, recording: &Path, contacts: &Path, picture: &Path) -> String {
    let mut text = String::from(
        "A recorded session: a tool (a capsule) comes down on a breathing organ (a closed surface of 2,000\n\
         triangles), presses a dent into it, slides, and pushes a thread aside. palpate read it from its file, frame by\n\
         frame, and found what touches what:\n\n",
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
        text.push_str(&format!("{what:18} {}\n", path.display()));
    }
    let (recording, contacts) = (recording.display(), contacts.display());
    text.push_str(&format!(
        "\nWhat to try next:\n\
         \x20 palpate inspect {recording}\n\
         \x20 palpate replay {recording} --pair tool:organ --margin 0.002 --out contacts.csv\n\
         \x20 palpate snapshot {recording}\n\
         \x20 palpate snapshot {recording} --check\n\
         \x20 palpate detectors\n\
         or open {recording} and {contacts} in ParaView (reader: VTKHDF) and press play.\n"
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

fn say(text: &str) -> Result<(), CommandError> {
    io::stdout().lock().write_all(text.as_bytes()).map_err(CommandError::stdout)
}
