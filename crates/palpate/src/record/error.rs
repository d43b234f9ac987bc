//! Errors of recording a scene.

use crate::describe::DescriptionError;
use crate::recording::RecordingError;
use crate::scene::SceneError;

/// Reason why a scene cannot be recorded. The message names the object, the value found and the value wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The recording cannot be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The scene returned an error.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A geometry cannot be described, so a replay could not recreate it.
    #[error("geometry {object:?}: {reason}")]
    Description {
        /// The geometry.
        object: String,
        /// Why it cannot be described.
        reason: DescriptionError,
    },
    /// The scene no longer has the geometries and pairs with which the recording started.
    #[error("{what}: found {found}, wanted {wanted}, as at the start of the recording: start a new one")]
    Changed {
        /// The geometry, the pair, or the scene.
        what: String,
        /// The current state.
        found: String,
        /// The state at the start of the recording.
        wanted: String,
    },
    /// An invalid option or time.
    #[error("{option}: found {found}, wanted {wanted}")]
    Option {
        /// The name of the option.
        option: &'static str,
        /// Its value.
        found: String,
        /// The valid values.
        wanted: String,
    },
    /// The quaternion of a pose is not a unit quaternion.
    #[error("geometry {object:?}: found a rotation whose quaternion has length {length}, wanted 1")]
    NotRigid {
        /// The geometry.
        object: String,
        /// The length of its quaternion.
        length: f64,
    },
}
