//! A geometry of any kind as an object with a `type`.

use super::function;
use super::object::{Object, object, points, refused};
use super::primitive::Fields;
use crate::describe::DescriptionError;
use crate::geometry::{Compound, Geometry, Sidedness, TypedGeometry, cells_left};
use serde_json::{Value, json};

type Written = Result<Value, DescriptionError>;

/// The description of a geometry. Errors: a user-defined type; an implicit function that does not [describe
/// itself](crate::geometry::implicit::ImplicitFunction::describe).
pub fn to_json(geometry: &dyn Geometry) -> Written {
    let mut fields = match TypedGeometry::of(geometry) {
        TypedGeometry::Compound(compound) => self::compound(compound)?,
        _ => constant(geometry)?,
    };
    if let Some(vertices) = geometry.as_points() {
        fields.extend(object([("vertices", points(vertices.positions()))]));
    }
    if let Some(cells) = cells(geometry) {
        fields.extend(object([("cells", cells)]));
    }
    Ok(fields.into())
}

/// The part of the description that a recording stores besides its frames: a mesh without vertices and cells, of a
/// compound only the type.
#[cfg(feature = "recording")]
pub(crate) fn without_coordinates(geometry: &dyn Geometry) -> Written {
    if matches!(TypedGeometry::of(geometry), TypedGeometry::Compound(_)) {
        return Ok(object([("type", json!("Compound"))]).into());
    }
    constant(geometry).map(Value::from)
}

fn constant(geometry: &dyn Geometry) -> Result<Object, DescriptionError> {
    let mut fields = whole(geometry)?;
    let numbered = numbers(geometry).into_iter().filter(|(_, list)| !list.is_empty());
    fields.extend(numbered.map(|(name, list)| (name.to_owned(), json!(list))));
    Ok(fields)
}

/// The numbers that a mesh has because it was cut, by the names of their fields; empty where it was not.
pub(crate) fn numbers(geometry: &dyn Geometry) -> Vec<(&'static str, Vec<u32>)> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => vec![("removed", mesh.removed_cells())],
        TypedGeometry::SurfaceMesh(mesh) => {
            vec![("removed", mesh.removed_cells()), ("edge_numbers", mesh.edge_numbers())]
        }
        TypedGeometry::TetraMesh(mesh) => {
            let [triangles, edges] = mesh.boundary_numbers();
            let removed = mesh.removed_cells();
            vec![("removed", removed), ("boundary_numbers", triangles), ("edge_numbers", edges)]
        }
        _ => Vec::new(),
    }
}

/// As if no cell were removed.
fn whole(geometry: &dyn Geometry) -> Result<Object, DescriptionError> {
    let own = TypedGeometry::of(geometry);
    if let Some(shape) = own.sized() {
        return Ok(typed(shape.shape_type().name(), shape.fields()));
    }
    Ok(match own {
        TypedGeometry::Convex(shape) => typed("Convex", shape.fields()),
        TypedGeometry::Plane(shape) => typed("Plane", shape.fields()),
        TypedGeometry::ImplicitBody(body) => typed("Implicit", function::fields_of_body(body)?),
        TypedGeometry::PointSet(set) => typed("PointSet", object([("radius", json!(set.radius()))])),
        TypedGeometry::LineMesh(mesh) => typed("LineMesh", object([("radius", json!(mesh.radius()))])),
        TypedGeometry::SurfaceMesh(mesh) => {
            let sidedness = sidedness_word(mesh.sidedness());
            let mut fields = object([
                ("radius", json!(mesh.radius())),
                ("closed", json!(mesh.is_closed())),
                ("sidedness", json!(sidedness)),
            ]);
            if mesh.is_self_intersecting() {
                fields.extend(object([("self_intersecting", json!(true))]));
            }
            typed("SurfaceMesh", fields)
        }
        TypedGeometry::TetraMesh(mesh) => {
            typed("TetrahedralMesh", object([("inverted", json!(mesh.inverted_cells()))]))
        }
        _ => {
            let wanted = "one of the built-in types";
            return Err(refused(format!("a user-defined geometry of kind {}", geometry.kind()), wanted));
        }
    })
}

/// The word for a sidedness.
pub(crate) fn sidedness_word(sidedness: Sidedness) -> &'static str {
    match sidedness {
        Sidedness::Pseudonormals => "pseudonormals",
        Sidedness::WindingNumber => "winding_number",
    }
}

fn cells(geometry: &dyn Geometry) -> Option<Value> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => Some(json!(cells_left(mesh.cells()).collect::<Vec<_>>())),
        TypedGeometry::SurfaceMesh(mesh) => Some(json!(cells_left(mesh.triangles()).collect::<Vec<_>>())),
        TypedGeometry::TetraMesh(mesh) => Some(json!(cells_left(mesh.cells()).collect::<Vec<_>>())),
        _ => None,
    }
}

fn compound(compound: &Compound) -> Result<Object, DescriptionError> {
    let children = compound.children().map(|(number, child)| {
        to_json(child).map_err(|error| error.at_index(number as usize).at("children"))
    });
    let children = children.collect::<Result<Value, _>>()?;
    let numbers: Vec<u32> = compound.children().map(|(number, _)| number).collect();
    let mut fields = object([("children", children)]);
    if numbers.iter().zip(0..).any(|(&number, place)| number != place) {
        fields.extend(object([("numbers", json!(numbers))]));
    }
    Ok(typed("Compound", fields))
}

fn typed(name: &str, mut fields: Object) -> Object {
    fields.extend(object([("type", json!(name))]));
    fields
}
