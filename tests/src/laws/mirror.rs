//! Exchanging the inputs exchanges the sides of every contact, and nothing else, to the last bit.

use crate::compare::same_bits;
use crate::{Case, Subject};
use palpate_detect::Registry;
use serde_json::Value;

/// The law of the mirror. Bit-identical inputs are exempt; so is a detector named for two inputs that each fit both
/// of its sides: naming it assigns the sides in the order of the inputs.
pub(crate) fn mirror(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    if case.a == case.b || either_role(case) {
        return Ok(0);
    }
    let mut wanted = subject.contacts(case)?;
    wanted.mirror();
    let mut exchanged = case.with_shapes(case.b.clone(), case.a.clone());
    exchanged.settings = exchanged.settings.map(exchanged_settings);
    let found = subject.contacts(&exchanged)?;
    same_bits(&wanted, &found)?;
    Ok(wanted.len())
}

/// Settings that refer to the first input refer to the second when the inputs are exchanged.
fn exchanged_settings(mut settings: Value) -> Value {
    let other = match settings["vertices"].as_str() {
        Some("first") => "second",
        Some("second") => "first",
        _ => return settings,
    };
    settings["vertices"] = other.into();
    settings
}

fn either_role(case: &Case) -> bool {
    let registry = Registry::standard();
    let (a, b) = (case.a.prepared(), case.b.prepared());
    registry
        .entry(case.detector)
        .is_some_and(|entry| entry.a != entry.b && entry.a.takes(b.as_ref()) && entry.b.takes(a.as_ref()))
}
