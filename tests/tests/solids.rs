//! The laws of solids over every two kinds, with the registry's default detector. A few dozen cases per cell here;
//! for a long run:
//!
//! ```text
//! PALPATE_CELL_CASES=10000 PALPATE_CELLS="surface_mesh" cargo test --release -p palpate-tests --test solids -- --nocapture
//! ```
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_CELL_CASES` | cases of a cell, over the relative positions of two solids |
//! | `PALPATE_CELLS` | only the cells whose name (`surface_mesh:sphere`) contains one of these space-separated words |
//! | `PALPATE_STANDS` | only the relative positions (`Inside`) named by one of these words |
//! | `PALPATE_FAILED_CASES` | a file to which failing cases are written as input of `palpate detect` |

#![allow(clippy::print_stdout, reason = "a long run reports on each cell")]

use palpate_detect::Registry;
use palpate_tests::laws::solids::{
    Cell, Runs, SOLID_LAWS, SolidCase, SolidLaw, SolidMutation, Stand, cell_name, cells, solid_case,
};
use palpate_tests::selection::{cases_of_a_cell, is_asked, on_all_cores, variable, words};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;
use std::time::Instant;

/// Default number of cases of a cell.
const CASES: usize = 36;

/// Maximum length of a printed failure, in characters.
const LONG: usize = 1500;

/// Cases of a cell into which a fault is injected, until it is found.
const TRIED: usize = 6;

/// Number of failures of a law that are printed.
const SHOWN: usize = 6;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// The outcome of the cases of a cell in one relative position.
#[derive(Clone, Debug, Default)]
struct Tally {
    asked: usize,
    cases: usize,
    judged: [usize; SOLID_LAWS.len()],
    failed: [usize; SOLID_LAWS.len()],
}

#[derive(Clone, Debug)]
struct Failure {
    law: usize,
    cell: Cell,
    stand: Stand,
    number: usize,
    json: String,
    reason: String,
}

/// The outcome of a cell.
struct Outcome {
    cell: Cell,
    tallies: Vec<(Stand, Tally)>,
    failures: Vec<Failure>,
    seconds: f64,
}

/// Judges a case by every law.
fn judge(case: &SolidCase, tally: &mut Tally, failures: &mut Vec<Failure>) {
    for (law, solid_law) in SOLID_LAWS.iter().enumerate() {
        let judged = std::panic::catch_unwind(|| {
            Runs::new(&REGISTRY, case, None).and_then(|mut runs| (solid_law.judge)(&mut runs, case))
        });
        match judged.unwrap_or_else(|_| Err("a panic".to_owned())) {
            Ok(count) => tally.judged[law] += usize::from(count > 0),
            Err(reason) => {
                tally.failed[law] += 1;
                let SolidCase { cell, stand, number, .. } = *case;
                failures.push(Failure { law, cell, stand, number, json: case.to_json(), reason });
            }
        }
    }
}

fn run_cell(cell: &Cell, count: usize) -> Outcome {
    let started = Instant::now();
    let asked = words("PALPATE_STANDS");
    let suits = |stand: &Stand| stand.suits(cell) && is_asked(&asked, &format!("{stand:?}"));
    let stands: Vec<Stand> = Stand::ALL.into_iter().filter(suits).collect();
    let (mut tallies, mut failures) = (Vec::new(), Vec::new());
    for &stand in &stands {
        let mut tally = Tally { asked: count.div_ceil(stands.len()), ..Tally::default() };
        for number in 0..tally.asked {
            if let Some(case) = solid_case(cell, stand, number) {
                tally.cases += 1;
                judge(&case, &mut tally, &mut failures);
            }
        }
        tallies.push((stand, tally));
    }
    Outcome { cell: *cell, tallies, failures, seconds: started.elapsed().as_secs_f64() }
}

/// All cells, judged once for all tests of this file.
static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let count = cases_of_a_cell(CASES);
    let asked = words("PALPATE_CELLS");
    let cells: Vec<Cell> = cells().into_iter().filter(|cell| is_asked(&asked, &cell_name(cell))).collect();
    let outcomes = on_all_cores(&cells, |cell| {
        let outcome = run_cell(cell, count);
        println!("{}", line(&outcome));
        outcome
    });
    if let Some(path) = variable("PALPATE_FAILED_CASES") {
        let lines: Vec<&str> = outcomes.iter().flat_map(|o| &o.failures).map(|f| f.json.as_str()).collect();
        std::fs::write(path, lines.join("\n") + "\n").expect("the file of failed cases is written");
    }
    assert!(!outcomes.is_empty(), "no cell matches {asked:?}");
    outcomes
});

/// A cell's line: the number of cases, and of violations per law.
fn line(outcome: &Outcome) -> String {
    let mut line = format!("{:28} {:6.1} s", cell_name(&outcome.cell), outcome.seconds);
    for (law, solid_law) in SOLID_LAWS.iter().enumerate() {
        let sum =
            |of: fn(&Tally, usize) -> usize| outcome.tallies.iter().map(|(_, t)| of(t, law)).sum::<usize>();
        let (failed, judged) = (sum(|t, law| t.failed[law]), sum(|t, law| t.judged[law]));
        let mark =
            if failed > 0 { format!("{failed} WRONG of {}", failed + judged) } else { format!("{judged}") };
        let _ = write!(line, " | {} {mark}", solid_law.name);
    }
    line
}

fn holds(name: &str) {
    let law = SOLID_LAWS.iter().position(|law| law.name == name).expect("a law by this name");
    let mut of_cells: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = String::new();
    let failures = OUTCOMES.iter().flat_map(|outcome| &outcome.failures).filter(|failure| failure.law == law);
    for failure in failures {
        let Failure { cell, stand, number, json, reason, .. } = failure;
        let name = format!("{} {stand:?}", cell_name(cell));
        if of_cells.len() < SHOWN && !of_cells.contains_key(&name) {
            let reason: String = reason.chars().take(LONG).collect();
            let json =
                if json.len() > LONG { "its case is in the file of PALPATE_FAILED_CASES" } else { json };
            let _ = write!(shown, "{name} {number}: {reason}\n{json}\n");
        }
        *of_cells.entry(name).or_default() += 1;
    }
    let all: usize = of_cells.values().sum();
    assert!(all == 0, "{all} cases break the law of {name}: {of_cells:#?}\n{shown}");
}

#[test]
fn no_contact_is_deeper_than_the_least_exit() {
    holds("least exit");
}

#[test]
fn what_shares_a_point_is_seen() {
    holds("seen");
}

#[test]
fn depths_are_steady() {
    holds("steady");
}

#[test]
fn contacts_are_in_place() {
    holds("in place");
}

#[test]
fn points_of_manifolds_are_in_both() {
    holds("in both");
}

#[test]
fn contacts_are_told_apart() {
    holds("told apart");
}

#[test]
fn keys_mean_the_same_from_step_to_step() {
    holds("same meaning");
}

/// Nearly all requested cases exist, and the judges confirm the overlap where the relative position requires it.
#[test]
fn there_is_enough_to_judge() {
    let seen = SOLID_LAWS.iter().position(|law| law.name == "seen").expect("a law by this name");
    for outcome in OUTCOMES.iter() {
        for (stand, tally) in &outcome.tallies {
            let name = format!("{} {stand:?}: {tally:?}", cell_name(&outcome.cell));
            assert!(2 * tally.cases >= tally.asked, "{name}");
            let shared = tally.judged[seen] + tally.failed[seen];
            assert!(!stand.is_overlap() || 2 * shared >= tally.cases, "{name}");
        }
    }
}

/// Faults injected into the results are found, each in every cell.
#[test]
fn faults_are_found() {
    let mut failures = Vec::new();
    let asked = words("PALPATE_CELLS");
    for cell in cells().iter().filter(|cell| is_asked(&asked, &cell_name(cell))) {
        let cases: Vec<SolidCase> = [Stand::General, Stand::Inside, Stand::Slender]
            .into_iter()
            .flat_map(|stand| (0..4).filter_map(move |number| solid_case(cell, stand, number)))
            .filter(|case| SOLID_LAWS.iter().all(|law| is_kept(law, case, None)))
            .take(TRIED)
            .collect();
        for mutation in SolidMutation::ALL {
            let is_found =
                |case: &SolidCase| SOLID_LAWS.iter().any(|law| !is_kept(law, case, Some(mutation)));
            // A cell that fails without the fault cannot test it.
            if !cases.is_empty() && !cases.iter().any(is_found) {
                failures.push(format!("{} {mutation:?} in {} cases", cell_name(cell), cases.len()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn is_kept(law: &SolidLaw, case: &SolidCase, mutation: Option<SolidMutation>) -> bool {
    Runs::new(&REGISTRY, case, mutation).and_then(|mut runs| (law.judge)(&mut runs, case)).is_ok()
}
