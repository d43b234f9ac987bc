//! The truth run: every pair of kinds against its own oracle, in many cases of every regime. Slow, so it is ignored
//! by default:
//!
//! ```text
//! cargo test --release -p palpate-tests --test truth_by_cell -- --ignored --nocapture
//! ```
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_CELL_CASES` | cases of a cell, over its regimes and settings; default 10,000 |
//! | `PALPATE_CELLS` | only the cells whose name (`point_set:sphere`) contains one of these space-separated words |
//!
//! A cell's line lists for every regime how many cases had contacts, the largest error relative to the case's size,
//! and how many were wrong. A case with contacts whose depth the oracle does not know counts as `sampled`: no
//! sampled point may be deeper, and all else is judged. Failures are printed below the line.
//!
//! A cell's cases cycle through the settings worth testing. In addition, each regime must have contacts as often as
//! its name implies, and none when separated.

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Entry, MatrixCell, Registry, Served};
use palpate_geometry::GeometryKind;
use palpate_tests::cases::{case_of, settings};
use palpate_tests::compound::{CompoundCase, compound_case};
use palpate_tests::laws::{Measured, measured};
use palpate_tests::{Case, Random, Regime, Subject};
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Number of mismatches of a cell that are printed.
const SHOWN: usize = 3;

/// The outcome of a cell in a regime.
#[derive(Clone, Debug, Default)]
struct Tally {
    cases: usize,
    hits: usize,
    sampled: usize,
    wrong: usize,
    worst: f64,
    failures: Vec<String>,
}

impl Tally {
    fn count(&mut self, judged: Result<Measured, String>) {
        self.cases += 1;
        match judged {
            Ok(Measured { contacts, error, known }) => {
                self.hits += usize::from(contacts > 0);
                self.sampled += usize::from(!known);
                self.worst = self.worst.max(error);
            }
            Err(reason) => {
                self.wrong += 1;
                if self.failures.len() < SHOWN {
                    self.failures.push(reason);
                }
            }
        }
    }

    /// Whether there were enough cases, and as many with contacts as the regime implies.
    fn hits_enough(&self, regime: Regime, asked: usize) -> bool {
        let hits = match regime {
            Regime::Separated => self.hits == 0,
            Regime::Degenerate => 3 * self.hits >= self.cases,
            _ => 10 * self.hits >= 9 * (self.cases - self.wrong),
        };
        hits && 10 * self.cases >= 9 * asked
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { cases, hits, sampled, wrong, worst, .. } = self;
        write!(f, "{hits}/{cases} {worst:.0e}")?;
        if *sampled > 0 {
            write!(f, " {sampled} sampled")?;
        }
        if *wrong > 0 {
            write!(f, " {wrong} WRONG")?;
        }
        Ok(())
    }
}

/// A cell's detector, and its kinds in the order of the detector's sides.
struct CellDetector<'r> {
    entry: &'r Entry,
    kinds: [&'r GeometryKind; 2],
}

fn detector<'r>(registry: &'r Registry, cell: &'r MatrixCell) -> Option<CellDetector<'r>> {
    let Served::By { detector, .. } = cell.served else { return None };
    let entry = registry.entry(detector)?;
    let own_order = entry.a.takes_kind(&cell.a) && entry.b.takes_kind(&cell.b);
    Some(CellDetector { entry, kinds: if own_order { [&cell.a, &cell.b] } else { [&cell.b, &cell.a] } })
}

/// All cases of a cell in a regime.
fn run_regime(registry: &Registry, cell: &MatrixCell, regime: Regime, count: usize) -> Tally {
    let mut tally = Tally::default();
    for number in 0..count {
        let made = match detector(registry, cell) {
            Some(subject) => judge_detector(registry, &subject, regime, number),
            None => judge_compound(registry, &cell.b, regime, number),
        };
        match made {
            Ok(Some(judged)) => tally.count(judged),
            Ok(None) => {}
            Err(reason) => tally.count(Err(reason)),
        }
    }
    tally
}

type Judged = Result<Option<Result<Measured, String>>, String>;

fn judge_detector(registry: &Registry, subject: &CellDetector<'_>, regime: Regime, number: usize) -> Judged {
    let CellDetector { entry, kinds: [a, b] } = subject;
    let settings = settings(entry.name);
    // With settings that leave nothing to collide (the vertices of a solid and a sheet) no pair can be made: try
    // the next.
    for turn in 0..settings.len() {
        let settings = &settings[(number + turn) % settings.len()];
        let mut random = Random::named(&format!("cell {a} {b} {regime:?}"), number as u64);
        if let Some(case) = case_of(registry, entry, [a, b], settings, regime, number, &mut random)? {
            let judged = measured(&Subject::new(registry), &case).and_then(|found| apart(regime, found));
            return Ok(Some(judged.map_err(|reason| case.failure("truth", &reason))));
        }
    }
    Ok(None)
}

/// Separated geometries have no contact.
fn apart(regime: Regime, found: Measured) -> Result<Measured, String> {
    match found.contacts {
        contacts if regime == Regime::Separated && contacts > 0 => {
            Err(format!("{contacts} contacts of what is apart"))
        }
        _ => Ok(found),
    }
}

/// A compound's contacts are those of its children in sequence, and these agree with the oracles.
fn judge_compound(registry: &Registry, other: &GeometryKind, regime: Regime, number: usize) -> Judged {
    let case = compound_case(registry, other, regime, number)?;
    Ok(case.map(|case| {
        compound_measured(registry, &case)
            .and_then(|found| apart(regime, found))
            .map_err(|reason| format!("{regime:?}: {reason}\n{}", case.to_json()))
    }))
}

fn compound_measured(registry: &Registry, case: &CompoundCase) -> Result<Measured, String> {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound =
        registry.bind(a.as_ref(), b.as_ref(), Choice::default()).map_err(|error| error.to_string())?;
    let mut found = CollisionData::new();
    let context = Context::new().with_margin(case.margin);
    bound.run(a.as_ref(), b.as_ref(), &context, &mut found).map_err(|error| error.to_string())?;
    let mut all = Measured { contacts: 0, error: 0.0, known: true };
    for (i, part_a) in case.a.parts().iter().enumerate() {
        for (j, part_b) in case.b.parts().iter().enumerate() {
            let (own_a, own_b) = (part_a.prepared(), part_b.prepared());
            let bound = registry.bind(own_a.as_ref(), own_b.as_ref(), Choice::default());
            let name = bound.map_err(|error| error.to_string())?.name().to_owned();
            let detector = registry.entry(&name).ok_or("a detector by its name")?.name;
            let (a, b) = (part_a.clone(), part_b.clone());
            let (regime, number, margin) = (case.regime, case.number, case.margin);
            let part = Case { detector, regime, number, a, b, margin, settings: None };
            let Measured { contacts, error, known } = measured(&Subject::new(registry), &part)?;
            let children = (case.a.number(i), case.b.number(j));
            let theirs =
                found.contacts.iter().filter(|contact| (contact.a.child, contact.b.child) == children);
            if theirs.count() != contacts {
                return Err(format!("child {i} and child {j} have {contacts} contacts of their own"));
            }
            all = Measured {
                contacts: all.contacts + contacts,
                error: all.error.max(error),
                known: all.known && known,
            };
        }
    }
    if all.contacts == found.len() {
        Ok(all)
    } else {
        Err(format!("{} contacts, not {}", found.len(), all.contacts))
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Whether the cell is selected, and has a detector.
fn is_asked(registry: &Registry, cell: &MatrixCell, words: &[String]) -> bool {
    let name = format!("{}:{}", cell.a, cell.b);
    let served = match cell.served {
        Served::By { .. } => true,
        Served::Children => {
            cell.b == GeometryKind::COMPOUND || compound_case(registry, &cell.b, Regime::Deep, 0).is_ok()
        }
        _ => false,
    };
    served && (words.is_empty() || words.iter().any(|word| name.contains(word.as_str())))
}

#[test]
#[ignore = "long: the truth run over all cells"]
fn every_cell_is_true_in_every_regime() {
    let count: usize =
        variable("PALPATE_CELL_CASES").map_or(10_000, |count| count.parse().expect("a number of cases"));
    let words: Vec<String> =
        variable("PALPATE_CELLS").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let registry = Registry::standard();
    let cells: Vec<MatrixCell> =
        registry.matrix().into_iter().filter(|cell| is_asked(&registry, cell, &words)).collect();
    let per_regime = count.div_ceil(Regime::ALL.len());
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    println!(
        "{:28} {:>8} {}",
        "cell",
        "seconds",
        Regime::ALL.map(|regime| format!("{:>22}", format!("{regime:?}"))).concat()
    );
    let work = || loop {
        let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let started = Instant::now();
        let tallies = Regime::ALL.map(|regime| run_regime(&registry, cell, regime, per_regime));
        let name = format!("{}:{}", cell.a, cell.b);
        let columns = tallies.clone().map(|tally| format!("{:>22}", format!("  {tally}")));
        let mut lines = format!("{name:28} {:>8.0} {}\n", started.elapsed().as_secs_f64(), columns.concat());
        for (regime, tally) in Regime::ALL.into_iter().zip(tallies) {
            if !tally.hits_enough(regime, per_regime) {
                let Tally { hits, cases, .. } = tally;
                lines += &format!("FAILED {name} {regime:?}: {hits} hits in {cases} cases of {per_regime}\n");
                failed.store(true, Ordering::Relaxed);
            }
            for reason in &tally.failures {
                lines += &format!("FAILED {name} {reason}\n");
                failed.store(true, Ordering::Relaxed);
            }
        }
        // Printed at once, so that the lines of two threads do not mix.
        print!("{lines}");
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    assert!(!cells.is_empty(), "no cell matches {words:?}");
    assert!(!failed.into_inner(), "some cells are wrong: see the lines with FAILED");
}
