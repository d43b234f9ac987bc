//! What the guard costs: no heap once settled, and the time of a step for an organ and a tool.

use crate::client::{Around, Suture};
use palpate_geometry::{Capsule, LineMesh, Pose, SurfaceMesh};
use palpate_math::{Point, Vector};
use palpate_response::guard::{Guard, Moves, Start};
use palpate_tests::meshes;
use std::time::Instant;

/// An organ of 20 · 4^`level` triangles, 10 cm, that breathes, and a capsule that slides along it at 1 m/s, 2 ms a step.
struct Sliding {
    guard: Guard,
    at_rest: Vec<Point>,
    particles: [Vec<Point>; 2],
    step: usize,
}

impl Sliding {
    fn new(level: usize) -> Self {
        let (vertices, triangles) = meshes::icosphere(level);
        let at_rest: Vec<Point> = vertices.iter().map(|v| Point::from(v.coords * 0.05)).collect();
        let mut guard = Guard::new();
        let organ = SurfaceMesh::new(at_rest.clone(), triangles).unwrap();
        let organ = guard.add(&organ, Moves::Particles(0)).unwrap();
        let tool = guard.add(&Capsule::new(Pose::identity(), 0.003, 0.04).unwrap(), Moves::Tool(0)).unwrap();
        guard.add_pair(tool, organ, 1e-5).unwrap();
        Self { guard, particles: [at_rest.clone(), at_rest.clone()], at_rest, step: 0 }
    }

    /// One step; `depth` is how far below a place above the surface the solver wants the tool. Returns how many motions the
    /// guard has shortened, and its time in seconds.
    fn step(&mut self, depth: f64) -> (usize, f64) {
        let at = |step: usize| {
            let phase = 2e-3 * step as f64;
            let x = 0.02 * (50.0 * phase).sin();
            // The capsule stands on its tip, a millimetre above the organ.
            let surface = (0.05_f64.powi(2) - x * x).sqrt();
            Pose::translation(x, surface + 0.02 + 0.003 + 0.001 - depth, 0.0)
        };
        let breath = |step: usize| 1.0 + 1e-3 * (0.01 * step as f64).sin();
        let [start, end] = &mut self.particles;
        for (points, step) in [(&mut *start, self.step), (&mut *end, self.step + 1)] {
            points
                .iter_mut()
                .zip(&self.at_rest)
                .for_each(|(p, rest)| *p = Point::from(rest.coords * breath(step)));
        }
        // It comes from above, so that the start of each step is free.
        let mut poses = [at(self.step + 1)];
        let above = [Pose::from_parts(
            (at(self.step).translation.vector + Vector::y() * depth).into(),
            poses[0].rotation,
        )];
        self.step += 1;
        let places = Start { particles: start, poses: &above };
        let begun = Instant::now();
        let shortened = self.guard.hold(places, end, &mut poses).unwrap().shortened.len();
        (shortened, begun.elapsed().as_secs_f64())
    }
}

#[test]
fn a_settled_step_does_not_allocate() {
    let mut sliding = Sliding::new(4);
    // The motion repeats every 63 steps; refits come and go.
    for _ in 0..800 {
        sliding.step(0.003);
    }
    let mut shortened = 0;
    let measured = allocation_counter::measure(|| (0..100).for_each(|_| shortened += sliding.step(0.003).0));
    assert!(shortened >= 100, "{shortened}");
    assert_eq!(measured.count_total, 0);
}

/// A thread that is pushed into a body goes another way there, so that its neighbours are searched for again.
#[test]
fn a_settled_step_that_is_searched_again_does_not_allocate() {
    let (vertices, triangles) = meshes::icosphere(3);
    let mut guard = Guard::new();
    let ball = guard.add(&SurfaceMesh::new(vertices, triangles).unwrap(), Moves::Fixed).unwrap();
    let around = |k: usize, radius: f64, height: f64| {
        let angle = 0.06 * k as f64;
        Point::new(radius * angle.cos(), height + 0.01 * angle, radius * angle.sin())
    };
    let start: Vec<Point> = (0..200).map(|k| around(k, 1.05, 0.0)).collect();
    let thread = guard.add(&LineMesh::polyline(start.clone()).unwrap(), Moves::Particles(0)).unwrap();
    guard.add_pair(ball, thread, 0.01).unwrap();
    guard.add_pair(thread, thread, 0.01).unwrap();
    let mut ends = vec![Point::origin(); start.len()];
    let mut step = |number: usize| {
        let height = 0.1 * ((number % 7) as f64 - 3.0);
        let at = |k: usize| around(k, 0.9, height * (0.9 * k as f64).sin());
        ends.iter_mut().enumerate().for_each(|(k, end)| *end = at(k));
        let report = guard.hold(Start { particles: &start, poses: &[] }, &mut ends, &mut []).unwrap();
        (report.shortened.len(), report.near)
    };
    let first: Vec<(usize, usize)> = (0..7).map(&mut step).collect();
    assert!(first.iter().all(|(shortened, near)| *shortened > 150 && *near > 1000), "{first:?}");
    let measured = allocation_counter::measure(|| (7..70).for_each(|number| _ = step(number)));
    assert_eq!(measured.count_total, 0);
}

/// Prints; the bar of the guard is 0.5 ms for 80,000 triangles, in a release build.
#[test]
fn the_time_of_a_step() {
    for level in [3, 5, 6] {
        let mut sliding = Sliding::new(level);
        for (what, depth) in [("hovers", 0.0), ("presses", 0.003)] {
            let steps: Vec<(usize, f64)> = (0..80).map(|_| sliding.step(depth)).skip(20).collect();
            let shortened = steps.iter().filter(|(shortened, _)| *shortened > 0).count();
            let mut times: Vec<f64> = steps.iter().map(|(_, time)| 1e3 * time).collect();
            times.sort_by(f64::total_cmp);
            let triangles = 20 << (2 * level);
            println!(
                "{triangles} triangles, the tool {what}: {:.3} ms, {shortened} of 60 shortened",
                times[30]
            );
        }
    }
}

/// Prints; the bar of a step of the suture scene is 1.5 times that of one detection and its rows, in a release build.
#[test]
fn the_time_of_a_step_beside_one_without_a_guard() {
    for (around, speed) in
        [(Around::Torus, 0.2), (Around::Torus, 1.0), (Around::Liver, 1.0), (Around::Itself, 1.0)]
    {
        let mut suture = Suture::new(around, 1.0, speed);
        let steps: Vec<_> = (0..200).map(|_| suture.timed_step()).skip(20).collect();
        let mean = |sum: f64| sum / steps.len() as f64;
        let [plain, whole] = [0, 1].map(|k| 1e3 * mean(steps.iter().map(|(times, _)| times[k]).sum()));
        let detections = mean(steps.iter().map(|(_, stepped)| stepped.detections as f64).sum());
        let shortened =
            mean(steps.iter().map(|(_, stepped)| f64::from(u8::from(stepped.shortened > 0))).sum());
        println!(
            "{around:?}, {speed} m/s: {whole:.3} ms, of these {plain:.3} without: {:.2}; {detections:.2} detections, {:.0} % shortened",
            whole / plain,
            100.0 * shortened
        );
    }
}
