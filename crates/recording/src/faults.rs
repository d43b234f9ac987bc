//! Sessions on disks that fail: at every write of a session, and at every step of finishing it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::container::{Chunking, Element, Library, Outcome, Sink, Stream};
use crate::convert;
use crate::journal::{JournalReader, JournalWriter, Storage, beginning, journal_path};
use crate::{
    Durability, Frame, ObjectInfo, Point, Primitive, Reader, RecordingError, SessionInfo, ShapeChange, State,
    Topology, TopologyChange, Writer, WriterOptions, recover,
};
use palpate_files::{FolderOperations, Replacement, SystemOperations};
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

const FRAMES: usize = 20;

/// How much of a write reaches the disk before it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Torn {
    Nothing,
    OneByte,
    Half,
    AllButOneByte,
}

impl Torn {
    const ALL: [Self; 4] = [Self::Nothing, Self::OneByte, Self::Half, Self::AllButOneByte];

    fn of(self, bytes: &[u8]) -> &[u8] {
        match self {
            Self::Nothing => &[],
            Self::OneByte => &bytes[..bytes.len().min(1)],
            Self::Half => &bytes[..bytes.len() / 2],
            Self::AllButOneByte => &bytes[..bytes.len().saturating_sub(1)],
        }
    }
}

/// Which operations of a disk fail; they are counted from 0.
#[derive(Clone, Copy, Debug)]
struct Fault {
    /// Appends and syncs from this one on fail, so many of them.
    first: usize,
    count: usize,
    torn: Torn,
    /// Whether cutting fails as well, whenever.
    cut_fails: bool,
}

#[derive(Debug, Default)]
struct Log {
    /// Appends and syncs that were tried.
    operations: usize,
    /// What was in the file at the last sync.
    synced: Vec<u8>,
}

/// A file on a disk that fails.
#[derive(Debug)]
struct FaultyDisk {
    file: File,
    path: PathBuf,
    fault: Fault,
    log: Arc<Mutex<Log>>,
}

impl FaultyDisk {
    fn fails(&mut self) -> bool {
        let mut log = self.log.lock().unwrap();
        log.operations += 1;
        (self.fault.first..self.fault.first + self.fault.count).contains(&(log.operations - 1))
    }
}

impl Storage for FaultyDisk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.fails() {
            self.file.write_all(self.fault.torn.of(bytes))?;
            return Err(ErrorKind::StorageFull.into());
        }
        self.file.write_all(bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.fault.cut_fails {
            return Err(io::Error::other("injected"));
        }
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.fails() {
            return Err(io::Error::other("injected"));
        }
        self.log.lock().unwrap().synced = fs::read(&self.path)?;
        Ok(())
    }
}

/// A sheet whose cells change, a body whose shape changes, and a ball.
fn session() -> SessionInfo {
    let object = |name: &str, kind: &str| ObjectInfo {
        name: name.to_string(),
        kind: kind.to_string(),
        ..ObjectInfo::default()
    };
    let topology = Topology::Triangles(vec![[0, 1, 2]]);
    let shape = Some("{\"radius\": 0}".to_string());
    let objects = vec![
        ObjectInfo { topology, ..object("sheet", "surface_mesh") },
        ObjectInfo { shape, ..object("body", "implicit") },
        object("ball", "sphere"),
    ];
    SessionInfo { objects, time_step: Some(1.0), ..SessionInfo::default() }
}

fn frame(index: usize) -> Frame {
    let at = index as f64;
    let pose = |x: f64| {
        let (position, size) = (Point::new(x, 0.5, 0.0), [0.25, 0.0, 0.0]);
        State::Primitive(Primitive { position, rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size })
    };
    let points = (0..5).map(|point| Point::new(at, f64::from(point), 1.0)).collect();
    let states = vec![State::Points(points), pose(at), pose(-at)];
    let cells = vec![[0, 1, (index % 3) as u32 + 2]; index % 4 + 1];
    let changes = match index % 5 {
        2 => vec![TopologyChange { object: 0, topology: Topology::Triangles(cells) }],
        _ => Vec::new(),
    };
    let shapes = match index % 4 {
        3 => vec![ShapeChange { object: 1, shape: format!("{{\"radius\": {index}}}") }],
        _ => Vec::new(),
    };
    Frame { time: at, states, changes, shapes, ..Frame::default() }
}

