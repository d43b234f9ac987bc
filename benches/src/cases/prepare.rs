//! Derived data of a mesh that has moved: time per cell.

use super::CELLS;
use crate::inputs::{THREAD_RADIUS, organ, thread, tissue};
use crate::sample::Sample;
use crate::workload::Make;
use crate::{Case, Fallible, Workload};
use palpate::geometry::{Geometry, GeometryError, LineMesh, Needs, SurfaceMesh, TetraMesh};
use palpate::math::Point;

/// New positions and then `prepare`, as a step does it for a deforming organ.
pub fn prepare() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 3] = [
        ("move and prepare line_mesh", "segment", move_thread),
        ("move and prepare surface_mesh", "triangle", move_organ),
        ("move and prepare tetra_mesh", "tetrahedron", move_tissue),
    ];
    let case = |(name, item, make)| CELLS.map(|size| Case { name, input: "breathing", size, item, make });
    makes.into_iter().flat_map(case).collect()
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

/// A mesh that is set to two sets of positions in turn; what is counted is the passes that left it prepared.
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
