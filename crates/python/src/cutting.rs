//! Cutting meshes of a scene: cells removed, added, divided, and numbered anew.

use crate::error::{Failure, Outcome};
use crate::input::{cells, points};
use crate::memory::{Bytes, bytes_of};
use crate::scene::{GeometryId, Scene};
use palpate::contact::NONE;
use palpate::geometry::{LineMesh, SurfaceMesh, TetraMesh, TypedGeometry};
use palpate::math::Point;
use pyo3::prelude::*;
use std::ops::Range;

/// Does work on the mesh of a scene, whatever its cells.
macro_rules! on_mesh {
    ($scene:expr, $id:expr, $mesh:ident => $work:expr) => {{
        let (mut scene, id) = ($scene.enter()?, $id.0);
        match TypedGeometry::of(scene.geometry(id)?) {
            TypedGeometry::LineMesh(_) => {
                let $mesh = scene.geometry_mut::<LineMesh>(id)?;
                $work
            }
            TypedGeometry::SurfaceMesh(_) => {
                let $mesh = scene.geometry_mut::<SurfaceMesh>(id)?;
                $work
            }
            TypedGeometry::TetraMesh(_) => {
                let $mesh = scene.geometry_mut::<TetraMesh>(id)?;
                $work
            }
            _ => {
                let kind = scene.geometry(id)?.kind();
                return Err(Failure::unsupported(format!(
                    "the geometry is a {kind}: wanted a mesh with cells"
                )));
            }
        }
    }};
}

pub(crate) use on_mesh;

fn pair(range: Range<u32>) -> (u32, u32) {
    (range.start, range.end)
}

/// Removes cells; all others keep their numbers.
#[pyfunction]
pub(crate) fn remove_cells(scene: &Scene, id: &GeometryId, cells: Vec<u32>) -> Outcome {
    Ok(on_mesh!(scene, id, mesh => mesh.remove_cells(&cells))?)
}

/// Adds vertices, then cells that may name them; returns the first number of the cells and that after the last.
#[pyfunction]
pub(crate) fn add_cells(
    scene: &Scene,
    id: &GeometryId,
    vertices: &Bound<'_, PyAny>,
    new_cells: &Bound<'_, PyAny>,
) -> Outcome<(u32, u32)> {
    let vertices = points(vertices, "vertices")?;
    Ok(pair(on_mesh!(scene, id, mesh => mesh.add_cells(&vertices, &cells(new_cells, "cells")?)?)))
}

/// Divides a cell by a new vertex; returns the first number of the new cells and that after the last.
#[pyfunction]
pub(crate) fn split_cell(scene: &Scene, id: &GeometryId, cell: u32, at: [f64; 3]) -> Outcome<(u32, u32)> {
    Ok(pair(on_mesh!(scene, id, mesh => mesh.split_cell(cell, &Point::from(at)))?))
}

/// Numbers the cells anew, without the removed ones; returns the number of each cell before now, `uint32`.
#[pyfunction]
pub(crate) fn compact_cells<'py>(py: Python<'py>, scene: &Scene, id: &GeometryId) -> Outcome<Bytes<'py>> {
    let count = match TypedGeometry::of(scene.enter()?.geometry(id.0)?) {
        TypedGeometry::LineMesh(mesh) => mesh.cells().len(),
        TypedGeometry::SurfaceMesh(mesh) => mesh.triangles().len(),
        TypedGeometry::TetraMesh(mesh) => mesh.cells().len(),
        _ => 0,
    };
    let map = on_mesh!(scene, id, mesh => mesh.compact());
    bytes_of(py, (0..count as u32).map(|cell| map.get(cell).unwrap_or(NONE)).collect())
}
