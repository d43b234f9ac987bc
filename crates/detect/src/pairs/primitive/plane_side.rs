//! The sides of a plane.

use palpate_geometry::Plane;
use palpate_math::Vector;
use serde::{Deserialize, Serialize};

/// How many sides the plane has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaneSides {
    /// As the plane itself says.
    #[default]
    AsGiven,
    /// The surface of a half-space: what is below is inside.
    One,
    /// A sheet without thickness: what is on it leaves to the nearer side.
    Two,
}

/// Settings of the detectors against planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaneSettings {
    /// How many sides the plane has; by default as the plane itself says.
    pub sides: PlaneSides,
}

impl PlaneSettings {
    pub(crate) fn two_sided(self, plane: &Plane) -> bool {
        match self.sides {
            PlaneSides::AsGiven => plane.two_sided(),
            PlaneSides::One => false,
            PlaneSides::Two => true,
        }
    }

    /// Which way a body leaves that reaches from `lowest` to `highest` above the plane, both ends of a core: the unit
    /// direction, and the height along it of the core's end that leaves last (the least height). A sheet is left to the
    /// side that needs the smaller motion, along the normal when both need the same.
    pub(crate) fn way_out(self, plane: &Plane, lowest: f64, highest: f64) -> (Vector, f64) {
        let normal = plane.normal();
        if self.two_sided(plane) && -highest > lowest { (-normal, -highest) } else { (normal, lowest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_math::Point;

    #[test]
    fn a_sheet_is_left_to_the_nearer_side_and_a_half_space_always_upward() {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let one = PlaneSettings { sides: PlaneSides::One };
        let two = PlaneSettings { sides: PlaneSides::Two };
        assert_eq!(one.way_out(&plane, -3.0, -1.0), (Vector::y(), -3.0));
        assert_eq!(two.way_out(&plane, -3.0, -1.0), (-Vector::y(), 1.0));
        assert_eq!(two.way_out(&plane, -3.0, 1.0), (-Vector::y(), -1.0));
        assert_eq!(two.way_out(&plane, -1.0, 1.0), (Vector::y(), -1.0), "equally far: along the normal");
        assert_eq!(
            PlaneSettings::default().way_out(&plane.with_two_sided(true), -0.5, -0.5),
            (-Vector::y(), 0.5)
        );
    }
}
