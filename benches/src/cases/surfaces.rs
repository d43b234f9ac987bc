//! Surfaces against round bodies and against each other: time per triangle.

use super::CELLS;
use crate::inputs::{ORGAN_RADIUS, Posed, Primitive, organ, organ_surface_point};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload, parry};
use palpate::detect::Registry;
use palpate::geometry::{Geometry, Needs, SurfaceMesh};
use palpate::math::{Point, Vector};
use parry3d_f64::glamx::DPose3;
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher, contact};
use parry3d_f64::shape::{Shape, TriMesh};
use serde_json::{Value, json};
use std::sync::Arc;

/// Number of primitives for an organ: one alone would test only its own surroundings.
const PRIMITIVES: usize = 16;

/// One organ, increasingly refined.
pub fn surfaces() -> Vec<Case> {
    let makes: [(&'static str, &'static str, Make); 10] = [
        ("surface_mesh_sphere", "organ, 16 spheres", |size| {
            against("surface_mesh_sphere", Primitive::Sphere, size)
        }),
        ("surface_mesh_capsule", "organ, 16 capsules", |size| {
            against("surface_mesh_capsule", Primitive::Capsule, size)
        }),
        ("closed_surface_mesh_capsule", "organ, 16 capsules", |size| {
            against("closed_surface_mesh_capsule", Primitive::Capsule, size)
        }),
        ("surface_mesh_convex", "organ, 16 boxes", |size| {
            against("surface_mesh_convex", Primitive::OrientedBox, size)
        }),
        ("surface_mesh_convex", "organ, 16 cylinders", |size| {
            against("surface_mesh_convex", Primitive::Cylinder, size)
        }),
        ("surface_mesh_convex", "organ, 16 hulls", |size| {
            against("surface_mesh_convex", Primitive::Hull, size)
        }),
        ("point_set_plane", "organ, 16 planes", |size| against("point_set_plane", Primitive::Plane, size)),
        ("closed_surface_mesh_surface_mesh", "two organs", |size| {
            two_organs("closed_surface_mesh_surface_mesh", &json!({}), size)
        }),
        ("closed_surface_mesh_surface_mesh", "two organs, vertices alone", |size| {
            two_organs("closed_surface_mesh_surface_mesh", &json!({ "edges": false }), size)
        }),
        ("surface_mesh_surface_mesh", "two organs", |size| {
            two_organs("surface_mesh_surface_mesh", &json!({}), size)
        }),
    ];
    let case = |(name, input, make)| CELLS.map(|size| Case { name, input, size, item: "triangle", make });
    makes.into_iter().flat_map(case).collect()
}

/// A prepared organ of `size` triangles, centred at `at`.
fn prepared(size: usize, at: Vector) -> Fallible<SurfaceMesh> {
    let (positions, triangles) = organ(size);
    let moved = positions.into_iter().map(|position| position + at).collect();
    let mut surface = SurfaceMesh::new(moved, triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    Ok(surface)
}

/// Primitives whose centres lie near the organ's surface.
fn against(name: &'static str, kind: Primitive, size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(10);
    let registry = Registry::standard();
    let surface = prepared(size, Vector::zeros())?;
    let peer = parry::oriented(surface.points().positions(), surface.triangles())?;
    let triangles = surface.triangles().len();
    let surface: Arc<dyn Geometry> = Arc::new(surface);
    let (mut pairs, mut shapes) = (Vec::new(), Vec::new());
    for _ in 0..PRIMITIVES {
        let Posed { palpate, pose, parry } = on_surface(kind, &mut sample)?;
        pairs.push(BoundPair::new(&registry, name, surface.clone(), Arc::from(palpate))?);
        shapes.push((pose, parry));
    }
    let workload = Workload::of_pairs(PRIMITIVES * triangles, pairs);
    if matches!(kind, Primitive::OrientedBox | Primitive::Cylinder | Primitive::Hull) {
        return Ok(workload.beside("contact_manifolds", manifolds(peer, shapes)));
    }
    Ok(workload.beside("contact, deepest only", move || {
        let still = DPose3::identity();
        let answers = shapes.iter().map(|(pose, shape)| contact(&still, &peer, pose, &**shape, 0.0));
        answers.filter(|answer| matches!(std::hint::black_box(answer), Ok(Some(_)))).count()
    }))
}

/// All points of contact of a mesh and each shape. The list of manifolds keeps its buffers, but not the points,
/// which parry would only update.
fn manifolds(mesh: TriMesh, shapes: Vec<(DPose3, Box<dyn Shape>)>) -> impl FnMut() -> usize {
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    move || {
        let mut touching = 0;
        for (pose, shape) in &shapes {
            manifolds.clear();
            let asked = DefaultQueryDispatcher.contact_manifolds(
                pose,
                &mesh,
                &**shape,
                0.0,
                &mut manifolds,
                &mut None,
            );
            let found = std::hint::black_box(&manifolds).iter().any(|manifold| !manifold.points.is_empty());
            touching += usize::from(asked.is_ok() && found);
        }
        touching
    }
}

fn on_surface(kind: Primitive, sample: &mut Sample) -> Fallible<Posed> {
    let near: Point = organ_surface_point(&sample.direction());
    kind.sample(sample, near, 0.05 * ORGAN_RADIUS)
}

/// Two organs that overlap by a few per cent of their size.
fn two_organs(name: &'static str, settings: &Value, size: usize) -> Fallible<Workload> {
    let a = prepared(size, Vector::zeros())?;
    let b = prepared(size, Vector::new(0.3, 1.1, 1.3) * ORGAN_RADIUS)?;
    let triangles = a.triangles().len() + b.triangles().len();
    let pair = BoundPair::with_settings(&Registry::standard(), name, settings, Arc::new(a), Arc::new(b))?;
    Ok(Workload::of_pairs(triangles, vec![pair]))
}
