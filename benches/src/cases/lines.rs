//! Threads against other geometries: time per segment.

use super::CELLS;
use crate::inputs::{Primitive, THREAD_RADIUS, organ, organ_surface_point, thread, tissue};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::Registry;
use palpate::geometry::{Geometry, LineMesh, Needs, SurfaceMesh, TetraMesh};
use palpate::math::{Point, Vector};
use std::sync::Arc;

/// Number of primitives for a thread: one alone would test only its own surroundings.
const PRIMITIVES: usize = 16;

/// Threads of growing length, tangled at the same density.
pub fn lines() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 10] = [
        ("line_mesh_sphere", "tangle, 16 spheres", |size| {
            against("line_mesh_sphere", Primitive::Sphere, size)
        }),
        ("line_mesh_capsule", "tangle, 16 capsules", |size| {
            against("line_mesh_capsule", Primitive::Capsule, size)
        }),
        ("line_mesh_convex", "tangle, 16 cylinders", |size| {
            against("line_mesh_convex", Primitive::Cylinder, size)
        }),
        ("line_mesh_convex", "tangle, 16 boxes", |size| {
            against("line_mesh_convex", Primitive::OrientedBox, size)
        }),
        ("line_mesh_convex", "tangle, 16 hulls", |size| against("line_mesh_convex", Primitive::Hull, size)),
        ("point_set_plane", "tangle, 16 planes", |size| against("point_set_plane", Primitive::Plane, size)),
        ("line_mesh_line_mesh", "two tangles", two_threads),
        ("line_mesh_line_mesh", "a tangle with itself", with_itself),
        ("line_mesh_surface_mesh", "tangle, as many triangles", over_organ),
        ("line_mesh_tetra_mesh", "tangle, as many tetrahedra", through_tissue),
    ];
    let case = |(name, input, make)| CELLS.map(|size| Case { name, input, size, item: "segment", make });
    makes.into_iter().flat_map(case).collect()
}

/// A prepared thread.
fn prepared(sample: &mut Sample, segments: usize) -> Fallible<Arc<dyn Geometry>> {
    let mut mesh = LineMesh::polyline(thread(sample, segments))?.with_radius(THREAD_RADIUS)?;
    mesh.prepare(Needs::TREE);
    Ok(Arc::new(mesh))
}

fn against(name: &'static str, kind: Primitive, size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(6);
    let registry = Registry::standard();
    let thread = prepared(&mut sample, size)?;
    let half = 0.5 * thread.bounds().max.coords.amax();
    let pairs = (0..PRIMITIVES).map(|_| {
        let solid = kind.sample(&mut sample, Point::origin(), half)?;
        Ok(BoundPair::new(&registry, name, thread.clone(), Arc::from(solid.palpate))?)
    });
    Ok(Workload::of_pairs(PRIMITIVES * size, pairs.collect::<Fallible<_>>()?))
}

fn two_threads(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(7);
    let (a, b) = (prepared(&mut sample, size)?, prepared(&mut sample, size)?);
    let pair = BoundPair::new(&Registry::standard(), "line_mesh_line_mesh", a, b)?;
    Ok(Workload::of_pairs(2 * size, vec![pair]))
}

fn with_itself(size: usize) -> Fallible<Workload> {
    let thread = prepared(&mut Sample::new(8), size)?;
    let pair = BoundPair::itself(&Registry::standard(), "line_mesh_line_mesh", thread)?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

/// A tangle half inside an organ, half above it.
fn over_organ(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(17);
    let (positions, triangles) = organ(size);
    let mut surface = SurfaceMesh::new(positions, triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let middle = organ_surface_point(&Vector::repeat(1.0).normalize());
    let there = thread(&mut sample, size).into_iter().map(|point| middle + point.coords).collect();
    let mut lines = LineMesh::polyline(there)?.with_radius(THREAD_RADIUS)?;
    lines.prepare(Needs::TREE);
    let (a, b) = (Arc::new(lines), Arc::new(surface));
    let pair = BoundPair::new(&Registry::standard(), "line_mesh_surface_mesh", a, b)?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

fn through_tissue(size: usize) -> Fallible<Workload> {
    let thread = prepared(&mut Sample::new(9), size)?;
    let (positions, cells) = tissue(size);
    let mut mesh = TetraMesh::new(positions, cells)?;
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let pair = BoundPair::new(&Registry::standard(), "line_mesh_tetra_mesh", thread, Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}
