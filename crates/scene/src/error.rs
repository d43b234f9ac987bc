//! Errors of a scene.

use crate::{GeometryId, PairId};
use palpate_detect::DetectError;
use palpate_geometry::{GeometryError, GeometryKind};

/// Reason why an operation of a scene failed. The message names the object, the value found and the value wanted.
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
    #[error("{id} belongs to another scene: wanted an id of this scene")]
    OtherScene {
        /// The requested geometry.
        id: GeometryId,
    },
    /// The id of a pair comes from another scene.
    #[error("{id} belongs to another scene: wanted an id of this scene")]
    PairOfOtherScene {
        /// The requested pair.
        id: PairId,
    },
    /// The geometry was removed.
    #[error("no {id} in the scene: it was removed; wanted one of its {count} geometries")]
    UnknownGeometry {
        /// The requested geometry.
        id: GeometryId,
        /// The number in the scene.
        count: usize,
    },
    /// A geometry could not be moved.
    #[error("geometry {name:?}: {reason}")]
    NotMoved {
        /// The geometry.
        name: String,
        /// The reason.
        reason: GeometryError,
    },
    /// The operation is not available for a pair of groups, only for pairs added one by one.
    #[error(
        "{id} is a pair of groups: wanted a pair from add_pair; the margin and the settings of pairs of groups are those of add_pairs_by_groups"
    )]
    PairOfGroups {
        /// The requested pair.
        id: PairId,
    },
    /// The scene does not have this pair, or no longer has it.
    #[error("no {id} in the scene: wanted one of its {count} pairs; was it removed?")]
    UnknownPair {
        /// The requested pair.
        id: PairId,
        /// The number in the scene.
        count: usize,
    },
    /// A geometry is not of the type asked for.
    #[error("geometry {name:?} is a {kind}: wanted a {wanted}")]
    OtherType {
        /// The geometry.
        name: String,
        /// Its kind.
        kind: GeometryKind,
        /// The requested Rust type.
        wanted: &'static str,
    },
    /// A pair could not be bound or detected.
    #[error("pair {a}:{b}: {reason}")]
    Pair {
        /// The name of the first geometry.
        a: String,
        /// The name of the second geometry.
        b: String,
        /// The reason; names both kinds if no detector supports them.
        reason: Box<DetectError>,
    },
    /// A geometry is shared by another scene, and belongs to it.
    #[error(
        "geometry {name:?} is shared by another scene: change it there; wanted a geometry of this scene's own"
    )]
    SharedByOther {
        /// The geometry.
        name: String,
    },
    /// A geometry cannot be shared with other threads: its type cannot be cloned.
    #[error("geometry {name:?} is a {kind} that cannot be cloned: wanted one with Geometry::try_clone")]
    NotCloned {
        /// The geometry.
        name: String,
        /// Its kind.
        kind: GeometryKind,
    },
    /// A shared geometry was removed from its scene, or replaced by one of another kind.
    #[error(
        "geometry {name:?} is {found} in the scene that shares it: wanted a {wanted}; remove it here and share it again"
    )]
    SharedChanged {
        /// The geometry.
        name: String,
        /// Its kind now, or that there is none.
        found: String,
        /// The kind it had when it was added.
        wanted: GeometryKind,
    },
    /// A saved state is of another scene.
    #[error("the saved state is of another scene: wanted one that this scene has saved")]
    SavedElsewhere,
    /// All ids for geometries or pairs are used.
    #[error("all {wanted} ids for {what} are used: create a new scene")]
    IdsExhausted {
        /// Geometries or pairs.
        what: &'static str,
        /// The number of ids available.
        wanted: u64,
    },
    /// A geometry that cannot answer a query.
    #[error("geometry {name:?}: {reason}; leave it out by the groups of the query")]
    Query {
        /// The geometry.
        name: String,
        /// Why.
        reason: GeometryError,
    },
    /// Options of pairs between groups that no two geometries of the scene match.
    #[error(
        "groups {first:#b} and {second:#b}: no two of the {count} geometries match; their memberships are {members:#b}"
    )]
    NoPairOfGroups {
        /// The groups of one side, bits.
        first: u32,
        /// The groups of the other.
        second: u32,
        /// The number of geometries.
        count: usize,
        /// The groups that have members, bits.
        members: u32,
    },
}
