//! An implicit function as an object with one key.

use super::object::{Object, object, posed, refused};
use super::primitive::Fields;
use crate::describe::DescriptionError;
use crate::describe::read::EXACT_WITHIN;
use crate::geometry::implicit::internal::Structure;
use crate::geometry::implicit::{Description, Grid, ImplicitFunction, Torus};
use crate::geometry::{ImplicitBody, Pose, TypedGeometry};
use serde_json::{Value, json};
use std::sync::Arc;

type Written = Result<Value, DescriptionError>;

/// The function as an object with one key.
pub(super) fn function(function: &dyn ImplicitFunction) -> Written {
    let described = function.describe().ok_or_else(|| {
        let wanted = "a built-in function, or one that implements `ImplicitFunction::describe`";
        refused("a user-defined implicit function", wanted)
    })?;
    match described {
        Description::Own(own) => without_parts(own),
        Description::Posed { of, pose, scale } => {
            check(pose)?;
            Ok(keyed("placed", fields_of(of, pose, scale)?.into()))
        }
        Description::Union { of, .. } => Ok(keyed("union", list(of)?)),
        Description::Intersection { of, .. } => intersection(of),
        Description::SmoothUnion { of, radius, .. } => {
            Ok(keyed("smooth_union", object([("of", list(of)?), ("radius", json!(radius))]).into()))
        }
        Description::Offset { of, distance, .. } => {
            let of = self::function(of.as_ref()).map_err(|error| error.at("offset.of"))?;
            Ok(keyed("offset", object([("of", of), ("distance", json!(distance))]).into()))
        }
        _ => Err(refused("a complement", "a complement only inside a difference")),
    }
}

/// A function that contains no other functions.
fn without_parts(own: &dyn Structure) -> Written {
    let unknown = || refused("an unknown type", "a primitive, a torus, a grid or an implicit body");
    let own = own.as_any().ok_or_else(unknown)?;
    let typed = TypedGeometry::of_any(own);
    if let Some(shape) = typed.sized()
        && let Some(key) = shape.shape_type().function_key()
    {
        return shape_of(key, shape);
    }
    match typed {
        TypedGeometry::Convex(shape) => return shape_of("convex", shape),
        TypedGeometry::Plane(shape) => return shape_of("plane", shape),
        _ => {}
    }
    if let Some(torus) = own.downcast_ref::<Torus>() {
        check(torus.pose())?;
        let mut fields = posed("center", torus.pose());
        fields.extend(object([("major", json!(torus.major())), ("minor", json!(torus.minor()))]));
        return Ok(keyed("torus", fields.into()));
    }
    if let Some(grid) = own.downcast_ref::<Grid>() {
        return Ok(keyed("grid", samples(grid).into()));
    }
    Err(unknown())
}

/// The fields of a body: its pose, its scale, its function.
pub(super) fn fields_of_body(body: &ImplicitBody) -> Result<Object, DescriptionError> {
    fields_of(body.function().as_ref(), body.pose(), body.scale())
}

fn fields_of(of: &dyn ImplicitFunction, pose: &Pose, scale: f64) -> Result<Object, DescriptionError> {
    let mut fields = posed("position", pose);
    let function = function(of).map_err(|error| error.at("function"))?;
    fields.extend(object([("scale", json!(scale)), ("function", function)]));
    Ok(fields)
}

fn keyed(name: &str, value: Value) -> Value {
    object([(name, value)]).into()
}

fn shape_of(name: &str, shape: &(impl Fields + ?Sized)) -> Written {
    still(shape.previous_pose()).map_err(|error| error.at(name))?;
    check(shape.pose()).map_err(|error| error.at(name))?;
    Ok(keyed(name, shape.fields().into()))
}

/// Refuses a previous pose: it enlarges the bounding box from which searches start, and a description does not contain it.
fn still(previous: Option<&Pose>) -> Result<(), DescriptionError> {
    let refuse = |_| Err(refused("a shape with a previous pose", "one without, inside a function"));
    previous.map_or(Ok(()), refuse)
}

/// Checks that the rotation is read back bit for bit.
fn check(pose: &Pose) -> Result<(), DescriptionError> {
    let length = pose.rotation.coords.norm();
    if (length - 1.0).abs() <= EXACT_WITHIN {
        return Ok(());
    }
    Err(refused(format!("a quaternion of length {length}"), "a unit quaternion: renormalize it")
        .at("quat_wxyz"))
}

fn list(parts: &[Arc<dyn ImplicitFunction>]) -> Written {
    let part = |(index, part): (usize, &Arc<dyn ImplicitFunction>)| {
        function(part.as_ref()).map_err(|error| error.at_index(index))
    };
    parts.iter().enumerate().map(part).collect()
}

/// An intersection whose parts after the first are complements is written as a difference.
fn intersection(parts: &[Arc<dyn ImplicitFunction>]) -> Written {
    let [first, later @ ..] = parts else { return Ok(keyed("intersection", list(parts)?)) };
    let complements = later.iter().map(|part| match part.describe() {
        Some(Description::Complement { of, .. }) => Some(of.clone()),
        _ => None,
    });
    match complements.collect::<Option<Vec<_>>>() {
        Some(removed) if !removed.is_empty() => {
            let all: Vec<_> = std::iter::once(first.clone()).chain(removed).collect();
            Ok(keyed("difference", list(&all)?))
        }
        _ => Ok(keyed("intersection", list(parts)?)),
    }
}

fn samples(grid: &Grid) -> Object {
    object([
        ("origin", json!(grid.origin().coords.as_slice())),
        ("spacing", json!(grid.spacing().as_slice())),
        ("size", json!(grid.size())),
        ("values", json!(grid.values())),
    ])
}