/// A writer whose journal is on a disk that fails.
fn start(path: &Path, durability: Durability, fault: Fault) -> (Writer, Arc<Mutex<Log>>) {
    let info = session();
    let header = crate::header::Header::new(&info).to_json().unwrap();
    let (bytes, path_of_journal) = (beginning(&header, &info), journal_path(path));
    fs::write(&path_of_journal, &bytes).unwrap();
    let mut file = File::options().write(true).open(&path_of_journal).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    let log = Arc::new(Mutex::new(Log { synced: bytes.clone(), operations: 0 }));
    let disk = FaultyDisk { file, path: path_of_journal.clone(), fault, log: log.clone() };
    let journal = JournalWriter::continued(&path_of_journal, Box::new(disk), bytes.len() as u64);
    let options = WriterOptions { durability, ..WriterOptions::default() };
    (Writer::with_journal(path, &info, options, (journal, header.len())), log)
}

/// Reads a session, which must be these frames of those made, with the cells and shapes that they change.
fn assert_frames(path: &Path, indices: &[usize], what: &str) {
    let mut reader = Reader::open(path).unwrap();
    let times: Vec<f64> = indices.iter().map(|&index| index as f64).collect();
    assert_eq!(reader.times(), times, "{what}");
    let info = session();
    let mut cells = info.objects[0].topology.clone();
    let mut shape = info.objects[1].shape.clone();
    let mut found = Frame::default();
    for (at, &index) in indices.iter().enumerate() {
        let mut wanted = frame(index);
        if at == 0 {
            // As `append_all` leaves them out.
            (wanted.changes, wanted.shapes) = (Vec::new(), Vec::new());
        }
        reader.read_frame(at, &mut found).unwrap();
        assert_eq!(found, wanted, "{what}");
        cells = wanted.changes.first().map_or(cells, |change| change.topology.clone());
        shape = wanted.shapes.first().map_or(shape, |change| Some(change.shape.clone()));
        assert_eq!(reader.topology(0, at).unwrap(), cells, "{what}");
        assert_eq!(reader.shape(1, at).unwrap(), shape.as_deref(), "{what}");
    }
}

