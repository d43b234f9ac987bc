//! Constraints from palpate's contacts, as plain data.
//!
//! A contact names the touching elements; a solver needs constraint rows. This crate converts contacts to rows and
//! contains no solver: the position-based row is in [`pbd`], the rigid-body row in [`rigid`].
//!
//! **Sign**, stated once for the whole crate: the value of a contact constraint is the *gap* in metres, the
//! separation of the two sides along the contact's direction. It is minus the depth when the contact is found; a
//! solver keeps it at 0 or more.

pub mod pbd;
pub mod rigid;
