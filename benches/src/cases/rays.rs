//! Rays against a surface: time per ray.

use super::VERTICES;
use crate::inputs::{cloud_in_box, organ};
use crate::sample::Sample;
use crate::{Case, Fallible, Workload, parry};
use palpate::geometry::pick::{Ray, first_hit};
use palpate::geometry::{Geometry, Needs, SurfaceMesh};
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape::TriMesh;
use std::hint::black_box;

/// Number of triangles of the organ.
const CELLS: usize = 10_000;

/// From all around an organ toward points in its box: the first hit.
pub fn rays() -> Vec<Case> {
    let case = |size| Case { name: "first hit", input: "organ", size, item: "ray", make: at_organ };
    VERTICES[..3].iter().copied().map(case).collect()
}

fn at_organ(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(CELLS);
    let peer = TriMesh::new(parry::vectors(&positions), triangles.clone())?;
    let mut surface = SurfaceMesh::new(positions, triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let mut sample = Sample::new(6);
    let bounds = surface.bounds();
    let targets = cloud_in_box(&mut sample, &bounds, size);
    let origins = cloud_in_box(&mut sample, &bounds, size);
    let middle = bounds.center();
    let reach = 2.0 * bounds.diagonal_length();
    let from = |place: &palpate::math::Point| middle + (place - middle).normalize() * reach;
    let rays = origins
        .iter()
        .zip(&targets)
        .map(|(origin, target)| Ray::new(from(origin), target - from(origin), f64::INFINITY))
        .collect::<Result<Vec<_>, _>>()?;
    let casts: Vec<ParryRay> = rays
        .iter()
        .map(|ray| {
            let direction = palpate::math::Point::from(ray.direction());
            ParryRay::new(parry::vector(&ray.origin()), parry::vector(&direction))
        })
        .collect();
    let ask = move || {
        let mut met = 0;
        for ray in &rays {
            met += usize::from(black_box(first_hit(&surface, ray)?).is_some());
        }
        Ok(met)
    };
    let ask_peer = move || {
        let met = |ray: &&ParryRay| black_box(peer.cast_local_ray(ray, f64::MAX, false)).is_some();
        casts.iter().filter(met).count()
    };
    Ok(Workload::new(size, ask).beside("cast_ray", ask_peer))
}
