//! The searches for the least value of an implicit function against the certified branch and bound: every class of bodies
//! with every partner. The detector runs with the function, and with a function that hides what the fast searches ask for;
//! both answers are certified, so that they must agree within both bounds. A few cases of a cell here; for a long run:
//!
//! ```text
//! PALPATE_CELL_CASES=10000 PALPATE_CELLS="shell: :cylinder" cargo test --release -p palpate-tests --test implicit_agree -- --nocapture
//! ```
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_CELL_CASES` | cases of a cell |
//! | `PALPATE_CELLS` | only the cells whose name (`shell:cylinder`) contains one of these space-separated words |
//! | `PALPATE_CELL_SECONDS` | after how many seconds a cell ends, with fewer cases |
//! | `PALPATE_CELL_FIRST` | the number of the first case |

#![allow(clippy::print_stdout, reason = "a long run reports on each cell")]

mod cells;
mod classes;
mod hidden;
mod judge;

use cells::{Cell, PARTNERS};
use hidden::Bodies;
use judge::{Trial, Verdict};
use palpate_detect::Registry;
use palpate_tests::selection::{cases_of_a_cell, is_asked, on_all_cores, variable, words};
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

/// Default number of cases of a cell.
const CASES: usize = 6;

/// Maximum length of a printed case, in characters.
const LONG: usize = 4000;

/// Number of failures of a cell that are printed.
const SHOWN: usize = 3;

/// The outcome of a cell.
#[derive(Default)]
struct Outcome {
    cases: usize,
    counts: [usize; 5],
    /// How many were compared again with a finer branch and bound.
    finer: usize,
    failures: Vec<String>,
    seconds: [f64; 2],
}

impl Outcome {
    fn count(&self, verdict: Verdict) -> usize {
        self.counts[verdict as usize]
    }

    fn line(&self, cell: &Cell) -> String {
        let [agreed, nothing, oracle, both, alone] = self.counts;
        let [fast, slow] = self.seconds.map(|seconds| 1e3 * seconds / self.cases.max(1) as f64);
        let wrong = self.failures.len();
        format!(
            "{:28} {:6} cases | agreed {agreed} | both nothing {nothing} | open: oracle {oracle}, both {both}, alone {alone} | \
             {fast:.3} / {slow:.3} ms | {} finer{}",
            cell.name(),
            self.cases,
            self.finer,
            if wrong > 0 { format!(" | {wrong} WRONG") } else { String::new() }
        )
    }
}

/// The verdict on a case, and the seconds that the detector and branch and bound took.
fn judge(registry: &Registry, trial: &Trial<'_>) -> Result<(Verdict, [f64; 2]), String> {
    let before = Instant::now();
    let fast = trial.fast(registry)?;
    let between = Instant::now();
    let slow = trial.slow(registry)?;
    let taken = [between - before, between.elapsed()].map(|time| time.as_secs_f64());
    Ok((trial.compare(&fast, &slow)?, taken))
}

fn run_cell(registry: &Registry, cell: &Cell, first: usize, count: usize, most: Duration) -> Outcome {
    let started = Instant::now();
    let (mut outcome, mut bodies) = (Outcome::default(), Bodies::default());
    for number in first..first + count {
        if started.elapsed() > most {
            break;
        }
        let Some(case) = cell.case(registry, number) else { continue };
        outcome.cases += 1;
        let judged = |bodies: &mut Bodies| {
            let trial = Trial::new(&case, &cell.partner, bodies);
            let judged = std::panic::catch_unwind(AssertUnwindSafe(|| judge(registry, &trial)));
            judged.unwrap_or_else(|_| Err("a panic".to_owned()))
        };
        let mut verdict = judged(&mut bodies);
        if verdict.is_err() && case.resolution() > 0.0 {
            // Where the samples of a grid are no more accurate, branch and bound may have stopped at a place that is less deep.
            outcome.finer += 1;
            verdict = judged(&mut Bodies::finer());
        }
        match verdict {
            Ok((verdict, taken)) => {
                outcome.counts[verdict as usize] += 1;
                (0..2).for_each(|k| outcome.seconds[k] += taken[k]);
            }
            Err(reason) => {
                let json: String = case.to_json().chars().take(LONG).collect();
                outcome.failures.push(format!("{} {number}: {reason}\n{json}", cell.name()));
            }
        }
    }
    println!("{}", outcome.line(cell));
    outcome.failures.iter().take(SHOWN).for_each(|failure| println!("{failure}"));
    outcome
}

/// Every class of implicit bodies with every partner; for every partner enough of both outcomes.
#[test]
fn branch_and_bound_finds_the_same_contacts() {
    let registry = Registry::standard();
    let number = |name: &str, default| variable(name).map_or(default, |n| n.parse().expect("a number"));
    let (first, count) = (number("PALPATE_CELL_FIRST", 0), cases_of_a_cell(CASES));
    let most = Duration::from_secs(number("PALPATE_CELL_SECONDS", 1 << 20) as u64);
    let asked = words("PALPATE_CELLS");
    let cells: Vec<Cell> = Cell::all().into_iter().filter(|cell| is_asked(&asked, &cell.name())).collect();
    let outcomes = on_all_cores(&cells, |cell| (*cell, run_cell(&registry, cell, first, count, most)));
    assert!(!outcomes.is_empty(), "no cell matches {asked:?}");
    let failures: Vec<&str> = outcomes.iter().flat_map(|(_, o)| &o.failures).map(String::as_str).collect();
    let shown = failures.iter().take(SHOWN).copied().collect::<Vec<_>>().join("\n");
    let finer: usize = outcomes.iter().map(|(_, outcome)| outcome.finer).sum();
    let cases: usize = outcomes.iter().map(|(_, outcome)| outcome.cases).sum();
    assert!(
        1000 * finer <= cases + 1000,
        "{finer} of {cases} cases were judged by the finer branch and bound"
    );
    assert!(failures.is_empty(), "{} cases differ:\n{shown}", failures.len());
    for partner in PARTNERS {
        let of = outcomes.iter().filter(|(cell, _)| cell.partner == partner).map(|(_, outcome)| outcome);
        let sum = |count: fn(&Outcome) -> usize| of.clone().map(count).sum::<usize>();
        let (cases, agreed) = (sum(|o| o.cases), sum(|o| o.count(Verdict::Agreed)));
        let alone = sum(|o| o.count(Verdict::OpenAlone));
        println!("{:12} {cases} cases, {agreed} agreed, open alone {alone}", partner.name);
        assert!(3 * agreed >= cases, "{}: {agreed} of {cases} cases agreed", partner.name);
        assert!(50 * alone <= cases + 50, "{}: {alone} of {cases} cases open", partner.name);
    }
}
