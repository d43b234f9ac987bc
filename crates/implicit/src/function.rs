//! Implicit functions.

mod structure;

pub use structure::Structure;

use crate::base::{Cell, CellValues, Exactness, Pose, Sample, SignedDistance};
use palpate_math::{Aabb, Point, Vector, direction};
use std::sync::Arc;

/// What an implicit function is made of. The same made of the same is the same function, to the last bit.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Description<'a> {
    /// One of palpate's own that is made of no others: a primitive, a [`Torus`](super::Torus), a [`Grid`](super::Grid).
    Own(&'a dyn Structure),
    /// A function whose frame is at a pose, after all its lengths and values are multiplied by a scale.
    Posed {
        /// The function, in its own frame.
        of: &'a dyn ImplicitFunction,
        /// Where its frame is.
        pose: &'a Pose,
        /// How many times its lengths.
        scale: f64,
    },
    /// What is inside of any of several functions.
    Union {
        /// The union itself.
        own: &'a dyn Structure,
        /// The functions, one or more.
        of: &'a [Arc<dyn ImplicitFunction>],
    },
    /// What is inside of all of several functions.
    Intersection {
        /// The intersection itself.
        own: &'a dyn Structure,
        /// The functions, one or more; of a difference all but the first are [complements](Self::Complement).
        of: &'a [Arc<dyn ImplicitFunction>],
    },
    /// What is outside of a function.
    Complement {
        /// The complement itself.
        own: &'a dyn Structure,
        /// The function.
        of: &'a Arc<dyn ImplicitFunction>,
    },
    /// The union of several functions, its seams filled.
    SmoothUnion {
        /// The union itself.
        own: &'a dyn Structure,
        /// The functions, one or more, in the order in which they are joined.
        of: &'a [Arc<dyn ImplicitFunction>],
        /// The radius of the seams, in metres.
        radius: f64,
    },
    /// A function grown by a distance.
    Offset {
        /// The offset itself.
        own: &'a dyn Structure,
        /// The function.
        of: &'a Arc<dyn ImplicitFunction>,
        /// By how much it is grown, in metres.
        distance: f64,
    },
}

impl<'a> Description<'a> {
    /// Returns one of palpate's own functions that is made of no others: a primitive, a [`Torus`](super::Torus), a
    /// [`Grid`](super::Grid); `None` if it is not a `T`.
    pub fn own<T: 'static>(&self) -> Option<&'a T> {
        match self {
            Self::Own(own) => own.as_any()?.downcast_ref(),
            _ => None,
        }
    }
}

/// A function of space that is negative inside a body, zero on its surface and positive outside.
///
/// Three grades, by the declared properties:
/// - a **signed distance** ([`exactness`](Self::exactness) inside and outside);
/// - a **bound**: its Lipschitz constant is [`lipschitz`](Self::lipschitz), so that the distance to the surface is
///   nowhere less than the value's magnitude divided by that number;
/// - **sign and gradient** only (`lipschitz` is `None`, the default): rejected by detectors that need a distance.
///
/// User-defined functions implement [`sample`](Self::sample) and [`sublevel_bounds`](Self::sublevel_bounds), and override the other
/// methods where they have better answers. Lengths in metres, in the frame of the function; scaling all lengths by a
/// power of two should scale the values by it.
pub trait ImplicitFunction: Send + Sync {
    /// Returns the value and its gradient at a point. No allocation.
    fn sample(&self, point: &Point) -> Sample;

    /// Returns the signed distance from `point` with its closest surface point.
    ///
    /// By default the value where the function bounds a distance; otherwise the value divided by the length of its
    /// gradient, which is the distance to first order (Taubin 1994, "Distance approximations for rasterizing implicit
    /// curves", section 3). A zero gradient is replaced by +y. The closest point is on the surface only where the value
    /// is the distance.
    fn signed_distance(&self, point: &Point) -> SignedDistance {
        let Sample { value, gradient, feature } = self.sample(point);
        let length = gradient.norm();
        let distance = if self.lipschitz().is_none() && length > 0.0 { value / length } else { value };
        let gradient = direction::unit_or(&gradient, &Vector::y());
        SignedDistance { distance, nearest: point - gradient * distance, gradient, feature }
    }

