//! The same scenes with 2,000 to 200,000 triangles: two waving sheets through one another, and a tool in an organ that breathes.

use super::body::{Body, Kind, Recording, ball, sheet};
use palpate::prelude::*;
use std::f64::consts::TAU;

/// Triangles of both bodies together.
pub(crate) const SIZES: [usize; 3] = [2_000, 20_000, 200_000];

/// Radians of the wave between frames.
const PHASE: f64 = 0.02;

/// Sheets of half the triangles each.
pub(crate) fn sheets(triangles: usize, frames: usize) -> Recording {
    let squares = (triangles as f64 / 4.0).sqrt().round() as u32;
    let ((first, ids), (second, _)) =
        (sheet(squares, 0.5, Point::origin()), sheet(squares, 0.5, Point::new(1e-3, 0.0, 2e-3)));
    let wave = |p: &Point, phase: f64, turned: f64| {
        let height = (12.0 * p.x + phase).sin() * (9.0 * p.z + turned).cos();
        Point::new(p.x, 0.01 * height, p.z)
    };
    let frame = |k: usize| {
        let phase = PHASE * k as f64;
        let second = second.iter().map(|p| wave(p, 1.9 - phase, 0.7) + Vector::y() * 0.004);
        [first.iter().map(|p| wave(p, phase, 0.0)).collect(), second.collect()]
    };
    let body = Body::of_triangles(Kind::Sheet, ids);
    Recording { name: "sheets", bodies: [body.clone(), body], frames: (0..frames).map(frame).collect() }
}

/// An organ of nine tenths of the triangles and a tool of the rest.
pub(crate) fn organ(triangles: usize, frames: usize) -> Recording {
    let ((organ, ids), (tool, others)) = (ball(triangles / 10 * 9), ball(triangles / 10));
    let frame = |k: usize| {
        let phase = PHASE * k as f64;
        let breath = |d: &Vector| {
            let lobes = 0.2 * d.x * d.y + 0.15 * (d.y * d.z - d.x * d.x) + 0.01 * (TAU * d.z + phase).sin();
            Point::from(d * (0.1 * (1.0 + lobes)))
        };
        let middle = Point::new(0.06 + 0.002 * phase.sin(), 0.085 - 0.01 * phase, 0.011);
        let tool = tool.iter().map(|d| middle + Vector::new(0.01 * d.x, 0.03 * d.y, 0.01 * d.z));
        [organ.iter().map(breath).collect(), tool.collect()]
    };
    let bodies = [ids, others].map(|ids| Body::of_triangles(Kind::Solid, ids));
    Recording { name: "tool in an organ", bodies, frames: (0..frames).map(frame).collect() }
}
