//! Errors of a description: the field, the value found, the value wanted.

use crate::geometry::GeometryError;
use serde_json::Value;

/// Reason why JSON does not describe a geometry, or why a geometry cannot be described.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptionError {
    /// A field is missing, unknown or invalid.
    #[error("{}found {found}, wanted {wanted}", subject(field))]
    Field {
        /// Path of the field, for example `a.vertices[3]`.
        field: String,
        /// The value found.
        found: String,
        /// The value wanted.
        wanted: String,
    },
    /// The geometry rejects the values of its fields.
    #[error("{}{source}", subject(field))]
    Geometry {
        /// Path of the field, for example `a.vertices[3]`.
        field: String,
        /// What is wrong with it.
        source: Box<GeometryError>,
    },
    /// A mesh file that the description names cannot be used.
    #[error("{}{reason}", subject(field))]
    File {
        /// Path of the field, for example `a.file`.
        field: String,
        /// What is wrong with the file; names it.
        reason: String,
    },
}

/// A field and a colon; nothing where the whole description is meant.
fn subject(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("{field}: ") }
}

impl DescriptionError {
    /// An error for `value`; the caller adds the field with [`DescriptionError::at`].
    pub fn found(value: &Value, wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: describe(value), wanted: wanted.into() }
    }

    /// An error for a missing field.
    pub fn missing(wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: "nothing".to_owned(), wanted: wanted.into() }
    }

    /// An error of the geometry; the caller adds the field with [`DescriptionError::at`].
    pub fn geometry(source: GeometryError) -> Self {
        Self::Geometry { field: String::new(), source: Box::new(source) }
    }

    /// The same error with `outer` prepended to the path: `[3]` at `vertices` is `vertices[3]`, `radius` at `a` is
    /// `a.radius`.
    #[must_use]
    pub fn at(mut self, outer: &str) -> Self {
        let (Self::Field { field, .. } | Self::Geometry { field, .. } | Self::File { field, .. }) = &mut self;
        let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
        *field = format!("{outer}{dot}{field}");
        self
    }

    /// The same error at element `index` of a list.
    #[must_use]
    pub fn at_index(self, index: usize) -> Self {
        self.at(&format!("[{index}]"))
    }
}

/// A short description of a value.
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
    fn errors_name_the_path_from_the_outermost_field() {
        let error =
            DescriptionError::found(&json!("x"), "a number").at_index(1).at_index(3).at("vertices").at("a");
        assert_eq!(error.to_string(), "a.vertices[3][1]: found \"x\", wanted a number");
    }

    #[test]
    fn without_a_field_there_is_no_colon() {
        assert_eq!(DescriptionError::found(&json!(1), "2").to_string(), "found 1, wanted 2");
    }

    #[test]
    fn long_values_are_abbreviated() {
        let text = DescriptionError::found(&json!("y".repeat(500)), "a type").to_string();
        assert!(text.len() < 80, "{text}");
        assert!(DescriptionError::found(&json!([1, 2]), "3 numbers").to_string().contains("a list of 2"));
    }
}
