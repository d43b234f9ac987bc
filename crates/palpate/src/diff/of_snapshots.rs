//! The differences of two snapshots as a report.

use super::report::{Kind, Report};
use super::tally::{Found, Tally};
use crate::snapshot::{Change, ContactSnapshot, SnapshotError};
use std::collections::BTreeMap;

/// Compares two snapshots as `palpate snapshot --check` does, by the tolerances that they state.
///
/// Errors: snapshots that were taken with different options.
pub fn compare_snapshots(was: &ContactSnapshot, is: &ContactSnapshot) -> Result<Report, SnapshotError> {
    let found = was.differences(is)?;
    let mut names: Vec<&str> = was.pair_names().collect();
    names.extend(is.pair_names().filter(|name| !was.pair_names().any(|own| own == *name)));
    let numbers: BTreeMap<&str, usize> =
        names.iter().enumerate().map(|(number, name)| (*name, number)).collect();
    let mut tally = Tally::new(names.iter().map(|name| (*name).to_owned()), usize::MAX);
    for difference in &found {
        let kind = match (difference.change, difference.frame) {
            (Change::Input, _) => continue,
            (Change::Added, Some(_)) => Kind::Added,
            (Change::Removed, Some(_)) => Kind::Lost,
            (Change::Changed, Some(_)) if difference.pair.is_some() => Kind::Values,
            _ if difference.pair.is_some() => Kind::Pair,
            _ => Kind::Frame,
        };
        let pair = difference.pair.as_deref().and_then(|pair| numbers.get(pair)).copied();
        let frame = difference.frame.map(|frame| frame as u64);
        tally.add(&Found { kinds: &[kind], frame, pair, size: 0.0 }, || difference.what.clone());
    }
    let mut report = tally.report;
    report.worst = None;
    report.frames = is.frame_count() as u64;
    report.contacts = [was, is].map(|snapshot| snapshot.contact_count());
    for (number, pair) in report.pairs.iter_mut().enumerate() {
        pair.contacts = [was, is].map(|snapshot| snapshot.contacts_of(names[number]));
    }
    report.add_input(was.input_differences(is));
    Ok(report)
}
