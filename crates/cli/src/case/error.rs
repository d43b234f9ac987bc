//! Errors of a case: the field, the value found, the value wanted.

use palpate::describe::DescriptionError;
use palpate::detect::DetectError;

/// Reason why a case cannot be answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CaseError {
    /// The line is not JSON.
    #[error("not valid JSON: {0}")]
    Json(String),
    /// The line is too long.
    #[error("the line is longer than {0} bytes (the limit `json_line_bytes`)")]
    TooLong(u64),
    /// The program has a fault.
    #[error("panicked, which is a fault of palpate: {0}")]
    Panicked(String),
    /// A field is missing, unknown or invalid.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// The pair cannot be detected.
    #[error("{field}: {source}")]
    Detect { field: String, source: Box<DetectError> },
}
