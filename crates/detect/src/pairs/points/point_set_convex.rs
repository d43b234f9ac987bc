//! Points against any convex body.

use crate::convex_body::query_point;
use crate::pairs::NoSettings;
use crate::pairs::points::point_set_solid::{points_against, vertex_contact};
use crate::{About, AnyConvex, Chunks, Context, ConvexBody, Flags, PairDetector, Points, Status};
use nalgebra::Vector3;
use palpate_contact::{CollisionData, Contact, NONE};
use palpate_convex::{Memory, Settings};
use palpate_geometry::{PointSet, SignedDistance};
use palpate_math::Point;

/// Points against any convex body: each vertex by its signed distance. For a hull, the nearest face, edge or vertex,
/// exact up to rounding error, and the lowest-index of equally near faces; for an ellipsoid and a cone, the closed
/// form. A body known only by its support map is handled by GJK and EPA, with a certified upper bound of the depth.
#[derive(Default)]
pub struct PointSetConvex {
    chunks: Chunks,
    memory: Memory<Vector3<f64>>,
}

impl PointSetConvex {
    /// Tests each vertex against a body without a signed distance of its own.
    fn search(
        &mut self,
        points: &PointSet,
        body: &ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Flags {
        let mut flags = Flags::empty();
        for (vertex, position) in points.positions().iter().enumerate() {
            let found = query_point(position, body, &mut self.memory, &Settings::default());
            let upper = points.radius() + found.depth_upper;
            if !context.reports(upper) {
                continue;
            }
            // If the bounds leave open whether the contact is within the margin, it is reported: no contact is lost.
            let depth = (points.radius() + found.depth).max(-context.margin());
            let gradient = found.direction;
            let distance = points.radius() - depth;
            let nearest = position - gradient * distance;
            let signed = SignedDistance { distance, nearest: Point::from(nearest), gradient, feature: NONE };
            let contact = vertex_contact(points, vertex as u32, &signed, depth);
            out.push(Contact { depth_upper: upper.max(depth), ..contact });
            flags.set(
                Flags::ITERATION_LIMIT,
                flags.contains(Flags::ITERATION_LIMIT) || !found.status.converged(),
            );
        }
        flags
    }
}

impl PairDetector for PointSetConvex {
    type A = Points;
    type B = AnyConvex;
    type Settings = NoSettings;

    const NAME: &'static str = "point_set_convex";
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "point",
        at_most: "one per vertex",
        sides: "one: the body is solid",
        method: "signed distance of each vertex: for a hull the nearest element by a tree over its faces, \
            its side by exact predicates; for an ellipsoid and a cone in closed form; for a user's support \
            map by GJK and EPA",
        cost: "O(vertices), for a hull O(vertices log faces)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.5; Eberly 2013, Distance from a point to an ellipsoid",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let flags = match b.distance() {
            Some(solid) => {
                points_against(a, |point| solid.signed_distance(point), &mut self.chunks, context, out)
            }
            None => self.search(a, &b, context, out),
        };
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_convex::SupportMap;
    use palpate_geometry::{Cone, Convex, ConvexShape, Ellipsoid, Geometry, GeometryKind, Pose, Version};
    use palpate_math::{Aabb, Vector};

    fn detect(points: &[[f64; 3]], radius: f64, body: &dyn Geometry, margin: f64) -> (Vec<Contact>, Flags) {
        let points = points.iter().copied().map(Point::from).collect();
        let points = PointSet::new(points).unwrap().with_radius(radius).unwrap();
        let mut out = CollisionData::new();
        let (body, context) = (ConvexBody::new(body).unwrap(), Context::new().with_margin(margin));
        let status = PointSetConvex::default().detect(&points, body, &context, &mut out);
        (out.contacts, status.flags)
    }

    fn tetrahedron() -> Convex {
        let corners = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]].map(Point::from);
        Convex::new(Pose::identity(), &corners).unwrap()
    }

    #[test]
    fn in_and_on_a_hull_points_leave_by_the_nearest_face() {
        let points = [[1.0, 0.25, 1.0], [1.0, -0.25, 1.0], [2.0, 2.0, 0.0]];
        let (contacts, _) = detect(&points, 0.0, &tetrahedron(), 0.0);
        assert_eq!(contacts.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!((contacts[0].a.point, contacts[0].b.point), ([1.0, 0.25, 1.0], [1.0, 0.0, 1.0]));
        assert_eq!(contacts[1].depth, 0.0, "touching");
    }

    #[test]
    fn a_particle_and_a_margin_reach_an_edge_from_outside() {
        let (contacts, _) = detect(&[[2.0, -3.0, -4.0]], 1.0, &tetrahedron(), 4.5);
        assert_eq!((contacts[0].depth, contacts[0].b.point), (-4.0, [2.0, 0.0, 0.0]));
        assert!(detect(&[[2.0, -3.0, -4.0]], 1.0, &tetrahedron(), 3.5).0.is_empty());
    }

    #[test]
    fn a_cone_and_an_ellipsoid_answer_in_closed_form() {
        let cone = Cone::new(Pose::identity(), 3.0, 4.0).unwrap();
        let (contacts, _) = detect(&[[0.0, -1.5, 0.0]], 0.0, &cone, 0.0);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.5, [0.0, -1.0, 0.0]));
        let ellipsoid = Ellipsoid::new(Pose::identity(), Vector::new(1.0, 2.0, 4.0)).unwrap();
        let (contacts, _) = detect(&[[0.25, 0.0, 0.0]], 0.0, &ellipsoid, 0.0);
        assert!((contacts[0].depth - 0.75).abs() < 1e-14, "{contacts:?}");
    }

    /// A sphere of radius 2 around (1, 0, 0), known only by its support map.
    struct Unknown;

    impl SupportMap for Unknown {
        fn support(&self, direction: &Vector) -> Point {
            Point::new(1.0, 0.0, 0.0) + direction.normalize() * 2.0
        }
    }

    impl Geometry for Unknown {
        fn kind(&self) -> GeometryKind {
            GeometryKind::new("unknown")
        }

        fn bounds(&self) -> Aabb {
            Aabb::from_point(Point::new(1.0, 0.0, 0.0)).grown(2.0)
        }

        fn version(&self) -> Version {
            Version::default()
        }

        fn as_convex(&self) -> Option<ConvexShape<'_>> {
            Some(ConvexShape::other(self))
        }
    }

    #[test]
    fn a_users_support_map_is_searched_with_certified_bounds() {
        let points = [[1.0, 1.5, 0.0], [1.0, 3.0, 0.0], [-1.5, 0.0, 0.0], [3.0, 0.0, 0.0]];
        let (contacts, flags) = detect(&points, 0.0, &Unknown, 0.75);
        assert_eq!(contacts.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [0, 2, 3]);
        for (contact, (wanted, way)) in
            contacts.iter().zip([(0.5, Vector::y()), (-0.5, -Vector::x()), (0.0, Vector::x())])
        {
            assert!((contact.depth - wanted).abs() < 1e-9 && contact.depth_upper >= wanted, "{contact:?}");
            assert!((Vector::from(contact.direction) - way).norm() < 1e-4, "{contact:?}");
        }
        assert!(flags.is_empty());
    }
}
