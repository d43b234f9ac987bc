//! Cases in JSON: a pair of geometries and their options. The format is `docs/detect-json.md`.

mod error;
mod parse;
mod question;

pub(crate) use error::CaseError;
pub(crate) use parse::parse;
pub(crate) use question::{Other, Question};
