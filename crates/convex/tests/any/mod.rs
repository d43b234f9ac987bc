//! A shape chosen at run time.

use nalgebra::Vector3;
use palpate_convex::{
    Ball, Capsule, Cone, Core, Cuboid, Cylinder, Ellipsoid, Extreme, Points, Projection, Rim,
};

pub type Vector = Vector3<f64>;

#[derive(Clone, Debug)]
pub enum Any {
    Points(Points<Vector>),
    Ball(Ball),
    Capsule(Capsule),
    Cylinder(Cylinder),
    Cone(Cone),
    Cuboid(Cuboid<Vector>),
    Ellipsoid(Ellipsoid),
}

/// A shape that may be curved.
#[derive(Clone, Debug)]
pub struct Curved(pub Any);

/// A shape without curved surfaces.
#[derive(Clone, Debug)]
pub struct Flat(pub Any);

macro_rules! each {
    ($any:expr, $shape:ident => $body:expr) => {
        match $any {
            Any::Points($shape) => $body,
            Any::Ball($shape) => $body,
            Any::Capsule($shape) => $body,
            Any::Cylinder($shape) => $body,
            Any::Cone($shape) => $body,
            Any::Cuboid($shape) => $body,
            Any::Ellipsoid($shape) => $body,
        }
    };
}

macro_rules! core {
    ($name:ident, $curved:expr) => {
        impl Core<Vector> for $name {
            const CURVED: bool = $curved;

            fn support(&self, direction: Vector, near: u32) -> Extreme<Vector> {
                each!(&self.0, shape => shape.support(direction, near))
            }

            fn vertex(&self, id: u32) -> Option<Vector> {
                each!(&self.0, shape => shape.vertex(id))
            }

            fn bounding_radius(&self) -> f64 {
                each!(&self.0, shape => Core::<Vector>::bounding_radius(shape))
            }

            fn center(&self) -> Vector {
                each!(&self.0, shape => shape.center())
            }

            fn radius(&self) -> f64 {
                each!(&self.0, shape => Core::<Vector>::radius(shape))
            }

            fn project(&self, point: Vector) -> Option<Projection<Vector>> {
                each!(&self.0, shape => shape.project(point))
            }

            fn rims(&self) -> Option<[Rim; 2]> {
                each!(&self.0, shape => Core::<Vector>::rims(shape))
            }
        }
    };
}

core!(Curved, true);
core!(Flat, false);

impl Any {
    pub fn is_curved(&self) -> bool {
        matches!(self, Any::Cylinder(_) | Any::Cone(_) | Any::Ellipsoid(_))
    }

    /// Scales every length by a power of two.
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Any::Points(shape) => {
                Any::Points(Points::new(shape.points().iter().map(|p| p * factor).collect()).unwrap())
            }
            Any::Ball(shape) => Any::Ball(Ball { radius: shape.radius * factor }),
            Any::Capsule(shape) => Any::Capsule(Capsule {
                radius: shape.radius * factor,
                half_length: shape.half_length * factor,
            }),
            Any::Cylinder(shape) => Any::Cylinder(Cylinder {
                radius: shape.radius * factor,
                half_length: shape.half_length * factor,
            }),
            Any::Cone(shape) => {
                Any::Cone(Cone { radius: shape.radius * factor, half_length: shape.half_length * factor })
            }
            Any::Cuboid(shape) => Any::Cuboid(Cuboid { half_extents: shape.half_extents * factor }),
            Any::Ellipsoid(shape) => Any::Ellipsoid(Ellipsoid { radii: shape.radii * factor }),
        }
    }

    /// Returns the extent along a direction, from the definition of the shape.
    pub fn extent(&self, d: &Vector) -> f64 {
        let across = (d.x * d.x + d.z * d.z).sqrt();
        match self {
            Any::Points(s) => s.points().iter().map(|p| p.dot(d)).fold(f64::NEG_INFINITY, f64::max),
            Any::Ball(s) => s.radius * d.norm(),
            Any::Capsule(s) => s.radius * d.norm() + s.half_length * d.y.abs(),
            Any::Cylinder(s) => s.radius * across + s.half_length * d.y.abs(),
            Any::Cone(s) => (s.half_length * d.y).max(s.radius * across - s.half_length * d.y),
            Any::Cuboid(s) => s.half_extents.dot(&d.abs()),
            Any::Ellipsoid(s) => s.radii.component_mul(d).norm(),
        }
    }
}
