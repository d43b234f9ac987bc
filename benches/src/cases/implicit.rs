//! Implicit bodies against all other kinds: time per pair, and per element of a mesh.

use super::{CELLS, VERTICES};
use crate::inputs::{
    ORGAN_RADIUS, Primitive, RING, THREAD_RADIUS, cloud_in_box, organ, ring, thread, tissue,
};
use crate::sample::Sample;
use crate::workload::{BoundPair, Make};
use crate::{Case, Fallible, Workload};
use palpate::detect::Registry;
use palpate::geometry::implicit::{Grid, ImplicitFunction, Intersection, SmoothUnion};
use palpate::geometry::{
    Capsule, Ellipsoid, Geometry, ImplicitBody, LineMesh, Needs, OrientedBox, PointSet, Pose, Sphere,
    SurfaceMesh, TetraMesh,
};
use palpate::math::{Aabb, Point, Vector};
use std::sync::Arc;

/// Number of pairs in one pass.
const PAIRS: usize = 100;

/// Samples of a grid along each axis.
const GRID: usize = 16;
const FINE_GRID: usize = 64;

/// Pairs that touch, then meshes of growing size around one body.
pub fn implicit() -> Vec<Case> {
    let pairs: [(&'static str, &'static str, Make); 32] = [
        ("implicit_sphere", "ring, touching", |size| touching("implicit_sphere", Primitive::Sphere, size)),
        ("implicit_capsule", "ring, touching", |size| touching("implicit_capsule", Primitive::Capsule, size)),
        ("implicit_plane", "ring, touching", |size| touching("implicit_plane", Primitive::Plane, size)),
        ("implicit_convex", "ring on box, touching", |size| {
            touching("implicit_convex", Primitive::OrientedBox, size)
        }),
        ("implicit_convex", "ring on cylinder, touching", |size| {
            touching("implicit_convex", Primitive::Cylinder, size)
        }),
        ("implicit_convex", "ring on hull, touching", |size| {
            touching("implicit_convex", Primitive::Hull, size)
        }),
        ("implicit_implicit", "two rings, touching", |size| two(ring_near, size)),
        ("implicit_capsule", "grid, touching", |size| {
            of_touching("implicit_capsule", sampled_ring_near, Primitive::Capsule, size)
        }),
        ("implicit_convex", "grid on box, touching", |size| {
            of_touching("implicit_convex", sampled_ring_near, Primitive::OrientedBox, size)
        }),
        ("implicit_convex", "grid on cylinder, touching", |size| {
            of_touching("implicit_convex", sampled_ring_near, Primitive::Cylinder, size)
        }),
        ("implicit_convex", "grid on hull, touching", |size| {
            of_touching("implicit_convex", sampled_ring_near, Primitive::Hull, size)
        }),
        ("implicit_implicit", "two grids, touching", |size| two(sampled_ring_near, size)),
        ("implicit_implicit", "two turned grids, touching", |size| two(turned_grid_near, size)),
        ("implicit_sphere", "drilled block, touching", |size| {
            of_touching("implicit_sphere", drilled_block_near, Primitive::Sphere, size)
        }),
        ("implicit_capsule", "drilled block, touching", |size| {
            of_touching("implicit_capsule", drilled_block_near, Primitive::Capsule, size)
        }),
        ("implicit_convex", "drilled block on box, touching", |size| {
            of_touching("implicit_convex", drilled_block_near, Primitive::OrientedBox, size)
        }),
        ("implicit_convex", "drilled block on cylinder, touching", |size| {
            of_touching("implicit_convex", drilled_block_near, Primitive::Cylinder, size)
        }),
        ("implicit_convex", "drilled block on hull, touching", |size| {
            of_touching("implicit_convex", drilled_block_near, Primitive::Hull, size)
        }),
        ("implicit_implicit", "two drilled blocks, touching", |size| two(drilled_block_near, size)),
        ("implicit_sphere", "blended rods, touching", |size| {
            of_touching("implicit_sphere", blended_rods_near, Primitive::Sphere, size)
        }),
        ("implicit_capsule", "blended rods, touching", |size| {
            of_touching("implicit_capsule", blended_rods_near, Primitive::Capsule, size)
        }),
        ("implicit_convex", "blended rods on box, touching", |size| {
            of_touching("implicit_convex", blended_rods_near, Primitive::OrientedBox, size)
        }),
        ("implicit_convex", "blended rods on cylinder, touching", |size| {
            of_touching("implicit_convex", blended_rods_near, Primitive::Cylinder, size)
        }),
        ("implicit_convex", "blended rods on hull, touching", |size| {
            of_touching("implicit_convex", blended_rods_near, Primitive::Hull, size)
        }),
        ("implicit_capsule", "blended chain, touching", |size| {
            of_touching("implicit_capsule", blended_chain_near, Primitive::Capsule, size)
        }),
        ("implicit_convex", "blended chain on box, touching", |size| {
            of_touching("implicit_convex", blended_chain_near, Primitive::OrientedBox, size)
        }),
        ("implicit_convex", "blended chain on cylinder, touching", |size| {
            of_touching("implicit_convex", blended_chain_near, Primitive::Cylinder, size)
        }),
        ("implicit_convex", "blended chain on hull, touching", |size| {
            of_touching("implicit_convex", blended_chain_near, Primitive::Hull, size)
        }),
        ("implicit_implicit", "two pairs of blended rods, touching", |size| two(blended_rods_near, size)),
        ("implicit_implicit", "two pairs of blended boxes, touching", |size| two(blended_boxes_near, size)),
        ("implicit_implicit", "two pairs of blended eggs, touching", |size| two(blended_eggs_near, size)),
        ("implicit_implicit", "two lenses, touching", |size| two(lens_near, size)),
    ];
    let meshes: [(&'static str, &'static str, Make); 4] = [
        ("implicit_line_mesh", "tangle, a ring", in_thread),
        ("implicit_surface_mesh", "organ, a shell beside it", on_organ),
        ("implicit_surface_mesh", "organ, a grid of 64³ beside it", sampled_on_organ),
        ("implicit_tetra_mesh", "tissue, a ball in its side", in_tissue),
    ];
    let pair = |(name, input, make)| Case { name, input, size: PAIRS, item: "pair", make };
    let mesh = |(name, input, make)| CELLS.map(|size| Case { name, input, size, item: "cell", make });
    let points = VERTICES.map(|size| Case {
        name: "implicit_point_set",
        input: "cloud, a ring",
        size,
        item: "vertex",
        make: in_cloud,
    });
    pairs.into_iter().map(pair).chain(points).chain(meshes.into_iter().flat_map(mesh)).collect()
}

