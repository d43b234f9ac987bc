//! An implicit function from its JSON form: an object with one key, which names the function.

use super::fields::Fields;
use super::number;
use super::pose;
use super::primitive::{self, made, size, sizes};
use crate::describe::DescriptionError;
use crate::geometry::implicit::{Grid, ImplicitFunction, Intersection, Offset, SmoothUnion, Torus, Union};
use crate::geometry::{ImplicitBody, ShapeType, Turn};
use crate::math::{Point, Vector};
use serde_json::Value;
use std::sync::Arc;

type Function = Arc<dyn ImplicitFunction>;

/// The functions besides the sized shapes, in the order of the list of all.
const OTHERS: [&str; 10] = [
    "convex",
    "plane",
    "torus",
    "grid",
    "placed",
    "union",
    "intersection",
    "difference",
    "smooth_union",
    "offset",
];

/// What a function is, with the list of all functions.
fn wanted() -> String {
    let mut keys: Vec<_> = ShapeType::all().filter_map(ShapeType::function_key).chain(OTHERS).collect();
    // The box comes second.
    if let Some(place) = keys.iter().position(|&key| key == "box") {
        keys[1..=place].rotate_right(1);
    }
    let last = keys.pop().unwrap_or_default();
    format!("an object with one key: {} or {last}", keys.join(", "))
}

/// The function that `value` describes.
pub(crate) fn function(value: &Value) -> Result<Function, DescriptionError> {
    let only = value.as_object().filter(|object| object.len() == 1).and_then(|object| object.iter().next());
    let (name, value) = only.ok_or_else(|| DescriptionError::found(value, wanted()))?;
    let found = match name.as_str() {
        "convex" => with_fields(value, primitive::convex),
        "plane" => with_fields(value, primitive::plane),
        "torus" => with_fields(value, torus),
        "grid" => with_fields(value, grid),
        "placed" => with_fields(value, body),
        "union" => parts(value).and_then(|parts| shared(made(Union::new(parts)))),
        "intersection" => parts(value).and_then(|parts| shared(made(Intersection::new(parts)))),
        "difference" => parts(value).and_then(|parts| shared(made(Intersection::difference(parts)))),
        "smooth_union" => with_fields(value, smooth_union),
        "offset" => with_fields(value, offset),
        other => match ShapeType::with_function_key(other) {
            Some(shape) => sized(value, shape),
            None => return Err(DescriptionError::found(&Value::from(other), wanted())),
        },
    };
    found.map_err(|error| error.at(name))
}

/// A function with a pose and a scale.
pub(crate) fn body(fields: &mut Fields<'_>) -> Result<ImplicitBody, DescriptionError> {
    let pose = pose::read_where_stated(fields)?;
    let function = fields.required("function", "an implicit function", function)?;
    let scale = fields.optional("scale", number::positive)?.unwrap_or(1.0);
    made(ImplicitBody::new(pose, function).and_then(|body| body.with_scale(scale)))
}

/// A shape as a function.
fn sized(value: &Value, shape: &ShapeType) -> Result<Function, DescriptionError> {
    let mut fields = Fields::new(value)?;
    let (pose, sizes) = primitive::pose_and_sizes(&mut fields, shape)?;
    let function = made(shape.make_function(pose, sizes))?;
    fields.finish()?;
    Ok(function)
}

fn with_fields<T: ImplicitFunction + 'static>(
    value: &Value,
    read: impl FnOnce(&mut Fields<'_>) -> Result<T, DescriptionError>,
) -> Result<Function, DescriptionError> {
    let mut fields = Fields::new(value)?;
    let function = read(&mut fields)?;
    fields.finish()?;
    shared(Ok(function))
}

fn shared<T: ImplicitFunction + 'static>(
    function: Result<T, DescriptionError>,
) -> Result<Function, DescriptionError> {
    function.map(|function| Arc::new(function) as Function)
}

fn torus(fields: &mut Fields<'_>) -> Result<Torus, DescriptionError> {
    let pose = pose::read(fields, Turn::Axis)?;
    let (major, minor) = (size(fields, "major")?, size(fields, "minor")?);
    made(Torus::new(pose, major, minor))
}

fn grid(fields: &mut Fields<'_>) -> Result<Grid, DescriptionError> {
    let origin: Point = fields.required("origin", "3 finite numbers", number::point)?;
    let spacing: Vector = sizes(fields, "spacing")?;
    let size = fields.required("size", "3 whole numbers, 2 or more", samples)?;
    let values =
        fields.required("values", "a list of numbers, x running fastest, then y, then z", |value| {
            let list = value.as_array().ok_or_else(|| DescriptionError::found(value, "a list of numbers"))?;
            let at = |(index, item)| number::number(item).map_err(|error| error.at_index(index));
            list.iter().enumerate().map(at).collect::<Result<Vec<f64>, DescriptionError>>()
        })?;
    made(Grid::new(origin, spacing, size, values))
}

