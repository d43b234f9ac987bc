//! Constraint rows for position-based dynamics (PBD) and its compliant form, XPBD.
//!
//! ```text
//! gather ─► warm_start ─► project, every iteration ─► rebound ─► multipliers kept for the next step
//!              └──────────── reproject, after every substep ◄┘
//! ```
//!
//! [`Rows::gather`] turns the contacts of all pairs into rows between particles, rigid bodies and prescribed motions. A
//! row knows its gap as a function of the positions, and the gradient of the gap: `weight * direction` per particle.
//! Multipliers are accumulated and kept at 0 or more, so that a row never pulls.
//!
//! Sources: M. Müller, B. Heidelberger, M. Hennix, J. Ratcliff, "Position based dynamics" (2007), sections 3.2 and 3.3;
//! M. Macklin, M. Müller, N. Chentanez, "XPBD" (2016), section 4, for compliance and multipliers; M. Müller, M. Macklin,
//! N. Chentanez, S. Jeschke, T.-Y. Kim, "Detailed rigid body simulation with extended position based dynamics" (2020),
//! sections 3.3 and 3.5, for rigid bodies, friction and restitution.

mod body;
mod distance;
pub mod elements;
mod gather;
mod geometry;
mod iterate;
mod mapping;
mod reproject;
mod row;
mod rows;
mod sliding;
mod solve;

pub use body::{Body, Positions, RigidBody, State, Velocities};
pub use distance::Distance;
pub use iterate::{Iter, IterMut, RowMut, RowRef};
pub use mapping::Mapping;
pub use row::Entry;
pub use rows::Rows;
pub use sliding::{ShaftSegment, Sliding};
