//! Timing and checking a cell.

use std::hint::black_box;

use cpu_time::ThreadTime;

use super::cell::Cell;
use super::palpate_side::Palpate;
use super::parry_side::Parry;
use super::score::{Score, judge};
use crate::Fallible;

/// Rounds of timing; the medians are reported.
const ROUNDS: usize = 5;
/// Number of pairs that palpate processes before parry processes the same: other load on the machine affects both
/// alike.
const BLOCK: usize = 100;

/// The results of a cell. Errors and widths are relative to the size of the pair.
#[derive(Clone, Debug)]
pub struct Report {
    /// The cell's name.
    pub cell: String,
    /// Number of pairs.
    pub pairs: usize,
    /// Nanoseconds of CPU time per query of palpate, over the pairs parry can build.
    pub ns: f64,
    /// Nanoseconds per query of parry, over the same.
    pub parry_ns: f64,
    /// The largest error.
    pub max_error: f64,
    /// The median error.
    pub median_error: f64,
    /// Results with an error above 1e-6.
    pub over_1e6: usize,
    /// Results with an error above 1e-10.
    pub over_1e10: usize,
    /// Results with the wrong sign by more than 1e-9.
    pub wrong_sign: usize,
    /// Results that contain a number that is not finite.
    pub nan: usize,
    /// Queries that did not end converged.
    pub not_converged: usize,
    /// Certified intervals that are wrong.
    pub certificate_failures: usize,
    /// Certified intervals wider than 1e-9 and than 1e-6.
    pub wide: [usize; 2],
    /// Iterations of GJK and of EPA per query.
    pub iterations: [f64; 2],
}

/// Times and checks a cell.
pub fn measure(cell: &Cell) -> Fallible<Report> {
    let mut palpate = Palpate::new(cell)?;
    let parry = Parry::new(cell);
    let pairs = cell.records.len();
    let built: Vec<usize> = (0..pairs).filter(|&pair| parry.can(pair)).collect();
    let (mut ns, mut parry_ns) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut ours, mut theirs) = (0.0, 0.0);
        for block in built.chunks(BLOCK) {
            ours += seconds(block, |pair| palpate.ask(pair).depth);
            theirs += seconds(block, |pair| parry.ask(pair).unwrap_or(0.0));
        }
        ns.push(ours * 1e9 / built.len() as f64);
        parry_ns.push(theirs * 1e9 / built.len() as f64);
    }
    let answers: Vec<_> = (0..pairs).map(|pair| palpate.ask(pair)).collect();
    let scores: Vec<Score> =
        answers.iter().enumerate().map(|(pair, answer)| judge(cell, pair, answer)).collect();
    let mut errors: Vec<f64> = scores.iter().map(|score| score.error).collect();
    errors.sort_by(f64::total_cmp);
    let count = |of: &dyn Fn(&Score) -> bool| scores.iter().filter(|score| of(score)).count();
    let mean = |loop_: usize| {
        answers.iter().map(|answer| f64::from(answer.iterations[loop_])).sum::<f64>() / pairs as f64
    };
    Ok(Report {
        cell: cell.name.clone(),
        pairs,
        ns: median(ns),
        parry_ns: median(parry_ns),
        max_error: errors.last().copied().unwrap_or(0.0),
        median_error: errors.get(pairs / 2).copied().unwrap_or(0.0),
        over_1e6: count(&|score| score.error > 1e-6),
        over_1e10: count(&|score| score.error > 1e-10),
        wrong_sign: count(&|score| score.wrong_sign),
        nan: count(&|score| score.nan),
        not_converged: count(&|score| score.not_converged),
        certificate_failures: count(&|score| score.certificate_failed),
        wide: [count(&|score| score.width > 1e-9), count(&|score| score.width > 1e-6)],
        iterations: [mean(0), mean(1)],
    })
}

fn seconds(pairs: &[usize], mut ask: impl FnMut(usize) -> f64) -> f64 {
    let start = ThreadTime::now();
    for &pair in pairs {
        black_box(ask(black_box(pair)));
    }
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The heading of the lines of a [`Report`].
pub fn heading() -> String {
    format!(
        "{:<16} {:>5} {:>8} {:>8} {:>6} {:>9} {:>9} {:>5} {:>5} {:>5} {:>4} {:>5} {:>5} {:>5} {:>5} {:>6} {:>6}",
        "cell",
        "pairs",
        "ns",
        "parry",
        "ratio",
        "max err",
        "median",
        ">1e-6",
        ">1e-10",
        "sign",
        "nan",
        "open",
        "cert",
        "w>-9",
        "w>-6",
        "gjk",
        "epa"
    )
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:<16} {:>5} {:>8.0} {:>8.0} {:>6.3} {:>9.1e} {:>9.1e} {:>5} {:>6} {:>5} {:>4} {:>5} {:>5} {:>5} {:>5} {:>6.1} {:>6.1}",
            self.cell,
            self.pairs,
            self.ns,
            self.parry_ns,
            self.ns / self.parry_ns,
            self.max_error,
            self.median_error,
            self.over_1e6,
            self.over_1e10,
            self.wrong_sign,
            self.nan,
            self.not_converged,
            self.certificate_failures,
            self.wide[0],
            self.wide[1],
            self.iterations[0],
            self.iterations[1],
        )
    }
}

/// Reports as a JSON list of objects.
pub fn json(reports: &[Report]) -> String {
    let objects: Vec<serde_json::Value> = reports
        .iter()
        .map(|report| {
            serde_json::json!({
                "cell": report.cell,
                "pairs": report.pairs,
                "ns": report.ns,
                "parry_ns": report.parry_ns,
                "max_error": report.max_error,
                "median_error": report.median_error,
                "over_1e6": report.over_1e6,
                "over_1e10": report.over_1e10,
                "wrong_sign": report.wrong_sign,
                "nan": report.nan,
                "not_converged": report.not_converged,
                "certificate_failures": report.certificate_failures,
            })
        })
        .collect();
    serde_json::Value::Array(objects).to_string()
}
/// Runs palpate alone repeatedly, for a profiler.
pub fn spin(cell: &Cell, rounds: usize) -> Fallible<f64> {
    let mut palpate = Palpate::new(cell)?;
    let pairs: Vec<usize> = (0..cell.records.len()).collect();
    let times = (0..rounds).map(|_| seconds(&pairs, |pair| palpate.ask(pair).depth)).collect();
    Ok(median(times) * 1e9 / pairs.len() as f64)
}

/// The pairs of a cell whose results are inexact or wrong, one line each.
pub fn doubtful(cell: &Cell, width: f64) -> Fallible<Vec<String>> {
    let mut palpate = Palpate::new(cell)?;
    let mut lines = Vec::new();
    for (pair, record) in cell.records.iter().enumerate() {
        let answer = palpate.ask(pair);
        let score = judge(cell, pair, &answer);
        let clean = score.error <= width && score.width <= width && !score.not_converged;
        if !clean || score.certificate_failed || score.wrong_sign || score.nan {
            lines.push(format!(
                "{pair:>5} category {:>4} reference {:>13.6e} gap {:>8.1e} error {:>8.1e} width {:>8.1e} {:?} {:?}{}{}",
                record.category,
                record.distance,
                record.gap,
                score.error,
                score.width,
                answer.status,
                answer.iterations,
                if score.certificate_failed { " CERTIFICATE" } else { "" },
                if score.wrong_sign { " SIGN" } else { "" },
            ));
        }
    }
    Ok(lines)
}
