//! A tool and a thread on an organ that breathes. Prints the times of the phases of palpate's step.

use super::Result;
use palpate::prelude::*;
use palpate_tests::meshes::icosphere;
use std::f64::consts::TAU;
use std::time::Duration;

/// Radius of the organ, metres.
const RADIUS: f64 = 0.05;
/// How far its surface moves, metres, at 1 Hz.
const BREATH: f64 = 1e-3;
/// Of the tool, a rod, and of the thread, metres.
const THICKNESS: [f64; 2] = [0.005, 0.00025];
const LENGTH: f64 = 0.1;
/// Metres a second.
const SLIDING: f64 = 0.005;
const MARGIN: f64 = 5e-4;
const STEPS: usize = 240;
const SEGMENTS: u32 = 200;

/// A rod along x of 2,000 triangles, about the origin.
fn rod() -> Result<SurfaceMesh> {
    let (around, along) = (20_u32, 49_u32);
    let mut vertices = Vec::new();
    for i in 0..=along {
        for j in 0..around {
            let angle = TAU * f64::from(j) / f64::from(around);
            let x = LENGTH * (f64::from(i) / f64::from(along) - 0.5);
            vertices.push(Point::new(x, THICKNESS[0] * angle.cos(), THICKNESS[0] * angle.sin()));
        }
    }
    let ends = [0, along].map(|i| i * around);
    let middles = [0, 1].map(|end| vertices.len() as u32 + end);
    vertices.extend([-0.5, 0.5].map(|end| Point::new(LENGTH * end, 0.0, 0.0)));
    let mut triangles = Vec::new();
    for j in 0..around {
        let next = (j + 1) % around;
        for i in 0..along {
            let [a, b] = [j, next].map(|j| i * around + j);
            triangles.extend([[a, b, b + around], [a, b + around, a + around]]);
        }
        triangles.push([middles[0], ends[0] + next, ends[0] + j]);
        triangles.push([middles[1], ends[1] + j, ends[1] + next]);
    }
    Ok(SurfaceMesh::new(vertices, triangles)?)
}

/// The thread over the top of an organ of some radius.
fn thread(radius: f64) -> Vec<Point> {
    let angle = |k: u32| LENGTH / RADIUS * (f64::from(k) / f64::from(SEGMENTS) - 0.5);
    (0..=SEGMENTS).map(|k| Point::new(radius * angle(k).sin(), radius * angle(k).cos(), 0.0)).collect()
}

/// The median, in milliseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    1e3 * times[times.len() / 2].as_secs_f64()
}

/// Prints the table.
pub(crate) fn measure() -> Result<()> {
    println!("milliseconds a step, median   prepare  detect  contacts");
    let (ball, triangles) = icosphere(6);
    let placed = |radius: f64| -> Vec<Point> { ball.iter().map(|point| point * radius).collect() };
    for name in ["tool at rest", "tool sliding", "thread lying"] {
        let mut scene = Scene::standard();
        let organ = scene.add("organ", SurfaceMesh::new(placed(RADIUS), triangles.clone())?)?;
        let cells = (0..SEGMENTS).map(|k| [k, k + 1]).collect();
        let other = if name == "thread lying" {
            scene.add("thread", LineMesh::new(thread(RADIUS), cells)?.with_radius(THICKNESS[1])?)?
        } else {
            scene.add("tool", rod()?)?
        };
        scene.add_pair(organ, other, PairOptions::default().with_margin(MARGIN))?;
        scene.set_timed(true);
        let (mut prepare, mut detect, mut contacts) = (Vec::new(), Vec::new(), 0);
        for step in 0..STEPS {
            let time = step as f64 / STEPS as f64;
            let radius = RADIUS + BREATH * (TAU * time).sin();
            scene.set_positions(organ, &placed(radius))?;
            if name == "thread lying" {
                scene.set_positions(other, &thread(radius + THICKNESS[1]))?;
            } else {
                let x = if name == "tool sliding" { SLIDING * time } else { 0.0 };
                scene.set_pose(other, Pose::translation(x, RADIUS + THICKNESS[0] - BREATH, 0.0))?;
            }
            contacts = contacts.max(scene.step()?.contacts);
            prepare.push(scene.timings().prepare);
            detect.push(scene.timings().detect);
        }
        println!("{name:28} {:8.3} {:7.3} {contacts:9}", median(&mut prepare), median(&mut detect));
    }
    Ok(())
}
