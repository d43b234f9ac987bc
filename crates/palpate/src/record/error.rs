//! Errors of recording a scene.

use crate::describe::DescriptionError;
use crate::recording::RecordingError;
use crate::scene::SceneError;

/// Why a scene cannot be recorded. The message names the thing, what was found and what was wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The recording cannot be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The scene refused.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A geometry cannot be described, so that nobody could make it again.
    #[error("geometry {object:?}: {reason}")]
    Description {
        /// The geometry.
        object: String,
        /// What of it cannot be described.
        reason: DescriptionError,
    },
    /// The scene is no longer what the recording began with.
    #[error("{what}: found {found}, wanted {wanted}, as the recording began: start a new one")]
    Changed {
        /// The geometry, the pair, or the scene.
        what: String,
        /// How it is now.
        found: String,
        /// How it was.
        wanted: String,
    },
    /// A pose does not turn, but scales.
    #[error("geometry {object:?}: found a rotation whose quaternion has length {length}, wanted 1")]
    NotRigid {
        /// The geometry.
        object: String,
        /// The length of its quaternion.
        length: f64,
    },
}
