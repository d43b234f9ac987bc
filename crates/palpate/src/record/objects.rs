//! The geometries of a scene, and their children, as the objects of a session.

use super::RecordError;
use super::object::{self, Traits};
use crate::describe::{GREATEST_CHILD, numbers};
use crate::geometry::{Geometry, Pose};
use crate::recording::{Frame, ObjectInfo, PartOf, Point, ShapeChange, State, Topology, TopologyChange};
use crate::scene::{Scene, SceneError};

/// A recorded geometry: one of the scene, or a child of a compound.
struct Tracked {
    name: String,
    kind: String,
    traits: Traits,
    topology: Topology,
    /// The numbers that it has because it was cut.
    numbers: Vec<(&'static str, Vec<u32>)>,
    /// Whether the scene places it by a pose.
    placed: bool,
    /// The version of the topology whose cells were compared last: they need not be compared again.
    seen: u64,
}

/// All recorded geometries, in the order of the session's objects.
pub(super) struct Objects {
    tracked: Vec<Tracked>,
}

/// A geometry of a scene, or a child of one.
pub(crate) struct NamedGeometry<'a> {
    /// Its name in the recording; of child 3 of `tool`: `tool[3]`.
    pub(crate) name: String,
    pub(crate) geometry: &'a dyn Geometry,
    /// Its place in a compound.
    pub(crate) part_of: Option<PartOf>,
    /// The pose at which the scene places it.
    pub(crate) placement: Option<Pose>,
}

impl Objects {
    /// The geometries of a scene and their object infos. Errors: a geometry that cannot be described.
    pub(super) fn of(scene: &Scene) -> Result<(Self, Vec<ObjectInfo>), RecordError> {
        let (mut tracked, mut infos) = (Vec::new(), Vec::new());
        for NamedGeometry { name, geometry, part_of, placement } in recordable(scene)? {
            let refused = |reason| RecordError::Description { object: name.clone(), reason };
            let placed = placement.is_some();
            let info =
                ObjectInfo { part_of, placed, ..object::info(name.clone(), geometry).map_err(refused)? };
            tracked.push(Tracked {
                name,
                kind: info.kind.clone(),
                traits: Traits::of(geometry),
                topology: info.topology.clone(),
                numbers: numbers(geometry),
                placed,
                seen: 0,
            });
            infos.push(info);
        }
        Ok((Self { tracked }, infos))
    }

    /// Writes the current state of the scene and the changes since the last frame to `frame`. Errors: geometries were
    /// added or removed, or one changed its kind or cannot be described.
    pub(super) fn take(&mut self, scene: &Scene, frame: &mut Frame) -> Result<(), RecordError> {
        let named = recordable(scene)?;
        self.check(&named)?;
        frame.changes.clear();
        frame.shapes.clear();
        frame.placements.clear();
        let origin = State::Points(Vec::<Point>::new());
        frame.states.resize(named.len(), origin);
        for (number, NamedGeometry { name, geometry, placement, .. }) in named.into_iter().enumerate() {
            let state = object::take_state(geometry, &mut frame.states[number]);
            state.map_err(|length| RecordError::NotRigid { object: name.clone(), length })?;
            if let Some(pose) = placement {
                let placed = object::place(&pose, number, &mut frame.states[number]);
                let placed =
                    placed.map_err(|length| RecordError::NotRigid { object: name.clone(), length })?;
                frame.placements.extend(placed);
            }
            let tracked = &mut self.tracked[number];
            let topology = geometry.version().topology;
            let is_new = topology != tracked.seen;
            let is_renumbered = is_new && numbers(geometry) != tracked.numbers;
            if is_new && !object::has_cells(geometry, &tracked.topology) {
                frame.changes.push(TopologyChange { object: number, topology: object::topology(geometry) });
            } else if !is_renumbered {
                tracked.seen = topology;
            }
            if is_renumbered || tracked.traits != Traits::of(geometry) {
                let shape = object::shape(geometry);
                let shape = shape.map_err(|reason| RecordError::Description { object: name, reason })?;
                frame.shapes.push(ShapeChange { object: number, shape });
            }
        }
        Ok(())
    }

