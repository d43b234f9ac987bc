//! The key of a row.

use palpate_contact::ContactKey;

/// What finds a row again in another step: the number of its pair and the key of its contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey {
    /// The number of the pair: [`PairContacts::pair_number`](palpate_contact::PairContacts::pair_number).
    pub pair: u64,
    /// The key of the contact within its pair.
    pub contact: ContactKey,
}
