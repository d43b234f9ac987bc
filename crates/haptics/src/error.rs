//! Errors of haptic rendering.

use palpate_scene::{PairId, SceneError};
use thiserror::Error;

/// Why a proxy cannot be made or moved.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HapticError {
    /// The scene refuses: an id of another scene, a pose that is not finite, a detector that fails.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A quantity of the options is out of its range.
    #[error("the {quantity} is {found}; wanted {wanted}")]
    Option {
        /// The quantity.
        quantity: &'static str,
        /// The value found.
        found: f64,
        /// The values that are accepted.
        wanted: &'static str,
    },
    /// No pair of the scene has the tool: it would move through everything.
    #[error("the tool has no pair; wanted one with each obstacle, with a margin")]
    NoPair,
    /// A pair of the tool reports contacts only when it is too late.
    #[error(
        "pair {pair:?} of the tool has a margin of {found} m; wanted at least the reach of the proxy, {reach} m"
    )]
    Margin {
        /// The pair.
        pair: PairId,
        /// Its margin in metres.
        found: f64,
        /// The reach of the proxy in metres.
        reach: f64,
    },
}
