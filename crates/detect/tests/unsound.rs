//! Meshes that are not sound: cells that have turned over, and surfaces with a part wound inward.
#![allow(clippy::unwrap_used)] // tests, also in what they share

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::implicit::{ImplicitFunction, Torus};
use palpate_geometry::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, Needs, OrientedBox,
    PointSet, Pose, Sphere, SurfaceMesh, TetraMesh,
};
use palpate_math::{Point, Vector};
use std::sync::Arc;

struct Random(u64);

impl Random {
    /// A number between -1 and 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
}

fn contacts(registry: &Registry, a: &dyn Geometry, b: &dyn Geometry) -> CollisionData {
    let mut bound = registry.bind(a, b, Choice::default()).unwrap();
    let mut out = CollisionData::new();
    bound.run(a, b, &Context::new(), &mut out).unwrap();
    out
}

/// Two cells with a common face, the second pressed through the first.
fn pressed_through(random: &mut Random) -> TetraMesh {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
    let corners = corners.map(Point::from);
    let mut mesh = TetraMesh::new(corners.to_vec(), vec![[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap();
    let mut moved = corners;
    moved[4] = Point::from(Vector::repeat(-0.1) + 0.3 * random.vector());
    mesh.set_positions(&moved).unwrap();
    mesh.prepare(Needs::all());
    mesh
}

/// The cells decide what is inside, as for spheres and points.
#[test]
fn an_implicit_ball_is_in_a_mesh_with_an_inverted_cell_where_a_cell_holds_it() {
    let registry = Registry::standard();
    let mut random = Random(3);
    let (mut clear, mut held) = (0, 0);
    for case in 0..600 {
        let mesh = pressed_through(&mut random);
        let center = Point::from(Vector::repeat(0.2) + 0.7 * random.vector());
        let radius = 0.02 + 0.1 * (random.number() + 1.0);
        let (signed, _) = mesh.signed_distance(&center, f64::INFINITY).unwrap();
        let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::origin(), radius).unwrap());
        let body = ImplicitBody::new(Pose::from(center.coords), ball).unwrap();
        let found = contacts(&registry, &body, &mesh);
        if signed.distance > radius * (1.0 + 1e-9) {
            clear += 1;
            assert!(found.is_empty(), "{case}: {} m clear: {found:#?}", signed.distance - radius);
        }
        if mesh.holding_cell(&center).is_some() && signed.distance < -1e-6 {
            held += 1;
            let deepest = found.deepest().unwrap().depth;
            assert!(deepest > radius, "{case}: the centre is inside, the depth {deepest}");
        }
    }
    assert!(clear > 200 && held > 20, "{clear} clear, {held} held");
}

/// A closed surface of two parts, the second wound inward: by its pseudonormals all of space but that part is inside.
fn contradicting() -> SurfaceMesh {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
    let other = corners.map(|corner| corner + Vector::new(0.0, 1.5, 0.0));
    let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let inward = outward.map(|[a, b, c]: [u32; 3]| [a + 4, c + 4, b + 4]);
    let points = corners.into_iter().chain(other).collect();
    let mut mesh = SurfaceMesh::new(points, outward.into_iter().chain(inward).collect()).unwrap();
    mesh.prepare(Needs::all());
    mesh
}

fn bodies(at: Vector, random: &mut Random) -> Vec<Box<dyn Geometry>> {
    let pose = Pose::from(at);
    let size = 0.15 + 0.1 * random.number();
    let mut cloud = |count: usize| -> Vec<Point> {
        (0..count).map(|_| Point::from(at + 0.2 * random.vector())).collect()
    };
    let (points, line, sheet, hull) = (cloud(5), cloud(4), cloud(3), cloud(8));
    let local: Vec<Point> = hull.iter().map(|point| point - at).collect();
    let ring: Arc<dyn ImplicitFunction> = Arc::new(Torus::new(Pose::identity(), size, 0.4 * size).unwrap());
    let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::origin(), size).unwrap());
    let flesh = [[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]]
        .map(|p| Point::from(at + Vector::from(p)));
    let mut all: Vec<Box<dyn Geometry>> = vec![
        Box::new(Sphere::new(at.into(), size).unwrap()),
        Box::new(Capsule::new(pose, size, size).unwrap()),
        Box::new(Cylinder::new(pose, size, size).unwrap()),
        Box::new(OrientedBox::new(pose, Vector::repeat(size)).unwrap()),
        Box::new(Ellipsoid::new(pose, Vector::new(size, 0.5 * size, 0.7 * size)).unwrap()),
        Box::new(Cone::new(pose, size, size).unwrap()),
        Box::new(Convex::new(pose, &local).unwrap()),
        Box::new(ImplicitBody::new(pose, ring).unwrap()),
        Box::new(ImplicitBody::new(pose, ball).unwrap()),
        Box::new(PointSet::new(points).unwrap()),
        Box::new(LineMesh::polyline(line).unwrap()),
        Box::new(SurfaceMesh::new(sheet, vec![[0, 1, 2]]).unwrap()),
        Box::new(TetraMesh::new(flesh.to_vec(), vec![[0, 1, 2, 3]]).unwrap()),
    ];
    all.iter_mut().for_each(|body| body.prepare(Needs::all()));
    all
}

/// What a broad phase skips must be what running gives.
#[test]
fn boxes_that_are_apart_have_no_contacts_with_a_surface_that_contradicts_itself() {
    let registry = Registry::standard();
    let mut random = Random(5);
    let mesh = contradicting();
    let (mut apart, mut touching) = (0, 0);
    for case in 0..200 {
        let at = Vector::new(0.5, 1.2, 0.5) + random.vector().component_mul(&Vector::new(1.2, 2.0, 1.2));
        for body in bodies(at, &mut random) {
            let found = contacts(&registry, &mesh, &*body);
            let back = contacts(&registry, &*body, &mesh);
            if !mesh.bounds().overlaps(&body.bounds()) {
                apart += 1;
                assert!(found.is_empty() && back.is_empty(), "{case}, {}: {found:#?}", body.kind());
            }
            touching += usize::from(!found.is_empty());
        }
    }
    assert!(apart > 200 && touching > 100, "{apart} apart, {touching} touching");
}
