//! Errors of replaying a session.

use crate::describe::DescriptionError;
use crate::detect::DetectError;
use crate::geometry::GeometryError;
use crate::recording::RecordingError;
use crate::scene::SceneError;

/// Why a session cannot be replayed. The message names the thing, what was found and what was wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A pair cannot be bound or detected.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The pool of threads cannot be made.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// A frame's data is not a valid geometry.
    #[error("object {object:?}, frame {frame}: {reason}")]
    Geometry {
        /// The object.
        object: String,
        /// The frame, from 0.
        frame: usize,
        /// What is wrong with it.
        reason: GeometryError,
    },
    /// An object's shape cannot be made.
    #[error("object {object:?}, frame {frame}, shape: {reason}")]
    Shape {
        /// The object.
        object: String,
        /// The frame, from 0.
        frame: usize,
        /// What is wrong with its description.
        reason: DescriptionError,
    },
    /// The settings of a pair are not JSON.
    #[error("pair {a}:{b}: the settings are not JSON: {reason}")]
    Settings {
        /// The first object.
        a: String,
        /// The second object.
        b: String,
        /// What is wrong with them.
        reason: String,
    },
    /// An object is of a kind that palpate has no geometry for.
    #[error("object {object:?} is of kind {kind:?}: wanted one of {known}")]
    UnknownKind {
        /// The object.
        object: String,
        /// The kind found.
        kind: String,
        /// The kinds there are.
        known: &'static str,
    },
    /// A pair names an object that the session does not have.
    #[error("no object {name:?} in the session: wanted one of {known}")]
    UnknownObject {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The session has no frame.
    #[error("the session has no frame: wanted at least one")]
    NoFrames,
    /// No pair was asked for, and none of the session's objects have a detector.
    #[error(
        "nothing to detect: no two of {objects} have a default detector; ask for a pair and name its detector"
    )]
    NothingToDetect {
        /// The objects and their kinds.
        objects: String,
    },
}
