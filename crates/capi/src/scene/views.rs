//! What a scene hands out: its pairs with their contacts, and its events.

use crate::types::{palpate_contact, palpate_geometry_id, palpate_pair_id};

/// No step has succeeded since the pair was added or changed.
pub const PALPATE_OUTCOME_PENDING: u32 = 0;
/// The two are apart: certainly no contact.
pub const PALPATE_OUTCOME_APART: u32 = 1;
/// The detector ran.
pub const PALPATE_OUTCOME_RAN: u32 = 2;

/// A work budget ran out: contacts may be missing.
pub const PALPATE_FLAG_BUDGET_EXHAUSTED: u32 = 1;
/// An iteration limit was reached: `depth_upper` of some contact is looser than rounding.
pub const PALPATE_FLAG_ITERATION_LIMIT: u32 = 2;
/// A surface is not closed: it was treated as a sheet.
pub const PALPATE_FLAG_OPEN_SURFACE: u32 = 4;
/// An implicit function is not a distance: depths are estimates.
pub const PALPATE_FLAG_NOT_A_DISTANCE: u32 = 8;
/// Only the vertices of a mesh were tested, not its edges and faces.
pub const PALPATE_FLAG_VERTICES_ONLY: u32 = 16;
/// Inside a surface was decided by winding numbers.
pub const PALPATE_FLAG_WINDING_NUMBER: u32 = 32;
/// The first impact of some contact is not proven.
pub const PALPATE_FLAG_OPEN_IMPACT: u32 = 64;

/// A pair and its contacts in the last step.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_pair_contacts {
    /// The pair.
    pub pair: palpate_pair_id,
    /// Side A of the contacts.
    pub a: palpate_geometry_id,
    /// Side B; `a` again for self-contact.
    pub b: palpate_geometry_id,
    /// The contacts, in an order that depends on the inputs alone. Read-only.
    pub contacts: *const palpate_contact,
    /// Their number.
    pub count: usize,
    /// `PALPATE_OUTCOME_…`.
    pub outcome: u32,
    /// `PALPATE_FLAG_…`, added up.
    pub flags: u32,
}

/// The step before had no contact with this key.
pub const PALPATE_EVENT_BEGAN: u32 = 0;
/// The step before had it, too.
pub const PALPATE_EVENT_PERSISTS: u32 = 1;
/// The step before had it, this one does not.
pub const PALPATE_EVENT_ENDED: u32 = 2;

/// What a step changed about a contact.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_event {
    /// The pair; it may have been removed if the contact ended.
    pub pair: palpate_pair_id,
    /// The `id` of the contact; with both children its key.
    pub id: u64,
    /// The children of side A and B, or `PALPATE_NONE`.
    pub children: [u32; 2],
    /// `PALPATE_EVENT_…`.
    pub change: u32,
    /// The place of the contact in the pair's list, or `PALPATE_NONE` if it ended.
    pub contact: u32,
}
