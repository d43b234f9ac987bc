//! Two linked loops, thrown about: their linking number never changes.
//!
//! `PALPATE_LOOP_STEPS=10000` runs so many steps in place of those of the gate, and prints the time of a step.

use super::*;
use std::time::{Duration, Instant};

const SEGMENTS: usize = 250;
/// Of a loop, metres.
const RADIUS: f64 = 0.1;
const SPEED: f64 = 50.0;
const STEP: f64 = 1e-3;

/// The linking number of two closed polygons: the solid angles of all pairs of segments (Klenin and Langowski 2000,
/// method 1a). It shares nothing with the detection of contacts.
fn linking_number(one: &[Point], two: &[Point]) -> f64 {
    let ends = |points: &[Point], k: usize| [points[k], points[(k + 1) % points.len()]];
    let mut sum = 0.0;
    for i in 0..one.len() {
        let [a, b] = ends(one, i);
        for j in 0..two.len() {
            let [c, d] = ends(two, j);
            let (r13, r14, r23, r24) = (c - a, d - a, c - b, d - b);
            let normals = [r13.cross(&r14), r14.cross(&r24), r24.cross(&r23), r23.cross(&r13)];
            let Some(units) = normals.map(|n| n.try_normalize(0.0)).into_iter().collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let angle: f64 = (0..4).map(|k| units[k].dot(&units[(k + 1) % 4]).clamp(-1.0, 1.0).asin()).sum();
            sum += angle * (d - c).cross(&(b - a)).dot(&r13).signum();
        }
    }
    sum / (4.0 * std::f64::consts::PI)
}

fn circle(center: Vector, across: [Vector; 2]) -> Vec<Point> {
    let at = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / SEGMENTS as f64;
        Point::from(center + (across[0] * angle.cos() + across[1] * angle.sin()) * RADIUS)
    };
    (0..SEGMENTS).map(at).collect()
}

/// Draws the segments towards their first length.
fn relax(points: &mut [Point]) {
    let wanted = 2.0 * RADIUS * (std::f64::consts::PI / SEGMENTS as f64).sin();
    for k in (0..points.len()).chain((0..points.len()).rev()) {
        let next = (k + 1) % points.len();
        let between = points[next] - points[k];
        let change = between * (0.5 * (1.0 - wanted / between.norm().max(f64::MIN_POSITIVE)));
        points[k] += change;
        points[next] -= change;
    }
}

#[test]
fn linked_loops_stay_linked() {
    let steps: usize = std::env::var("PALPATE_LOOP_STEPS").map_or(300, |steps| steps.parse().unwrap());
    let registry = Registry::standard();
    let mut random = Random::new(77);
    let mut places = [
        circle(Vector::zeros(), [Vector::x(), Vector::y()]),
        circle(Vector::x() * RADIUS, [Vector::x(), Vector::z()]),
    ];
    let cells: Vec<[u32; 2]> = (0..SEGMENTS as u32).map(|k| [k, (k + 1) % SEGMENTS as u32]).collect();
    let mut loops = places.clone().map(|points| LineMesh::new(points, cells.clone()).unwrap());
    let linked = linking_number(&places[0], &places[1]);
    assert!((linked.abs() - 1.0).abs() < 1e-6, "{linked}");
    let mut bound = registry.bind(&loops[0], &loops[1], Choice::named("line_mesh_line_mesh_ccd")).unwrap();
    let mut out = CollisionData::new();
    let (mut impacts, mut time, mut looked) = (0, Duration::ZERO, 0);
    for step in 0..steps {
        // Thrown: each loop as a whole, and every tenth of it on its own.
        let targets = [0, 1].map(|number| {
            let whole = random.direction() * (SPEED * STEP);
            let mut target: Vec<Point> = places[number].clone();
            let mut own = Vector::zeros();
            for (k, point) in target.iter_mut().enumerate() {
                if k % (SEGMENTS / 10) == 0 {
                    own = random.direction() * (0.2 * SPEED * STEP);
                }
                *point += whole + own;
            }
            relax(&mut target);
            target
        });
        let begun = Instant::now();
        for ((lines, place), target) in loops.iter_mut().zip(&places).zip(&targets) {
            lines.set_positions(target).unwrap();
            lines.set_previous(place).unwrap();
            lines.prepare(Needs::SWEPT);
        }
        bound.run(&loops[0], &loops[1], &Context::new(), &mut out).unwrap();
        time += begun.elapsed();
        // The step is cut short of its first impact.
        let until = if out.is_empty() { 1.0 } else { 0.9 * first(&out.contacts) };
        impacts += usize::from(!out.is_empty());
        for (place, target) in places.iter_mut().zip(&targets) {
            for (point, target) in place.iter_mut().zip(target) {
                *point += (target - *point) * until;
            }
        }
        if step % 10 == 9 {
            looked += 1;
            let now = linking_number(&places[0], &places[1]);
            assert!((now - linked).abs() < 1e-6, "step {step}: {now}, was {linked}");
        }
    }
    println!(
        "{steps} steps, {impacts} cut at an impact, {looked} linking numbers, {:?} per step",
        time / steps as u32
    );
    assert!(impacts > steps / 4, "{impacts} of {steps} steps had an impact");
}
