//! Random geometries, changes of them, and copies that share no history with them.

use palpate_geometry::implicit::{ImplicitFunction, Torus};
use palpate_geometry::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Pose, Sphere, SurfaceMesh, TetraMesh, TypedGeometry, pose,
};
use palpate_math::{Point, Vector};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::any::Any;
use std::sync::Arc;

/// Number of kinds without children that [`random`] makes.
pub(crate) const KINDS: usize = 16;

/// The kind of a tetrahedral mesh, and that of a plane.
pub(crate) const TETRA_MESH: usize = 12;
pub(crate) const PLANE: usize = 15;

/// A coordinate, often one that others have too: touching and coinciding geometries.
fn coordinate(rng: &mut ChaCha8Rng) -> f64 {
    match rng.random_range(0..3) {
        0 => f64::from(rng.random_range(-3..4)) * 0.25,
        _ => rng.random_range(-1.0..1.0),
    }
}

fn vector(rng: &mut ChaCha8Rng) -> Vector {
    Vector::new(coordinate(rng), coordinate(rng), coordinate(rng))
}

pub(crate) fn random_pose(rng: &mut ChaCha8Rng) -> Pose {
    let axis = vector(rng) + Vector::new(1e-3, 1.0, 2e-3);
    let rotation = match rng.random_range(0..2) {
        0 => nalgebra::UnitQuaternion::identity(),
        _ => pose::rotation_from_axis(axis).unwrap(),
    };
    pose::from_rotation(Point::from(vector(rng)), rotation).unwrap()
}

fn size(rng: &mut ChaCha8Rng) -> f64 {
    0.125 * f64::from(rng.random_range(1..6))
}

fn cloud(rng: &mut ChaCha8Rng, count: usize) -> Vec<Point> {
    let middle = 0.75 * vector(rng);
    (0..count).map(|_| Point::from(middle + 0.5 * vector(rng))).collect()
}

/// Two tetrahedra as one surface, the second apart from the first; its winding may contradict the first's.
fn two_parts(rng: &mut ChaCha8Rng, is_sound: bool) -> SurfaceMesh {
    let middle = 0.5 * vector(rng);
    let at = |x: f64, y: f64, z: f64| Point::from(middle + 0.5 * Vector::new(x, y, z));
    let corners = [at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(0.0, 0.0, 1.0)];
    let by = Vector::new(1.5, 0.25 * vector(rng).x, 0.0);
    let points = corners.iter().copied().chain(corners.iter().map(|corner| corner + by)).collect();
    let outward = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let other = outward.map(|[a, b, c]: [u32; 3]| {
        let [a, b, c] = [a + 4, b + 4, c + 4];
        if is_sound { [a, b, c] } else { [a, c, b] }
    });
    SurfaceMesh::new(points, outward.into_iter().chain(other).collect()).unwrap()
}

/// Two cells with a common face.
fn flesh(rng: &mut ChaCha8Rng) -> TetraMesh {
    let middle = vector(rng) * 0.5;
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.75, 0.75, 0.75]];
    let points = corners.map(|corner| Point::from(middle + Vector::from(corner))).to_vec();
    TetraMesh::new(points, vec![[0, 1, 2, 3], [1, 2, 3, 4]]).unwrap()
}

/// A geometry without children.
pub(crate) fn random(rng: &mut ChaCha8Rng, kind: usize) -> Box<dyn Geometry> {
    let at = random_pose(rng);
    let (small, other) = (size(rng), size(rng));
    match kind {
        0 => Box::new(Sphere::new(at.translation.vector.into(), small).unwrap()),
        1 => Box::new(Capsule::new(at, small, other).unwrap()),
        2 => Box::new(Cylinder::new(at, small, other).unwrap()),
        3 => Box::new(OrientedBox::new(at, Vector::new(small, other, size(rng))).unwrap()),
        4 => Box::new(Ellipsoid::new(at, Vector::new(small, other, size(rng))).unwrap()),
        5 => Box::new(Cone::new(at, small, other).unwrap()),
        6 => Box::new(Convex::new(at, &cloud(rng, 9)).unwrap().with_radius(0.0).unwrap()),
        7 => Box::new(PointSet::new(cloud(rng, 6)).unwrap().with_radius(0.5 * small).unwrap()),
        8 => Box::new(LineMesh::polyline(cloud(rng, 5)).unwrap().with_radius(0.25 * small).unwrap()),
        9 | 10 => Box::new(two_parts(rng, kind == 9)),
        11 => {
            let points = cloud(rng, 5);
            let sheet = SurfaceMesh::new(points, vec![[0, 1, 2], [1, 3, 2], [2, 3, 4]]).unwrap();
            Box::new(sheet.with_closed(false).with_radius(0.25 * small).unwrap())
        }
        TETRA_MESH => Box::new(flesh(rng)),
        13 => {
            let ring: Arc<dyn ImplicitFunction> = Arc::new(Torus::new(Pose::identity(), 0.5, 0.2).unwrap());
            Box::new(ImplicitBody::new(at, ring).unwrap().with_scale(other + 0.5).unwrap())
        }
        14 => {
            let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::origin(), 0.4).unwrap());
            Box::new(ImplicitBody::new(at, ball).unwrap().with_scale(other + 0.5).unwrap())
        }
        _ => Box::new(Plane::new(at.translation.vector.into(), at.rotation * Vector::y()).unwrap()),
    }
}

/// A compound of up to three children.
pub(crate) fn random_compound(rng: &mut ChaCha8Rng) -> Compound {
    let mut compound = Compound::default();
    for _ in 0..rng.random_range(0..4) {
        let kind = rng.random_range(0..PLANE);
        compound.add_child(random(rng, kind));
    }
    compound
}

