//! Points against a plane: one-sided and two-sided.

use crate::pairs::PlaneSettings;
use crate::pairs::points::point_set_solid::points_against;
use crate::{About, Chunks, Context, PairDetector, Points, Status};
use palpate_contact::{CollisionData, NONE};
use palpate_geometry::{Plane, PointSet, SignedDistance};

/// Points against a plane: each vertex by its height. Exact for a mesh too, since its lowest points are vertices.
pub struct PointSetPlane {
    settings: PlaneSettings,
    chunks: Chunks,
}

impl PairDetector for PointSetPlane {
    type A = Points;
    type B = Plane;
    type Settings = PlaneSettings;

    const NAME: &'static str = "point_set_plane";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form per vertex: radius minus the height; one-sided: the half-space below is \
            solid; two-sided: a vertex exits to its own side",
        cost: "O(vertices)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.1",
    };

    fn new(settings: PlaneSettings) -> Self {
        Self { settings, chunks: Chunks::default() }
    }

    fn detect(&mut self, a: &PointSet, b: &Plane, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let settings = self.settings;
        let signed_distance = |point: &_| {
            let height = b.height(point);
            let (gradient, distance) = settings.way_out(b, height, height);
            SignedDistance { distance, nearest: point - gradient * distance, gradient, feature: NONE }
        };
        points_against(a, signed_distance, &mut self.chunks, context, out).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PlaneSides;
    use palpate_math::{Point, Vector};

    fn depths(sides: PlaneSides, radius: f64) -> Vec<(u32, f64, f64)> {
        let heights = [-2.0, 0.0, 0.25, 1.0].map(|height| Point::new(5.0, height, 0.0));
        let points = PointSet::new(heights.to_vec()).unwrap().with_radius(radius).unwrap();
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let mut out = CollisionData::new();
        PointSetPlane::new(PlaneSettings { sides }).detect(&points, &plane, &Context::new(), &mut out);
        out.contacts
            .iter()
            .map(|contact| (contact.a.vertices[0], contact.depth, contact.direction[1]))
            .collect()
    }

    #[test]
    fn below_a_half_space_is_in_contact_on_it_touches() {
        assert_eq!(depths(PlaneSides::One, 0.0), [(0, 2.0, 1.0), (1, 0.0, 1.0)]);
    }

    #[test]
    fn a_sheet_meets_only_balls_and_points_on_it() {
        assert_eq!(depths(PlaneSides::Two, 0.0), [(1, 0.0, 1.0)]);
        assert_eq!(depths(PlaneSides::Two, 0.5), [(1, 0.5, 1.0), (2, 0.25, 1.0)]);
    }
}
