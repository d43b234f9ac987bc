//! The types of this crate as a closed list.

use crate::{
    Capsule, Compound, Cone, Convex, Cylinder, Ellipsoid, Geometry, GeometryKind, ImplicitBody, LineMesh,
    OrientedBox, Plane, PointSet, ShapeType, SizedShape, Sphere, SurfaceMesh, TetraMesh,
};
use std::any::Any;

macro_rules! typed_geometry {
    (
        sized { $($(#[$sized_doc:meta])* $sized:ident,)* }
        others { $($(#[$doc:meta])* $name:ident,)* }
    ) => {
        /// A geometry by its concrete type, to match on. What only some types can do (cells, sizes) is read from it; what
        /// user-defined types may do as well is a method of [`Geometry`].
        #[derive(Clone, Copy)]
        #[non_exhaustive]
        pub enum TypedGeometry<'a> {
            $($(#[$sized_doc])* $sized(&'a $sized),)*
            $($(#[$doc])* $name(&'a $name),)*
            /// A user-defined type.
            Other,
        }

        impl<'a> TypedGeometry<'a> {
            /// Returns the concrete type of any value. Cost: one comparison per type of the list.
            pub fn of_any(any: &'a dyn Any) -> Self {
                $(if let Some(found) = any.downcast_ref() {
                    return Self::$sized(found);
                })*
                $(if let Some(found) = any.downcast_ref() {
                    return Self::$name(found);
                })*
                Self::Other
            }

            /// Returns the shape, if a pose and at most three numbers determine it.
            pub fn sized(self) -> Option<&'a dyn SizedShape> {
                match self {
                    $(Self::$sized(shape) => Some(shape),)*
                    _ => None,
                }
            }
        }

        impl ShapeType {
            /// Returns all types, in a fixed order.
            pub fn all() -> impl ExactSizeIterator<Item = &'static Self> {
                [$($sized::of_type()),*].into_iter()
            }
        }
    };
}

typed_geometry! {
    sized {
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
    }
    others {
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
}

impl<'a> TypedGeometry<'a> {
    /// Returns the concrete type of a geometry. Cost: one comparison per type of the list.
    pub fn of(geometry: &'a dyn Geometry) -> Self {
        Self::of_any(geometry)
    }
}

impl ShapeType {
    /// Returns the type with this name in descriptions.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|shape| shape.name() == name)
    }

    /// Returns the type with this name as an implicit function.
    pub fn with_function_key(key: &str) -> Option<&'static Self> {
        Self::all().find(|shape| shape.function_key() == Some(key))
    }

    /// Returns the type of all geometries of this kind; `None` for `convex`, which several types share.
    pub fn of_kind(kind: &str) -> Option<&'static Self> {
        Self::all().find(|shape| shape.kind().name() == kind && *shape.kind() != GeometryKind::CONVEX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, SizeField, Turn};
    use palpate_math::Point;
    use std::collections::BTreeSet;

    #[test]
    fn a_geometry_is_found_by_its_type() {
        let ball = Sphere::new(Point::origin(), 2.0).unwrap();
        let TypedGeometry::Sphere(found) = TypedGeometry::of(&ball) else { panic!("a sphere") };
        assert!(std::ptr::eq(found, &ball));
        let points = PointSet::new(vec![Point::origin()]).unwrap();
        assert!(matches!(TypedGeometry::of(&points), TypedGeometry::PointSet(_)));
        assert!(matches!(TypedGeometry::of_any(&1.0), TypedGeometry::Other));
    }

    #[test]
    fn every_sized_shape_is_made_from_its_sizes_and_names_them() {
        let pose = Pose::translation(1.0, 2.0, 3.0);
        let numbers = [0.25, 0.5, 0.75];
        let mut names = BTreeSet::new();
        for shape_type in ShapeType::all() {
            let count: usize = shape_type.sizes().iter().map(|field| field.count()).sum();
            let sizes = std::array::from_fn(|k| if k < count { numbers[k] } else { 0.0 });
            let made = shape_type.make(pose, sizes).unwrap();
            assert_eq!(
                (made.sizes(), *made.poses().0, made.kind()),
                (sizes, pose, shape_type.kind().clone())
            );
            let found = TypedGeometry::of(made.as_ref()).sized().unwrap();
            assert!(std::ptr::eq(found.shape_type(), shape_type));
            assert!(std::ptr::eq(ShapeType::named(shape_type.name()).unwrap(), shape_type));
            let key = shape_type.function_key();
            assert!(
                key.is_none_or(|key| std::ptr::eq(ShapeType::with_function_key(key).unwrap(), shape_type))
            );
            let as_function = shape_type.make_function(pose, sizes);
            assert_eq!(as_function.is_ok(), key.is_some(), "{}", shape_type.name());
            if let Ok(function) = as_function {
                let own = made.as_implicit().unwrap();
                assert_eq!(function.sample(&Point::origin()).value, own.sample(&Point::origin()).value);
            }
            let mut place = 0;
            for field in shape_type.sizes() {
                let mut none = sizes;
                none[place] = 0.0;
                let is_made = shape_type.make(pose, none).is_ok();
                assert_eq!(is_made, matches!(field, SizeField::NotNegative(_)), "{}", field.key());
                place += field.count();
            }
            names.insert(shape_type.name());
        }
        assert_eq!(names.len(), ShapeType::all().len());
        assert!(names.len() >= 6 && names.contains("Ellipsoid"), "{names:?}");
    }

    #[test]
    fn only_a_kind_of_one_type_names_the_type() {
        assert_eq!(ShapeType::of_kind("oriented_box").map(ShapeType::name), Some("OrientedBox"));
        assert_eq!(ShapeType::of_kind("oriented_box").map(ShapeType::turn), Some(Turn::Axes));
        assert!(ShapeType::of_kind("convex").is_none() && ShapeType::of_kind("plane").is_none());
    }
}
