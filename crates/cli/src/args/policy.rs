//! Which differences of contacts count.

use clap::Args;
use palpate::diff::{Policy, Tolerance};

/// Which differences of contacts count.
#[derive(Args, Debug)]
pub(crate) struct PolicyArguments {
    /// Lengths may differ by this: depths and the places of points (metres). Without this, --angle, --relative,
    /// --unit-tolerance and --same-within every bit counts
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    tolerance: Option<f64>,
    /// Directions may differ by this (degrees)
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    angle: Option<f64>,
    /// Depths may also differ by this part of the larger one
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    relative: Option<f64>,
    /// Weights and times of impact may differ by this
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    unit_tolerance: Option<f64>,
    /// A contact no farther away than this is the same one, whatever its id, elements and order (metres)
    #[arg(long, value_name = "METRES", allow_hyphen_values = true)]
    same_within: Option<f64>,
}

impl PolicyArguments {
    /// The policy that the options ask for: without any, every bit counts.
    pub(crate) fn policy(&self) -> Policy {
        let default = Tolerance::default();
        let tolerance = Tolerance {
            length: self.tolerance.or(self.same_within).unwrap_or(default.length),
            angle: self.angle.map_or(default.angle, f64::to_radians),
            relative: self.relative.unwrap_or(default.relative),
            unit: self.unit_tolerance.unwrap_or(default.unit),
            place: self.same_within,
        };
        let is_asked = [self.tolerance, self.angle, self.relative, self.unit_tolerance];
        if self.same_within.is_some() {
            Policy::SameWithin(tolerance)
        } else if is_asked.iter().any(Option::is_some) {
            Policy::Tolerance(tolerance)
        } else {
            Policy::Exact
        }
    }
}