/// Moves a geometry that has a pose or vertices, a little or anywhere.
pub(crate) fn move_some(rng: &mut ChaCha8Rng, geometry: &mut dyn Geometry) {
    if let Some(at) = geometry.pose() {
        let to = match rng.random_range(0..3) {
            0 => random_pose(rng),
            1 => Pose::from_parts((at.translation.vector + 0.05 * vector(rng)).into(), at.rotation),
            _ => at,
        };
        return geometry.set_pose(to).unwrap();
    }
    let Some(points) = geometry.as_points() else { return };
    let mut positions = points.positions().to_vec();
    match rng.random_range(0..4) {
        // One vertex anywhere: cells turn over.
        0 => {
            let vertex = rng.random_range(0..positions.len());
            positions[vertex] += vector(rng);
        }
        // All mirrored.
        1 => positions.iter_mut().for_each(|point| point.x = -point.x),
        _ => {
            let by = 0.25 * vector(rng);
            positions.iter_mut().for_each(|point| *point += by);
        }
    }
    geometry.set_positions(&positions).unwrap();
}

/// Assigns another geometry of the same type, made anew or a changed clone; one of the same detectors.
pub(crate) fn assign(rng: &mut ChaCha8Rng, geometry: &mut dyn Geometry) {
    let any: &mut dyn Any = geometry;
    macro_rules! of {
        ($($shape:ident: $kind:expr),*) => {
            $(if let Some(old) = any.downcast_mut::<$shape>() {
                let mut new = match rng.random_range(0..2) {
                    0 => old.clone(),
                    _ => {
                        let made: Box<dyn Any> = random(rng, $kind);
                        *made.downcast::<$shape>().unwrap()
                    }
                };
                move_some(rng, &mut new);
                *old = new;
                return;
            })*
        };
    }
    of!(
        Sphere: 0, Capsule: 1, Cylinder: 2, OrientedBox: 3, Ellipsoid: 4, Cone: 5, Convex: 6, PointSet: 7, LineMesh: 8,
        TetraMesh: TETRA_MESH, ImplicitBody: 13, Plane: PLANE
    );
    if let Some(old) = any.downcast_mut::<SurfaceMesh>() {
        let kind = if old.is_closed() { rng.random_range(9..11) } else { 11 };
        let made: Box<dyn Any> = random(rng, kind);
        *old = *made.downcast::<SurfaceMesh>().unwrap();
        return;
    }
    if let Some(old) = any.downcast_mut::<Compound>() {
        *old = random_compound(rng);
    }
}

/// The same geometry made from its current numbers: no previous state, no derived data, no version in common.
pub(crate) fn fresh(geometry: &dyn Geometry) -> Box<dyn Geometry> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::Sphere(g) => {
            let mut made = Sphere::new(g.center(), g.radius()).unwrap();
            made.set_pose(*g.pose()).unwrap();
            Box::new(made)
        }
        TypedGeometry::Capsule(g) => Box::new(Capsule::new(*g.pose(), g.radius(), g.length()).unwrap()),
        TypedGeometry::Cylinder(g) => Box::new(Cylinder::new(*g.pose(), g.radius(), g.length()).unwrap()),
        TypedGeometry::OrientedBox(g) => Box::new(OrientedBox::new(*g.pose(), g.half_extents()).unwrap()),
        TypedGeometry::Ellipsoid(g) => Box::new(Ellipsoid::new(*g.pose(), g.radii()).unwrap()),
        TypedGeometry::Cone(g) => Box::new(Cone::new(*g.pose(), g.radius(), g.length()).unwrap()),
        TypedGeometry::Convex(g) => {
            Box::new(Convex::from_hull(*g.pose(), g.hull().clone()).unwrap().with_radius(g.radius()).unwrap())
        }
        TypedGeometry::Plane(g) => {
            let mut made = Plane::new(g.position(), g.normal()).unwrap().with_two_sided(g.two_sided());
            made.set_pose_and_normal(*g.pose(), g.normal()).unwrap();
            Box::new(made)
        }
        TypedGeometry::ImplicitBody(g) => {
            let made = ImplicitBody::new(*g.pose(), g.function().clone()).unwrap();
            Box::new(made.with_scale(g.scale()).unwrap())
        }
        TypedGeometry::PointSet(g) => {
            Box::new(PointSet::new(g.positions().to_vec()).unwrap().with_radius(g.radius()).unwrap())
        }
        TypedGeometry::LineMesh(g) => {
            let made = LineMesh::new(g.points().positions().to_vec(), g.cells().to_vec()).unwrap();
            Box::new(made.with_radius(g.radius()).unwrap())
        }
        TypedGeometry::SurfaceMesh(g) => {
            let made = SurfaceMesh::new(g.points().positions().to_vec(), g.triangles().to_vec()).unwrap();
            Box::new(made.with_closed(g.is_closed()).with_radius(g.radius()).unwrap())
        }
        TypedGeometry::TetraMesh(g) => {
            let (points, cells) = (g.points().positions().to_vec(), g.cells().to_vec());
            Box::new(TetraMesh::with_inverted(points, cells, &g.inverted_cells()).unwrap())
        }
        TypedGeometry::Compound(g) => {
            let mut made = Compound::default();
            for (number, child) in g.children() {
                // Numbers that are not in use.
                while made.add_child(fresh(child)).start < number {
                    let unused = made.children().last().unwrap().0;
                    made.remove_child(unused);
                }
            }
            Box::new(made)
        }
        _ => unreachable!("all kinds of this test are made anew"),
    }
}
