//! The elements of each side that are near the other.

use super::explanation::{Stage, Step};
use crate::contact::NONE;
use crate::geometry::{Geometry, Pose, TypedGeometry, cells_left};
use crate::math::{Aabb, Point};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// How many elements of a side have boxes within `margin` of the other side's box; `None` for a shape without elements.
pub(super) fn step(
    side: &str,
    geometry: &dyn Geometry,
    placement: Option<Pose>,
    other: &Aabb,
    margin: f64,
) -> Option<Step> {
    let points = geometry.as_points()?;
    let world = |id: u32| {
        let point = points.positions()[id as usize];
        placement.map_or(point, |pose| pose * point)
    };
    let reach = points.radius() + margin;
    let is_near = |corners: &[u32]| near(corners.iter().map(|&id| world(id)), reach, other);
    let (word, all, near) = match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => count("segments", mesh.cells(), is_near),
        TypedGeometry::SurfaceMesh(mesh) => count("triangles", mesh.triangles(), is_near),
        TypedGeometry::TetraMesh(mesh) => count("tetrahedra", mesh.cells(), is_near),
        _ => {
            let ids: Vec<[u32; 1]> = (0..points.len() as u32).map(|id| [id]).collect();
            count("points", &ids, is_near)
        }
    };
    let text = format!("Of {all} {word} of {side}, {near} have boxes within {margin} m of the other's box.");
    let values =
        [("side", json!(side)), ("elements", json!(word)), ("all", json!(all)), ("near", json!(near))];
    Some(Step::new(Stage::Elements, text, values))
}

fn count<const N: usize>(
    word: &'static str,
    cells: &[[u32; N]],
    is_near: impl Fn(&[u32]) -> bool,
) -> (&'static str, usize, usize) {
    (word, cells_left(cells).count(), cells_left(cells).filter(|cell| is_near(&cell[..])).count())
}

fn near(points: impl Iterator<Item = Point>, reach: f64, other: &Aabb) -> bool {
    let all = points.fold(Aabb::EMPTY, |all, point| all.merged(&Aabb { min: point, max: point }));
    (0..3).all(|axis| all.min[axis] - reach <= other.max[axis] && other.min[axis] <= all.max[axis] + reach)
}

/// The pairs of elements of one mesh that share a vertex: self-contact leaves them out. `None` without cells.
pub(super) fn neighbours(name: &str, geometry: &dyn Geometry) -> Option<Step> {
    let (word, pairs) = match TypedGeometry::of(geometry) {
        TypedGeometry::LineMesh(mesh) => ("segments", sharing(mesh.cells())),
        TypedGeometry::SurfaceMesh(mesh) => ("triangles", sharing(mesh.triangles())),
        _ => return None,
    };
    let text =
        format!("Neighbours are never in contact: {word} of {name} that share a vertex, {pairs} in pairs.");
    Some(Step::new(Stage::Neighbours, text, [("elements", json!(word)), ("pairs", json!(pairs))]))
}

fn sharing<const N: usize>(cells: &[[u32; N]]) -> usize {
    let mut of_vertex: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut pairs = HashSet::new();
    for (cell, ids) in (0..).zip(cells).filter(|(_, ids)| ids[0] != NONE) {
        for &id in ids {
            let others = of_vertex.entry(id).or_default();
            pairs.extend(others.iter().filter(|&&other| other != cell).map(|&other| (other, cell)));
            others.push(cell);
        }
    }
    pairs.len()
}
