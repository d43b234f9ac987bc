//! Replay of sessions through a scene: loading, order and errors.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

use palpate::contact::Contact;
use palpate::detect::Registry;
use palpate::geometry::{GeometryKind, Sidedness, SurfaceMesh};
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

/// A probe above a tetrahedron: the probe descends and grows in frame 3; the tetrahedron loses a face in frame 4.
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
fn contacts_do_not_depend_on_the_frame_loaded_before() {
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
fn a_surface_has_the_sidedness_of_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let probe =
        Primitive { position: Point::origin(), rotation_wxyz: [1.0, 0.0, 0.0, 0.0], size: [0.1, 0.0, 0.0] };
    let states = vec![State::Points(corners(0)), State::Primitive(probe)];
    let words = [
        (None, None),
        (Some("pseudonormals"), Some(Sidedness::Pseudonormals)),
        (Some("winding_number"), Some(Sidedness::WindingNumber)),
    ];
    for (number, (word, wanted)) in words.into_iter().enumerate() {
        let path = folder.path().join(format!("{number}.vtkhdf"));
        let body = object("body", "surface_mesh", Topology::Triangles(CLOSED.to_vec()));
        let body = ObjectInfo { sidedness: word.map(str::to_owned), ..body };
        let probe = object("probe", "sphere", Topology::None);
        let info = SessionInfo { objects: vec![body, probe], ..SessionInfo::default() };
        let mut writer = Writer::create(&path, &info, WriterOptions::default()).unwrap();
        writer.append(&Frame { states: states.clone(), ..Frame::default() }).unwrap();
        writer.finish().unwrap();
        let mut replay = open(&path);
        replay.load(0).unwrap();
        let body = replay.scene().id("body").unwrap();
        let sidedness = replay.scene().geometry_as::<SurfaceMesh>(body).unwrap().sidedness();
        assert_eq!(sidedness, wanted.unwrap_or(Sidedness::Pseudonormals), "{word:?}");
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
fn errors_say_why_a_session_cannot_be_replayed() {
    let net = || object("net", "point_set", Topology::Points);
    let nothing = refusal(vec![net()], vec![points()], &ReplayOptions::default());
    assert!(
        nothing.starts_with("nothing to detect: \"net\" is the only object; wanted a second one"),
        "{nothing}"
    );
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

/// A cube of half side 1, as an OBJ file in this unit of length.
#[cfg(feature = "mesh-io")]
fn cube(path: &Path, unit: f64) {
    let corner = |id: u32| [0, 1, 2].map(|axis| if id >> axis & 1 == 0 { -unit } else { unit });
    let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(path, vertices + faces).unwrap();
}

/// A mesh file is an object that does not move, whichever frame is loaded and in whichever order.
#[cfg(feature = "mesh-io")]
#[test]
fn mesh_files_are_objects_that_do_not_move() {
    use palpate::replay::SessionFiles;
    let folder = tempfile::tempdir().unwrap();
    let (session, mesh) = (folder.path().join("session.h5"), folder.path().join("table.obj"));
    record(&session);
    // In millimetres: the cube reaches up to 0.1 m.
    cube(&mesh, 100.0);
    let pair = |a: &str, b: &str| PairInfo { a: a.to_owned(), b: b.to_owned(), ..PairInfo::default() };
    let options =
        ReplayOptions { pairs: vec![pair("probe", "table")], mesh_scale: 1e-3, ..ReplayOptions::default() };
    let mut replay = Replay::open(&[&mesh, &session], &options).unwrap();
    assert_eq!(replay.frame_count(), FRAMES);
    let mut touched = 0;
    for frame in [5, 2, 3, 4, 0, 5] {
        // The centre of the probe is at (0.25, 0.9 - 0.12 i, 0.25), outside the cube by its edges or its corner.
        let height = 0.9 - 0.12 * frame as f64;
        let radius = if frame < 3 { 0.25 } else { 0.375 };
        let gap = [0.15, (height - 0.1).max(0.0), 0.15].iter().map(|x| x * x).sum::<f64>().sqrt();
        let found = contacts(&mut replay, frame);
        assert_eq!(found.is_empty(), gap > radius, "frame {frame}");
        if let [contact, ..] = &found[..] {
            assert!((contact.depth - (radius - gap)).abs() < 1e-12, "frame {frame}");
            touched += 1;
        }
    }
    assert!(touched >= 2);
    let alone = SessionFiles::open(&[&mesh], &options).unwrap();
    assert!(alone.pairs().is_empty());
    let alone = Replay::new(alone, Registry::standard(), &ReplayOptions::default()).err().unwrap();
    assert_eq!(
        alone.to_string(),
        "nothing to detect: \"table\" is the only object; wanted a second one, or the pair of it with itself"
    );
    let missing = ReplayOptions { pairs: vec![pair("prob", "table")], ..ReplayOptions::default() };
    let error = Replay::open(&[&mesh, &session], &missing).err().unwrap().to_string();
    assert_eq!(
        error,
        "no object \"prob\" in the session: did you mean \"probe\"? wanted one of probe, body, table"
    );
    let mut meshes = Replay::open(&[&mesh, &folder.path().join("other.obj")], &options);
    assert!(meshes.is_err(), "the second file is missing");
    cube(&folder.path().join("other.obj"), 50.0);
    let both = ReplayOptions { pairs: vec![pair("other", "table")], ..options };
    meshes = Replay::open(&[&mesh, &folder.path().join("other.obj")], &both);
    let mut meshes = meshes.unwrap();
    assert_eq!((meshes.frame_count(), meshes.time_step()), (1, None));
    assert!(!contacts(&mut meshes, 0).is_empty());
    assert_eq!(meshes.load(1).unwrap_err().to_string(), "the session has no frame 1: wanted one of 1");
}
