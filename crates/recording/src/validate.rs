//! Invariants of a session, checked wherever one is read or written.

use crate::Point;
use crate::error::RecordingError;
use crate::frame::{Frame, Placement, Primitive, State};
use crate::limits::check_limits;
use crate::session::{ObjectInfo, SessionInfo, Topology};
use palpate_math::Limits;
use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;

/// Names that a message lists.
const SHOWN_NAMES: usize = 20;

type Checked = Result<(), RecordingError>;

/// The words of [`ObjectInfo::sidedness`].
const SIDEDNESS: [&str; 2] = ["pseudonormals", "winding_number"];

/// Checks limits, names, kinds, sizes and pairs, whether the session is read or written.
pub(crate) fn check_session(path: &Path, info: &SessionInfo, limits: &Limits) -> Checked {
    check_limits(path, info, limits)?;
    let mut names = BTreeSet::new();
    if info.objects.is_empty() {
        return Err(RecordingError::invalid(path, "session", "no objects", "at least one"));
    }
    for object in &info.objects {
        check_object(path, object)?;
        if !names.insert(object.name.as_str()) {
            let found = format!("two objects named '{}'", object.name);
            return Err(RecordingError::invalid(path, "session", found, "names that differ"));
        }
    }
    check_parts(path, info)?;
    for pair in &info.pairs {
        for name in [&pair.a, &pair.b] {
            if !names.contains(name.as_str()) {
                let place = format!("pair {}:{}", pair.a, pair.b);
                let wanted = format!("one of {}", list(&names));
                return Err(RecordingError::invalid(path, place, format!("the object '{name}'"), wanted));
            }
        }
        if !pair.margin.is_finite() || pair.margin < 0.0 {
            let place = format!("pair {}:{}: margin", pair.a, pair.b);
            return Err(RecordingError::invalid(path, place, pair.margin, "a length of zero or more"));
        }
    }
    match info.time_step {
        Some(step) if !(step.is_finite() && step > 0.0) => {
            Err(RecordingError::invalid(path, "time step", step, "a positive number of seconds"))
        }
        _ => Ok(()),
    }
}

