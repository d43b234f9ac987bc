//! The contacts of one pair in one step.

use crate::{Contact, ElementView, Side};
use nalgebra::Isometry3;
use palpate_math::{Point, Vector};

/// The contacts of one pair in one step, in the detector's documented order. The buffer is reused: it is cleared, never
/// dropped, so that a settled step does not allocate.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct CollisionData {
    /// The contacts, in an order that depends only on the inputs.
    pub contacts: Vec<Contact>,
}

impl CollisionData {
    /// No contacts.
    pub const fn new() -> Self {
        Self { contacts: Vec::new() }
    }

    /// Removes the contacts, keeps the memory.
    pub fn clear(&mut self) {
        self.contacts.clear();
    }

    /// Appends a contact.
    pub fn push(&mut self, contact: Contact) {
        self.contacts.push(contact);
    }

    /// Returns the number of contacts.
    pub fn len(&self) -> usize {
        self.contacts.len()
    }

    /// Whether there are no contacts.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// Returns the contact of greatest depth; ties go to the first; `None` if there are no contacts.
    pub fn deepest(&self) -> Option<&Contact> {
        self.contacts.iter().reduce(|best, contact| if contact.depth > best.depth { contact } else { best })
    }

    /// Exchanges the sides of every contact in place; the order is unchanged.
    pub fn mirror(&mut self) {
        for contact in &mut self.contacts {
            *contact = contact.mirrored();
        }
    }

    /// Moves every contact by a rigid motion: surface points and directions; ids, weights and depths stay.
    pub fn transform(&mut self, motion: &Isometry3<f64>) {
        self.contacts.iter_mut().for_each(|contact| transform(contact, motion));
    }

    /// Moves every contact as [`transform`](Self::transform), by a motion that changes from `start` to `end` within the
    /// step: a contact of continuous detection to where it is at its time of impact, on the straight line between the two
    /// places, as vertices move; a contact without a time by `end`.
    pub fn transform_moving(&mut self, start: &Isometry3<f64>, end: &Isometry3<f64>) {
        for contact in &mut self.contacts {
            let time = contact.time_of_impact;
            let mut earlier = *contact;
            transform(contact, end);
            if start == end || time.is_nan() {
                continue;
            }
            transform(&mut earlier, start);
            let between = |start: [f64; 3], end: [f64; 3]| Vector::from(start).lerp(&Vector::from(end), time);
            contact.a.point = between(earlier.a.point, contact.a.point).into();
            contact.b.point = between(earlier.b.point, contact.b.point).into();
            // After half a turn the mean of the two directions may be zero.
            if let Some(direction) = between(earlier.direction, contact.direction).try_normalize(0.0) {
                contact.direction = direction.into();
            }
        }
    }

    /// Returns side A as elements of the type `E`, one item per contact: `None` where the contact's side is not such an
    /// element. `coordinates` are the positions of side A's vertices (empty for a shape without vertices).
    pub fn elements_a<'a, E: ElementView + 'a>(
        &'a self,
        coordinates: &'a [Point],
    ) -> impl ExactSizeIterator<Item = Option<E>> + 'a {
        self.contacts.iter().map(move |contact| E::view(contact, Side::A, coordinates))
    }

    /// Returns side B as elements of the type `E`, parallel to [`elements_a`](Self::elements_a).
    pub fn elements_b<'a, E: ElementView + 'a>(
        &'a self,
        coordinates: &'a [Point],
    ) -> impl ExactSizeIterator<Item = Option<E>> + 'a {
        self.contacts.iter().map(move |contact| E::view(contact, Side::B, coordinates))
    }

    /// Whether two lists are bitwise equal.
    pub fn same_bits(&self, other: &Self) -> bool {
        bytemuck::cast_slice::<Contact, u8>(&self.contacts)
            == bytemuck::cast_slice::<Contact, u8>(&other.contacts)
    }
}

