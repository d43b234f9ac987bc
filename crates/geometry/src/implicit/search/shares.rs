//! Minimum of a blend over the shares of a family of convex functions.
//!
//! The quadratic smooth minimum of `a` and `b` with the radius `r` is the minimum, over the shares `s` from 0 to 1, of
//! `(1 - s) a + s b - r s (1 - s)`. For fixed `s` that is convex, and its minimum is certified quickly. Over `s` the
//! minimum `c(s)` of `(1 - s) a + s b` is concave, being a minimum of linear functions: between two shares it is above
//! its chord. So the total is above the chord minus `r s (1 - s)`, whose minimum is at a known share.
//!
//! The slope of `c` is the difference `b - a` at its place (the envelope theorem). First the share is found where the slope
//! of the total vanishes, by false position. Then the intervals beside it are split where their bounds are least: as the
//! total rises with the square of the distance from that share, their lengths grow geometrically with it.

/// Maximum number of shares evaluated; about ten are typical.
const MOST_SHARES: usize = 64;

/// Shares closer together than this are not split further: the square of it is below rounding error.
const NARROWEST: f64 = 1e-8;

/// The minimum relative distance of a new share from the ends of its span, so that every span shrinks.
const ASIDE: f64 = 0.05;

/// The same where the slope of the total changes its sign.
const BESIDE_ROOT: f64 = 1e-3;

/// The share of the gap within which the total is, by its slope, close enough to its minimum.
const SETTLED: f64 = 0.125;

/// What is known of one share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    /// A certified lower bound of `c`.
    pub(super) bound: f64,
    /// The value `b - a` at the place found.
    pub(super) difference: f64,
}

/// The aims of a search over shares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aims {
    /// The lowest value known.
    pub(super) value: f64,
    /// Above this value nothing is of interest.
    pub(super) cutoff: f64,
    /// The gap between bound and value at which the search converges.
    pub(super) gap: f64,
}

/// Searches a share.
pub(super) type Ask<'s> = dyn FnMut(f64, f64, &mut Aims) -> Option<Answer> + 's;

/// A share with what is known of it.
#[derive(Clone, Copy, Debug)]
struct Share {
    at: f64,
    bound: f64,
    /// The slope of the total.
    slope: f64,
}

impl Share {
    /// Returns the bound of `c` at another share above which nothing between both is below `value`. With `h` from the bound here down
    /// to where the total is that value, and `t` from here, the total is above it on a line of the slope `k` if
    /// `h + (k - q) t + r t²` is not negative, where `q` is the slope of `r s (1 - s)`.
    fn enough(&self, at: f64, value: f64, radius: f64) -> f64 {
        let least = value + radius * at * (1.0 - at);
        let way = at - self.at;
        let height = (self.bound - radius * self.at * (1.0 - self.at) - value).max(0.0);
        let slope = way.signum() * radius * (1.0 - 2.0 * self.at) - 2.0 * (radius * height).sqrt();
        let touches = height <= radius * way * way;
        if touches { least.max(self.bound + way.abs() * slope) } else { least }
    }
}

/// The interval between two shares.
#[derive(Clone, Copy, Debug)]
struct Span {
    ends: [Share; 2],
    /// The minimizer of the bound.
    at: f64,
    /// The bound there.
    lower: f64,
}

impl Span {
    fn new(ends: [Share; 2], radius: f64) -> Self {
        let [low, high] = ends;
        let slope = (high.bound - low.bound) / (high.at - low.at);
        let at = (0.5 * (1.0 - slope / radius)).clamp(low.at, high.at);
        let lower = low.bound + slope * (at - low.at) - radius * at * (1.0 - at);
        Self { ends, at, lower }
    }

    fn width(&self) -> f64 {
        self.ends[1].at - self.ends[0].at
    }

    /// Returns the bound of `c` at a share above which nothing in the span is below `value`.
    fn enough(&self, at: f64, value: f64, radius: f64) -> f64 {
        let [low, high] = &self.ends;
        low.enough(at, value, radius).max(high.enough(at, value, radius))
    }

    /// Returns the share to evaluate next, given how large a slope is too large to be that of the minimum.
    fn between(&self, steep: f64) -> f64 {
        let [low, high] = self.ends;
        let is_around_minimum = low.slope < -steep && high.slope > steep;
        let (at, aside) = if is_around_minimum {
            (low.at + self.width() * (low.slope / (low.slope - high.slope)), BESIDE_ROOT)
        } else {
            (self.at, ASIDE)
        };
        let aside = aside * self.width();
        at.clamp(low.at + aside, high.at - aside)
    }
}

/// The search by shares with its memory, so that searching again does not touch the heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    spans: Vec<Span>,
}

impl Shares {
    /// Searches all shares; `ask` searches one, of which a bound above a number is not made any tighter, and lowers the best
    /// value. Returns a lower bound of the total and whether it
    /// is met by the best value, or above the cutoff.
    pub(super) fn search(&mut self, radius: f64, aims: &mut Aims, ask: &mut Ask<'_>) -> (f64, bool) {
        self.spans.clear();
        let mut lower = f64::NEG_INFINITY;
        let mut share = |at: f64, enough: f64, aims: &mut Aims| {
            let Answer { bound, difference } = ask(at, enough, aims)?;
            Some(Share { at, bound, slope: difference - radius * (1.0 - 2.0 * at) })
        };
        // Above this, not even the other end lowers the total to what is of interest.
        let Some(low) = share(0.0, aims.value.min(aims.cutoff) + radius, aims) else { return (lower, false) };
        let enough = low.enough(1.0, aims.value.min(aims.cutoff), radius);
        let Some(high) = share(1.0, enough, aims) else { return (lower, false) };
        self.spans.push(Span::new([low, high], radius));
        for asked in 0..=MOST_SHARES {
            let Some(index) = lowest(&self.spans) else { break };
            let span = self.spans[index];
            lower = lower.max(span.lower);
            if lower >= aims.value - aims.gap || lower > aims.cutoff {
                return (lower, true);
            }
            if span.width() < NARROWEST || asked == MOST_SHARES {
                break;
            }
            // A slope `d` at a place is that of a value at most `d² / 4 r` above the minimum, were `c` linear.
            let steep = (4.0 * radius * SETTLED * aims.gap).sqrt();
            let at = span.between(steep);
            let enough = span.enough(at, aims.value.min(aims.cutoff), radius);
            let Some(middle) = share(at, enough, aims) else { break };
            let [low, high] = span.ends;
            self.spans[index] = Span::new([low, middle], radius);
            self.spans.push(Span::new([middle, high], radius));
        }
        (lower, false)
    }

    /// Returns the number of shares that the last search has asked for, less one.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.spans.len()
    }
}

/// Returns the span with the least bound; ties go to the first.
fn lowest(spans: &[Span]) -> Option<usize> {
    (0..spans.len()).reduce(|best, index| if spans[index].lower < spans[best].lower { index } else { best })
}
