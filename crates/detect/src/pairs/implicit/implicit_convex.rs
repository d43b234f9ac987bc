//! Implicit body against any convex solid.

use crate::pairs::implicit::face_manifold::FaceManifold;
use crate::pairs::implicit::implicit_contact::{Reach, flags_of_nothing, flags_of_search};
use crate::pairs::{ImplicitManifoldSettings, ImplicitTolerance};
use crate::port::{ConvexSolid, ConvexSolidView, LipschitzBody, SolidView};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Feature};
use palpate_convex::Hull;
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{ConvexDomain, Lowest, Minimum, Polytope, Search, Structure};
use palpate_math::orient::orient3d;
use palpate_math::triangle::area_vector;
use palpate_math::{Point, Vector};

/// Accuracy of the position found by the search, relative to the size of the solid.
const SEARCHED: f64 = 1e-9;

/// Implicit body against any convex solid: the point of the solid, interior included, where the function is minimal,
/// by a certified search. Convex functions, intersections and differences are searched over solids with
/// a support map as a whole, a grid box by box. What is left is searched within the solid's box, where the solid's own
/// signed distance is zero or less. A hull's margin is added as a radius.
///
/// That point is the second contact point: it is on the solid's surface unless the body's deepest point is inside the
/// solid. Where a face of the solid lies on the body, the points are the corners of that face, each with its own depth.
#[derive(Default)]
pub struct ImplicitConvex {
    pub(crate) search: Search,
    settings: ImplicitManifoldSettings,
    manifold: FaceManifold,
    /// The hull, where it is searched by division.
    polytope: Polytope,
}

impl ImplicitConvex {
    /// Creates the detector with all else by default.
    pub(crate) fn with_tolerance(tolerance: ImplicitTolerance) -> Self {
        Self::new(ImplicitManifoldSettings { tolerance, ..Default::default() })
    }

    /// Sets the gap at which its searches converge, relative to the size of what is searched.
    pub(crate) fn set_tolerance(&mut self, tolerance: f64) {
        self.search.set_tolerance(tolerance);
    }

    /// Whether the last search gave up without a point to report, though there may be one.
    pub(crate) fn is_undecided(&self) -> bool {
        self.search.undecided()
    }

    /// Returns the minimum over a solid, before it is rounded, if it is at most the cutoff.
    pub(crate) fn least(
        &mut self,
        body: &ImplicitBody,
        solid: SolidView<'_>,
        cutoff: f64,
    ) -> Option<Minimum> {
        let Self { search, polytope, .. } = self;
        search.relative_to(body.radius());
        polytope.clear();
        if body.as_function().rounded_circle().is_some() {
            return by_division(search, polytope, body, solid, cutoff);
        }
        let domain = match solid {
            SolidView::Box { pose, half_extents, .. } => ConvexDomain::of_box(&pose, &half_extents),
            SolidView::Hull { pose, hull, .. } => ConvexDomain::of_hull(&pose, hull),
            SolidView::Cylinder { domain, .. } => ConvexDomain::of_cylinder(domain),
            SolidView::Curved(ref curved) => {
                let root = curved.oriented_bounds().unwrap_or_else(|| curved.sublevel_bounds(0.0).into());
                match ConvexDomain::of_body(curved, &root) {
                    Some(domain) => domain,
                    None => return by_division(search, polytope, body, solid, cutoff),
                }
            }
        };
        search.below_in_convex(body, &domain, cutoff, &mut |search, part, cutoff| {
            by_division(search, polytope, part, solid, cutoff)
        })
    }
}

