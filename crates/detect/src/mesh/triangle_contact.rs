//! The kernel: one triangle against a convex body, by GJK and EPA.

use crate::ConvexBody;
use crate::convex_body::query_triangle;
use crate::mesh::MeshSide;
use nalgebra::Vector3;
use palpate_convex::{Memory, Settings};
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::closest::{point_segment, point_triangle};
use palpate_math::{Point, Vector, triangle};

/// The mesh, the body, and how the search ends.
#[derive(Clone, Copy)]
pub(crate) struct ConvexPair<'a> {
    pub(crate) mesh: MeshSide<'a>,
    pub(crate) body: ConvexBody<'a>,
    pub(crate) settings: Settings,
    /// Whether flat patches of triangles answer with a manifold.
    pub(crate) manifold: bool,
}

/// The least motion that parts a triangle and the body, or their distance; without the surface's thickness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleContact {
    pub(crate) triangle: u32,
    /// The place on the surface.
    pub(crate) place: SurfaceNearest,
    /// Unit, moves the surface out of the body.
    pub(crate) direction: Vector,
    pub(crate) depth: f64,
    /// Certified bounds of the depth.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) converged: bool,
}

/// A direction leads inward only when it does so by more than rounding, as a cosine.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl ConvexPair<'_> {
    /// The contact of a triangle and the body.
    pub(crate) fn triangle_contact(
        &self,
        triangle: u32,
        memory: &mut Memory<Vector3<f64>>,
    ) -> TriangleContact {
        let surface = self.mesh.surface;
        let corners = surface.corners(triangle);
        let contact = query_triangle(&corners, &self.body, memory, &self.settings);
        let direction = contact.direction;
        let on_triangle = Point::from(contact.point_a);
        // The surface's points into the body lie along the negative direction: from far that way the element is the nearest.
        let [a, b, c] = corners;
        let far = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let local = point_triangle(&(on_triangle - direction * far), &a, &b, &c);
        let feature = surface.feature_of(triangle, local.feature);
        TriangleContact {
            triangle,
            place: self.place(feature, on_triangle),
            direction,
            depth: contact.depth,
            lower: contact.depth_lower,
            upper: contact.depth_upper.max(contact.depth),
            converged: contact.status.converged(),
        }
    }

    /// The place of an element nearest to a point that is on it but for rounding.
    fn place(&self, feature: SurfaceFeature, near: Point) -> SurfaceNearest {
        let surface = self.mesh.surface;
        match feature {
            SurfaceFeature::Vertex(vertex) => {
                let point = surface.points().positions()[vertex as usize];
                SurfaceNearest { feature, weights: [1.0, 0.0, 0.0], point }
            }
            SurfaceFeature::Edge(edge) => {
                let [start, end] = surface.edge_ends(edge);
                let on_edge = point_segment(&near, &start, &end);
                SurfaceNearest { feature, weights: [1.0 - on_edge.t, on_edge.t, 0.0], point: on_edge.point }
            }
            SurfaceFeature::Face(triangle) => {
                let [a, b, c] = surface.corners(triangle);
                let on_face = point_triangle(&near, &a, &b, &c);
                SurfaceNearest { feature, weights: on_face.weights, point: on_face.point }
            }
        }
    }

    /// Whether the body would leave into the solid, or behind the front of a sheet.
    pub(crate) fn leads_inward(&self, found: &TriangleContact) -> bool {
        let MeshSide { surface, taken, .. } = self.mesh;
        // Past the border of a sheet there is no side to be on, and a degenerate triangle has none.
        let [a, b, c] = surface.corners(found.triangle);
        let has_front = || surface.is_closed() || surface.has_front(found.place.feature);
        let has_sides = !triangle::is_flat(&a, &b, &c) && has_front();
        let outward = || surface.outward(found.place.feature);
        taken.facing && has_sides && -found.direction.dot(&outward()) < -ROUNDING
    }
}
