//! Tetrahedral meshes against primitives: time per tetrahedron.

use super::CELLS;
use crate::inputs::{Posed, Primitive, organ, tissue};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::Registry;
use palpate::geometry::{Geometry, Needs, SurfaceMesh, TetraMesh};
use palpate::math::{Point, Vector};
use std::sync::Arc;

/// Number of primitives for a block of tissue.
const PRIMITIVES: usize = 16;

/// One block of tissue of increasing size.
pub fn volumes() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 8] = [
        ("tetra_mesh_sphere", "tissue, 16 spheres", |size| {
            against("tetra_mesh_sphere", Primitive::Sphere, size)
        }),
        ("tetra_mesh_capsule", "tissue, 16 capsules", |size| {
            against("tetra_mesh_capsule", Primitive::Capsule, size)
        }),
        ("tetra_mesh_convex", "tissue, 16 boxes", |size| {
            against("tetra_mesh_convex", Primitive::OrientedBox, size)
        }),
        ("tetra_mesh_convex", "tissue, 16 cylinders", |size| {
            against("tetra_mesh_convex", Primitive::Cylinder, size)
        }),
        ("tetra_mesh_convex", "tissue, 16 hulls", |size| against("tetra_mesh_convex", Primitive::Hull, size)),
        ("point_set_plane", "tissue, 16 planes", |size| against("point_set_plane", Primitive::Plane, size)),
        ("tetra_mesh_tetra_mesh", "two blocks of tissue", two_blocks),
        ("surface_mesh_tetra_mesh", "organ in tissue", organ_in_tissue),
    ];
    let case = |(name, input, make)| CELLS.map(|size| Case { name, input, size, item: "tetrahedron", make });
    makes.into_iter().flat_map(case).collect()
}

/// Primitives whose centres lie near the centre of the tissue's upper face.
fn against(name: &'static str, kind: Primitive, size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(12);
    let registry = Registry::standard();
    let mesh = block(size, Vector::zeros())?;
    let reach = mesh.bounds().max.z;
    let tetrahedra = mesh.cells().len();
    let mesh: Arc<dyn Geometry> = Arc::new(mesh);
    let mut pairs = Vec::new();
    for _ in 0..PRIMITIVES {
        let Posed { palpate, .. } = kind.sample(&mut sample, Point::new(0.0, 0.0, reach), 0.2 * reach)?;
        pairs.push(BoundPair::new(&registry, name, mesh.clone(), Arc::from(palpate))?);
    }
    Ok(Workload::of_pairs(PRIMITIVES * tetrahedra, pairs))
}

/// A block of tissue, prepared, moved by `by` times its half size.
fn block(size: usize, by: Vector) -> Fallible<TetraMesh> {
    let (positions, cells) = tissue(size);
    let reach = positions.iter().fold(0.0_f64, |reach, position| reach.max(position.coords.amax()));
    let moved = positions.into_iter().map(|position| position + by * reach).collect();
    let mut mesh = TetraMesh::new(moved, cells)?;
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    Ok(mesh)
}

/// Two blocks of tissue that overlap at a corner.
fn two_blocks(size: usize) -> Fallible<Workload> {
    let (a, b) = (block(size, Vector::zeros())?, block(size, Vector::new(1.6, 1.55, 1.65))?);
    let tetrahedra = a.cells().len() + b.cells().len();
    let pair = BoundPair::new(&Registry::standard(), "tetra_mesh_tetra_mesh", Arc::new(a), Arc::new(b))?;
    Ok(Workload::of_pairs(tetrahedra, vec![pair]))
}

/// An organ with as many triangles, scaled to the tissue, a few per cent of it inside.
fn organ_in_tissue(size: usize) -> Fallible<Workload> {
    let mesh = block(size, Vector::zeros())?;
    let (positions, triangles) = organ(size);
    let (reach, own) =
        (mesh.bounds().max.z, positions.iter().fold(0.0_f64, |most, p| most.max(p.coords.norm())));
    let placed = |p: Point| Point::from(p.coords * (reach / own)) + Vector::new(0.1, 0.2, 1.6) * reach;
    let mut surface = SurfaceMesh::new(positions.into_iter().map(placed).collect(), triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let cells = mesh.cells().len() + surface.triangles().len();
    let name = "surface_mesh_tetra_mesh";
    let pair = BoundPair::new(&Registry::standard(), name, Arc::new(surface), Arc::new(mesh))?;
    Ok(Workload::of_pairs(cells, vec![pair]))
}
