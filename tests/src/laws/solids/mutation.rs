//! Faults injected into results for solids, which the laws must find.

use palpate_contact::{CollisionData, Contact};
use palpate_math::{Point, Vector};

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolidMutation {
    /// The deepest contact is deeper by a hundredth, the second point moved consistently.
    Deepen,
    /// The deepest contact is dropped in every second result.
    DropDeepest,
    /// The direction of the deepest contact is reversed.
    FlipDirection,
    /// Both points of the last contact are moved sideways by a tenth of its distance from the first contact, or of
    /// its depth.
    MovePoint,
    /// The last contact is repeated at a slightly different position.
    DoubleKey,
}

impl SolidMutation {
    /// All faults.
    pub const ALL: [Self; 5] =
        [Self::Deepen, Self::DropDeepest, Self::FlipDirection, Self::MovePoint, Self::DoubleKey];

    /// Injects the fault into the result with this number in its sequence.
    pub(super) fn apply(self, data: &mut CollisionData, count: usize) {
        let contacts = &mut data.contacts;
        let deepest = |x: &(usize, &Contact), y: &(usize, &Contact)| x.1.depth.total_cmp(&y.1.depth);
        let Some((index, _)) = contacts.iter().enumerate().max_by(deepest) else { return };
        let last = contacts.len() - 1;
        match self {
            Self::Deepen => {
                let contact = &mut contacts[index];
                let more = 0.01 * contact.depth;
                contact.depth += more;
                contact.depth_upper += more;
                let moved = Point::from(contact.b.point) + Vector::from(contact.direction) * more;
                contact.b.point = moved.coords.into();
            }
            Self::DropDeepest if count.is_multiple_of(2) => {
                contacts.remove(index);
            }
            Self::DropDeepest => {}
            Self::FlipDirection => contacts[index].direction = contacts[index].direction.map(|x| -x),
            Self::MovePoint => {
                let spread = (Point::from(contacts[last].a.point) - Point::from(contacts[0].a.point)).norm();
                let contact = &mut contacts[last];
                let direction = Vector::from(contact.direction);
                let aside = direction.cross(&Vector::ith(direction.iamin(), 1.0)).normalize();
                let shift = (aside - direction) * (0.1 * spread.max(contact.depth.abs()));
                contact.a.point = (Point::from(contact.a.point) + shift).coords.into();
                contact.b.point = (Point::from(contact.b.point) + shift).coords.into();
            }
            Self::DoubleKey => {
                let mut copy = contacts[last];
                copy.depth *= 0.5;
                contacts.push(copy);
            }
        }
    }
}