/// Returns the minimum over a solid, before it is rounded, within its box; over a flat hull by its triangles.
fn by_division(
    search: &mut Search,
    polytope: &mut Polytope,
    body: &dyn ImplicitFunction,
    solid: SolidView<'_>,
    cutoff: f64,
) -> Option<Minimum> {
    let (pose, hull, distance) = match solid {
        SolidView::Box { distance, .. }
        | SolidView::Cylinder { distance, .. }
        | SolidView::Curved(distance) => return within(search, body, &distance, cutoff),
        SolidView::Hull { pose, hull, distance, .. } => (pose, hull, distance),
    };
    let corner = |id: u32| pose * Point::from(hull.points()[id as usize]);
    let triangles = hull.triangles();
    if triangles.is_empty() {
        let ends = [corner(0), corner(hull.points().len() as u32 - 1)];
        return search.below(body, &ends, cutoff);
    }
    if is_flat(hull) {
        let side = area(hull, &triangles[0]);
        let on_side = triangles.iter().filter(|ids| area(hull, ids).dot(&side) > 0.0);
        let mut lowest = Lowest::below(cutoff);
        for ids in on_side {
            lowest.take(search.below(body, &ids.map(corner), lowest.cutoff()));
        }
        return lowest.found();
    }
    // A ring is searched along its circle, by the distance from the whole solid.
    if body.rounded_circle().is_some() {
        return within(search, body, &distance, cutoff);
    }
    // The parts of a union share it.
    if polytope.is_empty() {
        let corners = (0..hull.points().len() as u32).map(corner);
        polytope.fill(corners, triangles.iter(), distance.oriented_bounds());
    }
    within(search, body, polytope, cutoff)
}

/// Returns the minimum where a solid's own signed distance is zero or less.
fn within(
    search: &mut Search,
    body: &dyn ImplicitFunction,
    solid: &dyn ImplicitFunction,
    cutoff: f64,
) -> Option<Minimum> {
    let near = body.sublevel_bounds(0.0).grown(cutoff);
    if !near.overlaps(&solid.sublevel_bounds(0.0)) {
        return None;
    }
    let root = solid.oriented_bounds().unwrap_or_else(|| solid.sublevel_bounds(0.0).into());
    search.below_within(body, solid, &root, cutoff)
}

/// Whether all points of a hull with triangles are coplanar: then it has two sides and no interior.
fn is_flat(hull: &Hull) -> bool {
    let at = |id: u32| Point::from(hull.points()[id as usize]);
    let [a, b, c] = hull.triangles()[0].map(at);
    (0..hull.points().len() as u32).all(|id| orient3d(&a, &b, &c, &at(id)) == 0.0)
}

/// Returns twice the area vector of a triangle of a hull.
fn area(hull: &Hull, ids: &[u32; 3]) -> Vector {
    let [a, b, c] = ids.map(|id| Point::from(hull.points()[id as usize]));
    area_vector(&a, &b, &c)
}

impl PairDetector for ImplicitConvex {
    type A = LipschitzBody;
    type B = ConvexSolid;
    type Settings = ImplicitManifoldSettings;

