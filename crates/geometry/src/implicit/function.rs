//! Implicit functions.

use super::matrices::turned;
use super::{
    Cell, CellValues, Circle, EdgeSplit, Exactness, Jet, LeastOnTriangle, OrientedBounds, Sample,
    SegmentJets, SegmentProfile, SegmentSpan, TriangleDomain,
};
use crate::{Pose, SignedDistance};
use nalgebra::Matrix3;
use palpate_math::{Aabb, Point, Vector, direction};
use std::any::Any;
use std::sync::Arc;

/// Returns the jet of a convex function without creases, by its sample and its Hessian.
pub(super) fn jet_of<F: ImplicitFunction + ?Sized>(function: &F, point: &Point) -> Option<Jet> {
    let hessian = function.hessian(point, 0)?;
    let sample = function.sample(point);
    let height = function.tangent_height(point, &sample);
    Some(Jet { value: sample.value, height, gradient: sample.gradient, hessian, other_side: None })
}

/// One of the convex functions of a maximum, with a pose and a scale, minus an offset: itself, or its negative where its body
/// is taken away.
#[derive(Clone, Copy)]
pub struct Term<'a> {
    function: &'a dyn ImplicitFunction,
    /// Where the frame of the function is, and how many times its lengths; `None` for the frame of the maximum.
    place: Option<(Pose, f64)>,
    offset: f64,
    is_taken: bool,
}

impl<'a> Term<'a> {
    /// Creates the term of a convex function, or of its negative.
    pub(super) fn new(function: &'a dyn ImplicitFunction, is_taken: bool) -> Self {
        Self { function, place: None, offset: 0.0, is_taken }
    }

    /// Whether the maximum contains the negative of the convex function.
    pub fn is_taken(&self) -> bool {
        self.is_taken
    }

    /// Returns the term in the frame of a maximum that is scaled, then posed.
    pub(super) fn posed(self, pose: &Pose, scale: f64) -> Self {
        let place = match self.place {
            None => (*pose, scale),
            Some((mut inner, own)) => {
                inner.translation.vector *= scale;
                (pose * inner, scale * own)
            }
        };
        Self { place: Some(place), offset: self.offset * scale, ..self }
    }

    /// Returns the term of the maximum minus a distance.
    pub(super) fn lowered(self, distance: f64) -> Self {
        Self { offset: self.offset + if self.is_taken { -distance } else { distance }, ..self }
    }

    /// Returns the convex function's value and gradient at a point.
    pub fn sample(&self, point: &Point) -> Sample {
        let sample = match &self.place {
            None => self.function.sample(point),
            Some((pose, scale)) => {
                let local = self.function.sample(&(pose.inverse_transform_point(point) / *scale));
                Sample { value: local.value * scale, gradient: pose.rotation * local.gradient, ..local }
            }
        };
        Sample { value: sample.value - self.offset, ..sample }
    }

