//! The data contract of palpate: the contact record, and the field's element types as views on it.
//!
//! Every contact is an element pair (this vertex against that triangle) *and* a point, a direction and a depth.
//! One fixed-size record, [`Contact`], serves Rust, C, NumPy and HDF5.
//!
//! **Conventions** of the whole crate: points are in the world frame, in metres; `direction` is a unit vector that
//! moves side A out of side B (B moves along its negative); `depth` is zero or positive in contact and negative for a
//! pair that is apart but within the margin. For static contacts `a.point + depth * direction == b.point`, up to
//! rounding error.

mod columns;
mod contact;
mod contact_id;
mod data;
mod element;
mod feature;
#[cfg(feature = "serde")]
mod form;
mod pair_contacts;

pub use columns::Columns;
pub use contact::{Contact, ContactKey, Side};
pub use contact_id::{ContactId, IdPart};
pub use data::CollisionData;
pub use element::{
    CellIndexElement, CellVertexElement, ElementView, PointDirectionElement, PointIndexDirectionElement,
    TransientCellIndexElement,
};
pub use feature::{Feature, FeatureKind, NONE};
pub use pair_contacts::{ContactsOfPair, PairContacts};
