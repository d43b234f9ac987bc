//! A geometry from its JSON form.

use super::fields::{Fields, one_of, text};
use super::files::MeshFiles;
use super::primitive::{self, made};
use super::{implicit, mesh, number, pose};
use crate::describe::DescriptionError;
use crate::geometry::{Compound, Geometry, ShapeType, Sphere};
use crate::math::Point;
use serde_json::Value;

/// A geometry of any kind.
type Shape = Box<dyn Geometry>;

/// The types besides the sized shapes, in the order of the list of all.
const OTHERS: [&str; 7] =
    ["Convex", "PointSet", "LineMesh", "SurfaceMesh", "TetrahedralMesh", "Implicit", "Compound"];

/// The types that are read, as listed in the error for an unknown type.
fn types() -> Vec<&'static str> {
    let mut types: Vec<_> = ShapeType::all().map(ShapeType::name).chain(OTHERS).collect();
    let after_cylinder = types.iter().position(|&name| name == "Cylinder").map_or(0, |place| place + 1);
    types.insert(after_cylinder, "Plane");
    types
}

/// A primitive with its previous pose, if the fields give one.
macro_rules! with_history {
    ($fields:ident, $read:path) => {{
        let mut shape = $read(&mut $fields)?;
        if let Some(previous) = pose::read_previous(&mut $fields, shape.pose())? {
            made(shape.set_previous_pose(previous))?;
        }
        Ok(Box::new(shape) as Shape)
    }};
}

/// The geometry that `value` describes. Errors: a missing, unknown or invalid field; the error names it.
///
/// Does not read files: a mesh that names one is refused, and read by `MeshFiles::from_json`.
pub fn from_json(value: &Value) -> Result<Shape, DescriptionError> {
    read(value, None)
}

#[cfg(feature = "mesh-io")]
impl MeshFiles {
    /// The geometry that `value` describes, with the mesh files that it names. Errors: as
    /// [`describe::from_json`](crate::describe::from_json); a file that cannot be read, or that lacks the cells of the
    /// type.
    pub fn from_json(&self, value: &Value) -> Result<Box<dyn Geometry>, DescriptionError> {
        read(value, Some(self))
    }
}

/// [`from_json`], with the mesh files that the description names, if files are given.
pub(super) fn read(value: &Value, files: Option<&MeshFiles>) -> Result<Shape, DescriptionError> {
    let mut fields = Fields::new(value)?;
    let wanted = format!("one of {}", types().join(", "));
    let name = fields.required("type", &wanted, text)?;
    let shape = match name {
        "Plane" => primitive::plane(&mut fields).map(boxed),
        "Convex" => with_history!(fields, primitive::convex),
        "PointSet" => mesh::point_set(&mut fields, files).map(boxed),
        "LineMesh" => mesh::line_mesh(&mut fields, files).map(boxed),
        "SurfaceMesh" => mesh::surface_mesh(&mut fields, files).map(boxed),
        "TetrahedralMesh" => mesh::tetra_mesh(&mut fields, files).map(boxed),
        "Implicit" => with_history!(fields, implicit::body),
        "Compound" => compound(&mut fields, files),
        other => match ShapeType::named(other) {
            Some(shape) => sized(&mut fields, shape),
            None => Err(DescriptionError::found(&Value::from(other), one_of(other, &types())).at("type")),
        },
    }?;
    fields.finish()?;
    Ok(shape)
}

fn sized(fields: &mut Fields<'_>, shape: &ShapeType) -> Result<Shape, DescriptionError> {
    let mut shape = primitive::sized(fields, shape)?;
    if let Some(previous) = pose::read_previous(fields, shape.poses().0)? {
        made(shape.set_previous_pose(previous))?;
    }
    Ok(shape)
}

fn boxed(geometry: impl Geometry) -> Shape {
    Box::new(geometry)
}

fn compound(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Result<Shape, DescriptionError> {
    const WANTED: &str = "a list of geometries";
    let children = fields.required("children", WANTED, |value| {
        let list = value.as_array().ok_or_else(|| DescriptionError::found(value, WANTED))?;
        let child = |(index, item)| read(item, files).map_err(|error| error.at_index(index));
        list.iter().enumerate().map(child).collect::<Result<Vec<_>, _>>()
    })?;
    let numbers = fields.optional("numbers", |value| child_numbers(value, children.len()))?;
    let Some(numbers) = numbers else { return Ok(Box::new(Compound::new(children))) };
    Ok(Box::new(numbered(numbers.into_iter().zip(children))))
}

/// The greatest allowed number of a child, so that a wrong number does not exhaust the memory.
pub(crate) const GREATEST_CHILD: u32 = 1 << 20;

/// A compound whose children have these numbers, in ascending order.
pub(crate) fn numbered(children: impl Iterator<Item = (u32, Shape)>) -> Compound {
    let mut compound = Compound::default();
    let mut next = 0;
    for (number, child) in children {
        for empty in next..number {
            // Adding and removing a placeholder leaves the number of a removed child unused.
            if let Ok(stand_in) = Sphere::new(Point::origin(), 1.0) {
                compound.add_child(Box::new(stand_in));
                compound.remove_child(empty);
            }
        }
        compound.add_child(child);
        next = number + 1;
    }
    compound
}

fn child_numbers(value: &Value, wanted: usize) -> Result<Vec<u32>, DescriptionError> {
    let numbers = number::whole_numbers(value, GREATEST_CHILD)?;
    if numbers.len() == wanted && numbers.is_sorted_by(|a, b| a < b) {
        return Ok(numbers);
    }
    Err(DescriptionError::found(value, format!("{wanted} ascending numbers, one for each child")))
}
