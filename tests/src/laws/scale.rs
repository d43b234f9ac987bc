//! Multiplying every length by a power of two multiplies points and depths by it exactly, and changes nothing else.

use crate::compare::same_bits;
use crate::random::Random;
use crate::{Case, Subject};

/// The exponents of two tested on the first case of a regime; the others get a few of them.
const EXPONENTS: std::ops::RangeInclusive<i32> = -30..=30;

/// Number of exponents for the other cases.
const FEW: usize = 4;

/// The law of scale.
pub(crate) fn scale(subject: &Subject<'_>, case: &Case) -> Result<usize, String> {
    let original = subject.contacts(case)?;
    let all: Vec<i32> = EXPONENTS.collect();
    let mut random = Random::named("scale", case.number as u64);
    let tried = if case.number == 0 { all } else { (0..FEW).map(|_| random.pick(&all)).collect() };
    for exponent in tried {
        let factor = 2.0_f64.powi(exponent);
        let mut wanted = original.clone();
        for contact in &mut wanted.contacts {
            contact.a.point = contact.a.point.map(|x| x * factor);
            contact.b.point = contact.b.point.map(|x| x * factor);
            contact.depth *= factor;
            contact.depth_upper *= factor;
        }
        let found = subject.contacts(&case.scaled(factor))?;
        same_bits(&wanted, &found).map_err(|reason| format!("times 2^{exponent}: {reason}"))?;
    }
    Ok(original.len())
}
