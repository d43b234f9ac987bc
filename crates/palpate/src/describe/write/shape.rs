//! A geometry of any kind as an object with a `type`.

use super::function;
use super::object::{Object, object, points, refused};
use super::primitive::Fields;
use crate::describe::DescriptionError;
use crate::geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Sidedness, Sphere, SurfaceMesh, TetraMesh,
};
use serde_json::{Value, json};
use std::any::Any;

type Written = Result<Value, DescriptionError>;

/// The description of a geometry. Errors: a type that is not palpate's; an implicit function that does not
/// [describe itself](crate::geometry::implicit::ImplicitFunction::describe).
pub fn to_json(geometry: &dyn Geometry) -> Written {
    let any: &dyn Any = geometry;
    let mut fields = match any.downcast_ref() {
        Some(compound) => self::compound(compound)?,
        None => constant(geometry)?,
    };
    if let Some(vertices) = geometry.as_points() {
        fields.extend(object([("vertices", points(vertices.positions()))]));
    }
    if let Some(cells) = cells(any) {
        fields.extend(object([("cells", cells)]));
    }
    Ok(fields.into())
}

/// The same without the vertices and cells of a mesh, and of a compound nothing but the type: what a recording keeps
/// beside its frames.
#[cfg(feature = "recording")]
pub(crate) fn without_coordinates(geometry: &dyn Geometry) -> Written {
    let any: &dyn Any = geometry;
    if any.is::<Compound>() {
        return Ok(object([("type", json!("Compound"))]).into());
    }
    constant(geometry).map(Value::from)
}

fn constant(geometry: &dyn Geometry) -> Result<Object, DescriptionError> {
    let any: &dyn Any = geometry;
    let posed = [
        ("Sphere", any.downcast_ref().map(|shape: &Sphere| shape as &dyn Fields)),
        ("Capsule", any.downcast_ref().map(|shape: &Capsule| shape as &dyn Fields)),
        ("Cylinder", any.downcast_ref().map(|shape: &Cylinder| shape as &dyn Fields)),
        ("OrientedBox", any.downcast_ref().map(|shape: &OrientedBox| shape as &dyn Fields)),
        ("Ellipsoid", any.downcast_ref().map(|shape: &Ellipsoid| shape as &dyn Fields)),
        ("Cone", any.downcast_ref().map(|shape: &Cone| shape as &dyn Fields)),
        ("Convex", any.downcast_ref().map(|shape: &Convex| shape as &dyn Fields)),
        ("Plane", any.downcast_ref().map(|shape: &Plane| shape as &dyn Fields)),
    ];
    if let Some((name, shape)) = posed.into_iter().find_map(|(name, shape)| Some((name, shape?))) {
        return Ok(typed(name, shape.fields()));
    }
    if let Some(body) = any.downcast_ref::<ImplicitBody>() {
        return Ok(typed("Implicit", function::fields_of_body(body)?));
    }
    mesh(any).ok_or_else(|| {
        let wanted = "one of palpate's own types, which can be described";
        refused(format!("a geometry of another's, of kind {}", geometry.kind()), wanted)
    })
}

/// What a mesh is beside its vertices and cells.
fn mesh(any: &dyn Any) -> Option<Object> {
    if let Some(set) = any.downcast_ref::<PointSet>() {
        return Some(typed("PointSet", object([("radius", json!(set.radius()))])));
    }
    if let Some(mesh) = any.downcast_ref::<LineMesh>() {
        return Some(typed("LineMesh", object([("radius", json!(mesh.radius()))])));
    }
    if let Some(mesh) = any.downcast_ref::<SurfaceMesh>() {
        let sidedness = match mesh.sidedness() {
            Sidedness::Pseudonormals => "pseudonormals",
            Sidedness::WindingNumber => "winding_number",
        };
        let fields = [
            ("radius", json!(mesh.radius())),
            ("closed", json!(mesh.is_closed())),
            ("sidedness", json!(sidedness)),
        ];
        return Some(typed("SurfaceMesh", object(fields)));
    }
    let mesh = any.downcast_ref::<TetraMesh>()?;
    Some(typed("TetrahedralMesh", object([("inverted", json!(mesh.inverted_cells()))])))
}

fn cells(any: &dyn Any) -> Option<Value> {
    if let Some(mesh) = any.downcast_ref::<LineMesh>() {
        return Some(json!(mesh.cells()));
    }
    if let Some(mesh) = any.downcast_ref::<SurfaceMesh>() {
        return Some(json!(mesh.triangles()));
    }
    any.downcast_ref::<TetraMesh>().map(|mesh| json!(mesh.cells()))
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
