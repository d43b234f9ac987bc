//! The objects of a session as geometries: those of the scene, and the children of compounds.

use super::ReplayError;
use super::objects::{self, KINDS, Refusal};
use super::template::{Form, Template};
use crate::describe::{DescriptionError, GREATEST_CHILD, numbered};
use crate::detect::nearest_name;
use crate::geometry::{Geometry, GeometryKind, TetraMesh};
use crate::recording::{Frame, ObjectInfo, Reader, State, Topology};
use crate::scene::GeometryId;
use std::collections::BTreeMap;

/// An object of the session.
pub(super) struct Object {
    pub(super) template: Template,
    pub(super) place: Place,
    /// The objects that are its children, if it is a compound, by their numbers in it.
    pub(super) parts: Vec<usize>,
    /// Whether its geometry has to be recreated.
    pub(super) is_stale: bool,
    /// Of a tetrahedral mesh whose orientation is not described: the frame in which its cells were new, and the cells that
    /// were inverted there.
    pub(super) reference: Option<(usize, Vec<u32>)>,
}

/// Location of the geometry of an object.
pub(super) enum Place {
    /// Not created yet.
    Unmade,
    Scene(GeometryId),
    /// In the compound that is another object of the session.
    Child {
        of: usize,
        number: u32,
    },
}

impl Object {
    /// The compound of which the object is a child.
    pub(super) fn whole(&self) -> Option<usize> {
        match self.place {
            Place::Child { of, .. } => Some(of),
            Place::Unmade | Place::Scene(_) => None,
        }
    }
}

/// The objects of a session, without geometries.
pub(super) fn objects_of(reader: &Reader) -> Result<Vec<Object>, ReplayError> {
    let infos = &reader.info().objects;
    let numbers: BTreeMap<&str, usize> =
        infos.iter().enumerate().map(|(number, info)| (info.name.as_str(), number)).collect();
    let place = |info: &ObjectInfo| match &info.part_of {
        Some(part) => match numbers.get(part.compound.as_str()) {
            Some(&of) => Ok(Place::Child { of, number: part.child }),
            None => Err(unknown(reader, &part.compound)),
        },
        None => Ok(Place::Unmade),
    };
    let object = |info: &ObjectInfo| {
        if let Some(part) = info.part_of.as_ref().filter(|part| part.child > GREATEST_CHILD) {
            let wanted = format!("{GREATEST_CHILD} or less");
            let reason = DescriptionError::found(&part.child.into(), wanted).at("child");
            return Err(ReplayError::Shape { object: info.name.clone(), frame: 0, reason });
        }
        let template = template(info, info.shape.as_deref(), 0)?;
        Ok(Object { template, place: place(info)?, parts: Vec::new(), is_stale: false, reference: None })
    };
    let mut objects = infos.iter().map(object).collect::<Result<Vec<_>, _>>()?;
    let mut parts = Vec::new();
    for (part, object) in objects.iter().enumerate() {
        if let Place::Child { of, number } = object.place {
            parts.push((of, number, part));
        }
    }
    parts.sort_unstable();
    for (of, _, part) in parts {
        objects[of].parts.push(part);
    }
    Ok(objects)
}

/// Orients a tetrahedral mesh, if its description does not, by the frame in which its cells were new: whichever frame is loaded
/// first, its boundary is the same.
pub(super) fn orient(
    reader: &mut Reader,
    objects: &mut [Object],
    object: usize,
    (frame, index): (&Frame, usize),
) -> Result<(), ReplayError> {
    let info = &reader.info().objects[object];
    if info.kind != "tetra_mesh" || !objects[object].template.lacks_orientation() {
        return Ok(());
    }
    let since = reader.topology_since(object, index)?;
    if objects[object].reference.as_ref().is_none_or(|(known, _)| *known != since) {
        let mut read = Frame::default();
        let reference = if since == index {
            frame
        } else {
            reader.read_frame(since, &mut read)?;
            &read
        };
        let inverted = match (reader.topology(object, since)?, &reference.states[object]) {
            (Topology::Tetrahedra(cells), State::Points(points)) => {
                TetraMesh::new(points.clone(), cells).map(|mesh| mesh.inverted_cells()).map_err(|reason| {
                    let object = reader.info().objects[object].name.clone();
                    ReplayError::Geometry { object, frame: since, reason }
                })?
            }
            _ => Vec::new(),
        };
        objects[object].reference = Some((since, inverted));
    }
    let reference = objects[object].reference.as_ref();
    objects[object].template.inverted = reference.map(|(_, inverted)| inverted.clone());
    Ok(())
}

pub(super) fn template(
    info: &ObjectInfo,
    shape: Option<&str>,
    frame: usize,
) -> Result<Template, ReplayError> {
    Template::new(info, shape).map_err(|reason| ReplayError::Shape {
        object: info.name.clone(),
        frame,
        reason,
    })
}

/// Creates the geometry of object `object` in the state of the frame.
pub(super) fn make(
    reader: &mut Reader,
    objects: &[Object],
    object: usize,
    (frame, index): (&Frame, usize),
) -> Result<Box<dyn Geometry>, ReplayError> {
    if matches!(objects[object].template.form, Form::Compound) {
        let mut children = Vec::new();
        for &part in &objects[object].parts {
            if let Place::Child { number, .. } = objects[part].place {
                children.push((number, make(reader, objects, part, (frame, index))?));
            }
        }
        if children.is_empty() && !objects[object].template.exact {
            return Err(unknown_kind(&reader.info().objects[object]));
        }
        return Ok(Box::new(numbered(children.into_iter())));
    }
    let topology = reader.topology(object, index)?;
    let info = &reader.info().objects[object];
    let made = objects::make(&info.kind, &objects[object].template, &topology, &frame.states[object]);
    made.map_err(|refusal| match refusal {
        Refusal::Geometry(reason) => {
            ReplayError::Geometry { object: info.name.clone(), frame: index, reason }
        }
        Refusal::UnknownKind => unknown_kind(info),
    })
}

fn unknown(reader: &Reader, name: &str) -> ReplayError {
    let known: Vec<_> = reader.info().objects.iter().map(|info| info.name.as_str()).collect();
    ReplayError::UnknownObject { name: name.to_owned(), known: known.join(", "), nearest: None }
}

fn unknown_kind(info: &ObjectInfo) -> ReplayError {
    let order = GeometryKind::ORDER;
    let kinds = order.each_ref().map(GeometryKind::name);
    // A kind that is known is one that does not fit the object's data.
    let nearest = nearest_name(&info.kind, kinds).filter(|nearest| *nearest != info.kind);
    ReplayError::UnknownKind {
        object: info.name.clone(),
        kind: info.kind.clone(),
        known: KINDS,
        nearest: nearest.map(str::to_owned),
    }
}
