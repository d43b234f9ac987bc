//! Sidedness of a plane.

use palpate_geometry::Plane;
use palpate_math::Vector;
use serde::{Deserialize, Serialize};

/// The sidedness of a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaneSides {
    /// That of the plane itself.
    #[default]
    AsGiven,
    /// The surface of a half-space: below is inside.
    One,
    /// A sheet without thickness: bodies are pushed out to the nearer side.
    Two,
}

/// Settings of the detectors against planes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlaneSettings {
    /// The sidedness of the plane; by default that of the plane itself.
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

    /// Returns the exit of a core that extends from `lowest` to `highest` above the plane: the unit direction, and
    /// the height along it of the core's end that exits last (the least height). A two-sided plane pushes to the side
    /// with the shorter translation, along the normal in a tie.
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
        assert_eq!(two.way_out(&plane, -1.0, 1.0), (Vector::y(), -1.0), "a tie: along the normal");
        assert_eq!(
            PlaneSettings::default().way_out(&plane.with_two_sided(true), -0.5, -0.5),
            (-Vector::y(), 0.5)
        );
    }
}
