//! JSON objects and lists of numbers. Numbers are printed so that reading them back gives the same bits.

use crate::describe::read::EXACT_WITHIN;
use crate::geometry::Pose;
use crate::math::Point;
use serde_json::{Map, Value, json};

/// The fields of a geometry or a function.
pub(super) type Object = Map<String, Value>;

/// An object with these fields.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Object {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The fields of a pose; `place` is the key of its position.
pub(super) fn posed(place: &str, pose: &Pose) -> Object {
    let q = &pose.rotation;
    let is_unit = (q.coords.norm() - 1.0).abs() <= EXACT_WITHIN;
    let key = if is_unit { "unit_quat_wxyz" } else { "quat_wxyz" };
    object([(place, json!(pose.translation.vector.as_slice())), (key, json!([q.w, q.i, q.j, q.k]))])
}

/// A list of points, three numbers each.
pub(super) fn points<'a>(points: impl IntoIterator<Item = &'a Point>) -> Value {
    points.into_iter().map(|point| json!(point.coords.as_slice())).collect()
}

/// The error for a geometry or function that cannot be described.
pub(super) fn refused(found: impl Into<String>, wanted: &str) -> crate::describe::DescriptionError {
    let (found, wanted) = (found.into(), wanted.to_owned());
    crate::describe::DescriptionError::Field { field: String::new(), found, wanted }
}
