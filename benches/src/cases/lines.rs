//! Threads against what they run through: time per segment.

use super::CELLS;
use crate::inputs::{Primitive, THREAD_RADIUS, thread, tissue};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::Registry;
use palpate::geometry::{Geometry, LineMesh, Needs, TetraMesh};
use palpate::math::Point;
use std::sync::Arc;

/// How many primitives a thread is put against: one would show only its own surroundings.
const PRIMITIVES: usize = 16;

/// Threads of growing length, tangled at the same density.
pub fn lines() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 5] = [
        ("line_mesh_sphere", "tangle, 16 spheres", |size| {
            against("line_mesh_sphere", Primitive::Sphere, size)
        }),
        ("line_mesh_capsule", "tangle, 16 capsules", |size| {
            against("line_mesh_capsule", Primitive::Capsule, size)
        }),
        ("line_mesh_line_mesh", "two tangles", two_threads),
        ("line_mesh_line_mesh", "a tangle with itself", with_itself),
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
        Ok(BoundPair::new(&registry, name, thread.clone(), solid.palpate)?)
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

fn through_tissue(size: usize) -> Fallible<Workload> {
    let thread = prepared(&mut Sample::new(9), size)?;
    let (positions, cells) = tissue(size);
    let mut mesh = TetraMesh::new(positions, cells)?;
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let pair = BoundPair::new(&Registry::standard(), "line_mesh_tetra_mesh", thread, Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}