/// The first names, and how many more there are.
fn list(names: &BTreeSet<&str>) -> String {
    let shown = names.iter().take(SHOWN_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Checks that parts are those of compounds, which are no parts themselves, and that their numbers differ.
fn check_parts(path: &Path, info: &SessionInfo) -> Checked {
    let mut taken = BTreeMap::new();
    let by_name: BTreeMap<&str, &ObjectInfo> =
        info.objects.iter().map(|object| (object.name.as_str(), object)).collect();
    for object in &info.objects {
        let Some(part) = &object.part_of else { continue };
        let place = || format!("object '{}'", object.name);
        let whole = by_name.get(part.compound.as_str());
        if !whole.is_some_and(|whole| whole.kind == "compound" && whole.part_of.is_none()) {
            let found = format!("a part of '{}'", part.compound);
            return Err(RecordingError::invalid(
                path,
                place(),
                found,
                "a part of an object of kind 'compound'",
            ));
        }
        match taken.entry((&part.compound, part.child)) {
            Entry::Vacant(entry) => drop(entry.insert(&object.name)),
            Entry::Occupied(entry) => {
                let found = format!("child {} of '{}', as '{}' is", part.child, part.compound, entry.get());
                return Err(RecordingError::invalid(path, place(), found, "a number of its own"));
            }
        }
    }
    Ok(())
}

fn check_object(path: &Path, object: &ObjectInfo) -> Checked {
    let place = || format!("object '{}'", object.name);
    let storage = |kind: &str| match kind {
        "point_set" | "line_mesh" | "surface_mesh" | "tetra_mesh" => Some(true),
        "sphere" | "capsule" | "cylinder" | "plane" | "oriented_box" => Some(false),
        _ => None,
    };
    let fits = match (object.topology.kind(), storage(&object.kind)) {
        (_, None) => !object.kind.is_empty(),
        (Some(kind), Some(_)) => kind == object.kind,
        (None, Some(has_points)) => !has_points,
    };
    if !fits {
        let cells = object.topology.kind().unwrap_or("primitive");
        let found = format!("kind '{}' with the cells of a {cells}", object.kind);
        return Err(RecordingError::invalid(path, place(), found, "cells of its kind"));
    }
    if object.placed && matches!(object.topology, Topology::None) && object.kind != "compound" {
        let found = format!("a placed object of kind '{}'", object.kind);
        return Err(RecordingError::invalid(
            path,
            place(),
            found,
            "a mesh or a compound: others have a pose",
        ));
    }
    if let Some(word) = object.sidedness.as_ref().filter(|word| !SIDEDNESS.contains(&word.as_str())) {
        let wanted = format!("one of {}", SIDEDNESS.join(", "));
        return Err(RecordingError::invalid(path, place(), format!("sidedness '{word}'"), wanted));
    }
    match object.radius {
        Some(radius) if !(radius.is_finite() && radius >= 0.0) => {
            Err(RecordingError::invalid(path, place(), format!("radius {radius}"), "zero or more metres"))
        }
        _ => Ok(()),
    }
}

/// Checks that a frame has a state of the right type for every object, and only finite numbers. `cells` returns the
/// cells of an object in this frame, with their highest point id.
pub(crate) fn check_frame<'a>(
    path: &Path,
    objects: &[ObjectInfo],
    cells: impl Fn(usize) -> (&'a Topology, Option<u32>),
    index: usize,
    frame: &Frame,
) -> Checked {
    if !frame.time.is_finite() {
        return Err(RecordingError::invalid(path, format!("frame {index}"), frame.time, "a finite time"));
    }
    if frame.states.len() != objects.len() {
        let wanted = format!("{} states, one per object", objects.len());
        return Err(RecordingError::invalid(path, format!("frame {index}"), frame.states.len(), wanted));
    }
    for (number, (object, state)) in objects.iter().zip(&frame.states).enumerate() {
        let (topology, highest) = cells(number);
        match (state, topology) {
            (State::Primitive(primitive), Topology::None) => {
                check_primitive(path, &object.name, index, primitive)?;
            }
            (State::Points(points), topology) if !matches!(topology, Topology::None) => {
                check_points(path, &object.name, index, points)?;
                check_indices(path, &object.name, index, topology, highest, points.len())?;
            }
            _ => {
                let place = format!("object '{}', frame {index}", object.name);
                let found = if state.point_count().is_some() { "points" } else { "a pose" };
                return Err(RecordingError::invalid(path, place, found, "the state of its kind"));
            }
        }
    }
    check_placements(path, objects, index, &frame.placements)
}

/// Checks that every placed mesh has a pose of finite numbers, and nothing else has.
pub(crate) fn check_placements(
    path: &Path,
    objects: &[ObjectInfo],
    frame: usize,
    placements: &[Placement],
) -> Checked {
    let is_placed_mesh = |object: &ObjectInfo| object.placed && !matches!(object.topology, Topology::None);
    let wanted = objects.iter().enumerate().filter(|(_, object)| is_placed_mesh(object));
    let wanted: Vec<usize> = wanted.map(|(number, _)| number).collect();
    let found: Vec<usize> = placements.iter().map(|placement| placement.object).collect();
    if found != wanted {
        let place = format!("frame {frame}, placements");
        let wanted = format!("those of the placed meshes, {wanted:?}");
        return Err(RecordingError::invalid(path, place, format!("of the objects {found:?}"), wanted));
    }
    for placement in placements {
        let primitive = Primitive::from_row(placement.to_row());
        check_primitive(path, &objects[placement.object].name, frame, &primitive)?;
    }
    Ok(())
}

/// Checks that all coordinates are finite.
pub(crate) fn check_points(path: &Path, object: &str, frame: usize, points: &[Point]) -> Checked {
    // Zero times a finite number is zero, times any other NaN: one branch-free pass, since nearly all frames are
    // valid; the search below only locates the bad number.
    let sum = points.iter().fold(0.0, |sum, point| sum + 0.0 * point.x + 0.0 * point.y + 0.0 * point.z);
    if sum == 0.0 {
        return Ok(());
    }
    for (vertex, point) in points.iter().enumerate() {
        for (axis, &value) in ["x", "y", "z"].iter().zip(point.iter()) {
            if !value.is_finite() {
                return Err(RecordingError::NotFinite {
                    path: path.to_path_buf(),
                    object: object.to_string(),
                    frame,
                    what: format!("{axis} of vertex {vertex}"),
                    value,
                });
            }
        }
    }
    Ok(())
}

/// Checks that pose and size are finite numbers.
pub(crate) fn check_primitive(path: &Path, object: &str, frame: usize, primitive: &Primitive) -> Checked {
    let places =
        ["x", "y", "z", "rotation w", "rotation x", "rotation y", "rotation z", "size 0", "size 1", "size 2"];
    for (place, value) in places.iter().zip(primitive.to_row()) {
        if !value.is_finite() {
            return Err(RecordingError::NotFinite {
                path: path.to_path_buf(),
                object: object.to_string(),
                frame,
                what: (*place).to_string(),
                value,
            });
        }
    }
    Ok(())
}

/// Checks that no cell refers to a missing point; `highest` is the highest id of `topology`.
pub(crate) fn check_indices(
    path: &Path,
    object: &str,
    frame: usize,
    topology: &Topology,
    highest: Option<u32>,
    points: usize,
) -> Checked {
    match highest {
        Some(highest) if highest as usize >= points => {
            let at = topology.indices().iter().position(|&index| index as usize >= points).unwrap_or(0);
            Err(RecordingError::IndexOutOfRange {
                path: path.to_path_buf(),
                object: object.to_string(),
                frame,
                cell: at / topology.points_per_cell().max(1),
                index: topology.indices().get(at).copied().unwrap_or(highest).into(),
                points,
            })
        }
        _ => Ok(()),
    }
}
