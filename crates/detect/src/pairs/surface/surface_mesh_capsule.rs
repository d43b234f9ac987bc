//! A surface against a capsule.

use crate::contact_ids::{id_of, surface_part};
use crate::mesh::pushed_outward;
use crate::mesh::surface_sides::SurfaceSidedness;
use crate::mesh::vertex_surface::flags_of_sides;
use crate::pairs::SurfaceCapsuleSettings;
use crate::room;
use crate::segment::axis_search::{AxisSearch, Pair, capsule_contact};
use crate::segment::axis_surface::{Axis, DeepestInside};
use crate::segment::segment_penetration::Chain;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, IdPart};
use palpate_geometry::{Capsule, Needs, SurfaceMesh};

/// A surface against a capsule.
///
/// Sheets, and solids with the whole axis outside: one contact for every vertex, edge or face that is the nearest
/// element of one of its triangles to the axis and within contact distance; for solids only those that face the axis.
/// A solid that contains part of the axis: one contact at the axis' deepest point, which exits through the nearest
/// element (`depth_upper` certifies that no other point is deeper), and in addition only elements that are the
/// solid's closest to their point on the axis. An axis that passes through the solid has the exit of the whole axis in
/// its place if that is longer: by an end, or over an edge, as from a sheet. Where internal edges are ignored (by default on closed surfaces), an
/// edge or a vertex is reported only if it is the nearest of all its triangles.
///
/// An end of an axis outside that is above a face within contact distance has a contact of its own with the face,
/// along the face's normal, as with a plane, unless the axis passes through the face's plane and the face is nearer
/// to another point of it. An axis nearly parallel to a face or an edge (within a degree) has two contacts there, at
/// the ends of the overlap: above the face or beside the edge if the axis itself ends, and otherwise at the edge or
/// the vertex where the overlap ends. Where internal edges are ignored, coplanar faces count as one, and only those
/// ends are reported where the surface ends or falls away: on a flat floor, the two ends of the capsule. An end above
/// an edge or a vertex between coplanar faces belongs to the lowest-index of them; its weights are those of that
/// triangle's closest point to the end's projection, accurate to 2⁻²⁶ of the size of the triangle and the
/// coordinates.
///
/// An axis that pierces a triangle of a sheet leaves the sheet by the shortest way: an end of it through the sheet, or the
/// axis over the border or over a fold, whichever the piercing point reaches first. Where an end exits through the plane
/// of the triangle, the surface points are its projection onto the plane and the capsule's point below it, and the weights
/// are those of the intersection point. Degenerate triangles have no normal and are handled through their edges.
///
/// A sheet with a front ([`SurfaceSides::One`](crate::pairs::SurfaceSides::One)): a pierced triangle pushes to its
/// front. A capsule that pierces none and touches the sheet from behind has one contact: it exits along the line from
/// its axis to the closest point, by as much as the axis reaches below that point; the weights are those of that
/// triangle's closest point to the surface's contact point. Otherwise the elements whose front faces the axis are
/// reported, and those on the border.
#[derive(Default)]
pub struct SurfaceMeshCapsule {
    settings: SurfaceCapsuleSettings,
    search: AxisSearch,
}

/// Returns the contacts of a surface, with the sidedness of the settings, and a capsule.
pub(crate) fn surface_against_capsule(
    search: &mut AxisSearch,
    settings: SurfaceCapsuleSettings,
    (surface, capsule): (&SurfaceMesh, &Capsule),
    context: &Context<'_>,
    out: &mut CollisionData,
) -> Status {
    let sidedness = settings.sides.sidedness(surface);
    let facing = sidedness.is_facing(surface);
    let axis = Axis { surface, ends: capsule.ends(), radius: capsule.radius(), sidedness, facing };
    let pair = Pair { axis, outer: settings.internal_edges.ignored(surface), manifold: settings.manifold };
    room::open(&mut out.contacts);
    search.begin(&pair, context, context.executor());
    let of_held = |held: &DeepestInside| {
        let id = id_of(surface_part(held.met.place.feature), IdPart::Inside(0));
        Contact { depth_upper: held.depth_upper, ..capsule_contact(&axis, &held.met, id) }
    };
    let (mut flags, mut counts, before) =
        (flags_of_sides(surface), sidedness == SurfaceSidedness::Solid, out.len());
    let held = if counts {
        search.held_as_a_whole(&pair, capsule)
    } else {
        search.held(&pair, &mut Chain::default())
    };
    let converged = held.iter().all(|held| held.converged);
    let of_sheet = held.first().map(of_held).filter(|_| sidedness == SurfaceSidedness::Sheet);
    if counts {
        room::extend(&mut out.contacts, held.iter().map(of_held));
        search.leave_where_held();
    }
    let found = search.outside(&pair, context).iter();
    room::extend(&mut out.contacts, found.map(|found| capsule_contact(&axis, &found.met, found.id())));
    if let Some(contact) = of_sheet {
        counts = pushed_outward(before, contact, &mut out.contacts);
    }
    flags.set(Flags::ITERATION_LIMIT, counts && !converged);
    flags.into()
}

