//! A tetrahedral mesh against a capsule.

use crate::contact_ids::id_of;
use crate::mesh::ElementFilter;
use crate::mesh::segment_surface::part_at;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::volume::{name_tetrahedra, way_out, weights_inside};
use crate::pairs::TetraMeshSettings;
use crate::rounded_contact::capsule_end;
use crate::segment::axis_search::{AxisSearch, Pair, capsule_contact};
use crate::segment::axis_surface::Axis;
use crate::segment::segment_penetration::Deepest;
use crate::segment::volume_axis::VolumeAxis;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Capsule, Needs, TetraMesh};

/// A tetrahedral mesh, which is a solid, against a capsule. With part of the axis inside tetrahedra: one contact at
/// the axis' deepest point, with the lowest-index tetrahedron that contains it, which exits through the closest
/// boundary point (`depth_upper` certifies that no other point is deeper); then, as for an axis outside, the
/// boundary's elements as [`SurfaceMeshCapsule`](crate::pairs::SurfaceMeshCapsule) reports those of a solid; their
/// cell is the lowest-index tetrahedron that has the element. Degenerate tetrahedra contain nothing.
#[derive(Default)]
pub struct TetraMeshCapsule {
    settings: TetraMeshSettings,
    axis: AxisSearch,
    search: VolumeAxis,
}

impl TetraMeshCapsule {
    /// Returns the contact of the axis' deepest point, in tetrahedron `cell`.
    fn inside(axis: &Axis<'_>, mesh: &TetraMesh, deepest: &Deepest, cell: u32) -> Option<Contact> {
        let weights = weights_inside(&deepest.point, &mesh.corners(cell))?;
        let (outward, distance) = way_out(axis.surface, &deepest.point, &deepest.nearest);
        let radius = axis.radius;
        let a = Feature::tetrahedron(mesh.cells()[cell as usize], weights, cell, deepest.nearest.point);
        let b = Feature::numbered(capsule_end(part_at(deepest.t)), deepest.point - outward * radius);
        let contact = Contact::exact(
            a,
            b,
            -outward,
            radius + distance,
            id_of(IdPart::Tetrahedron(cell), IdPart::Inside(0)),
        );
        Some(Contact { depth_upper: contact.depth.max(radius + deepest.upper), ..contact })
    }
}

impl PairDetector for TetraMeshCapsule {
    type A = TetraMesh;
    type B = Capsule;
    type Settings = TetraMeshSettings;

    const NAME: &'static str = "tetra_mesh_capsule";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::BOUNDARY), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "tetrahedron; vertex, edge, triangle of the boundary",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex; one more for an axis that enters",
        sides: "one: the tetrahedra are solid",
        method: "the parts of the axis in the tetrahedra, by exact predicates; their deepest point exits \
            through the closest point of the boundary, first in the order; then closest points of the axis \
            and every nearby boundary triangle, each element once, without internal edges, in triangle \
            order",
        cost: "O(log tetrahedra + contacts)",
        source: "Cyrus and Beck 1978, Generalized two- and three-dimensional clipping; Ericson 2005, 5.1.10",
    };

    fn new(settings: TetraMeshSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &TetraMesh,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(boundary) = a.boundary() else { return Status::default() };
        let ElementFilter { facing, outer } = self.settings.filter(boundary);
        let axis = Axis {
            surface: boundary,
            ends: b.ends(),
            radius: b.radius(),
            sidedness: SurfaceSidedness::Solid,
            facing,
        };
        let pair = Pair { axis, outer, manifold: true };
        let (mut flags, before) = (Flags::empty(), out.len());
        self.axis.begin(&pair, context, context.executor());
        for (deepest, cell) in self.search.deepest(a, boundary, axis.ends.each_ref()) {
            // A cell too flat for barycentric weights contains nothing either.
            if let Some(contact) = Self::inside(&axis, a, deepest, *cell) {
                flags.set(
                    Flags::ITERATION_LIMIT,
                    flags.contains(Flags::ITERATION_LIMIT) || !deepest.converged,
                );
                self.axis.leave_by(deepest.nearest.feature);
                out.push(contact);
            }
        }
        let found = self.axis.outside(&pair, context).iter();
        out.contacts.extend(found.map(|found| capsule_contact(&axis, &found.met, found.id())));
        name_tetrahedra(a, before, out);
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::{ContactId, FeatureKind};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn detect(ends: [[f64; 3]; 2], radius: f64) -> Vec<Contact> {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0], [8.0, 8.0, 8.0]];
        let cells = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
        let mut mesh = TetraMesh::new(corners.map(Point::from).to_vec(), cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::BOUNDARY);
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), radius).unwrap();
        let mut out = CollisionData::new();
        TetraMeshCapsule::default().detect(&mesh, &capsule, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn wholly_inside_the_axis_leaves_from_its_deepest_point() {
        let contacts = detect([[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]], 0.125);
        assert_eq!((contacts[0].a.cell, contacts[0].a.feature_kind()), (0, FeatureKind::Tetrahedron));
        assert!((contacts[0].depth - 0.875).abs() < 1e-12 && contacts[0].b.cell == 1, "{contacts:?}");
    }

    /// From the first tetrahedron into the second: the face between them is not a boundary, and there is one contact.
    #[test]
    fn through_an_inner_face_there_is_one_deepest_point() {
        let contacts = detect([[1.5, 1.5, 1.5], [4.5, 4.5, 4.5]], 0.0625);
        let held: Vec<_> = contacts
            .iter()
            .filter(|contact| matches!(ContactId::parts(contact.id)[1], IdPart::Inside(_)))
            .collect();
        assert_eq!(held.len(), 1);
        let sampled = (0..=1000).map(|k| {
            let x = 1.5 + 3.0 * f64::from(k) / 1000.0;
            // The three faces at the origin, and by symmetry the planes through the far corner.
            x.min((8.0 - x) / 3.0_f64.sqrt())
        });
        let deepest = sampled.fold(0.0, f64::max) + 0.0625;
        assert!((held[0].depth - deepest).abs() < 4e-3, "{} and {deepest}", held[0].depth);
        assert!(held[0].depth_upper >= held[0].depth && held[0].depth >= deepest - 1e-12);
    }

    #[test]
    fn from_outside_the_boundary_is_met() {
        let contacts = detect([[1.0, -0.25, 1.0], [1.0, -2.0, 1.0]], 0.5);
        assert_eq!((contacts.len(), contacts[0].a.cell, contacts[0].b.cell), (1, 0, 0));
        assert!((contacts[0].depth - 0.25).abs() < 1e-15 && contacts[0].direction[1] > 0.999);
        assert!(detect([[1.0, -0.75, 1.0], [1.0, -2.0, 1.0]], 0.5).is_empty());
    }
}
