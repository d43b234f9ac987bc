//! What is known of a function along a part of a segment.

/// A function along a span of a segment, as a function of the weight of the span's second end: values and slopes there, and bounds of the
/// second derivative all along. Where the slope jumps, both bounds count the jump as infinitely large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentProfile {
    /// The values at both ends.
    pub values: [f64; 2],
    /// The derivatives there, by the weight of the second end: a length.
    pub slopes: [f64; 2],
    /// The least and the greatest second derivative; infinite if unknown.
    pub curvature: [f64; 2],
}

/// A lower bound along a segment, and the weight of the second end where it is attained.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LowestAlong {
    pub(super) lower: f64,
    pub(super) at: f64,
}

impl SegmentProfile {
    /// Creates the profile of a linear function with these values at the ends.
    pub fn linear(values: [f64; 2]) -> Self {
        let slope = values[1] - values[0];
        Self { values, slopes: [slope; 2], curvature: [0.0; 2] }
    }

    /// Returns the profile of the function plus a number.
    #[must_use]
    pub fn plus(self, number: f64) -> Self {
        Self { values: self.values.map(|value| value + number), ..self }
    }

    /// Returns the profile of the function times a positive number.
    #[must_use]
    pub fn times(self, scale: f64) -> Self {
        Self {
            values: self.values.map(|value| value * scale),
            slopes: self.slopes.map(|slope| slope * scale),
            curvature: self.curvature.map(|curvature| curvature * scale),
        }
    }