    const NAME: &'static str = "implicit_convex";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "four",
        sides: "one: both are solids",
        method: "the certified minimum of the function over the solid: by support points where it is \
            convex, by outer approximation where it is an intersection or a difference, box by box \
            where it is a grid, else by branch and bound; then the \
            corners of the support face there, each with its own value",
        cost: "some ten to some hundred function evaluations; some thousand where branch and bound \
            decides",
        source: "Macklin and others 2020, Local optimization for robust signed distance field collision; \
            Holloway 1974; Horst and Tuy, Global Optimization; Piyavskii 1972",
    };

    fn new(settings: ImplicitManifoldSettings) -> Self {
        Self { search: settings.tolerance.search(), settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: ConvexSolidView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let ConvexSolidView { body: faced, solid: b } = b;
        let radius = if let SolidView::Hull { radius, .. } = b { radius } else { 0.0 };
        let reach = Reach { body: a, radius, context };
        let Some(found) = self.least(a, b, reach.cutoff()) else {
            return flags_of_nothing(&self.search).into();
        };
        let size = match b {
            SolidView::Box { half_extents, .. } => half_extents.norm(),
            SolidView::Hull { hull, .. } => hull.reach(),
            SolidView::Cylinder { distance: solid, .. } | SolidView::Curved(solid) => {
                solid.sublevel_bounds(0.0).diagonal_length()
            }
        };
        // Points outside the body's box are out of reach, even if the function underestimates the distance there.
        let bounds = a.sublevel_bounds(0.0).grown(reach.cutoff() + SEARCHED * size);
        if !bounds.contains_point(&found.point) {
            return Status::default();
        }
        let deepest = reach.at_minimum(&found, size, 0, Feature::point);
        if self.settings.manifold {
            self.manifold.write(&reach, &faced, deepest, out);
        } else {
            out.push(deepest);
        }
        (reach.flags(found.sample.value) | flags_of_search(&found)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, Registry};
    use nalgebra::{Quaternion, Translation3, UnitQuaternion};
    use palpate_contact::Contact;
    use palpate_geometry::implicit::{SmoothUnion, Torus};
    use palpate_geometry::{Convex, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose, Sphere};
    use std::sync::Arc;

    fn contact(function: Arc<dyn ImplicitFunction>, solid: &dyn Geometry) -> Option<Contact> {
        let body = ImplicitBody::new(Pose::identity(), function).unwrap();
        let mut registry = Registry::new();
        registry.register::<ImplicitConvex>().unwrap();
        let settings = serde_json::json!({ "tolerance": 1e-12 });
        let choice = Choice { settings: Some(&settings), ..Choice::default() };
        let mut bound = registry.bind(&body, solid, choice).unwrap();
        assert_eq!(bound.name(), "implicit_convex");
        let mut out = CollisionData::new();
        bound.run(&body, solid, &Context::new(), &mut out).unwrap();
        out.contacts.first().copied()
    }

    fn ring() -> Arc<dyn ImplicitFunction> {
        Arc::new(Torus::new(Pose::identity(), 3.0, 1.0).unwrap())
    }

    #[test]
    fn a_box_meets_a_ring_with_a_face_between_its_corners() {
        let block = OrientedBox::new(Pose::translation(5.5, 0.0, 0.0), Vector::new(2.0, 5.0, 5.0)).unwrap();
        let found = contact(ring(), &block).unwrap();
        assert!((found.depth - 0.5).abs() < 1e-10, "{found:?}");
        assert!((found.a.point[0] - 4.0).abs() < 1e-9 && (found.b.point[0] - 3.5).abs() < 1e-9);
    }

    #[test]
    fn hulls_cylinders_and_ellipsoids_meet_a_ring() {
        let corners: Vec<Point> =
            [[3.75, 0.0, 0.0], [9.0, 3.0, 0.0], [9.0, -3.0, 1.0], [9.0, 0.0, -2.0]].map(Point::from).to_vec();
        let hull = Convex::new(Pose::identity(), &corners).unwrap();
        assert!((contact(ring(), &hull).unwrap().depth - 0.25).abs() < 1e-11);
        let rounded = hull.with_radius(0.125).unwrap();
        assert!((contact(ring(), &rounded).unwrap().depth - 0.375).abs() < 1e-11);
        let rod = Cylinder::new(Pose::translation(4.25, 0.0, 0.0), 0.5, 6.0).unwrap();
        assert!((contact(ring(), &rod).unwrap().depth - 0.25).abs() < 1e-9);
        let egg = Ellipsoid::new(Pose::translation(0.0, 2.5, 3.0), Vector::new(1.0, 2.0, 0.5)).unwrap();
        assert!((contact(ring(), &egg).unwrap().depth - 0.5).abs() < 1e-9);
    }

    /// A static detector ignores the solid's pose of the previous step.
    #[test]
    fn what_came_from_far_is_met_as_what_was_made_there() {
        let pose = Pose::translation(0.0, 2.5, 3.0);
        let still = Ellipsoid::new(pose, Vector::new(1.0, 2.0, 0.5)).unwrap();
        for way in [1.0, 1e6] {
            let mut moved = still.clone();
            moved.set_previous_pose(Pose::translation(way, 0.0, -way)).unwrap();
            assert!(contact(ring(), &moved).unwrap().same_bits(&contact(ring(), &still).unwrap()), "{way}");
        }
    }

    /// Through the hole, without touching: only a search of the ring itself detects this.
    #[test]
    fn a_rod_through_the_hole_is_free() {
        let rod = Cylinder::new(Pose::identity(), 1.5, 20.0).unwrap();
        assert!(contact(ring(), &rod).is_none());
    }

    #[test]
    fn a_small_ball_inside_of_a_large_box_is_in_contact() {
        let ball: Arc<dyn ImplicitFunction> =
            Arc::new(Sphere::new(Point::new(0.3, 0.2, 0.1), 0.125).unwrap());
        let block = OrientedBox::new(Pose::identity(), Vector::repeat(4.0)).unwrap();
        assert!((contact(ball, &block).unwrap().depth - 0.125).abs() < 1e-10);
    }

    /// A plate across a ring: the deepest points of the ring are where its circle crosses the plate, inside it and
    /// far from its corners.
    #[test]
    fn a_plate_finds_the_circle_of_a_ring_that_passes_through() {
        // Flat to the last bit, and flat up to rounding error.
        for [slope, other] in [[0.125, 0.5], [0.1, 0.3]] {
            let corners = [[2.75, -1.125], [3.875, -1.25], [3.375, 1.125], [2.25, 0.875], [4.125, 0.25]];
            let corners = corners.map(|[x, z]| Point::new(x, slope * x + other * z, z));
            let plate = Convex::new(Pose::identity(), &corners).unwrap();
            let body = ImplicitBody::new(Pose::identity(), ring()).unwrap();
            let found = ImplicitConvex::default()
                .least(&body, <ConvexSolid as crate::Port>::view(&plate).unwrap().solid, 0.0)
                .unwrap();
            assert!((found.sample.value + 1.0).abs() < 1e-11 && found.converged, "{found:?}");
        }
    }

    /// The deepest point is on an edge at which two faces meet at 21 degrees: a step along the normal of the one leads out of the other.
    #[test]
    fn a_blend_is_deepest_at_a_sharp_edge_of_a_hull() {
        let ball = |x: f64, y: f64, radius: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, y, 0.0), radius).unwrap())
        };
        let blend = SmoothUnion::new(vec![ball(-0.4, 0.0, 0.6), ball(0.5, 0.1, 0.5)], 0.3).unwrap();
        let body = ImplicitBody::new(Pose::identity(), Arc::new(blend)).unwrap();
        let corners = [[0.0, 0.0, 0.8456], [0.0, 0.0, -0.8456], [1.0, 0.1809, 0.1], [1.0, -0.1809, -0.1]];
        let turn = Quaternion::new(-0.6009, 0.7533, 0.0278, 0.2658);
        let place = Translation3::new(-0.3854, -0.4861, 0.3698);
        let pose = Pose::from_parts(place, UnitQuaternion::from_quaternion(turn));
        let corners = corners.map(|corner| pose * Point::from(corner));
        let wedge = Convex::new(Pose::identity(), &corners).unwrap();
        let solid = <ConvexSolid as crate::Port>::view(&wedge).unwrap().solid;
        let found = ImplicitConvex::default().least(&body, solid, 0.0).unwrap();
        assert!(found.converged && found.sample.value - found.lower < 1e-8, "{found:?}");
        // Along the edge, by samples.
        let edge = (0..=100_000).map(|k| corners[0] + (corners[1] - corners[0]) * (f64::from(k) / 1e5));
        let least = edge.map(|place| body.sample(&place).value).fold(f64::INFINITY, f64::min);
        assert!((found.sample.value - least).abs() < 1e-8, "{least} {found:?}");
    }

    #[test]
    fn flat_hulls_segments_and_points_are_searched() {
        let vertices = [Point::new(-5.0, 0.0, 3.0), Point::new(5.0, 0.0, 3.0), Point::new(0.0, 0.0, 9.0)];
        for (count, depth) in [(2, 1.0), (3, 1.0)] {
            let hull = Convex::new(Pose::identity(), &vertices[..count]).unwrap();
            assert!((contact(ring(), &hull).unwrap().depth - depth).abs() < 1e-10, "{count}");
        }
        let point = Convex::new(Pose::identity(), &[Point::new(3.0, 0.5, 0.0)]).unwrap();
        assert_eq!(contact(ring(), &point).unwrap().depth, 0.5);
    }
}
