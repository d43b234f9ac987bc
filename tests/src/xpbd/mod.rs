//! A reference solver for deformable bodies: XPBD on the rows of `palpate-response`.
//!
//! Threads, cloth and tetrahedra of particles, rigid bodies, and contacts between any two of them, with one detection
//! per step. It proves the constraints of contacts; as a physics engine it is plain. [`solver`](crate::solver) is its
//! counterpart for impulses.
//!
//! A step: predict it with the rows of the step before, detect once, gather rows, go back; then in each substep move by
//! velocity, re-project the rows, and repeat: project every internal constraint, project every row. Velocities follow
//! from the displacements. Internal constraints are solved before contacts. If wanted, further sweeps of the rows alone
//! follow, and a guard has the last word: it shortens displacements such that nothing passes through anything.
//!
//! Sources: M. Macklin, M. Müller, N. Chentanez, "XPBD" (2016), for compliance; M. Macklin et al., "Small steps in physics
//! simulation" (2019), for substeps; M. Macklin, M. Müller, "A constraint-based formulation of stable neo-Hookean
//! materials" (2021), for tetrahedra.

mod deformable;
mod grip;
mod press;
mod tetrahedron;
mod world;

pub use deformable::{Deformable, Material};
pub use grip::Grip;
pub use press::Press;
pub use tetrahedron::{Elasticity, Tetrahedron};
pub use world::{Settings, World};

/// Errors of the scene and of the rows.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
