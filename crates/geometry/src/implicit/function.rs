//! What an implicit function says of itself.

use crate::Pose;
use palpate_math::{Aabb, Point, Vector};
use std::any::Any;
use std::sync::Arc;

/// The value of an implicit function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Negative inside; metres, where the function bounds a distance.
    pub value: f64,
    /// The exact gradient of the value; where it is not unique, that of one side, which the function's doc comment names.
    pub gradient: Vector,
    /// The number of the surface feature that gave the value, or [`palpate_contact::NONE`].
    pub feature: u32,
}

/// Where the value is the signed distance itself, and not only a bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exactness {
    /// Where the value is negative.
    pub inside: bool,
    /// Where it is positive.
    pub outside: bool,
}

impl Exactness {
    /// The signed distance everywhere.
    pub const DISTANCE: Self = Self { inside: true, outside: true };
    /// Nowhere.
    pub const NOWHERE: Self = Self { inside: false, outside: false };

    /// Whether the value is the signed distance everywhere.
    pub fn is_distance(self) -> bool {
        self == Self::DISTANCE
    }
}

/// A point, a segment, a triangle or a tetrahedron over which a function is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// One to four corners.
    pub corners: &'a [Point],
    /// Their mean.
    pub center: Point,
    /// How far the farthest corner is from the centre.
    pub radius: f64,
}

impl<'a> Cell<'a> {
    /// The cell of one to four corners.
    pub fn new(corners: &'a [Point]) -> Self {
        let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
        let center = Point::from(sum / corners.len() as f64);
        let radius = corners.iter().map(|corner| (corner - center).norm_squared()).fold(0.0, f64::max).sqrt();
        Self { corners, center, radius }
    }

    /// A number for every corner, zero past their count.
    pub fn at_corners(&self, number: impl Fn(&Point) -> f64) -> [f64; 4] {
        let mut numbers = [0.0; 4];
        for (slot, corner) in numbers.iter_mut().zip(self.corners) {
            *slot = number(corner);
        }
        numbers
    }

    /// The linear function with this value and gradient at the centre.
    pub fn linear(&self, value: f64, gradient: &Vector) -> [f64; 4] {
        self.at_corners(|corner| value + gradient.dot(&(corner - self.center)))
    }

    /// The constant function.
    pub fn constant(&self, value: f64) -> [f64; 4] {
        self.at_corners(|_| value)
    }
}

/// A place on an edge of a cell where the function changes its formula: cells are better divided there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The numbers of the edge's two corners.
    pub edge: [usize; 2],
    /// The weight of the second, strictly between 0 and 1.
    pub t: f64,
}

/// A box in any orientation that holds a body: the root of a search over it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBounds {
    /// The middle.
    pub center: Point,
    /// From the middle to three of the faces, at right angles.
    pub half: [Vector; 3],
}

impl OrientedBounds {
    /// The box at a pose with half extents along its local axes.
    pub fn new(pose: &Pose, half: Vector) -> Self {
        let along = |axis: usize| pose.rotation * Vector::ith(axis, half[axis]);
        Self { center: Point::from(pose.translation.vector), half: [along(0), along(1), along(2)] }
    }
}

impl From<Aabb> for OrientedBounds {
    fn from(bounds: Aabb) -> Self {
        let half = bounds.size() * 0.5;
        Self { center: bounds.center(), half: [0, 1, 2].map(|axis| Vector::ith(axis, half[axis])) }
    }
}