    /// Returns the profile of the function with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self {
            values: self.values.map(|value| -value),
            slopes: self.slopes.map(|slope| -slope),
            curvature: [-self.curvature[1], -self.curvature[0]],
        }
    }

    /// Whether the function is known to be convex along the segment.
    pub fn is_convex(&self) -> bool {
        self.curvature[0] >= 0.0
    }

    /// Whether the function is known to be concave along the segment.
    pub fn is_concave(&self) -> bool {
        self.curvature[1] <= 0.0
    }

    /// Returns the greatest value that the function may have: above the chord by an eighth of the curvature, if that is
    /// negative.
    fn highest(&self) -> f64 {
        self.values[0].max(self.values[1]) - 0.125 * self.curvature[0].min(0.0)
    }

    /// Returns a lower bound of the values by each end alone.
    fn above_tangents(&self) -> f64 {
        let ([first, last], [falling, rising]) = (self.values, self.slopes);
        let bend = 0.5 * self.curvature[0].min(0.0);
        (first + (falling + bend).min(0.0)).max(last + (bend - rising).min(0.0))
    }

    /// Returns the least and the greatest slope that the function may have.
    fn slopes_between(&self) -> [f64; 2] {
        let bend = self.curvature[0].min(0.0);
        [self.slopes[0] + bend, self.slopes[1] - bend]
    }

    /// Returns the profile of the quadratic smooth minimum of two functions with a blend radius. `None` if the curvature of
    /// one of them has no known lower bound.
    ///
    /// With the weight h of the second, the second derivative is (1 − h) a″ + h b″ − (a′ − b′)² / 2r where the two are
    /// blended, and that of the lower one elsewhere; the slope does not jump where one formula follows the other.
    pub(super) fn blended(a: &Self, b: &Self, radius: f64) -> Option<Self> {
        if !(a.curvature[0].is_finite() && b.curvature[0].is_finite()) {
            return None;
        }
        let least = a.above_tangents() - b.highest();
        let greatest = a.highest() - b.above_tangents();
        if least >= radius {
            return Some(*b);
        }
        if greatest <= -radius {
            return Some(*a);
        }
        let per_radius = 1.0 / radius;
        let weight = |difference: f64| (0.5 + 0.5 * difference * per_radius).clamp(0.0, 1.0);
        let mixed = |h: f64, a: f64, b: f64| (1.0 - h) * a + h * b;
        let ([falling, rising], [other_falling, other_rising]) = (a.slopes_between(), b.slopes_between());
        let apart = (falling - other_rising).abs().max((rising - other_falling).abs());
        let bend =
            [least, greatest].map(|difference| mixed(weight(difference), a.curvature[0], b.curvature[0]));
        let mut both = Self {
            values: [0.0; 2],
            slopes: [0.0; 2],
            curvature: [bend[0].min(bend[1]) - 0.5 * apart * apart * per_radius, f64::INFINITY],
        };
        for end in 0..2 {
            let difference = a.values[end] - b.values[end];
            let h = weight(difference);
            let fill = (radius - difference.abs()).max(0.0);
            both.values[end] = a.values[end].min(b.values[end]) - 0.25 * fill * fill * per_radius;
            both.slopes[end] = mixed(h, a.slopes[end], b.slopes[end]);
        }
        Some(both)
    }

    /// Returns lines that the function is nowhere below, by their values at both ends: the tangents of a convex function,
    /// the chord of a concave one, nothing for others.
    pub(super) fn lines_below(&self) -> impl Iterator<Item = [f64; 2]> {
        let ([first, last], [falling, rising]) = (self.values, self.slopes);
        let chord = self.is_concave().then_some([first, last]);
        let tangents = (self.is_convex() && !self.is_concave())
            .then_some([[first, first + falling], [last - rising, last]]);
        chord.into_iter().chain(tangents.into_iter().flatten())
    }

    /// Returns a lower bound of the values.
    ///
    /// Without half the least curvature times the square of the weight the function is convex, so that it is above both
    /// tangents of what is left: above the first up to where they meet, and above the second from there.
    pub(super) fn lowest(&self) -> LowestAlong {
        let ([first, last], [falling, rising]) = (self.values, self.slopes);
        let end = if last < first {
            LowestAlong { lower: last, at: 1.0 }
        } else {
            LowestAlong { lower: first, at: 0.0 }
        };
        let bend = self.curvature[0];
        if self.is_concave() {
            return end;
        }
        if bend == f64::NEG_INFINITY {
            return LowestAlong { lower: bend, at: 0.5 };
        }
        // The first parabola minus the second is linear.
        let first_at_the_last = first + falling + 0.5 * bend;
        let second_at_the_first = last - rising + 0.5 * bend;
        let (before, after) = (first - second_at_the_first, last - first_at_the_last);
        let meet = before / (before + after);
        if !(meet > 0.0 && meet < 1.0) {
            // The tangents of a convex function meet between its ends, up to rounding.
            return if bend > 0.0 && falling < 0.0 && rising > 0.0 {
                self.floor_of_parabola(end)
            } else {
                end
            };
        }
        let mut lowest = end;
        let mut keep = |at: f64, lower: f64| {
            if lower < lowest.lower {
                lowest = LowestAlong { lower, at };
            }
        };
        let from_the_last = 1.0 - meet;
        keep(
            meet,
            (first + meet * (falling + 0.5 * bend * meet))
                .min(last - from_the_last * (rising - 0.5 * bend * from_the_last)),
        );
        if bend > 0.0 {
            let (at, back) = (-falling / bend, rising / bend);
            if at > 0.0 && at < meet {
                keep(at, first - 0.5 * falling * falling / bend);
            }
            if back > 0.0 && back < from_the_last {
                keep(1.0 - back, last - 0.5 * rising * rising / bend);
            }
        }
        lowest
    }

    /// Returns the least of both parabolas.
    fn floor_of_parabola(&self, end: LowestAlong) -> LowestAlong {
        let ([first, last], [falling, rising], bend) = (self.values, self.slopes, self.curvature[0]);
        let lower = (first - 0.5 * falling * falling / bend).max(last - 0.5 * rising * rising / bend);
        LowestAlong { lower: lower.min(end.lower), at: (-falling / bend).clamp(0.0, 1.0) }
    }
}
