//! Places on a sheet: inside and on the border.

use crate::Shape;
use crate::random::Random;
use palpate_math::{Point, Vector};
use std::collections::HashMap;

/// A place on a sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) point: Point,
    /// The normal of its triangle.
    pub(super) normal: Vector,
    /// For a place on the border, the direction that leaves the sheet there, in the triangle's plane.
    pub(super) outward: Vector,
}

fn triangles(shape: &Shape) -> &[[u32; 3]] {
    match shape {
        Shape::SurfaceMesh { cells, .. } => cells,
        other => unreachable!("{} is no sheet", other.kind()),
    }
}

fn normal(corners: [Point; 3]) -> Vector {
    let [a, b, c] = corners;
    (b - a).cross(&(c - a)).normalize()
}

/// A random point of a random triangle, sometimes a vertex or on an edge.
pub(super) fn inner_place(shape: &Shape, random: &mut Random) -> Place {
    let corners = random.pick(triangles(shape)).map(|id| shape.vertices()[id as usize]);
    let weights = match random.below(8) {
        0 => [1.0, 0.0, 0.0],
        1 => [random.between(0.1, 1.0), random.between(0.1, 1.0), 0.0],
        _ => [0; 3].map(|_| random.between(0.1, 1.0)),
    };
    let sum: f64 = weights.iter().sum();
    let point = (0..3).map(|k| corners[k].coords * (weights[k] / sum)).sum::<Vector>();
    Place { point: Point::from(point), normal: normal(corners), outward: Vector::zeros() }
}

/// A random point of a random border edge, sometimes its end; `None` if the surface is closed.
pub(super) fn border_place(shape: &Shape, random: &mut Random) -> Option<Place> {
    let mut of_edges: HashMap<[u32; 2], usize> = HashMap::new();
    let key = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let sides = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
    let all: Vec<[u32; 3]> = triangles(shape).iter().flat_map(|&ids| sides(ids)).collect();
    all.iter().for_each(|&[a, b, _]| *of_edges.entry(key([a, b])).or_default() += 1);
    let border: Vec<[u32; 3]> = all.into_iter().filter(|&[a, b, _]| of_edges[&key([a, b])] == 1).collect();
    if border.is_empty() {
        return None;
    }
    let corners = random.pick(&border).map(|id| shape.vertices()[id as usize]);
    let [a, b, c] = corners;
    let along = (b - a).normalize();
    let inward = (c - a) - along * (c - a).dot(&along);
    let share = if random.one_in(6) { 0.0 } else { random.between(0.0, 1.0) };
    Some(Place { point: a + (b - a) * share, normal: normal(corners), outward: -inward.normalize() })
}

/// The typical width of a triangle.
pub(super) fn width(shape: &Shape) -> f64 {
    let area = |ids: &[u32; 3]| {
        let [a, b, c] = ids.map(|id| shape.vertices()[id as usize]);
        0.5 * (b - a).cross(&(c - a)).norm()
    };
    let cells = triangles(shape);
    (2.0 * cells.iter().map(area).sum::<f64>() / cells.len() as f64).sqrt()
}
