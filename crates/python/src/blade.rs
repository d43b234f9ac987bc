//! A blade and a cautery, and what they make of a mesh.

use crate::cutting::on_mesh;
use crate::error::{Failure, Outcome};
use crate::input::points;
use crate::layout::{Layout, layout};
use crate::memory::{Bytes, bytes_of};
use crate::procedure::{check_frame, not_negative};
use crate::scene::{GeometryId, Scene};
use bytemuck::{Pod, Zeroable};
use palpate::geometry::{Geometry, LineMesh, Needs, SurfaceMesh, TetraMesh, TypedGeometry};
use palpate::math::Point;
use palpate::procedure::{
    Blade as Own, CutLimits, Division, Sweep, cauterize as remove, swept_cells as swept,
};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard};

/// Where a blade passed through an edge.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct EdgeCut {
    edge: [u32; 2],
    weight: f64,
    time: f64,
}

/// A vertex that a cut has added.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct NewVertex {
    of: [u32; 2],
    weights: [f64; 2],
}

/// A cell that a blade passes through.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct SweptCell {
    cell: u32,
    reserved: u32,
    times: [f64; 2],
}

/// The layouts of the records.
pub(crate) fn layouts() -> [Layout; 3] {
    [
        layout!("edge_cut", EdgeCut, edge, weight, time),
        layout!("new_vertex", NewVertex, of, weights),
        layout!("swept_cell", SweptCell, cell, reserved, times),
    ]
}

/// Cuts one mesh along what its edge sweeps.
#[pyclass(frozen, module = "palpate._palpate")]
pub(crate) struct Blade(Mutex<Own>);

/// Cuts, the first new vertex, new vertices, removed cells, the numbers of the new cells, and their parents.
type Divided<'py> = (Bytes<'py>, u32, Bytes<'py>, Bytes<'py>, (u32, u32), Bytes<'py>);

fn divided(py: Python<'_>, made: Division) -> Outcome<Divided<'_>> {
    let cuts = made.cuts.iter().map(|cut| EdgeCut { edge: cut.edge, weight: cut.weight, time: cut.time });
    let vertices = made.vertices.iter().map(|vertex| NewVertex { of: vertex.of, weights: vertex.weights });
    Ok((
        bytes_of::<EdgeCut>(py, cuts.collect())?,
        made.first_vertex,
        bytes_of::<NewVertex>(py, vertices.collect())?,
        bytes_of(py, made.removed)?,
        (made.cells.start, made.cells.end),
        bytes_of(py, made.parents)?,
    ))
}

/// The sweep between two rows of points.
fn sweep(before: &Bound<'_, PyAny>, now: &Bound<'_, PyAny>) -> Outcome<Sweep> {
    Ok(Sweep::new(&points(before, "before")?, &points(now, "now")?)?)
}

impl Blade {
    fn enter(&self) -> Outcome<MutexGuard<'_, Own>> {
        self.0.try_lock().map_err(|_| Failure::busy("the blade"))
    }
}

#[pymethods]
impl Blade {
    #[new]
    fn new(snap: f64, least: f64) -> Outcome<Self> {
        if !(0.0..=0.5).contains(&snap) {
            return Err(Failure::argument(format!("snap is {snap}: wanted 0 to 0.5")));
        }
        Ok(Self(Mutex::new(Own::new(CutLimits { snap, least: not_negative(least, "least")? }))))
    }

    fn cut<'py>(
        &self,
        py: Python<'py>,
        scene: &Scene,
        id: &GeometryId,
        before: &Bound<'py, PyAny>,
        now: &Bound<'py, PyAny>,
    ) -> Outcome<Divided<'py>> {
        let (mut blade, sweep) = (self.enter()?, sweep(before, now)?);
        check_frame(&*scene.enter()?, id)?;
        let made = on_mesh!(scene, id, mesh => {
            mesh.prepare(Needs::TREE);
            blade.cut(mesh, &sweep)
        });
        divided(py, made?)
    }

    /// The vertices at which the cut ends.
    fn front<'py>(&self, py: Python<'py>) -> Outcome<Bytes<'py>> {
        bytes_of(py, self.enter()?.front())
    }

    fn lift(&self) -> Outcome {
        self.enter()?.lift();
        Ok(())
    }
}

/// The cells of a mesh that a blade's edge passes through.
#[pyfunction]
pub(crate) fn swept_cells<'py>(
    py: Python<'py>,
    scene: &Scene,
    id: &GeometryId,
    before: &Bound<'py, PyAny>,
    now: &Bound<'py, PyAny>,
) -> Outcome<Bytes<'py>> {
    let (sweep, mut found) = (sweep(before, now)?, Vec::new());
    check_frame(&*scene.enter()?, id)?;
    on_mesh!(scene, id, mesh => {
        mesh.prepare(Needs::TREE);
        swept(mesh, &sweep, &mut found)
    })?;
    let records = found.iter().map(|own| SweptCell { cell: own.cell, reserved: 0, times: own.times });
    bytes_of::<SweptCell>(py, records.collect())
}

/// Removes the cells of a mesh that a ball touches; returns their numbers, `uint32`.
#[pyfunction]
pub(crate) fn cauterize<'py>(
    py: Python<'py>,
    scene: &Scene,
    id: &GeometryId,
    center: [f64; 3],
    radius: f64,
) -> Outcome<Bytes<'py>> {
    let radius = not_negative(radius, "radius")?;
    if !center.iter().all(|x| x.is_finite()) {
        return Err(Failure::argument(format!("center is {center:?}: wanted finite numbers")));
    }
    check_frame(&*scene.enter()?, id)?;
    let removed = on_mesh!(scene, id, mesh => {
        mesh.prepare(Needs::TREE);
        remove(mesh, &Point::from(center), radius)
    });
    bytes_of(py, removed?)
}