/// A torus at a random position within `spread` metres of the origin.
fn ring_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    Ok(Arc::new(ring(sample, place)?))
}

/// The same torus as a signed distance grid.
fn sampled_ring_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let grid = sampled_ring(sample, place)?;
    Ok(Arc::new(ImplicitBody::new(Pose::identity(), Arc::new(grid))?))
}

/// The same on a lattice of a random orientation.
fn turned_grid_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let grid = sampled_ring(sample, Point::origin())?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(grid))?))
}

fn sampled_ring(sample: &mut Sample, center: Point) -> Fallible<Grid> {
    let ring = ring(sample, center)?;
    sampled(&ring, &ring.bounds().grown(0.1 * RING[1]), GRID)
}

/// Samples a function in a box, `count` times along each axis.
fn sampled(function: &dyn ImplicitFunction, bounds: &Aabb, count: usize) -> Fallible<Grid> {
    let spacing = bounds.size() / (count - 1) as f64;
    let values = (0..count * count * count).map(|number| {
        let steps = [number % count, number / count % count, number / (count * count)].map(|n| n as f64);
        function.sample(&(bounds.min + spacing.component_mul(&Vector::from(steps)))).value
    });
    Ok(Grid::new(bounds.min, spacing, [count; 3], values.collect())?)
}

