//! Workload W5: contact manifolds of touching pairs in small coherent steps, palpate beside parry.
//!
//! `boxes.bin` holds rows of 13 numbers: the half extents of A and of B, the rotation of B in A (w, x, y, z) and the position
//! of B in A. `hulls.bin` holds rows of 199: 32 points of A, 32 points of B, the rotation and the position. All numbers are
//! little-endian `f64`. Without a folder, pairs of the same distribution are generated from a fixed seed.
//!
//! A round has 20 steps, after one that is not timed. In step `s`, B is rotated from its first pose by the rotation vector
//! `s·(0.6, 0.3, -0.7)·1e-3` and moved by `s·(0.2, -0.3, 0.1)·1e-3`; the margin is 0.02. Each library is timed twice: *afresh*,
//! without any state of the last step, and with the state of every pair kept (palpate: a binding; parry: persistent
//! manifolds and the workspace). The four take turns within each step.

mod pairs;

use std::fmt;
use std::path::Path;

use cpu_time::ThreadTime;
use palpate::contact::CollisionData;
use palpate::detect::{Bound, Choice, Context, Registry};
use palpate::geometry::{GeometryKind, Pose};
use palpate::math::Vector;
use parry3d_f64::math::Pose as ParryPose;
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use serde_json::{Value, json};

use self::pairs::Pair;
use crate::Fallible;

const ROUNDS: usize = 7;
const STEPS: usize = 20;
const MARGIN: f64 = 0.02;
const TURN: Vector = Vector::new(0.6e-3, 0.3e-3, -0.7e-3);
const SHIFT: Vector = Vector::new(0.2e-3, -0.3e-3, 0.1e-3);

/// The times of one kind of pair: nanoseconds of CPU time for one pair in one step, the median of the rounds.
#[derive(Clone, Debug)]
pub struct Row {
    /// `boxes` or `hulls`.
    pub kind: &'static str,
    /// palpate with one binding for all pairs, reset before each.
    pub palpate_afresh_ns: f64,
    /// palpate with a binding for each pair.
    pub palpate_ns: f64,
    /// parry with a new manifold for each pair.
    pub parry_afresh_ns: f64,
    /// parry with persistent manifolds.
    pub parry_ns: f64,
    /// palpate's mean number of points of a pair.
    pub points: f64,
}

impl Row {
    /// The heading of the lines of rows.
    pub fn heading() -> String {
        format!(
            "{:<8} {:>15} {:>11} {:>13} {:>9} {:>7} {:>7} {:>7}",
            "kind", "palpate afresh", "palpate", "parry afresh", "parry", "afresh", "ratio", "points"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<8} {:>15.0} {:>11.0} {:>13.0} {:>9.0} {:>7.2} {:>7.2} {:>7.2}",
            self.kind,
            self.palpate_afresh_ns,
            self.palpate_ns,
            self.parry_afresh_ns,
            self.parry_ns,
            self.palpate_afresh_ns / self.parry_afresh_ns,
            self.palpate_ns / self.parry_ns,
            self.points
        )
    }
}

/// The rows as a JSON list of objects.
pub fn json(rows: &[Row]) -> String {
    let object = |row: &Row| {
        json!({
            "kind": row.kind,
            "palpate_afresh_ns": row.palpate_afresh_ns,
            "palpate_ns": row.palpate_ns,
            "parry_afresh_ns": row.parry_afresh_ns,
            "parry_ns": row.parry_ns,
            "points": row.points,
        })
    };
    Value::Array(rows.iter().map(object).collect()).to_string()
}

/// Measures both kinds, of the folder or generated. Errors: a file is missing or malformed, a detector refuses.
pub fn measure(folder: Option<&Path>, mut report: impl FnMut(&Row)) -> Fallible<Vec<Row>> {
    let mut rows = Vec::new();
    for (kind, pairs) in [("boxes", pairs::boxes(folder)?), ("hulls", pairs::hulls(folder)?)] {
        let row = of_kind(kind, pairs)?;
        report(&row);
        rows.push(row);
    }
    Ok(rows)
}

type Manifolds = (Vec<ContactManifold<(), ()>>, Option<ContactManifoldsWorkspace>);

/// Every pair with the state that both libraries keep of it.
struct Contest {
    pairs: Vec<Pair>,
    poses: Vec<ParryPose>,
    shared: Bound,
    bound: Vec<Bound>,
    afresh: Manifolds,
    persistent: Vec<Manifolds>,
    out: CollisionData,
    points: usize,
}

/// The number of contestants: palpate afresh and bound, parry afresh and persistent.
const CONTESTANTS: usize = 4;

