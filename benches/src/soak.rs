//! Soak of the step and of local queries: a tool goes through an organ of 80,000 triangles that deforms, at full speed on one
//! thread; a second thread queries the newest finished state of the organ with a probe, at full speed.

use palpate::geometry::{Capsule, Pose, SurfaceMesh, pose};
use palpate::math::{Point, Vector};
use palpate::scene::{GeometryId, GeometryReader, PairOptions, Scene};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::Fallible;
use crate::inputs::{ORGAN_RADIUS, organ, organ_surface_point};

/// Numbers of triangles.
const ORGAN: usize = 80_000;
const TOOL: usize = 2_000;

/// Number of states of the organ, which follow one another in a circle.
const PHASES: usize = 24;

/// Queries before the heap is watched: every buffer has then reached its size.
const WARM: usize = 20_000;

/// The margin of the probe, in metres.
const MARGIN: f64 = 0.002;

/// What a soak came to.
pub struct Soak {
    /// Times of the steps, the publishing included.
    pub steps: Latencies,
    /// Times of the local queries: taking the newest state, placing the probe, detecting.
    pub queries: Latencies,
    /// Number of states of the organ that the queries have seen.
    pub states: u64,
    /// Contacts of the queries.
    pub contacts: u64,
    /// Heap allocations of the query thread.
    pub allocations: u64,
}

/// Runs a soak for some seconds. `count` runs its argument and returns the number of heap allocations of the thread meanwhile.
/// Errors: those of a scene.
pub fn run(seconds: f64, count: impl FnOnce(&mut dyn FnMut()) -> u64 + Send) -> Fallible<Soak> {
    let (vertices, triangles) = organ(ORGAN);
    let phases: Vec<Vec<Point>> = (0..PHASES).map(|phase| deformed(&vertices, phase)).collect();
    let mut scene = Scene::standard();
    let organ = scene.add("organ", SurfaceMesh::new(vertices, triangles)?)?;
    let tool = scene.add("tool", small_organ()?)?;
    scene.add_pair(tool, organ, PairOptions::default())?;
    let reader = scene.geometry_reader(&[organ])?;
    let (is_warm, is_done) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let queries =
            scope.spawn(|| query(reader, (&is_warm, &is_done), count).map_err(|error| error.to_string()));
        let steps = step(&mut scene, (organ, tool), &phases, || {
            let is_ready = is_warm.load(Ordering::Acquire) || queries.is_finished();
            is_ready.then_some(seconds)
        });
        is_done.store(true, Ordering::Release);
        let queries = queries.join().map_err(|_| "the query thread has failed")??;
        Ok(Soak { steps: steps?, ..queries })
    })
}

/// The vertices in a phase: waves run over the organ.
fn deformed(vertices: &[Point], phase: usize) -> Vec<Point> {
    let turn = phase as f64 / PHASES as f64 * std::f64::consts::TAU;
    let moved = |point: &Point| {
        let wave = (60.0 * point.x + turn).sin() * (45.0 * point.z - turn).cos();
        Point::from(point.coords * (1.0 + 0.03 * wave))
    };
    vertices.iter().map(moved).collect()
}

/// The tool: an organ of a fifth the size.
fn small_organ() -> Fallible<SurfaceMesh> {
    let (vertices, triangles) = organ(TOOL);
    Ok(SurfaceMesh::new(vertices.iter().map(|vertex| vertex * 0.2).collect(), triangles)?)
}

