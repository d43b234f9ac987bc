//! Points against a surface, by signed distance.

use crate::mesh::vertex_surface::VertexPass;
use crate::pairs::SurfaceSettings;
use crate::{About, Context, PairDetector, Points, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Needs, PointSet, SurfaceMesh};

/// Points (bare, or particles with a radius, or the vertices of a mesh) against a surface: each vertex by its signed
/// distance from the closed surface. With a margin larger than the scene every vertex gets its nearest element and
/// signed distance. An open surface is a sheet that touches only particles, or points within the margin; one with a
/// front ([`SurfaceSides::One`](crate::pairs::SurfaceSides::One)) pushes to its front the vertices behind it that are
/// within radius, thickness and margin. A closed surface treated as a sheet pushes outward what is inside without
/// touching it.
#[derive(Default)]
pub struct PointSetSurfaceMesh {
    settings: SurfaceSettings,
    pass: VertexPass,
}

impl PairDetector for PointSetSurfaceMesh {
    type A = Points;
    type B = SurfaceMesh;
    type Settings = SurfaceSettings;

    const NAME: &'static str = "point_set_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::TREE.union(Needs::NORMALS)];
    const ABOUT: About = About {
        elements_a: "vertex",
        elements_b: "vertex, edge, triangle",
        at_most: "one per vertex",
        sides: "one: a solid if the surface is closed; two: a sheet if it is open; setting `sides`",
        method: "signed distance of each vertex: nearest element by the tree, side by its angle-weighted \
            pseudonormal, or by the winding number if the surface is not sound; an open surface is a \
            sheet; vertex order",
        cost: "O(vertices log triangles)",
        source: "Baerentzen and Aanaes 2005, Signed distance computation using the angle weighted pseudonormal; Jacobson et \
                 al. 2013, Robust inside-outside segmentation using generalized winding numbers",
    };

    fn new(settings: SurfaceSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &PointSet,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        self.pass.detect(a, b, self.settings.sides, context, out).into()
    }

    fn reset(&mut self) {
        self.pass.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flags;
    use crate::pairs::SurfaceSides;
    use crate::pairs::implicit::surface_samples::{blocks, mesh};
    use palpate_contact::{Contact, FeatureKind};
    use palpate_geometry::Geometry;
    use palpate_math::Point;

    fn tetrahedron(triangles: &[[u32; 3]]) -> SurfaceMesh {
        mesh(&[[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]], triangles)
    }

    const OUTWARD: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    const INWARD: [[u32; 3]; 4] = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];

    fn detect(mesh: &SurfaceMesh, points: &[[f64; 3]], radius: f64, margin: f64) -> (Vec<Contact>, Flags) {
        let points = points.iter().copied().map(Point::from).collect();
        let points = PointSet::new(points).unwrap().with_radius(radius).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        let status = PointSetSurfaceMesh::default().detect(&points, mesh, &context, &mut out);
        (out.contacts, status.flags)
    }

    #[test]
    fn points_inside_leave_by_the_nearest_face_whichever_way_the_triangles_wind() {
        for triangles in [OUTWARD, INWARD] {
            let mesh = tetrahedron(&triangles);
            let points = [[1.0, 0.25, 1.0], [1.0, -0.25, 1.0], [2.0, 2.0, 0.0]];
            let (contacts, flags) = detect(&mesh, &points, 0.0, 0.0);
            assert_eq!(contacts.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [0, 2]);
            assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
            assert_eq!((contacts[0].a.point, contacts[0].b.point), ([1.0, 0.25, 1.0], [1.0, 0.0, 1.0]));
            assert_eq!((contacts[1].depth, contacts[1].direction), (0.0, [0.0, 0.0, -1.0]), "touching");
            assert!(flags.is_empty());
        }
    }

