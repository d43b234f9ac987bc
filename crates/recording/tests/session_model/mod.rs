//! Random sessions: objects of all kinds, with states, cells and shapes that change, and what must be read back.

use palpate_recording::{
    Durability, Frame, Missing, ObjectInfo, PairInfo, PartOf, Placement, Point, Primitive, Reader,
    SessionInfo, ShapeChange, State, Topology, TopologyChange, WriterOptions,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

/// A session to be written; all of it follows from the seed.
pub(crate) struct Model {
    pub(crate) info: SessionInfo,
    pub(crate) frames: Vec<Frame>,
    pub(crate) options: WriterOptions,
}

/// What a session that was read is, and whether any of its frames change something: to count that it happens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Read {
    pub(crate) frames: usize,
    pub(crate) changes: usize,
    pub(crate) missing: Missing,
}

const KINDS: [&str; 13] = [
    "point_set",
    "line_mesh",
    "surface_mesh",
    "tetra_mesh",
    "sphere",
    "capsule",
    "cylinder",
    "plane",
    "oriented_box",
    "convex",
    "implicit",
    "compound",
    "rope",
];

fn point(random: &mut impl Rng) -> Point {
    Point::new(random.random_range(-1.0..1.0), random.random_range(-1.0..1.0), random.random_range(-1.0..1.0))
}

/// Some cells, often none, of points below `points`.
fn cells(like: &Topology, points: u32, random: &mut impl Rng) -> Topology {
    let count = if random.random_ratio(1, 4) { 0 } else { random.random_range(1..12) };
    fn some<const N: usize>(count: usize, points: u32, random: &mut impl Rng) -> Vec<[u32; N]> {
        (0..count).map(|_| std::array::from_fn(|_| random.random_range(0..points))).collect()
    }
    match like {
        Topology::Lines(_) => Topology::Lines(some(count, points, random)),
        Topology::Triangles(_) => Topology::Triangles(some(count, points, random)),
        Topology::Tetrahedra(_) => Topology::Tetrahedra(some(count, points, random)),
        other => other.clone(),
    }
}

