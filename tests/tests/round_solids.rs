//! The laws of solids for round bodies (balls, capsules, threads) against solid meshes: no contact deeper than the
//! least exit, bodies that share a point are found, small motions change depths little, ids tell contacts apart.

use palpate_contact::CollisionData;
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::{Capsule, Geometry, LineMesh, Needs, Sphere, SurfaceMesh, TetraMesh};
use palpate_math::nearest::point_segment;
use palpate_math::{Point, Vector};
use palpate_tests::{Random, meshes};
use std::collections::HashSet;

const CASES: usize = 400;

/// Error left by rounding and the search for a deepest point, relative to the sizes of a case.
const TOLERANCE: f64 = 1e-9;

/// A round body by its core, a polyline through these points.
#[derive(Clone)]
struct Round {
    core: Vec<Point>,
    radius: f64,
}

impl Round {
    fn random(random: &mut Random) -> Self {
        let size = 10.0_f64.powf(random.between(-1.5, 1.0));
        let count = 1 + random.below(4);
        let core = (0..count).map(|_| Point::from(random.vector() * size)).collect();
        Self { core, radius: random.between(0.01, 1.0) * size }
    }

    fn moved(&self, by: &Vector) -> Self {
        Self { core: self.core.iter().map(|point| point + by).collect(), radius: self.radius }
    }

    fn geometry(&self) -> Box<dyn Geometry> {
        let mut body: Box<dyn Geometry> = match self.core.as_slice() {
            [center] => Box::new(Sphere::new(*center, self.radius).expect("generated shapes are valid")),
            [start, end] => {
                Box::new(Capsule::from_ends(*start, *end, self.radius).expect("generated shapes are valid"))
            }
            points => Box::new(
                LineMesh::polyline(points.to_vec())
                    .expect("generated shapes are valid")
                    .with_radius(self.radius)
                    .expect("generated shapes are valid"),
            ),
        };
        body.prepare(Needs::all());
        body
    }

    fn distance(&self, point: &Point) -> f64 {
        let to =
            |ends: &[Point]| (point_segment(point, &ends[0], &ends[ends.len() - 1]).point - point).norm();
        let pieces = if self.core.len() == 1 { self.core.windows(1) } else { self.core.windows(2) };
        pieces.map(to).fold(f64::INFINITY, f64::min) - self.radius
    }

    /// Closely spaced points of the core.
    fn samples(&self) -> Vec<Point> {
        let pieces = if self.core.len() == 1 { self.core.windows(1) } else { self.core.windows(2) };
        let along =
            |ends: &[Point], k: i32| ends[0] + (ends[ends.len() - 1] - ends[0]) * (f64::from(k) / 50.0);
        pieces.flat_map(|ends| (0..=50).map(move |k| along(ends, k))).collect()
    }
}

/// A box of these sizes, from -half to half.
fn plate(half: [f64; 3]) -> meshes::Triangles {
    let corner = |k: usize| {
        Point::from(Vector::from_fn(|axis, _| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] }))
    };
    let triangles = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    ((0..8).map(corner).collect(), triangles.to_vec())
}

fn surface(random: &mut Random) -> meshes::Triangles {
    match random.below(4) {
        0 => meshes::bumpy(random, 1, 0.2),
        1 => meshes::torus(random, 10, 6),
        2 => plate([1.0, 0.02, 1.0]),
        _ => plate([1.0, 0.7, 0.4]),
    }
}

fn deepest(bound: &mut Bound, mesh: &dyn Geometry, body: &Round) -> (Option<f64>, CollisionData) {
    let geometry = body.geometry();
    let mut out = CollisionData::new();
    bound.run(mesh, geometry.as_ref(), &Context::new(), &mut out).expect("it runs");
    (out.deepest().map(|contact| contact.depth), out)
}

