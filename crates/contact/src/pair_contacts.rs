//! The contacts of a pair together with the identity of the pair and of its two geometries.

use crate::{Contact, Side};

/// A pair of geometries and its contacts: what constraints are gathered from. The pairs of a scene implement it;
/// [`ContactsOfPair`] is the same as plain data.
pub trait PairContacts {
    /// Identifies a geometry.
    type Geometry: Copy;

    /// A number that no other pair has, the same in every step.
    fn pair_number(&self) -> u64;

    /// The geometry of one side; both are the same for self-contact.
    fn geometry(&self, side: Side) -> Self::Geometry;

    /// The contacts of the last step.
    fn contact_list(&self) -> &[Contact];
}

impl<T: PairContacts + ?Sized> PairContacts for &T {
    type Geometry = T::Geometry;

    fn pair_number(&self) -> u64 {
        (**self).pair_number()
    }

    fn geometry(&self, side: Side) -> T::Geometry {
        (**self).geometry(side)
    }

    fn contact_list(&self) -> &[Contact] {
        (**self).contact_list()
    }
}

/// The contacts of one pair, for callers without a scene.
#[derive(Clone, Copy, Debug)]
pub struct ContactsOfPair<'a, G> {
    /// A number that no other pair has, the same in every step.
    pub number: u64,
    /// The geometries of side A and side B.
    pub geometries: [G; 2],
    /// The contacts of the last step.
    pub contacts: &'a [Contact],
}

impl<G: Copy> PairContacts for ContactsOfPair<'_, G> {
    type Geometry = G;

    fn pair_number(&self) -> u64 {
        self.number
    }

    fn geometry(&self, side: Side) -> G {
        match side {
            Side::A => self.geometries[0],
            Side::B => self.geometries[1],
        }
    }

    fn contact_list(&self) -> &[Contact] {
        self.contacts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;
    use palpate_math::{Point, Vector};

    #[test]
    fn plain_data_and_a_reference_to_it_say_what_was_put_in() {
        let place = Feature::point(Point::origin());
        let contacts = [Contact::exact(place, place, Vector::y(), 0.5, 9)];
        let pair = ContactsOfPair { number: 7, geometries: ["organ", "tool"], contacts: &contacts };
        fn seen<P: PairContacts>(pair: P) -> (u64, [P::Geometry; 2], Vec<u64>) {
            let ids = pair.contact_list().iter().map(|contact| contact.id).collect();
            (pair.pair_number(), [pair.geometry(Side::A), pair.geometry(Side::B)], ids)
        }
        assert_eq!(seen(pair), (7, ["organ", "tool"], vec![9]));
        assert_eq!(seen(&pair), (7, ["organ", "tool"], vec![9]));
    }
}
