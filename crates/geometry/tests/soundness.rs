//! What it costs to find out whether a closed surface is sound when it is made: `PALPATE_MAKING=1300000` sets the number of
//! triangles and prints the times, `--release` makes them mean something.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]
#![allow(clippy::print_stdout, reason = "a long run says what it did")]

use palpate_bvh::{InTurn, Tasks};
use palpate_geometry::{Geometry, Needs, Sidedness, SurfaceMesh};
use palpate_math::Point;
use std::f64::consts::TAU;
use std::time::{Duration, Instant};

/// A torus with waves, of about so many triangles.
fn torus(count: usize) -> (Vec<Point>, Vec<[u32; 3]>) {
    let short = (count as f64 / 8.0).sqrt() as u32;
    let long = 4 * short;
    let positions = (0..long * short)
        .map(|k| {
            let (u, v) =
                (f64::from(k / short) / f64::from(long) * TAU, f64::from(k % short) / f64::from(short) * TAU);
            let radius = 0.3 + 0.03 * (9.0 * u).sin() * (5.0 * v).cos();
            let around = 1.0 + radius * v.cos();
            Point::new(around * u.cos(), around * u.sin(), radius * v.sin())
        })
        .collect();
    let id = |i: u32, j: u32| i % long * short + j % short;
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for cell in 0..long * short {
        let (i, j) = (cell / short, cell % short);
        let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    (positions, triangles)
}

/// Two threads.
struct Two;

impl Tasks for Two {
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
        std::thread::scope(|scope| {
            for task in tasks.iter_mut() {
                scope.spawn(task);
            }
        });
    }

    fn width(&self) -> usize {
        2
    }
}

fn made(
    torus: &(Vec<Point>, Vec<[u32; 3]>),
    sidedness: Option<Sidedness>,
    tasks: &dyn Tasks,
) -> (Duration, SurfaceMesh) {
    let (positions, triangles) = torus.clone();
    let start = Instant::now();
    let mut mesh = SurfaceMesh::new(positions, triangles).unwrap();
    if let Some(sidedness) = sidedness {
        mesh = mesh.with_sidedness(sidedness);
    }
    mesh.prepare_by(Needs::TREE | Needs::NORMALS, tasks);
    (start.elapsed(), mesh)
}

#[test]
fn a_sound_surface_costs_little_more_to_make_and_is_what_it_was() {
    let count = std::env::var("PALPATE_MAKING").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let (torus, is_timed) = (torus(count), std::env::var_os("PALPATE_MAKING").is_some());
    for tasks in [&InTurn as &dyn Tasks, &Two] {
        let (mut given_times, mut found_times) = (Vec::new(), Vec::new());
        for _ in 0..if is_timed { 9 } else { 1 } {
            let (time, given) = made(&torus, Some(Sidedness::Pseudonormals), tasks);
            given_times.push(time);
            let (time, found) = made(&torus, None, tasks);
            found_times.push(time);
            assert_eq!((found.sidedness(), found.is_self_intersecting()), (Sidedness::Pseudonormals, false));
            assert!(count > 100_000 || format!("{:?}", found.tree()) == format!("{:?}", given.tree()));
        }
        if is_timed {
            let [given_time, found_time] = [given_times, found_times].map(|mut times| {
                times.sort_unstable();
                times[times.len() / 2]
            });
            let ratio = found_time.as_secs_f64() / given_time.as_secs_f64();
            let (triangles, threads) = (torus.1.len(), tasks.width());
            println!(
                "{triangles} triangles, {threads} threads: {given_time:?} given, {found_time:?} found out, {ratio:.2}"
            );
        }
    }
}

/// One vertex of many, in the middle plane, pulled through the other side is found, on any number of threads.
#[test]
fn one_spike_is_found() {
    let mut torus = torus(20_000);
    assert!(!made(&torus, None, &InTurn).1.is_self_intersecting());
    let p = torus.0[3300];
    assert_eq!(p.z, 0.0);
    torus.0[3300] = Point::new(-3.0 * p.x, -3.0 * p.y, 0.0);
    for tasks in [&InTurn as &dyn Tasks, &Two] {
        let (_, mesh) = made(&torus, None, tasks);
        assert_eq!((mesh.sidedness(), mesh.is_self_intersecting()), (Sidedness::WindingNumber, true));
        assert!(mesh.health().self_intersections.count > 0);
    }
}