/// The least overlap along many directions.
fn exit(vertices: &[Point], body: &Round, directions: &[Vector]) -> f64 {
    let overlap = |u: &Vector| {
        let highest = body.core.iter().map(|point| point.coords.dot(u)).fold(f64::NEG_INFINITY, f64::max);
        let lowest = vertices.iter().map(|vertex| vertex.coords.dot(u)).fold(f64::INFINITY, f64::min);
        highest + body.radius - lowest
    };
    directions.iter().map(overlap).fold(f64::INFINITY, f64::min)
}

#[test]
fn round_bodies_and_meshes_keep_the_laws_of_solids() {
    let mut random = Random::new(36);
    let directions: Vec<Vector> = (0..200).map(|_| random.direction()).collect();
    let mut touching = [0, 0];
    for case in 0..CASES {
        let body = Round::random(&mut random);
        let (vertices, triangles) = surface(&mut random);
        let skin = {
            let mut mesh = SurfaceMesh::new(vertices.clone(), triangles).expect("generated shapes are valid");
            mesh.prepare(Needs::all());
            mesh
        };
        let volume = random.one_in(3).then(|| {
            let (vertices, cells) = meshes::tetra_block(&mut random, [3, 2, 2], 0.1);
            let mut mesh = TetraMesh::new(vertices, cells).expect("generated shapes are valid");
            mesh.prepare(Needs::all());
            mesh
        });
        let mesh: &dyn Geometry = volume.as_ref().map_or(&skin, |volume| volume);
        let (vertices, boundary) = match &volume {
            Some(volume) => {
                (volume.points().positions().to_vec(), volume.boundary().expect("it is prepared"))
            }
            None => (vertices, &skin),
        };
        let size = body.core.iter().chain(&vertices).map(|p| p.coords.amax()).fold(body.radius, f64::max);
        let slack = TOLERANCE * size;
        let mut bound = Registry::standard()
            .bind(mesh, body.geometry().as_ref(), Choice::default())
            .expect("generated shapes are valid");
        let (depth, found) = deepest(&mut bound, mesh, &body);
        let text = format!("case {case}, {} of {} points: {depth:?}", bound.name(), body.core.len());
        let ids: HashSet<u64> = found.contacts.iter().map(|contact| contact.id).collect();
        assert_eq!(ids.len(), found.len(), "{text}: duplicate id");
        // Least exit.
        let least = exit(&vertices, &body, &directions);
        assert!(depth.is_none_or(|depth| depth <= least + slack), "{text}, least exit {least}");
        // In place.
        for contact in &found.contacts {
            let [on_mesh, on_body] = [&contact.a, &contact.b].map(|side| side.surface_point());
            let near = boundary.nearest(&on_mesh, f64::INFINITY).expect("generated shapes are valid");
            assert!((near.point - on_mesh).norm() <= slack, "{text}: {contact:?}");
            assert!(body.distance(&on_body) <= slack, "{text}: {contact:?}");
        }
        // Seen.
        let inside = |point: &Point| {
            boundary.signed_distance(point, f64::INFINITY).expect("generated shapes are valid").0.distance
        };
        let nearest = body.samples().iter().map(inside).fold(f64::INFINITY, f64::min);
        let reaches = vertices.iter().map(|vertex| body.distance(vertex)).fold(f64::INFINITY, f64::min);
        if nearest - body.radius < 0.0 || reaches < 0.0 {
            assert!(depth.is_some_and(|depth| depth >= -slack), "{text} shares a point");
        }
        if let Some(depth) = depth {
            assert!(depth >= body.radius - nearest - slack, "{text}: {} deep", body.radius - nearest);
        }
        // Steady.
        let mut before = depth;
        let step = random.direction() * (1e-3 * size);
        for k in 1..=20 {
            let (after, _) = deepest(&mut bound, mesh, &body.moved(&(step * f64::from(k))));
            let change = before.unwrap_or(0.0) - after.unwrap_or(0.0);
            assert!(change.abs() <= step.norm() + slack, "{text}, step {k}: {before:?} to {after:?}");
            before = after;
        }
        touching[usize::from(volume.is_some())] += usize::from(depth.is_some());
    }
    assert!(touching[0] > CASES / 4 && touching[1] > CASES / 8, "{touching:?}");
}
