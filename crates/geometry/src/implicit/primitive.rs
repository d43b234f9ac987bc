//! The analytic functions that primitives are: their own signed distances.

use super::{Exactness, ImplicitFunction, Sample};
use crate::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, Implicit, OrientedBox, Plane, SignedDistance,
    Sphere,
};
use palpate_math::{Aabb, Point};

impl From<SignedDistance> for Sample {
    fn from(signed: SignedDistance) -> Self {
        Self { value: signed.distance, gradient: signed.gradient, feature: signed.feature }
    }
}

/// Any convex solid as a function: its signed distance, which is convex. World frame.
#[derive(Clone, Copy)]
pub struct Solid<'a> {
    solid: &'a dyn Implicit,
    bounds: Aabb,
}

impl<'a> Solid<'a> {
    /// A convex solid by its signed distance and its box.
    pub fn new(solid: &'a dyn Implicit, bounds: Aabb) -> Self {
        Self { solid, bounds }
    }
}

impl ImplicitFunction for Solid<'_> {
    fn sample(&self, point: &Point) -> Sample {
        self.solid.signed_distance(point).into()
    }

    fn bounds(&self, level: f64) -> Aabb {
        self.bounds.grown(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }

    fn is_convex(&self) -> bool {
        true
    }
}

/// A primitive's pose is where it stands in the function's frame.
macro_rules! convex_function {
    ($($shape:ident),*) => {$(
        impl ImplicitFunction for $shape {
            fn sample(&self, point: &Point) -> Sample {
                self.signed_distance(point).into()
            }

            fn bounds(&self, level: f64) -> Aabb {
                Geometry::bounds(self).grown(level)
            }

            fn lipschitz(&self) -> Option<f64> {
                Some(1.0)
            }

            fn exactness(&self) -> Exactness {
                Exactness::DISTANCE
            }

            fn is_convex(&self) -> bool {
                true
            }

            fn content(&self) -> Vec<f64> {
                Geometry::content(self)
            }
        }
    )*};
}

convex_function!(Sphere, OrientedBox, Capsule, Cylinder, Plane, Ellipsoid, Cone, Convex);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use palpate_math::Vector;

    #[test]
    fn a_primitive_is_its_signed_distance() {
        let cylinder = Cylinder::new(Pose::translation(0.0, 1.0, 0.0), 0.5, 2.0).unwrap();
        let sample = cylinder.sample(&Point::new(2.0, 1.0, 0.0));
        assert_eq!((sample.value, sample.gradient, sample.feature), (1.5, Vector::x(), 2));
        assert!(ImplicitFunction::bounds(&cylinder, 1.0).contains_point(&Point::new(1.5, 3.0, 0.0)));
        let solid = Solid::new(&cylinder, Geometry::bounds(&cylinder));
        assert_eq!(solid.sample(&Point::new(0.0, 3.0, 0.0)).value, 1.0);
    }
}
