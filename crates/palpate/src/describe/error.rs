//! Errors of a description: the field, the value found, the value wanted.

use crate::geometry::GeometryError;
use serde_json::Value;

/// Why JSON describes no geometry, or why a geometry has no description.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// A field is not what it should be.
    #[error("{field}: found {found}, wanted {wanted}")]
    Field {
        /// The field, with those that it is in.
        field: String,
        /// The value found.
        found: String,
        /// The value wanted.
        wanted: String,
    },
    /// The geometry refuses the fields that it was given.
    #[error("{field}: {source}")]
    Geometry {
        /// The field, with those that it is in.
        field: String,
        /// What is wrong with it.
        source: Box<GeometryError>,
    },
}

impl DescriptionError {
    /// The value found at a field still to be named by [`DescriptionError::at`].
    pub fn found(value: &Value, wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: describe(value), wanted: wanted.into() }
    }

    /// A field that is not there.
    pub fn missing(wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: "nothing".to_owned(), wanted: wanted.into() }
    }

    /// A refusal by the geometry, its field still to be named by [`DescriptionError::at`].
    pub fn geometry(source: GeometryError) -> Self {
        Self::Geometry { field: String::new(), source: Box::new(source) }
    }

    /// The same one step further out: `[3]` at `vertices` is `vertices[3]`, `radius` at `a` is `a.radius`.
    #[must_use]
    pub fn at(mut self, outer: &str) -> Self {
        let (Self::Field { field, .. } | Self::Geometry { field, .. }) = &mut self;
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        *field = format!("{outer}{dot}{field}");
        self
    }

    /// The same for an element of a list.
    #[must_use]
    pub fn at_index(self, index: usize) -> Self {
        self.at(&format!("[{index}]"))
    }
}

/// A value in few words.
fn describe(value: &Value) -> String {
    const LONGEST: usize = 40;
    match value {
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > LONGEST => {
            format!("{:?}...", text.chars().take(LONGEST).collect::<String>())
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_is_named_from_the_outside_in() {
        let error =
            DescriptionError::found(&json!("x"), "a number").at_index(1).at_index(3).at("vertices").at("a");
        assert_eq!(error.to_string(), "a.vertices[3][1]: found \"x\", wanted a number");
    }

    #[test]
    fn long_values_are_told_shortly() {
        let text = DescriptionError::found(&json!("y".repeat(500)), "a type").to_string();
        assert!(text.len() < 80, "{text}");
        assert!(DescriptionError::found(&json!([1, 2]), "3 numbers").to_string().contains("a list of 2"));
    }
}
