//! Immutable copies of chosen geometries at the end of a step, for other threads.
//!
//! A copy has its derived data: whoever reads it computes nothing, takes no lock and touches no heap. It is moved and
//! refitted where it was filled before, not made anew; three copies of a geometry are enough for one reader.

use crate::exchange::{Publisher, Reader};
use crate::{GeometryId, Groups};
use palpate_geometry::{Geometry, Needs, Pose, TypedGeometry, Version};
use std::sync::Arc;

/// What static detectors need of a geometry.
pub(crate) const NEEDS: Needs = Needs::NORMALS.union(Needs::TREE).union(Needs::BOUNDARY);

/// The geometries that a scene shares, as they were at the end of a step, with their trees and normals. Without a
/// previous state: continuous detectors have to run in the scene itself.
#[derive(Default)]
pub struct GeometrySnapshot {
    step: u64,
    ids: Vec<GeometryId>,
    copies: Vec<GeometryCopy>,
}

/// A geometry that is shared, and the pose at which its scene places it.
pub(crate) struct Original<'a> {
    pub(crate) geometry: &'a dyn Geometry,
    pub(crate) placement: Option<Pose>,
}

/// The copy of one geometry.
#[derive(Default)]
struct GeometryCopy {
    geometry: Option<Box<dyn Geometry>>,
    placement: Option<Pose>,
    /// The version of the original that it is a copy of.
    source: Option<Version>,
}

impl GeometrySnapshot {
    /// Number of steps of the scene, including the one that published the snapshot.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// A geometry; `None` if it is not shared, or was removed from the scene.
    pub fn geometry(&self, id: GeometryId) -> Option<&dyn Geometry> {
        self.at(self.slot(id)?)
    }

    /// The pose at which the scene [places](crate::Scene::set_pose) a geometry that has none of its own; `None` if its
    /// coordinates are world coordinates.
    pub fn placement(&self, id: GeometryId) -> Option<Pose> {
        self.placement_at(self.slot(id)?)
    }

    /// A number that is another one when the cells of a geometry (or the children of a compound) are others; `None` as for
    /// [`geometry`](Self::geometry).
    pub fn topology(&self, id: GeometryId) -> Option<u64> {
        self.topology_at(self.slot(id)?)
    }

    pub(crate) fn topology_at(&self, slot: usize) -> Option<u64> {
        Some(self.copies.get(slot)?.source?.topology)
    }

    /// Whether a geometry has an inside; `None` if it is not there.
    pub(crate) fn is_solid_at(&self, slot: usize) -> Option<bool> {
        Some(is_solid(self.at(slot)?))
    }

    pub(crate) fn at(&self, slot: usize) -> Option<&dyn Geometry> {
        self.copies.get(slot)?.geometry.as_deref()
    }

    pub(crate) fn placement_at(&self, slot: usize) -> Option<Pose> {
        self.copies.get(slot)?.placement
    }

    fn slot(&self, id: GeometryId) -> Option<usize> {
        self.ids.iter().position(|&other| other == id)
    }

    fn fill<'a>(
        &mut self,
        step: u64,
        ids: &[GeometryId],
        original: impl Fn(GeometryId) -> Option<Original<'a>>,
    ) {
        self.step = step;
        self.ids.clear();
        self.ids.extend_from_slice(ids);
        self.copies.resize_with(ids.len(), GeometryCopy::default);
        for (copy, &id) in self.copies.iter_mut().zip(ids) {
            match original(id) {
                Some(original) => copy.follow(&original),
                None => *copy = GeometryCopy::default(),
            }
        }
    }
}

impl GeometryCopy {
    /// Becomes a copy of a geometry: moved and refitted if it was one of the same cells before. Cost: linear in the
    /// vertices and cells of a mesh that has moved, constant otherwise.
    fn follow(&mut self, &Original { geometry: original, placement }: &Original<'_>) {
        self.placement = placement;
        if self.source != Some(original.version()) {
            self.copy(original);
        }
        if let Some(copy) = &mut self.geometry {
            copy.set_placement(placement);
        }
    }

