//! Settings of the rows: the step, stabilisation, the bound of friction.

/// How penetration is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilization {
    /// By the velocity of the bodies (Baumgarte): simple, and adds kinetic energy.
    Baumgarte,
    /// By pseudo-velocities ([`solve_push`](super::RowMut::solve_push)): adds none.
    SplitImpulse,
}

/// The bound of the friction impulses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionBound {
    /// Coulomb's cone: the same in every direction.
    Cone,
    /// Each tangent by itself: up to √2 more along the diagonals; linear, for LCP solvers.
    Pyramid,
}

/// Settings of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Seconds.
    pub step: f64,
    /// Metres of penetration that are left alone; 0 by default. A little keeps contacts in touch.
    pub slop: f64,
    /// The fraction of the penetration beyond the slop that is corrected in a step; 0.2 by default.
    pub push_rate: f64,
    /// Metres per second: the largest speed of that correction; unlimited by default.
    pub most_push_speed: f64,
    /// Baumgarte by default.
    pub stabilization: Stabilization,
    /// A cone by default.
    pub friction_bound: FrictionBound,
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