    /// The objects anew, for a recording without frames: what was replaced, placed or cut since it started is its beginning. `None`
    /// if nothing was. Errors: a geometry that cannot be described.
    pub(super) fn again(
        &mut self,
        scene: &Scene,
        known: &[ObjectInfo],
    ) -> Result<Option<Vec<ObjectInfo>>, RecordError> {
        let (objects, infos) = Self::of(scene)?;
        let is_same = |(was, is): (&ObjectInfo, &ObjectInfo)| (&was.name, &was.kind) == (&is.name, &is.kind);
        // Added and removed geometries are errors of `take`.
        if infos.len() != known.len() || !known.iter().zip(&infos).all(is_same) || infos == known {
            return Ok(None);
        }
        *self = objects;
        Ok(Some(infos))
    }

    /// Updates the tracked cells and shapes after `frame` was written.
    pub(super) fn keep(&mut self, scene: &Scene, frame: &Frame) -> Result<(), RecordError> {
        if frame.changes.is_empty() && frame.shapes.is_empty() {
            return Ok(());
        }
        for change in &frame.changes {
            self.tracked[change.object].topology = change.topology.clone();
        }
        let named = recordable(scene)?;
        for change in &frame.shapes {
            let (tracked, geometry) = (&mut self.tracked[change.object], named[change.object].geometry);
            (tracked.traits, tracked.numbers) = (Traits::of(geometry), numbers(geometry));
        }
        Ok(())
    }

    fn check(&self, named: &[NamedGeometry<'_>]) -> Result<(), RecordError> {
        let is_now = |name: &str| named.iter().any(|now| now.name == name);
        let was = |name: &str| self.tracked.iter().any(|tracked| tracked.name == name);
        let changed = |what: &str, found: &str, wanted: &str| {
            let [what, found, wanted] = [what, found, wanted].map(str::to_owned);
            Err(RecordError::Changed { what, found, wanted })
        };
        if let Some(gone) = self.tracked.iter().find(|tracked| !is_now(&tracked.name)) {
            return changed(&format!("geometry {:?}", gone.name), "removed", "present");
        }
        if let Some(new) = named.iter().find(|now| !was(&now.name)) {
            return changed(&format!("geometry {:?}", new.name), "added", "absent");
        }
        for (tracked, NamedGeometry { name, geometry, placement, .. }) in self.tracked.iter().zip(named) {
            if tracked.name != *name {
                return changed("the order of the geometries", &format!("{name:?}"), &tracked.name);
            }
            let kind = geometry.kind();
            if placement.is_some() != tracked.placed {
                let wanted = if tracked.placed {
                    "a pose"
                } else {
                    "no pose (set it before the first step is recorded)"
                };
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
pub(crate) fn named_geometries(scene: &Scene) -> Result<Vec<NamedGeometry<'_>>, SceneError> {
    let mut all = Vec::new();
    for id in scene.geometries() {
        let (name, geometry) = (scene.name(id)?.to_owned(), scene.geometry(id)?);
        let parts = object::children(geometry).map(|(child, part)| NamedGeometry {
            name: format!("{name}[{child}]"),
            geometry: part,
            part_of: Some(PartOf { compound: name.clone(), child }),
            placement: None,
        });
        let parts: Vec<_> = parts.collect();
        all.push(NamedGeometry { name, geometry, part_of: None, placement: scene.placement(id)? });
        all.extend(parts);
    }
    Ok(all)
}

/// [`named_geometries`] of a scene that can be recorded. Errors: a child with a number that is too high.
fn recordable(scene: &Scene) -> Result<Vec<NamedGeometry<'_>>, RecordError> {
    let all = named_geometries(scene)?;
    let numbers = all.iter().filter_map(|named| named.part_of.as_ref());
    match numbers.into_iter().find(|part| part.child > GREATEST_CHILD) {
        None => Ok(all),
        Some(PartOf { compound, child }) => Err(RecordError::Changed {
            what: format!("geometry {compound:?}"),
            found: format!("a child numbered {child}"),
            wanted: format!("{GREATEST_CHILD} or less"),
        }),
    }
}
