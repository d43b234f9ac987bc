//! Matching of the pairs of two sources.

use crate::recording::ContactPair;

/// A pair of the first source, of the second, or of both, by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatchedPair {
    pub(super) was: Option<usize>,
    pub(super) is: Option<usize>,
    /// Whether side A of one is side B of the other.
    pub(super) is_exchanged: bool,
}

/// Whether two pairs are one.
type Rule<'a> = &'a dyn Fn(&ContactPair, &ContactPair) -> bool;

/// Matches pairs by both names, then by both names exchanged, then by the detector and one name: an object was renamed. Those
/// of the same names are matched in order.
pub(super) fn match_pairs(was: &[ContactPair], is: &[ContactPair]) -> Vec<MatchedPair> {
    let mut partner = vec![None; was.len()];
    let mut is_taken = vec![false; is.len()];
    let same = |one: &ContactPair, two: &ContactPair| one.a == two.a && one.b == two.b;
    let exchanged = |one: &ContactPair, two: &ContactPair| one.a == two.b && one.b == two.a;
    let renamed = |one: &ContactPair, two: &ContactPair| {
        one.detector == two.detector && (one.a == two.a) != (one.b == two.b)
    };
    let rules: [Rule<'_>; 3] = [&same, &exchanged, &renamed];
    for (rule, matches) in rules.into_iter().enumerate() {
        for (number, one) in
            was.iter().enumerate().filter(|(number, _)| partner[*number].is_none()).collect::<Vec<_>>()
        {
            if let Some(other) = (0..is.len()).find(|&other| !is_taken[other] && matches(one, &is[other])) {
                is_taken[other] = true;
                partner[number] = Some((other, rule == 1));
            }
        }
    }
    let first = partner.iter().enumerate().map(|(number, partner)| MatchedPair {
        was: Some(number),
        is: partner.map(|(other, _)| other),
        is_exchanged: partner.is_some_and(|(_, exchanged)| exchanged),
    });
    let new = (0..is.len()).filter(|&other| !is_taken[other]);
    first.chain(new.map(|other| MatchedPair { was: None, is: Some(other), is_exchanged: false })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_matched_by_name_then_exchanged_then_renamed() {
        let pair = |a: &str, b: &str| ContactPair { a: a.into(), b: b.into(), detector: "x".into() };
        let was = [pair("a", "b"), pair("a", "c"), pair("d", "e"), pair("a", "b")];
        let is = [pair("a", "b"), pair("c", "a"), pair("a", "b"), pair("d", "f"), pair("g", "h")];
        let found = match_pairs(&was, &is);
        let told: Vec<_> = found.iter().map(|pair| (pair.was, pair.is, pair.is_exchanged)).collect();
        assert_eq!(
            told,
            [
                (Some(0), Some(0), false),
                (Some(1), Some(1), true),
                (Some(2), Some(3), false),
                (Some(3), Some(2), false),
                (None, Some(4), false)
            ]
        );
    }
}
