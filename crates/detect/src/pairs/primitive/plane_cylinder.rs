//! Plane against cylinder.

use crate::convex_body::placed;
use crate::pairs::primitive::plane_body::{PlaneBody, PlaneBodySettings};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::CollisionData;
use palpate_convex::Cylinder as CylinderCore;
use palpate_geometry::{Cylinder, Plane};

/// Plane against cylinder, in closed form: four points of the rim if it stands, both ends of the wall's lowest line
/// if it lies, the lowest first.
pub struct PlaneCylinder(PlaneBody);

impl PairDetector for PlaneCylinder {
    type A = Plane;
    type B = Cylinder;
    type Settings = PlaneBodySettings;

    const NAME: &'static str = "plane_cylinder";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form: the lowest point of the rim, and others of the cap facing the plane, by id, \
            or the other end of the lowest line of the wall; a two-sided plane pushes to the side with the \
            shorter translation",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.2.2",
    };

    fn new(settings: PlaneBodySettings) -> Self {
        Self(PlaneBody::new(settings))
    }

    fn detect(&mut self, a: &Plane, b: &Cylinder, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let cylinder = CylinderCore { radius: b.radius(), half_length: 0.5 * b.length() };
        self.0.detect(a, (&cylinder, &placed(b.pose())), context, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::Pose;
    use palpate_math::{Point, Vector};

    /// Returns the contacts of a cylinder of radius 0.5 and length 2 over the plane y = 0.
    fn contacts(pose: Pose) -> CollisionData {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let cylinder = Cylinder::new(pose, 0.5, 2.0).unwrap();
        let mut out = CollisionData::new();
        PlaneCylinder::new(PlaneBodySettings::default()).detect(&plane, &cylinder, &Context::new(), &mut out);
        out
    }

    #[test]
    fn standing_it_has_four_points_of_its_rim() {
        let found = contacts(Pose::translation(0.0, 0.875, 0.0));
        assert_eq!(found.len(), 4);
        for contact in &found.contacts {
            assert_eq!((contact.depth, contact.b.cell), (0.125, 3));
            assert_eq!(contact.b.point[0].abs() + contact.b.point[2].abs(), 0.5);
        }
    }

    #[test]
    fn lying_it_has_both_ends_of_its_lowest_line() {
        let lying = Vector::z() * std::f64::consts::FRAC_PI_2;
        let found = contacts(Pose::new(Vector::new(0.0, 0.4375, 0.0), lying));
        assert_eq!(found.len(), 2);
        for contact in &found.contacts {
            assert!((contact.depth - 0.0625).abs() < 1e-15 && (contact.b.point[0].abs() - 1.0).abs() < 1e-15);
        }
    }

    /// Tilted by 0.3 about z, the lowest point is lower by the sine and cosine of that; rotation about the axis does
    /// not move it.
    #[test]
    fn leaning_it_has_its_lowest_point_wherever_that_is_on_the_rim() {
        let low = 0.5 * 0.3_f64.sin() + 0.3_f64.cos();
        for turn in [0.0, 0.1, 0.2] {
            let lean = Pose::new(Vector::new(0.0, low - 0.03125, 0.0), Vector::z() * 0.3);
            let found = contacts(lean * Pose::rotation(Vector::y() * turn));
            assert!((found.contacts[0].depth - 0.03125).abs() < 1e-15);
            let left = [found.contacts[0].b.point[0], found.contacts[0].b.point[2]];
            assert!((left[0] - (0.3_f64.sin() - 0.5 * 0.3_f64.cos())).abs() < 1e-14 && left[1].abs() < 1e-14);
        }
    }
}
