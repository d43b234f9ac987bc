//! A rigid motion of both inputs moves the contacts with them.

use crate::compare::{MOTION, same_within};
use crate::random::Random;
use crate::{Case, Subject};
use palpate_contact::{CollisionData, Contact};
use palpate_detect::Context;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// The law of motion. The moved inputs are run by a detector that was bound to the unmoved ones, so that two of one
/// kind keep their order.
pub(crate) fn motion(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let mut random = Random::named("motion", case.number as u64);
    let motion = random.pose(case.size());
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let context = Context::new().with_margin(case.margin);
    let mut wanted =
        subject.run(&mut subject.bind(case, a.as_ref(), b.as_ref())?, a.as_ref(), b.as_ref(), &context)?;
    move_all(&mut wanted, &motion);
    let moved = case.with_shapes(case.a.moved(&motion), case.b.moved(&motion));
    let (moved_a, moved_b) = (moved.a.prepared(), moved.b.prepared());
    let mut bound = subject.bind(case, a.as_ref(), b.as_ref())?;
    let found = subject.run(&mut bound, moved_a.as_ref(), moved_b.as_ref(), &context)?;
    same_within(&moved, &wanted, &found, MOTION)?;
    Ok(wanted.len())
}

fn move_all(data: &mut CollisionData, motion: &Pose) {
    for contact in &mut data.contacts {
        *contact = moved(contact, motion);
    }
}

fn moved(contact: &Contact, motion: &Pose) -> Contact {
    let mut contact = *contact;
    contact.a.point = (motion * Point::from(contact.a.point)).coords.into();
    contact.b.point = (motion * Point::from(contact.b.point)).coords.into();
    contact.direction = (motion.rotation * Vector::from(contact.direction)).into();
    contact
}
