//! A geometry from its JSON form.

use super::fields::{Fields, boolean, text};
use super::pose::{self, Turn};
use super::{CaseError, implicit, number};
use palpate::geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryError, ImplicitBody, LineMesh,
    OrientedBox, Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate::math::{Point, Vector};
use serde_json::Value;

/// A geometry of any kind.
pub(crate) type Shape = Box<dyn Geometry>;

/// The types that are read, as the error for any other lists them.
const TYPES: [&str; 14] = [
    "Sphere",
    "Capsule",
    "Cylinder",
    "Plane",
    "OrientedBox",
    "Ellipsoid",
    "Cone",
    "Convex",
    "PointSet",
    "LineMesh",
    "SurfaceMesh",
    "TetrahedralMesh",
    "Implicit",
    "Compound",
];

/// The geometry that `value` describes.
pub(crate) fn read(value: &Value) -> Result<Shape, CaseError> {
    let mut fields = Fields::new(value)?;
    let wanted = format!("one of {}", TYPES.join(", "));
    let name = fields.required("type", &wanted, text)?;
    let shape = match name {
        "Sphere" => sphere(&mut fields),
        "Capsule" => capsule(&mut fields),
        "Cylinder" => cylinder(&mut fields),
        "Plane" => plane(&mut fields),
        "OrientedBox" => oriented_box(&mut fields),
        "Ellipsoid" => ellipsoid(&mut fields),
        "Cone" => cone(&mut fields),
        "Convex" => convex(&mut fields),
        "PointSet" => point_set(&mut fields),
        "LineMesh" => line_mesh(&mut fields),
        "SurfaceMesh" => surface_mesh(&mut fields),
        "TetrahedralMesh" => tetra_mesh(&mut fields),
        "Implicit" => implicit_body(&mut fields),
        "Compound" => compound(&mut fields),
        other => Err(CaseError::found(&Value::from(other), wanted).at("type")),
    }?;
    fields.finish()?;
    Ok(shape)
}

/// The refusals of a constructor whose fields were checked before: named by the whole geometry.
fn made<T>(result: Result<T, GeometryError>) -> Result<T, CaseError> {
    result.map_err(CaseError::geometry)
}

/// A primitive with its previous pose, where the fields say one.
macro_rules! with_history {
    ($fields:ident, $pose:ident, $shape:expr) => {{
        let previous = pose::read_previous($fields, &$pose)?;
        let mut shape = made($shape)?;
        if let Some(previous) = previous {
            made(shape.set_previous_pose(previous))?;
        }
        Ok(Box::new(shape) as Shape)
    }};
}

fn sphere(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read(fields, Turn::Plain)?;
    let radius = size(fields, "radius")?;
    with_history!(fields, pose, Sphere::new(Point::from(pose.translation.vector), radius))
}

fn capsule(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read(fields, Turn::Axis)?;
    let radius = size(fields, "radius")?;
    let length = fields.required("length", "a number, 0 or more", number::not_negative)?;
    with_history!(fields, pose, Capsule::new(pose, radius, length))
}

fn cylinder(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read(fields, Turn::Axis)?;
    let (radius, length) = (size(fields, "radius")?, size(fields, "length")?);
    with_history!(fields, pose, Cylinder::new(pose, radius, length))
}

fn oriented_box(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose: Pose = pose::read(fields, Turn::Axes)?;
    let half_extents = sizes(fields, "half_extents")?;
    with_history!(fields, pose, OrientedBox::new(pose, half_extents))
}

fn ellipsoid(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose: Pose = pose::read(fields, Turn::Axes)?;
    let radii = sizes(fields, "radii")?;
    with_history!(fields, pose, Ellipsoid::new(pose, radii))
}

fn cone(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read(fields, Turn::Axis)?;
    let (radius, length) = (size(fields, "radius")?, size(fields, "length")?);
    with_history!(fields, pose, Cone::new(pose, radius, length))
}

fn convex(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read_where_stated(fields)?;
    let vertices = fields.required("vertices", "a list of points, 3 numbers each", |value| {
        let vertices = number::points(value)?;
        if vertices.is_empty() { Err(CaseError::found(value, "at least one point")) } else { Ok(vertices) }
    })?;
    let margin = fields.optional("margin", number::not_negative)?.unwrap_or(0.0);
    with_history!(fields, pose, Convex::new(pose, &vertices).and_then(|convex| convex.with_margin(margin)))
}

