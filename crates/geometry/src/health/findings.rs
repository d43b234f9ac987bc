//! Counted and listed defects.

/// How many defects of a type are listed; the rest are only counted.
pub const LISTED: usize = 10;

/// Defects of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings<T> {
    /// The total number.
    pub count: usize,
    /// The first [`LISTED`] of them, in ascending order.
    pub first: Vec<T>,
    /// Whether the search was stopped at its bound: there may be more than counted.
    pub at_least: bool,
}

impl<T> Findings<T> {
    /// Whether there are none; false where the search was stopped before it found any.
    pub fn is_empty(&self) -> bool {
        self.count == 0 && !self.at_least
    }
}

impl<T> Findings<T> {
    /// Adds the next defect in ascending order.
    pub(super) fn push(&mut self, offender: T) {
        self.count += 1;
        if self.count <= LISTED {
            self.first.push(offender);
        }
    }
}

impl<T> Default for Findings<T> {
    fn default() -> Self {
        Self { count: 0, first: Vec::new(), at_least: false }
    }
}

impl<T> FromIterator<T> for Findings<T> {
    /// The defects must come in ascending order.
    fn from_iter<I: IntoIterator<Item = T>>(offenders: I) -> Self {
        let mut findings = Self::default();
        offenders.into_iter().for_each(|offender| findings.push(offender));
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_counted_and_the_first_are_listed() {
        let findings: Findings<usize> = (0..25).collect();
        assert_eq!((findings.count, findings.first), (25, (0..LISTED).collect()));
        assert!(Findings::<u32>::default().is_empty());
        assert!(!Findings::<u32> { at_least: true, ..Findings::default() }.is_empty());
    }
}
