//! Errors in geometries.

/// Why a geometry was rejected. The message names the thing, the value found and the value wanted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A number is NaN or infinite.
    #[error("{what} is {value}: wanted a finite number")]
    NotFinite {
        /// The name of the number.
        what: String,
        /// Its value.
        value: f64,
    },
    /// A size is not positive.
    #[error("{what} is {value}: wanted a number greater than 0")]
    NotPositive {
        /// The name of the size.
        what: String,
        /// Its value.
        value: f64,
    },
    /// A size is negative.
    #[error("{what} is {value}: wanted 0 or more")]
    Negative {
        /// The name of the size.
        what: String,
        /// Its value.
        value: f64,
    },
    /// A size exceeds its upper limit.
    #[error("{what} is {}: wanted {} or less", shown(*value), shown(*most))]
    TooLarge {
        /// The name of the size.
        what: String,
        /// Its value.
        value: f64,
        /// The upper limit.
        most: f64,
    },
    /// A size is below its lower limit.
    #[error("{what} is {}: wanted {} or more", shown(*value), shown(*least))]
    TooSmall {
        /// The name of the size.
        what: String,
        /// Its value.
        value: f64,
        /// The lower limit.
        least: f64,
    },
    /// A surface that must be closed is not.
    #[error("{what} is not closed ({reason}): wanted a closed surface")]
    NotClosed {
        /// The name of the surface.
        what: String,
        /// Why it is open.
        reason: String,
    },
    /// A geometry has no pose to be set.
    #[error("a {kind} has no pose: wanted a shape, or a geometry in a scene, which can place it")]
    NoPose {
        /// Its kind.
        kind: super::GeometryKind,
    },
    /// A geometry has no vertices to be moved.
    #[error("a {kind} has no vertices: wanted a mesh or a point set")]
    NoVertices {
        /// Its kind.
        kind: super::GeometryKind,
    },
    /// The caller requested to stop.
    #[error("stopped by the caller before completion")]
    Stopped,
    /// A direction has length zero.
    #[error("{what} has length 0: wanted a direction")]
    NoDirection {
        /// The name of the direction.
        what: String,
    },
    /// A rotation is not rigid: it scales, shears or mirrors.
    #[error("{what} is not a rigid rotation ({reason}, off by {error:e}; wanted within {tolerance:e})", tolerance = super::RIGID_TOLERANCE)]
    NotRigid {
        /// The name of the rotation.
        what: String,
        /// What is wrong with it.
        reason: &'static str,
        /// By how much.
        error: f64,
    },
    /// A cell names a vertex that does not exist.
    #[error("cell {cell} names vertex {vertex}: wanted less than {vertex_count}, the number of vertices")]
    IndexOutOfRange {
        /// The cell.
        cell: usize,
        /// The vertex it names.
        vertex: u64,
        /// The number of vertices.
        vertex_count: usize,
    },
    /// A list has the wrong length.
    #[error("{what} has length {found}: wanted {wanted}")]
    Length {
        /// The name of the list.
        what: String,
        /// Its length.
        found: usize,
        /// The length wanted.
        wanted: usize,
    },
    /// A list is empty.
    #[error("{what} is empty: wanted at least one")]
    Empty {
        /// The name of the list.
        what: String,
    },
    /// A cell cannot be removed.
    #[error(
        "cell {cell} is {found}: wanted cells of the {count} in the mesh, each once, none removed before"
    )]
    NoCell {
        /// The cell.
        cell: u32,
        /// What is wrong with it.
        found: &'static str,
        /// The number of cells, the removed ones included.
        count: usize,
    },
    /// The numbers of the edges or triangles of a cut mesh are wrong.
    #[error("the numbers of the {what} are {found}: wanted {wanted}, each once, of {most} at most")]
    Numbers {
        /// Of what.
        what: &'static str,
        /// What is wrong.
        found: String,
        /// How many there are in the mesh.
        wanted: usize,
        /// How many there can be with the removed ones.
        most: usize,
    },
    /// A kind of geometry does not support a query.
    #[error("the geometry is of kind {kind}: wanted {wanted}")]
    Unsupported {
        /// Its kind.
        kind: super::GeometryKind,
        /// The kinds that do.
        wanted: &'static str,
    },
}

/// Formats a number in few digits, however large or small it is.
fn shown(value: f64) -> String {
    let plain = value == 0.0 || (1e-6..1e16).contains(&value.abs());
    if !plain && value.is_finite() { format!("{value:e}") } else { value.to_string() }
}