fn of_kind(kind: &'static str, pairs: Vec<Pair>) -> Fallible<Row> {
    let mut contest = Contest::new(pairs)?;
    let mut times: [Vec<f64>; CONTESTANTS] = Default::default();
    let items = (STEPS * contest.pairs.len()) as f64;
    let mut points = 0;
    for _ in 0..ROUNDS {
        let mut spent = [0.0; CONTESTANTS];
        points = 0;
        for step in 0..=STEPS {
            contest.place(step)?;
            for turn in 0..CONTESTANTS {
                let contestant = (turn + step) % CONTESTANTS;
                let start = ThreadTime::now();
                contest.run(contestant)?;
                if step > 0 {
                    spent[contestant] += start.elapsed().as_secs_f64();
                }
            }
            points += if step > 0 { contest.points } else { 0 };
        }
        for (times, spent) in times.iter_mut().zip(spent) {
            times.push(spent * 1e9 / items);
        }
    }
    let [palpate_afresh_ns, palpate_ns, parry_afresh_ns, parry_ns] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    let points = points as f64 / items;
    Ok(Row { kind, palpate_afresh_ns, palpate_ns, parry_afresh_ns, parry_ns, points })
}

impl Contest {
    fn new(pairs: Vec<Pair>) -> Fallible<Self> {
        let registry = Registry::standard();
        let first = pairs.first().ok_or("no pairs")?;
        // Boxes have closed forms, which keep nothing.
        let coherent = json!({ "coherent": true });
        let is_hull = first.a.kind() == GeometryKind::CONVEX;
        let choice = || if is_hull { Choice::default().with_settings(&coherent) } else { Choice::default() };
        let bind = |pair: &Pair| registry.bind(&*pair.a, &*pair.b, choice());
        Ok(Self {
            shared: bind(first)?,
            bound: pairs.iter().map(bind).collect::<Result<_, _>>()?,
            poses: vec![ParryPose::default(); pairs.len()],
            afresh: Default::default(),
            persistent: pairs.iter().map(|_| Default::default()).collect(),
            out: CollisionData::new(),
            points: 0,
            pairs,
        })
    }

    /// Moves all pairs to their poses in a step.
    fn place(&mut self, step: usize) -> Fallible<()> {
        let steps = step as f64;
        for (pair, peer) in self.pairs.iter_mut().zip(&mut self.poses) {
            let turned = Pose::rotation(TURN * steps).rotation * pair.rotation;
            let pose = Pose::from_parts((pair.position + SHIFT * steps).into(), turned);
            pair.b.set_pose(pose)?;
            *peer = pairs::parry_pose(&pose);
        }
        Ok(())
    }

    /// Runs all pairs of one contestant.
    fn run(&mut self, contestant: usize) -> Fallible<()> {
        let context = Context::new().with_margin(MARGIN);
        match contestant {
            0 => {
                for pair in &self.pairs {
                    self.shared.reset();
                    self.shared.run(&*pair.a, &*pair.b, &context, &mut self.out)?;
                    std::hint::black_box(&self.out);
                }
            }
            1 => {
                self.points = 0;
                for (pair, bound) in self.pairs.iter().zip(&mut self.bound) {
                    bound.run(&*pair.a, &*pair.b, &context, &mut self.out)?;
                    self.points += std::hint::black_box(&self.out).len();
                }
            }
            2 => {
                for (pair, pose) in self.pairs.iter().zip(&self.poses) {
                    self.afresh.0.clear();
                    self.afresh.1 = None;
                    manifolds(pair, pose, &mut self.afresh)?;
                }
            }
            _ => {
                for ((pair, pose), kept) in self.pairs.iter().zip(&self.poses).zip(&mut self.persistent) {
                    manifolds(pair, pose, kept)?;
                }
            }
        }
        Ok(())
    }
}

/// Updates parry's manifolds of a pair.
fn manifolds(pair: &Pair, pose: &ParryPose, (manifolds, workspace): &mut Manifolds) -> Fallible<()> {
    let (a, b) = (&*pair.peer_a, &*pair.peer_b);
    DefaultQueryDispatcher
        .contact_manifolds(pose, a, b, MARGIN, manifolds, workspace)
        .map_err(|_| "parry has no manifolds for the pair")?;
    std::hint::black_box(manifolds);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn generated_pairs_touch_and_parry_sees_them_touch() {
        for pairs in [pairs::boxes(None).unwrap(), pairs::hulls(None).unwrap()] {
            let mut contest = Contest::new(pairs).unwrap();
            contest.place(0).unwrap();
            contest.run(1).unwrap();
            contest.run(3).unwrap();
            assert!(contest.points >= contest.pairs.len());
            let touching = |(manifolds, _): &&Manifolds| manifolds.iter().any(|one| !one.points.is_empty());
            let seen = contest.persistent.iter().filter(touching).count();
            assert!(seen * 100 >= contest.pairs.len() * 95, "{seen}");
        }
    }
}
