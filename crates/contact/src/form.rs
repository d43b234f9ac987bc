//! A contact as other programs read it: the object of `palpate detect`, `palpate replay --out FILE.json` and `docs/detect-json.md`.
//!
//! Absent fields are left out, so the format has to name its fields, as JSON does. What is written reads back to the last bit.

use crate::{Contact, Feature, FeatureKind, NONE};
use serde::{Deserialize, Serialize};

/// One contact.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContactForm {
    a: Feature,
    b: Feature,
    direction: [f64; 3],
    depth: f64,
    depth_bounds: [f64; 2],
    /// JSON has no NaN: a static contact's is null.
    time_of_impact: Option<f64>,
    id: u64,
}

/// One side of a contact.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeatureForm {
    kind: FeatureKind,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    vertices: List<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cell: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    child: Option<u32>,
    #[serde(default, skip_serializing_if = "List::is_empty")]
    weights: List<f64>,
    point: [f64; 3],
}

/// Up to four numbers.
#[derive(Clone, Copy, Default)]
struct List<T> {
    numbers: [T; 4],
    count: usize,
}

impl<T> List<T> {
    fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<T: Copy + Default> List<T> {
    fn of(numbers: &[T]) -> Self {
        let mut list = Self { count: numbers.len(), ..Self::default() };
        list.numbers[..list.count].copy_from_slice(numbers);
        list
    }

    fn as_slice(&self) -> &[T] {
        &self.numbers[..self.count]
    }
}

impl<T: Serialize + Copy + Default> Serialize for List<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de> + Copy + Default> Deserialize<'de> for List<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<T>::deserialize(deserializer)?;
        let too_many =
            || serde::de::Error::custom(format!("found {} numbers: wanted 4 at most", numbers.len()));
        if numbers.len() > 4 { Err(too_many()) } else { Ok(Self::of(&numbers)) }
    }
}

impl From<Contact> for ContactForm {
    fn from(contact: Contact) -> Self {
        let Contact { a, b, direction, depth, depth_upper, time_of_impact, id } = contact;
        let time_of_impact = Some(time_of_impact).filter(|time| time.is_finite());
        Self { a, b, direction, depth, depth_bounds: [depth, depth_upper], time_of_impact, id }
    }
}

impl TryFrom<ContactForm> for Contact {
    type Error = String;

    fn try_from(form: ContactForm) -> Result<Self, String> {
        let ContactForm { a, b, direction, depth, depth_bounds: [lower, depth_upper], time_of_impact, id } =
            form;
        if lower != depth {
            return Err(format!("depth_bounds begin with {lower}: wanted the depth, {depth}"));
        }
        let time_of_impact = time_of_impact.unwrap_or(f64::NAN);
        Ok(Self { a, b, direction, depth, depth_upper, time_of_impact, id })
    }
}

impl From<Feature> for FeatureForm {
    fn from(feature: Feature) -> Self {
        let kind = feature.feature_kind();
        let has_vertices = kind != FeatureKind::Point;
        let present = |id: u32| (id != NONE).then_some(id);
        Self {
            kind,
            vertices: List::of(if has_vertices { feature.vertex_ids() } else { &[] }),
            cell: present(feature.cell),
            child: present(feature.child),
            weights: List::of(if has_vertices { feature.vertex_weights() } else { &[] }),
            point: feature.point,
        }
    }
}

impl TryFrom<FeatureForm> for Feature {
    type Error = String;

    fn try_from(form: FeatureForm) -> Result<Self, String> {
        let FeatureForm { kind, vertices, cell, child, weights, point } = form;
        let wanted = kind.vertex_count();
        for (what, found) in [("vertices", vertices.count), ("weights", weights.count)] {
            if found != wanted as usize {
                return Err(format!(
                    "found {found} {what}: wanted {wanted}, since the kind is {}",
                    kind.name()
                ));
            }
        }
        let mut ids = [NONE; 4];
        ids[..vertices.count].copy_from_slice(vertices.as_slice());
        Ok(Self {
            kind: kind as u32,
            vertex_count: wanted,
            vertices: ids,
            cell: cell.unwrap_or(NONE),
            child: child.unwrap_or(NONE),
            weights: weights.numbers,
            point,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::CollisionData;
    use palpate_math::{Point, Vector};

    fn contact() -> Contact {
        let a = Feature::triangle([4, 9, 2], [0.2, 0.3, 0.5], 17, Point::new(0.1, 0.2, 0.3));
        let b = Feature::point(Point::new(0.1, 0.2, 0.288));
        Contact::exact(a, b, -Vector::z(), 0.012, 17)
    }

    #[test]
    fn absent_fields_of_a_side_are_omitted() {
        let wanted = concat!(
            r#"{"a":{"kind":"triangle","vertices":[4,9,2],"cell":17,"weights":[0.2,0.3,0.5],"point":[0.1,0.2,0.3]},"#,
            r#""b":{"kind":"point","point":[0.1,0.2,0.288]},"direction":[-0.0,-0.0,-1.0],"depth":0.012,"#,
            r#""depth_bounds":[0.012,0.012],"time_of_impact":null,"id":17}"#
        );
        assert_eq!(serde_json::to_string(&contact()).unwrap(), wanted);
    }

    #[test]
    fn a_numbered_feature_keeps_its_number() {
        let json = serde_json::to_value(Feature::numbered(3, Point::origin())).unwrap();
        assert_eq!(json["cell"], 3);
        assert!(json.get("vertices").is_none() && json.get("weights").is_none());
    }

    #[test]
    fn contacts_of_every_element_read_back_to_the_bit() {
        let at = Point::new(0.1, 1.0 / 3.0, -0.0);
        let mut sides = [
            Feature::point(at),
            Feature::numbered(5, at),
            Feature::vertex(7, 1, at),
            Feature::edge([7, 8], [0.1, 0.9], 2, at),
            Feature::triangle([1, 2, 3], [0.1, 0.2, 0.7], 3, at),
            Feature::tetrahedron([1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4], 4, at),
        ];
        sides[2].child = 6;
        let mut data = CollisionData::new();
        for (place, a) in sides.iter().enumerate() {
            let b = sides[sides.len() - 1 - place];
            let mut contact = Contact::exact(*a, b, Vector::new(0.6, 0.0, 0.8), 1e-9 / 7.0, u64::MAX - 3);
            contact.depth_upper = 0.1 + 0.2;
            contact.time_of_impact = if place % 2 == 0 { f64::NAN } else { 0.3 / place as f64 };
            data.push(contact);
        }
        let text = serde_json::to_string(&data).unwrap();
        let back: CollisionData = serde_json::from_str(&text).unwrap();
        assert!(back.same_bits(&data) && back.len() == 6, "{text}");
    }

    #[test]
    fn what_is_no_contact_is_refused_with_what_was_wanted() {
        let text = serde_json::to_string(&contact()).unwrap();
        for (from, to, wanted) in [
            ("[4,9,2]", "[4,9]", "found 2 vertices: wanted 3, since the kind is triangle"),
            ("[4,9,2]", "[4,9,2,1,0]", "found 5 numbers: wanted 4 at most"),
            ("[0.012,0.012]", "[0.01,0.012]", "depth_bounds begin with 0.01: wanted the depth, 0.012"),
            ("\"triangle\"", "\"square\"", "unknown variant `square`"),
            ("\"id\"", "\"name\"", "unknown field `name`"),
        ] {
            let refused =
                serde_json::from_str::<Contact>(&text.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(refused.contains(wanted), "{refused}");
        }
    }
}
