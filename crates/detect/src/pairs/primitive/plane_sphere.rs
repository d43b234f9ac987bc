//! Plane against sphere: one-sided and two-sided.

use crate::pairs::PlaneSettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::{Plane, Sphere};

/// Plane against sphere, in closed form.
pub struct PlaneSphere {
    settings: PlaneSettings,
}

impl PairDetector for PlaneSphere {
    type A = Plane;
    type B = Sphere;
    type Settings = PlaneSettings;

    const NAME: &'static str = "plane_sphere";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form: radius minus the centre's height; one-sided: the half-space below is solid; \
            two-sided: the sphere exits to its centre's side",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.2.2",
    };

    fn new(settings: PlaneSettings) -> Self {
        Self { settings }
    }

    fn detect(&mut self, a: &Plane, b: &Sphere, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let center = b.center();
        let height = a.height(&center);
        let (outward, height) = self.settings.way_out(a, height, height);
        let depth = b.radius() - height;
        if context.reports(depth) {
            let foot = Feature::point(center - outward * height);
            let lowest = Feature::point(center - outward * b.radius());
            out.push(Contact::exact(foot, lowest, -outward, depth, 0));
        }
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PlaneSides;
    use palpate_math::{Point, Vector};

    fn contact(height: f64, sides: PlaneSides) -> Option<Contact> {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let sphere = Sphere::new(Point::new(3.0, height, 0.0), 1.0).unwrap();
        let mut out = CollisionData::new();
        PlaneSphere::new(PlaneSettings { sides }).detect(&plane, &sphere, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    #[test]
    fn a_half_space_is_solid_all_the_way_down() {
        let deep = contact(-5.0, PlaneSides::One).unwrap();
        assert_eq!((deep.depth, deep.direction), (6.0, [0.0, -1.0, 0.0]));
        assert_eq!((deep.a.point, deep.b.point), ([3.0, 0.0, 0.0], [3.0, -6.0, 0.0]));
        assert_eq!(contact(1.0, PlaneSides::One).unwrap().depth, 0.0, "touching");
        assert!(contact(1.5, PlaneSides::One).is_none());
    }

    #[test]
    fn a_sheet_is_left_to_the_side_of_the_centre() {
        let below = contact(-0.25, PlaneSides::Two).unwrap();
        assert_eq!((below.depth, below.direction, below.b.point), (0.75, [0.0, 1.0, 0.0], [3.0, 0.75, 0.0]));
        assert!(contact(-5.0, PlaneSides::Two).is_none());
        assert_eq!(
            contact(0.0, PlaneSides::Two).unwrap().direction,
            [0.0, -1.0, 0.0],
            "centre on the plane: along the normal"
        );
    }
}
