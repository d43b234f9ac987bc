//! What does not fit together.

use crate::requirements::rows;
use crate::run::{Outcome, Run};
use crate::{Anomaly, EvidenceError, Mark, Requirement, State, anomalies, marks, requirements};
use std::collections::BTreeSet;
use std::path::Path;

/// Tables of promises: every row is a requirement.
const TABLES: [(&str, &str); 4] = [
    ("docs/architecture.md", "is tested as soon as it is registered."),
    (
        "docs/architecture.md",
        "For two solids (closed surfaces, tetra meshes, implicit bodies, convex shapes, primitives, compounds of these), in addition:",
    ),
    (
        "docs/architecture.md",
        "For a sheet (an open surface) and any body, in addition, where a sheet has no inside and pushes to the nearer side:",
    ),
    (
        "docs/limits.md",
        "What palpate accepts from outside before it refuses a file or an argument. An error names the limit, the value found and the limit's value.",
    ),
];

/// Sources of laws: every law is a requirement.
const LAWS: [&str; 3] =
    ["tests/src/laws/mod.rs", "tests/src/laws/solids/judges.rs", "tests/src/laws/sheets/judges.rs"];

/// All evidence but that of a run.
pub struct Evidence {
    /// The requirements.
    pub requirements: Vec<Requirement>,
    /// What tests prove.
    pub marks: Vec<Mark>,
    /// Known defects.
    pub anomalies: Vec<Anomaly>,
    /// Promises of the pages that are no requirement.
    missing: Vec<String>,
}

impl Evidence {
    /// Reads the evidence of the repository at `root`.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn read(root: &Path) -> Result<Self, EvidenceError> {
        let requirements = requirements(root)?;
        let missing = missing(root, &requirements)?;
        Ok(Self { requirements, marks: marks(root)?, anomalies: anomalies(root)?, missing })
    }

    /// The tests that prove a requirement, by name.
    pub fn tests_of(&self, id: &str) -> Vec<&Mark> {
        self.marks.iter().filter(|mark| mark.id == id && mark.test.is_some()).collect()
    }
}

/// Rows of promises and laws that no requirement stands for.
fn missing(root: &Path, requirements: &[Requirement]) -> Result<Vec<String>, EvidenceError> {
    let mut missing = Vec::new();
    for (page, below) in TABLES {
        let text = crate::error::read(root.join(page))?;
        let mut found = 0;
        for row in rows(&text).filter(|row| row.below == below) {
            found += 1;
            let stands = |requirement: &&Requirement| {
                requirement.page == page
                    && requirement.row.as_ref().is_some_and(|(under, name)| {
                        *name == row.name && under.as_ref().is_none_or(|under| *under == below)
                    })
            };
            if !requirements.iter().any(|requirement| stands(&requirement)) {
                missing.push(format!("{page}: \"{}\" is no requirement", row.name));
            }
        }
        if found == 0 {
            missing.push(format!("{page} has no table below \"{below}\""));
        }
    }
    for page in LAWS {
        let text = crate::error::read(root.join(page))?;
        for law in text.split("Law { name: \"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let is_law = |requirement: &Requirement| {
                requirement.page == page
                    && requirement.text.as_ref().is_ok_and(|text| text.contains(&format!("\"{law}\"")))
            };
            if !requirements.iter().any(is_law) {
                missing.push(format!("{page}: the law \"{law}\" is no requirement"));
            }
        }
    }
    Ok(missing)
}

/// What is wrong, one line each; with a run also what it did not show.
pub fn check(evidence: &Evidence, run: Option<&Run>) -> Vec<String> {
    let mut wrong = evidence.missing.clone();
    let mut ids = BTreeSet::new();
    for Requirement { id, text, .. } in &evidence.requirements {
        if !ids.insert(id.as_str()) {
            wrong.push(format!("{id} stands twice in data/requirements.json"));
        }
        if let Err(reason) = text {
            wrong.push(format!("{id}: {reason}"));
        }
        if evidence.tests_of(id).is_empty() {
            wrong.push(format!("{id} has no test: wanted `// {} {id}` above one", "Proves:"));
        }
    }
    for Mark { id, file, line, test } in &evidence.marks {
        if !ids.contains(id.as_str()) {
            wrong.push(format!("{file}:{line}: {id} is not in data/requirements.json"));
        }
        let Some(test) = test else {
            wrong.push(format!("{file}:{line}: no test follows"));
            continue;
        };
        let Some(run) = run else { continue };
        match run.outcome(test) {
            Some(Outcome::Passed) => {}
            None if test.target == "pytest" && !run.has_target("pytest") => {}
            found => wrong.push(format!("{id}: {} {} did not pass: {found:?}", test.target, test.path)),
        }
    }
    wrong.extend(wrong_anomalies(&evidence.anomalies, run));
    wrong
}

fn wrong_anomalies(anomalies: &[Anomaly], run: Option<&Run>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut ids = BTreeSet::new();
    for anomaly in anomalies {
        let Anomaly { id, state, workaround, .. } = anomaly;
        if !ids.insert(id) {
            wrong.push(format!("{id} stands twice in data/anomalies.json"));
        }
        if *state == State::Open && workaround.is_empty() {
            wrong.push(format!("{id} is open and says no workaround"));
        }
        if *state == State::Mended && anomaly.test.is_none() {
            wrong.push(format!("{id} is mended and names no test"));
        }
        let Some(run) = run else { continue };
        if anomaly.test().is_some_and(|test| run.outcome(&test) != Some(Outcome::Passed)) {
            wrong.push(format!("{id}: {} did not pass", anomaly.test.as_deref().unwrap_or_default()));
        }
    }
    wrong
}
