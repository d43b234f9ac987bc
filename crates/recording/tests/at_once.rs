//! Several processes that write one file at once, some of them killed: it is one of theirs, whole, or absent, and the next run
//! leaves nothing else behind.
//!
//! `PALPATE_ROUNDS_AT_ONCE=100` runs so many rounds, in place of those of the gate.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

use palpate_contact::{Contact, Feature};
use palpate_recording::{
    ContactFrame, ContactPair, ContactsOptions, ContactsReader, ContactsWriter, Frame, ObjectInfo, Point,
    Reader, RecordingError, SessionInfo, State, Topology, Writer, WriterOptions,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Rounds of the gate, with each number of processes.
const ROUNDS: u64 = 3;
const PROCESSES: [u64; 3] = [2, 4, 8];
const COUNT: &str = "PALPATE_ROUNDS_AT_ONCE";
const FRAMES: u64 = 6;
/// Passes the file to the child process, which is this program again; who it is; and the step at which it dies.
const CHILD: &str = "PALPATE_AT_ONCE_CHILD";
const WRITER: &str = "PALPATE_AT_ONCE_WRITER";
const DIES_AT: &str = "PALPATE_AT_ONCE_DIES_AT";
/// The child's exit status where another writer has the session.
const BUSY: i32 = 7;
/// The writer of the file that is there before the round.
const BEFORE: u64 = 99;

/// Counts the steps of a process, and ends it at one of them as a signal would: nothing is cleaned up.
struct Steps {
    dies_at: Option<u64>,
    done: u64,
}

impl Steps {
    fn next(&mut self) {
        self.done += 1;
        if self.dies_at == Some(self.done) {
            std::process::abort();
        }
    }

    /// The last step takes a while: in the midst of it.
    fn finishing(&self) {
        if let Some(late) = self.dies_at.and_then(|step| step.checked_sub(self.done + 1)) {
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(300 * late));
                std::process::abort();
            });
        }
    }
}

/// Contacts whose number differs from writer to writer, and so the length of the file.
fn contacts(writer: u64, frame: u64) -> Vec<Contact> {
    let point = |x: u64| Feature::point(Point::new(x as f64, 0.5, 0.25));
    let one = |number| Contact::exact(point(writer), point(frame), nalgebra::Vector3::x(), 0.125, number);
    (0..50 + 300 * writer).map(one).collect()
}

fn write_contacts(path: &Path, writer: u64, steps: &mut Steps) -> Result<(), RecordingError> {
    let pairs = [ContactPair { a: "liver".into(), b: "tool".into(), detector: writer.to_string() }];
    let options = ContactsOptions { overwrite: true, ..ContactsOptions::default() };
    let mut file = ContactsWriter::create(path, &pairs, options)?;
    for frame in 0..FRAMES {
        steps.next();
        let contacts = contacts(writer, frame);
        file.append(frame, frame as f64, &vec![0; contacts.len()], &contacts)?;
    }
    steps.next();
    steps.finishing();
    file.finish()
}

/// The writer of the file, which must be whole.
fn writer_of_contacts(path: &Path) -> u64 {
    let mut reader = ContactsReader::open(path).unwrap();
    let writer: u64 = reader.pairs()[0].detector.parse().unwrap();
    assert_eq!(reader.frame_count() as u64, FRAMES);
    let mut found = ContactFrame::default();
    for frame in 0..FRAMES {
        reader.read_frame(frame as usize, &mut found).unwrap();
        let wanted = contacts(writer, frame);
        assert_eq!(found.contacts.len(), wanted.len());
        assert!(found.contacts.iter().zip(&wanted).all(|(a, b)| a.same_bits(b)));
    }
    writer
}

fn session(writer: u64) -> SessionInfo {
    let (name, kind) = ("probe".to_string(), "point_set".to_string());
    let object = ObjectInfo { name, kind, topology: Topology::Points, ..ObjectInfo::default() };
    let metadata = [("writer".to_string(), writer.to_string())].into();
    SessionInfo { objects: vec![object], metadata, ..SessionInfo::default() }
}

fn frame(writer: u64, index: u64) -> Frame {
    let points = (0..100 + 100 * writer).map(|at| Point::new(writer as f64, index as f64, at as f64));
    Frame { time: index as f64, states: vec![State::Points(points.collect())], ..Frame::default() }
}

fn write_session(path: &Path, writer: u64, steps: &mut Steps) -> Result<(), RecordingError> {
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut session = Writer::create(path, &session(writer), options)?;
    for index in 0..FRAMES {
        steps.next();
        session.append(&frame(writer, index))?;
    }
    steps.next();
    steps.finishing();
    session.finish()
}

/// The writer of the session, finished or not; every frame must be its own.
fn writer_of_session(path: &Path) -> u64 {
    let mut reader = Reader::open(path).unwrap();
    let writer: u64 = reader.info().metadata["writer"].parse().unwrap();
    assert!(reader.is_unfinished() || reader.frame_count() as u64 == FRAMES);
    let mut found = Frame::default();
    for index in 0..reader.frame_count() {
        reader.read_frame(index, &mut found).unwrap();
        assert_eq!(found, frame(writer, index as u64));
    }
    writer
}

