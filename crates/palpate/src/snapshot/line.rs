//! One contact: its exact values, its lengths, and its values without unit.

use super::tolerance::{Tolerance, agree};
use crate::contact::{Contact, ContactKey, Feature};
use crate::contact_text::{elements, vertices};

/// The meanings of [`ContactLine::lengths`].
pub(super) const LENGTHS: [&str; 7] = [
    "depth",
    "point of a, x",
    "point of a, y",
    "point of a, z",
    "point of b, x",
    "point of b, y",
    "point of b, z",
];

/// A contact as it is written and compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContactLine {
    pub(super) key: ContactKey,
    /// Both elements, as `a ~ b`, each with its cell and child.
    pub(super) elements: String,
    /// Metres.
    pub(super) lengths: [f64; LENGTHS.len()],
    /// Metres; `None` if equal to the depth.
    pub(super) depth_upper: Option<f64>,
    pub(super) direction: [f64; 3],
    /// Weights of the vertices of a, then of b.
    pub(super) weights: Vec<f64>,
    /// `None` for a static contact.
    pub(super) time_of_impact: Option<f64>,
}

impl ContactLine {
    /// The line of a contact, with its numbers rounded to the written digits.
    pub(super) fn new(contact: &Contact, tolerance: &Tolerance) -> Self {
        let (a, b) = (&contact.a, &contact.b);
        let [ax, ay, az] = a.point;
        let [bx, by, bz] = b.point;
        let lengths = [contact.depth, ax, ay, az, bx, by, bz].map(|x| tolerance.length(x));
        Self {
            key: contact.key(),
            elements: elements(contact),
            lengths,
            depth_upper: Some(tolerance.length(contact.depth_upper)).filter(|&upper| upper != lengths[0]),
            direction: contact.direction.map(|x| tolerance.unit(x)),
            weights: [a, b].into_iter().flat_map(weights).map(|weight| tolerance.unit(weight)).collect(),
            time_of_impact: Some(contact.time_of_impact).filter(|x| !x.is_nan()).map(|x| tolerance.unit(x)),
        }
    }

    /// Metres.
    pub(super) fn depth(&self) -> f64 {
        self.lengths[0]
    }

    /// The contact in a few words: its elements, id and depth.
    pub(super) fn summary(&self) -> String {
        format!("{}, depth {} m", self.name(), self.depth())
    }

    /// The elements and the id.
    pub(super) fn name(&self) -> String {
        format!("{} id {}", self.elements, self.key.id)
    }

    /// The changes beyond the tolerance from this contact to `now`, which has the same key; one phrase each.
    pub(super) fn changes(&self, now: &Self, tolerance: &Tolerance) -> Vec<String> {
        let mut found = Vec::new();
        if self.elements != now.elements {
            found.push(format!("elements were {}, are {}", self.elements, now.elements));
        }
        for (name, (was, is)) in LENGTHS.iter().zip(self.lengths.iter().zip(&now.lengths)) {
            found.extend(change(name, *was, *is, tolerance.lengths, " m"));
        }
        if self.depth_upper.is_some() || now.depth_upper.is_some() {
            let [was, is] = [self, now].map(|line| line.depth_upper.unwrap_or(line.depth()));
            found.extend(change("bound of the depth", was, is, tolerance.lengths, " m"));
        }
        for (name, (was, is)) in ["x", "y", "z"].iter().zip(self.direction.iter().zip(&now.direction)) {
            found.extend(change(&format!("direction, {name}"), *was, *is, tolerance.units, ""));
        }
        // Different elements have different vertices, so their weights cannot be compared.
        if self.elements == now.elements {
            for (number, (was, is)) in self.weights.iter().zip(&now.weights).enumerate() {
                found.extend(change(&format!("weight {number}"), *was, *is, tolerance.units, ""));
            }
        }
        match (self.time_of_impact, now.time_of_impact) {
            (Some(was), Some(is)) => found.extend(change("time of impact", was, is, tolerance.units, "")),
            (Some(was), None) => found.push(format!("time of impact was {was}, is none")),
            (None, Some(is)) => found.push(format!("time of impact was none, is {is}")),
            (None, None) => {}
        }
        found
    }
}

/// Describes the change of a number; `None` if the two values agree.
pub(super) fn change(name: &str, was: f64, is: f64, tolerance: f64, unit: &str) -> Option<String> {
    // The trailing digits of the difference of two rounded numbers are meaningless: three are enough.
    (!agree(was, is, tolerance)).then(|| format!("{name} was {was}, is {is} (by {:.2e}{unit})", is - was))
}

fn weights(feature: &Feature) -> impl Iterator<Item = f64> {
    feature.vertex_weights().iter().copied().take(vertices(feature).len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Point, Vector};

    const TOLERANCE: Tolerance = Tolerance { lengths: 1e-9, units: 1e-6 };

    fn contact() -> Contact {
        let mut a = Feature::edge([1, 7], [0.25, 0.75], 4, Point::new(1.0, 2.0, 3.0));
        a.child = 6;
        Contact::exact(a, Feature::numbered(5, Point::new(1.0, 2.5, 3.0)), Vector::y(), 0.5, 9)
    }

    #[test]
    fn elements_are_exact_and_numbers_are_sorted_by_unit() {
        let line = ContactLine::new(&contact(), &TOLERANCE);
        assert_eq!(line.name(), "edge 1 7 cell 4 child 6 ~ point cell 5 id 9");
        assert_eq!(line.key, contact().key());
        assert_eq!(line.lengths, [0.5, 1.0, 2.0, 3.0, 1.0, 2.5, 3.0]);
        assert_eq!((line.direction, line.weights), ([0.0, 1.0, 0.0], vec![0.25, 0.75]));
        assert_eq!((line.depth_upper, line.time_of_impact), (None, None));
    }

    #[test]
    fn changes_name_the_number_and_by_how_much() {
        let was = ContactLine::new(&contact(), &TOLERANCE);
        let mut contact = contact();
        contact.depth += 0.125;
        contact.a.weights[1] -= 0.25;
        contact.time_of_impact = 0.5;
        let changes = was.changes(&ContactLine::new(&contact, &TOLERANCE), &TOLERANCE);
        assert_eq!(
            changes,
            [
                "depth was 0.5, is 0.625 (by 1.25e-1 m)",
                "weight 1 was 0.75, is 0.5 (by -2.50e-1)",
                "time of impact was none, is 0.5"
            ]
        );
    }

    #[test]
    fn a_depth_bound_within_rounding_of_the_depth_is_omitted() {
        let mut contact = contact();
        contact.depth_upper += 1e-12;
        assert_eq!(ContactLine::new(&contact, &TOLERANCE).depth_upper, None);
        contact.depth_upper += 1e-9;
        let line = ContactLine::new(&contact, &TOLERANCE);
        assert_eq!(line.depth_upper, Some(0.500000001));
        let exact = ContactLine::new(&self::contact(), &TOLERANCE);
        assert!(exact.changes(&line, &TOLERANCE).is_empty() && line.changes(&exact, &TOLERANCE).is_empty());
    }
}
