//! One contact per id: the earliest.

use palpate_contact::Contact;

/// Appends of several contacts with one id the earliest, in the order in which they were found. `keys` is a buffer.
pub(crate) fn emit_once(found: &[Contact], keys: &mut Vec<(u64, usize)>, out: &mut Vec<Contact>) {
    keys.clear();
    keys.extend(found.iter().enumerate().map(|(index, contact)| (contact.id, index)));
    let time = |index: usize| found[index].time_of_impact;
    keys.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| time(a.1).total_cmp(&time(b.1))).then(a.1.cmp(&b.1))
    });
    keys.dedup_by_key(|key| key.0);
    keys.sort_unstable_by_key(|key| key.1);
    out.extend(keys.iter().map(|&(_, index)| found[index]));
}
