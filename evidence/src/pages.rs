//! The pages of `docs/evidence/` that are made.

use crate::error::{read, read_json};
use crate::run::{Outcome, Run};
use crate::{Evidence, EvidenceError, Mark, Requirement, State, anomalies_page};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A run that is too long for every build: `data/long-runs.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LongRun {
    /// What was tried.
    pub what: String,
    /// How to do it again.
    pub command: String,
    /// What came out.
    pub result: String,
    /// The day, and what of the machine matters.
    pub when: String,
}

/// The long runs of the repository at `root`.
///
/// # Errors
/// Where `data/long-runs.json` cannot be read.
pub fn long_runs(root: &Path) -> Result<Vec<LongRun>, EvidenceError> {
    read_json(root.join("data/long-runs.json"))
}

/// The pages that follow from the sources and the files of `data/`, by file name in `docs/evidence/`.
///
/// # Errors
/// Where a file of `data/`, or the page of the fields, cannot be read.
pub fn pages(root: &Path, evidence: &Evidence) -> Result<[(&'static str, String); 4], EvidenceError> {
    let counts: BTreeMap<String, u64> = read_json(root.join("data/counts.json"))?;
    Ok([
        ("requirements.md", requirements_page(evidence, None)),
        ("anomalies.md", anomalies_page(&evidence.anomalies)),
        ("testing.md", testing_page(&counts, &long_runs(root)?)),
        ("../evidence.md", fields_page(&read(root.join("docs/evidence.md"))?, evidence)),
    ])
}

/// The comments between which the page of the fields is made.
const MADE: [&str; 2] = ["<!-- made -->\n", "<!-- end of what is made -->\n"];

/// The requirements of which most rows choose.
const CHOSEN: [&str; 9] = [
    "REQ-SEPARATION",
    "REQ-NO-SILENCE",
    "REQ-ORDER",
    "REQ-NO-HEAP",
    "REQ-SOLID-SEEN",
    "REQ-SOLID-LEAST-EXIT",
    "REQ-SHEET-SEEN",
    "REQ-GUARD",
    "REQ-REPLAY",
];

/// The page of the fields of a SOUP row, with the requirements that are chosen most and the open defects of today.
pub fn fields_page(page: &str, evidence: &Evidence) -> String {
    let Some((before, (_, after))) =
        page.split_once(MADE[0]).and_then(|(before, rest)| Some((before, rest.split_once(MADE[1])?)))
    else {
        return page.to_owned();
    };
    let mut made = "\n| requirement | in the words of its page |\n|---|---|\n".to_owned();
    for Requirement { id, text, .. } in &evidence.requirements {
        if CHOSEN.contains(&id.as_str()) {
            let _ = writeln!(made, "| {id} | {} |", text.as_deref().unwrap_or("–"));
        }
    }
    made += "\n| open anomaly | effect | where | when, and what then |\n|---|---|---|---|\n";
    for anomaly in evidence.anomalies.iter().filter(|anomaly| anomaly.state == State::Open) {
        let (effect, parts) = (anomaly.effect.name(), anomaly.parts.join(", "));
        let _ = writeln!(made, "| {} | {effect} | {parts} | {} |", anomaly.id, anomaly.trigger);
    }
    format!("{before}{}{made}\n{}{after}", MADE[0], MADE[1])
}

/// The table of requirements and their tests, with the results of a run where there is one.
pub fn requirements_page(evidence: &Evidence, run: Option<&Run>) -> String {
    let mut page = "# Requirements\n\n\
        Made from `data/requirements.json`, the pages that it names, and the tests. Each requirement is in the words of its page. A test is\n\
        `BINARY path::of::test`; a build fails when a requirement has no test, when a test names an unknown one, or when one of them does not pass.\n"
        .to_owned();
    page += match run {
        Some(_) => "The results are those of this build.\n\n",
        None => "The results of a build are in `evidence/requirements.md` of its release.\n\n",
    };
    let result = if run.is_some() { (" result |", "---|") } else { ("", "") };
    let _ = writeln!(page, "| id | page | requirement | tests |{}\n|---|---|---|---|{}", result.0, result.1);
    for Requirement { id, page: source, text, .. } in &evidence.requirements {
        let tests = evidence.tests_of(id);
        let names = tests.iter().map(|mark| name(mark)).collect::<Vec<_>>().join("<br>");
        let text = text.as_deref().unwrap_or("–").replace('|', "\\|");
        let _ = write!(page, "| {id} | {} | {text} | {names} |", link(source));
        if let Some(run) = run {
            let told = tests.iter().map(|mark| outcome(mark, run)).collect::<Vec<_>>().join("<br>");
            let _ = write!(page, " {told} |");
        }
        page.push('\n');
    }
    page
}

/// The page of a requirement as seen from `docs/evidence/`.
fn link(page: &str) -> String {
    let short = page.strip_prefix("docs/");
    let target = short.map_or_else(|| format!("../../{page}"), |short| format!("../{short}"));
    format!("[{}]({target})", short.unwrap_or(page))
}

fn name(mark: &Mark) -> String {
    mark.test.as_ref().map_or_else(String::new, |test| format!("`{} {}`", test.target, test.path))
}

fn outcome(mark: &Mark, run: &Run) -> &'static str {
    match mark.test.as_ref().and_then(|test| run.outcome(test)) {
        Some(Outcome::Passed) => "passed",
        Some(Outcome::Failed) => "FAILED",
        Some(Outcome::Ignored) => "left out",
        None => "not in this run",
    }
}

/// How palpate is tested: what a run counted, and the long runs.
pub fn testing_page(counts: &BTreeMap<String, u64>, long_runs: &[LongRun]) -> String {
    let mut page = "# How palpate is tested\n\n\
        The counts are those of a run of `.ci/run`, made from what the tests print; a build fails when it counts less than this page says. Laws,\n\
        their generated cases and the oracles that judge them share no function with what they judge ([CONTRIBUTING.md](../../CONTRIBUTING.md)).\n\n\
        | what | count |\n|---|---|\n"
        .to_owned();
    for (name, count) in counts {
        let _ = writeln!(page, "| {name} | {} |", grouped(*count));
    }
    page += "\n## Longer runs\n\nToo long for every build; each can be repeated with its command.\n\n\
             | what | command | result | when |\n|---|---|---|---|\n";
    for LongRun { what, command, result, when } in long_runs {
        let _ = writeln!(page, "| {what} | `{command}` | {result} | {when} |");
    }
    page
}

/// A number with a comma for every thousand.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let place = |k: usize| k > 0 && (digits.len() - k).is_multiple_of(3);
    digits
        .chars()
        .enumerate()
        .flat_map(|(k, digit)| place(k).then_some(',').into_iter().chain([digit]))
        .collect()
}

#[test]
fn numbers_have_commas() {
    assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
}
