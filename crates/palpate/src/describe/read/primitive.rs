//! Shapes with a pose, read from their fields: as geometries, and as implicit functions.

use super::fields::{Fields, boolean};
use super::number;
use super::pose;
use crate::convex::Hull;
use crate::describe::DescriptionError;
use crate::geometry::{
    Convex, GeometryError, Plane, Pose, ShapeType, SizeField, SizedShape, pose::from_rotation,
};
use crate::math::Vector;
use serde_json::Value;

type Read<T> = Result<T, DescriptionError>;

/// Converts the error of a constructor whose fields were checked before: the error names the whole geometry.
pub(crate) fn made<T>(result: Result<T, GeometryError>) -> Read<T> {
    result.map_err(DescriptionError::geometry)
}

/// A size that is greater than 0.
pub(crate) fn size(fields: &mut Fields<'_>, key: &'static str) -> Read<f64> {
    fields.required(key, "a number greater than 0", number::positive)
}

/// Three sizes that are greater than 0.
pub(crate) fn sizes(fields: &mut Fields<'_>, key: &'static str) -> Read<Vector> {
    const WANTED: &str = "3 numbers greater than 0";
    fields.required(key, WANTED, |value| {
        let sizes = number::vector(value)?;
        let all_positive = sizes.iter().all(|&x| x > 0.0);
        if all_positive { Ok(sizes) } else { Err(DescriptionError::found(value, WANTED)) }
    })
}

/// The pose and the sizes of a shape of this type.
pub(crate) fn pose_and_sizes(fields: &mut Fields<'_>, shape: &ShapeType) -> Read<(Pose, [f64; 3])> {
    let pose = pose::read(fields, shape.turn())?;
    let mut numbers = [0.0; 3];
    let mut place = 0;
    for field in shape.sizes() {
        match *field {
            SizeField::Positive(key) => numbers[place] = size(fields, key)?,
            SizeField::NotNegative(key) => {
                numbers[place] = fields.required(key, "a number, 0 or more", number::not_negative)?;
            }
            SizeField::ThreePositive(key) => numbers = sizes(fields, key)?.into(),
        }
        place += field.count();
    }
    Ok((pose, numbers))
}

/// A shape of this type.
pub(crate) fn sized(fields: &mut Fields<'_>, shape: &ShapeType) -> Read<Box<dyn SizedShape>> {
    let (pose, sizes) = pose_and_sizes(fields, shape)?;
    made(shape.make(pose, sizes))
}

pub(crate) fn convex(fields: &mut Fields<'_>) -> Read<Convex> {
    let pose = pose::read_where_stated(fields)?;
    let vertices = fields.required("vertices", "a list of points, 3 numbers each", |value| {
        let vertices = number::points(value)?;
        let some = !vertices.is_empty();
        if some { Ok(vertices) } else { Err(DescriptionError::found(value, "at least one point")) }
    })?;
    let cells = |value: &Value| number::cells::<3>(value, vertices.len());
    let margin = |fields: &mut Fields<'_>| fields.optional("margin", number::not_negative);
    let convex = match fields.optional("cells", cells)? {
        None => Convex::new(pose, &vertices),
        Some(triangles) => {
            let hull = Hull::new(vertices.iter().map(|vertex| vertex.coords).collect(), triangles);
            let refused = |error: crate::convex::ConvexError| DescriptionError::Field {
                field: "vertices".to_owned(),
                found: error.to_string(),
                wanted: "the vertices of a hull".to_owned(),
            };
            Convex::from_hull(pose, hull.map_err(refused)?)
        }
    };
    made(made(convex)?.with_radius(margin(fields)?.unwrap_or(0.0)))
}

/// A plane. If a quaternion is given besides the normal, both are used bit for bit: local +y of a pose can differ by
/// rounding from the normal the plane was created with.
pub(crate) fn plane(fields: &mut Fields<'_>) -> Read<Plane> {
    let position = fields.required("position", "3 finite numbers", number::point)?;
    let normal = fields.required("normal", "a direction", number::direction)?;
    let two_sided = fields.optional("two_sided", boolean)?.unwrap_or(false);
    let mut plane = made(Plane::new(position, normal))?.with_two_sided(two_sided);
    if let Some(rotation) = pose::read_quaternion(fields)? {
        let pose = made(from_rotation(position, rotation))?;
        made(plane.set_pose_and_normal(pose, normal))?;
    }
    Ok(plane)
}
