//! Scaling by powers of two is exact at both ends of the range of numbers.

use crate::all_cases::{ALL, DetectorCases, REGISTRY};
use palpate_geometry::{LARGEST, SMALLEST};
use palpate_tests::{Case, Subject};

/// Returns the exponents of two by which the case may be scaled: all its lengths that are not 0 stay within the range, with room for
/// sizes a thousand times smaller than the case.
fn ends(case: &Case) -> [i32; 2] {
    let size = case.size();
    let [low, high] = [1024.0 * SMALLEST / size, LARGEST / (16.0 * size)];
    [low.log2().ceil() as i32, high.log2().floor() as i32]
}

// Proves: REQ-RANGE
#[test]
fn the_contacts_scale_exactly_at_the_ends_of_the_range() {
    let subject = Subject::new(&REGISTRY);
    let (mut failures, mut judged, mut refused) = (Vec::new(), 0, 0);
    for DetectorCases { entry, cases } in ALL.iter() {
        let mut of_detector = 0;
        for case in cases.iter().filter(|case| case.number < 3) {
            let original = subject.contacts(case).unwrap();
            for exponent in ends(case) {
                let factor = 2.0_f64.powi(exponent);
                let scaled = case.scaled(factor);
                // A case with a length far smaller than itself may leave the range.
                let margin_fits = scaled.margin == 0.0 || scaled.margin >= SMALLEST;
                if !margin_fits || scaled.a.build().is_err() || scaled.b.build().is_err() {
                    refused += 1;
                    continue;
                }
                let mut wanted = original.clone();
                for contact in &mut wanted.contacts {
                    contact.a.point = contact.a.point.map(|x| x * factor);
                    contact.b.point = contact.b.point.map(|x| x * factor);
                    contact.depth *= factor;
                    contact.depth_upper *= factor;
                }
                match subject.contacts(&scaled) {
                    Ok(found) if found.same_bits(&wanted) => of_detector += usize::from(!wanted.is_empty()),
                    found => {
                        let reason = format!("times 2^{exponent}: {found:?}, wanted {wanted:?}");
                        failures.push((entry.name, exponent > 0, case.failure("range", &reason)));
                    }
                }
            }
        }
        judged += of_detector;
    }
    let mut by_name = std::collections::BTreeMap::new();
    for (name, is_large, _) in &failures {
        *by_name.entry((name.to_string(), *is_large)).or_insert(0) += 1;
    }
    let shown: Vec<&str> = failures.iter().map(|(_, _, text)| text.as_str()).take(3).collect();
    assert!(failures.is_empty(), "{} failures: {by_name:#?}\n{}", failures.len(), shown.join("\n"));
    assert!(judged > 500 && refused < judged / 4, "{judged} judged, {refused} refused");
}
