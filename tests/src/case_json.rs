//! A case as an input line for `palpate detect`, used in failure reports.

use crate::{Function, Shape};
use nalgebra::UnitQuaternion;
use palpate_math::{Point, Vector};
use serde_json::{Map, Value, json};

/// The geometry of a case.
pub fn shape_json(shape: &Shape) -> Value {
    match shape {
        Shape::Sphere { center, radius } => {
            json!({"type": "Sphere", "center": list(&center.coords), "radius": radius})
        }
        Shape::Capsule { pose, radius, length } => json!({
            "type": "Capsule", "center": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "radius": radius, "length": length,
        }),
        Shape::Cylinder { pose, radius, length } => json!({
            "type": "Cylinder", "center": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "radius": radius, "length": length,
        }),
        Shape::Plane { position, normal, two_sided } => json!({
            "type": "Plane", "position": list(&position.coords), "normal": list(normal), "two_sided": two_sided,
        }),
        Shape::OrientedBox { pose, half_extents } => json!({
            "type": "OrientedBox", "center": list(&pose.translation.vector),
            "quat_wxyz": quaternion(&pose.rotation), "half_extents": list(half_extents),
        }),
        Shape::Ellipsoid { pose, radii } => json!({
            "type": "Ellipsoid", "center": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "radii": list(radii),
        }),
        Shape::Cone { pose, radius, length } => json!({
            "type": "Cone", "center": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "radius": radius, "length": length,
        }),
        Shape::Convex { pose, corners, margin } => json!({
            "type": "Convex", "position": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "vertices": lists(corners), "margin": margin,
        }),
        Shape::PointSet { vertices, radius } => {
            json!({"type": "PointSet", "vertices": lists(vertices), "radius": radius})
        }
        Shape::LineMesh { vertices, cells, radius } => {
            json!({"type": "LineMesh", "vertices": lists(vertices), "cells": cells, "radius": radius})
        }
        Shape::SurfaceMesh { vertices, cells, radius } => {
            json!({"type": "SurfaceMesh", "vertices": lists(vertices), "cells": cells, "radius": radius})
        }
        Shape::TetraMesh { vertices, cells } => {
            json!({"type": "TetrahedralMesh", "vertices": lists(vertices), "cells": cells})
        }
        Shape::Implicit { pose, scale, function } => json!({
            "type": "Implicit", "position": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "scale": scale, "function": function_json(function),
        }),
    }
}

/// An implicit function.
fn function_json(function: &Function) -> Value {
    let all = |parts: &[Function]| parts.iter().map(function_json).collect::<Vec<_>>();
    match function {
        Function::Primitive(shape) => {
            let mut fields = shape_json(shape);
            fields.as_object_mut().map(|fields| fields.remove("type"));
            let name = if matches!(shape.as_ref(), Shape::OrientedBox { .. }) {
                "box".to_owned()
            } else {
                shape.kind().to_string()
            };
            json!({ name: fields })
        }
        Function::Torus { pose, major, minor } => json!({"torus": {
            "center": list(&pose.translation.vector), "quat_wxyz": quaternion(&pose.rotation),
            "major": major, "minor": minor,
        }}),
        Function::Grid { origin, spacing, size, values } => json!({"grid": {
            "origin": list(&origin.coords), "spacing": list(spacing), "size": size, "values": values,
        }}),
        Function::Union(parts) => json!({"union": all(parts)}),
        Function::Intersection(parts) => json!({"intersection": all(parts)}),
        Function::Difference(parts) => json!({"difference": all(parts)}),
        Function::SmoothUnion { of, radius } => json!({"smooth_union": {"of": all(of), "radius": radius}}),
        Function::Offset { of, distance } => {
            json!({"offset": {"of": function_json(of), "distance": distance}})
        }
    }
}

/// A whole case.
pub fn case_json(
    id: usize,
    detector: &str,
    [a, b]: [&Shape; 2],
    margin: f64,
    settings: Option<&Value>,
) -> String {
    let mut options = Map::new();
    options.insert("margin".to_owned(), json!(margin));
    if let Some(settings) = settings {
        options.insert("settings".to_owned(), settings.clone());
    }
    let (a, b) = (shape_json(a), shape_json(b));
    json!({"id": id, "detector": detector, "a": a, "b": b, "options": options}).to_string()
}

fn list(vector: &Vector) -> Value {
    json!([vector.x, vector.y, vector.z])
}

fn lists(points: &[Point]) -> Vec<Value> {
    points.iter().map(|point| list(&point.coords)).collect()
}

fn quaternion(rotation: &UnitQuaternion<f64>) -> Value {
    json!(Shape::wxyz(rotation))
}
