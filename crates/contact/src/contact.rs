//! The contact record.

use crate::Feature;
use bytemuck::{Pod, Zeroable};
use palpate_math::Vector;

/// One of the two inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Side {
    /// The first input.
    A,
    /// The second input.
    B,
}

/// One contact between side A and side B. 232 bytes, no padding: the same bytes in C, NumPy and HDF5.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "crate::form::ContactForm", try_from = "crate::form::ContactForm")
)]
#[repr(C)]
pub struct Contact {
    /// The element and surface point of the first input.
    pub a: Feature,
    /// The element and surface point of the second input.
    pub b: Feature,
    /// Unit vector that moves A out of B; B moves along its negative.
    pub direction: [f64; 3],
    /// Metres: zero or positive in contact, negative when reported inside a margin.
    pub depth: f64,
    /// Certified upper bound of the depth in metres; equals `depth` where the method is exact.
    pub depth_upper: f64,
    /// 0 to 1 within the step for continuous detection, NaN for static detection.
    pub time_of_impact: f64,
    /// Stable from step to step for one pair; distinguishes the points of a manifold.
    pub id: u64,
}

/// What tells a contact apart from all others of its pair, and finds it again in another step: no two contacts of one
/// answer have the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactKey {
    /// The contact's [`id`](Contact::id).
    pub id: u64,
    /// The child of a compound on side A and on side B, or [`NONE`](crate::NONE).
    pub children: [u32; 2],
}

impl Contact {
    /// Creates a static contact by an exact method: the upper bound is the depth, there is no time of impact.
    pub fn exact(a: Feature, b: Feature, direction: Vector, depth: f64, id: u64) -> Self {
        Self { a, b, direction: direction.into(), depth, depth_upper: depth, time_of_impact: f64::NAN, id }
    }

    /// Returns the contact with the inputs exchanged: sides exchanged, direction negated, everything else unchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self { a: self.b, b: self.a, direction: self.direction.map(|x| -x), ..*self }
    }

    /// The id and both children: what stays from step to step.
    pub fn key(&self) -> ContactKey {
        ContactKey { id: self.id, children: [self.a.child, self.b.child] }
    }

    /// Returns the element of one side.
    pub fn feature(&self, side: Side) -> &Feature {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    /// Returns the unit direction in which to move `side` to resolve the contact.
    pub fn direction_of(&self, side: Side) -> Vector {
        let direction = Vector::from(self.direction);
        match side {
            Side::A => direction,
            Side::B => -direction,
        }
    }

    /// Whether two records are bitwise equal (a NaN equals itself here).
    pub fn same_bits(&self, other: &Self) -> bool {
        bytemuck::bytes_of(self) == bytemuck::bytes_of(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NONE;
    use palpate_math::Point;

    fn contact() -> Contact {
        let a = Feature::vertex(3, 9, Point::new(0.0, -0.5, 0.0));
        let b = Feature::point(Point::new(0.0, 0.0, 0.0));
        Contact::exact(a, b, Vector::new(0.0, 1.0, 0.0), 0.5, 3)
    }

    // Proves: REQ-ONE-RECORD
    #[test]
    fn a_contact_has_no_padding_and_232_bytes() {
        assert_eq!(size_of::<Contact>(), 232);
    }

    #[test]
    fn mirroring_twice_gives_the_same_bits() {
        let contact = contact();
        let mirrored = contact.mirrored();
        assert_eq!(mirrored.a, contact.b);
        assert_eq!(mirrored.direction[1], -1.0);
        assert_eq!(mirrored.depth, contact.depth);
        assert!(mirrored.mirrored().same_bits(&contact));
        assert!(!mirrored.same_bits(&contact));
    }

    #[test]
    fn the_key_is_the_id_and_both_children() {
        let mut contact = contact();
        assert_eq!(contact.key(), ContactKey { id: 3, children: [NONE, NONE] });
        contact.b.child = 2;
        contact.depth = 0.25;
        assert_eq!(contact.key(), ContactKey { id: 3, children: [NONE, 2] });
        assert_eq!(contact.mirrored().key().children, [2, NONE]);
    }

    #[test]
    fn each_side_moves_its_own_way() {
        assert_eq!(contact().direction_of(Side::A), -contact().direction_of(Side::B));
    }
}
