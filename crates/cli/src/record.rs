//! A contact as JSON: the same object in `palpate detect`, `palpate replay --out FILE.json` and `docs/detect-json.md`.

use palpate::contact::{Contact, Feature, FeatureKind, NONE};
use serde::Serialize;

/// One contact.
#[derive(Serialize)]
pub(crate) struct ContactRecord<'a> {
    a: FeatureRecord<'a>,
    b: FeatureRecord<'a>,
    direction: [f64; 3],
    depth: f64,
    depth_bounds: [f64; 2],
    /// JSON has no NaN: a static contact's is null.
    time_of_impact: Option<f64>,
    id: u64,
}

/// One side of a contact.
#[derive(Serialize)]
struct FeatureRecord<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertices: Option<&'a [u32]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    child: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<&'a [f64]>,
    point: [f64; 3],
}

impl<'a> ContactRecord<'a> {
    /// The record of a contact.
    pub(crate) fn new(contact: &'a Contact) -> Self {
        Self {
            a: FeatureRecord::new(&contact.a),
            b: FeatureRecord::new(&contact.b),
            direction: contact.direction,
            depth: contact.depth,
            depth_bounds: [contact.depth, contact.depth_upper],
            time_of_impact: Some(contact.time_of_impact).filter(|time| time.is_finite()),
            id: contact.id,
        }
    }
}

impl<'a> FeatureRecord<'a> {
    fn new(feature: &'a Feature) -> Self {
        let kind = feature.feature_kind();
        let has_vertices = kind != FeatureKind::Point;
        Self {
            kind: kind.name(),
            vertices: has_vertices.then(|| feature.vertex_ids()),
            cell: present(feature.cell),
            child: present(feature.child),
            weights: has_vertices.then(|| feature.vertex_weights()),
            point: feature.point,
        }
    }
}

/// The id, unless it is [`NONE`].
pub(crate) fn present(id: u32) -> Option<u32> {
    (id != NONE).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate::math::{Point, Vector};

    #[test]
    fn absent_fields_of_a_side_are_omitted() {
        let a = Feature::triangle([4, 9, 2], [0.2, 0.3, 0.5], 17, Point::new(0.1, 0.2, 0.3));
        let b = Feature::point(Point::new(0.1, 0.2, 0.288));
        let contact = Contact::exact(a, b, -Vector::z(), 0.012, 17);
        let json = serde_json::to_string(&ContactRecord::new(&contact)).unwrap();
        let wanted = concat!(
            r#"{"a":{"kind":"triangle","vertices":[4,9,2],"cell":17,"weights":[0.2,0.3,0.5],"point":[0.1,0.2,0.3]},"#,
            r#""b":{"kind":"point","point":[0.1,0.2,0.288]},"direction":[-0.0,-0.0,-1.0],"depth":0.012,"#,
            r#""depth_bounds":[0.012,0.012],"time_of_impact":null,"id":17}"#
        );
        assert_eq!(json, wanted);
    }

    #[test]
    fn a_numbered_feature_keeps_its_number() {
        let side = Feature::numbered(3, Point::origin());
        let json = serde_json::to_value(FeatureRecord::new(&side)).unwrap();
        assert_eq!(json["cell"], 3);
        assert!(json.get("vertices").is_none() && json.get("weights").is_none());
    }
}
