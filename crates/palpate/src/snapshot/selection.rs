//! Selection of the frames and contacts of a session for a snapshot.

use super::error::SnapshotError;
use std::fmt;

/// How much of the contacts of each pair and frame a snapshot contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// All of them.
    #[default]
    Contacts,
    /// The number of contacts and the deepest of them, at most this many, in the order of the detector. Ties go to the
    /// first.
    Deepest(usize),
    /// The number of contacts, and the greatest depth in metres.
    Counts,
}

/// The frames and contacts of a session that are in a snapshot. Snapshots with different selections cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// At least 1.
    pub(super) every: usize,
    /// For `Deepest`: at least 1.
    pub(super) detail: Detail,
}

impl Selection {
    /// Checks that `now` is the same selection. Errors: it is not; the error names both.
    pub(super) fn check_same(&self, now: &Self) -> Result<(), SnapshotError> {
        let error = || SnapshotError::OtherOptions { found: now.to_string(), wanted: self.to_string() };
        (self == now).then_some(()).ok_or_else(error)
    }

    /// Parses the text written by [`Display`](fmt::Display).
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (every, detail) = line.strip_prefix("every ")?.split_once(", ")?;
        let positive = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0);
        let detail = match detail {
            "all contacts" => Detail::Contacts,
            "counts" => Detail::Counts,
            _ => Detail::Deepest(positive(detail.strip_prefix("deepest ")?)?),
        };
        Some(Self { every: positive(every)?, detail })
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "every {}, ", self.every)?;
        match self.detail {
            Detail::Contacts => f.write_str("all contacts"),
            Detail::Deepest(most) => write!(f, "deepest {most}"),
            Detail::Counts => f.write_str("counts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_read_as_it_is_written() {
        for (every, detail, text) in [
            (1, Detail::Contacts, "every 1, all contacts"),
            (10, Detail::Deepest(3), "every 10, deepest 3"),
            (2, Detail::Counts, "every 2, counts"),
        ] {
            let selection = Selection { every, detail };
            assert_eq!(selection.to_string(), text);
            assert_eq!(Selection::parse(text), Some(selection));
        }
        for text in ["", "every 0, counts", "every 1, deepest 0", "every 1, some contacts", "every, counts"] {
            assert_eq!(Selection::parse(text), None, "{text}");
        }
    }

    #[test]
    fn different_options_are_refused_and_both_are_named() {
        let was = Selection { every: 10, detail: Detail::Deepest(3) };
        assert!(was.check_same(&was).is_ok());
        let error = was.check_same(&Selection { every: 1, detail: Detail::Counts }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "options: found \"every 1, counts\", wanted \"every 10, deepest 3\" as in the other snapshot"
        );
    }
}
