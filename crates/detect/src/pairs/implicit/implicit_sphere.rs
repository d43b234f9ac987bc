//! Implicit body against a sphere.

use crate::pairs::NoSettings;
use crate::pairs::implicit::implicit_contact::Reach;
use crate::port::LipschitzBody;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Feature};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::{ImplicitBody, Sphere};

/// Implicit body against a sphere: the value and gradient at its centre. Exact if the function is a distance.
#[derive(Default)]
pub struct ImplicitSphere;

impl PairDetector for ImplicitSphere {
    type A = LipschitzBody;
    type B = Sphere;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_sphere";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "value and gradient at the centre; the depth is the radius minus the value",
        cost: "O(1), one function evaluation",
        source: "Hart 1996, Sphere tracing, section 2",
    };

    fn new(_: NoSettings) -> Self {
        Self
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &Sphere,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reach = Reach { body: a, radius: b.radius(), context };
        let (center, bounds) = (b.center(), a.sublevel_bounds(0.0).grown(reach.cutoff()));
        let sample = a.sample(&center);
        match reach.at_place(&center, &sample, 0, Feature::point) {
            Some(contact) if bounds.contains_point(&center) => {
                out.push(contact);
                reach.flags(sample.value).into()
            }
            _ => Flags::empty().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::Pose;
    use palpate_geometry::implicit::Torus;
    use palpate_math::Point;
    use std::sync::Arc;

    #[test]
    fn a_ball_in_the_hole_of_a_ring_is_free_and_on_the_ring_is_not() {
        let ring = Arc::new(Torus::new(Pose::identity(), 3.0, 1.0).unwrap());
        let body = ImplicitBody::new(Pose::identity(), ring).unwrap();
        let depth = |center: [f64; 3]| {
            let ball = Sphere::new(Point::from(center), 0.5).unwrap();
            let mut out = CollisionData::new();
            ImplicitSphere.detect(&body, &ball, &Context::new(), &mut out);
            out.contacts.first().map(|contact| (contact.depth, contact.a.point, contact.b.point))
        };
        assert_eq!(depth([0.0, 0.0, 0.0]), None);
        assert_eq!(depth([3.0, 1.25, 0.0]), Some((0.25, [3.0, 1.0, 0.0], [3.0, 0.75, 0.0])));
    }
}
