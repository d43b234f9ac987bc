//! A frame of a session has the same contacts whichever frames were loaded before, also where cells turn over and the order of two
//! geometries of one kind by their content changes.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking, also in shared helpers")]

use palpate::contact::Contact;
use palpate::geometry::TetraMesh;
use palpate::math::{Point, Vector};
use palpate::recording::{
    Frame, ObjectInfo, PairInfo, Primitive, SessionInfo, State, Topology, TopologyChange, Writer,
    WriterOptions,
};
use palpate::replay::{Replay, ReplayOptions};
use std::path::Path;

const FRAMES: usize = 6;

/// The frame in which the cells of a mesh change.
const CUT: usize = 3;

struct Random(u64);

impl Random {
    /// A number between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
}

const CELLS: [[u32; 4]; 2] = [[0, 1, 2, 3], [1, 2, 3, 4]];
const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

/// Two cells at rest, or with one vertex anywhere.
fn flesh(random: &mut Random, at_rest: bool) -> Vec<Point> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
    let by = 0.2 * random.vector();
    let mut points = corners.map(|corner| Point::from(Vector::from(corner) + by)).to_vec();
    if !at_rest {
        points[(2.5 + 2.4 * random.number()) as usize] += 1.5 * random.vector();
    }
    points
}

fn object(name: &str, kind: &str, topology: Topology) -> ObjectInfo {
    ObjectInfo { name: name.to_owned(), kind: kind.to_owned(), topology, ..ObjectInfo::default() }
}

/// Writes a session without descriptions; returns in how many frames a cell has another sign than in the first.
fn record(path: &Path, random: &mut Random, named: bool) -> usize {
    let tetrahedra = Topology::Tetrahedra(CELLS.to_vec());
    let objects = vec![
        object("liver", "tetra_mesh", tetrahedra.clone()),
        object("spleen", "tetra_mesh", tetrahedra),
        object("stone", "surface_mesh", Topology::Triangles(FACES.to_vec())),
        object("clot", "surface_mesh", Topology::Triangles(FACES.to_vec())),
        object("probe", "sphere", Topology::None),
        object("bead", "sphere", Topology::None),
    ];
    let names: Vec<String> = objects.iter().map(|object| object.name.clone()).collect();
    let mut info = SessionInfo { objects, ..SessionInfo::default() };
    if named {
        for (place, a) in names.iter().enumerate() {
            for b in &names[place + 1..] {
                info.pairs.push(PairInfo { a: a.clone(), b: b.clone(), margin: 0.1, ..PairInfo::default() });
            }
        }
    }
    let mut writer = Writer::create(path, &info, WriterOptions::default()).unwrap();
    let (mut turned, mut first) = (0, None);
    for index in 0..FRAMES {
        let meshes = [0, 1].map(|_| flesh(random, index % 3 == 0));
        let signs =
            meshes.clone().map(|points| TetraMesh::new(points, CELLS.to_vec()).unwrap().inverted_cells());
        turned += usize::from(*first.get_or_insert(signs.clone()) != signs);
        let mut states: Vec<State> = meshes.into_iter().map(State::Points).collect();
        for _ in 0..2 {
            states.push(State::Points(flesh(random, false)[..4].to_vec()));
        }
        for size in [0.5, 0.5] {
            let position = Point::from(Vector::repeat(0.3) + 0.4 * random.vector());
            let rotation_wxyz = [1.0, 0.0, 0.0, 0.0];
            states.push(State::Primitive(Primitive { position, rotation_wxyz, size: [size, 0.0, 0.0] }));
        }
        let mut changes = Vec::new();
        if index == CUT {
            let cells = Topology::Tetrahedra(vec![CELLS[1], CELLS[0]]);
            changes.push(TopologyChange { object: 1, topology: cells });
        }
        writer.append(&Frame { time: index as f64, states, changes, ..Frame::default() }).unwrap();
    }
    writer.finish().unwrap();
    turned
}

fn contacts(replay: &mut Replay, frame: usize) -> Vec<Contact> {
    replay.load(frame).unwrap();
    replay.detect().unwrap();
    replay.scene().all_contacts().map(|(_, contact)| *contact).collect()
}

#[test]
fn playing_through_and_jumping_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(7);
    let (mut turned, mut compared) = (0, 0);
    for session in 0..24 {
        let path = folder.path().join(format!("session-{session}.vtkhdf"));
        turned += record(&path, &mut random, session % 2 == 0);
        let open = || Replay::open(&[&path], &ReplayOptions::default()).unwrap();
        let mut playing = open();
        let straight: Vec<_> = (0..FRAMES).map(|frame| contacts(&mut playing, frame)).collect();
        let mut jumping = open();
        for frame in [FRAMES - 1, 1, CUT, 4, 0, 2, 5, CUT, 4] {
            let anew = contacts(&mut open(), frame);
            for again in [contacts(&mut jumping, frame), anew] {
                let same = again.len() == straight[frame].len()
                    && again.iter().zip(&straight[frame]).all(|(a, b)| a.same_bits(b));
                assert!(same, "session {session}, frame {frame}: {again:#?}, wanted {:#?}", straight[frame]);
                compared += again.len();
            }
        }
    }
    assert!(turned > 30 && compared > 5000, "{turned} frames with cells turned over, {compared} contacts");
}