fn samples(value: &Value) -> Result<[usize; 3], DescriptionError> {
    const WANTED: &str = "3 whole numbers, 2 or more";
    let list = value.as_array().filter(|list| list.len() == 3);
    let list = list.ok_or_else(|| DescriptionError::found(value, WANTED))?;
    let mut size = [0; 3];
    for (slot, item) in size.iter_mut().zip(list) {
        let count = item.as_u64().and_then(|count| usize::try_from(count).ok()).filter(|&count| count >= 2);
        *slot = count.ok_or_else(|| DescriptionError::found(item, WANTED))?;
    }
    Ok(size)
}

/// The bodies of a composite: at least one.
fn parts(value: &Value) -> Result<Vec<Function>, DescriptionError> {
    const WANTED: &str = "a list of at least one function";
    let list = value.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| DescriptionError::found(value, WANTED))?;
    let at = |(index, item)| function(item).map_err(|error| error.at_index(index));
    list.iter().enumerate().map(at).collect()
}

fn smooth_union(fields: &mut Fields<'_>) -> Result<SmoothUnion, DescriptionError> {
    let of = fields.required("of", "a list of functions", parts)?;
    made(SmoothUnion::new(of, size(fields, "radius")?))
}

fn offset(fields: &mut Fields<'_>) -> Result<Offset, DescriptionError> {
    let of = fields.required("of", &wanted(), function)?;
    made(Offset::new(of, fields.required("distance", "a finite number", number::number)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(json: &Value, point: [f64; 3]) -> f64 {
        function(json).unwrap_or_else(|error| panic!("{error}")).sample(&Point::from(point)).value
    }

    fn message(json: &Value) -> String {
        function(json).err().expect("no function").at("function").to_string()
    }

    #[test]
    fn every_function_is_read() {
        let ball = json!({"sphere": {"center": [1, 0, 0], "radius": 0.5}});
        assert_eq!(value(&ball, [3.0, 0.0, 0.0]), 1.5);
        let block = json!({"box": {"center": [0, 0, 0], "half_extents": [1, 2, 3]}});
        assert_eq!(value(&block, [0.0, 3.0, 0.0]), 1.0);
        let rod = json!({"capsule": {"center": [0, 0, 0], "axis": [1, 0, 0], "radius": 0.5, "length": 2}});
        assert_eq!(value(&rod, [3.0, 0.0, 0.0]), 1.5);
        let drum = json!({"cylinder": {"center": [0, 0, 0], "radius": 0.5, "length": 2}});
        assert_eq!(value(&drum, [0.0, 3.0, 0.0]), 2.0);
        assert_eq!(
            value(&json!({"plane": {"position": [0, 1, 0], "normal": [0, 2, 0]}}), [5.0, 3.0, 0.0]),
            2.0
        );
        let ring = json!({"torus": {"center": [0, 0, 0], "major": 2, "minor": 0.5}});
        assert_eq!(value(&ring, [4.0, 0.0, 0.0]), 1.5);
        let grid = json!({"grid": {"origin": [0, 0, 0], "spacing": [1, 2, 4], "size": [2, 2, 2],
                                   "values": [1, 2, 1, 2, 1, 2, 1, 2]}});
        assert_eq!(value(&grid, [0.25, 1.0, 3.0]), 1.25);
        assert_eq!(value(&json!({"union": [ball, block]}), [3.0, 0.0, 0.0]), 1.5);
        assert_eq!(value(&json!({"intersection": [ball, block]}), [3.0, 0.0, 0.0]), 2.0);
        assert_eq!(value(&json!({"difference": [block, ball]}), [0.5, 0.0, 0.0]), 0.0);
        assert_eq!(value(&json!({"offset": {"of": ball, "distance": 0.25}}), [3.0, 0.0, 0.0]), 1.25);
        let smooth = json!({"smooth_union": {"of": [ball, block], "radius": 0.5}});
        assert_eq!(value(&smooth, [9.0, 0.0, 0.0]), 7.5);
    }

    #[test]
    fn errors_name_the_field_path() {
        assert!(
            message(&json!({"ball": {}}))
                .starts_with("function: found \"ball\", wanted an object with one key")
        );
        assert!(message(&json!({"sphere": {}, "box": {}})).contains("found an object"));
        let deep = json!({"union": [{"offset": {"of": {"sphere": {"center": [0, 0, 0]}}, "distance": 1}}]});
        let wanted =
            "function.union[0].offset.of.sphere.radius: found nothing, wanted a number greater than 0";
        assert_eq!(message(&deep), wanted);
        let short =
            json!({"grid": {"origin": [0, 0, 0], "spacing": [1, 1, 1], "size": [2, 2, 2], "values": [1]}});
        assert_eq!(message(&short), "function.grid: the list of values has length 1: wanted 8");
        let ring = json!({"torus": {"center": [0, 0, 0], "major": 1, "minor": 2}});
        assert_eq!(message(&ring), "function.torus: the minor radius of a torus is 2: wanted 1 or less");
        assert_eq!(
            message(&json!({"union": []})),
            "function.union: found a list of 0, wanted a list of at least one function"
        );
        let unknown = json!({"sphere": {"center": [0, 0, 0], "radius": 1, "colour": 3}});
        assert!(message(&unknown).starts_with("function.sphere.colour: found an unknown key"));
    }
}
