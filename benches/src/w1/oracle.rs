//! The extent of a pair along a direction, computed from the stored data alone, to check certificates.

use super::cell::Cell;
use super::record::{Kind, Side};

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// How far A must move along the unit direction to be separated from B by a plane perpendicular to it.
pub(super) fn depth_along(cell: &Cell, pair: usize, direction: Vector) -> f64 {
    let record = &cell.records[pair];
    let back = direction.map(|x| -x);
    let apart: Vector = std::array::from_fn(|i| record.b.center[i] - record.a.center[i]);
    reach_along(cell, &record.b, direction) + reach_along(cell, &record.a, back) + dot(apart, direction)
}

/// The greatest extent of a side from its own centre along a world direction.
fn reach_along(cell: &Cell, side: &Side, direction: Vector) -> f64 {
    let own: Vector = std::array::from_fn(|i| (0..3).map(|row| side.rotation[row][i] * direction[row]).sum());
    let across = (own[0] * own[0] + own[1] * own[1]).sqrt();
    match side.kind {
        Kind::Hull(index) => {
            cell.hulls[index].points.iter().map(|&p| dot(p, own)).fold(f64::NEG_INFINITY, f64::max)
        }
        Kind::Sphere(radius) => radius,
        Kind::Capsule(radius, half) => radius + half * own[2].abs(),
        Kind::Cylinder(radius, half) => radius * across + half * own[2].abs(),
        Kind::Cone(radius, half) => (half * own[2]).max(radius * across - half * own[2]),
        Kind::Box(half) => (0..3).map(|i| half[i] * own[i].abs()).sum(),
    }
}

/// The size of a pair: the sum of the bounding radii of the shapes around their centres.
pub(super) fn size(cell: &Cell, pair: usize) -> f64 {
    let reach = |side: &Side| match side.kind {
        Kind::Hull(index) => cell.hulls[index].points.iter().map(|&p| dot(p, p)).fold(0.0, f64::max).sqrt(),
        Kind::Sphere(radius) => radius,
        Kind::Capsule(radius, half) => radius + half,
        Kind::Cylinder(radius, half) | Kind::Cone(radius, half) => (radius * radius + half * half).sqrt(),
        Kind::Box(half) => dot(half, half).sqrt(),
    };
    let record = &cell.records[pair];
    reach(&record.a) + reach(&record.b)
}
