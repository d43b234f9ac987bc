//! Errors of gathering.

/// A contact, or the caller's description of its sides, that cannot become a row.
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
}
