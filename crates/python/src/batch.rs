//! Many poses of two geometries, each detected by itself.

use crate::error::{Failure, Outcome, detached};
use crate::geometry::Geometry;
use crate::input::poses;
use crate::memory::{Bytes, bytes_of};
use crate::scene::options;
use crate::threads;
use palpate::contact::{CollisionData, Contact};
use palpate::detect::{Bound, Choice, Context, Detection, Registry};
use palpate::geometry::{Geometry as Shape, Pose};
use palpate::scene::{Groups, PairId, PairOptions, Scene};
use pyo3::prelude::*;
use std::sync::LazyLock;

/// Poses are detected in blocks of this many: some tens of microseconds of the cheapest pairs.
const BLOCK: usize = 256;

/// All detectors, made once.
static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// Contacts, where those of each query end, and the flags of each.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) contacts: Vec<Contact>,
    pub(crate) ends: Vec<u64>,
    pub(crate) flags: Vec<u32>,
}

impl Found {
    /// Appends the contacts of one query.
    pub(crate) fn push(&mut self, contacts: &[Contact], flags: u32) {
        self.contacts.extend_from_slice(contacts);
        self.ends.push(self.contacts.len() as u64);
        self.flags.push(flags);
    }

    /// Blocks in their order; the offsets begin with 0.
    pub(crate) fn joined(mut blocks: Vec<Self>) -> Self {
        if let [_] = blocks[..]
            && let Some(mut only) = blocks.pop()
        {
            only.ends.insert(0, 0);
            return only;
        }
        let total = blocks.iter().map(|block| block.contacts.len()).sum();
        let mut all = Self { contacts: Vec::with_capacity(total), ends: vec![0], flags: Vec::new() };
        for block in blocks {
            let before = all.contacts.len() as u64;
            all.contacts.extend_from_slice(&block.contacts);
            all.ends.extend(block.ends.iter().map(|end| end + before));
            all.flags.extend_from_slice(&block.flags);
        }
        all
    }
}

/// Two geometries and the options of their pair.
struct Query<'a> {
    a: &'a dyn Shape,
    /// `None` for the contacts of `a` with itself.
    b: Option<&'a dyn Shape>,
    options: &'a PairOptions,
    poses: [Option<&'a [Pose]>; 2],
    /// The poses from which the bodies come; at rest without them.
    previous: [Option<&'a [Pose]>; 2],
}

/// The memory of one thread.
enum Worker {
    /// Shapes that have poses: the detector itself.
    Bound { bound: Box<Bound>, shapes: [Option<Box<dyn Shape>>; 2], out: CollisionData },
    /// Meshes that are placed: a scene of two.
    Scene { scene: Box<Scene>, ids: [palpate::scene::GeometryId; 2], pair: PairId },
}

fn copy(shape: &dyn Shape) -> Outcome<Box<dyn Shape>> {
    shape.try_clone().ok_or_else(|| Failure::unsupported(format!("a {} cannot be copied", shape.kind())))
}

impl Query<'_> {
    /// Whether a side is to be placed that has no pose of its own, or the detector follows a motion.
    fn needs_scene(&self) -> bool {
        let sides = [Some(self.a), self.b];
        let placed = sides.into_iter().zip(self.poses);
        placed
            .into_iter()
            .any(|(side, poses)| poses.is_some() && side.is_some_and(|side| side.pose().is_none()))
    }

    fn worker(&self) -> Outcome<Worker> {
        if self.needs_scene() || self.options.detection != Detection::Static {
            let Some(b) = self.b else {
                return Err(Failure::unsupported("self-contact of a mesh at many poses: wanted one pose"));
            };
            let mut scene = Scene::standard();
            let a = scene.add_boxed("a", copy(self.a)?, Groups::default())?;
            let b = scene.add_boxed("b", copy(b)?, Groups::default())?;
            let pair = scene.add_pair(a, b, self.options.clone())?;
            return Ok(Worker::Scene { scene: Box::new(scene), ids: [a, b], pair });
        }
        let PairOptions { detector, settings, .. } = self.options;
        let choice =
            Choice { detector: detector.as_deref(), settings: settings.as_ref(), ..Choice::default() };
        let bound = match self.b {
            Some(b) => REGISTRY.bind(self.a, b, choice)?,
            None => REGISTRY.bind_self(self.a, choice)?,
        };
        let needs = bound.needs();
        let mut shapes = [Some(copy(self.a)?), self.b.map(copy).transpose()?];
        for (shape, needs) in shapes.iter_mut().flatten().zip(needs) {
            shape.prepare(needs);
        }
        Ok(Worker::Bound { bound: Box::new(bound), shapes, out: CollisionData::new() })
    }

    /// Detects the poses of a number, or the geometries as they are.
    fn detect(&self, worker: &mut Worker, number: usize, found: &mut Found) -> Outcome {
        // A query has no memory of the one before.
        match worker {
            Worker::Bound { bound, shapes, out } => {
                for (shape, poses) in shapes.iter_mut().zip(self.poses) {
                    if let (Some(shape), Some(poses)) = (shape, poses) {
                        shape.set_pose(poses[number])?;
                        shape.prepare(bound.needs()[0] | bound.needs()[1]);
                    }
                }
                bound.reset();
                let context = Context::new().with_margin(self.options.margin);
                let status = match shapes {
                    [Some(a), Some(b)] => bound.run(&**a, &**b, &context, out)?,
                    [Some(a), None] => bound.run_self(&**a, &context, out)?,
                    _ => return Ok(()),
                };
                found.push(&out.contacts, status.flags.bits());
            }
            Worker::Scene { scene, ids, pair } => {
                let place = |scene: &mut Scene, lists: [Option<&[Pose]>; 2]| {
                    let mut placed =
                        ids.iter().zip(lists).filter_map(|(id, poses)| Some((*id, poses?[number])));
                    placed.try_for_each(|(id, pose)| scene.set_pose(id, pose))
                };
                scene.forget();
                if self.previous.iter().any(Option::is_some) {
                    place(scene, [0, 1].map(|side| self.previous[side].or(self.poses[side])))?;
                    scene.advance();
                }
                place(scene, self.poses)?;
                scene.step()?;
                let pair = scene.pair(*pair)?;
                found.push(&pair.contacts().contacts, pair.status().flags.bits());
            }
        }
        Ok(())
    }

    fn run(&self, count: usize, threads: usize) -> Outcome<Found> {
        let start = || self.worker();
        // One thread fills one list, which is then not copied.
        let size = if threads == 1 { count.max(1) } else { BLOCK };
        let blocks = threads::each(count.div_ceil(size), threads, start, |worker, block| {
            let mut found = Found::default();
            let worker = match worker {
                Ok(worker) => worker,
                // Every thread has the same error.
                Err(_) => return Err(self.worker().err().unwrap_or_else(|| Failure::argument("the pair"))),
            };
            for number in block * size..((block + 1) * size).min(count) {
                self.detect(worker, number, &mut found)?;
            }
            Ok(found)
        })?;
        Ok(Found::joined(blocks))
    }
}

