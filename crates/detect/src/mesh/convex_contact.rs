//! Contact records of a mesh against a convex body.

use crate::Context;
use crate::contact_ids::{id_of, id_of_first, surface_part};
use crate::mesh::deepest_point::DeepestPoint;
use crate::mesh::{ConvexPair, TriangleContact};
use palpate_contact::{CollisionData, Contact, Feature, IdPart, NONE};
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::Vector;
use palpate_math::nearest::point_triangle;

/// The smallest cosine between a contact's direction and its triangle's normal at which the body rests on the face.
const LYING: f64 = 0.995;

impl ConvexPair<'_> {
    /// Returns the contact with a triangle's element; `None` beyond the margin.
    pub(crate) fn contact(&self, found: &TriangleContact, context: &Context<'_>) -> Option<Contact> {
        let surface = self.mesh.surface;
        let rim = surface.radius();
        let (depth, upper) = (found.depth + rim, found.upper + rim);
        // If the bounds leave open whether the contact is within the margin, it is reported: no contact is lost.
        let depth = if context.reports(depth) {
            depth
        } else if context.reports(upper) {
            -context.margin()
        } else {
            return None;
        };
        let on_surface = found.place.point - found.direction * rim;
        let a = surface.contact_feature(&found.place, on_surface);
        let b = Feature::point(on_surface + found.direction * depth);
        let contact =
            Contact::exact(a, b, found.direction, depth, id_of_first(surface_part(found.place.feature)));
        Some(Contact { depth_upper: upper.max(depth), ..contact })
    }

    /// Returns the contact of a body that passes through a triangle from behind: it is pushed out along the
    /// triangle's normal until no part of it is below the triangle's plane.
    pub(crate) fn pushed_to_front(&self, triangle: u32) -> Contact {
        let surface = self.mesh.surface;
        let outward: Vector = surface.outward(SurfaceFeature::Face(triangle));
        let [a, b, c] = surface.corners(triangle);
        let lowest = self.body.map().support(&-outward);
        let below = (a - lowest).dot(&outward);
        let nearest = point_triangle(&(lowest + outward * below), &a, &b, &c);
        let feature = SurfaceFeature::Face(triangle);
        let place = SurfaceNearest { feature, weights: nearest.weights, point: nearest.point };
        let depth = below + surface.radius();
        let on_surface = surface.contact_feature(&place, lowest + outward * depth);
        Contact::exact(
            on_surface,
            Feature::point(lowest),
            -outward,
            depth,
            id_of_first(surface_part(feature)),
        )
    }

    /// Returns the contact of the body's deepest point in the mesh, which exits through the nearest surface point.
    pub(crate) fn contact_of_deepest(&self, deepest: &DeepestPoint) -> Contact {
        let DeepestPoint { point, radius, depth, error, outward, nearest, .. } = *deepest;
        let rim = self.mesh.surface.radius();
        let on_surface = self.mesh.surface.contact_feature(&nearest, nearest.point + outward * rim);
        let on_body = Feature::point(point - outward * radius);
        let id = id_of(surface_part(nearest.feature), IdPart::Inside(0));
        let depth = depth + radius + rim;
        Contact { depth_upper: depth + error, ..Contact::exact(on_surface, on_body, -outward, depth, id) }
    }
}

/// Whether a body that exits along `direction`, on either side, lies on the face of a triangle.
pub(super) fn lies_on(surface: &SurfaceMesh, triangle: u32, direction: &Vector) -> bool {
    surface.normals().is_some_and(|normals| normals.face(triangle).dot(direction).abs() >= LYING)
}

/// Returns the triangle on whose face a body lies that exits through it, or through an element within a flat part of the surface:
/// of several the first by rank.
pub(super) fn face_below(surface: &SurfaceMesh, exit: &DeepestPoint) -> Option<u32> {
    let adjacency = surface.adjacency();
    let first_of = |around: &mut dyn Iterator<Item = u32>| {
        let mut first: Option<u32> = None;
        for triangle in around {
            if !lies_on(surface, triangle, &exit.outward) {
                return None;
            }
            if first.is_none_or(|first| adjacency.rank(triangle) < adjacency.rank(first)) {
                first = Some(triangle);
            }
        }
        first
    };
    match exit.nearest.feature {
        SurfaceFeature::Face(triangle) => Some(triangle),
        SurfaceFeature::Edge(edge) => {
            first_of(&mut adjacency.edge_triangles[edge as usize].into_iter().filter(|&side| side != NONE))
        }
        SurfaceFeature::Vertex(vertex) => {
            first_of(&mut adjacency.corners_at(vertex).iter().map(|corner| corner / 3))
        }
    }
}

/// Emits the contact of a body that only touches a triangle from behind, if no other contact is as deep: any
/// direction separates the two, so the surface's normal is used.
pub(super) fn emit_touching(
    pair: &ConvexPair<'_>,
    found: &TriangleContact,
    at: usize,
    before: usize,
    context: &Context<'_>,
    out: &mut CollisionData,
) {
    let rim = pair.mesh.surface.radius();
    let others = &out.contacts[before..];
    if others.iter().any(|other| other.depth_upper >= found.lower + rim) {
        return;
    }
    let direction = -pair.mesh.surface.outward(found.place.feature);
    if let Some(contact) = pair.contact(&TriangleContact { direction, ..*found }, context) {
        out.contacts.insert(at, contact);
    }
}
