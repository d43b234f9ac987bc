//! A small rigid-body solver like those of simulators: sequential impulses on the rows of `palpate-response`,
//! warm-started by contact keys. It tests whether contacts and rows support resting and sliding bodies.
//!
//! Semi-implicit Euler. Contacts apart by less than the margin are speculative: they allow the velocity that closes
//! the gap within the step. Contacts deeper than the slop are corrected by a fraction of the excess in each step
//! (Baumgarte). Coulomb friction by a disc at each contact. No sleeping, no restitution. After Catto 2009, Modeling
//! and solving constraints.

mod body;
pub mod floors;
mod world;

pub use body::RigidBody;
pub use world::{Key, StepReport, World, WorldSettings};
