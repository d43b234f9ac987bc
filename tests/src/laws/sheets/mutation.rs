//! Faults injected into results for sheets, which the laws must find.

use palpate_contact::{CollisionData, Contact};
use palpate_math::{Point, Vector};

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheetMutation {
    /// The deepest contact is deeper by a hundredth, the second point moved consistently.
    Deepen,
    /// The deepest contact is dropped in every second result.
    DropDeepest,
    /// All contacts are missing.
    Miss,
    /// The direction of the deepest contact is turned by a right angle: into the plane of a sheet.
    TurnDirection,
    /// The deepest contact is forty times as deep, along a direction in the plane, as if its body had to
    /// leave over the border.
    LeaveByBorder,
}

impl SheetMutation {
    /// All faults.
    pub const ALL: [Self; 5] =
        [Self::Deepen, Self::DropDeepest, Self::Miss, Self::TurnDirection, Self::LeaveByBorder];

    /// Injects the fault into the result with this number in its sequence.
    pub(super) fn apply(self, data: &mut CollisionData, count: usize) {
        let contacts = &mut data.contacts;
        let deepest = |x: &(usize, &Contact), y: &(usize, &Contact)| x.1.depth.total_cmp(&y.1.depth);
        let Some((index, _)) = contacts.iter().enumerate().max_by(deepest) else { return };
        let contact = &mut contacts[index];
        match self {
            Self::Deepen => set_depth(contact, 1.01 * contact.depth),
            Self::DropDeepest if count.is_multiple_of(2) => {
                contacts.remove(index);
            }
            Self::DropDeepest => {}
            Self::Miss => contacts.clear(),
            Self::TurnDirection => turn(contact),
            Self::LeaveByBorder => {
                turn(contact);
                set_depth(contact, 40.0 * contact.depth);
            }
        }
    }
}

fn turn(contact: &mut Contact) {
    let direction = Vector::from(contact.direction);
    let aside = direction.cross(&Vector::ith(direction.iamin(), 1.0)).normalize();
    contact.direction = aside.into();
}

/// Another depth, the second point moved consistently.
fn set_depth(contact: &mut Contact, depth: f64) {
    contact.depth_upper += depth - contact.depth;
    contact.depth = depth;
    let moved = Point::from(contact.a.point) + Vector::from(contact.direction) * depth;
    contact.b.point = moved.coords.into();
}
