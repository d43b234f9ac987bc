//! The tool: a capsule that approaches the organ, presses in, slides and retracts.

use super::motion::{ramp, soft_positive};
use super::organ::{Dent, normal, surface};
use palpate::geometry::pose;
use palpate::math::{Point, Vector};
use palpate::recording::Primitive;

/// Metres.
pub(super) const RADIUS: f64 = 0.005;
/// Length of the straight part, metres.
pub(super) const LENGTH: f64 = 0.085;

/// Largest depth of the tip below the undeformed surface, metres.
const PRESS: f64 = 0.012;
/// Fraction of this depth by which the organ yields.
const YIELD: f64 = 0.62;

/// The tool at one time.
pub(super) struct Tool {
    /// The centre of the round tip.
    pub(super) tip: Point,
    /// Unit vector from the tip to the handle.
    pub(super) axis: Vector,
    /// Unit vector along the organ's surface, the direction of sliding.
    pub(super) forward: Vector,
    /// The deformation of the organ.
    pub(super) dent: Dent,
}

impl Tool {
    /// The tool at `time`, in seconds.
    pub(super) fn at(time: f64) -> Self {
        let target = target(time);
        let (surface, n) = (surface(&target, time), normal(&target, time));
        let pressed = pressed(time);
        let tip = surface + n * (RADIUS - pressed);
        let given = YIELD * soft_positive(pressed, 0.0004);
        // The handle tilts while the tool slides.
        let lean = -1.3 + 0.5 * ramp(time, 0.7, 1.6);
        let axis = (n + Vector::new(lean, 0.1, -0.6)).normalize();
        let slide = Vector::new(1.0, 0.0, -0.25);
        let forward = (slide - n * slide.dot(&n)).normalize();
        Self { tip, axis, forward, dent: Dent { at: surface, push: n * -given } }
    }

    /// Pose and size as recorded.
    pub(super) fn state(&self) -> Primitive {
        let center = self.tip + self.axis * (0.5 * LENGTH);
        let rotation = pose::rotation_from_axis(self.axis).expect("the axis is a unit vector");
        let q = rotation.quaternion();
        Primitive { position: center, rotation_wxyz: [q.w, q.i, q.j, q.k], size: [RADIUS, LENGTH, 0.0] }
    }
}

/// The target point on the organ, as a direction of the sphere from which the organ is made.
fn target(time: f64) -> Vector {
    let slide = ramp(time, 0.85, 1.55);
    let (x, z) = (-0.34 + 0.34 * slide, 0.30 - 0.09 * slide);
    Vector::new(x, (1.0 - x * x - z * z).sqrt(), z)
}

/// Depth of the tip below the undeformed surface, metres; negative above it.
fn pressed(time: f64) -> f64 {
    let approach = -0.045 * (1.0 - ramp(time, 0.0, 0.55));
    let press = PRESS * ramp(time, 0.5, 0.85) - 0.003 * ramp(time, 0.9, 1.2);
    let leave = -0.045 * ramp(time, 1.5, 1.95);
    approach + press + leave
}