/// A block with a hole through it, at a random position within `spread` metres of the origin.
fn drilled_block_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let block = OrientedBox::new(Pose::identity(), Vector::new(0.01, 0.006, 0.008))?;
    let drill = Capsule::new(Pose::translation(0.002, 0.0, 0.001), 0.003, 0.02)?;
    let drilled = Intersection::difference(vec![Arc::new(block), Arc::new(drill)])?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(drilled))?))
}

/// Two rods side by side with a fillet between them, at a random position within `spread` metres of the origin.
fn blended_rods_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let rod = |x: f64, length: f64| Capsule::new(Pose::translation(x, 0.0, 0.0), 0.003, length);
    let blend = SmoothUnion::new(vec![Arc::new(rod(-0.004, 0.02)?), Arc::new(rod(0.004, 0.014)?)], 0.004)?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(blend))?))
}

/// Eight rods and balls in a row that is bent, with fillets between them, likewise.
fn blended_chain_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let parts: Result<Vec<_>, _> = (0..8)
        .map(|number| {
            let along = f64::from(number) - 3.5;
            let at = Vector::new(0.004 * along, 0.0006 * along * along, 0.002 * (2.0 * along).sin());
            let pose = Pose::new(at, Vector::new(0.5 * along, 0.3, 1.2));
            Capsule::new(pose, 0.002, 0.003).map(|rod| Arc::new(rod) as Arc<dyn ImplicitFunction>)
        })
        .collect();
    let blend = SmoothUnion::new(parts?, 0.002)?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(blend))?))
}

/// Two boxes across each other with a fillet between them, likewise.
fn blended_boxes_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let turned = |half: [f64; 3], turn: f64| {
        let pose = Pose::new(Vector::zeros(), Vector::new(0.3 * turn, 0.2 * turn, turn));
        OrientedBox::new(pose, half.into())
    };
    let (long, flat) = (turned([0.01, 0.003, 0.003], 0.0)?, turned([0.008, 0.003, 0.0025], 1.2)?);
    let blend = SmoothUnion::new(vec![Arc::new(long), Arc::new(flat)], 0.003)?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(blend))?))
}

/// Two ellipsoids with a fillet between them, likewise.
fn blended_eggs_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let egg = |x: f64, turn: f64| {
        let pose = Pose::new(Vector::new(x, 0.0, 0.0), Vector::new(0.0, turn, 0.3));
        Ellipsoid::new(pose, Vector::new(0.007, 0.003, 0.004))
    };
    let blend = SmoothUnion::new(vec![Arc::new(egg(-0.003, 0.0)?), Arc::new(egg(0.003, 0.8)?)], 0.003)?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(blend))?))
}

/// What two balls have in common, likewise.
fn lens_near(sample: &mut Sample, spread: f64) -> Fallible<Arc<dyn Geometry>> {
    let place = Point::from(sample.in_ball() * spread);
    let ball = |y: f64| Sphere::new(Point::new(0.0, y, 0.0), 0.01);
    let lens = Intersection::new(vec![Arc::new(ball(-0.005)?), Arc::new(ball(0.005)?)])?;
    Ok(Arc::new(ImplicitBody::new(sample.pose_at(place)?, Arc::new(lens))?))
}

/// Touching pairs of a torus and a primitive.
fn touching(name: &'static str, kind: Primitive, size: usize) -> Fallible<Workload> {
    of_touching(name, ring_near, kind, size)
}

