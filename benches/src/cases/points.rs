//! Points against solids: time per vertex.

use super::VERTICES;
use crate::inputs::{
    ORGAN_RADIUS, Primitive, cloud_in_ball, cloud_in_box, organ, organ_surface_point, tissue,
};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload, parry};
use palpate::detect::Registry;
use palpate::geometry::{Geometry, Needs, PointSet, SurfaceMesh, TetraMesh};
use palpate::math::{Aabb, Point, Vector};
use parry3d_f64::glamx::DPose3;
use parry3d_f64::query::PointQuery;
use std::hint::black_box;
use std::sync::Arc;

/// The cells of the meshes that the points are put against.
const CELLS: usize = 10_000;

/// Clouds of growing size, part of them inside of the solid.
pub fn points() -> Vec<Case> {
    let makes: [(&'static str, Make); 8] = [
        ("point_set_plane", |size| in_primitive("point_set_plane", Primitive::Plane, size)),
        ("point_set_sphere", |size| in_primitive("point_set_sphere", Primitive::Sphere, size)),
        ("point_set_capsule", |size| in_primitive("point_set_capsule", Primitive::Capsule, size)),
        ("point_set_cylinder", |size| in_primitive("point_set_cylinder", Primitive::Cylinder, size)),
        ("point_set_oriented_box", |size| {
            in_primitive("point_set_oriented_box", Primitive::OrientedBox, size)
        }),
        ("point_set_surface_mesh", in_organ),
        ("point_set_tetra_mesh", in_tissue),
        ("signed distance", distances),
    ];
    let input = |name| match name {
        "point_set_surface_mesh" | "signed distance" => "organ of 10k triangles",
        "point_set_tetra_mesh" => "tissue of 10k tetrahedra",
        _ => "cloud",
    };
    let case =
        |(name, make)| VERTICES.map(|size| Case { name, input: input(name), size, item: "vertex", make });
    makes.into_iter().flat_map(case).collect()
}

/// A cloud over the box of a primitive, and as far again beyond a plane.
fn in_primitive(name: &'static str, kind: Primitive, size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(2);
    let solid = kind.sample(&mut sample, Point::new(0.3, -0.2, 0.1), 0.0)?;
    let bounds = match kind {
        Primitive::Plane => Aabb::from_point(Point::new(0.3, -0.2, 0.1)).grown(0.05),
        _ => solid.palpate.bounds(),
    };
    let cloud = cloud_in_box(&mut sample, &bounds, size);
    let queries = parry::vectors(&cloud);
    let points: Arc<dyn Geometry> = Arc::new(PointSet::new(cloud)?);
    let pair = BoundPair::new(&Registry::standard(), name, points, solid.palpate)?;
    let (pose, shape) = (solid.pose, solid.parry);
    Ok(Workload::of_pairs(size, vec![pair]).beside("project_point", move || {
        let inside = |query: &&_| black_box(shape.project_point(&pose, **query, false)).is_inside;
        queries.iter().filter(inside).count()
    }))
}

/// A ball of points, half of them dipped into an organ.
fn in_organ(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(CELLS);
    let peer = parry::oriented(&positions, &triangles)?;
    // In a diagonal direction, so that the organ's box does not tell who is outside.
    let middle = organ_surface_point(&Vector::repeat(1.0).normalize());
    let cloud = cloud_in_ball(&mut Sample::new(3), middle, 0.2 * ORGAN_RADIUS, size);
    let queries = parry::vectors(&cloud);
    let mut surface = SurfaceMesh::new(positions, triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let points: Arc<dyn Geometry> = Arc::new(PointSet::new(cloud)?);
    let pair = BoundPair::new(&Registry::standard(), "point_set_surface_mesh", points, Arc::new(surface))?;
    Ok(Workload::of_pairs(size, vec![pair]).beside("project_point", move || {
        let pose = DPose3::identity();
        let inside = |query: &&_| black_box(peer.project_point(&pose, **query, false)).is_inside;
        queries.iter().filter(inside).count()
    }))
}

/// A ball of points, half of them dipped into a block of tissue.
fn in_tissue(size: usize) -> Fallible<Workload> {
    let (positions, cells) = tissue(CELLS);
    let mut mesh = TetraMesh::new(positions, cells)?;
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let reach = mesh.bounds().max;
    let cloud = cloud_in_ball(&mut Sample::new(4), Point::new(0.0, 0.0, reach.z), 0.2 * reach.z, size);
    let points: Arc<dyn Geometry> = Arc::new(PointSet::new(cloud)?);
    let pair = BoundPair::new(&Registry::standard(), "point_set_tetra_mesh", points, Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

/// The signed distance of points all over an organ's box, as a function of the surface: no detector, no contacts.
fn distances(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(CELLS);
    let peer = parry::oriented(&positions, &triangles)?;
    let mut surface = SurfaceMesh::new(positions, triangles)?;
    surface.prepare(Needs::TREE | Needs::NORMALS);
    let cloud = cloud_in_box(&mut Sample::new(5), &surface.bounds(), size);
    let queries = parry::vectors(&cloud);
    let inside = move |point: &&Point| {
        let answer = black_box(surface.signed_distance(point, f64::INFINITY));
        answer.is_some_and(|(signed, _)| signed.distance < 0.0)
    };
    Ok(Workload::new(size, move || Ok(cloud.iter().filter(&inside).count())).beside(
        "project_point",
        move || {
            let inside = |query: &&_| black_box(peer.project_local_point(**query, false)).is_inside;
            queries.iter().filter(inside).count()
        },
    ))
}
