//! Implicit body against a capsule.

use crate::pairs::ImplicitManifoldSettings;
use crate::pairs::implicit::face_manifold::FaceManifold;
use crate::pairs::implicit::implicit_contact::{Reach, flags_of_search};
use crate::port::LipschitzBody;
use crate::{About, Context, ConvexBody, PairDetector, Status};
use palpate_contact::{CollisionData, Feature};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::Search;
use palpate_geometry::{Capsule, ImplicitBody};

/// Implicit body against a capsule: the minimum of the function over the axis, minus the radius, by a certified
/// global search. The exit direction is that of the deepest point of the axis. Where the capsule lies on the body, both
/// ends are reported.
#[derive(Default)]
pub struct ImplicitCapsule {
    search: Search,
    settings: ImplicitManifoldSettings,
    manifold: FaceManifold,
}

impl PairDetector for ImplicitCapsule {
    type A = LipschitzBody;
    type B = Capsule;
    type Settings = ImplicitManifoldSettings;

    const NAME: &'static str = "implicit_capsule";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "two",
        sides: "one: both are solids",
        method: "the minimum over the axis by a certified branch and bound; the depth is the radius minus \
            that; both ends of the axis where the capsule lies on the body",
        cost: "some ten function evaluations",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; Piyavskii 1972",
    };

    fn new(settings: ImplicitManifoldSettings) -> Self {
        Self { search: settings.tolerance.search(), settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reach = Reach { body: a, radius: b.radius(), context };
        self.search.relative_to(a.radius());
        let Some(found) = self.search.below(a, &b.ends(), reach.cutoff()) else { return Status::default() };
        if !a.sublevel_bounds(0.0).grown(reach.cutoff()).contains_point(&found.point) {
            return Status::default();
        }
        let deepest = reach.at_minimum(&found, b.length().max(b.radius()), 0, Feature::point);
        match ConvexBody::new(b).filter(|_| self.settings.manifold) {
            Some(faced) => self.manifold.write(&reach, &faced, deepest, out),
            None => out.push(deepest),
        }
        (reach.flags(found.sample.value) | flags_of_search(&found)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{OrientedBox, Pose};
    use palpate_math::{Point, Vector};
    use std::sync::Arc;

    #[test]
    fn the_axis_is_met_between_its_ends() {
        let block = Arc::new(OrientedBox::new(Pose::identity(), Vector::repeat(1.0)).unwrap());
        let body = ImplicitBody::new(Pose::identity(), block).unwrap();
        // Oblique to the edge from (1, 1, -1) to (1, 1, 1).
        let (start, end) = (Point::new(3.0, -0.5, 0.0), Point::new(-0.5, 3.0, 0.5));
        let capsule = Capsule::from_ends(start, end, 0.5).unwrap();
        let mut out = CollisionData::new();
        ImplicitCapsule::default().detect(&body, &capsule, &Context::new(), &mut out);
        let contact = out.contacts[0];
        // The line x + y = 2.5 is at a distance of 0.5 / √2 from the edge.
        assert!((contact.depth - (0.5 - 0.5 / 2.0_f64.sqrt())).abs() < 1e-11, "{}", contact.depth);
        assert!((Vector::from(contact.direction) + Vector::new(1.0, 1.0, 0.0).normalize()).norm() < 1e-4);
    }
}
