//! One contact per pair of elements and id.

use crate::{Case, Subject};
use palpate_contact::Feature;
use std::collections::HashSet;

/// The law that every pair of elements is reported once.
pub(crate) fn once(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let found = subject.contacts(case)?;
    let mut seen = HashSet::new();
    for (index, contact) in found.contacts.iter().enumerate() {
        if !seen.insert((element(&contact.a), element(&contact.b), contact.id)) {
            return Err(format!("contact {index} comes twice: {contact:?}"));
        }
    }
    Ok(found.len())
}

type Element = (u32, Vec<u32>, Option<u32>, u32);

/// Identifies an element: its vertices in any order, or its number where it has none.
fn element(feature: &Feature) -> Element {
    let mut vertices = feature.vertex_ids().to_vec();
    vertices.sort_unstable();
    let number = vertices.is_empty().then_some(feature.cell);
    (feature.kind, vertices, number, feature.child)
}
