//! Derived data of a moved mesh: time per cell; and a grid made from a mesh: time per sample.

use super::CELLS;
use crate::inputs::{THREAD_RADIUS, organ, thread, tissue};
use crate::sample::Sample;
use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use palpate::geometry::implicit::{SurfaceGrid, SurfaceSampling};
use palpate::geometry::{Geometry, GeometryError, LineMesh, Needs, SurfaceMesh, TetraMesh};
use palpate::math::Point;
use std::ops::ControlFlow;

/// The metres between the samples of a grid.
const SPACING: f64 = 0.005;

/// New positions followed by `prepare`, as in each step of a deforming organ; and a grid, as when a scene is
/// loaded.
pub fn prepare() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 3] = [
        ("move and prepare line_mesh", "segment", move_thread),
        ("move and prepare surface_mesh", "triangle", move_organ),
        ("move and prepare tetra_mesh", "tetrahedron", move_tissue),
    ];
    let case = |(name, item, make)| CELLS.map(|size| Case { name, input: "breathing", size, item, make });
    let grid = |size| Case {
        name: "grid from surface_mesh",
        input: "organ, 5 mm",
        size,
        item: "sample",
        make: grid_from_organ,
    };
    makes.into_iter().flat_map(case).chain(CELLS.map(grid)).collect()
}

fn move_thread(size: usize) -> Fallible<Workload> {
    let positions = thread(&mut Sample::new(11), size);
    let mesh = LineMesh::polyline(positions.clone())?.with_radius(THREAD_RADIUS)?;
    Ok(moving(size, mesh, &positions, Needs::TREE, LineMesh::set_positions))
}

fn move_organ(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(size);
    let count = triangles.len();
    let mesh = SurfaceMesh::new(positions.clone(), triangles)?;
    Ok(moving(count, mesh, &positions, Needs::TREE | Needs::NORMALS, SurfaceMesh::set_positions))
}

fn move_tissue(size: usize) -> Fallible<Workload> {
    let (positions, cells) = tissue(size);
    let count = cells.len();
    let mesh = TetraMesh::new(positions.clone(), cells)?;
    Ok(moving(count, mesh, &positions, Needs::TREE | Needs::BOUNDARY, TetraMesh::set_positions))
}

/// On one thread; counts the measured samples.
fn grid_from_organ(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(size);
    let surface = SurfaceMesh::new(positions, triangles)?;
    let sampling = SurfaceSampling { threads: 1, ..SurfaceSampling::new(SPACING) };
    let make = move || SurfaceGrid::new(&surface, &sampling, &mut |_| ControlFlow::Continue(()));
    let samples = make()?.grid.values().len();
    Ok(Workload::new(samples, move || Ok(std::hint::black_box(make()?).measured)))
}

/// A mesh that alternates between two sets of positions; counts the passes that left it prepared.
fn moving<M: Geometry>(
    items: usize,
    mut mesh: M,
    positions: &[Point],
    needs: Needs,
    set: fn(&mut M, &[Point]) -> Result<(), GeometryError>,
) -> Workload {
    let breathed = |point: &Point| Point::new(point.x, point.y * 1.01, point.z * 0.99);
    let mut now = positions.to_vec();
    let mut next: Vec<Point> = positions.iter().map(breathed).collect();
    Workload::new(items, move || {
        std::mem::swap(&mut now, &mut next);
        set(&mut mesh, &now)?;
        mesh.prepare(needs);
        Ok(usize::from(std::hint::black_box(&mesh).is_prepared(needs)))
    })
}