fn implicit_body(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let pose = pose::read_where_stated(fields)?;
    let function = fields.required("function", "an implicit function", implicit::function)?;
    let scale = fields.optional("scale", number::positive)?.unwrap_or(1.0);
    with_history!(fields, pose, ImplicitBody::new(pose, function).and_then(|body| body.with_scale(scale)))
}

/// Three sizes that are greater than 0.
pub(crate) fn sizes(fields: &mut Fields<'_>, key: &'static str) -> Result<Vector, CaseError> {
    const WANTED: &str = "3 numbers greater than 0";
    fields.required(key, WANTED, |value| {
        let sizes = number::vector(value)?;
        let all_positive = sizes.iter().all(|&x| x > 0.0);
        if all_positive { Ok(sizes) } else { Err(CaseError::found(value, WANTED)) }
    })
}

fn plane(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let position = fields.required("position", "3 finite numbers", number::point)?;
    let normal = fields.required("normal", "a direction", number::direction)?;
    let two_sided = fields.optional("two_sided", boolean)?.unwrap_or(false);
    Ok(Box::new(made(Plane::new(position, normal))?.with_two_sided(two_sided)))
}

fn point_set(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let (vertices, previous) = vertices(fields)?;
    let mut points = made(made(PointSet::new(vertices))?.with_radius(thickness(fields)?))?;
    if let Some(previous) = previous {
        made(points.set_previous(&previous))?;
    }
    Ok(Box::new(points))
}

fn line_mesh(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells::<2>(fields, vertices.len())?;
    let mut mesh = made(made(LineMesh::new(vertices, cells))?.with_radius(thickness(fields)?))?;
    if let Some(previous) = previous {
        made(mesh.set_previous(&previous))?;
    }
    Ok(Box::new(mesh))
}

fn surface_mesh(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells::<3>(fields, vertices.len())?;
    let mut mesh = made(made(SurfaceMesh::new(vertices, cells))?.with_radius(thickness(fields)?))?;
    if let Some(closed) = fields.optional("closed", boolean)? {
        mesh = mesh.with_closed(closed);
    }
    if let Some(previous) = previous {
        made(mesh.set_previous(&previous))?;
    }
    Ok(Box::new(mesh))
}

fn tetra_mesh(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells::<4>(fields, vertices.len())?;
    let mut mesh = made(TetraMesh::new(vertices, cells))?;
    if let Some(previous) = previous {
        made(mesh.set_previous(&previous))?;
    }
    Ok(Box::new(mesh))
}

fn compound(fields: &mut Fields<'_>) -> Result<Shape, CaseError> {
    const WANTED: &str = "a list of geometries";
    let children = fields.required("children", WANTED, |value| {
        let list = value.as_array().ok_or_else(|| CaseError::found(value, WANTED))?;
        let child = |(index, item)| read(item).map_err(|error: CaseError| error.at_index(index));
        list.iter().enumerate().map(child).collect::<Result<Vec<_>, _>>()
    })?;
    Ok(Box::new(Compound::new(children)))
}

/// A size that is greater than 0.
pub(crate) fn size(fields: &mut Fields<'_>, key: &'static str) -> Result<f64, CaseError> {
    fields.required(key, "a number greater than 0", number::positive)
}

/// The optional `radius` of points and meshes.
fn thickness(fields: &mut Fields<'_>) -> Result<f64, CaseError> {
    Ok(fields.optional("radius", number::not_negative)?.unwrap_or(0.0))
}

/// Vertices now and, where the fields say so, one step ago.
type Vertices = (Vec<Point>, Option<Vec<Point>>);

fn vertices(fields: &mut Fields<'_>) -> Result<Vertices, CaseError> {
    let vertices = fields.required("vertices", "a list of points, 3 numbers each", number::points)?;
    let wanted = vertices.len();
    let previous = fields.optional("previous_vertices", |value| {
        let previous = number::points(value)?;
        if previous.len() == wanted {
            Ok(previous)
        } else {
            Err(CaseError::found(value, format!("{wanted} points, as in vertices")))
        }
    })?;
    Ok((vertices, previous))
}

fn cells<const N: usize>(fields: &mut Fields<'_>, vertex_count: usize) -> Result<Vec<[u32; N]>, CaseError> {
    fields.required("cells", "a list of cells", |value| number::cells(value, vertex_count))
}
