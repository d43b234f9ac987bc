//! A case to explain: two convex shapes, and the start of GJK.

use super::report::Report;
use super::solid::{Kind, TYPES};
use nalgebra::{Vector2, Vector3};
use palpate::convex::{Core, Dimension, Points, RigidTransform, Settings, VectorSpace, explain};
use palpate::describe::{DescriptionError, Fields, from_json, number, text};
use serde_json::Value;

/// A start vertex matches if it is no farther than this from the difference of two vertices, relative to their
/// size: a start simplex is often printed with fewer digits than a double has.
const SAME_VERTEX: f64 = 1e-9;

/// Reads a case and runs it.
pub(crate) fn answer(value: &Value) -> Result<Report, DescriptionError> {
    if !value.is_object() {
        return Err(DescriptionError::found(value, "an object").at("the case"));
    }
    let mut fields = Fields::new(value)?;
    let a = fields.required("a", "a geometry", Ok)?;
    let b = fields.required("b", "a geometry", Ok)?;
    if is_polygon(a) || is_polygon(b) {
        let (a, b) = (polygon(a).map_err(|e| e.at("a"))?, polygon(b).map_err(|e| e.at("b"))?);
        let start = fields.optional("start", |value| start::<2, Vector2<f64>>(value, Vector2::from))?;
        let here = RigidTransform::identity();
        return tell((&a, &here), (&b, &here), &start.unwrap_or_default());
    }
    let (a, b) = (solid(a).map_err(|e| e.at("a"))?, solid(b).map_err(|e| e.at("b"))?);
    let start = fields.optional("start", |value| start::<3, Vector3<f64>>(value, Vector3::from))?;
    solids(a, b, &start.unwrap_or_default())
}

fn is_polygon(value: &Value) -> bool {
    value.get("type").and_then(Value::as_str) == Some("Polygon")
}

/// Corners in the plane; their convex hull is the shape.
fn polygon(value: &Value) -> Result<Points<Vector2<f64>>, DescriptionError> {
    const WANTED: &str = "a list of at least one point, 2 numbers each";
    let mut fields = Fields::new(value)?;
    let name = fields.required("type", "Polygon", text)?;
    if name != "Polygon" {
        return Err(DescriptionError::found(&Value::from(name), "Polygon, as the other shape is").at("type"));
    }
    let corners = fields.required("vertices", WANTED, |value| {
        let list = value.as_array().filter(|list| !list.is_empty());
        let list = list.ok_or_else(|| DescriptionError::found(value, WANTED))?;
        let corner = |(index, item)| finite(item, Vector2::from).map_err(|error| error.at_index(index));
        list.iter().enumerate().map(corner).collect::<Result<Vec<_>, _>>()
    })?;
    fields.finish()?;
    Ok(Points::new(corners).expect("there is a point, and all were found to be finite"))
}

/// A point whose squared coordinates are finite, so that distances can be computed.
fn finite<const N: usize, V: VectorSpace>(
    value: &Value,
    make: impl Fn([f64; N]) -> V,
) -> Result<V, DescriptionError> {
    let point = make(number::numbers(value)?);
    if point.squared().is_finite() {
        Ok(point)
    } else {
        Err(DescriptionError::found(value, "coordinates whose squares are finite"))
    }
}

type Placed = (Kind, RigidTransform<Vector3<f64>>);

fn solid(value: &Value) -> Result<Placed, DescriptionError> {
    let geometry = from_json(value)?;
    let name = value.get("type").cloned().unwrap_or_default();
    Kind::of(geometry.as_ref()).ok_or_else(|| DescriptionError::found(&name, TYPES).at("type"))
}

fn solids(a: Placed, b: Placed, start: &[Vector3<f64>]) -> Result<Report, DescriptionError> {
    let ((a, pose_a), (b, pose_b)) = (a, b);
    if a.is_curved() || b.is_curved() {
        tell((&a.solid::<true>(), &pose_a), (&b.solid::<true>(), &pose_b), start)
    } else {
        tell((&a.solid::<false>(), &pose_a), (&b.solid::<false>(), &pose_b), start)
    }
}

fn start<const N: usize, V: VectorSpace>(
    value: &Value,
    make: fn([f64; N]) -> V,
) -> Result<Vec<V>, DescriptionError> {
    let wanted = format!("a list of 1 to {} vertices of the difference", N + 1);
    let list = value.as_array().filter(|list| (1..=N + 1).contains(&list.len()));
    let list = list.ok_or_else(|| DescriptionError::found(value, wanted))?;
    let vertex = |(index, item)| finite(item, make).map_err(|error| error.at_index(index));
    list.iter().enumerate().map(vertex).collect()
}

fn tell<V: Dimension, A: Core<V>, B: Core<V>>(
    a: (&A, &RigidTransform<V>),
    b: (&B, &RigidTransform<V>),
    start: &[V],
) -> Result<Report, DescriptionError> {
    let ids = vertices_of(a, b, start)?;
    let explanation = explain(a, b, &ids, &Settings::default())
        .expect("the ids name vertices, and are no more than a simplex has");
    Ok(Report::new(&explanation, a, b))
}

/// The vertices of A and B whose differences are the start vertices.
fn vertices_of<V: VectorSpace, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    start: &[V],
) -> Result<Vec<[u32; 2]>, DescriptionError> {
    let mut found: Vec<[u32; 2]> = Vec::new();
    let size = a.bounding_radius() + b.bounding_radius() + (pose_a.translation - pose_b.translation).length();
    for (index, &wanted) in start.iter().enumerate() {
        let refuse = |why: String| {
            let found = format!("{:?}", (0..V::DIMENSION).map(|k| wanted.coordinate(k)).collect::<Vec<_>>());
            Err(DescriptionError::Field { field: format!("start[{index}]"), found, wanted: why })
        };
        let mut best: Option<(f64, [u32; 2])> = None;
        for (id_a, on_a) in (0..).map_while(|id| Some((id, pose_a.point(a.vertex(id)?)))) {
            for (id_b, on_b) in (0..).map_while(|id| Some((id, pose_b.point(b.vertex(id)?)))) {
                let off = (on_a - on_b - wanted).length();
                if best.is_none_or(|(least, _)| off < least) {
                    best = Some((off, [id_a, id_b]));
                }
            }
        }
        match best {
            Some((off, ids)) if off <= SAME_VERTEX * size => {
                if let Some(first) = found.iter().position(|&known| known == ids) {
                    return refuse(format!("a vertex other than start[{first}]"));
                }
                found.push(ids);
            }
            _ => return refuse("a vertex of a minus a vertex of b".to_owned()),
        }
    }
    Ok(found)
}
