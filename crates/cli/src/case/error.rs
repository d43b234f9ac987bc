//! Errors of a case: the field, the value found, the value wanted.

use palpate::detect::DetectError;
use palpate::geometry::GeometryError;
use serde_json::Value;

/// Why a case has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CaseError {
    /// The line is not JSON.
    #[error("not valid JSON: {0}")]
    Json(String),
    /// The line is too long.
    #[error("the line is longer than {0} bytes, the longest that is read")]
    TooLong(usize),
    /// A field has a wrong value.
    #[error("{field}: found {found}, wanted {wanted}")]
    Field { field: String, found: String, wanted: String },
    /// The geometry rejects its fields.
    #[error("{field}: {source}")]
    Geometry { field: String, source: Box<GeometryError> },
    /// The pair cannot be detected.
    #[error("{field}: {source}")]
    Detect { field: String, source: Box<DetectError> },
}

impl CaseError {
    /// The value found at a field that [`CaseError::at`] will name.
    pub(crate) fn found(value: &Value, wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: describe(value), wanted: wanted.into() }
    }

    /// A missing field.
    pub(crate) fn missing(wanted: impl Into<String>) -> Self {
        Self::Field { field: String::new(), found: "nothing".to_owned(), wanted: wanted.into() }
    }

    /// An error of the geometry, for a field that [`CaseError::at`] will name.
    pub(crate) fn geometry(source: GeometryError) -> Self {
        Self::Geometry { field: String::new(), source: Box::new(source) }
    }

    /// The same one level up: `[3]` at `vertices` is `vertices[3]`, `radius` at `a` is `a.radius`.
    #[must_use]
    pub(crate) fn at(mut self, outer: &str) -> Self {
        if let Self::Field { field, .. } | Self::Geometry { field, .. } | Self::Detect { field, .. } =
            &mut self
        {
            let dot = if field.is_empty() || field.starts_with('[') { "" } else { "." };
            *field = format!("{outer}{dot}{field}");
        }
        self
    }

    /// The same for an element of a list.
    #[must_use]
    pub(crate) fn at_index(self, index: usize) -> Self {
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
    fn a_field_is_named_from_the_outside_in() {
        let error = CaseError::found(&json!("x"), "a number").at_index(1).at_index(3).at("vertices").at("a");
        assert_eq!(error.to_string(), "a.vertices[3][1]: found \"x\", wanted a number");
    }

    #[test]
    fn long_values_are_told_shortly() {
        let text = CaseError::found(&json!("y".repeat(500)), "a type").to_string();
        assert!(text.len() < 80, "{text}");
        assert!(CaseError::found(&json!([1, 2]), "3 numbers").to_string().contains("a list of 2"));
    }
}