impl PairDetector for SurfaceMeshCapsule {
    type A = SurfaceMesh;
    type B = Capsule;
    type Settings = SurfaceCapsuleSettings;

    const NAME: &'static str = "surface_mesh_capsule";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex, two if the axis is parallel to it; one more for an \
            axis that enters a solid",
        sides: "one: a solid if the surface is closed; two: a sheet if it is open; setting `sides`",
        method: "closest points of the axis and every nearby triangle, each shared element once, without \
            internal edges if the surface is closed; both ends of an axis nearly parallel to a face or an \
            edge; a closed surface is a solid: an axis that enters it exits from its deepest point through \
            the nearest element, or where that leads much farther by the shortest way past what the capsule \
            touches, first in the order; then triangle order; an axis through a sheet, or through a solid, \
            exits by an end, or over a border or a fold",
        cost: "O(log triangles + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.10; Baerentzen and Aanaes 2005, section 4",
    };

    fn new(settings: SurfaceCapsuleSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        surface_against_capsule(&mut self.search, self.settings, (a, b), context, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::{blocks, floor, mesh, tetrahedron};
    use crate::pairs::{InternalEdges, SurfaceSides};
    use palpate_math::Point;

    /// One large triangle in the plane y = 0, facing up.
    fn sheet() -> SurfaceMesh {
        mesh(&[[-8.0, 0.0, -8.0], [0.0, 0.0, 8.0], [8.0, 0.0, -8.0]], &[[0, 1, 2]])
    }

    fn contacts(mesh: &SurfaceMesh, ends: [[f64; 3]; 2], radius: f64, sides: SurfaceSides) -> Vec<Contact> {
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), radius).unwrap();
        let mut out = CollisionData::new();
        SurfaceMeshCapsule::new(SurfaceCapsuleSettings { sides, ..SurfaceCapsuleSettings::default() })
            .detect(mesh, &capsule, &Context::new(), &mut out);
        out.contacts
    }

    #[test]
    fn above_a_sheet_the_nearer_end_is_in_contact() {
        let contacts = contacts(&sheet(), [[0.0, 0.25, 0.0], [0.0, 2.25, 0.0]], 0.5, SurfaceSides::AsGiven);
        assert_eq!((contacts.len(), contacts[0].b.cell), (1, 0));
        assert!((contacts[0].depth - 0.25).abs() < 1e-15);
        assert!((contacts[0].direction[1] + 1.0).abs() < 1e-15);
    }

    /// The axis runs from -0.25 to 0.75 through the sheet: upwards it exits after 0.25, downwards after 0.75.
    #[test]
    fn a_pierced_sheet_is_left_by_the_shorter_way() {
        let up = contacts(&sheet(), [[0.0, -0.25, 0.0], [0.0, 0.75, 0.0]], 0.125, SurfaceSides::AsGiven)[0];
        assert!((up.depth - 0.375).abs() < 1e-15 && (up.direction[1] + 1.0).abs() < 1e-15);
        assert!((up.b.point[1] + 0.375).abs() < 1e-15 && up.a.point[1].abs() < 1e-15);
        let down = contacts(&sheet(), [[0.0, -0.75, 0.0], [0.0, 0.25, 0.0]], 0.125, SurfaceSides::AsGiven)[0];
        assert!((down.depth - 0.375).abs() < 1e-15 && (down.direction[1] - 1.0).abs() < 1e-15);
    }

    /// Upright, or tilted, exactly at a corner, at the border, and at a vertex of a straight border.
    #[test]
    fn an_axis_that_passes_the_border_is_pushed_over_it() {
        let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
        let square = mesh(&corners, &[[0, 1, 4], [1, 2, 3], [1, 3, 4]]);
        for (place, tilt) in [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, -0.5)] {
            let ends = [-1.0, 1.0].map(|y| [tilt * y, y, place]);
            let [contact] = contacts(&square, ends, 0.125, SurfaceSides::AsGiven)[..1] else { panic!() };
            let outward = contact.direction.map(|x| -x);
            let [x, y, _] = outward;
            assert!((contact.depth - 0.125).abs() < 1e-15 && (tilt * x + y).abs() < 1e-15, "{contact:?}");
            assert!(if place == 0.0 { x.hypot(outward[2]) > 0.9 } else { x < -0.8 }, "{contact:?}");
        }
    }

    /// Its corners are collinear, and the axis crosses the line: there is no normal to exit along.
    #[test]
    fn a_flat_triangle_is_met_by_its_edges() {
        let flat = mesh(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[[0, 1, 2]]);
        let contacts = contacts(&flat, [[0.0, -0.25, 0.0], [0.0, 0.75, 0.0]], 0.125, SurfaceSides::AsGiven);
        assert_eq!((contacts.len(), contacts[0].a.vertex_count), (1, 2));
        assert!((contacts[0].depth - 0.125).abs() < 1e-15);
    }

    /// A capsule across a thin triangle, between the two candidate points tested by a published detector, which reports
    /// a depth of 0.1 at the triangle's far end; the true depth is the same all along it.
    #[test]
    fn a_long_capsule_over_a_thin_triangle() {
        let thin = mesh(&[[-2.0, 0.25, -0.0625], [2.0, 0.25, 0.0], [-2.0, 0.25, 0.0625]], &[[0, 1, 2]]);
        let contacts = contacts(&thin, [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], 0.5, SurfaceSides::AsGiven);
        assert!((contacts[0].depth - 0.25).abs() < 1e-15, "{contacts:#?}");
    }

    #[test]
    fn inside_a_solid_the_axis_leaves_from_its_deepest_point() {
        let ends = [[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]];
        let contact = contacts(&tetrahedron(8.0), ends, 0.125, SurfaceSides::AsGiven)[0];
        assert!((contact.depth - 0.875).abs() < 1e-12, "the upper end, 0.75 over the floor: {contact:?}");
        assert!(contact.depth_upper >= contact.depth && contact.depth_upper < contact.depth + 1e-10);
    }

    #[test]
    fn a_needle_through_a_face_has_one_contact() {
        let contacts =
            contacts(&tetrahedron(8.0), [[1.0, -2.0, 1.0], [1.0, 0.5, 1.0]], 0.0625, SurfaceSides::AsGiven);
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert!((contacts[0].depth - 0.5625).abs() < 1e-12);
        assert!((contacts[0].direction[1] - 1.0).abs() < 1e-12, "the organ moves up, the needle back out");
    }

    #[test]
    fn as_a_sheet_a_closed_surface_still_holds_its_inside() {
        let ends = [[1.25, 1.5, 1.5], [1.25, 1.5, 1.75]];
        let deep = contacts(&tetrahedron(8.0), ends, 0.125, SurfaceSides::Two);
        assert_eq!(deep.len(), 1);
        assert!((deep[0].depth - 1.375).abs() < 1e-12);
        // The sheet is within the margin, but does not touch the capsule.
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), 0.125).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(4.0);
        let settings =
            SurfaceCapsuleSettings { sides: SurfaceSides::Two, ..SurfaceCapsuleSettings::default() };
        SurfaceMeshCapsule::new(settings).detect(&tetrahedron(8.0), &capsule, &context, &mut out);
        assert_eq!((out.len(), out.contacts[0].depth), (1, deep[0].depth));
    }

    /// Returns the positions of the contacts along the axis, which is parallel to x.
    fn along(contacts: &[Contact]) -> Vec<f64> {
        let mut along: Vec<f64> = contacts.iter().map(|contact| contact.b.point[0]).collect();
        along.sort_unstable_by(f64::total_cmp);
        along
    }

    #[test]
    fn over_a_gap_between_two_plates_in_one_plane_the_stretch_ends() {
        let plates = blocks(&[[[0.0, -1.0, -4.0], [1.0, 0.0, 4.0]], [[3.0, -1.0, -4.0], [4.0, 0.0, 4.0]]]);
        let contacts = contacts(&plates, [[-1.0, 0.25, 0.3], [5.0, 0.25, 0.3]], 0.5, SurfaceSides::AsGiven);
        assert!(contacts.iter().all(|contact| (contact.depth - 0.25).abs() < 1e-12), "{contacts:#?}");
        let along = along(&contacts);
        assert_eq!(along.len(), 4, "{along:?}");
        assert!([0.0, 1.0, 3.0, 4.0].iter().zip(&along).all(|(wanted, x)| (x - wanted).abs() < 1e-9));
    }

    /// The projection is a billionth outside the diagonal of the top, which is on x + z = 0.
    #[test]
    fn an_end_above_a_face_beside_an_edge_within_it_is_met_on_either_side() {
        let table = blocks(&[[[-8.0, -2.0, -8.0], [8.0, 0.0, 8.0]]]);
        for beside in [-1e-9, 0.0, 1e-9] {
            let ends = [[1.0, 0.25, beside - 1.0], [4.0, 0.25, 2.0]];
            let contacts = contacts(&table, ends, 0.5, SurfaceSides::AsGiven);
            let along = along(&contacts);
            assert_eq!(along.len(), 2, "{beside}: {contacts:#?}");
            assert!((along[0] - 1.0).abs() < 1e-9 && (along[1] - 4.0).abs() < 1e-9, "{beside}: {along:?}");
        }
    }

    fn without_internal_edges(surface: &SurfaceMesh, ends: [[f64; 3]; 2]) -> Vec<Contact> {
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), 0.5).unwrap();
        let internal_edges = InternalEdges::Ignore;
        let settings = SurfaceCapsuleSettings { internal_edges, ..SurfaceCapsuleSettings::default() };
        let mut out = CollisionData::new();
        SurfaceMeshCapsule::new(settings).detect(surface, &capsule, &Context::new(), &mut out);
        out.contacts
    }

    /// It rises by a hundredth toward the border at x = 8, beyond which there is nothing below it.
    #[test]
    fn at_a_border_to_which_the_axis_rises_it_is_as_over_a_plane() {
        let contacts = without_internal_edges(&floor(8.0), [[6.0, 0.375, 0.3], [9.0, 0.405, 0.3]]);
        assert_eq!(contacts.len(), 2, "{contacts:#?}");
        for (x, depth) in [(6.0, 0.125), (8.0, 0.105)] {
            let near = |contact: &&Contact| (contact.b.point[0] - x).abs() < 0.5;
            let contact = contacts.iter().find(near).unwrap();
            assert!((contact.direction[1] + 1.0).abs() < 1e-12, "{contact:?}");
            assert!((contact.b.point[0] - x).abs() < 1e-9 && (contact.depth - depth).abs() < 1e-9);
        }
    }

    /// A ridge of one edge on one side and of two on the other.
    #[test]
    fn a_ridge_whose_sides_are_divided_differently_ends_where_it_does() {
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, -1.0, -1.0], [1.0, -1.0, 1.0]];
        let roof = mesh(&corners, &[[0, 2, 3], [0, 4, 1], [1, 4, 2]]);
        let along = along(&without_internal_edges(&roof, [[-1.0, 0.25, 0.0], [3.0, 0.25, 0.0]]));
        for end in [0.0, 2.0] {
            assert!(along.iter().any(|x| (x - end).abs() < 1e-9), "{end} of {along:?}");
        }
    }

    /// Numbers from 0 to 1, the same in every run.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    /// Two bent fans with a front that share no vertex, both within the margin: the contacts of one do not depend on
    /// the other.
    #[test]
    fn two_parts_of_a_sheet_are_met_as_each_alone() {
        let mut next = numbers();
        let sides = SurfaceSides::One;
        let settings = SurfaceCapsuleSettings {
            sides,
            internal_edges: InternalEdges::Ignore,
            ..SurfaceCapsuleSettings::default()
        };
        let mut compared = 0;
        for case in 0..1500 {
            let fan = [0.0, 2.0].map(|height| {
                let rim = |k: usize| {
                    let angle = 1.2 * k as f64 + 0.5 * next();
                    [angle.cos(), height + 2.0 * next() - 1.0, angle.sin()]
                };
                let mut corners = vec![[0.0, height, 0.0]];
                corners.extend((0..5).map(rim));
                corners
            });
            let triangles = |first: u32| (1..5).map(move |k| [first, first + k + 1, first + k]);
            let own: Vec<[u32; 3]> = triangles(0).collect();
            let both: Vec<[u32; 3]> = triangles(0).chain(triangles(6)).collect();
            let middle = Point::new(next() - 0.5, 2.0 * next(), next() - 0.5);
            let along = palpate_math::Vector::new(next() - 0.5, next() - 0.5, next() - 0.5) * 0.6;
            let capsule = Capsule::from_ends(middle - along, middle + along, 1e-3).unwrap();
            let depths = |surface: &SurfaceMesh| {
                let mut out = CollisionData::new();
                let context = Context::new().with_margin(4.0);
                SurfaceMeshCapsule::new(settings).detect(surface, &capsule, &context, &mut out);
                [0, 1].map(|part| {
                    let of_part = out.contacts.iter().filter(|contact| contact.a.cell / 4 == part);
                    of_part.map(|contact| contact.depth).fold(f64::NEG_INFINITY, f64::max)
                })
            };
            let alone = fan.each_ref().map(|corners| depths(&mesh(corners, &own))[0]);
            // A touching body is pushed to the front of the part it touches, whatever other parts there are.
            if alone.iter().any(|depth| *depth >= 0.0 || depth.is_infinite()) {
                continue;
            }
            let together = depths(&mesh(&fan.concat(), &both));
            let same = |part: usize| (together[part] - alone[part]).abs() < 1e-12;
            assert!(same(0) && same(1), "{case}: {together:?} and {alone:?}");
            compared += 1;
        }
        assert!(compared > 500, "{compared}");
    }
}
