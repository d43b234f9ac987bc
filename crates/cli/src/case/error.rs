//! Errors of a case: the field, the value found, the value wanted.

use palpate::describe::DescriptionError;
use palpate::detect::DetectError;

/// Why a case has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum CaseError {
    /// The line is not JSON.
    #[error("not valid JSON: {0}")]
    Json(String),
    /// The line is too long.
    #[error("the line is longer than {0} bytes, the longest that is read")]
    TooLong(usize),
    /// A field is not what it should be.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// The pair cannot be detected.
    #[error("{field}: {source}")]
    Detect { field: String, source: Box<DetectError> },
}
