//! Settings of the detectors of implicit bodies.

use crate::pairs::{PlaneSettings, PlaneSides};
use palpate_geometry::implicit::internal::Search;
use serde::{Deserialize, Serialize};

/// Settings of the detectors of implicit bodies that search for a minimum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImplicitSettings {
    /// The maximum gap between the certified bounds of a depth, relative to the size (half the diagonal of the box) of the
    /// body, or of the element or the other body if that is smaller.
    pub tolerance: ImplicitTolerance,
}

/// The same for solids whose faces may lie on the body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImplicitManifoldSettings {
    /// Whether the contact area is reported as a manifold of several points (the default), or as the deepest point
    /// only.
    pub manifold: bool,
    /// The maximum gap between the certified bounds of a depth, relative to the size of the solid.
    pub tolerance: ImplicitTolerance,
}

impl Default for ImplicitManifoldSettings {
    fn default() -> Self {
        Self { manifold: true, tolerance: ImplicitTolerance::default() }
    }
}

/// The same for planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImplicitPlaneSettings {
    /// The sidedness of the plane; by default that of the plane itself.
    pub sides: PlaneSides,
    /// The maximum gap between the certified bounds of a depth, relative to the size of the body.
    pub tolerance: ImplicitTolerance,
}

impl ImplicitPlaneSettings {
    pub(crate) fn of_plane(self) -> PlaneSettings {
        PlaneSettings { sides: self.sides }
    }
}

/// The gap at which a search for a minimum converges, relative to the size of what is searched: 1e-9 by default. Gaps
/// down to 1e-12 are reached in most cases, at the cost of a few more iterations; below that rounding errors decide.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct ImplicitTolerance(pub f64);

impl TryFrom<f64> for ImplicitTolerance {
    type Error = String;

    fn try_from(tolerance: f64) -> Result<Self, String> {
        if tolerance.is_finite() && tolerance >= 0.0 {
            Ok(Self(tolerance))
        } else {
            Err(format!("the tolerance is {tolerance}, wanted a finite number not below 0"))
        }
    }
}

impl From<ImplicitTolerance> for f64 {
    fn from(tolerance: ImplicitTolerance) -> Self {
        tolerance.0
    }
}

impl Default for ImplicitTolerance {
    fn default() -> Self {
        Self(Search::default().tolerance())
    }
}

impl ImplicitTolerance {
    pub(crate) fn search(self) -> Search {
        Search::with_tolerance(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_number_not_below_zero() {
        let read =
            |text: &str| serde_json::from_str::<ImplicitSettings>(text).map_err(|error| error.to_string());
        assert_eq!(read("{}").unwrap().tolerance.0, 1e-9);
        assert_eq!(read(r#"{"tolerance": 1e-12}"#).unwrap().tolerance.0, 1e-12);
        let error = read(r#"{"tolerance": -0.5}"#).unwrap_err();
        assert!(error.contains("the tolerance is -0.5, wanted a finite number not below 0"), "{error}");
        assert_eq!(serde_json::to_string(&ImplicitSettings::default()).unwrap(), r#"{"tolerance":1e-9}"#);
    }
}