/// Appends all frames that can be; returns those whose append returned `Ok`, and whether the writer said to be stopped.
fn append_all(writer: &mut Writer) -> (Vec<usize>, bool) {
    let mut kept = Vec::new();
    let mut stopped = false;
    for index in 0..FRAMES {
        let mut next = frame(index);
        if kept.is_empty() {
            (next.changes, next.shapes) = (Vec::new(), Vec::new());
        }
        match writer.append(&next) {
            Ok(()) => kept.push(index),
            Err(error) => stopped |= matches!(error, RecordingError::Stopped { .. }),
        }
        assert!(!stopped || kept.last() != Some(&index), "frame {index} is appended after a stop");
    }
    (kept, stopped)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_at_any_write_costs_the_frames_that_were_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let mut refused = 0;
    for first in 0..FRAMES {
        for (torn, count, cut_fails) in Torn::ALL
            .into_iter()
            .flat_map(|torn| [(torn, 1, false), (torn, 3, false), (torn, FRAMES, false), (torn, 1, true)])
        {
            let what = format!("{count} writes from {first} on, {torn:?}, cut fails {cut_fails}");
            let fault = Fault { first, count, torn, cut_fails };
            let (mut writer, _) = start(&path, Durability::Process, fault);
            let (kept, stopped) = append_all(&mut writer);
            let last = if cut_fails { FRAMES } else { first + count };
            let wanted: Vec<usize> = (0..first).chain(last.min(FRAMES)..FRAMES).collect();
            assert_eq!(kept, wanted, "{what}");
            assert_eq!(stopped, cut_fails && first + 1 < FRAMES, "{what}");
            refused += FRAMES - kept.len();
            println!("counted: writes of a session that a full disk cut: 1");
            assert_frames(&path, &kept, &what);
            // Each finished file is synced, which takes its time.
            if torn != Torn::Half || count == 1 && !cut_fails {
                fs::remove_file(journal_path(&path)).unwrap();
            } else if kept.is_empty() {
                assert!(writer.finish().is_err(), "{what}");
                fs::remove_file(journal_path(&path)).unwrap();
            } else {
                writer.finish().unwrap();
                assert_frames(&path, &kept, &what);
                fs::remove_file(&path).unwrap();
            }
            assert!(names(folder.path()).is_empty(), "{what}");
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// A writer that dies during a write, with every write before it in the file.
#[test]
fn a_kill_in_any_write_costs_that_frame_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    for first in 1..FRAMES {
        for torn in Torn::ALL {
            let what = format!("write {first}, {torn:?}");
            let fault = Fault { first, count: usize::MAX - FRAMES, torn, cut_fails: true };
            let (mut writer, _) = start(&path, Durability::Process, fault);
            let (kept, _) = append_all(&mut writer);
            drop(writer);
            assert_eq!(kept.len(), first, "{what}");
            println!("counted: writes of a session in which its process was killed: 1");
            assert_frames(&path, &kept, &what);
            if first % 4 > 0 {
                continue;
            }
            let recovered = recover(&path).unwrap();
            assert_eq!((recovered.frames, recovered.lost), (first, 0), "{what}");
            assert_eq!(recovered.skipped_bytes > 0, torn != Torn::Nothing, "{what}");
            assert_frames(&path, &kept, &what);
            fs::remove_file(&path).unwrap();
        }
    }
}

/// Power is lost at any append or sync: of what was not synced, nothing, all, or a part is on disk, or its length alone.
#[test]
fn power_loss_at_any_operation_costs_at_most_the_frames_since_the_last_sync() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let mut cases = 0;
    for every in [1, 3] {
        let operations = FRAMES + FRAMES / every;
        for (first, torn) in (0..operations).flat_map(|first| Torn::ALL.map(|torn| (first, torn))) {
            let fault = Fault { first, count: usize::MAX - operations, torn, cut_fails: true };
            let (mut writer, log) = start(&path, Durability::Power { frames: every }, fault);
            let (kept, _) = append_all(&mut writer);
            drop(writer);
            let written = fs::read(journal_path(&path)).unwrap();
            let synced = log.lock().unwrap().synced.clone();
            let unsynced = written.strip_prefix(synced.as_slice()).unwrap();
            let mut disks: Vec<Vec<u8>> = Torn::ALL.map(|torn| [&synced, torn.of(unsynced)].concat()).into();
            let mut zeros = synced.clone();
            zeros.resize(written.len(), 0);
            disks.extend([zeros, written]);
            for (number, disk) in disks.into_iter().enumerate() {
                let what = format!("operation {first}, {torn:?}, synced every {every}, disk {number}");
                fs::write(journal_path(&path), disk).unwrap();
                let found = Reader::open(&path).unwrap().frame_count();
                println!("counted: states of a disk after a power loss: 1");
                let promised = kept.len() / every * every;
                // A frame whose sync failed may be whole.
                assert!((promised..=kept.len() + 1).contains(&found), "{what}: {found} of {}", kept.len());
                assert_frames(&path, &Vec::from_iter(0..found), &what);
                if found > 0 && torn == Torn::Half && [2, 4].contains(&number) {
                    assert_eq!(recover(&path).unwrap().frames, found, "{what}");
                    assert_frames(&path, &Vec::from_iter(0..found), &what);
                    fs::remove_file(&path).unwrap();
                }
                cases += 1;
            }
        }
    }
    assert!(cases > 1000, "{cases}");
}

#[test]
fn nothing_is_appended_after_a_sync_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let fault = Fault { first: 5, count: 1, torn: Torn::Nothing, cut_fails: false };
    let (mut writer, _) = start(&path, Durability::Power { frames: 2 }, fault);
    let (kept, stopped) = append_all(&mut writer);
    assert_eq!((kept.as_slice(), stopped), ([0, 1, 2].as_slice(), true));
    assert_frames(&path, &kept, "the journal");
    let message = writer.append(&frame(9)).unwrap_err().to_string();
    assert!(message.contains("syncing it failed") && !message.contains('\n'), "{message}");
    writer.finish().unwrap();
    assert_frames(&path, &kept, "the file");
}

/// Lets one operation fail.
struct FailingOperations {
    at: usize,
    done: RefCell<Vec<&'static str>>,
}

impl FailingOperations {
    fn next(&self, name: &'static str) -> io::Result<()> {
        let mut done = self.done.borrow_mut();
        if done.len() == self.at {
            return Err(io::Error::other("injected"));
        }
        done.push(name);
        Ok(())
    }
}

