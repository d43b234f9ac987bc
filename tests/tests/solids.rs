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
use palpate_tests::laws::outcome::{self, Failure, Tally, assert_holds, write_failed_cases};
use palpate_tests::laws::solids::{
    Cell, Runs, SOLID_LAWS, SolidCase, SolidLaw, SolidMutation, Stand, cell_name, cells, solid_case,
};
use palpate_tests::selection::{cases_of_a_cell, is_asked, on_all_cores, words};
use std::sync::LazyLock;
use std::time::Instant;

/// Default number of cases of a cell.
const CASES: usize = 36;

/// Cases of a cell into which a fault is injected, until it is found.
const TRIED: usize = 6;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

type Outcome = outcome::Outcome<Cell, Stand>;

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
                let name = format!("{} {:?}", cell_name(&case.cell), case.stand);
                let reason = format!("{}: {reason}", case.number);
                failures.push(Failure { law, name, json: case.to_json(), reason });
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
        let mut tally = Tally::new(count.div_ceil(stands.len()), SOLID_LAWS.len());
        for number in 0..tally.asked {
            if let Some(case) = solid_case(cell, stand, number) {
                tally.cases += 1;
                judge(&case, &mut tally, &mut failures);
            }
        }
        tallies.push((stand, tally));
    }
    let seconds = started.elapsed().as_secs_f64();
    Outcome { cell: *cell, name: cell_name(cell), tallies, failures, seconds }
}

/// All cells, judged once for all tests of this file.
static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let count = cases_of_a_cell(CASES);
    let asked = words("PALPATE_CELLS");
    let cells: Vec<Cell> = cells().into_iter().filter(|cell| is_asked(&asked, &cell_name(cell))).collect();
    let outcomes = on_all_cores(&cells, |cell| {
        let outcome = run_cell(cell, count);
        println!("{}", outcome.line(28, &SOLID_LAWS.map(|law| law.name)));
        outcome
    });
    write_failed_cases(&outcomes);
    assert!(!outcomes.is_empty(), "no cell matches {asked:?}");
    outcomes
});

fn holds(name: &str) {
    let law = SOLID_LAWS.iter().position(|law| law.name == name).expect("a law by this name");
    assert_holds(&OUTCOMES, name, law, &[]);
}

// Proves: REQ-SOLID-LEAST-EXIT, REQ-LAW-SOLID-LEAST-EXIT
#[test]
fn no_contact_is_deeper_than_the_least_exit() {
    holds("least exit");
}

// Proves: REQ-SOLID-SEEN, REQ-LAW-SOLID-SEEN
#[test]
fn what_shares_a_point_is_seen() {
    holds("seen");
}

// Proves: REQ-SOLID-STEADY, REQ-LAW-SOLID-STEADY
#[test]
fn depths_are_steady() {
    holds("steady");
}

// Proves: REQ-SOLID-IN-PLACE, REQ-LAW-SOLID-IN-PLACE
#[test]
fn contacts_are_in_place() {
    holds("in place");
}

// Proves: REQ-SOLID-IN-PLACE, REQ-LAW-SOLID-IN-BOTH
#[test]
fn points_of_manifolds_are_in_both() {
    holds("in both");
}

// Proves: REQ-SOLID-TOLD-APART, REQ-LAW-SOLID-TOLD-APART
#[test]
fn contacts_are_told_apart() {
    holds("told apart");
}

// Proves: REQ-SOLID-TOLD-APART, REQ-LAW-SOLID-SAME-MEANING
#[test]
fn keys_mean_the_same_from_step_to_step() {
    holds("same meaning");
}

/// Nearly all requested cases exist, and the judges confirm the overlap where the relative position requires it.
#[test]
fn there_is_enough_to_judge() {
    println!("counted: cells of two kinds of solids: {}", OUTCOMES.len());
    let cases =
        OUTCOMES.iter().flat_map(|outcome| &outcome.tallies).map(|(_, tally)| tally.cases).sum::<usize>();
    println!("counted: cases of solids: {cases}");
    let seen = SOLID_LAWS.iter().position(|law| law.name == "seen").expect("a law by this name");
    for outcome in OUTCOMES.iter() {
        for (stand, tally) in &outcome.tallies {
            let name = format!("{} {stand:?}: {tally:?}", outcome.name);
            assert!(2 * tally.cases >= tally.asked, "{name}");
            let shared = tally.met(seen);
            assert!(!stand.is_overlap() || 2 * shared >= tally.cases, "{name}");
        }
    }
}

/// Faults injected into the results are found, each in every cell.
// Proves: REQ-LAW-FAULTS
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
