//! Errors of replaying a session.

use crate::describe::DescriptionError;
use crate::detect::{DetectError, did_you_mean};
use crate::geometry::GeometryError;
use crate::recording::RecordingError;
use crate::scene::SceneError;

/// Reason why a session cannot be replayed. The message names the object, the value found and the value wanted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A pair cannot be bound or detected.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The thread pool cannot be created.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// A mesh file cannot be read.
    #[cfg(feature = "mesh-io")]
    #[error(transparent)]
    Mesh(#[from] crate::mesh_io::MeshIoError),
    /// There is no frame of this number.
    #[error("the session has no frame {frame}: wanted one of {count}")]
    NoSuchFrame {
        /// The requested frame, from 0.
        frame: usize,
        /// The number of frames.
        count: usize,
    },
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
    /// An object's shape cannot be created.
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
    /// An object is of an unknown kind.
    #[error("object {object:?} is of kind {kind:?}: {}wanted one of {known}", did_you_mean(nearest))]
    UnknownKind {
        /// The object.
        object: String,
        /// The kind found.
        kind: String,
        /// The known kinds.
        known: &'static str,
        /// The kind that is spelled most like it, if one is close.
        nearest: Option<String>,
    },
    /// A pair names an object that the session does not have.
    #[error("no object {name:?} in the session: {}wanted one of {known}", did_you_mean(nearest))]
    UnknownObject {
        /// The requested name.
        name: String,
        /// The names of the session's objects.
        known: String,
        /// The name that is spelled most like it, if one is close.
        nearest: Option<String>,
    },
    /// The session has no frame.
    #[error("the session has no frame: wanted at least one")]
    NoFrames,
    /// No pair was requested, and no two objects of the session have a default detector.
    #[error(
        "nothing to detect: no two of {objects} have a default detector; ask for a pair and name its detector"
    )]
    NothingToDetect {
        /// The objects and their kinds.
        objects: String,
    },
    /// No pair was requested, and the session has a single object.
    #[error(
        "nothing to detect: {name:?} is the only object; wanted a second one, or the pair of it with itself"
    )]
    SingleObject {
        /// The object.
        name: String,
    },
}