impl FolderOperations for FailingOperations {
    fn sync(&self, file: &File) -> io::Result<()> {
        self.next("sync").and_then(|()| SystemOperations.sync(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.next("rename").and_then(|()| SystemOperations.rename(from, to))
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.next("sync folder").and_then(|()| SystemOperations.sync_folder(path))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.next("remove").and_then(|()| SystemOperations.remove(path))
    }
}

/// Also the order that makes power loss harmless: the name is on disk before the journal goes.
#[test]
fn whatever_fails_in_finishing_the_session_is_whole_or_in_its_journal() {
    let order = ["sync", "rename", "sync folder", "remove"];
    for at in 0..=order.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.vtkhdf");
        let none = Fault { first: usize::MAX, count: 0, torn: Torn::Nothing, cut_fails: false };
        let (mut writer, _) = start(&path, Durability::Process, none);
        let (kept, _) = append_all(&mut writer);
        let operations = FailingOperations { at, done: RefCell::default() };
        let finished = writer.finish_by(&operations);
        assert_eq!(finished.is_ok(), at == order.len(), "{finished:?}");
        assert_eq!(operations.done.into_inner(), order[..at]);
        let left: &[&str] = match at {
            0 | 1 => &["session.vtkhdf.journal"],
            2 | 3 => &["session.vtkhdf", "session.vtkhdf.journal"],
            _ => &["session.vtkhdf"],
        };
        assert_eq!(names(folder.path()), left);
        assert_frames(&path, &kept, "after finishing");
        if at < order.len() {
            assert_eq!(recover(&path).unwrap().frames, FRAMES);
            assert_eq!(names(folder.path()), ["session.vtkhdf"]);
            assert_frames(&path, &kept, "recovered");
        }
    }
}

/// An HDF5 file in which one operation fails, as on a full disk.
struct FailingSink {
    inner: Box<dyn Sink>,
    left: Arc<Mutex<usize>>,
}

impl FailingSink {
    fn next(&mut self) -> Outcome<&mut dyn Sink> {
        let mut left = self.left.lock().unwrap();
        *left = left.checked_sub(1).ok_or("no space left on device")?;
        Ok(self.inner.as_mut())
    }
}

impl Sink for FailingSink {
    fn group(&mut self, path: &str) -> Outcome<()> {
        self.next()?.group(path)
    }

    fn text_attribute(&mut self, group: &str, name: &str, value: &str) -> Outcome<()> {
        self.next()?.text_attribute(group, name, value)
    }

    fn integer_attribute(&mut self, group: &str, name: &str, values: &[i64]) -> Outcome<()> {
        self.next()?.integer_attribute(group, name, values)
    }

    fn soft_link(&mut self, group: &str, name: &str, target: &str) -> Outcome<()> {
        self.next()?.soft_link(group, name, target)
    }

    fn dataset(&mut self, path: &str, element: &Element, dimensions: &[u64], bytes: &[u8]) -> Outcome<()> {
        self.next()?.dataset(path, element, dimensions, bytes)
    }

    fn stream(&mut self, path: &str, element: &Element, row: &[u64], chunking: Chunking) -> Outcome<Stream> {
        self.next()?.stream(path, element, row, chunking)
    }

    fn append(&mut self, stream: Stream, bytes: &[u8]) -> Outcome<()> {
        self.next()?.append(stream, bytes)
    }

    fn close(mut self: Box<Self>) -> Outcome<()> {
        self.next()?;
        self.inner.close()
    }
}

#[test]
fn a_full_disk_anywhere_in_packing_leaves_the_journal_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let none = Fault { first: usize::MAX, count: 0, torn: Torn::Nothing, cut_fails: false };
    let (mut writer, _) = start(&path, Durability::Process, none);
    let (kept, _) = append_all(&mut writer);
    drop(writer);
    let failed = Cell::new(0);
    for operations in 0.. {
        let mut journal = JournalReader::open(&journal_path(&path)).unwrap();
        let replacement = Replacement::new(&path).unwrap();
        let inner = Library::default().create(&replacement).unwrap();
        let left = Arc::new(Mutex::new(operations));
        if convert::write(&mut journal, &path, Box::new(FailingSink { inner, left }), 1).is_ok() {
            replacement.complete().unwrap();
            break;
        }
        drop(replacement);
        failed.set(operations + 1);
        assert_eq!(names(folder.path()), ["session.vtkhdf.journal"], "operation {operations}");
        assert!(Reader::open(&path).unwrap().frame_count() == FRAMES);
    }
    assert!(failed.get() > 100, "{failed:?}");
    assert_frames(&path, &kept, "the file");
}
