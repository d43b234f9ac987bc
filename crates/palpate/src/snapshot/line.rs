//! One contact: what is exact, what is a length, what has no unit.

use crate::contact::{Contact, Feature, FeatureKind, NONE};

/// A contact as it is written and compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContactLine {
    /// The pair, both elements and the id.
    pub(super) exact: String,
    /// Depth, point of a, point of b: metres.
    pub(super) lengths: Vec<f64>,
    /// Direction, weights of a, weights of b.
    pub(super) units: Vec<f64>,
}

impl ContactLine {
    /// The line of a contact of pair number `pair`.
    pub(super) fn new(pair: usize, contact: &Contact) -> Self {
        let (a, b) = (&contact.a, &contact.b);
        let mut lengths = vec![contact.depth];
        lengths.extend(a.point.iter().chain(&b.point));
        if contact.depth_upper.to_bits() != contact.depth.to_bits() {
            lengths.push(contact.depth_upper);
        }
        let mut units = contact.direction.to_vec();
        units.extend(a.vertex_weights().iter().chain(b.vertex_weights()));
        if !contact.time_of_impact.is_nan() {
            units.push(contact.time_of_impact);
        }
        Self { exact: format!("{pair}: {} ~ {} id {}", element(a), element(b), contact.id), lengths, units }
    }
}

fn element(feature: &Feature) -> String {
    let kind = feature.feature_kind();
    let mut text = kind.name().to_owned();
    if kind != FeatureKind::Point {
        for id in feature.vertex_ids() {
            text.push_str(&format!(" {id}"));
        }
    }
    for (word, id) in [("cell", feature.cell), ("child", feature.child)] {
        if id != NONE {
            text.push_str(&format!(" {word} {id}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Point, Vector};

    #[test]
    fn elements_are_exact_and_numbers_are_sorted_by_unit() {
        let a = Feature::edge([1, 7], [0.25, 0.75], 4, Point::new(1.0, 2.0, 3.0));
        let b = Feature::numbered(5, Point::new(1.0, 2.5, 3.0));
        let line = ContactLine::new(2, &Contact::exact(a, b, Vector::y(), 0.5, 9));
        assert_eq!(line.exact, "2: edge 1 7 cell 4 ~ point cell 5 id 9");
        assert_eq!(line.lengths, [0.5, 1.0, 2.0, 3.0, 1.0, 2.5, 3.0]);
        assert_eq!(line.units, [0.0, 1.0, 0.0, 0.25, 0.75]);
    }
}
