//! The questions of [`Structure`] to any function.

use super::posed::Posed;
use crate::base::{Cell, CellValues, Circle, EdgeSplit, Exactness, OrientedBounds, Sample, SignedDistance};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector};

/// A function of which nothing more is known.
struct Unstructured<'a>(&'a dyn ImplicitFunction);

impl ImplicitFunction for Unstructured<'_> {
    fn sample(&self, point: &Point) -> Sample {
        self.0.sample(point)
    }

    fn signed_distance(&self, point: &Point) -> SignedDistance {
        self.0.signed_distance(point)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.0.sublevel_bounds(level)
    }

    fn lipschitz(&self) -> Option<f64> {
        self.0.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.0.resolution()
    }

    fn exactness(&self) -> Exactness {
        self.0.exactness()
    }

    fn is_convex(&self) -> bool {
        self.0.is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.0.bound_below(cell)
    }
}

impl Structure for Unstructured<'_> {}

/// Asks a function of which it is not known whether it is one of palpate's own.
macro_rules! ask {
    ($($(#[$doc:meta])* $name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)*) => {
        impl dyn ImplicitFunction + '_ {$(
            $(#[$doc])*
            pub fn $name(&self $(, $arg: $type)*) $(-> $out)? {
                match self.describe() {
                    None => Unstructured(self).$name($($arg),*),
                    Some(Description::Posed { of: function, pose, scale }) => {
                        Posed { function, pose, scale }.$name($($arg),*)
                    }
                    Some(
                        Description::Own(own)
                        | Description::Union { own, .. }
                        | Description::Intersection { own, .. }
                        | Description::Complement { own, .. }
                        | Description::SmoothUnion { own, .. }
                        | Description::Offset { own, .. },
                    ) => own.$name($($arg),*),
                }
            }
        )*}
    };
}

ask! {
    /// [`Structure::value`].
    #[doc(hidden)]
    value(point: &Point) -> f64;
    /// [`Structure::values`].
    #[doc(hidden)]
    values(points: &[Point], values: &mut [f64]);
    /// [`Structure::is_connected`].
    #[doc(hidden)]
    is_connected() -> bool;
    /// [`Structure::bounds_below`].
    #[doc(hidden)]
    bounds_below(cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool);
    /// [`Structure::bound_above`].
    #[doc(hidden)]
    bound_above(cell: &Cell<'_>) -> CellValues;
    /// [`Structure::edge_split`].
    #[doc(hidden)]
    edge_split(cell: &Cell<'_>) -> Option<EdgeSplit>;
    /// [`Structure::floor`].
    #[doc(hidden)]
    floor() -> f64;
    /// [`Structure::lowest_near`].
    #[doc(hidden)]
    lowest_near(point: &Point) -> Option<Point>;
    /// [`Structure::rounded_segment`].
    #[doc(hidden)]
    rounded_segment() -> Option<([Point; 2], f64)>;
    /// [`Structure::rounded_circle`].
    #[doc(hidden)]
    rounded_circle() -> Option<(Circle, f64)>;
    /// [`Structure::rounding`].
    #[doc(hidden)]
    rounding() -> f64;
    /// [`Structure::concavity`].
    #[doc(hidden)]
    concavity(point: &Point, reach: f64) -> f64;
    /// [`Structure::support_point`].
    #[doc(hidden)]
    support_point(direction: &Vector) -> Option<Point>;
    /// [`Structure::oriented_bounds`].
    #[doc(hidden)]
    oriented_bounds() -> Option<OrientedBounds>;
    /// [`Structure::over_parts`].
    #[doc(hidden)]
    over_parts(visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool;
    /// [`Structure::tangents`].
    #[doc(hidden)]
    tangents(point: &Point, visit: &mut dyn FnMut(f64, Vector));
    /// [`Structure::bound_about`].
    #[doc(hidden)]
    bound_about(cell: &Cell<'_>, place: &Point) -> Option<CellValues>;
    /// [`Structure::tangent_height`].
    #[doc(hidden)]
    tangent_height(point: &Point, sample: &Sample) -> f64;
    /// [`Structure::pieces`].
    #[doc(hidden)]
    pieces(point: &Point, visit: &mut dyn FnMut(f64, Vector));
    /// [`Structure::convex_part`].
    #[doc(hidden)]
    convex_part(visit: &mut dyn FnMut(&dyn ImplicitFunction));
    /// [`Structure::least_on_segment`].
    #[doc(hidden)]
    least_on_segment(ends: &[Point; 2]) -> Option<f64>;
}
