//! Errors of a scene.

use crate::{GeometryId, PairId};
use palpate_detect::DetectError;
use palpate_geometry::{GeometryError, GeometryKind};

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
    /// The id of a geometry comes from another scene.
    #[error("{id} is an id of another scene: wanted one that this scene gave")]
    OtherScene {
        /// The geometry asked for.
        id: GeometryId,
    },
    /// The id of a pair comes from another scene.
    #[error("{id} is an id of another scene: wanted one that this scene gave")]
    PairOfOtherScene {
        /// The pair asked for.
        id: PairId,
    },
    /// The geometry was removed.
    #[error("no {id} in the scene: it was removed; wanted one of its {count} geometries")]
    UnknownGeometry {
        /// The geometry asked for.
        id: GeometryId,
        /// How many there are.
        count: usize,
    },
    /// A geometry could not be moved.
    #[error("geometry {name:?}: {reason}")]
    NotMoved {
        /// The geometry.
        name: String,
        /// Why not.
        reason: GeometryError,
    },
    /// A pair of groups was asked for what only pairs that were added one by one have.
    #[error(
        "{id} is a pair of groups: wanted a pair from add_pair; the margin and the settings of pairs of groups are those of add_pairs_by_groups"
    )]
    PairOfGroups {
        /// The pair asked for.
        id: PairId,
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
