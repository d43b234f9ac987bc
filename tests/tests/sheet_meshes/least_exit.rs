//! The least motion that separates two convex bodies, by their support functions.

use super::SIZE;
use super::bodies::reach;
use super::turns::across;
use palpate_math::{Point, Vector};
use palpate_tests::compound::Body;

/// Directions over the sphere.
const DIRECTIONS: usize = 1500;

/// How many of the best directions are refined.
const REFINED: usize = 6;

/// A flat sheet or a slab: the corners of its hull, and the directions of its edges.
pub(crate) struct Hull {
    pub(crate) corners: Vec<Point>,
    pub(crate) axes: [Vector; 3],
}

impl Hull {
    /// How far the body has to move along a direction to be beyond the hull.
    fn exit(&self, body: &Body, direction: &Vector) -> f64 {
        let most = self.corners.iter().map(|corner| corner.coords.dot(direction)).fold(f64::MIN, f64::max);
        most + reach(body, &-direction)
    }
}

/// The directions of a spiral over the sphere.
fn spiral() -> impl Iterator<Item = Vector> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..DIRECTIONS).map(move |k| {
        let z = 1.0 - 2.0 * (k as f64 + 0.5) / DIRECTIONS as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        Vector::new(radius * cos, radius * sin, z)
    })
}

/// The directions in which least exits of boxes lie: normals of faces, and products of edges.
fn likely(hull: &Hull, axis: &Vector) -> Vec<Vector> {
    let mut directions = vec![*axis, across(axis)];
    directions.extend(hull.axes);
    directions.extend(hull.axes.iter().map(|edge| edge.cross(axis)));
    let units = directions.into_iter().filter_map(|direction| direction.try_normalize(1e-9));
    units.flat_map(|direction| [direction, -direction]).collect()
}

/// Unit directions in which to try a change: any way around, and along the normals of every edge of the hull.
/// The exit has ridges there, along which few other directions lead down.
fn around(hull: &Hull, direction: &Vector, turn: f64) -> Vec<Vector> {
    let first = across(direction);
    let second = direction.cross(&first);
    let any = (0..8).map(|k| {
        let (sin, cos) = (turn + f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
        first * cos + second * sin
    });
    let along = hull.axes.iter().filter_map(|edge| edge.cross(direction).try_normalize(1e-9));
    any.chain(along.flat_map(|along| [along, -along])).collect()
}

/// The exit along the best direction near this one.
fn refined(hull: &Hull, body: &Body, mut direction: Vector) -> f64 {
    let (mut exit, mut step, mut turn, mut tries) = (hull.exit(body, &direction), 0.05, 0.0, 0);
    while step > 1e-8 {
        let changes = around(hull, &direction, turn).into_iter();
        let near = changes.map(|change| (direction + change * step).normalize());
        let exits = near.map(|near| (hull.exit(body, &near), near));
        match exits.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((better, near)) if better < exit - 1e-12 * SIZE => {
                (exit, direction, tries) = (better, near, 0);
            }
            _ if tries < 2 => tries += 1,
            _ => (step, tries) = (0.5 * step, 0),
        }
        turn += 0.26;
    }
    exit
}

/// The least motion that separates a body from a sheet or a slab; negative if they are apart. Of a compound
/// that of its hull.
pub(crate) fn least_exit(hull: &Hull, body: &Body, axis: &Vector) -> f64 {
    let directions = spiral().chain(likely(hull, axis));
    let mut exits: Vec<_> = directions.map(|direction| (hull.exit(body, &direction), direction)).collect();
    exits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let starts = exits.into_iter().take(REFINED).flat_map(|(_, direction)| {
        let on_ridges = hull.axes.iter().map(move |edge| direction - edge * direction.dot(edge));
        on_ridges.filter_map(|start| start.try_normalize(1e-3)).chain([direction])
    });
    starts.map(|start| refined(hull, body, start)).fold(f64::INFINITY, f64::min)
}
