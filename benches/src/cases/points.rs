//! Points against solids: time per vertex.

use super::VERTICES;
use crate::inputs::{
    ORGAN_RADIUS, Primitive, THREAD_RADIUS, cloud_in_ball, cloud_in_box, organ, organ_surface_point, thread,
    tissue,
};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload, parry};
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use palpate::detect::Registry;
use palpate::geometry::{Convex, Geometry, LineMesh, Needs, PointSet, Pose, SurfaceMesh, TetraMesh};
use palpate::math::{Aabb, Point, Vector};
use parry3d_f64::glamx::DPose3;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::ConvexPolyhedron;
use std::hint::black_box;
use std::sync::Arc;

/// Number of cells of the meshes that the points are tested against.
const CELLS: usize = 10_000;

/// The radius of a particle in metres.
const PARTICLE_RADIUS: f64 = 0.0005;

/// The radius of a spherical cloud, per cube root of its number of particles, in metres.
const PARTICLE_SPACE: f64 = 0.001;

/// Clouds of growing size, partly inside the solid.
pub fn points() -> Vec<Case> {
    let makes: [(&'static str, Make); 11] = [
        ("point_set_plane", |size| in_primitive("point_set_plane", Primitive::Plane, size)),
        ("point_set_sphere", |size| in_primitive("point_set_sphere", Primitive::Sphere, size)),
        ("point_set_capsule", |size| in_primitive("point_set_capsule", Primitive::Capsule, size)),
        ("point_set_cylinder", |size| in_primitive("point_set_cylinder", Primitive::Cylinder, size)),
        ("point_set_oriented_box", |size| {
            in_primitive("point_set_oriented_box", Primitive::OrientedBox, size)
        }),
        ("point_set_convex", in_hull),
        ("point_set_point_set", near_points),
        ("point_set_line_mesh", near_thread),
        ("point_set_surface_mesh", in_organ),
        ("point_set_tetra_mesh", in_tissue),
        ("signed distance", distances),
    ];
    let input = |name| match name {
        "point_set_surface_mesh" | "signed distance" => "organ of 10k triangles",
        "point_set_tetra_mesh" => "tissue of 10k tetrahedra",
        "point_set_convex" => "hull of 64 vertices",
        "point_set_point_set" => "two clouds",
        "point_set_line_mesh" => "tangle of as many segments",
        _ => "cloud",
    };
    let case =
        |(name, make)| VERTICES.map(|size| Case { name, input: input(name), size, item: "vertex", make });
    let itself = VERTICES.map(|size| {
        let (name, input, item) = ("point_set_point_set", "a cloud with itself", "vertex");
        Case { name, input, size, item, make: near_itself }
    });
    makes.into_iter().flat_map(case).chain(itself).collect()
}

/// A cloud over the box of a hull of 64 vertices.
fn in_hull(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(13);
    let corners: Vec<Point> = (0..64).map(|_| Point::from(sample.direction() * 0.01)).collect();
    let peer = ConvexPolyhedron::from_convex_hull(&parry::vectors(&corners)).ok_or("the hull is flat")?;
    let hull = Convex::new(Pose::identity(), &corners)?;
    let cloud = cloud_in_box(&mut sample, &hull.bounds(), size);
    let queries = parry::vectors(&cloud);
    let points: Arc<dyn Geometry> = Arc::new(PointSet::new(cloud)?);
    let pair = BoundPair::new(&Registry::standard(), "point_set_convex", points, Arc::new(hull))?;
    Ok(Workload::of_pairs(size, vec![pair]).beside("project_point", move || {
        let pose = DPose3::identity();
        let inside = |query: &&_| black_box(peer.project_point(&pose, **query, false)).is_inside;
        queries.iter().filter(inside).count()
    }))
}

/// A prepared cloud of particles in a ball that grows with their number: about one neighbour each.
fn particles(sample: &mut Sample, size: usize) -> Fallible<(PointSet, Vec<[f64; 3]>)> {
    let cloud = cloud_in_ball(sample, Point::origin(), PARTICLE_SPACE * (size as f64).cbrt(), size);
    let plain = cloud.iter().map(|point| point.coords.into()).collect();
    let mut points = PointSet::new(cloud)?.with_radius(PARTICLE_RADIUS)?;
    points.prepare(Needs::TREE);
    Ok((points, plain))
}

/// Two coincident clouds; compared with a k-d tree over the second.
fn near_points(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(14);
    let (a, queries) = particles(&mut sample, size)?;
    let (b, plain) = particles(&mut sample, size)?;
    let tree = ImmutableKdTree::<f64, 3>::new_from_slice(&plain)?;
    let pair = BoundPair::new(&Registry::standard(), "point_set_point_set", Arc::new(a), Arc::new(b))?;
    let reach = 2.0 * PARTICLE_RADIUS;
    Ok(Workload::of_pairs(size, vec![pair]).beside("kiddo's within", move || {
        let near = |query: &[f64; 3]| {
            tree.query(query).within::<SquaredEuclidean<f64>>(reach * reach).unsorted().execute().len()
        };
        queries.iter().map(near).sum()
    }))
}

fn near_itself(size: usize) -> Fallible<Workload> {
    let (points, _) = particles(&mut Sample::new(15), size)?;
    let pair = BoundPair::itself(&Registry::standard(), "point_set_point_set", Arc::new(points))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

/// A cloud among the segments of a thread.
fn near_thread(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(16);
    let mut lines = LineMesh::polyline(thread(&mut sample, size))?.with_radius(THREAD_RADIUS)?;
    lines.prepare(Needs::TREE);
    let cloud = cloud_in_box(&mut sample, &lines.bounds(), size);
    let points = PointSet::new(cloud)?.with_radius(PARTICLE_RADIUS)?;
    let pair =
        BoundPair::new(&Registry::standard(), "point_set_line_mesh", Arc::new(points), Arc::new(lines))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

/// A cloud over the box of a primitive, or in a cube centred on a plane.
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
    let pair = BoundPair::new(&Registry::standard(), name, points, Arc::from(solid.palpate))?;
    let (pose, shape) = (solid.pose, solid.parry);
    Ok(Workload::of_pairs(size, vec![pair]).beside("project_point", move || {
        let inside = |query: &&_| black_box(shape.project_point(&pose, **query, false)).is_inside;
        queries.iter().filter(inside).count()
    }))
}

/// A ball of points, half of them inside an organ.
fn in_organ(size: usize) -> Fallible<Workload> {
    let (positions, triangles) = organ(CELLS);
    let peer = parry::oriented(&positions, &triangles)?;
    // Along a diagonal, so that the organ's box does not already separate the outer points.
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

/// A ball of points, half of them inside a block of tissue.
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

/// The signed distance of points throughout an organ's box, as a function of the surface: no detector, no contacts.
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
