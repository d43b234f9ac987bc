//! Known defects, open and mended: `data/anomalies.json`.

use crate::EvidenceError;
use crate::error::read_json;
use crate::marks::TestName;
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

/// Whether a defect is still there.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is.
    Open,
    /// It is not.
    Mended,
}

/// What a defect does to a simulation.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// A contact that there is was not found.
    Missed,
    /// A contact, a number or a file was wrong.
    Wrong,
    /// A result came late.
    Late,
    /// The process ended, or memory was exhausted.
    Crash,
    /// Valid input was refused, or work was not done, with an error or a flag that says so.
    Refused,
}

impl Effect {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Wrong => "wrong",
            Self::Late => "late",
            Self::Crash => "crash",
            Self::Refused => "refused",
        }
    }
}

/// A defect.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anomaly {
    /// `ANO-…`; it is never used again.
    pub id: String,
    /// Whether it is still there.
    pub state: State,
    /// The versions that have it.
    pub versions: String,
    /// Detectors, or the part of palpate.
    pub parts: Vec<String>,
    /// What it does.
    pub effect: Effect,
    /// When it happens, and what then.
    pub trigger: String,
    /// What a user of an affected version does; empty for one that was mended before any release.
    pub workaround: String,
    /// The test that shows it mended, or measures it while it is open: `BINARY path::of::test`.
    pub test: Option<String>,
}

impl Anomaly {
    /// The test by its name in a run.
    pub fn test(&self) -> Option<TestName> {
        let (target, path) = self.test.as_deref()?.split_once(' ')?;
        Some(TestName { target: target.to_owned(), path: path.to_owned() })
    }
}

/// The defects of the repository at `root`.
///
/// # Errors
/// Where `data/anomalies.json` cannot be read.
pub fn anomalies(root: &Path) -> Result<Vec<Anomaly>, EvidenceError> {
    read_json(root.join("data/anomalies.json"))
}

/// The page of the defects: open ones first, then in the order of the file.
pub fn anomalies_page(anomalies: &[Anomaly]) -> String {
    let (open, mended): (Vec<&Anomaly>, Vec<&Anomaly>) =
        anomalies.iter().partition(|anomaly| anomaly.state == State::Open);
    let mut page = format!(
        "# Known anomalies\n\n\
         Made from `data/anomalies.json`, which has the same for programs. {} are open, {} are mended. *Effect*: **missed**, a contact\n\
         that there is was not found; **wrong**, a contact, a number or a file was wrong; **late**, the result came late; **crash**, the process ended or\n\
         ran out of memory; **refused**, work was not done, with an error or a flag that says so. Report a new one as\n\
         [SECURITY.md](../../SECURITY.md) says if it is a vulnerability, else as an issue; it is listed here the day it is found.\n",
        open.len(),
        mended.len()
    );
    page += "\n## Open\n\n| id | versions | where | effect | when, and what then | what to do | measured by |\n|---|---|---|---|---|---|---|\n";
    for anomaly in open {
        let Anomaly { id, versions, effect, trigger, workaround, .. } = anomaly;
        let (parts, test) = (anomaly.parts.join(", "), anomaly.test.as_deref().unwrap_or("–"));
        let effect = effect.name();
        let _ =
            writeln!(page, "| {id} | {versions} | {parts} | {effect} | {trigger} | {workaround} | {test} |");
    }
    page += "\n## Mended\n\n| id | versions | where | effect | when, and what then | test |\n|---|---|---|---|---|---|\n";
    for anomaly in mended {
        let Anomaly { id, versions, effect, trigger, .. } = anomaly;
        let (parts, test) = (anomaly.parts.join(", "), anomaly.test.as_deref().unwrap_or("–"));
        let effect = effect.name();
        let _ = writeln!(page, "| {id} | {versions} | {parts} | {effect} | {trigger} | {test} |");
    }
    page
}
