//! A case: two geometries, the detector and its options.

use super::CaseError;
use palpate::describe::{DescriptionError, Fields, MeshFiles, number, text};
use palpate::geometry::Geometry;
use serde_json::Value;

/// A geometry of any kind.
type Shape = Box<dyn Geometry>;

/// The contents of a case.
pub(crate) struct Question {
    /// The requested detector or alias.
    pub(crate) detector: Option<String>,
    /// The first geometry.
    pub(crate) a: Shape,
    /// The second geometry, or self-contact.
    pub(crate) b: Other,
    /// The contact margin in metres.
    pub(crate) margin: f64,
    /// The detector's own settings.
    pub(crate) settings: Option<Value>,
}

/// Keys that only the options know: at the top level they would be ignored.
const OF_OPTIONS: [&str; 2] = ["margin", "settings"];

/// The second side of a case.
pub(crate) enum Other {
    /// Another geometry.
    Geometry(Shape),
    /// The first geometry: self-contact.
    Itself,
}

impl Question {
    /// Reads a case and the mesh files that it names. Unknown keys at the top level are ignored, but for those of the options;
    /// within a geometry and the options they are errors.
    pub(crate) fn read(value: &Value, files: &MeshFiles) -> Result<Self, CaseError> {
        if !value.is_object() {
            return Err(DescriptionError::found(value, "an object").at("the case").into());
        }
        let mut fields = Fields::new(value)?;
        for key in OF_OPTIONS {
            if let Some(found) = value.get(key) {
                let wanted = format!("it inside of \"options\", as {{\"options\": {{\"{key}\": …}}}}");
                return Err(DescriptionError::found(found, wanted).at(key).into());
            }
        }
        let detector = fields.optional("detector", text)?.map(str::to_owned);
        let a = fields.required("a", "a geometry", |value| files.from_json(value))?;
        let b = fields.required("b", "a geometry or \"self\"", |value| other(value, files))?;
        let (margin, settings) = fields.optional("options", options)?.unwrap_or((0.0, None));
        Ok(Self { detector, a, b, margin, settings })
    }
}

fn other(value: &Value, files: &MeshFiles) -> Result<Other, DescriptionError> {
    match value {
        Value::String(word) if word == "self" => Ok(Other::Itself),
        Value::Object(_) => files.from_json(value).map(Other::Geometry),
        _ => Err(DescriptionError::found(value, "a geometry or \"self\"")),
    }
}

fn options(value: &Value) -> Result<(f64, Option<Value>), DescriptionError> {
    let mut fields = Fields::new(value)?;
    let margin = fields.optional("margin", number::not_negative)?.unwrap_or(0.0);
    let settings = fields.optional("settings", |value| match value {
        Value::Object(_) => Ok(value.clone()),
        _ => Err(DescriptionError::found(value, "an object: the detector's settings")),
    })?;
    fields.finish()?;
    Ok((margin, settings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(value: &Value) -> String {
        Question::read(value, &MeshFiles::default()).err().map(|error| error.to_string()).unwrap_or_default()
    }

    fn sphere() -> Value {
        json!({"type": "Sphere", "center": [0, 0, 0], "radius": 1})
    }

    fn with(key: &str, value: Value) -> Value {
        let mut shape = sphere();
        shape[key] = value;
        json!({"a": shape, "b": sphere()})
    }

    #[test]
    fn unknown_keys_matter_inside_a_geometry_and_the_options_only() {
        assert_eq!(error(&json!({"a": sphere(), "b": sphere(), "truth": 1})), "");
        assert!(
            error(&with("radios", json!(1)))
                .starts_with("a.radios: found an unknown key, wanted one of type")
        );
        assert_eq!(
            error(&json!({"a": sphere(), "b": sphere(), "margin": 1})),
            "margin: found 1, wanted it inside of \"options\", as {\"options\": {\"margin\": …}}"
        );
        let case = json!({"a": sphere(), "b": sphere(), "options": {"margins": 1}});
        assert_eq!(
            error(&case),
            "options.margins: found an unknown key, wanted one of margin, settings (did you mean \"margin\"?)"
        );
    }

    #[test]
    fn the_field_the_value_found_and_the_value_wanted_are_named() {
        assert_eq!(error(&with("radius", json!(-1))), "a.radius: found -1, wanted a number greater than 0");
        assert_eq!(
            error(&with("center", json!([0, 0]))),
            "a.center: found a list of 2, wanted 3 finite numbers"
        );
        assert!(
            error(&with("type", json!("Sfere")))
                .starts_with("a.type: found \"Sfere\", wanted one of Sphere, ")
        );
        assert_eq!(error(&json!({"a": sphere()})), "b: found nothing, wanted a geometry or \"self\"");
        assert!(error(&json!({"a": sphere(), "b": "other"})).starts_with("b: found \"other\""));
        assert_eq!(error(&json!([1])), "the case: found a list of 1, wanted an object");
    }

    #[test]
    fn every_type_is_read_with_its_previous_coordinates() {
        let vertices = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        let shapes = [
            (
                "sphere",
                json!({"type": "Sphere", "center": [0, 0, 0], "radius": 1, "previous_center": [1, 0, 0]}),
            ),
            (
                "capsule",
                json!({"type": "Capsule", "center": [0, 0, 0], "radius": 1, "length": 0, "axis": [0, 0, 1]}),
            ),
            (
                "cylinder",
                json!({"type": "Cylinder", "center": [0, 0, 0], "radius": 1, "length": 2,
                "quat_wxyz": [1, 0, 0, 0], "previous_quat_wxyz": [0, 1, 0, 0]}),
            ),
            (
                "plane",
                json!({"type": "Plane", "position": [0, 0, 0], "normal": [0, 3, 0], "two_sided": true}),
            ),
            (
                "oriented_box",
                json!({"type": "OrientedBox", "center": [0, 0, 0], "half_extents": [1, 2, 3],
                "axes": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
            ),
            ("point_set", json!({"type": "PointSet", "vertices": vertices, "previous_vertices": vertices})),
            (
                "line_mesh",
                json!({"type": "LineMesh", "vertices": vertices, "cells": [[0, 1], [1, 2]], "radius": 0.1}),
            ),
            (
                "surface_mesh",
                json!({"type": "SurfaceMesh", "vertices": vertices, "cells": [[0, 1, 2]], "closed": false}),
            ),
            (
                "tetra_mesh",
                json!({"type": "TetrahedralMesh", "vertices": vertices, "cells": [[0, 1, 2, 3]],
                "previous_vertices": vertices}),
            ),
        ];
        for (kind, shape) in shapes {
            let question = Question::read(&json!({"a": shape, "b": "self"}), &MeshFiles::default());
            let question = question.map_err(|error| error.to_string());
            let question = question.unwrap_or_else(|error| panic!("{kind}: {error}"));
            assert_eq!(question.a.kind().name(), kind);
            assert!(matches!(question.b, Other::Itself));
        }
    }
}