fn transform(contact: &mut Contact, motion: &Isometry3<f64>) {
    for side in [&mut contact.a, &mut contact.b] {
        side.point = (motion * side.surface_point()).coords.into();
    }
    contact.direction = (motion.rotation * Vector::from(contact.direction)).into();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellIndexElement, Feature, PointDirectionElement};
    use palpate_math::Vector;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn data() -> CollisionData {
        let mut data = CollisionData::new();
        for (index, depth) in [0.1, 0.4, 0.4].into_iter().enumerate() {
            let a = Feature::vertex(index as u32, 0, Point::new(index as f64, 0.0, 0.0));
            let b = Feature::point(Point::new(index as f64, depth, 0.0));
            data.push(Contact::exact(a, b, Vector::y(), depth, index as u64));
        }
        data
    }

    #[test]
    fn the_first_of_equally_deep_contacts_is_the_deepest() {
        assert_eq!(data().deepest().unwrap().id, 1);
        assert!(CollisionData::new().deepest().is_none());
    }

    #[test]
    fn both_sides_are_given_in_step() {
        let data = data();
        let a: Vec<_> = data.elements_a::<CellIndexElement>(&[]).collect();
        let b: Vec<_> = data.elements_b::<PointDirectionElement>(&[]).collect();
        assert_eq!(a.len(), b.len());
        assert_eq!(a[2].unwrap().vertices[0], 2);
        assert_eq!(b[1].unwrap().direction, -Vector::y());
    }

    #[test]
    fn mirroring_keeps_the_order() {
        let mut mirrored = data();
        mirrored.mirror();
        assert!(!mirrored.same_bits(&data()));
        let ids: Vec<_> = mirrored.contacts.iter().map(|contact| contact.id).collect();
        assert_eq!(ids, [0, 1, 2]);
        mirrored.mirror();
        assert!(mirrored.same_bits(&data()));
    }

    #[test]
    fn clearing_removes_the_contacts_and_keeps_the_memory() {
        let mut cleared = data();
        assert!(!cleared.is_empty());
        cleared.clear();
        assert!(cleared.is_empty() && cleared.contacts.capacity() >= 3);
    }

    /// A quarter turn about z, then two along x.
    #[test]
    fn a_motion_moves_points_and_directions_alone() {
        let mut moved = data();
        moved.transform(&Isometry3::new(Vector::new(2.0, 0.0, 0.0), Vector::z() * FRAC_PI_2));
        for (contact, before) in moved.contacts.iter().zip(&data().contacts) {
            let [x, y, _] = before.a.point;
            assert!((contact.a.surface_point() - Point::new(2.0 - y, x, 0.0)).norm() < 1e-15);
            assert!((Vector::from(contact.direction) + Vector::x()).norm() < 1e-15);
            let other = contact.a.surface_point() + contact.depth * Vector::from(contact.direction);
            assert!((contact.b.surface_point() - other).norm() < 1e-15);
            assert_eq!(
                (contact.id, contact.depth, contact.a.vertices),
                (before.id, before.depth, before.a.vertices)
            );
        }
    }

    /// From where it is to a half turn about z and eight along x: at a quarter of the time and half of it, and without a time.
    #[test]
    fn a_contact_with_a_time_is_moved_to_that_time() {
        let mut moving = data();
        moving.contacts[0].time_of_impact = 0.25;
        moving.contacts[1].time_of_impact = 0.5;
        let (start, end) =
            (Isometry3::identity(), Isometry3::new(Vector::new(8.0, 0.0, 0.0), Vector::z() * PI));
        let mut at_end = moving.clone();
        at_end.transform(&end);
        moving.transform_moving(&start, &end);
        let [quarter, half, untimed] = [0, 1, 2].map(|k| moving.contacts[k]);
        assert!((quarter.a.surface_point() - Point::new(2.0, 0.0, 0.0)).norm() < 1e-14);
        assert!((quarter.b.surface_point() - Point::new(2.0, 0.05, 0.0)).norm() < 1e-14);
        assert!((Vector::from(quarter.direction) - Vector::y()).norm() < 1e-14);
        assert!((half.a.surface_point() - Point::new(4.0, 0.0, 0.0)).norm() < 1e-14);
        assert!(untimed.same_bits(&at_end.contacts[2]));
        let mut still = data();
        still.contacts[0].time_of_impact = 0.3;
        let (mut both, mut once) = (still.clone(), still);
        both.transform_moving(&end, &end);
        once.transform(&end);
        assert!(both.same_bits(&once), "a motion that does not change gives the bits of one motion");
    }
}
