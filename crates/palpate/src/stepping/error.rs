//! Errors of a stepper.

use palpate_response::ResponseError;
use palpate_scene::{GeometryId, SceneError};

/// What a stepper refuses.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// Of the scene: a detector, a place that is not finite.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Of rows or of the guard.
    #[error(transparent)]
    Response(#[from] ResponseError),
    /// A geometry that the guard refuses, by its name: list it in [`StepperOptions::unguarded`](super::StepperOptions).
    #[error("geometry {name:?}: {reason}; or list it as unguarded")]
    NotGuarded {
        /// The name.
        name: String,
        /// Why.
        reason: ResponseError,
    },
    /// A geometry that was added to the scene after the stepper was made.
    #[error("{id} is not known to the stepper: make a new one after adding geometries")]
    UnknownGeometry {
        /// The geometry.
        id: GeometryId,
    },
    /// A geometry moves with particles or bodies that do not exist.
    #[error("geometry {name:?} moves with {what} up to number {wanted}: found {found} {what}")]
    TooFew {
        /// The name.
        name: String,
        /// Particles or bodies.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there have to be.
        wanted: usize,
    },
    /// An option that is not positive and finite.
    #[error("{quantity} of a stepper is {found}, wanted a positive finite number")]
    Option {
        /// Which.
        quantity: &'static str,
        /// Its value.
        found: f64,
    },
}
