//! Continuous detection: time per pair, and per element of a mesh, for motions of some millimetres.

use super::CELLS;
use crate::inputs::{
    ORGAN_RADIUS, Primitive, THREAD_RADIUS, cloud_in_ball, organ, organ_surface_point, ring, thread,
};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::{Choice, Registry};
use palpate::geometry::{Geometry, LineMesh, PointSet, Pose, SurfaceMesh};
use palpate::math::{Point, Vector};
use std::sync::Arc;

/// Number of pairs in one pass.
const PAIRS: usize = 100;

/// Motion of the moving side within the step, metres.
const MOTION: f64 = 0.005;

/// Pairs of bodies that meet, then meshes of growing size.
pub fn motion() -> Vec<Case> {
    let pairs: [(&'static str, &'static str, Make); 4] = [
        ("convex_convex_ccd", "boxes that meet", |size| {
            meeting("convex_convex_ccd", [Primitive::OrientedBox; 2], size)
        }),
        ("convex_convex_ccd", "capsule and hull that meet", |size| {
            meeting("convex_convex_ccd", [Primitive::Capsule, Primitive::Hull], size)
        }),
        ("plane_convex_ccd", "plane and cylinder that meet", |size| {
            meeting("plane_convex_ccd", [Primitive::Plane, Primitive::Cylinder], size)
        }),
        ("implicit_convex_ccd", "ring and sphere that meet", rings_and_spheres),
    ];
    let meshes: [(&'static str, &'static str, Make); 13] = [
        ("point_set_point_set_ccd", "two clouds", |size| {
            moving("point_set_point_set_ccd", size, points, Some(points))
        }),
        ("point_set_line_mesh_ccd", "cloud, tangle", |size| {
            moving("point_set_line_mesh_ccd", size, points, Some(tangle))
        }),
        ("point_set_surface_mesh_ccd", "cloud, organ", |size| {
            moving("point_set_surface_mesh_ccd", size, points, Some(organ_beside))
        }),
        ("point_set_convex_ccd", "cloud, a hull", |size| {
            moving("point_set_convex_ccd", size, points, Some(hull))
        }),
        ("line_mesh_line_mesh_ccd", "two tangles", |size| {
            moving("line_mesh_line_mesh_ccd", size, tangle, Some(tangle))
        }),
        ("line_mesh_line_mesh_ccd", "a tangle with itself", |size| {
            moving("line_mesh_line_mesh_ccd", size, tangle, None)
        }),
        ("line_mesh_surface_mesh_ccd", "tangle, organ", |size| {
            moving("line_mesh_surface_mesh_ccd", size, tangle, Some(organ_beside))
        }),
        ("line_mesh_convex_ccd", "tangle, a hull", |size| {
            moving("line_mesh_convex_ccd", size, tangle, Some(hull))
        }),
        ("surface_mesh_surface_mesh_ccd", "two organs", |size| {
            moving("surface_mesh_surface_mesh_ccd", size, organ_above, Some(organ_beside))
        }),
        ("surface_mesh_convex_ccd", "organ, a hull", |size| {
            moving("surface_mesh_convex_ccd", size, organ_above, Some(hull))
        }),
        ("implicit_point_set_ccd", "ring, cloud", |size| {
            moving("implicit_point_set_ccd", size, torus, Some(points))
        }),
        ("implicit_line_mesh_ccd", "ring, tangle", |size| {
            moving("implicit_line_mesh_ccd", size, torus, Some(tangle))
        }),
        ("implicit_surface_mesh_ccd", "ring, organ", |size| {
            moving("implicit_surface_mesh_ccd", size, torus, Some(organ_above))
        }),
    ];
    let pair = |(name, input, make)| Case { name, input, size: PAIRS, item: "pair", make };
    let mesh =
        |(name, input, make)| [CELLS[0], CELLS[1]].map(|size| Case { name, input, size, item: "cell", make });
    pairs.into_iter().map(pair).chain(meshes.into_iter().flat_map(mesh)).collect()
}

/// Moves a geometry by a vector within the step.
fn advanced(mut geometry: Box<dyn Geometry>, by: &Vector) -> Fallible<Box<dyn Geometry>> {
    geometry.advance();
    let moved: Option<Vec<Point>> =
        geometry.as_points().map(|points| points.positions().iter().map(|point| point + by).collect());
    match (moved, geometry.pose()) {
        (Some(moved), _) => geometry.set_positions(&moved)?,
        (None, pose) => {
            let pose = pose.unwrap_or_else(Pose::identity);
            geometry.set_pose(Pose::translation(by.x, by.y, by.z) * pose)?;
        }
    }
    Ok(geometry)
}

