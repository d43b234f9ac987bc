//! Outcomes of the laws over the cells of a long run, and their report.

use crate::selection::variable;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum length of a printed failure, in characters.
const LONG: usize = 1500;

/// Number of failures of a law that are printed.
const SHOWN: usize = 8;

/// The outcome of the cases of a cell in one relative position.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Number of cases asked for.
    pub asked: usize,
    /// Number of cases made.
    pub cases: usize,
    /// Per law, the number of cases in which there was something to judge.
    pub judged: Vec<usize>,
    /// Per law, the number of cases that break it.
    pub failed: Vec<usize>,
}

/// A case that breaks a law.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Index of the law.
    pub law: usize,
    /// The cell and the relative position.
    pub name: String,
    /// The case as input of `palpate detect`.
    pub json: String,
    /// The violation.
    pub reason: String,
}

/// The outcome of a cell of kinds `C`, by its relative positions `S`.
#[derive(Clone, Debug)]
pub struct Outcome<C, S> {
    /// The kinds.
    pub cell: C,
    /// The name of the cell.
    pub name: String,
    /// The counts of each relative position.
    pub tallies: Vec<(S, Tally)>,
    /// All violations.
    pub failures: Vec<Failure>,
    /// Run time.
    pub seconds: f64,
}

impl Tally {
    /// No case yet, of `asked`, for so many laws.
    pub fn new(asked: usize, laws: usize) -> Self {
        Self { asked, cases: 0, judged: vec![0; laws], failed: vec![0; laws] }
    }

    /// The number of cases in which a law could be broken.
    pub fn met(&self, law: usize) -> usize {
        self.judged[law] + self.failed[law]
    }
}

impl<C, S> Outcome<C, S> {
    /// The number of cases of the cell that break a law, and of those that could.
    pub fn count(&self, law: usize) -> [usize; 2] {
        let sum =
            |of: fn(&Tally, usize) -> usize| self.tallies.iter().map(|(_, t)| of(t, law)).sum::<usize>();
        [sum(|tally, law| tally.failed[law]), sum(Tally::met)]
    }

    /// The cell's line: the number of cases, and of violations, per law.
    pub fn line(&self, width: usize, laws: &[&str]) -> String {
        let mut line = format!("{:width$} {:6.1} s", self.name, self.seconds);
        for (law, name) in laws.iter().enumerate() {
            let [failed, met] = self.count(law);
            let mark = if failed > 0 { format!("{failed} WRONG of {met}") } else { format!("{met}") };
            let _ = write!(line, " | {name} {mark}");
        }
        line
    }
}

/// Writes the failing cases to the file that `PALPATE_FAILED_CASES` names, if it does.
pub fn write_failed_cases<C, S>(outcomes: &[Outcome<C, S>]) {
    if let Some(path) = variable("PALPATE_FAILED_CASES") {
        let lines: Vec<&str> = outcomes.iter().flat_map(|o| &o.failures).map(|f| f.json.as_str()).collect();
        std::fs::write(path, lines.join("\n") + "\n").expect("the file of failed cases is written");
    }
}

/// Panics with the first failures unless a law holds in all cells but those whose names start with one of `except`.
pub fn assert_holds<C, S>(outcomes: &[Outcome<C, S>], name: &str, law: usize, except: &[&str]) {
    let mut of_cells: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = String::new();
    let failures = outcomes.iter().flat_map(|outcome| &outcome.failures).filter(|failure| failure.law == law);
    for Failure { name, json, reason, .. } in failures {
        if except.iter().any(|kind| name.starts_with(kind)) {
            continue;
        }
        if of_cells.len() < SHOWN && !of_cells.contains_key(name.as_str()) {
            let reason: String = reason.chars().take(LONG).collect();
            let json =
                if json.len() > LONG { "its case is in the file of PALPATE_FAILED_CASES" } else { json };
            let _ = write!(shown, "{name} {reason}\n{json}\n");
        }
        *of_cells.entry(name).or_default() += 1;
    }
    let all: usize = of_cells.values().sum();
    assert!(all == 0, "{all} cases break the law of {name}: {of_cells:#?}\n{shown}");
}
