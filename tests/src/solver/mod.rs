//! A small rigid-body solver, as simulators have them: sequential impulses with warm starting by the keys of the contacts. It
//! shows whether contacts are fit to stand and to slide on.
//!
//! Semi-implicit Euler. Contacts apart by less than the margin are speculative: they allow the velocity that closes the gap
//! within the step. Those deeper than the slop are pushed apart by a part of the excess each step (Baumgarte). Coulomb friction
//! by a disc about each contact. No sleeping, no restitution. After Catto 2009, Modeling and solving constraints.

mod body;
mod constraint;
pub mod floors;
mod world;

pub use body::RigidBody;
pub use world::{Key, StepReport, World, WorldSettings};
