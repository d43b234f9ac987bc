//! Functions that are maxima of convex functions and of negatives of convex functions: intersections and differences of
//! convex bodies.

use crate::base::{Pose, Sample};
use crate::function::{Description, ImplicitFunction};
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
pub(crate) fn terms_of<'a>(
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
