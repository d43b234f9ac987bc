//! Sessions that move, made from a seed: every kind of object that a session can hold.

#![allow(dead_code, reason = "each test uses a part")]

use palpate_recording::{
    Frame, ObjectInfo, PairInfo, Point, Primitive, SessionInfo, State, Topology, Writer, WriterOptions,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// An object of a kind with points, on a square of `side` × `side` points.
pub(crate) fn mesh(name: &str, kind: &str, side: u32) -> ObjectInfo {
    let squares = (0..side - 1).flat_map(|row| (0..side - 1).map(move |column| row * side + column));
    let topology = match kind {
        "point_set" => Topology::Points,
        "line_mesh" => Topology::Lines((0..side * side - 1).map(|point| [point, point + 1]).collect()),
        "surface_mesh" => Topology::Triangles(
            squares.flat_map(|at| [[at, at + 1, at + side], [at + 1, at + side + 1, at + side]]).collect(),
        ),
        "tetra_mesh" => {
            Topology::Tetrahedra(squares.map(|at| [at, at + 1, at + side, at + side + 1]).collect())
        }
        _ => panic!("{kind} has no points"),
    };
    ObjectInfo { name: name.into(), kind: kind.into(), topology, ..ObjectInfo::default() }
}

/// A primitive shape.
pub(crate) fn primitive(name: &str, kind: &str) -> ObjectInfo {
    ObjectInfo { name: name.into(), kind: kind.into(), ..ObjectInfo::default() }
}

/// A session with an object of every kind, pairs, and metadata.
pub(crate) fn every_kind(side: u32) -> SessionInfo {
    let mut objects = vec![
        mesh("liver", "surface_mesh", side),
        mesh("liver tets", "tetra_mesh", side),
        ObjectInfo { radius: Some(0.1 + 0.2), ..mesh("thread", "line_mesh", side) },
        ObjectInfo { radius: Some(0.0), ..mesh("probe ö", "point_set", side) },
    ];
    objects.extend(["sphere", "capsule", "cylinder", "oriented_box"].map(|kind| primitive(kind, kind)));
    objects.push(ObjectInfo { two_sided: Some(true), ..primitive("floor", "plane") });
    objects[0].closed = Some(false);
    let pairs = vec![
        PairInfo { a: "liver".into(), b: "capsule".into(), margin: 1.0 / 3.0, ..PairInfo::default() },
        PairInfo {
            a: "thread".into(),
            b: "thread".into(),
            detector: Some("line_mesh_line_mesh".into()),
            ..PairInfo::default()
        },
    ];
    let metadata = [("surgeon".to_string(), "Ωmega \"quoted\"\nline".to_string())].into();
    SessionInfo { objects, pairs, time_step: Some(0.01), metadata }
}

/// Frame `index` of a session; the same for the same arguments.
pub(crate) fn frame(info: &SessionInfo, side: u32, index: usize) -> Frame {
    let mut random = ChaCha8Rng::seed_from_u64(index as u64);
    let states = info.objects.iter().map(|object| match object.topology {
        Topology::None => State::Primitive(pose(&object.kind, &mut random)),
        _ => State::Points((0..side * side).map(|_| point(&mut random)).collect()),
    });
    Frame { time: 0.01 * index as f64, states: states.collect(), ..Frame::default() }
}

/// Writes a complete session.
pub(crate) fn write(path: &Path, info: &SessionInfo, side: u32, frames: usize, compression: u32) {
    let options = WriterOptions { compression, overwrite: true, ..WriterOptions::default() };
    let mut writer = Writer::create(path, info, options).unwrap();
    for index in 0..frames {
        writer.append(&frame(info, side, index)).unwrap();
    }
    writer.finish().unwrap();
}

fn point(random: &mut impl Rng) -> Point {
    Point::new(random.random_range(-0.1..0.1), random.random_range(-0.1..0.1), random.random_range(-0.1..0.1))
}

fn pose(kind: &str, random: &mut impl Rng) -> Primitive {
    let mut quaternion: [f64; 4] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= length);
    let size = match kind {
        "sphere" => [0.02, 0.0, 0.0],
        "capsule" | "cylinder" => [0.007, 0.1, 0.0],
        "oriented_box" => [0.01, 0.02, 0.03],
        _ => [0.0; 3],
    };
    Primitive { position: point(random), rotation_wxyz: quaternion, size }
}
