//! Small rigid motions of a tool, and the least change of one that contacts allow.

use nalgebra::{Quaternion, Translation3, UnitQuaternion};
use palpate_contact::{Contact, Side};
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// Passes over the contacts.
const PASSES: usize = 40;

/// A motion: a translation, and a rotation about the tool's origin as an axis times twice the tangent of half the angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Twist {
    pub(crate) linear: Vector,
    pub(crate) angular: Vector,
}

impl Twist {
    /// The motion from one pose to another.
    pub(crate) fn between(from: &Pose, to: &Pose) -> Self {
        let turn = to.rotation * from.rotation.inverse();
        let (w, v) = (turn.w, Vector::new(turn.i, turn.j, turn.k));
        // Beyond half a turn the other way round is shorter. At half a turn the length is infinite.
        let angular = v * (2.0 / w.abs().max(f64::EPSILON)) * if w < 0.0 { -1.0 } else { 1.0 };
        Self { linear: to.translation.vector - from.translation.vector, angular }
    }

    pub(crate) fn apply(&self, pose: &Pose) -> Pose {
        let half = self.angular * 0.5;
        let turn = UnitQuaternion::new_normalize(Quaternion::new(1.0, half.x, half.y, half.z));
        Pose::from_parts(Translation3::from(pose.translation.vector + self.linear), turn * pose.rotation)
    }

    pub(crate) fn scaled(&self, factor: f64) -> Self {
        Self { linear: self.linear * factor, angular: self.angular * factor }
    }

    /// An upper bound of the distance that a point of the tool moves, of which no point is farther than `radius` from the
    /// origin.
    pub(crate) fn greatest_motion(&self, radius: f64) -> f64 {
        self.linear.norm() + self.angular.norm() * radius
    }

    /// The motion cut to a bound of [`greatest_motion`](Self::greatest_motion).
    pub(crate) fn limited(&self, radius: f64, limit: f64) -> Self {
        let size = self.greatest_motion(radius);
        if size > limit { self.scaled(limit / size) } else { *self }
    }
}

/// A contact of the tool: the gap grows by `linear · translation + angular · rotation`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    linear: Vector,
    angular: Vector,
    gap: f64,
}

impl Row {
    /// The row of a contact in which the tool is `side`.
    pub(crate) fn new(contact: &Contact, side: Side, origin: &Point) -> Self {
        let linear = contact.direction_of(side);
        let lever = contact.feature(side).surface_point() - origin;
        Self { linear, angular: lever.cross(&linear), gap: -contact.depth }
    }
}

/// The motion nearest to `wanted` after which no gap is below `skin`, to first order: the dual of a least-squares problem,
/// by projected Gauss-Seidel. A rotation counts as the motion of a point at `radius`. Rows that contradict each other
/// leave a compromise.
pub(crate) fn nearest_allowed(
    wanted: &Twist,
    rows: &[Row],
    radius: f64,
    skin: f64,
    multipliers: &mut Vec<f64>,
) -> Twist {
    let mut twist = *wanted;
    // The inverse of the metric for rotations; a point cannot be turned.
    let turning = if radius > 0.0 { 1.0 / (radius * radius) } else { 0.0 };
    multipliers.clear();
    multipliers.resize(rows.len(), 0.0);
    for _ in 0..PASSES {
        let mut change = 0.0_f64;
        for (row, multiplier) in rows.iter().zip(multipliers.iter_mut()) {
            let gap = row.gap - skin + row.linear.dot(&twist.linear) + row.angular.dot(&twist.angular);
            let size = row.linear.norm_squared() + turning * row.angular.norm_squared();
            let next = (*multiplier - gap / size).max(0.0);
            let difference = next - *multiplier;
            *multiplier = next;
            twist.linear += row.linear * difference;
            twist.angular += row.angular * (turning * difference);
            change = change.max(difference.abs());
        }
        if change <= 1e-9 * skin {
            break;
        }
    }
    twist
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twist_between_poses_leads_from_one_to_the_other() {
        let poses = [(0.3, 0.2), (-2.0, 1.0), (3.0, -0.4)].map(|(angle, place): (f64, f64)| {
            let turn = UnitQuaternion::from_euler_angles(angle, 0.5 * angle, -angle);
            Pose::from_parts(Translation3::new(place, 2.0 * place, 1.0), turn)
        });
        for from in &poses {
            for to in &poses {
                let end = Twist::between(from, to).apply(from);
                assert!((end.translation.vector - to.translation.vector).norm() < 1e-14);
                assert!(end.rotation.angle_to(&to.rotation) < 1e-7, "{from} {to}");
            }
        }
    }

    #[test]
    fn a_motion_into_a_corner_ends_in_it() {
        // Two walls: x at least 0.1 less, y at least 0.2 less.
        let row = |linear: Vector, gap| Row { linear, angular: Vector::zeros(), gap };
        let rows = [row(-Vector::x(), 0.1), row(-Vector::y(), 0.2)];
        let wanted = Twist { linear: Vector::new(1.0, 1.0, 1.0), angular: Vector::zeros() };
        let found = nearest_allowed(&wanted, &rows, 0.0, 1e-3, &mut Vec::new());
        assert!((found.linear - Vector::new(0.099, 0.199, 1.0)).norm() < 1e-9, "{found:?}");
        // Away from the walls nothing is held.
        let away = wanted.scaled(-1.0);
        assert_eq!(nearest_allowed(&away, &rows, 0.0, 1e-3, &mut Vec::new()), away);
    }
}