    #[test]
    fn with_a_large_margin_every_vertex_gets_its_signed_distance() {
        let mesh = tetrahedron(&OUTWARD);
        let points = [[1.0, 0.25, 1.0], [1.0, -2.0, 1.0], [-3.0, -4.0, 2.0], [-2.0, -3.0, -6.0]];
        let (contacts, _) = detect(&mesh, &points, 0.0, 100.0);
        assert_eq!(
            contacts.iter().map(|contact| contact.depth).collect::<Vec<_>>(),
            [0.25, -2.0, -5.0, -7.0]
        );
        let kinds: Vec<_> = contacts.iter().map(|contact| contact.b.feature_kind()).collect();
        assert_eq!(
            kinds,
            [FeatureKind::Triangle, FeatureKind::Triangle, FeatureKind::Edge, FeatureKind::Vertex]
        );
    }

    /// A surface that moves, is cut, and gives way to a smaller one; points at equal distances from several triangles.
    #[test]
    fn what_was_closest_before_changes_no_contact() {
        let boxes: Vec<[[f64; 3]; 2]> = (0..12)
            .map(|k| {
                let low = [f64::from(k % 4) * 2.0, f64::from(k / 4) * 2.0, 0.0];
                [low, low.map(|x| x + 1.0)]
            })
            .collect();
        let mut remembering = PointSetSurfaceMesh::default();
        let mut found = 0;
        let mut compare = |mesh: &SurfaceMesh, shift: f64| {
            let places = (0..600).map(|k| {
                let [x, y, z] = [k % 20, k / 20 % 15, k / 300].map(f64::from);
                Point::new(0.5 * x - 1.0 + shift, 0.5 * y - 1.0, 0.5 * z + 0.5 * shift)
            });
            let points = PointSet::new(places.collect()).unwrap().with_radius(0.5).unwrap();
            let [mut before, mut afresh] = [CollisionData::new(), CollisionData::new()];
            remembering.detect(&points, mesh, &Context::new(), &mut before);
            PointSetSurfaceMesh::default().detect(&points, mesh, &Context::new(), &mut afresh);
            let same = |(one, other): (&Contact, &Contact)| one.same_bits(other);
            assert_eq!(before.len(), afresh.len());
            assert!(before.contacts.iter().zip(&afresh.contacts).all(same));
            found += before.len();
        };
        let mut mesh = blocks(&boxes);
        for step in 0..6 {
            let shift = 0.25 * f64::from(step);
            compare(&mesh, shift);
            if step == 3 {
                mesh.remove_cells(&(0..40).collect::<Vec<u32>>()).unwrap();
                mesh.prepare(Needs::TREE | Needs::NORMALS);
            }
        }
        compare(&tetrahedron(&OUTWARD), 0.0);
        assert!(found > 1000, "{found}");
    }

