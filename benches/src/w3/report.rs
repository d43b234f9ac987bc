//! Timing and judging a file of queries.

use std::hint::black_box;
use std::path::Path;

use cpu_time::ThreadTime;

use super::{Kind, Query, QueryFile, additive_ccd, files_in};
use crate::Fallible;

/// Rounds of timing; a query's time is the median of its rounds.
const ROUNDS: usize = 5;

/// Seconds of one round of one query: long compared with what it costs to read the clock.
const ROUND: f64 = 2e-5;

/// The verdicts and times of one method on the queries of a file.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Impacts that were missed.
    pub false_negatives: usize,
    /// Reported impacts of queries that have none.
    pub false_positives: usize,
    /// Microseconds of CPU time of each query, in increasing order.
    times: Vec<f64>,
}

impl Side {
    /// The time that this part of the queries, 0 to 1, does not exceed.
    pub fn quantile(&self, part: f64) -> f64 {
        let last = self.times.len().saturating_sub(1);
        self.times.get((part * last as f64).round() as usize).copied().unwrap_or(0.0)
    }

    /// The mean time.
    pub fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len().max(1) as f64
    }

    fn count(&mut self, found: bool, truth: bool) {
        self.false_negatives += usize::from(truth && !found);
        self.false_positives += usize::from(found && !truth);
    }

    fn join(&mut self, other: &Self) {
        self.false_negatives += other.false_negatives;
        self.false_positives += other.false_positives;
        self.times.extend(&other.times);
        self.times.sort_by(f64::total_cmp);
    }
}

/// The results of a file, or of all.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file.
    pub file: String,
    /// What its queries are about.
    pub kind: &'static str,
    /// Number of queries.
    pub queries: usize,
    /// Number of queries with an impact.
    pub impacts: usize,
    /// palpate.
    pub palpate: Side,
    /// Additive CCD.
    pub additive: Side,
}

/// Times and judges a file, the two methods in turn within each query.
pub fn measure(file: &QueryFile) -> Report {
    let (mut palpate, mut additive) = (Side::default(), Side::default());
    for query in &file.queries {
        palpate.count(query.ask(file.kind).is_some(), query.has_impact);
        additive.count(additive_ccd(file.kind, query).is_some(), query.has_impact);
        let (mut own, mut other) = ([0.0; ROUNDS], [0.0; ROUNDS]);
        for round in 0..ROUNDS {
            own[round] = seconds(file.kind, query, |kind, query| query.ask(kind).is_some());
            other[round] = seconds(file.kind, query, |kind, query| additive_ccd(kind, query).is_some());
        }
        palpate.times.push(median(own) * 1e6);
        additive.times.push(median(other) * 1e6);
    }
    palpate.times.sort_by(f64::total_cmp);
    additive.times.sort_by(f64::total_cmp);
    let impacts = file.queries.iter().filter(|query| query.has_impact).count();
    let kind = file.kind.name();
    Report { file: file.name.clone(), kind, queries: file.queries.len(), impacts, palpate, additive }
}

fn median(mut values: [f64; ROUNDS]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[ROUNDS / 2]
}

/// Seconds per call.
fn seconds(kind: Kind, query: &Query, ask: impl Fn(Kind, &Query) -> bool) -> f64 {
    let mut calls = 4;
    loop {
        let start = ThreadTime::now();
        for _ in 0..calls {
            black_box(ask(black_box(kind), black_box(query)));
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds >= ROUND {
            return seconds / f64::from(calls);
        }
        calls *= 4;
    }
}

/// Measures all files of a folder; the last row is their total. Errors: the folder cannot be read.
pub fn measure_all(folder: &Path, mut report: impl FnMut(&Report)) -> Fallible<Vec<Report>> {
    let mut reports = Vec::new();
    for file in &files_in(folder)? {
        let one = measure(file);
        report(&one);
        reports.push(one);
    }
    let total = total(&reports);
    report(&total);
    reports.push(total);
    Ok(reports)
}

/// The sum of the reports, named `total`.
pub fn total(reports: &[Report]) -> Report {
    let mut total = Report {
        file: "total".to_owned(),
        kind: "all",
        queries: 0,
        impacts: 0,
        palpate: Side::default(),
        additive: Side::default(),
    };
    for report in reports {
        total.queries += report.queries;
        total.impacts += report.impacts;
        total.palpate.join(&report.palpate);
        total.additive.join(&report.additive);
    }
    total
}

/// The heading of the lines of a [`Report`]: the second five columns are those of additive CCD.
pub fn heading() -> String {
    let side = format!("{:>5} {:>5} {:>8} {:>8} {:>8} {:>8}", "fn", "fp", "p50 µs", "mean", "p99", "max");
    format!("{:<48} {:>7} {:>7}  {side} | additive: {side} {:>6}", "file", "queries", "impacts", "ratio")
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = |side: &Side| {
            format!(
                "{:>5} {:>5} {:>8.3} {:>8.3} {:>8.2} {:>8.1}",
                side.false_negatives,
                side.false_positives,
                side.quantile(0.5),
                side.mean(),
                side.quantile(0.99),
                side.quantile(1.0),
            )
        };
        write!(
            f,
            "{:<48} {:>7} {:>7}  {} |           {} {:>6.2}",
            self.file,
            self.queries,
            self.impacts,
            side(&self.palpate),
            side(&self.additive),
            self.additive.mean() / self.palpate.mean(),
        )
    }
}

/// palpate's figures as a JSON list of objects.
pub fn json(reports: &[Report]) -> String {
    let objects: Vec<serde_json::Value> = reports
        .iter()
        .map(|report| {
            let side = &report.palpate;
            serde_json::json!({
                "file": report.file,
                "kind": report.kind,
                "queries": report.queries,
                "false_negatives": side.false_negatives,
                "false_positives": side.false_positives,
                "p50_us": side.quantile(0.5),
                "mean_us": side.mean(),
                "p99_us": side.quantile(0.99),
                "max_us": side.quantile(1.0),
            })
        })
        .collect();
    serde_json::Value::Array(objects).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(times: &[f64]) -> Side {
        Side { false_negatives: 1, false_positives: 2, times: times.to_vec() }
    }

    #[test]
    fn the_total_sums_and_sorts() {
        let report = |times: &[f64]| Report {
            file: "f".to_owned(),
            kind: "edge-edge",
            queries: times.len(),
            impacts: 1,
            palpate: side(times),
            additive: Side::default(),
        };
        let total = total(&[report(&[1.0, 4.0]), report(&[2.0])]);
        assert_eq!((total.queries, total.impacts, total.palpate.false_negatives), (3, 2, 2));
        assert_eq!((total.palpate.quantile(0.5), total.palpate.quantile(1.0)), (2.0, 4.0));
        assert!((total.palpate.mean() - 7.0 / 3.0).abs() < 1e-12);
        assert!(json(&[total]).contains("\"p99_us\":4.0"));
    }
}
