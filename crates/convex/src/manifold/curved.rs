//! The cores with a curved surface as one type.

use nalgebra::Vector3;

use super::faces::Faces;
use super::support_face::SupportFace;
use crate::face_polygon::FacePolygon;
use crate::support::{Cone, Core, Cylinder, DynSupport, Ellipsoid, Extreme, Projection, Rim};

type Vector = Vector3<f64>;

/// A core with a curved surface, told apart at run time, so that the queries are compiled once for all of them.
pub enum Curved<'a> {
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cone.
    Cone(Cone),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A shape known by its support map alone.
    Map(DynSupport<'a>),
}

macro_rules! each {
    ($core:expr, $shape:ident => $body:expr) => {
        match $core {
            Curved::Cylinder($shape) => $body,
            Curved::Cone($shape) => $body,
            Curved::Ellipsoid($shape) => $body,
            Curved::Map($shape) => $body,
        }
    };
}

impl Core<Vector> for Curved<'_> {
    const CURVED: bool = true;

    #[inline(always)]
    fn support(&self, direction: Vector, near: u32) -> Extreme<Vector> {
        each!(self, core => core.support(direction, near))
    }

    fn vertex(&self, id: u32) -> Option<Vector> {
        each!(self, core => core.vertex(id))
    }

    fn bounding_radius(&self) -> f64 {
        each!(self, core => core.bounding_radius())
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        each!(self, core => core.radius())
    }

    fn project(&self, point: Vector) -> Option<Projection<Vector>> {
        each!(self, core => core.project(point))
    }

    fn rims(&self) -> Option<[Rim; 2]> {
        each!(self, core => core.rims())
    }
}

impl Faces for Curved<'_> {
    fn chord(&self, from: Vector, along: Vector, slack: f64) -> f64 {
        each!(self, core => core.chord(from, along, slack))
    }

    fn face_toward(&self, direction: Vector, patch: &mut FacePolygon) {
        each!(self, core => core.face_toward(direction, patch));
    }

    fn support_face(&self, direction: Vector, farthest: u32, patch: &mut FacePolygon) -> SupportFace {
        each!(self, core => core.support_face(direction, farthest, patch))
    }

    fn distance_at_most(&self, place: Vector) -> f64 {
        each!(self, core => core.distance_at_most(place))
    }
}
