//! Errors of gathering and of the guard.

use palpate_geometry::GeometryKind;

/// A contact, or the caller's description of its sides, that cannot become a row; a body that cannot be guarded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// A side refers to a particle that does not exist.
    #[error("pair {pair}: particle {found}, wanted one below {count}")]
    UnknownParticle {
        /// The number of the pair.
        pair: u64,
        /// The index of the particle.
        found: usize,
        /// The number of particles.
        count: usize,
    },
    /// A side refers to a rigid body that does not exist.
    #[error("pair {pair}: rigid body {found}, wanted one below {count}")]
    UnknownBody {
        /// The number of the pair.
        pair: u64,
        /// The index of the body.
        found: usize,
        /// The number of bodies.
        count: usize,
    },
    /// A contact names a vertex that the mapping does not have.
    #[error("pair {pair}: vertex {found} of a mapped surface, wanted one below {count}")]
    UnmappedVertex {
        /// The number of the pair.
        pair: u64,
        /// The vertex.
        found: usize,
        /// The number of vertices of the mapping.
        count: usize,
    },
    /// A mapping whose lists do not fit together.
    #[error("a mapping of {found} weights, wanted {wanted}: one per particle")]
    Mapping {
        /// The number of weights.
        found: usize,
        /// The number of particles.
        wanted: usize,
    },
    /// A quantity of a material that is negative or not finite.
    #[error("pair {pair}: {quantity} is {found}, wanted a finite number of 0 or more")]
    Material {
        /// The number of the pair.
        pair: u64,
        /// The name of the quantity.
        quantity: &'static str,
        /// Its value.
        found: f64,
    },
    /// A geometry whose overlap with another has no volume.
    #[error("an overlap with a body of kind {kind}, wanted a closed surface mesh or a tetra mesh")]
    NoOverlap {
        /// The kind of the geometry.
        kind: GeometryKind,
    },
    /// A geometry that a guard does not know.
    #[error("a guarded body of kind {kind}, wanted {wanted}")]
    NotGuarded {
        /// The kind of the geometry.
        kind: GeometryKind,
        /// What a guard knows.
        wanted: &'static str,
    },
    /// A body of another guard.
    #[error("guarded body {found}, wanted one below {count}")]
    UnknownGuardedBody {
        /// The number of the body.
        found: usize,
        /// The number of bodies.
        count: usize,
    },
    /// A guarded body given another geometry with another number of parts.
    #[error("a geometry of {found} parts, wanted {wanted}, as the guarded body has")]
    GuardedParts {
        /// The number of parts of the geometry.
        found: usize,
        /// The number of parts of the body.
        wanted: usize,
    },
    /// A distance that a guard cannot keep.
    #[error(
        "guarded pair {pair}: a distance of {found}, wanted a finite one of 0 or more, above 0 without radii"
    )]
    GuardedDistance {
        /// The number that the pair would have.
        pair: usize,
        /// The sum of the distance and the radii of both, metres.
        found: f64,
    },
    /// Lists of places that do not fit together, or are too short for the guarded bodies.
    #[error("a guarded step of {found} {what}, wanted {wanted}")]
    GuardedCount {
        /// Particles or poses.
        what: &'static str,
        /// Their number.
        found: usize,
        /// The number wanted.
        wanted: usize,
    },
    /// A place that is NaN or infinite.
    #[error("{what} {index} is not finite: wanted finite coordinates at the start and at the end of a step")]
    NotFinite {
        /// A particle or a pose.
        what: &'static str,
        /// Its index.
        index: usize,
    },
}
