//! Running the command, and small sessions to run it on.

use palpate::math::Point;
use palpate::recording::{
    Frame, ObjectInfo, PairInfo, Primitive, SessionInfo, State, Topology, Writer, WriterOptions,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The outcome of a run.
pub(crate) struct Outcome {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// Asserts success.
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert_eq!(self.status, 0, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stderr, "");
        self
    }

    /// Asserts an exit status and one line on standard error, perhaps with a hint below it, that contain these words.
    #[track_caller]
    pub(crate) fn refused(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, status, "{}", self.stderr);
        assert!(self.stderr.starts_with("palpate: error: "), "{}", self.stderr);
        let mut below = self.stderr.lines().skip(1);
        assert!(
            below.next().is_none_or(|line| line.starts_with("palpate: hint: ")),
            "one line: {}",
            self.stderr
        );
        assert!(below.next().is_none() && self.stderr.ends_with('\n'), "one line: {}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "no {word:?} in {}", self.stderr);
        }
    }
}

/// Runs the command.
pub(crate) fn palpate<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Outcome {
    palpate_with_input(arguments, b"")
}

/// Runs the command with bytes on standard input.
pub(crate) fn palpate_with_input<S: AsRef<std::ffi::OsStr>>(arguments: &[S], input: &[u8]) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_palpate"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that does not read its input closes it, which is not a failure.
    let feeder = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = feeder.join().unwrap();
    Outcome {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The text of a path.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The files of a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(name).collect();
    files.sort();
    files
}

/// The recording in the repository.
pub(crate) fn kept_demo() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/demo.vtkhdf")
}

/// A file made for bad input.
pub(crate) fn damaged(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

/// A ball of radius 0.5 that sinks into the floor by 0.1 per frame, touching in frame 0; a second, static ball at
/// (3, 0.25, 0), and two-sided sheets that no ball touches.
pub(crate) fn sinking_ball(path: &Path, frames: usize, pairs: &[(&str, &str)]) {
    let pair = |&(a, b): &(&str, &str)| PairInfo { a: a.to_owned(), b: b.to_owned(), ..PairInfo::default() };
    sinking_ball_with(path, frames, pairs.iter().map(pair).collect());
}

/// [`sinking_ball`] with pairs in full.
pub(crate) fn sinking_ball_with(path: &Path, frames: usize, pairs: Vec<PairInfo>) {
    let object = |name: &str, kind: &str, topology| ObjectInfo {
        name: name.to_owned(),
        kind: kind.to_owned(),
        topology,
        ..ObjectInfo::default()
    };
    let info = SessionInfo {
        objects: vec![
            object("ball", "sphere", Topology::None),
            object("still", "sphere", Topology::None),
            object("floor", "plane", Topology::None),
            object("net", "point_set", Topology::Points),
        ],
        pairs,
        time_step: Some(0.5),
        ..SessionInfo::default()
    };
    let options = WriterOptions { overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, &info, options).unwrap();
    let primitive = |position: Point, radius: f64| {
        State::Primitive(Primitive {
            position,
            rotation_wxyz: [1.0, 0.0, 0.0, 0.0],
            size: [radius, 0.0, 0.0],
        })
    };
    for index in 0..frames {
        let states = vec![
            primitive(Point::new(0.0, 0.5 - 0.1 * index as f64, 0.0), 0.5),
            primitive(Point::new(3.0, 0.25, 0.0), 0.5),
            primitive(Point::origin(), 0.0),
            State::Points(vec![Point::new(9.0, 9.0, 9.0), Point::new(10.0, 9.0, 9.0)]),
        ];
        writer.append(&Frame { time: 0.5 * index as f64, states, ..Frame::default() }).unwrap();
    }
    writer.finish().unwrap();
}
