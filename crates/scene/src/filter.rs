//! A filter of contacts.

use crate::{GeometryId, PairId};
use palpate_contact::Contact;

/// Decides which contacts a scene keeps: those inside a hole that is drilled, of a layer that is cut, of a part that is held.
///
/// The same answer for the same contact in the same state, or the contacts depend on more than the geometry. Closures implement
/// it.
pub trait ContactFilter: Send {
    /// Whether the contact of this pair, between these geometries (side A, side B), is kept.
    fn keeps(&mut self, pair: PairId, sides: [GeometryId; 2], contact: &Contact) -> bool;
}

impl<F: FnMut(PairId, [GeometryId; 2], &Contact) -> bool + Send> ContactFilter for F {
    fn keeps(&mut self, pair: PairId, sides: [GeometryId; 2], contact: &Contact) -> bool {
        self(pair, sides, contact)
    }
}