/// Steps until the time that `limit` gives, once it gives one, is over.
fn step(
    scene: &mut Scene,
    (organ, tool): (GeometryId, GeometryId),
    phases: &[Vec<Point>],
    limit: impl Fn() -> Option<f64>,
) -> Fallible<Latencies> {
    let mut times = Latencies::default();
    let mut until: Option<Instant> = None;
    for number in 0_usize.. {
        if until.is_none() {
            until = limit().map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        // Through the organ and back, five millimetres a step.
        let along = (number % 100) as f64 / 50.0 - 1.0;
        let at = Point::new(1.5 * ORGAN_RADIUS * along, 0.3 * ORGAN_RADIUS, 0.0);
        let start = Instant::now();
        scene.set_positions(organ, &phases[number % PHASES])?;
        scene.set_pose(tool, Pose::translation(at.x, at.y, at.z))?;
        scene.step()?;
        if until.is_some() {
            times.add(start.elapsed());
        }
    }
    Ok(times)
}

/// Queries until it is done.
fn query(
    reader: GeometryReader,
    (is_warm, is_done): (&AtomicBool, &AtomicBool),
    count: impl FnOnce(&mut dyn FnMut()) -> u64,
) -> Fallible<Soak> {
    let mut local = Scene::standard();
    let organ = local.add_shared(reader)?[0];
    let probe = local.add("probe", Capsule::new(Pose::identity(), 0.003, 0.01)?)?;
    local.add_pair(probe, organ, PairOptions::default().with_margin(MARGIN))?;
    let mut soak = Soak {
        steps: Latencies::default(),
        queries: Latencies::default(),
        states: 0,
        contacts: 0,
        allocations: 0,
    };
    let mut number = 0;
    let mut tick = |soak: &mut Soak| -> Fallible<()> {
        number += 1;
        let pose = probe_pose(number)?;
        let start = Instant::now();
        let is_newer = local.update_shared()?;
        local.set_pose(probe, pose)?;
        let report = local.step()?;
        soak.queries.add(start.elapsed());
        soak.states += u64::from(is_newer);
        soak.contacts += report.contacts as u64;
        Ok(())
    };
    while soak.queries.count() < WARM as u64 || soak.states < 2 * PHASES as u64 {
        tick(&mut soak)?;
    }
    (soak.queries, soak.states, soak.contacts) = (Latencies::default(), 0, 0);
    is_warm.store(true, Ordering::Release);
    let mut ran = Ok(());
    soak.allocations = count(&mut || {
        while !is_done.load(Ordering::Acquire) && ran.is_ok() {
            ran = tick(&mut soak);
        }
    });
    ran.map(|()| soak)
}

/// A probe that strokes the organ: round and round, up and down, one end at the surface.
fn probe_pose(number: u64) -> Fallible<Pose> {
    let t = number as f64 * 1e-3;
    let direction = Vector::new(t.cos(), 0.8 * (0.37 * t).sin(), t.sin()).normalize();
    let surface = organ_surface_point(&direction);
    let centre = surface + direction * (0.012 + 0.002 * (5.0 * t).sin());
    Ok(pose::from_rotation(centre, pose::rotation_from_axis(direction)?)?)
}

/// Times by size, in buckets that are one percent apart.
#[derive(Clone)]
pub struct Latencies {
    counts: Vec<u64>,
    most: Duration,
}

/// Buckets up to 2^36 ns, over a minute.
const BUCKETS_PER_DOUBLING: f64 = 70.0;
const BUCKETS: usize = 36 * 70;

impl Default for Latencies {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], most: Duration::ZERO }
    }
}

impl Latencies {
    /// Adds a time, without the heap.
    pub fn add(&mut self, time: Duration) {
        let nanoseconds = time.as_nanos().max(1) as f64;
        let bucket = (nanoseconds.log2() * BUCKETS_PER_DOUBLING) as usize;
        self.counts[bucket.min(BUCKETS - 1)] += 1;
        self.most = self.most.max(time);
    }

    /// The number of times.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The time that a part of all does not exceed, from above by a percent at most; zero if there are none.
    pub fn quantile(&self, part: f64) -> Duration {
        let wanted = part * self.count() as f64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if *count > 0 && seen as f64 >= wanted {
                let nanoseconds = ((bucket + 1) as f64 / BUCKETS_PER_DOUBLING).exp2();
                return Duration::from_nanos(nanoseconds as u64).min(self.most);
            }
        }
        Duration::ZERO
    }

    /// The longest time.
    pub fn most(&self) -> Duration {
        self.most
    }
}

impl fmt::Display for Soak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<12} {:>10} {:>10} {:>10} {:>10} {:>10}",
            "µs", "count", "p50", "p99", "p99.9", "max"
        )?;
        for (name, times) in [("step", &self.steps), ("local query", &self.queries)] {
            write!(f, "{name:<12} {:>10}", times.count())?;
            for time in [times.quantile(0.5), times.quantile(0.99), times.quantile(0.999), times.most()] {
                write!(f, " {:>10.1}", time.as_nanos() as f64 * 1e-3)?;
            }
            writeln!(f)?;
        }
        let Self { states, contacts, allocations, .. } = self;
        writeln!(
            f,
            "{states} states of the organ seen, {contacts} contacts, {allocations} heap allocations in the query thread"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_times_added() {
        let mut times = Latencies::default();
        assert_eq!(times.quantile(0.5), Duration::ZERO);
        (1..=1000).for_each(|k| times.add(Duration::from_micros(k)));
        for (part, wanted) in [(0.5, 500.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1000.0)] {
            let found = times.quantile(part).as_secs_f64() * 1e6;
            assert!((found / wanted - 1.0).abs() < 0.02, "{part}: {found}");
        }
        assert_eq!((times.count(), times.most()), (1000, Duration::from_millis(1)));
    }
}
