//! What can be wrong with a geometry.

/// Why a geometry was refused. The message names the thing, the value found and the value wanted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A number is NaN or infinite.
    #[error("{what} is {value}: wanted a finite number")]
    NotFinite {
        /// Which number.
        what: String,
        /// What it is.
        value: f64,
    },
    /// A size is not positive.
    #[error("{what} is {value}: wanted a number greater than 0")]
    NotPositive {
        /// Which size.
        what: String,
        /// What it is.
        value: f64,
    },
    /// A size is negative.
    #[error("{what} is {value}: wanted 0 or more")]
    Negative {
        /// Which size.
        what: String,
        /// What it is.
        value: f64,
    },
    /// A size is greater than another that bounds it.
    #[error("{what} is {}: wanted {} or less", shown(*value), shown(*most))]
    TooLarge {
        /// Which size.
        what: String,
        /// What it is.
        value: f64,
        /// The most it may be.
        most: f64,
    },
    /// A size is less than another that it must reach.
    #[error("{what} is {}: wanted {} or more", shown(*value), shown(*least))]
    TooSmall {
        /// Which size.
        what: String,
        /// What it is.
        value: f64,
        /// The least it may be.
        least: f64,
    },
    /// A surface that must hold an inside does not.
    #[error("{what} is not closed ({reason}): wanted a closed surface")]
    NotClosed {
        /// Which surface.
        what: String,
        /// Where it is open.
        reason: String,
    },
    /// A geometry has no pose to be set.
    #[error("a {kind} has no pose: wanted a shape, or a geometry in a scene, which can place it")]
    NoPose {
        /// Its kind.
        kind: crate::GeometryKind,
    },
    /// A geometry has no vertices to be moved.
    #[error("a {kind} has no vertices: wanted a mesh or a point set")]
    NoVertices {
        /// Its kind.
        kind: crate::GeometryKind,
    },
    /// The caller asked to stop.
    #[error("stopped before the end, as asked")]
    Stopped,
    /// A direction has length zero.
    #[error("{what} has length 0: wanted a direction")]
    NoDirection {
        /// Which direction.
        what: String,
    },
    /// A rotation is not rigid: it scales, shears or mirrors.
    #[error("{what} is not a rigid rotation ({reason}, off by {error:e}; wanted within {tolerance:e})", tolerance = crate::pose::RIGID_TOLERANCE)]
    NotRigid {
        /// Which rotation.
        what: String,
        /// What is wrong with it.
        reason: &'static str,
        /// By how much.
        error: f64,
    },
    /// A cell names a vertex that is not there.
    #[error("cell {cell} names vertex {vertex}: wanted less than {vertex_count}, the number of vertices")]
    IndexOutOfRange {
        /// The cell.
        cell: usize,
        /// The vertex it names.
        vertex: u64,
        /// How many vertices there are.
        vertex_count: usize,
    },
    /// A list has the wrong length.
    #[error("{what} has length {found}: wanted {wanted}")]
    Length {
        /// Which list.
        what: String,
        /// Its length.
        found: usize,
        /// The length wanted.
        wanted: usize,
    },
    /// A list is empty.
    #[error("{what} is empty: wanted at least one")]
    Empty {
        /// Which list.
        what: String,
    },
    /// A kind of geometry cannot answer a question.
    #[error("the geometry is of kind {kind}: wanted {wanted}")]
    Unsupported {
        /// Its kind.
        kind: crate::GeometryKind,
        /// What can answer.
        wanted: &'static str,
    },
}

/// A number in few digits, however large it is.
fn shown(value: f64) -> String {
    if value.abs() >= 1e16 && value.is_finite() { format!("{value:e}") } else { value.to_string() }
}