/// Touching pairs of such a body and a primitive.
fn of_touching(
    name: &'static str,
    body: fn(&mut Sample, f64) -> Fallible<Arc<dyn Geometry>>,
    kind: Primitive,
    size: usize,
) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(21);
    Workload::of_touching(size, || {
        let body = body(&mut sample, 0.0)?;
        let partner = kind.sample(&mut sample, Point::origin(), 0.02)?.palpate;
        Ok(BoundPair::new(&registry, name, body, Arc::from(partner))?)
    })
}

/// Touching pairs of two such bodies.
fn two(body: fn(&mut Sample, f64) -> Fallible<Arc<dyn Geometry>>, size: usize) -> Fallible<Workload> {
    let registry = Registry::standard();
    let mut sample = Sample::new(25);
    Workload::of_touching(size, || {
        let (one, other) = (body(&mut sample, 0.0)?, body(&mut sample, 2.0 * RING[0])?);
        Ok(BoundPair::new(&registry, "implicit_implicit", one, other)?)
    })
}

fn in_cloud(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(22);
    let body = ring_near(&mut sample, 0.0)?;
    let points: Arc<dyn Geometry> = Arc::new(PointSet::new(cloud_in_box(&mut sample, &body.bounds(), size))?);
    let pair = BoundPair::new(&Registry::standard(), "implicit_point_set", body, points)?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

fn in_thread(size: usize) -> Fallible<Workload> {
    let mut sample = Sample::new(23);
    let mut mesh = LineMesh::polyline(thread(&mut sample, size))?.with_radius(THREAD_RADIUS)?;
    mesh.prepare(Needs::TREE);
    let body = ring_near(&mut sample, 0.0)?;
    let pair = BoundPair::new(&Registry::standard(), "implicit_line_mesh", body, Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

/// A spherical shell that intersects an organ's side.
fn on_organ(size: usize) -> Fallible<Workload> {
    let (mesh, shell) = (organ_surface(size)?, shell()?);
    let middle = Point::new(0.0, 0.0, mesh.bounds().max.z);
    against_surface(size, ImplicitBody::new(Pose::from(middle.coords), Arc::new(shell))?, mesh)
}

/// The same shell as a signed distance grid.
fn sampled_on_organ(size: usize) -> Fallible<Workload> {
    let (mesh, shell) = (organ_surface(size)?, shell()?);
    let middle = Point::new(0.0, 0.0, mesh.bounds().max.z);
    let grid = sampled(&shell, &shell.sublevel_bounds(0.02 * ORGAN_RADIUS), FINE_GRID)?;
    against_surface(size, ImplicitBody::new(Pose::from(middle.coords), Arc::new(grid))?, mesh)
}

fn shell() -> Fallible<Intersection> {
    let ball = |radius: f64| Sphere::new(Point::origin(), radius * ORGAN_RADIUS);
    Ok(Intersection::difference(vec![Arc::new(ball(0.2)?), Arc::new(ball(0.15)?)])?)
}

fn organ_surface(size: usize) -> Fallible<SurfaceMesh> {
    let (positions, triangles) = organ(size);
    let mut mesh = SurfaceMesh::new(positions, triangles)?;
    mesh.prepare(Needs::TREE | Needs::NORMALS);
    Ok(mesh)
}

fn against_surface(size: usize, body: ImplicitBody, mesh: SurfaceMesh) -> Fallible<Workload> {
    let pair =
        BoundPair::new(&Registry::standard(), "implicit_surface_mesh", Arc::new(body), Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}

fn in_tissue(size: usize) -> Fallible<Workload> {
    let (positions, cells) = tissue(size);
    let mut mesh = TetraMesh::new(positions, cells)?;
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let reach = mesh.bounds().max.z;
    let ball = Arc::new(Sphere::new(Point::from(Vector::z() * reach), 0.2 * reach)?);
    let body = ImplicitBody::new(Pose::identity(), ball)?;
    let pair = BoundPair::new(&Registry::standard(), "implicit_tetra_mesh", Arc::new(body), Arc::new(mesh))?;
    Ok(Workload::of_pairs(size, vec![pair]))
}
