//! Contacts with the same id, of which the deepest is kept.

use palpate_contact::Contact;

/// The id of the contact with a number, and whether the contact is kept.
#[derive(Clone, Copy, Debug)]
struct Numbered {
    id: u64,
    number: u32,
    kept: bool,
}

/// Decides which contact of each id is kept. Memory is reused.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    all: Vec<Numbered>,
}

impl Repeated {
    /// Decides: the deepest of each id is [kept](Self::kept). Ties go to the first: depths that differ by less than
    /// `tolerance`, relative to the coordinates. A contact of depth zero or more goes before one that is apart, so that a
    /// larger margin does not change it. `contacts` gives all contacts, and `contact` the one with a number.
    pub(crate) fn judge<'a>(
        &mut self,
        contacts: impl Iterator<Item = &'a Contact>,
        contact: impl Fn(usize) -> &'a Contact,
        tolerance: f64,
    ) {
        self.all.clear();
        self.all.extend(contacts.zip(0..).map(|(contact, number)| Numbered {
            id: contact.id,
            number,
            kept: true,
        }));
        self.all.sort_unstable_by_key(|numbered| (numbered.id, numbered.number));
        for same in self.all.chunk_by_mut(|x, y| x.id == y.id).filter(|same| same.len() > 1) {
            let mut kept = 0;
            for index in 1..same.len() {
                let [known, other] = [kept, index].map(|index| contact(same[index].number as usize));
                if is_deeper(other, known.depth, tolerance) || known.depth < 0.0 && other.depth >= 0.0 {
                    kept = index;
                }
            }
            (0..same.len()).for_each(|index| same[index].kept = index == kept);
        }
        self.all.sort_unstable_by_key(|numbered| numbered.number);
    }

    /// Returns whether each contact is kept, in order.
    pub(crate) fn kept(&self) -> impl Iterator<Item = bool> {
        self.all.iter().map(|numbered| numbered.kept)
    }
}

/// Whether a contact is deeper than `depth` by more than rounding error, relative to the coordinates.
pub(crate) fn is_deeper(contact: &Contact, depth: f64, tolerance: f64) -> bool {
    contact.depth > depth + slack(contact, tolerance)
}

/// Returns the rounding error of a contact's depth, given the error relative to the coordinates.
pub(crate) fn slack(contact: &Contact, tolerance: f64) -> f64 {
    let largest = contact.a.point.iter().chain(&contact.b.point).fold(0.0_f64, |most, x| most.max(x.abs()));
    tolerance * (largest + contact.depth.abs())
}
