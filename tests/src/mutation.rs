//! Faults injected into a detector's result, which the laws must find.

use palpate_contact::{CollisionData, Contact, Feature, FeatureKind};
use palpate_math::{Point, Vector};

/// A fault. It is injected into every result in the same way, so that no law can find it by comparing two results,
/// except results that ought to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// The contact in the middle of the list is lost.
    Drop,
    /// The direction of one contact is reversed.
    FlipDirection,
    /// The depth of one contact is increased by a millionth of itself.
    Deepen,
    /// The same, with the second point moved consistently.
    DeepenConsistently,
    /// Two contacts are exchanged.
    Exchange,
    /// A contact is repeated.
    Repeat,
    /// Two weights of one side are exchanged.
    SwapWeights,
    /// A vertex id of one side is wrong.
    WrongVertex,
    /// The direction of one contact is rotated by a thousandth, with the second point moved consistently.
    TurnConsistently,
    /// Both points of a contact are shifted by a thousandth of the depth.
    ShiftPoints,
}

impl Mutation {
    /// All faults.
    pub const ALL: [Self; 10] = [
        Self::Drop,
        Self::FlipDirection,
        Self::Deepen,
        Self::DeepenConsistently,
        Self::Exchange,
        Self::Repeat,
        Self::SwapWeights,
        Self::WrongVertex,
        Self::TurnConsistently,
        Self::ShiftPoints,
    ];

    /// Injects the fault, if the result has a place for it.
    pub fn apply(self, data: &mut CollisionData) {
        let contacts = &mut data.contacts;
        let (count, middle) = (contacts.len(), contacts.len() / 2);
        let Some(contact) = contacts.get_mut(middle) else { return };
        match self {
            Self::Drop => {
                contacts.remove(middle);
            }
            Self::FlipDirection => contact.direction = contact.direction.map(|x| -x),
            Self::Deepen => {
                contact.depth *= 1.000001;
                contact.depth_upper *= 1.000001;
            }
            Self::DeepenConsistently => deepen(contact),
            Self::Exchange if count > 1 => contacts.swap(middle - 1, middle),
            Self::Exchange => {}
            Self::Repeat => {
                let copy = *contact;
                contacts.push(copy);
            }
            Self::SwapWeights => {
                swap_weights(&mut contact.a);
                swap_weights(&mut contact.b);
            }
            Self::WrongVertex => {
                if contact.a.feature_kind() != FeatureKind::Point {
                    contact.a.vertices[0] ^= 1;
                } else if contact.b.feature_kind() != FeatureKind::Point {
                    contact.b.vertices[0] ^= 1;
                }
            }
            Self::TurnConsistently => turn(contact),
            Self::ShiftPoints => {
                let shift = Vector::new(0.6, 0.64, 0.48) * (contact.depth * 1e-3);
                contact.a.point = (Point::from(contact.a.point) + shift).coords.into();
                contact.b.point = (Point::from(contact.b.point) + shift).coords.into();
            }
        }
    }
}

fn deepen(contact: &mut Contact) {
    let more = contact.depth * 1e-6;
    contact.depth += more;
    contact.depth_upper += more;
    contact.b.point = (Point::from(contact.b.point) + Vector::from(contact.direction) * more).coords.into();
}

fn turn(contact: &mut Contact) {
    let direction = Vector::from(contact.direction);
    let aside = direction.cross(&Vector::ith(direction.iamin(), 1.0)).normalize();
    let turned = (direction + aside * 1e-3).normalize();
    contact.direction = turned.into();
    contact.b.point = (Point::from(contact.a.point) + turned * contact.depth).coords.into();
}

fn swap_weights(feature: &mut Feature) {
    if feature.vertex_count > 1 {
        feature.weights.swap(0, 1);
    }
}
