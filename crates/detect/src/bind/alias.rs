//! Aliases: other names for a detector, with settings.

use serde_json::Value;

/// Another name for a detector with settings of its own.
#[derive(Clone, Debug)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) detector: String,
    pub(crate) settings: Value,
}
