//! The types of this crate as a closed list.

use crate::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, ImplicitBody, LineMesh, OrientedBox,
    Plane, PointSet, Sphere, SurfaceMesh, TetraMesh,
};
use std::any::Any;

macro_rules! typed_geometry {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A geometry by its concrete type, to match on. What only some types can do (cells, sizes) is read from it; what
        /// user-defined types may do as well is a method of [`Geometry`].
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub enum TypedGeometry<'a> {
            $($(#[$doc])* $name(&'a $name),)*
            /// A user-defined type.
            Other,
        }

        impl<'a> TypedGeometry<'a> {
            /// Returns the concrete type of any value. Cost: one comparison per type of the list.
            pub fn of_any(any: &'a dyn Any) -> Self {
                $(if let Some(found) = any.downcast_ref() {
                    return Self::$name(found);
                })*
                Self::Other
            }
        }
    };
}

typed_geometry! {
    /// A ball.
    Sphere,
    /// A segment with a radius.
    Capsule,
    /// A solid cylinder with flat caps.
    Cylinder,
    /// A box of any orientation.
    OrientedBox,
    /// A solid ellipsoid.
    Ellipsoid,
    /// A solid cone with a flat base.
    Cone,
    /// A convex hull, rounded or not.
    Convex,
    /// A half-space, or a two-sided plane.
    Plane,
    /// An implicit function with a pose and a scale.
    ImplicitBody,
    /// Unconnected points.
    PointSet,
    /// Segments between points.
    LineMesh,
    /// Triangles between points.
    SurfaceMesh,
    /// Tetrahedra between points.
    TetraMesh,
    /// A geometry made of child geometries.
    Compound,
}

impl<'a> TypedGeometry<'a> {
    /// Returns the concrete type of a geometry. Cost: one comparison per type of the list.
    pub fn of(geometry: &'a dyn Geometry) -> Self {
        Self::of_any(geometry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    #[test]
    fn a_geometry_is_found_by_its_type() {
        let ball = Sphere::new(Point::origin(), 2.0).unwrap();
        let TypedGeometry::Sphere(found) = TypedGeometry::of(&ball) else { panic!("a sphere") };
        assert!(std::ptr::eq(found, &ball));
        let points = PointSet::new(vec![Point::origin()]).unwrap();
        assert!(matches!(TypedGeometry::of(&points), TypedGeometry::PointSet(_)));
        assert!(matches!(TypedGeometry::of_any(&1.0), TypedGeometry::Other));
    }
}
