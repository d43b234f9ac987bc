//! Constraint rows of rigid bodies, for impulse solvers and LCP solvers.
//!
//! ```text
//! gather ─► warm_start ─► solve, every iteration ─► (solve_push, split impulses) ─► impulses kept for the next step
//!    └────► jacobian, delassus, bounds: the same rows as sparse matrices
//! ```
//!
//! A row is one contact: a normal and two tangents, with the Jacobian of both bodies, effective masses, the velocity that
//! the normal has to reach, and accumulated impulses. Both lever arms lead to the point in the middle between the two
//! surface points, so that linear and angular momentum are conserved.
//!
//! Sources: E. Catto, "Iterative dynamics with temporal coherence" (2005), section 4, for the Jacobian and accumulated
//! impulses, and "Modeling and solving constraints" (GDC 2009), for speculative gaps and soft constraints; J. Baumgarte,
//! "Stabilization of constraints and integrals of motion in dynamical systems" (1972), for the bias; split impulses: E.
//! Coumans, "Bullet physics simulation" (SIGGRAPH 2015 course).

mod body;
mod gather;
mod half_row;
mod matrix;
mod rolling;
mod row;
mod rows;
mod settings;
mod solver_row;

pub use body::{Body, Mass, Velocity};
pub use half_row::BodyRow;
pub use matrix::Csr;
pub use row::{RowMut, RowRef};
pub use rows::{Iter, IterMut, Rows};
pub use settings::{FrictionBound, Settings, Stabilization};
