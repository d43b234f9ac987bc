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
