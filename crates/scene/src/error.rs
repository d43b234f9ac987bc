//! What can go wrong in a scene.

use crate::{GeometryId, PairId};
use palpate_detect::DetectError;
use palpate_geometry::GeometryKind;

/// Why a scene refused. The message names the thing, what was found and what was wanted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A geometry of this name is in the scene already.
    #[error("a geometry named {name:?} is in the scene already ({id}): wanted a new name")]
    DuplicateName {
        /// The name.
        name: String,
        /// The geometry that has it.
        id: GeometryId,
    },
    /// The scene has no such geometry.
    #[error("no {id} in the scene: wanted one of its {count} geometries, numbered from 0")]
    UnknownGeometry {
        /// The geometry asked for.
        id: GeometryId,
        /// How many there are.
        count: usize,
    },
    /// The scene has no such pair, or has it no longer.
    #[error("no {id} in the scene: wanted one of its {count} pairs; was it removed?")]
    UnknownPair {
        /// The pair asked for.
        id: PairId,
        /// How many there are.
        count: usize,
    },
    /// A geometry is not of the type asked for.
    #[error("geometry {name:?} is a {kind}: wanted a {wanted}")]
    OtherType {
        /// The geometry.
        name: String,
        /// Its kind.
        kind: GeometryKind,
        /// The Rust type asked for.
        wanted: &'static str,
    },
    /// A pair could not be bound or detected.
    #[error("pair {a}:{b}: {reason}")]
    Pair {
        /// The name of the first geometry.
        a: String,
        /// The name of the second geometry.
        b: String,
        /// Why not; names both kinds where they do not go together.
        reason: Box<DetectError>,
    },
    /// All numbers for geometries or pairs were given.
    #[error("the scene has given all {wanted} numbers for {what}: make a new scene")]
    IdsExhausted {
        /// Geometries or pairs.
        what: &'static str,
        /// How many numbers there are.
        wanted: u64,
    },
}
