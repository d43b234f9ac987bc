//! The shares between two members of a blend's family, with a bound over all members between.

/// The minimum relative distance of a new share from the ends of its interval, and the same where the slope changes its sign.
const ASIDE: f64 = 0.1;
const BESIDE_ROOT: f64 = 0.01;

/// The number of halvings by which the place where two bounds are equal is found: it need not be exact.
const MOST_HALVINGS: usize = 20;

/// The minimum over the body of one member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) share: f64,
    /// A lower bound, of which a body that is larger by a value takes the weight times that value.
    pub(super) lower: f64,
    pub(super) weight: f64,
    /// The derivative of the minimum by the share; NaN if unknown.
    pub(super) slope: f64,
}

/// The shares between two members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) ends: [Member; 2],
    /// A lower bound over all members between.
    pub(super) lower: f64,
}

impl Interval {
    pub(super) fn new(ends: [Member; 2], radius: f64) -> Self {
        let [low, high] = ends;
        let width = high.share - low.share;
        let below = |end: &Member, away: f64| {
            if away > 0.0 { end.lower - end.weight * radius * away * away } else { end.lower }
        };
        let lower_at = |at: f64| below(&low, at).min(below(&high, width - at));
        let meet = match (low.weight.is_finite(), high.weight.is_finite()) {
            (false, _) => 0.0,
            (true, false) => width,
            // Where both parabolas meet.
            (true, true) => {
                let (mut from, mut to) = (0.0, width);
                for _ in 0..MOST_HALVINGS {
                    let at = 0.5 * (from + to);
                    if below(&low, at) > below(&high, width - at) { from = at } else { to = at }
                }
                from
            }
        };
        Self { ends, lower: lower_at(meet) }
    }

    /// Returns the share to search next.
    pub(super) fn between(&self) -> f64 {
        let [low, high] = &self.ends;
        let width = high.share - low.share;
        let (at, aside) = if low.slope < 0.0 && high.slope > 0.0 {
            (low.share + width * (low.slope / (low.slope - high.slope)), BESIDE_ROOT)
        } else {
            (0.5 * (low.share + high.share), ASIDE)
        };
        at.clamp(low.share + aside * width, high.share - aside * width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the bounds computed by hand, with known and unknown weights.
    #[test]
    fn the_bound_between_two_members_is_that_of_both_parabolas() {
        let member = |share: f64, lower: f64, weight: f64| Member { share, lower, weight, slope: f64::NAN };
        let even = Interval::new([member(0.2, 1.0, 2.0), member(0.6, 1.0, 2.0)], 0.5);
        assert!((even.lower - (1.0 - 2.0 * 0.5 * 0.04)).abs() < 1e-6, "{even:?}");
        let known = Interval::new([member(0.0, 1.0, f64::INFINITY), member(0.5, 3.0, 1.0)], 0.4);
        assert_eq!(known.lower, 1.0);
        let steep = Interval::new([member(0.0, 1.0, f64::INFINITY), member(0.5, 1.0, 1.0)], 0.4);
        assert!((steep.lower - 0.9).abs() < 1e-15, "{steep:?}");
        let none = Interval::new([member(0.0, 1.0, f64::INFINITY), member(1.0, 1.0, f64::INFINITY)], 0.4);
        assert_eq!(none.lower, f64::NEG_INFINITY);
    }
}
