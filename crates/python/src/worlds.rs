//! Many worlds: copies of a scene with states of their own, stepped together.

use crate::batch::Found;
use crate::error::{Failure, Outcome, detached};
use crate::input::pose_of;
use crate::memory::{Bytes, bytes_of};
use crate::scene::{GeometryId, Scene};
use crate::threads;
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods};
use palpate::math::Point;
use palpate::scene::{PairOptions, Scene as Own};
use pyo3::prelude::*;
use std::collections::HashMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};

/// Copies of a scene, one for each thread, that stand for any number of worlds.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Worlds {
    copies: Mutex<Vec<Copy>>,
    /// The numbers of the geometries in the copies, by those in the scene.
    ids: HashMap<palpate::scene::GeometryId, usize>,
    /// The vertices of each geometry.
    vertices: Vec<usize>,
    pairs: usize,
}

/// A copy of the scene, and memory that is used again.
struct Copy {
    scene: Own,
    positions: Vec<Point>,
    has_history: bool,
}

/// The states of one geometry in all worlds: rows of 7 numbers for poses, of 3 for vertices.
struct States<'a> {
    geometry: usize,
    rows: &'a [f64],
    /// Numbers for each world.
    width: usize,
    is_pose: bool,
}

/// The places of the geometries of a scene in its copies.
type Places = HashMap<palpate::scene::GeometryId, usize>;

/// A copy of a scene: its geometries in their order, then its pairs, those of groups added one by one.
fn copied(scene: &Own) -> Outcome<(Own, Places)> {
    let (mut copy, mut ids, mut places) = (Own::standard(), HashMap::new(), Places::new());
    for (place, id) in scene.geometries().enumerate() {
        let shape = scene.geometry(id)?;
        let shape = shape
            .try_clone()
            .ok_or_else(|| Failure::unsupported(format!("a {} cannot be copied", shape.kind())))?;
        let new = copy.add_boxed(scene.name(id)?, shape, scene.groups(id)?)?;
        if let Some(pose) = scene.placement(id)? {
            copy.set_pose(new, pose)?;
        }
        ids.insert(id, new);
        places.insert(id, place);
    }
    for id in scene.pairs().filter(|id| !id.is_of_groups()) {
        let pair = scene.pair(id)?;
        let options = PairOptions { orders: pair.orders(), ..pair.options().clone() };
        copy.add_pair(ids[&pair.a()], ids[&pair.b()], options)?;
    }
    for (a, b, options) in scene.pairs_of_groups() {
        copy.add_pair(ids[&a], ids[&b], options.clone())?;
    }
    Ok((copy, places))
}