    /// One face is missing, and the caller declares it a solid anyway.
    #[test]
    fn a_torn_solid_tells_its_inside_by_the_winding_number_and_says_so() {
        let mut torn = tetrahedron(&OUTWARD[1..]).with_closed(true);
        torn.prepare(Needs::TREE | Needs::NORMALS);
        let (contacts, flags) =
            detect(&torn, &[[1.0, 0.25, 2.0], [1.0, -0.25, 2.0], [9.0, 9.0, 9.0]], 0.0, 0.0);
        assert_eq!(contacts.iter().map(|contact| contact.a.vertices[0]).collect::<Vec<_>>(), [0]);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, -1.0, 0.0]));
        assert_eq!(flags, Flags::WINDING_NUMBER);
    }

    #[test]
    fn an_open_surface_is_a_sheet_and_the_answer_says_so() {
        let open = tetrahedron(&OUTWARD[..3]);
        let (contacts, flags) = detect(&open, &[[1.0, 0.25, 1.0]], 0.0, 0.0);
        assert!(contacts.is_empty() && flags.contains(Flags::OPEN_SURFACE));
        let (contacts, _) = detect(&open, &[[1.0, 0.25, 1.0], [1.0, -0.25, 1.0]], 0.5, 0.0);
        assert_eq!((contacts[0].depth, contacts[0].direction), (0.25, [0.0, 1.0, 0.0]), "to its own side");
        assert_eq!((contacts[1].depth, contacts[1].direction), (0.25, [0.0, -1.0, 0.0]));
    }

    /// Vertices near the origin, where their coordinates are small, on a face of two metres: the offset to the face
    /// is only the rounding error of the face's corners and must not be used as a direction.
    #[test]
    fn vertices_on_a_large_face_leave_along_its_normal() {
        let corners = [[-1.1, -0.3, 0.9], [1.3, 0.2, 0.7], [0.1, 0.4, -1.2]];
        let sheet = mesh(&corners, &[[0, 1, 2]]);
        let [a, b, c] = corners.map(Point::from);
        let normal = (b - a).cross(&(c - a)).normalize();
        let mut number = 0.5;
        let mut next = || {
            number = (number * 997.0_f64 + 0.317).fract();
            number
        };
        let points: Vec<[f64; 3]> = (0..1000)
            .map(|_| {
                let (s, t) = (next(), next());
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                (a + (b - a) * s + (c - a) * t).into()
            })
            .collect();
        let (contacts, _) = detect(&sheet, &points, 0.0, 1e-9);
        assert_eq!(contacts.len(), 1000);
        for contact in contacts {
            let along = palpate_math::Vector::from(contact.direction).dot(&normal).abs();
            assert!(along > 1.0 - 1e-12, "{along} along the normal: {contact:?}");
        }
    }

    /// The front is the +y side.
    #[test]
    fn a_bare_vertex_just_behind_a_front_is_pushed_to_it() {
        let corners = [[-8.0, 0.0, -8.0], [0.0, 0.0, 8.0], [8.0, 0.0, -8.0]];
        let sheet = mesh(&corners, &[[0, 1, 2]]);
        for depth in [1e-6, 1e-15, 0.0] {
            let points = PointSet::new(vec![Point::new(1.0, -depth, 1.0)]).unwrap();
            let mut out = CollisionData::new();
            let mut detector = PointSetSurfaceMesh::new(SurfaceSettings { sides: SurfaceSides::One });
            detector.detect(&points, &sheet, &Context::new().with_margin(0.01), &mut out);
            assert_eq!((out.contacts[0].depth, out.contacts[0].direction), (depth, [0.0, 1.0, 0.0]));
        }
    }

    /// The triangle's front is the +y side; a closed surface treated as a sheet keeps its points on their side.
    #[test]
    fn a_front_and_two_sides_by_setting() {
        let corners = [[-8.0, 0.0, -8.0], [0.0, 0.0, 8.0], [8.0, 0.0, -8.0]];
        let mut sheet = SurfaceMesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2]]).unwrap();
        sheet.prepare(Needs::TREE | Needs::NORMALS);
        let heights = |mesh: &SurfaceMesh, sides, heights: &[f64]| {
            let points = heights.iter().map(|&y| Point::new(1.0, y, 1.0)).collect();
            let points = PointSet::new(points).unwrap().with_radius(0.5).unwrap();
            let mut out = CollisionData::new();
            let mut detector = PointSetSurfaceMesh::new(SurfaceSettings { sides });
            detector.detect(&points, mesh, &Context::new().with_margin(1.0), &mut out);
            out.contacts.iter().map(|c| (c.a.vertices[0], c.depth, c.direction[1])).collect::<Vec<_>>()
        };
        let front = heights(&sheet, SurfaceSides::One, &[0.25, -0.25, -0.5, -0.75, -1.75]);
        assert_eq!(front, [(0, 0.25, 1.0), (1, 0.75, 1.0), (2, 1.0, 1.0), (3, 1.25, 1.0)]);
        let both = heights(&tetrahedron(&OUTWARD), SurfaceSides::Two, &[-0.25, 0.25, 0.75]);
        assert_eq!(both, [(0, 0.25, -1.0), (1, 0.25, 1.0), (2, 1.25, -1.0)]);
    }
}