    fn copy(&mut self, original: &dyn Geometry) {
        let still = Pose::identity();
        let is_copied = self.geometry.as_mut().is_some_and(|copy| copy.copy_moved(original, &still));
        if !is_copied {
            self.geometry = original.try_clone();
        }
        if let Some(copy) = &mut self.geometry {
            // A clone still has a previous state.
            if !is_copied {
                copy.copy_moved(original, &still);
            }
            copy.prepare(NEEDS);
        }
        self.source = Some(original.version());
    }
}

/// Whether a geometry has an inside: a surface that is not closed is a sheet, points and lines have none. A compound has one if any
/// child has.
fn is_solid(geometry: &dyn Geometry) -> bool {
    match TypedGeometry::of(geometry) {
        TypedGeometry::SurfaceMesh(mesh) => mesh.is_closed(),
        TypedGeometry::PointSet(_) | TypedGeometry::LineMesh(_) => false,
        TypedGeometry::Compound(compound) => compound.children().any(|(_, child)| is_solid(child)),
        _ => true,
    }
}

/// A geometry of another scene whose cells are others since the state before: contact keys and elements of the old ones mean
/// nothing any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedChange {
    /// Its id in the scene that reads it.
    pub id: GeometryId,
    /// Whether it had an inside before: a closed surface, a tetrahedral mesh, a shape.
    pub was_solid: bool,
    /// Whether it has one now. A solid that has become a sheet no longer pushes out what is behind it: forces jump.
    pub is_solid: bool,
}

/// Reads geometries of a scene from another thread; see [`Scene::geometry_reader`](crate::Scene::geometry_reader). Clone
/// it for additional threads.
#[derive(Clone)]
pub struct GeometryReader {
    pub(crate) reader: Reader<GeometrySnapshot>,
    pub(crate) geometries: Arc<[SharedGeometry]>,
}

/// What a reader knows of a geometry besides its copies.
pub(crate) struct SharedGeometry {
    pub(crate) id: GeometryId,
    pub(crate) slot: usize,
    pub(crate) name: String,
    pub(crate) groups: Groups,
    pub(crate) user_data: u64,
}

impl GeometryReader {
    /// The newest snapshot, or the current one of the reader if an exchange is in progress. Never waits; the step
    /// number never decreases.
    pub fn read(&mut self) -> &GeometrySnapshot {
        self.reader.read()
    }

    /// The snapshot of the last [`read`](Self::read). It can be kept for any time: the scene fills other buffers.
    pub fn keep(&self) -> Arc<GeometrySnapshot> {
        Arc::clone(self.reader.held())
    }

    /// The geometries that the reader was made for, by their ids in the scene that shares them.
    pub fn geometries(&self) -> impl ExactSizeIterator<Item = GeometryId> {
        self.geometries.iter().map(|geometry| geometry.id)
    }
}

/// What a scene shares with others, and what others share with it.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) publisher: Publisher<GeometrySnapshot>,
    /// The geometries in a snapshot, in its order.
    pub(crate) ids: Vec<GeometryId>,
    pub(crate) followed: Vec<Followed>,
    /// Of the last update.
    pub(crate) changes: Vec<SharedChange>,
}

/// Geometries of another scene.
pub(crate) struct Followed {
    pub(crate) reader: GeometryReader,
    /// The snapshot whose geometries the scene has.
    pub(crate) taken: Arc<GeometrySnapshot>,
    /// Their ids in this scene, in the order of the reader's geometries.
    pub(crate) ids: Vec<GeometryId>,
}

impl Shared {
    /// Publishes the shared geometries, as `original` gives them; `None` for one that was removed.
    pub(crate) fn publish<'a>(&mut self, step: u64, original: impl Fn(GeometryId) -> Option<Original<'a>>) {
        let ids = &self.ids;
        self.publisher.publish(|snapshot| snapshot.fill(step, ids, original));
    }
}
