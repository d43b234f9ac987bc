//! Constraints from palpate's contacts.
//!
//! A contact names the touching elements; a solver needs constraint rows. This crate converts contacts to rows that
//! can project or solve themselves; time integration, and the order of the solver, stay with the caller.
//!
//! | module | rows for |
//! |---|---|
//! | [`pbd`] | position-based dynamics and XPBD: particles, embedded surfaces, rigid bodies, in any mixture |
//! | [`rigid`] | impulse solvers and LCP solvers: Jacobians of rigid bodies |
//! | [`push`] | no solver: displacements and penalty forces |
//!
//! [`overlap`] gives the rows of two closed meshes that are deep inside each other one exit.
//! [`guard`] needs no rows: it bounds the motion of a step such that nothing passes through anything.
//!
//! **Sign**, stated once for the whole crate: the value of a contact constraint is the *gap* in metres, the
//! separation of the two sides along the contact's direction. It is minus the depth when the contact is found; a
//! solver keeps it at 0 or more. Multipliers are 0 or more: a contact pushes and never pulls.

mod error;
pub mod guard;
mod key;
mod material;
mod motion;
pub mod overlap;
pub mod pbd;
pub mod push;
pub mod rigid;
mod rotation;
mod tangents;
mod warm;

pub use error::ResponseError;
pub use guard::Guard;
pub use key::RowKey;
pub use material::Material;
pub use motion::Motion;
