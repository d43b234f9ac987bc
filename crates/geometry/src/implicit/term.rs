//! Functions that are maxima of convex functions and of negatives of convex functions: intersections and differences of
//! convex bodies.

use super::{Description, ImplicitFunction, Sample};
use crate::Pose;
use palpate_math::{Point, Vector};
use std::sync::Arc;

/// One of the convex functions of a maximum, with a pose and a scale, minus an offset: itself, or its negative where its body
/// is taken away.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
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
    pub(crate) fn is_taken(&self) -> bool {
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
    pub(crate) fn sample(&self, point: &Point) -> Sample {
        let sample = match &self.place {
            None => self.function.sample(point),
            Some((pose, scale)) => {
                let local = self.function.sample(&(pose.inverse_transform_point(point) / *scale));
                Sample { value: local.value * scale, gradient: pose.rotation * local.gradient, ..local }
            }
        };
        Sample { value: sample.value - self.offset, ..sample }
    }

    /// Calls `visit` with the pieces of the convex function: [`Structure::pieces`](super::Structure::pieces).
    pub(crate) fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
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

/// Calls `visit` with the terms of a function, or of its negative, and returns true; false if it is no such maximum.
pub(super) fn terms_of<'a>(
    function: &'a dyn ImplicitFunction,
    is_taken: bool,
    visit: &mut dyn FnMut(Term<'a>),
) -> bool {
    if function.is_convex() {
        visit(Term::new(function, is_taken));
        return true;
    }
    let mut all_of = |parts: &'a [Arc<dyn ImplicitFunction>]| {
        parts.iter().all(|part| terms_of(part.as_ref(), is_taken, visit))
    };
    match function.describe() {
        Some(Description::Union { of, .. }) if is_taken || of.len() == 1 => all_of(of),
        Some(Description::Intersection { of, .. }) if !is_taken || of.len() == 1 => all_of(of),
        Some(Description::Complement { of, .. }) => terms_of(of.as_ref(), !is_taken, visit),
        Some(Description::Offset { of, distance, .. }) => {
            let distance = if is_taken { -distance } else { distance };
            terms_of(of.as_ref(), is_taken, &mut |term| visit(term.lowered(distance)))
        }
        Some(Description::Posed { of, pose, scale }) => {
            terms_of(of, is_taken, &mut |term| visit(term.posed(pose, scale)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::{Intersection, Offset, Torus, Union};
    use crate::{ImplicitBody, OrientedBox, Pose, Sphere};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    type Part = Arc<dyn ImplicitFunction>;

    fn ball(x: f64, radius: f64) -> Part {
        Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), radius).unwrap())
    }

    fn difference(parts: Vec<Part>) -> Part {
        Arc::new(Intersection::difference(parts).unwrap())
    }

    /// The maximum of the terms is the function, nested, offset, scaled and posed.
    #[test]
    fn the_maximum_of_the_terms_is_the_function() {
        let block: Part = Arc::new(OrientedBox::new(Pose::identity(), Vector::new(1.0, 0.7, 0.8)).unwrap());
        let holes: Part = Arc::new(Union::new(vec![ball(0.3, 0.2), ball(-0.4, 0.3)]).unwrap());
        let drilled = difference(vec![block, holes]);
        let cut: Part = Arc::new(Intersection::new(vec![drilled, ball(0.2, 0.9)]).unwrap());
        let grown: Part = Arc::new(Offset::new(cut.clone(), 0.05).unwrap());
        let pose = Pose::new(Vector::new(0.1, 0.2, -0.3), Vector::new(0.4, -0.2, 0.9));
        let inner: Part = Arc::new(ImplicitBody::new(pose, grown.clone()).unwrap().with_scale(0.75).unwrap());
        let outer: Part = Arc::new(ImplicitBody::new(pose, inner.clone()).unwrap().with_scale(2.0).unwrap());
        for (function, count) in [(cut, 4), (grown, 4), (inner, 4), (outer, 4)] {
            let mut terms = Vec::new();
            assert!(terms_of(function.as_ref(), false, &mut |term| terms.push(term)));
            assert_eq!((terms.len(), terms.iter().filter(|term| term.is_taken()).count()), (count, 2));
            for k in 0..50 {
                let s = f64::from(k) / 25.0;
                let point = Point::new(s - 1.0, 0.3 - 0.5 * s, 0.7 * s - 0.4);
                let value =
                    |term: &Term<'_>| term.sample(&point).value * if term.is_taken() { -1.0 } else { 1.0 };
                let highest = terms.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
                assert!((highest - function.sample(&point).value).abs() < 1e-14, "{k}");
            }
        }
    }

    #[test]
    fn others_are_no_such_maximum() {
        let ring: Part = Arc::new(Torus::new(Pose::identity(), 1.0, 0.2).unwrap());
        let shell = difference(vec![ball(0.0, 1.0), ball(0.0, 0.9)]);
        let two: Part = Arc::new(Union::new(vec![ball(0.0, 1.0), ball(1.0, 1.0)]).unwrap());
        let others =
            [ring.clone(), difference(vec![ball(0.0, 1.0), ring]), difference(vec![ball(0.0, 2.0), shell])];
        for function in others.into_iter().chain([two]) {
            assert!(!terms_of(function.as_ref(), false, &mut |_| {}));
        }
    }
}
