//! The geometries of a scene, and their children, as the objects of a session.

use super::RecordError;
use super::object::{self, Traits};
use crate::describe::GREATEST_CHILD;
use crate::geometry::{Geometry, Pose};
use crate::recording::{Frame, ObjectInfo, PartOf, Point, ShapeChange, State, Topology, TopologyChange};
use crate::scene::{GeometryId, Scene};

/// A recorded geometry: one of the scene, or a child of a compound.
struct Tracked {
    name: String,
    kind: String,
    traits: Traits,
    topology: Topology,
    /// Whether the scene places it by a pose.
    placed: bool,
}

/// All recorded geometries, in the order of the session's objects.
pub(super) struct Objects {
    tracked: Vec<Tracked>,
}

/// A geometry with its name in the recording, its place in a compound, and the pose at which the scene places it.
type Named<'a> = (String, &'a dyn Geometry, Option<PartOf>, Option<Pose>);

impl Objects {
    /// The geometries of a scene and their object infos. Errors: a geometry that cannot be described.
    pub(super) fn of(scene: &Scene) -> Result<(Self, Vec<ObjectInfo>), RecordError> {
        let (mut tracked, mut infos) = (Vec::new(), Vec::new());
        for (name, geometry, part_of, placement) in named(scene)? {
            let refused = |reason| RecordError::Description { object: name.clone(), reason };
            let placed = placement.is_some();
            let info =
                ObjectInfo { part_of, placed, ..object::info(name.clone(), geometry).map_err(refused)? };
            tracked.push(Tracked {
                name,
                kind: info.kind.clone(),
                traits: Traits::of(geometry),
                topology: info.topology.clone(),
                placed,
            });
            infos.push(info);
        }
        Ok((Self { tracked }, infos))
    }

    /// Writes the current state of the scene and the changes since the last frame to `frame`. Errors: geometries were
    /// added or removed, or one changed its kind or cannot be described.
    pub(super) fn take(&mut self, scene: &Scene, frame: &mut Frame) -> Result<(), RecordError> {
        let named = named(scene)?;
        self.check(&named)?;
        frame.changes.clear();
        frame.shapes.clear();
        frame.placements.clear();
        let origin = State::Points(Vec::<Point>::new());
        frame.states.resize(named.len(), origin);
        for (number, (name, geometry, _, placement)) in named.into_iter().enumerate() {
            let state = object::take_state(geometry, &mut frame.states[number]);
            state.map_err(|length| RecordError::NotRigid { object: name.clone(), length })?;
            if let Some(pose) = placement {
                let placed = object::place(&pose, number, &mut frame.states[number]);
                let placed =
                    placed.map_err(|length| RecordError::NotRigid { object: name.clone(), length })?;
                frame.placements.extend(placed);
            }
            if !object::has_cells(geometry, &self.tracked[number].topology) {
                frame.changes.push(TopologyChange { object: number, topology: object::topology(geometry) });
            }
            if self.tracked[number].traits != Traits::of(geometry) {
                let shape = object::shape(geometry);
                let shape = shape.map_err(|reason| RecordError::Description { object: name, reason })?;
                frame.shapes.push(ShapeChange { object: number, shape });
            }
        }
        Ok(())
    }

    /// Refuses a first frame whose cells or shapes changed since the session was created.
    pub(super) fn check_first(&self, frame: &Frame) -> Result<(), RecordError> {
        let cells = frame.changes.iter().map(|change| (change.object, "cells"));
        let mut all = cells.chain(frame.shapes.iter().map(|change| (change.object, "shape")));
        match all.next() {
            None => Ok(()),
            Some((object, what)) => Err(RecordError::Changed {
                what: format!("geometry {:?}", self.tracked[object].name),
                found: format!("changed {what} in the first step"),
                wanted: format!("the {what} given at creation"),
            }),
        }
    }

    /// Updates the tracked cells and shapes after `frame` was written.
    pub(super) fn keep(&mut self, scene: &Scene, frame: &Frame) -> Result<(), RecordError> {
        if frame.changes.is_empty() && frame.shapes.is_empty() {
            return Ok(());
        }
        for change in &frame.changes {
            self.tracked[change.object].topology = change.topology.clone();
        }
        let named = named(scene)?;
        for change in &frame.shapes {
            self.tracked[change.object].traits = Traits::of(named[change.object].1);
        }
        Ok(())
    }

    fn check(&self, named: &[Named<'_>]) -> Result<(), RecordError> {
        let is_now = |name: &str| named.iter().any(|(now, ..)| now == name);
        let was = |name: &str| self.tracked.iter().any(|tracked| tracked.name == name);
        let changed = |what: &str, found: &str, wanted: &str| {
            let [what, found, wanted] = [what, found, wanted].map(str::to_owned);
            Err(RecordError::Changed { what, found, wanted })
        };
        if let Some(gone) = self.tracked.iter().find(|tracked| !is_now(&tracked.name)) {
            return changed(&format!("geometry {:?}", gone.name), "removed", "present");
        }
        if let Some((new, ..)) = named.iter().find(|(name, ..)| !was(name)) {
            return changed(&format!("geometry {new:?}"), "added", "absent");
        }
        for (tracked, (name, geometry, _, placement)) in self.tracked.iter().zip(named) {
            if tracked.name != *name {
                return changed("the order of the geometries", &format!("{name:?}"), &tracked.name);
            }
            let kind = geometry.kind();
            if placement.is_some() != tracked.placed {
                let wanted =
                    if tracked.placed { "a pose" } else { "no pose (set it before the recording starts)" };
                let found = if placement.is_some() { "a pose" } else { "no pose" };
                return changed(&format!("geometry {name:?}, its pose in the scene"), found, wanted);
            }
            if kind.name() != tracked.kind {
                return changed(&format!("geometry {name:?}"), kind.name(), &tracked.kind);
            }
        }
        Ok(())
    }
}

/// Every geometry of the scene, each followed by its children.
fn named(scene: &Scene) -> Result<Vec<Named<'_>>, RecordError> {
    let mut all: Vec<Named<'_>> = Vec::new();
    for id in scene.geometries() {
        let (name, geometry) = (scene.name(id)?, geometry(scene, id)?);
        all.push((name.to_owned(), geometry, None, scene.placement(id)?));
        for (child, part) in object::children(geometry) {
            let part_of = PartOf { compound: name.to_owned(), child };
            if child > GREATEST_CHILD {
                let (what, found) = (format!("geometry {name:?}"), format!("a child numbered {child}"));
                let wanted = format!("{GREATEST_CHILD} or less");
                return Err(RecordError::Changed { what, found, wanted });
            }
            all.push((format!("{name}[{child}]"), part, Some(part_of), None));
        }
    }
    Ok(all)
}

fn geometry(scene: &Scene, id: GeometryId) -> Result<&dyn Geometry, RecordError> {
    Ok(scene.geometry(id)?)
}