/// Lists of poses of both sides.
type Lists<'py> = (Option<Bound2<'py>>, Option<Bound2<'py>>);

/// Both lists. Errors: a length that differs from `count`, the length of those before.
fn read(lists: &Lists<'_>, names: [&str; 2], count: &mut Option<usize>) -> Outcome<[Option<Vec<Pose>>; 2]> {
    let mut all = [None, None];
    for (list, (given, what)) in all.iter_mut().zip([&lists.0, &lists.1].into_iter().zip(names)) {
        let Some(given) = given else { continue };
        let found = poses(given, what)?;
        let wanted = *count.get_or_insert(found.len());
        if found.len() != wanted {
            let text = format!("{what} has {} poses: wanted {wanted}, as the others", found.len());
            return Err(Failure::argument(text));
        }
        *list = Some(found);
    }
    Ok(all)
}

/// Detects two geometries (or one with itself) at n poses each, or at one fixed place; contacts, offsets and flags.
#[pyfunction]
#[pyo3(signature = (a, b, at, previous, pair_options, threads))]
#[allow(clippy::type_complexity, reason = "three arrays, as Python takes them")]
pub(crate) fn detect<'py>(
    py: Python<'py>,
    a: &Geometry,
    b: Option<&Geometry>,
    at: Lists<'py>,
    previous: Lists<'py>,
    pair_options: &str,
    threads: usize,
) -> Outcome<(Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
    let options = options(pair_options)?;
    let mut count = None;
    let at = read(&at, ["poses_a", "poses_b"], &mut count)?;
    let previous = read(&previous, ["previous_a", "previous_b"], &mut count)?;
    for ((previous, at), side) in previous.iter().zip(&at).zip(["a", "b"]) {
        if previous.is_some() && at.is_none() {
            return Err(Failure::argument(format!("previous_{side} without poses_{side}: wanted both")));
        }
    }
    if previous.iter().any(Option::is_some) && options.detection == Detection::Static {
        return Err(Failure::argument("previous poses with static detection: wanted continuous detection"));
    }
    let (a, b) = (a.read(), b.map(Geometry::read));
    let found = detached(py, || {
        let [poses, previous] = [&at, &previous].map(|lists| lists.each_ref().map(Option::as_deref));
        let query = Query { a: &*a, b: b.as_deref(), options: &options, poses, previous };
        query.run(count.unwrap_or(1), threads)
    })?;
    Ok((bytes_of(py, found.contacts)?, bytes_of(py, found.ends)?, bytes_of(py, found.flags)?))
}

/// Any object of Python.
type Bound2<'py> = pyo3::Bound<'py, PyAny>;
