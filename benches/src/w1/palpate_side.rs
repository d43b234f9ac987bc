//! The pairs of W1 in palpate.

use nalgebra::{Matrix3, Vector3};
use palpate::convex::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Hull, Memory, QueryResult, RigidTransform, Settings, contact,
};

use super::cell::Cell;
use super::record::{Kind, Side};
use crate::Fallible;

type Vector = Vector3<f64>;

/// A shape, by index for hulls.
#[derive(Clone, Copy)]
enum Shape {
    Hull(usize),
    Ball(Ball),
    Capsule(Capsule),
    Cylinder(Cylinder),
    Cone(Cone),
    Cuboid(Cuboid<Vector>),
}

/// A cell, prepared for queries.
pub(super) struct Palpate {
    hulls: Vec<Hull>,
    pairs: Vec<[(Shape, RigidTransform<Vector>); 2]>,
    memory: Memory<Vector>,
    settings: Settings,
}

impl Palpate {
    pub(super) fn new(cell: &Cell) -> Fallible<Self> {
        let hulls = cell
            .hulls
            .iter()
            .map(|hull| {
                let points = hull.points.iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
                Ok(Hull::new(points, hull.triangles.clone())?)
            })
            .collect::<Fallible<_>>()?;
        let pairs = cell.records.iter().map(|record| [placed(&record.a), placed(&record.b)]).collect();
        Ok(Self { hulls, pairs, memory: Memory::default(), settings: Settings::default() })
    }

    /// The contact of a pair.
    #[inline]
    pub(super) fn ask(&mut self, pair: usize) -> QueryResult<Vector> {
        let [(a, pose_a), (b, pose_b)] = &self.pairs[pair];
        let (hulls, memory, settings) = (&self.hulls, &mut self.memory, &self.settings);
        macro_rules! with {
            ($shape:expr, $bound:ident => $body:expr) => {
                match $shape {
                    Shape::Hull(index) => {
                        let $bound = &hulls[*index];
                        $body
                    }
                    Shape::Ball($bound) => $body,
                    Shape::Capsule($bound) => $body,
                    Shape::Cylinder($bound) => $body,
                    Shape::Cone($bound) => $body,
                    Shape::Cuboid($bound) => $body,
                }
            };
        }
        with!(a, first => with!(b, second => contact((first, pose_a), (second, pose_b), memory, settings)))
    }
}

/// W1's axes are local z, palpate's local y: the rotation is composed with a quarter turn, which permutes columns
/// exactly.
fn placed(side: &Side) -> (Shape, RigidTransform<Vector>) {
    let [x, y, z] = side.rotation;
    let as_is = Matrix3::new(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]);
    let turned = Matrix3::new(x[1], x[2], x[0], y[1], y[2], y[0], z[1], z[2], z[0]);
    let (shape, rotation) = match side.kind {
        Kind::Hull(index) => (Shape::Hull(index), as_is),
        Kind::Sphere(radius) => (Shape::Ball(Ball { radius }), as_is),
        Kind::Capsule(radius, half_length) => (Shape::Capsule(Capsule { radius, half_length }), turned),
        Kind::Cylinder(radius, half_length) => (Shape::Cylinder(Cylinder { radius, half_length }), turned),
        Kind::Cone(radius, half_length) => (Shape::Cone(Cone { radius, half_length }), turned),
        Kind::Box([x, y, z]) => (Shape::Cuboid(Cuboid { half_extents: Vector::new(x, y, z) }), as_is),
    };
    (shape, RigidTransform::new(rotation, Vector::new(side.center[0], side.center[1], side.center[2])))
}