    /// Returns the height of the tangent: [`ImplicitFunction::tangent_height`].
    pub(super) fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        let whole = Sample { value: sample.value + self.offset, ..*sample };
        let height = match &self.place {
            None => self.function.tangent_height(point, &whole),
            Some((pose, scale)) => {
                let gradient = pose.rotation.inverse_transform_vector(&whole.gradient);
                let local = Sample { value: whole.value / scale, gradient, ..whole };
                self.function.tangent_height(&(pose.inverse_transform_point(point) / *scale), &local) * scale
            }
        };
        (height - self.offset).min(sample.value)
    }

    /// Returns the ends and the radius of the convex function's body, if it is a rounded segment.
    pub(super) fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        let (ends, radius) = self.function.rounded_segment()?;
        Some(match &self.place {
            None => (ends, radius + self.offset),
            Some((pose, scale)) => (ends.map(|end| pose * (end * *scale)), radius * scale + self.offset),
        })
    }

    /// Returns the Hessian of the convex function, or of one of its pieces: [`ImplicitFunction::hessian`].
    pub(super) fn hessian(&self, point: &Point, piece: usize) -> Option<Matrix3<f64>> {
        let Some((pose, scale)) = &self.place else { return self.function.hessian(point, piece) };
        let local = self.function.hessian(&(pose.inverse_transform_point(point) / *scale), piece)?;
        Some(turned(&local, &pose.rotation.to_rotation_matrix()) / *scale)
    }

    /// Calls `visit` with the pieces of the convex function: [`ImplicitFunction::pieces`].
    pub fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        match &self.place {
            None => self.function.pieces(point, &mut |value, gradient| visit(value - self.offset, gradient)),
            Some((pose, scale)) => {
                let local = pose.inverse_transform_point(point) / *scale;
                self.function.pieces(&local, &mut |value, gradient| {
                    visit(value * scale - self.offset, pose.rotation * gradient);
                });
            }
        }
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

    /// Returns the value alone, which may take less time.
    fn value(&self, point: &Point) -> f64 {
        self.sample(point).value
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

    /// Returns where the value is the signed distance.
    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    /// Whether the function is convex: the signed distance of a convex body is.
    fn is_convex(&self) -> bool {
        false
    }

    /// Whether the body is known to be connected: a convex one is.
    fn is_connected(&self) -> bool {
        self.is_convex()
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

    /// Calls `visit` with linear lower bounds of the function in the cell: by default with
    /// [`bound_below`](Self::bound_below). A maximum of several functions has one for each: a search combines them
    /// better when it knows the other constraints.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues)) {
        visit(self.bound_below(cell));
    }

    /// Like [`bounds_below`](Self::bounds_below), but may stop once a bound is above `enough` in the whole cell: for
    /// functions whose bounds are costly. By default all are visited.
    fn bounds_below_up_to(&self, cell: &Cell<'_>, _enough: f64, visit: &mut dyn FnMut(CellValues)) {
        self.bounds_below(cell, visit);
    }

    /// Returns the values at the corners of a linear upper bound of the function in the cell: by default the function's
    /// own values if it is convex, else a constant.
    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        if self.is_convex() {
            return cell.at_corners(|corner| self.sample(corner).value);
        }
        let value = self.sample(&cell.center).value;
        cell.constant(self.lipschitz().map_or(f64::INFINITY, |rate| value + rate * cell.radius))
    }

    /// Adds what [`segment_profile`](Self::segment_profile) needs of a point of a segment along `way`: the same number of jets
    /// for every point, by default the one of a convex function, and none of others.
    fn segment_jets(&self, point: &Point, way: &Vector, jets: &mut SegmentJets) {
        if self.is_convex() {
            jets.push(&self.sample(point), way);
        }
    }

    /// Returns what is known of the function along a span of a segment: by default its values and slopes, if it is convex.
    /// `None` if too little is known. Takes the jets that the function has added for the span's ends.
    fn segment_profile(&self, span: &mut SegmentSpan<'_>) -> Option<SegmentProfile> {
        self.is_convex().then(|| span.next_profile())
    }

    /// Calls `visit` with profiles along the span of functions that this one is nowhere below: by default with its own, if it
    /// has one, else with [linear bounds](Self::bounds_below). Returns whether it is the greatest of these functions. Takes
    /// the jets that the function has added for the span's ends.
    fn segment_profiles_below(
        &self,
        span: &mut SegmentSpan<'_>,
        visit: &mut dyn FnMut(&SegmentProfile),
    ) -> bool {
        if let Some(profile) = self.segment_profile(span) {
            visit(&profile);
            return true;
        }
        let ends = span.ends();
        self.bounds_below(&Cell::new(&ends), &mut |[first, last, ..]| {
            visit(&SegmentProfile::linear([first, last]));
        });
        false
    }

    /// For a function with a pose and a scale: calls `visit` with that function in its own frame, the pose, and the scale of lengths and
    /// values, and returns true. `false` (the default), without a call, for everything else.
    fn over_own_frame(&self, _visit: &mut dyn FnMut(&dyn ImplicitFunction, &Pose, f64)) -> bool {
        false
    }

    /// Returns where the cell is best split; `None` (the default) for the middle of its longest edge.
    fn edge_split(&self, _cell: &Cell<'_>) -> Option<EdgeSplit> {
        None
    }

    /// Returns a lower bound of all values: that of the deepest point, ideally. Minus infinity (the default) if
    /// unknown.
    fn floor(&self) -> f64 {
        f64::NEG_INFINITY
    }

    /// Returns where the function is probably least of all, close to a point: in the middle of the body. `None` (the default) if
    /// that is unknown.
    fn lowest_near(&self, _point: &Point) -> Option<Point> {
        None
    }

    /// For the distance from a segment (or a point) minus a radius: returns the ends and the radius. Used for shells of
    /// two such bodies. `None` (the default) for everything else.
    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        None
    }

    /// For the distance from a circle minus a radius: returns the circle and the radius. Searches then follow the
    /// circle. `None` (the default) for everything else.
    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        None
    }

    /// Returns the rounding radius: outside a connected set, the core, the value is the distance from the core minus this
    /// radius. By default the radius of a [rounded segment](Self::rounded_segment) or [circle](Self::rounded_circle); 0 if the
    /// body is not known to be rounded.
    fn rounding(&self) -> f64 {
        let of_segment = self.rounded_segment().map(|(_, radius)| radius);
        of_segment.or_else(|| self.rounded_circle().map(|(_, radius)| radius)).unwrap_or(0.0)
    }

    /// Returns a bound of the concavity within `reach` of a point: with half that number times the squared distance from
    /// any point added, the value is convex there. In 1/metres; 0 for a convex function, infinity if unknown (both by
    /// default).
    fn concavity(&self, _point: &Point, _reach: f64) -> f64 {
        if self.is_convex() { 0.0 } else { f64::INFINITY }
    }

    /// For the complement of a body: returns that body.
    fn complement(&self) -> Option<&dyn ImplicitFunction> {
        None
    }

    /// Returns the support point of the body along a direction of any non-zero length, if there is a closed form.
    /// `None` (the default) leaves it to a search.
    fn support_point(&self, _direction: &Vector) -> Option<Point> {
        None
    }

    /// Returns a tight box of any orientation that contains the body: one aligned with the body's own faces makes a
    /// search much cheaper. `None` (the default) uses [`sublevel_bounds`](Self::sublevel_bounds).
    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        None
    }

    /// Calls `visit` with every part of a union and returns true; `false` (the default), without a call, for other
    /// bodies. The value must be the minimum of the parts everywhere, so that a search may process them one by one.
    fn over_parts(&self, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        false
    }

    /// For a maximum of several functions of which one is nowhere in the cell below the others: calls `visit` with that
    /// one and returns true. A search then treats it alone, which may be convex where the maximum is not. `false` (the
    /// default), without a call, for everything else.
    fn over_dominant(&self, _cell: &Cell<'_>, _visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        false
    }

    /// Calls `visit` with a function that is this one everywhere, but cheaper in a ball, and returns true. `false` (the
    /// default), without a call, if there is none.
    fn over_near(
        &self,
        _center: &Point,
        _radius: f64,
        _visit: &mut dyn FnMut(&dyn ImplicitFunction),
    ) -> bool {
        false
    }

    /// Calls `visit` with the values at a point and the gradients of linear functions that are nowhere above this one, or are
    /// nowhere positive in the body: by default the tangent of a convex function, and its [pieces](Self::pieces).
    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        if self.is_convex() {
            let sample = self.sample(point);
            visit(sample.value, sample.gradient);
            self.pieces(point, visit);
        }
    }

    /// For a convex function: returns what a linear function with the gradient of a sample, which is to be nowhere above this one, certainly
    /// has at the sample's point: the value, less what rounding of the gradient may amount to. Close to an edge the direction from it is
    /// a quotient of small numbers; but whatever unit `e` is, no point is closer to a body than `e·(x - s)`, where `s` is the
    /// body's support point along `e`. By default that, where the value is the distance and there is a support map.
    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        let farthest =
            if self.exactness().is_distance() { self.support_point(&sample.gradient) } else { None };
        farthest.map_or(sample.value, |farthest| sample.gradient.dot(&(point - farthest)).min(sample.value))
    }

    /// For a convex function: calls `visit` with the values at a point and the gradients of further linear functions that are
    /// nowhere above this one, and hold more of it than the tangent does: the faces of a box, the wall of a cylinder. None by
    /// default.
    fn pieces(&self, _point: &Point, _visit: &mut dyn FnMut(f64, Vector)) {}

    /// Returns the Hessian of a convex function at a point. `piece` 0 is the function itself, `piece` k the k-th of its
    /// [`pieces`](Self::pieces). Where there is no Hessian, entries may not be finite. `None` (the default) if it is unknown: searches
    /// then use finite differences of the gradient.
    fn hessian(&self, _point: &Point, _piece: usize) -> Option<Matrix3<f64>> {
        None
    }

    /// Returns the pose and the radii of the ellipsoid whose signed distance this function is. `None` (the default) for everything
    /// else.
    fn ellipsoid(&self) -> Option<(Pose, Vector)> {
        None
    }

    /// Returns value, tangent and Hessian of a convex function at a point, all at once. `None` if the Hessian is unknown.
    fn jet(&self, point: &Point) -> Option<Jet> {
        jet_of(self, point)
    }

    /// For a maximum of convex functions and of negatives of convex functions: calls `visit` with all of them and returns
    /// true; with those of minus this function, if `is_taken`. `false` (the default) for everything else: a convex function
    /// is asked as such.
    fn over_terms<'a>(&'a self, _is_taken: bool, _visit: &mut dyn FnMut(Term<'a>)) -> bool {
        false
    }

    /// Returns where the value is least along the segment between two points, as the weight of the second, if there is a
    /// closed form; of several such places the first. `None` (the default) leaves it to a search.
    fn least_on_segment(&self, _ends: &[Point; 2]) -> Option<f64> {
        None
    }

    /// Returns where the value is least over a triangle, if a method of its own finds that, or that all values of interest are
    /// above the cutoff. `None` (the default) leaves it to a search.
    fn least_on_triangle(&self, _triangle: &TriangleDomain) -> Option<LeastOnTriangle> {
        None
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
        assert_eq!(Bowl.bound_above(&cell)[..2], [1.0, 9.0]);
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
        assert_eq!(Sign.bound_above(&Cell::new(&corners))[0], f64::INFINITY);
        assert!(!Sign.exactness().is_distance() && Sign.lipschitz().is_none());
    }
}
