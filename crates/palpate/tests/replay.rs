//! Replay of sessions through a scene: loading, order and errors.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate::contact::Contact;
use palpate::detect::Registry;
use palpate::geometry::{GeometryKind, SurfaceMesh};
use palpate::math::Point;
use palpate::recording::{
    Frame, ObjectInfo, PairInfo, Primitive, Reader, SessionInfo, State, Topology, TopologyChange, Writer,
    WriterOptions,
};
use palpate::replay::{Replay, ReplayOptions};
use std::path::Path;

const FRAMES: usize = 6;

fn object(name: &str, kind: &str, topology: Topology) -> ObjectInfo {
    ObjectInfo { name: name.to_owned(), kind: kind.to_owned(), topology, ..ObjectInfo::default() }
}

/// A tetrahedron of side 1 whose top sinks a little from frame to frame.
fn corners(frame: usize) -> Vec<Point> {
    let top = 1.0 - 0.05 * frame as f64;
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, top, 0.0]].map(Point::from).to_vec()
}

const CLOSED: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];

/// A probe over a tetrahedron: the probe comes down, grows in frame 3; the tetrahedron loses a face in frame 4.
fn record(path: &Path) {
    let info = SessionInfo {
        objects: vec![
            object("probe", "sphere", Topology::None),
            object("body", "surface_mesh", Topology::Triangles(CLOSED.to_vec())),
        ],
        pairs: vec![PairInfo { a: "probe".to_owned(), b: "body".to_owned(), ..PairInfo::default() }],
        ..SessionInfo::default()
    };
    let mut writer = Writer::create(path, &info, WriterOptions::default()).unwrap();
    for index in 0..FRAMES {
        let size = if index < 3 { 0.25 } else { 0.375 };
        let position = Point::new(0.25, 0.9 - 0.12 * index as f64, 0.25);
        let probe = Primitive { position, rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size: [size, 0.0, 0.0] };
        let mut changes = Vec::new();
        if index == 4 {
            changes.push(TopologyChange { object: 1, topology: Topology::Triangles(CLOSED[..3].to_vec()) });
        }
        let states = vec![State::Primitive(probe), State::Points(corners(index))];
        writer.append(&Frame { time: index as f64, states, changes, ..Frame::default() }).unwrap();
    }
    writer.finish().unwrap();
}

fn open(path: &Path) -> Replay {
    Replay::open(&[path], &ReplayOptions::default()).unwrap()
}

fn contacts(replay: &mut Replay, frame: usize) -> Vec<Contact> {
    replay.load(frame).unwrap();
    replay.detect().unwrap();
    replay.scene().all_contacts().map(|(_, contact)| *contact).collect()
}

#[test]
fn a_frame_has_the_same_contacts_whichever_came_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    record(&path);
    let mut in_order = open(&path);
    let straight: Vec<_> = (0..FRAMES).map(|frame| contacts(&mut in_order, frame)).collect();
    assert!(straight.iter().filter(|contacts| !contacts.is_empty()).count() >= 4, "{straight:?}");
    let mut jumping = open(&path);
    for frame in [5, 0, 3, 4, 2, 2, 1, 5, 4] {
        let again = contacts(&mut jumping, frame);
        assert_eq!(again.len(), straight[frame].len(), "frame {frame}");
        assert!(again.iter().zip(&straight[frame]).all(|(a, b)| a.same_bits(b)), "frame {frame}");
    }
}

#[test]
fn cells_and_sizes_follow_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    record(&path);
    let mut replay = open(&path);
    let body = replay.scene().id("body").unwrap();
    for (frame, triangles, closed) in [(3, 4, true), (4, 3, false), (5, 3, false), (2, 4, true)] {
        replay.load(frame).unwrap();
        let mesh = replay.scene().geometry_as::<SurfaceMesh>(body).unwrap();
        assert_eq!((mesh.triangles().len(), mesh.is_closed()), (triangles, closed), "frame {frame}");
        assert_eq!(mesh.points().positions(), corners(frame));
        let probe = replay.scene().geometry(replay.scene().id("probe").unwrap()).unwrap();
        let wanted = if frame < 3 { 0.25 } else { 0.375 };
        assert_eq!(probe.content()[0], wanted, "the radius in frame {frame}");
    }
}

#[test]
fn the_frame_before_is_the_previous_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    record(&path);
    let mut replay = open(&path);
    let body = replay.scene().id("body").unwrap();
    for frame in [1, 2, 5] {
        replay.load(frame).unwrap();
        let mesh = replay.scene().geometry_as::<SurfaceMesh>(body).unwrap();
        assert_eq!(mesh.points().previous().unwrap(), corners(frame - 1), "frame {frame}");
    }
}

/// Why a session of one frame with these objects and pairs cannot be replayed.
fn refusal(objects: Vec<ObjectInfo>, states: Vec<State>, options: &ReplayOptions) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let info = SessionInfo { objects, ..SessionInfo::default() };
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    writer.append(&Frame { time: 0.0, states, ..Frame::default() }).unwrap();
    writer.finish().unwrap();
    let replay = Replay::new(Reader::open(&path).unwrap(), Registry::standard(), options);
    replay.err().map(|error| error.to_string()).unwrap_or_default()
}

fn points() -> State {
    State::Points(vec![Point::origin(), Point::new(1.0, 0.0, 0.0)])
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let net = || object("net", "point_set", Topology::Points);
    let nothing = refusal(vec![net()], vec![points()], &ReplayOptions::default());
    assert!(nothing.starts_with("nothing to detect: no two of net (point_set) have"), "{nothing}");
    let cloud =
        refusal(vec![object("cloud", "volume", Topology::Points)], vec![points()], &ReplayOptions::default());
    assert!(cloud.contains("object \"cloud\" is of kind \"volume\": wanted one of point_set, "), "{cloud}");
    let pair = PairInfo { a: "net".to_owned(), b: "nobody".to_owned(), ..PairInfo::default() };
    let options = ReplayOptions { pairs: vec![pair], ..ReplayOptions::default() };
    let unknown = refusal(vec![net()], vec![points()], &options);
    assert_eq!(unknown, "no object \"nobody\" in the session: wanted one of net");
}

#[test]
fn all_pairs_are_bound_with_the_margin_or_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.vtkhdf");
    let names = ["one", "two"];
    let mut objects: Vec<_> = names.iter().map(|name| object(name, "point_set", Topology::Points)).collect();
    objects.push(object("ball", "sphere", Topology::None));
    let info = SessionInfo { objects, ..SessionInfo::default() };
    let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
    let ball =
        Primitive { position: Point::origin(), rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size: [1.0, 0.0, 0.0] };
    let states = vec![points(), points(), State::Primitive(ball)];
    writer.append(&Frame { time: 0.0, states, ..Frame::default() }).unwrap();
    writer.finish().unwrap();
    let options = ReplayOptions { margin: Some(0.5), ..ReplayOptions::default() };
    let replay = Replay::open(&[&path], &options).unwrap();
    let pairs: Vec<_> = replay.pairs().map(|pair| replay.names(pair).unwrap()).collect();
    assert!(pairs.contains(&["one", "ball"]) && pairs.contains(&["two", "ball"]));
    assert_eq!(pairs.len() + replay.unsupported().len(), 3);
    assert!(replay.pairs().all(|pair| replay.scene().pair(pair).unwrap().margin() == 0.5));
    let kinds: Vec<_> =
        replay.scene().geometries().map(|id| replay.scene().geometry(id).unwrap().kind()).collect();
    assert_eq!(kinds, [GeometryKind::POINT_SET, GeometryKind::POINT_SET, GeometryKind::SPHERE]);
}
