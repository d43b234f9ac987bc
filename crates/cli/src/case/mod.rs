//! Cases in JSON: a pair of geometries and their options. The format is `docs/detect-json.md`.

mod error;
pub(crate) mod fields;
mod implicit;
pub(crate) mod number;
mod parse;
mod pose;
mod question;
pub(crate) mod shape;

pub(crate) use error::CaseError;
pub(crate) use parse::parse;
pub(crate) use question::{Other, Question};
