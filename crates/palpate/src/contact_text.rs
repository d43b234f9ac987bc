//! The elements of a contact in words: `edge 1 7 cell 4 ~ point`.

use crate::contact::{Contact, Feature, FeatureKind, NONE};

/// Both elements, side A first.
pub(crate) fn elements(contact: &Contact) -> String {
    format!("{} ~ {}", element(&contact.a), element(&contact.b))
}

/// The ids of an element's vertices; empty for a point, whatever its count says.
pub(crate) fn vertices(feature: &Feature) -> &[u32] {
    if feature.feature_kind() == FeatureKind::Point { &[] } else { feature.vertex_ids() }
}

fn element(feature: &Feature) -> String {
    let mut text = feature.feature_kind().name().to_owned();
    for id in vertices(feature) {
        text.push_str(&format!(" {id}"));
    }
    for (word, id) in [("cell", feature.cell), ("child", feature.child)] {
        if id != NONE {
            text.push_str(&format!(" {word} {id}"));
        }
    }
    text
}