/// What is written: contacts, or a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Contacts,
    Session,
}

impl What {
    fn file(self) -> &'static str {
        match self {
            Self::Contacts => "contacts.h5",
            Self::Session => "session.vtkhdf",
        }
    }

    fn write(self, path: &Path, writer: u64, steps: &mut Steps) -> Result<(), RecordingError> {
        match self {
            Self::Contacts => write_contacts(path, writer, steps),
            Self::Session => write_session(path, writer, steps),
        }
    }

    fn writer(self, path: &Path) -> u64 {
        match self {
            Self::Contacts => writer_of_contacts(path),
            Self::Session => writer_of_session(path),
        }
    }
}

/// Not a test of its own: code of the child process. It begins when its input ends.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let mut steps = Steps { dies_at: number(DIES_AT), done: 0 };
    let what =
        [What::Contacts, What::Session].into_iter().find(|what| Path::new(&path).ends_with(what.file()));
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    match what.unwrap().write(Path::new(&path), number(WRITER).unwrap(), &mut steps) {
        Ok(()) => {}
        Err(RecordingError::Busy { .. }) => std::process::exit(BUSY),
        Err(error) => panic!("{error}"),
    }
}

fn start(path: &Path, writer: u64, dies_at: Option<u64>) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -c 0; exec \"$1\" child --exact --nocapture --test-threads=1", "sh"]);
    command.arg(std::env::current_exe().unwrap()).env(CHILD, path).env(WRITER, writer.to_string());
    if let Some(step) = dies_at {
        command.env(DIES_AT, step.to_string());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[derive(Debug, Default)]
struct Totals {
    finished: usize,
    busy: usize,
    killed: usize,
    absent: usize,
    leftovers: usize,
}

/// One round; whoever is in `dies_at` dies there.
fn round(what: What, dies_at: &[Option<u64>], has_file: bool, totals: &mut Totals) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(what.file());
    let mut no_steps = Steps { dies_at: None, done: 0 };
    if has_file {
        what.write(&path, BEFORE, &mut no_steps).unwrap();
    }
    let mut children: Vec<Child> =
        (0..).zip(dies_at).map(|(writer, &dies_at)| start(&path, writer, dies_at)).collect();
    children.iter_mut().for_each(|child| drop(child.stdin.take()));
    let mut finished = Vec::new();
    for (writer, mut child) in (0..).zip(children) {
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        match child.wait().unwrap().code() {
            Some(0) => finished.push(writer),
            Some(BUSY) => totals.busy += 1,
            None => totals.killed += 1,
            code => panic!("{what:?}, writer {writer}: {code:?}, {message}"),
        }
    }
    totals.finished += finished.len();
    totals.leftovers += names(folder.path()).iter().filter(|name| name.ends_with(".part")).count();
    if path.exists() || what == What::Session && path.with_extension("vtkhdf.journal").exists() {
        let writer = what.writer(&path);
        let may_be = (0..dies_at.len() as u64).contains(&writer) || writer == BEFORE && has_file;
        assert!(may_be, "writer {writer}");
    } else {
        assert!(finished.is_empty() && !(has_file && what == What::Contacts), "{what:?}: the file is absent");
        totals.absent += 1;
    }
    what.write(&path, BEFORE, &mut no_steps).unwrap();
    assert_eq!(what.writer(&path), BEFORE);
    assert_eq!(names(folder.path()), [what.file()], "only the file is left");
}

fn rounds(what: What) -> Totals {
    let count = std::env::var(COUNT).map_or(ROUNDS, |count| count.parse().unwrap());
    let mut totals = Totals::default();
    for (processes, seed) in
        PROCESSES.into_iter().flat_map(|processes| (0..count).map(move |seed| (processes, seed)))
    {
        let random = &mut ChaCha8Rng::seed_from_u64(1000 * processes + seed);
        // Steps beyond the last are in finishing.
        let mut dies_at: Vec<Option<u64>> = (0..processes)
            .map(|_| random.random_bool(0.6).then(|| random.random_range(1..FRAMES + 12)))
            .collect();
        // In some rounds nobody finishes, in others nobody dies: each happens however the processes take turns.
        match seed % 4 {
            0 => dies_at.iter_mut().for_each(|step| *step = Some(step.map_or(1, |step| step.min(FRAMES)))),
            1 => dies_at.fill(None),
            _ => {}
        }
        round(what, &dies_at, seed % 2 == 1, &mut totals);
    }
    let _ =
        writeln!(std::io::stdout(), "{what:?}, {count} rounds each of {PROCESSES:?} processes: {totals:?}");
    totals
}

#[test]
fn contacts_are_those_of_one_writer_whole_or_absent() {
    let totals = rounds(What::Contacts);
    assert_eq!(totals.busy, 0, "every writer of contacts may finish: {totals:?}");
    // Of each number of processes there is a round in which all die and one in which all finish.
    assert!(
        totals.finished >= 14 && totals.killed >= 14 && totals.absent >= 3 && totals.leftovers >= 3,
        "{totals:?}"
    );
}

#[test]
fn sessions_have_one_writer_at_a_time() {
    let totals = rounds(What::Session);
    assert!(totals.finished >= 3 && totals.killed >= 3 && totals.busy > 0, "{totals:?}");
}