/// What an implicit function is made of. The same made of the same is the same function, to the last bit.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Description<'a> {
    /// One of palpate's own that is made of no others: a primitive, a [`Torus`](super::Torus), a [`Grid`](super::Grid), or
    /// a function with a pose and a scale, an [`ImplicitBody`](crate::ImplicitBody).
    Own(&'a dyn Any),
    /// What is inside of any of these.
    Union(&'a [Arc<dyn ImplicitFunction>]),
    /// What is inside of all of these; a difference has [complements](Self::Complement) among them.
    Intersection(&'a [Arc<dyn ImplicitFunction>]),
    /// What is outside of this: the second and all later parts of a difference.
    Complement(&'a Arc<dyn ImplicitFunction>),
    /// The union of these, its seams filled by a radius in metres.
    SmoothUnion(&'a [Arc<dyn ImplicitFunction>], f64),
    /// This grown by a distance in metres.
    Offset(&'a Arc<dyn ImplicitFunction>, f64),
}

/// A function of space that is negative inside of a body, zero on its surface and positive outside.
///
/// Three grades, by what a function says of itself:
/// - a **signed distance** ([`exactness`](Self::exactness) inside and outside);
/// - a **bound**: its value changes by at most [`lipschitz`](Self::lipschitz) times the way, so that the distance to the
///   surface is nowhere less than the value's magnitude divided by that number;
/// - **sign and gradient** alone (`lipschitz` is `None`, the default): detectors that need a distance refuse it.
///
/// A function of a user's own implements [`sample`](Self::sample) and [`bounds`](Self::bounds), and says by the other
/// methods what it knows better. Lengths in metres, in the frame of the function; multiplying all lengths by a power of two
/// ought to multiply values by it.
pub trait ImplicitFunction: Send + Sync {
    /// The value and its gradient at a point. No heap.
    fn sample(&self, point: &Point) -> Sample;

    /// A box that holds every point whose value is `level` or less; infinite, where there is none. `level` is 0 or more.
    fn bounds(&self, level: f64) -> Aabb;

    /// By how many metres the value changes in a metre, at most; `None` where no such number is known.
    fn lipschitz(&self) -> Option<f64> {
        None
    }

    /// Where the value is the signed distance.
    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    /// Whether the function is convex: the signed distance of a convex body is.
    fn is_convex(&self) -> bool {
        false
    }

    /// Whether the body is known to be in one piece: a convex one is.
    fn is_connected(&self) -> bool {
        self.is_convex()
    }

    /// The values at the corners of a linear function that is nowhere in the cell above this one. The closer, the sooner
    /// searches end: by default the tangent where the function is convex, and a constant by the Lipschitz number elsewhere.
    fn bound_below(&self, cell: &Cell<'_>) -> [f64; 4] {
        let sample = self.sample(&cell.center);
        if self.is_convex() {
            return cell.linear(sample.value, &sample.gradient);
        }
        cell.constant(self.lipschitz().map_or(f64::NEG_INFINITY, |rate| sample.value - rate * cell.radius))
    }

    /// Calls `visit` with linear functions of which none is anywhere in the cell above this one: by default with
    /// [`bound_below`](Self::bound_below). What is the greatest of several has one of each: a search mixes them better when it
    /// knows what else limits it.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut([f64; 4])) {
        visit(self.bound_below(cell));
    }

    /// The values at the corners of a linear function that is nowhere in the cell below this one: by default the function's
    /// own values where it is convex, and a constant elsewhere.
    fn bound_above(&self, cell: &Cell<'_>) -> [f64; 4] {
        if self.is_convex() {
            return cell.at_corners(|corner| self.sample(corner).value);
        }
        let value = self.sample(&cell.center).value;
        cell.constant(self.lipschitz().map_or(f64::INFINITY, |rate| value + rate * cell.radius))
    }

    /// Where the cell is better divided; `None` (the default) in the middle of its longest edge.
    fn crossing(&self, _cell: &Cell<'_>) -> Option<Crossing> {
        None
    }

    /// A number that no value is below: the deepest place's, at best. Minus infinity (the default) where none is known.
    fn floor(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Of what is the distance from a segment (or a point) less a radius, anywhere: the ends and the radius. Two of these a
    /// shell is made of. `None` (the default) of all else.
    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        None
    }

    /// Of what is outside of a body: that body.
    fn complement(&self) -> Option<&dyn ImplicitFunction> {
        None
    }

    /// The farthest place of the body along a direction of any length but zero, where a formula knows it. `None` (the default)
    /// leaves it to a search.
    fn support(&self, _direction: &Vector) -> Option<Point> {
        None
    }

    /// A tight box that holds the body, in any orientation: one whose faces the body's own faces lie in spares a search much
    /// work. `None` (the default) takes [`bounds`](Self::bounds).
    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        None
    }

    /// Calls `visit` with every body whose union this is, and says so; `false` (the default), without a call, of what is no
    /// union. The value must be the least of theirs everywhere, so that a search may go through them one by one.
    fn over_parts(&self, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        false
    }

    /// Of a blend of two convex bodies `a` and `b`, whose value is the least over the shares `s` from 0 to 1 of
    /// `(1 - s) a + s b - radius s (1 - s)`: calls `visit` with that function for one share, and gives the radius. `None` (the
    /// default), without a call, of all else.
    fn blended(&self, _share: f64, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> Option<f64> {
        None
    }

    /// What the function is made of, so that it can be written down and made again. `None` (the default): nobody knows. A
    /// function of a user's own may give that of one of palpate's that answers the same to every question.
    fn describe(&self) -> Option<Description<'_>> {
        None
    }

    /// The numbers by which two functions are put in order: sizes first. Empty (the default) keeps them as given.
    fn content(&self) -> Vec<f64> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The height over a bowl: convex, no distance.
    struct Bowl;

    impl ImplicitFunction for Bowl {
        fn sample(&self, point: &Point) -> Sample {
            let gradient = Vector::new(2.0 * point.x, -1.0, 2.0 * point.z);
            let value = point.x * point.x + point.z * point.z - point.y;
            Sample { value, gradient, feature: palpate_contact::NONE }
        }

        fn bounds(&self, _: f64) -> Aabb {
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
        assert_eq!(Bowl.bound_above(&cell)[..2], [1.0, 9.0]);
    }

    /// A sign with nothing known: no bound.
    struct Sign;

    impl ImplicitFunction for Sign {
        fn sample(&self, point: &Point) -> Sample {
            Sample { value: point.y.signum(), gradient: Vector::y(), feature: palpate_contact::NONE }
        }

        fn bounds(&self, _: f64) -> Aabb {
            Aabb::ALL
        }
    }

    #[test]
    fn a_sign_alone_bounds_nothing() {
        let corners = [Point::origin()];
        assert_eq!(Sign.bound_below(&Cell::new(&corners))[0], f64::NEG_INFINITY);
        assert_eq!(Sign.bound_above(&Cell::new(&corners))[0], f64::INFINITY);
        assert!(!Sign.exactness().is_distance() && Sign.lipschitz().is_none());
    }
}