impl Copy {
    fn set(&mut self, ids: &[palpate::scene::GeometryId], states: &[States<'_>], world: usize) -> Outcome {
        for States { geometry, rows, width, is_pose } in states {
            let row = &rows[world * width..(world + 1) * width];
            if *is_pose {
                let numbers = row.try_into().map_err(|_| Failure::argument("a pose: wanted 7 numbers"))?;
                self.scene.set_pose(ids[*geometry], pose_of(numbers)?)?;
            } else {
                self.positions.clear();
                self.positions.extend(row.as_chunks().0.iter().map(|row: &[f64; 3]| Point::from(*row)));
                self.scene.set_positions(ids[*geometry], &self.positions)?;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        previous: &[States<'_>],
        current: &[States<'_>],
        world: usize,
        found: &mut Found,
    ) -> Outcome {
        let ids: Vec<_> = self.scene.geometries().collect();
        if !previous.is_empty() {
            self.set(&ids, previous, world)?;
            self.scene.advance();
            self.has_history = true;
        }
        self.set(&ids, current, world)?;
        if previous.is_empty() && self.has_history {
            self.scene.advance();
        }
        // A world has no memory of the one before.
        self.scene.forget();
        let stepped = panic::catch_unwind(AssertUnwindSafe(|| self.scene.step()));
        stepped.unwrap_or_else(|cause| {
            // A function of the caller has failed.
            self.scene.abandon_step();
            panic::resume_unwind(cause)
        })?;
        for pair in self.scene.pairs() {
            let pair = self.scene.pair(pair)?;
            found.push(&pair.contacts().contacts, pair.status().flags.bits());
        }
        Ok(())
    }
}

impl Worlds {
    fn states<'a>(&self, given: &'a [Given<'_>], worlds: usize) -> Outcome<Vec<States<'a>>> {
        let of = |(id, rows): &'a Given<'_>| {
            let geometry =
                *self.ids.get(&id.get().0).ok_or_else(|| Failure::handle("a geometry of another scene"))?;
            let (is_pose, length) = (rows.shape()[1] == 7, rows.shape()[0]);
            let each = if is_pose { 1 } else { self.vertices[geometry] };
            if length != worlds * each || !matches!(rows.shape()[1], 3 | 7) {
                let (found, wanted) = (rows.shape(), worlds * each);
                let text = format!(
                    "states of geometry {geometry}: found {found:?} numbers, wanted {wanted} rows of 7 for poses, 3 for vertices"
                );
                return Err(Failure::argument(text));
            }
            let width = each * rows.shape()[1];
            let flat = rows.as_slice().ok().filter(|_| rows.is_c_contiguous());
            let wanted = || Failure::argument("states: wanted arrays in C's order, without gaps");
            let rows = flat.ok_or_else(wanted)?;
            Ok(States { geometry, rows, width, is_pose })
        };
        given.iter().map(of).collect()
    }
}

/// The states of a geometry: n × 7 for poses, (n · vertices) × 3 for vertices.
type Given<'py> = (Py<GeometryId>, PyReadonlyArray2<'py, f64>);

#[pymethods]
impl Worlds {
    /// Copies of a scene for some threads; 0 for one per core.
    #[new]
    fn new(scene: &Scene, threads: usize) -> Outcome<Self> {
        let scene = scene.enter()?;
        let (mut copies, mut ids, mut pairs) = (Vec::new(), Places::new(), 0);
        for _ in 0..threads::count(threads) {
            let (copy, places) = copied(&scene)?;
            (pairs, ids) = (copy.pairs().len(), places);
            copies.push(Copy { scene: copy, positions: Vec::new(), has_history: false });
        }
        let counts = scene.geometries().map(|id| {
            let points = scene.geometry(id).ok().and_then(|shape| shape.as_points());
            points.map_or(0, |points| points.positions().len())
        });
        Ok(Self { copies: Mutex::new(copies), ids, vertices: counts.collect(), pairs })
    }

    /// The number of pairs of each world.
    #[getter]
    fn pairs(&self) -> usize {
        self.pairs
    }

    /// Sets the states of n worlds and steps each: the contacts of every world and pair, their offsets, and the flags.
    #[allow(clippy::type_complexity, reason = "three arrays, as Python takes them")]
    fn step<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        previous: Vec<Given<'py>>,
        current: Vec<Given<'py>>,
    ) -> Outcome<(Bytes<'py>, Bytes<'py>, Bytes<'py>)> {
        let (previous, current) = (self.states(&previous, count)?, self.states(&current, count)?);
        let mut copies = self.copies.try_lock().map_err(|_| Failure::busy("the worlds"))?;
        let free: Mutex<Vec<&mut Copy>> = Mutex::new(copies.iter_mut().collect());
        let threads = free.lock().unwrap_or_else(PoisonError::into_inner).len();
        let block = count.div_ceil(8 * threads).clamp(1, 64);
        let found = detached(py, || {
            let start = || free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let blocks = threads::each(count.div_ceil(block), threads, start, |copy, number| {
                let mut found = Found::default();
                if let Some(copy) = copy {
                    for world in number * block..((number + 1) * block).min(count) {
                        copy.step(&previous, &current, world, &mut found)?;
                    }
                }
                Ok(found)
            })?;
            Ok(Found::joined(blocks))
        })?;
        Ok((bytes_of(py, found.contacts)?, bytes_of(py, found.ends)?, bytes_of(py, found.flags)?))
    }
}