    /// Returns a box that contains every point whose value is at most `level`; infinite if unbounded. `level` is 0 or
    /// more.
    fn sublevel_bounds(&self, level: f64) -> Aabb;

    /// Returns the Lipschitz constant of the value; `None` if unknown.
    fn lipschitz(&self) -> Option<f64> {
        None
    }

    /// Returns the error of the value as an approximation of the body, in metres: no search gets closer to its minimum.
    /// 0 (the default) for a function that is the body itself.
    fn resolution(&self) -> f64 {
        0.0
    }

    /// Returns where the value is the signed distance.
    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    /// Whether the function is convex: the signed distance of a convex body is.
    fn is_convex(&self) -> bool {
        false
    }

    /// Returns the values at the corners of a linear lower bound of the function in the cell. The tighter, the sooner
    /// searches terminate: by default the tangent if the function is convex, else a constant by the Lipschitz constant.
    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let sample = self.sample(&cell.center);
        if self.is_convex() {
            return cell.linear(sample.value, &sample.gradient);
        }
        cell.constant(self.lipschitz().map_or(f64::NEG_INFINITY, |rate| sample.value - rate * cell.radius))
    }

    /// What the function is made of, so that it can be written down and made again. `None` (the default): nobody knows. A
    /// function of a user's own may give that of one of palpate's that answers the same to every question.
    fn describe(&self) -> Option<Description<'_>> {
        None
    }

    /// Returns the sort key by which two functions are ordered: sizes first. Empty (the default) keeps the given order.
    fn content(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(of: &dyn ImplicitFunction) -> &dyn ImplicitFunction {
        of
    }

    /// The height over a bowl: convex, not a distance.
    struct Bowl;

    impl ImplicitFunction for Bowl {
        fn sample(&self, point: &Point) -> Sample {
            let gradient = Vector::new(2.0 * point.x, -1.0, 2.0 * point.z);
            let value = point.x * point.x + point.z * point.z - point.y;
            Sample { value, gradient, feature: palpate_contact::NONE }
        }

        fn sublevel_bounds(&self, _: f64) -> Aabb {
            Aabb::ALL
        }

        fn is_convex(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_convex_function_lies_between_its_tangent_and_its_chords() {
        let corners = [Point::new(-1.0, 0.0, 0.0), Point::new(3.0, 0.0, 0.0)];
        let cell = Cell::new(&corners);
        assert_eq!((cell.center.x, cell.radius), (1.0, 2.0));
        // The tangent of x² at 1 is 2 x - 1.
        assert_eq!(Bowl.bound_below(&cell)[..2], [-3.0, 5.0]);
        assert_eq!(function(&Bowl).bound_above(&cell)[..2], [1.0, 9.0]);
    }

    /// A sign with no known bounds.
    struct Sign;

    impl ImplicitFunction for Sign {
        fn sample(&self, point: &Point) -> Sample {
            Sample { value: point.y.signum(), gradient: Vector::y(), feature: palpate_contact::NONE }
        }

        fn sublevel_bounds(&self, _: f64) -> Aabb {
            Aabb::ALL
        }
    }

    #[test]
    fn a_sign_alone_bounds_nothing() {
        let corners = [Point::origin()];
        assert_eq!(Sign.bound_below(&Cell::new(&corners))[0], f64::NEG_INFINITY);
        assert_eq!(function(&Sign).bound_above(&Cell::new(&corners))[0], f64::INFINITY);
        assert!(!Sign.exactness().is_distance() && Sign.lipschitz().is_none());
    }
}