fn object(number: usize, random: &mut impl Rng) -> ObjectInfo {
    let kind = KINDS[random.random_range(0..KINDS.len())];
    let topology = match kind {
        "point_set" => Topology::Points,
        "line_mesh" => Topology::Lines(Vec::new()),
        "surface_mesh" => Topology::Triangles(Vec::new()),
        "tetra_mesh" => Topology::Tetrahedra(Vec::new()),
        "rope" => [
            Topology::None,
            Topology::Points,
            Topology::Lines(Vec::new()),
            Topology::Triangles(Vec::new()),
            Topology::Tetrahedra(Vec::new()),
        ][random.random_range(0..5)]
        .clone(),
        _ => Topology::None,
    };
    let has_points = topology != Topology::None;
    let words = [None, Some("pseudonormals"), Some("winding_number")];
    ObjectInfo {
        name: format!("{kind} {number} ö"),
        kind: kind.to_string(),
        radius: random.random_bool(0.3).then(|| random.random_range(0.0..0.1)),
        closed: random.random_bool(0.3).then(|| random.random()),
        two_sided: random.random_bool(0.2).then(|| random.random()),
        sidedness: words[random.random_range(0..3)].map(str::to_string),
        shape: random.random_bool(0.5).then(|| format!("{{\"first\": \"{number} \\\"\"}}")),
        placed: (has_points || kind == "compound") && random.random_bool(0.3),
        part_of: None,
        topology: cells(&topology, 4, random),
    }
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut objects: Vec<ObjectInfo> =
            (0..random.random_range(1..7)).map(|number| object(number, random)).collect();
        let compounds: Vec<String> = objects
            .iter()
            .filter(|object| object.kind == "compound")
            .map(|object| object.name.clone())
            .collect();
        if let Some(compound) = compounds.first() {
            for (child, object) in objects.iter_mut().filter(|object| object.kind != "compound").enumerate() {
                let compound = compound.clone();
                object.part_of =
                    random.random_bool(0.5).then_some(PartOf { compound, child: child as u32 * 3 });
            }
        }
        let pair = |random: &mut ChaCha8Rng| PairInfo {
            a: objects[random.random_range(0..objects.len())].name.clone(),
            b: objects[random.random_range(0..objects.len())].name.clone(),
            margin: random.random_range(0.0..0.1),
            detector: random.random_bool(0.3).then(|| "any".to_string()),
            settings: random.random_bool(0.3).then(|| "{}".to_string()),
            exchanged: if random.random_bool(0.2) { vec![true, false] } else { Vec::new() },
        };
        let pairs = (0..random.random_range(0..3)).map(|_| pair(random)).collect();
        let time_step = random.random_bool(0.5).then(|| random.random_range(0.001..1.0));
        let info =
            SessionInfo { objects, pairs, time_step, metadata: [("seed".into(), seed.to_string())].into() };
        let durability = match random.random_range(0..3) {
            0 => Durability::Process,
            frames => Durability::Power { frames },
        };
        let compression = [0, 1, 4][random.random_range(0..3)];
        let options = WriterOptions { compression, durability, ..WriterOptions::default() };
        let mut model = Self { info, frames: Vec::new(), options };
        for index in 0..random.random_range(1..12) {
            let frame = model.frame(index, random);
            model.frames.push(frame);
        }
        model
    }

    fn frame(&self, index: usize, random: &mut ChaCha8Rng) -> Frame {
        let before = self.frames.last();
        let time = before.map_or(-1.0, |before| before.time) + random.random_range(0.001..2.0);
        let mut frame = Frame { time, ..Frame::default() };
        for (number, object) in self.info.objects.iter().enumerate() {
            // Often at rest.
            let rests = random.random_bool(0.3);
            match before.filter(|_| rests) {
                Some(before) => frame.states.push(before.states[number].clone()),
                None if object.topology == Topology::None => frame.states.push(pose(random)),
                None => {
                    let count = if random.random_bool(0.8) { 6 } else { random.random_range(4..9) };
                    frame.states.push(State::Points((0..count).map(|_| point(random)).collect()));
                }
            }
            let has_cells = object.topology.points_per_cell() > 0;
            if index > 0 && has_cells && random.random_bool(0.25) {
                // Always below the least number of points.
                let topology = cells(&object.topology, 4, random);
                frame.changes.push(TopologyChange { object: number, topology });
            }
            if index > 0 && object.shape.is_some() && random.random_bool(0.25) {
                frame.shapes.push(ShapeChange { object: number, shape: format!("{{\"frame\": {index}}}") });
            }
            if object.placed && object.topology != Topology::None {
                let State::Primitive(Primitive { position, rotation_wxyz, .. }) = pose(random) else {
                    continue;
                };
                frame.placements.push(Placement { object: number, position, rotation_wxyz });
            }
        }
        frame
    }

    /// The cells and the shape of an object after the frames `kept`.
    fn after(&self, object: usize, kept: &[usize]) -> (&Topology, Option<&str>) {
        let newest = kept.iter().rev().map(|&index| &self.frames[index]);
        let cells = newest.clone().flat_map(|frame| &frame.changes).find(|change| change.object == object);
        let shape = newest.flat_map(|frame| &frame.shapes).find(|change| change.object == object);
        let info = &self.info.objects[object];
        let cells = cells.map_or(&info.topology, |change| &change.topology);
        (cells, shape.map_or(info.shape.as_deref(), |change| Some(change.shape.as_str())))
    }

    /// Reads the session `path`, of which the frames `kept` were appended. Each frame must be one of these, to the bit, with the
    /// cells and shapes of its time; all must be there unless some `may_miss`.
    pub(crate) fn check(&self, path: &Path, kept: &[usize], may_miss: bool, what: &str) -> Read {
        let mut reader = Reader::open(path).unwrap_or_else(|error| panic!("{what}: {error}"));
        let number = |time: &f64| kept.iter().position(|&index| self.frames[index].time == *time);
        let numbers: Vec<usize> = reader.times().iter().map(|time| number(time).expect(what)).collect();
        assert!(numbers.is_sorted_by(|one, two| one < two), "{what}: {numbers:?}");
        let missing = reader.missing();
        if may_miss {
            assert!(numbers.len() + missing.frames <= kept.len(), "{what}: {numbers:?}, {missing:?}");
        } else {
            assert_eq!(numbers.len(), kept.len(), "{what}: {numbers:?} of {kept:?}");
            assert_eq!(missing.frames, 0, "{what}");
        }
        self.check_info(&reader, &numbers, what);
        let mut read = Read { frames: numbers.len(), missing, changes: 0 };
        let mut found = Frame::default();
        for (at, &number) in numbers.iter().enumerate() {
            let wanted = &self.frames[kept[number]];
            reader.read_frame(at, &mut found).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!((&found.states, &found.placements), (&wanted.states, &wanted.placements), "{what}");
            for object in 0..self.info.objects.len() {
                let (cells, shape) = self.after(object, &kept[..=number]);
                assert_eq!(
                    &reader.topology(object, at).unwrap(),
                    cells,
                    "{what}, object {object}, frame {at}"
                );
                assert_eq!(reader.shape(object, at).unwrap(), shape, "{what}, object {object}, frame {at}");
            }
            let in_full = at.checked_sub(1).is_some_and(|before| numbers[before] + 1 == number);
            if in_full {
                assert_eq!(found.changes, wanted.changes, "{what}");
            }
            read.changes += found.changes.len() + found.shapes.len();
        }
        read
    }

    fn check_info(&self, reader: &Reader, numbers: &[usize], what: &str) {
        let mut info = reader.info().clone();
        let is_interrupted = numbers.windows(2).any(|pair| pair[0] + 1 != pair[1]);
        // Two times make an even step, and no random ones do.
        let wanted = if is_interrupted { None } else { self.info.time_step };
        assert!(
            info.time_step == wanted || wanted.is_none() && numbers.len() == 2,
            "{what}: {:?}",
            info.time_step
        );
        info.time_step = self.info.time_step;
        if numbers.first().is_some_and(|&first| first > 0) {
            // The first cells and shapes are those of a later frame.
            for (object, wanted) in info.objects.iter_mut().zip(&self.info.objects) {
                (object.topology, object.shape) = (wanted.topology.clone(), wanted.shape.clone());
            }
        }
        assert_eq!(info, self.info, "{what}");
    }
}

fn pose(random: &mut impl Rng) -> State {
    let mut quaternion: [f64; 4] = std::array::from_fn(|_| random.random_range(-1.0..1.0));
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= length);
    let size = [random.random_range(0.1..1.0), random.random_range(0.1..1.0), 0.25];
    State::Primitive(Primitive { position: point(random), rotation_wxyz: quaternion, size })
}
