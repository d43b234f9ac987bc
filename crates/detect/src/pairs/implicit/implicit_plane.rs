//! Implicit body against a plane.

use crate::pairs::ImplicitPlaneSettings;
use crate::pairs::implicit::implicit_contact::flags_of_search;
use crate::port::BoundedLipschitzBody;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{Minimum, Search, lowest_over};
use palpate_geometry::{ImplicitBody, Plane};

/// Implicit body against a plane: the body's lowest point, by a support map, in the cells of a grid, or by a certified search
/// over its interior. Exact for every function, since only the zero level set matters. A two-sided plane pushes to the side
/// with the shorter translation.
pub struct ImplicitPlane {
    settings: ImplicitPlaneSettings,
    search: Search,
}

impl ImplicitPlane {
    /// Returns the body's lowest point above the plane if it is no higher than `cutoff`, by the function's own
    /// support map or by a search.
    fn lowest(&mut self, body: &ImplicitBody, plane: &Plane, cutoff: f64) -> Option<Minimum> {
        if let Some(point) = body.as_function().support_point(&-plane.normal()) {
            let sample = ImplicitFunction::sample(plane, &point);
            let weights = [0.0; 4];
            let lower = sample.value;
            return (lower <= cutoff).then_some(Minimum { weights, point, sample, lower, converged: true });
        }
        lowest_over(&mut self.search, plane, body, &body.as_function().oriented_bounds()?, cutoff)
    }
}

impl PairDetector for ImplicitPlane {
    type A = BoundedLipschitzBody;
    type B = Plane;
    type Settings = ImplicitPlaneSettings;

    const NAME: &'static str = "implicit_plane";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one for a half-space, two for a sheet",
        method: "the lowest point of the body: by a support map for primitives, rings and their \
            combinations, in the cells of a grid by Newton's method with a proof, otherwise by a certified \
            branch and bound over its box; a two-sided plane pushes to the side with the shorter translation",
        cost: "O(1) by a support map; of a grid the cells near its lowest point; otherwise some thousand function \
            evaluations",
        source: "Piyavskii 1972; Everett 1963, Generalized Lagrange multiplier method; Kuhn and Tucker 1951",
    };

    fn new(settings: ImplicitPlaneSettings) -> Self {
        Self { search: settings.tolerance.search(), settings }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &Plane,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let plane = b.clone().with_two_sided(false);
        self.search.relative_to(a.radius());
        let both = self.settings.of_plane().two_sided(b);
        let cutoff = if both { f64::INFINITY } else { context.margin() };
        let Some(mut found) = self.lowest(a, &plane, cutoff) else { return Status::default() };
        let mut outward = plane.normal();
        if both && let Some(other) = self.lowest(a, &plane.turned(), f64::INFINITY) {
            // The highest point is the lowest above the flipped plane.
            let (way, _) = self.settings.of_plane().way_out(b, found.sample.value, -other.sample.value);
            if way != outward {
                (found, outward) = (other, way);
            }
        }
        let open = context.reports(-found.lower) && !context.reports(-found.sample.value);
        let depth = if open { -context.margin() } else { -found.sample.value };
        if !context.reports(depth) {
            return Status::default();
        }
        let b = Feature::point(found.point + outward * depth);
        let contact = Contact::exact(Feature::point(found.point), b, outward, depth, 0);
        out.push(Contact { depth_upper: depth.max(-found.lower), ..contact });
        (Flags::empty() | flags_of_search(&found)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::Pose;
    use palpate_geometry::implicit::Torus;
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    /// A ring of radii 3 and 1, upright: its lowest point is 4 below its centre.
    fn contact(height: f64, two_sided: bool) -> Option<Contact> {
        let upright = palpate_geometry::pose::rotation_from_axis(Vector::x()).unwrap();
        let pose = palpate_geometry::pose::from_rotation(Point::new(0.0, height, 0.0), upright).unwrap();
        let ring = Arc::new(Torus::new(Pose::identity(), 3.0, 1.0).unwrap());
        let body = ImplicitBody::new(pose, ring).unwrap();
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap().with_two_sided(two_sided);
        let mut out = CollisionData::new();
        ImplicitPlane::new(ImplicitPlaneSettings::default()).detect(&body, &plane, &Context::new(), &mut out);
        out.contacts.first().copied()
    }

    #[test]
    fn the_lowest_place_of_a_ring_is_the_contact() {
        let sunk = contact(3.75, false).unwrap();
        assert!((sunk.depth - 0.25).abs() < 1e-10 && sunk.direction == [0.0, 1.0, 0.0], "{sunk:?}");
        assert!((sunk.a.point[1] + 0.25).abs() < 1e-10 && sunk.b.point[1].abs() < 1e-10);
        assert!(contact(4.25, false).is_none());
        assert!((contact(-5.0, false).unwrap().depth - 9.0).abs() < 1e-10);
    }

    #[test]
    fn a_sheet_is_left_by_the_shorter_way() {
        assert_eq!(contact(-3.0, true).unwrap().direction, [0.0, -1.0, 0.0]);
        assert!((contact(-3.0, true).unwrap().depth - 1.0).abs() < 1e-10);
        assert!(contact(-4.25, true).is_none() && contact(4.25, true).is_none());
    }
}
