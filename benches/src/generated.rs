//! Times of an implicit body in generated cases, those of the laws: quantiles, where the table has means.

use crate::Fallible;
use palpate::contact::CollisionData;
use palpate::detect::{Context, Entry, Registry};
use palpate::geometry::GeometryKind;
use palpate_tests::cases::case_of;
use palpate_tests::generate::members;
use palpate_tests::random::Random;
use palpate_tests::{Case, Function, Regime, Shape, Subject};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;

/// Number of timed runs of a case; the shortest counts.
const ROUNDS: usize = 3;

/// Which quantiles.
const QUANTILES: [f64; 4] = [0.5, 0.99, 0.999, 1.0];

/// The cases of one detector, kind of partner, and kind of function.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The detector, the partner's kind and the function's, or less if several are together.
    pub name: String,
    /// Ascending, in nanoseconds, with all cases.
    pub all: Vec<f64>,
    /// Those with contacts.
    pub touching: Vec<f64>,
    /// The slowest case, as an input line for `palpate detect`.
    pub slowest: String,
}

impl Generated {
    /// The row as JSON, without the slowest case. Times in microseconds.
    pub fn to_json(&self) -> Value {
        let [half, hundredth, thousandth, most] = quantiles(&self.all);
        let touching = quantiles(&self.touching)[0];
        json!({
            "cases": self.name, "count": self.all.len(), "touching": self.touching.len(),
            "touching_p50_us": touching, "p50_us": half, "p99_us": hundredth, "p99.9_us": thousandth, "max_us": most,
        })
    }
}

/// The line above rows.
pub fn heading() -> String {
    let columns = ["cases", "touch", "p50 of these", "p50", "p99", "p99.9", "max, µs"];
    let [count, touching, of_these, half, hundredth, thousandth, most] = columns;
    format!(
        "{:50} {count:>6} {touching:>6} {of_these:>12} {half:>8} {hundredth:>8} {thousandth:>8} {most:>8}",
        ""
    )
}

impl fmt::Display for Generated {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, hundredth, thousandth, most] = quantiles(&self.all);
        let of_these = quantiles(&self.touching)[0];
        write!(out, "{:50} {:6} {:6} ", self.name, self.all.len(), self.touching.len())?;
        write!(out, "{of_these:12.2} {half:8.2} {hundredth:8.1} {thousandth:8.1} {most:8.1}")
    }
}

/// Times `count` cases of each detector of an implicit body whose name contains `wanted`, and hands over a row for each kind of
/// partner and of function, then one for all cases of the detector. Errors: a detector refuses a case.
pub fn measure(
    wanted: &str,
    count: usize,
    mut report: impl FnMut(&Generated) -> Fallible<()>,
) -> Fallible<Vec<Generated>> {
    let registry = Registry::standard();
    let mut rows = Vec::new();
    let is_wanted = |entry: &&Entry| is_of_implicit(entry) && entry.name.contains(wanted);
    for entry in registry.detectors().iter().filter(is_wanted) {
        let mut groups: BTreeMap<String, Vec<(f64, bool, Case)>> = BTreeMap::new();
        for number in 0..count {
            let Some(case) = generated(&registry, entry, number)? else { continue };
            let (time, touches) = timed(&registry, &case)?;
            groups.entry(group(&case)).or_default().push((time, touches, case));
        }
        let mut entry_rows: Vec<Generated> = groups
            .iter()
            .map(|(group, cases)| row(format!("{} · {group}", entry.name), cases.iter()))
            .collect();
        entry_rows.push(row(format!("{} · all", entry.name), groups.values().flatten()));
        for row in entry_rows {
            report(&row)?;
            rows.push(row);
        }
    }
    Ok(rows)
}

fn is_of_implicit(entry: &Entry) -> bool {
    members(&entry.a).contains(&GeometryKind::IMPLICIT) && !entry.name.ends_with("_ccd")
}

fn generated(registry: &Registry, entry: &Entry, number: usize) -> Fallible<Option<Case>> {
    let partners = members(&entry.b);
    let regime = Regime::GENERAL[number % Regime::GENERAL.len()];
    let partner = &partners[number / Regime::GENERAL.len() % partners.len()];
    let mut random = Random::named(&format!("generated {} {regime:?}", entry.name), number as u64);
    let kinds = [&GeometryKind::IMPLICIT, partner];
    Ok(case_of(registry, entry, kinds, &None, regime, number, &mut random)?)
}

/// Returns the nanoseconds of a run, and whether there are contacts.
fn timed(registry: &Registry, case: &Case) -> Fallible<(f64, bool)> {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    let mut bound = Subject::new(registry).bind(case, a.as_ref(), b.as_ref())?;
    let context = Context::new().with_margin(case.margin);
    let mut out = CollisionData::new();
    // Buffers settle.
    bound.run(a.as_ref(), b.as_ref(), &context, &mut out)?;
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        out.clear();
        let start = Instant::now();
        bound.run(a.as_ref(), b.as_ref(), &context, &mut out)?;
        least = least.min(start.elapsed().as_nanos() as f64);
    }
    Ok((least, !out.is_empty()))
}

/// The kinds of the partner and of the function.
fn group(case: &Case) -> String {
    let partner = match &case.b {
        Shape::Implicit { function, .. } => format!("implicit {}", function_name(function)),
        Shape::Ellipsoid { .. } => "ellipsoid".to_owned(),
        Shape::Cone { .. } => "cone".to_owned(),
        other => other.kind().name().to_owned(),
    };
    let Shape::Implicit { function, .. } = &case.a else { return partner };
    format!("{partner} · {}", function_name(function))
}

fn function_name(function: &Function) -> &'static str {
    match function {
        Function::Primitive(_) => "primitive",
        Function::Torus { .. } => "torus",
        Function::Grid { .. } => "grid",
        Function::Union(_) => "union",
        Function::Intersection(_) => "intersection",
        Function::Difference(_) => "difference",
        Function::SmoothUnion { .. } => "blend",
        Function::Offset { .. } => "offset",
    }
}

fn row<'c>(name: String, cases: impl Iterator<Item = &'c (f64, bool, Case)>) -> Generated {
    let (mut all, mut touching) = (Vec::new(), Vec::new());
    let mut slowest: Option<(f64, &Case)> = None;
    for (time, touches, case) in cases {
        all.push(*time);
        if *touches {
            touching.push(*time);
        }
        if slowest.is_none_or(|(most, _)| most < *time) {
            slowest = Some((*time, case));
        }
    }
    all.sort_by(f64::total_cmp);
    touching.sort_by(f64::total_cmp);
    let slowest = slowest.map_or_else(String::new, |(_, case)| case.to_json());
    Generated { name, all, touching, slowest }
}

/// In microseconds; NaN of nothing.
fn quantiles(times: &[f64]) -> [f64; QUANTILES.len()] {
    let last = times.len().saturating_sub(1) as f64;
    QUANTILES.map(|part| times.get((part * last).ceil() as usize).map_or(f64::NAN, |time| time * 1e-3))
}
