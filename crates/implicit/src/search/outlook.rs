//! Forecast of the gap that a search by division can reach.

/// Iteration limit: some hundred splits are typical.
pub(super) const MOST_DIVISIONS: usize = 20_000;

/// Number of splits after which the convergence rate is checked: where the minimum is attained along a line or on a
/// whole surface, doubling the splits narrows the gap only to a quarter, or a half.
const FIRST_OUTLOOK: usize = 1024;

/// Monitors the convergence of the gap between bound and value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outlook {
    /// The gap at the last power of two of splits; zero before.
    gap: f64,
    /// Number of consecutive negative forecasts.
    warnings: u32,
}

impl Outlook {
    /// Returns the gap that will be reached if that is not the one wanted: at every power of two of splits the narrowing
    /// since the last is extrapolated to the iteration limit. Two consecutive negative forecasts are required.
    pub(super) fn reachable(&mut self, division: usize, gap: f64, wanted: f64) -> Option<f64> {
        if !division.is_power_of_two() || 2 * division < FIRST_OUTLOOK {
            return None;
        }
        let doublings = libm::log2(MOST_DIVISIONS as f64 / division as f64);
        let narrowing = self.gap / gap;
        let known = self.gap > 0.0 && self.gap.is_finite();
        let reachable = gap / libm::pow(narrowing.max(1.0), doublings);
        self.warnings = if known && reachable > wanted { self.warnings + 1 } else { 0 };
        self.gap = gap;
        (self.warnings >= 2).then_some(reachable)
    }
}

/// Returns the smallest power of ten times a gap that can be reached.
pub(super) fn wider(gap: f64, reachable: f64) -> f64 {
    if reachable.is_finite() { gap * libm::exp10(libm::log10(reachable / gap).ceil()) } else { f64::INFINITY }
}
