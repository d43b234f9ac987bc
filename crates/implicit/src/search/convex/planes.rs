//! Cutting planes from both sides: tangents of the function against support points of the solid.
//!
//! Where the function has a crease at its minimum (between two faces of a box, inside) a mixture of several tangents proves
//! it. The hull of known support points is inside the solid, the highest of known tangents is below the function: the
//! least value of that over that hull is the value of a [game](solve). Its mixture of places is the next place, whose tangent is
//! added; its mixture of tangents gives a bound by the next support point, which is added too (Kelley 1960, "The
//! cutting-plane method for solving convex programs", on both sides). Exact after a few steps for flat faces.

use super::corners::Corners;
use super::domain::ConvexDomain;
use super::game::{Mixtures, solve};
use super::objective::{Objective, Tangent};
use super::progress::Progress;
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most tangents, and the most places.
const MOST: usize = 10;

/// Iteration limit; some ten are typical.
const MOST_STEPS: usize = 40;

/// Tangents that a search begins with, at most.
const MOST_AT_FIRST: usize = 5;

/// The known tangents and support points.
#[derive(Clone, Debug, Default)]
pub(super) struct Planes {
    tangents: ArrayVec<Tangent, MOST>,
    places: ArrayVec<Point, MOST>,
}

impl Planes {
    /// Forgets all tangents.
    pub(super) fn clear(&mut self) {
        self.tangents.clear();
    }

    /// Keeps a tangent for a search, and the latest others. Of parallel ones the highest is enough.
    pub(super) fn keep(&mut self, tangent: &Tangent) {
        let parallel = self.tangents.iter_mut().find(|known| known.gradient == tangent.gradient);
        if let Some(known) = parallel {
            if known.at(&tangent.point) < tangent.height {
                *known = *tangent;
            }
            return;
        }
        if self.tangents.len() >= MOST_AT_FIRST {
            self.tangents.remove(0);
        }
        self.tangents.push(*tangent);
    }

    /// Searches from the tangents kept and known support points; returns true as soon as the bound is met, or above the
    /// cutoff.
    pub(super) fn close(
        &mut self,
        function: &Objective<'_>,
        domain: &ConvexDomain<'_>,
        corners: &Corners,
        progress: &mut Progress,
    ) -> bool {
        self.places.clear();
        self.places.extend(corners.points().iter().copied());
        self.keep(&function.tangent(&corners.place()));
        for _ in 0..MOST_STEPS {
            let values = self.values();
            let Some(mixed) = solve(&values, self.tangents.len(), self.places.len()) else { return false };
            let place = self.place(&mixed);
            let below = self.mixed(&mixed, &place);
            let lowest = domain.support(&-below.gradient);
            let tangent = function.tangent(&place);
            progress.take(&tangent, below.at(&lowest));
            if progress.is_done() {
                return true;
            }
            // What has no weight makes room.
            let without_weight = |shares: &[f64; MOST], count: usize| (0..count).find(|&k| shares[k] == 0.0);
            if self.places.len() == MOST {
                let Some(last) = without_weight(&mixed.of_places, MOST) else { return false };
                self.places.remove(last);
            }
            if self.tangents.len() == MOST {
                let Some(last) = without_weight(&mixed.of_functions, MOST) else { return false };
                self.tangents.remove(last);
            }
            if !self.places.contains(&lowest) {
                self.places.push(lowest);
            }
            self.tangents.push(tangent);
        }
        false
    }

    /// Returns the values of all tangents at all places.
    fn values(&self) -> [[f64; MOST]; MOST] {
        let mut values = [[0.0; MOST]; MOST];
        for (row, tangent) in values.iter_mut().zip(&self.tangents) {
            for (value, place) in row.iter_mut().zip(&self.places) {
                *value = tangent.at(place);
            }
        }
        values
    }

    /// Returns the mixture of the places.
    fn place(&self, mixed: &Mixtures<MOST, MOST>) -> Point {
        let base = self.places[0];
        let offset: Vector =
            self.places.iter().zip(mixed.of_places).map(|(place, share)| (place - base) * share).sum();
        base + offset
    }

    /// Returns the mixture of the tangents, about a place.
    fn mixed(&self, mixed: &Mixtures<MOST, MOST>, place: &Point) -> Tangent {
        let mut sum = Tangent {
            point: *place,
            value: 0.0,
            height: 0.0,
            gradient: Vector::zeros(),
            smooth: Vector::zeros(),
        };
        for (tangent, share) in self.tangents.iter().zip(mixed.of_functions) {
            sum.height += tangent.at(place) * share;
            sum.gradient += tangent.gradient * share;
        }
        Tangent { value: sum.height, ..sum }
    }
}