/// Binds the detector, and prepares what it needs.
fn bound(
    registry: &Registry,
    name: &str,
    mut a: Box<dyn Geometry>,
    b: Option<Box<dyn Geometry>>,
) -> Fallible<BoundPair> {
    match b {
        Some(mut b) => {
            let [needs_a, needs_b] = registry.bind(&*a, &*b, Choice::named(name))?.needs();
            a.prepare(needs_a);
            b.prepare(needs_b);
            Ok(BoundPair::new(registry, name, Arc::from(a), Arc::from(b))?)
        }
        None => {
            let [needs, _] = registry.bind_self(&*a, Choice::named(name))?.needs();
            a.prepare(needs);
            Ok(BoundPair::itself(registry, name, Arc::from(a))?)
        }
    }
}

/// Makes one side of a case at a size.
type MakeSide = fn(&mut Sample, usize) -> Fallible<Box<dyn Geometry>>;

/// One side moves down, the other up; or one alone moves down and is detected with itself.
fn moving(name: &'static str, size: usize, a: MakeSide, b: Option<MakeSide>) -> Fallible<Workload> {
    let mut sample = Sample::new(41);
    let down = Vector::y() * -MOTION;
    let (a, b) = (a(&mut sample, size)?, b.map(|b| b(&mut sample, size)).transpose()?);
    let a = match b {
        Some(_) => advanced(a, &down)?,
        // Every vertex moves in its own direction: a rigid motion would leave nothing to find between the parts.
        None => scattered(a, &mut sample)?,
    };
    let b = b.map(|b| advanced(b, &(down * -0.5))).transpose()?;
    Ok(Workload::of_pairs(size, vec![bound(&Registry::standard(), name, a, b)?]))
}

/// Moves every vertex in a direction of its own.
fn scattered(mut geometry: Box<dyn Geometry>, sample: &mut Sample) -> Fallible<Box<dyn Geometry>> {
    geometry.advance();
    let positions = geometry.as_points().map_or(&[][..], |points| points.positions());
    let moved: Vec<Point> = positions.iter().map(|point| point + sample.in_ball() * MOTION).collect();
    geometry.set_positions(&moved)?;
    Ok(geometry)
}

/// Pairs of two shapes that meet in the step.
fn meeting(name: &'static str, kinds: [Primitive; 2], size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(42);
    Workload::of_touching(size, || {
        let mut side = |kind: Primitive| {
            let shape = kind.sample(&mut sample, Point::origin(), 0.05)?.palpate;
            advanced(shape, &(sample.in_ball() * (4.0 * MOTION)))
        };
        let [a, b] = [side(kinds[0])?, side(kinds[1])?];
        bound(&registry, name, a, Some(b))
    })
}

fn rings_and_spheres(size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(43);
    Workload::of_touching(size, || {
        let body: Box<dyn Geometry> = Box::new(ring(&mut sample, Point::origin())?);
        let ball = Primitive::Sphere.sample(&mut sample, Point::origin(), 0.03)?.palpate;
        let by = sample.in_ball() * (4.0 * MOTION);
        bound(&registry, "implicit_convex_ccd", body, Some(advanced(ball, &by)?))
    })
}

/// Particles at constant density.
fn points(sample: &mut Sample, count: usize) -> Fallible<Box<dyn Geometry>> {
    let reach = 0.02 * (count as f64 / CELLS[0] as f64).cbrt();
    let cloud = cloud_in_ball(sample, Point::origin(), reach, count);
    Ok(Box::new(PointSet::new(cloud)?.with_radius(THREAD_RADIUS)?))
}

fn tangle(sample: &mut Sample, segments: usize) -> Fallible<Box<dyn Geometry>> {
    Ok(Box::new(LineMesh::polyline(thread(sample, segments))?.with_radius(THREAD_RADIUS)?))
}

/// An organ of which the surface goes through the origin.
fn organ_beside(_: &mut Sample, triangles: usize) -> Fallible<Box<dyn Geometry>> {
    let (positions, triangles) = organ(triangles);
    let place = organ_surface_point(&Vector::y());
    let positions = positions.into_iter().map(|point| point - place.coords).collect();
    Ok(Box::new(SurfaceMesh::new(positions, triangles)?))
}

/// The organ upside down, above the origin.
fn organ_above(sample: &mut Sample, triangles: usize) -> Fallible<Box<dyn Geometry>> {
    let mut below = organ_beside(sample, triangles)?;
    let turned: Vec<Point> = below
        .as_points()
        .map_or(&[][..], |points| points.positions())
        .iter()
        .map(|point| Point::new(point.x, 0.2 * MOTION - point.y, -point.z))
        .collect();
    below.set_positions(&turned)?;
    Ok(below)
}

fn hull(sample: &mut Sample, _: usize) -> Fallible<Box<dyn Geometry>> {
    Ok(Primitive::Hull.sample(sample, Point::origin(), 0.0)?.palpate)
}

fn torus(sample: &mut Sample, _: usize) -> Fallible<Box<dyn Geometry>> {
    Ok(Box::new(ring(sample, Point::origin() + Vector::y() * (0.02 * ORGAN_RADIUS))?))
}
