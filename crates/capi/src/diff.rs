//! Comparison of contacts: files of contacts, sessions, snapshots.

use crate::input::{Out, flag, options as read_options, options_struct, path};
use crate::record::{new_text, palpate_text};
use crate::status::{Failure, Outcome, PALPATE_FILE, palpate_status};
use crate::wall::call;
use palpate::diff::{DiffError, Options, Policy, Report, Tolerance, compare_files};
use palpate::replay::ReplayOptions;
use std::ffi::c_char;

/// Every bit of every contact counts, and the order.
pub const PALPATE_DIFF_EXACT: u32 = 0;
/// Ids, elements and the order count exactly, numbers by a tolerance.
pub const PALPATE_DIFF_TOLERANCE: u32 = 1;
/// Numbers count by a tolerance; a contact that is no farther away than `same_within` is the same one, whatever its id, its elements
/// and its place in the order.
pub const PALPATE_DIFF_SAME_WITHIN: u32 = 2;

/// A report to be read: a line each for the verdict, the first and the largest difference, and every pair that differs.
pub const PALPATE_REPORT_TEXT: u32 = 0;
/// A report as JSON, docs/command.md.
pub const PALPATE_REPORT_JSON: u32 = 1;
/// A report as JUnit XML, with a test for every pair.
pub const PALPATE_REPORT_JUNIT: u32 = 2;

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Self {
        match error {
            DiffError::Replay(error) => Self::from(*error),
            DiffError::Snapshots(error) => Self::from(*error),
            DiffError::Option { .. } => Self::argument(error.to_string()),
            other => Self::new(PALPATE_FILE, other.to_string()),
        }
    }
}

/// Which differences count.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_diff_options {
    /// Set by `palpate_diff_options_default`.
    pub struct_size: u32,
    /// `PALPATE_DIFF_…`; `PALPATE_DIFF_EXACT` by default.
    pub policy: u32,
    /// Metres: of depths, and of the distance between points; 1e-9 by default.
    pub tolerance: f64,
    /// Radians: of the angle between directions; 1e-6 by default.
    pub angle: f64,
    /// Of depths: added to `tolerance`, relative to the larger depth; 0 by default.
    pub relative: f64,
    /// Of weights and times of impact; 1e-6 by default.
    pub unit_tolerance: f64,
    /// Metres: how far apart two contacts of different ids may be to be the same contact. Less than 0, the default: the larger of
    /// `tolerance` and 1e-6 of the box round all points of the pair in the frame.
    pub same_within: f64,
    /// 1 if a baseline without a single contact is accepted; 0 by default: nothing would be verified.
    pub allow_empty: u32,
    /// `PALPATE_REPORT_…`: the form of the report; `PALPATE_REPORT_TEXT` by default.
    pub form: u32,
}

impl Default for palpate_diff_options {
    fn default() -> Self {
        let Tolerance { length, angle, relative, unit, .. } = Tolerance::default();
        Self {
            struct_size: size_of::<Self>() as u32,
            policy: PALPATE_DIFF_EXACT,
            tolerance: length,
            angle,
            relative,
            unit_tolerance: unit,
            same_within: -1.0,
            allow_empty: 0,
            form: PALPATE_REPORT_TEXT,
        }
    }
}

options_struct! { palpate_diff_options 56; }

impl palpate_diff_options {
    fn checked(&self) -> Outcome<Options> {
        let place = (self.same_within >= 0.0).then_some(self.same_within);
        let (length, angle, relative) = (self.tolerance, self.angle, self.relative);
        let tolerance = Tolerance { length, angle, relative, unit: self.unit_tolerance, place };
        let policy = match self.policy {
            PALPATE_DIFF_EXACT => Policy::Exact,
            PALPATE_DIFF_TOLERANCE => Policy::Tolerance(tolerance),
            PALPATE_DIFF_SAME_WITHIN => Policy::SameWithin(tolerance),
            other => {
                return Err(Failure::argument(format!("policy is {other}: wanted one of PALPATE_DIFF_…")));
            }
        };
        let allow_empty = flag(self.allow_empty, "allow_empty")?;
        Ok(Options { policy, allow_empty, ..Options::default() })
    }

    fn words(&self, report: &Report) -> Outcome<String> {
        match self.form {
            PALPATE_REPORT_TEXT => Ok(report.to_string()),
            PALPATE_REPORT_JUNIT => Ok(report.junit()),
            PALPATE_REPORT_JSON => serde_json::to_string(report)
                .map_err(|error| Failure::argument(format!("the report is not JSON: {error}"))),
            other => Err(Failure::argument(format!("form is {other}: wanted one of PALPATE_REPORT_…"))),
        }
    }
}

/// The default options of a comparison.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_diff_options_default() -> palpate_diff_options {
    palpate_diff_options::default()
}

/// Compares the contacts of two files, the baseline first: files of contacts, sessions (which are replayed) or snapshots (which are
/// compared by the tolerances that they state). Writes how many differences count, and a report, which may be null, to be freed with
/// `palpate_text_free`. `options` may be null. Errors: `PALPATE_FILE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_diff(
    baseline: *const c_char,
    now: *const c_char,
    options: *const palpate_diff_options,
    count: *mut u64,
    report: *mut *mut palpate_text,
) -> palpate_status {
    call(|| {
        let (out, text) = (Out::new(count, "count")?, Out::optional(report));
        if let Some(text) = &text {
            text.put(std::ptr::null_mut());
        }
        // SAFETY: by the rules of the header.
        let (was, is, given) =
            unsafe { (path(baseline, "baseline")?, path(now, "now")?, read_options(options)?) };
        let found = compare_files([&was, &is], &given.checked()?, &ReplayOptions::default(), &mut |_, _| ())?;
        let words = given.words(&found)?;
        out.put(found.counted());
        if let Some(text) = text {
            text.put(new_text(words));
        }
        Ok(())
    })
}
