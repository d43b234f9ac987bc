//! Settings of the rows: the step, stabilisation, the bound of friction.

/// How penetration is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Stabilization {
    /// By the velocity of the bodies (Baumgarte): simple, and adds kinetic energy.
    Baumgarte,
    /// By pseudo-velocities ([`solve_push`](super::RowMut::solve_push)): adds none.
    SplitImpulse,
}

/// The bound of the friction impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FrictionBound {
    /// Coulomb's cone: the same in every direction.
    Cone,
    /// Each tangent by itself: up to √2 more along the diagonals; linear, for LCP solvers.
    Pyramid,
}

/// Settings of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Settings {
    /// Seconds.
    pub step: f64,
    /// Metres of penetration that are left alone; 0 by default. A little keeps contacts in touch.
    pub slop: f64,
    /// The fraction of the penetration beyond the slop that is corrected in a step; 0.2 by default.
    pub push_rate: f64,
    /// Metres per second: the largest speed of that correction; unlimited by default.
    #[cfg_attr(feature = "serde", serde(with = "unlimited"))]
    pub most_push_speed: f64,
    /// Baumgarte by default.
    pub stabilization: Stabilization,
    /// A cone by default.
    pub friction_bound: FrictionBound,
}

/// JSON has no infinity: what is unlimited is null.
#[cfg(feature = "serde")]
mod unlimited {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*value).filter(|value| value.is_finite()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Option::deserialize(deserializer).map(|value| value.unwrap_or(f64::INFINITY))
    }
}

impl Settings {
    /// The defaults, for steps of `step` seconds.
    pub const fn new(step: f64) -> Self {
        Self {
            step,
            slop: 0.0,
            push_rate: 0.2,
            most_push_speed: f64::INFINITY,
            stabilization: Stabilization::Baumgarte,
            friction_bound: FrictionBound::Cone,
        }
    }

    /// The velocities along the normal, of the bodies and of the split impulse, that a gap asks for: the velocity that
    /// closes it within the step, or that corrects penetration.
    pub(super) fn targets(&self, gap: f64) -> [f64; 2] {
        if gap >= 0.0 {
            return [-gap / self.step, 0.0];
        }
        let push = self.push_rate * (-gap - self.slop).max(0.0) / self.step;
        let push = push.min(self.most_push_speed);
        match self.stabilization {
            Stabilization::Baumgarte => [push, 0.0],
            Stabilization::SplitImpulse => [0.0, push],
        }
    }
}

#[cfg(test)]
#[cfg(feature = "serde")]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::Material;

    #[test]
    fn settings_and_materials_read_back_as_they_were() {
        let text = serde_json::to_string(&Settings::new(0.01)).unwrap();
        assert!(text.contains(r#""most_push_speed":null,"stabilization":"baumgarte""#), "{text}");
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), Settings::new(0.01));
        let material = Material { friction: 0.1 + 0.2, ..Material::HARD };
        let text = serde_json::to_string(&material).unwrap();
        assert_eq!(serde_json::from_str::<Material>(&text).unwrap(), material);
    }
}
