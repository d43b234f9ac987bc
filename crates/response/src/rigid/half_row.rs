//! Contact rows for rigid bodies.
//!
//! Source: Catto, "Iterative dynamics with temporal coherence" (2005), section 4: the contact constraint and its
//! Jacobian.

use palpate_contact::{Contact, Side};
use palpate_math::{Point, Vector};

/// One side's half of a contact's row: the gap grows by `linear · v + angular · w` metres per second when the body moves
/// with the velocity `v` of its centre of mass and the angular velocity `w` (world frame, radians per second).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRow {
    /// The unit direction that separates this side from the other.
    pub linear: Vector,
    /// The cross product of the lever arm, from the centre of mass to the side's contact point, with the direction; metres.
    pub angular: Vector,
}

impl BodyRow {
    /// Returns the half row of `side`, whose body has its centre of mass at `center_of_mass` (world frame, metres).
    pub fn of(contact: &Contact, side: Side, center_of_mass: &Point) -> Self {
        let linear = contact.direction_of(side);
        let lever = contact.feature(side).surface_point() - center_of_mass;
        Self { linear, angular: lever.cross(&linear) }
    }

    /// Returns the rate of change of the gap due to this side's motion, metres per second.
    pub fn gap_velocity(&self, velocity: &Vector, angular_velocity: &Vector) -> f64 {
        self.linear.dot(velocity) + self.angular.dot(angular_velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::Feature;

    /// A contact of A's lowest point, 0.125 m below the floor B and 1 m to the right of A's centre of mass.
    fn contact() -> Contact {
        let a = Feature::point(Point::new(1.0, -0.125, 0.0));
        let b = Feature::point(Point::new(1.0, 0.0, 0.0));
        Contact::exact(a, b, Vector::y(), 0.125, 0)
    }

    #[test]
    fn moving_up_opens_and_turning_toward_the_floor_closes() {
        let center = Point::new(0.0, 0.5, 0.0);
        let row = BodyRow::of(&contact(), Side::A, &center);
        assert_eq!(row.gap_velocity(&Vector::y(), &Vector::zeros()), 1.0);
        // A rotation about +z at 1 rad/s raises a point at +x.
        assert_eq!(row.gap_velocity(&Vector::zeros(), &Vector::z()), 1.0);
        assert_eq!(row.gap_velocity(&Vector::zeros(), &-Vector::z()), -1.0);
        // About +x the lever arm's x has no effect.
        assert_eq!(row.gap_velocity(&Vector::zeros(), &Vector::x()), 0.0);
    }

    #[test]
    fn a_common_rigid_motion_keeps_the_gap() {
        let center = Point::new(-3.0, 2.0, 5.0);
        let contact = Contact { depth: 0.0, b: contact().a, ..contact() };
        let [a, b] = [Side::A, Side::B].map(|side| BodyRow::of(&contact, side, &center));
        let (velocity, angular) = (Vector::new(1.0, -2.0, 3.0), Vector::new(0.5, 0.25, -1.0));
        assert_eq!(a.gap_velocity(&velocity, &angular) + b.gap_velocity(&velocity, &angular), 0.0);
    }
}
