//! Contacts as columns: one array per quantity, for plots, NumPy and vectorised solvers.

use crate::Contact;

/// The quantities of a list of contacts, one array each, all of length `n`. The memory is reused by [`Columns::fill`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Surface points of side A: `n` × 3, world frame, metres.
    pub points_a: Vec<[f64; 3]>,
    /// Surface points of side B: `n` × 3, world frame, metres.
    pub points_b: Vec<[f64; 3]>,
    /// Unit directions that move A: `n` × 3.
    pub directions: Vec<[f64; 3]>,
    /// Depths in metres: `n`.
    pub depths: Vec<f64>,
    /// Contact ids: `n`.
    pub ids: Vec<u64>,
}

impl Columns {
    /// Replaces the columns with those of `contacts`.
    pub fn fill(&mut self, contacts: &[Contact]) {
        self.points_a.clear();
        self.points_b.clear();
        self.directions.clear();
        self.depths.clear();
        self.ids.clear();
        self.points_a.extend(contacts.iter().map(|contact| contact.a.point));
        self.points_b.extend(contacts.iter().map(|contact| contact.b.point));
        self.directions.extend(contacts.iter().map(|contact| contact.direction));
        self.depths.extend(contacts.iter().map(|contact| contact.depth));
        self.ids.extend(contacts.iter().map(|contact| contact.id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;
    use palpate_math::{Point, Vector};

    #[test]
    fn filling_again_replaces_the_columns() {
        let point = Feature::point(Point::new(1.0, 2.0, 3.0));
        let contact = Contact::exact(point, point, Vector::z(), 0.0, 5);
        let mut columns = Columns::default();
        columns.fill(&[contact, contact]);
        columns.fill(&[contact]);
        assert_eq!(columns.depths, [0.0]);
        assert_eq!((columns.ids[0], columns.points_b[0]), (5, [1.0, 2.0, 3.0]));
    }
}
