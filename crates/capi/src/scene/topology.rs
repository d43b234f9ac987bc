//! Cutting: cells removed, added, divided, and numbered anew.

use super::vertices::without_cells;
use super::{State, palpate_scene, with};
use crate::arrays::{palpate_cells, palpate_points};
use crate::input::{Out, array, copy_out};
use crate::status::{Failure, Outcome, palpate_status};
use crate::types::{PALPATE_NONE, palpate_geometry_id, point};
use palpate::geometry::{CellMap, LineMesh, SurfaceMesh, TetraMesh};
use palpate::scene::GeometryId;
use std::any::Any;
use std::ops::Range;

/// A mesh of a scene, to be cut.
pub(crate) enum Mesh<'a> {
    Lines(&'a mut LineMesh),
    Surface(&'a mut SurfaceMesh),
    Tetrahedra(&'a mut TetraMesh),
}

/// A mesh to be cut. Errors: another kind.
pub(crate) fn mesh_of(state: &mut State, id: GeometryId) -> Outcome<Mesh<'_>> {
    let geometry = state.scene.geometry_dyn_mut(id)?;
    let kind = geometry.kind();
    let any: &mut dyn Any = geometry;
    if any.is::<LineMesh>() {
        return any.downcast_mut().map(Mesh::Lines).ok_or_else(|| without_cells(&kind));
    }
    if any.is::<SurfaceMesh>() {
        return any.downcast_mut().map(Mesh::Surface).ok_or_else(|| without_cells(&kind));
    }
    any.downcast_mut().map(Mesh::Tetrahedra).ok_or_else(|| without_cells(&kind))
}

/// The same work on each kind of mesh.
macro_rules! on_mesh {
    ($mesh:expr, $own:ident => $work:expr) => {
        match $mesh {
            Mesh::Lines($own) => $work,
            Mesh::Surface($own) => $work,
            Mesh::Tetrahedra($own) => $work,
        }
    };
}

pub(crate) use on_mesh;

fn put_range(range: Range<u32>, first: &Out<u32>, count: &Out<u32>) {
    first.put(range.start);
    count.put(range.end - range.start);
}

/// Removes cells of a mesh. All others keep their numbers; a removed number is not used again until
/// `palpate_scene_compact_cells`. Errors: a cell that is not there, or is named twice; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_remove_cells(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    cells: *const u32,
    count: usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let removed = array(cells, count, "cells")?;
            let id = state.geometry(id)?;
            Ok(on_mesh!(mesh_of(state, id)?, mesh => mesh.remove_cells(removed))?)
        })
    }
}

/// Adds vertices (may be null for none), then cells that may name them, and writes the number of the first cell and how many
/// there are. Errors: a coordinate that is not finite, an index out of range; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_add_cells(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    vertices: *const palpate_points,
    cells: *const palpate_cells,
    first: *mut u32,
    count: *mut u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (first, count) = (Out::new(first, "first")?, Out::new(count, "count")?);
            let cells = cells.as_ref().ok_or_else(|| Failure::null("cells"))?;
            let points = vertices.as_ref().map_or(Ok(Vec::new()), |points| points.copied("vertices"))?;
            let id = state.geometry(id)?;
            state.mapped.retain(|(mapped, _)| *mapped != id);
            let range = match mesh_of(state, id)? {
                Mesh::Lines(mesh) => mesh.add_cells(&points, &cells.read("segments")?)?,
                Mesh::Surface(mesh) => mesh.add_cells(&points, &cells.read("triangles")?)?,
                Mesh::Tetrahedra(mesh) => mesh.add_cells(&points, &cells.read("tetrahedra")?)?,
            };
            put_range(range, &first, &count);
            Ok(())
        })
    }
}

/// Divides a cell by a new vertex at `point`, in as many cells as it has vertices, and writes the number of the first and how
/// many there are. Errors: a cell that is not there, a coordinate that is not finite; nothing is changed then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_split_cell(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    cell: u32,
    at: *const f64,
    first: *mut u32,
    count: *mut u32,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let (first, count) = (Out::new(first, "first")?, Out::new(count, "count")?);
            let (at, id) = (point(at, "at")?, state.geometry(id)?);
            state.mapped.retain(|(mapped, _)| *mapped != id);
            let range = on_mesh!(mesh_of(state, id)?, mesh => mesh.split_cell(cell, &at))?;
            put_range(range, &first, &count);
            Ok(())
        })
    }
}

/// Numbers the cells anew, without the removed ones, in the same order; the vertices keep their numbers. `map` has for each cell
/// before its number now, or `PALPATE_NONE`; `count` is set to how many there were. With too small a map nothing is done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_scene_compact_cells(
    scene: *mut palpate_scene,
    id: palpate_geometry_id,
    map: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> palpate_status {
    // SAFETY: by the rules of the header.
    unsafe {
        with(scene, |state| {
            let id = state.geometry(id)?;
            let cells = match mesh_of(state, id)? {
                Mesh::Lines(mesh) => mesh.cells().len(),
                Mesh::Surface(mesh) => mesh.triangles().len(),
                Mesh::Tetrahedra(mesh) => mesh.cells().len(),
            };
            // Fails before anything is changed.
            copy_out((0..cells).map(|_| PALPATE_NONE), (map, capacity), count, "map")?;
            let now: CellMap = on_mesh!(mesh_of(state, id)?, mesh => mesh.compact());
            let numbers = (0..cells as u32).map(|cell| now.get(cell).unwrap_or(PALPATE_NONE));
            copy_out(numbers.collect::<Vec<_>>().into_iter(), (map, capacity), count, "map")
        })
    }
}
