//! A surface against a capsule.

use crate::pairs::SurfaceBodySettings;
use crate::pairs::deepest::DeepestSearch;
use crate::pairs::segment_surface::{SegmentOnSurface, part_at, segment_on_surface};
use crate::pairs::sphere_capsule::capsule_end;
use crate::pairs::surface_mesh_sphere::{Taken, faces_away, knows_its_sides, pushed_outward};
use crate::pairs::surface_sides::{SurfaceScratch, surface_id};
use crate::pairs::touching_balls::touching_balls;
use crate::pairs::vertex_surface::flags_of_sides;
use crate::{About, Context, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_geometry::{Capsule, Needs, SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::closest::{SegmentTriangle, segment_triangle};
use palpate_math::{Aabb, Point};

/// A surface against a capsule.
///
/// A sheet, or a solid with the whole axis outside: one contact for every vertex, edge or face that is the nearest of one
/// of its triangles to the axis and in reach; of a solid only those that face the axis. A solid that holds part of the
/// axis: one contact at the axis' deepest point, out through the nearest element (`depth_upper` certifies that no other
/// place is deeper), and beside it only elements that are the solid's nearest to their place on the axis. Where internal
/// edges are ignored, an edge or a vertex counts only if it is the nearest of all its triangles.
///
/// A triangle of a sheet that the axis pierces is left along its normal, to the side that needs the smaller motion (along
/// the normal when both need the same): the surface points are the foot of the axis' deeper end in the triangle's plane
/// and the capsule's point below it, while the weights locate where the axis pierces the triangle. A flat triangle has no
/// normal: it is met by its edges.
#[derive(Default)]
pub struct SurfaceMeshCapsule {
    settings: SurfaceBodySettings,
    axis: AxisSearch,
    search: DeepestSearch,
    crossings: Vec<f64>,
}

/// The nearest elements of a surface's triangles to a capsule's axis.
#[derive(Default)]
pub(crate) struct AxisSearch {
    scratch: SurfaceScratch,
    locals: Vec<SegmentTriangle>,
}

/// The two bodies and how they are taken.
pub(crate) struct Pair<'a> {
    pub(crate) surface: &'a SurfaceMesh,
    pub(crate) capsule: &'a Capsule,
    pub(crate) ends: [Point; 2],
    /// Whether the surface pushes outward only, and is not left through its triangles one by one.
    pub(crate) solid: bool,
    pub(crate) taken: Taken,
}

impl Pair<'_> {
    fn on_triangle(&self, triangle: u32) -> SegmentTriangle {
        let [a, b, c] = self.surface.corners(triangle);
        segment_triangle(&self.ends[0], &self.ends[1], &a, &b, &c)
    }

    fn nearest(&self, triangle: u32, local: &SegmentTriangle) -> SegmentOnSurface {
        segment_on_surface(self.surface, triangle, local, self.ends.each_ref())
    }

    /// Whether the solid looks away from the axis there.
    fn hides(&self, nearest: &SegmentOnSurface) -> bool {
        self.taken.facing && faces_away(self.surface, &nearest.on_surface, &nearest.on_segment)
    }

    fn contact(&self, nearest: &SegmentOnSurface) -> Contact {
        let feature = nearest.on_surface.feature;
        let fallback = || -self.surface.outward(feature);
        let (rim, radius) = (self.surface.radius(), self.capsule.radius());
        let balls = touching_balls(&nearest.on_surface.point, rim, &nearest.on_segment, radius, fallback);
        let a = self.surface.contact_feature(&nearest.on_surface, balls.point_a);
        let b = Feature::numbered(capsule_end(nearest.part), balls.point_b);
        Contact::exact(a, b, balls.direction, balls.depth, surface_id(feature))
    }

    /// Whether the triangle has a side to leave to; a flat one is met by its edges.
    fn has_normal(&self, triangle: u32) -> bool {
        self.surface.normals().is_some_and(|normals| normals.faces[triangle as usize].amax() > 0.0)
    }

    /// The contact of a sheet's triangle that the axis pierces.
    fn pierced(&self, triangle: u32, local: &SegmentTriangle) -> Contact {
        let face = SurfaceFeature::Face(triangle);
        let normal = self.surface.outward(face);
        let heights = self.ends.map(|end| (end - local.point_on_triangle).dot(&normal));
        let up = -heights[0].min(heights[1]);
        let down = heights[0].max(heights[1]);
        let (outward, way) = if down < up { (-normal, down) } else { (normal, up) };
        let end = usize::from(if down < up { heights[1] > heights[0] } else { heights[1] < heights[0] });
        let (rim, radius) = (self.surface.radius(), self.capsule.radius());
        let foot = self.ends[end] + outward * (way + rim);
        let place = SurfaceNearest { feature: face, weights: local.weights, point: local.point_on_triangle };
        let a = self.surface.contact_feature(&place, foot);
        let b = Feature::numbered(end as u32, self.ends[end] - outward * radius);
        Contact::exact(a, b, -outward, radius + rim + way, surface_id(face))
    }

    /// Whether nothing of the surface is nearer to the place on the axis than the element is.
    fn is_nearest(&self, nearest: &SegmentOnSurface) -> bool {
        let distance = (nearest.on_segment - nearest.on_surface.point).norm();
        let slack = 16.0 * f64::EPSILON * nearest.on_segment.coords.amax().max(distance);
        let nearer = (distance - slack).max(0.0);
        // The search is for something nearer only, so that it ends soon where there is nothing.
        let other = self.surface.nearest(&nearest.on_segment, nearer * nearer);
        other.is_none_or(|other| (nearest.on_segment - other.point).norm() >= nearer)
    }
}

impl SurfaceMeshCapsule {
    /// The one contact of a solid that holds part of the axis, the element it leaves by, and whether its search met its
    /// bound.
    fn inside(&mut self, pair: &Pair<'_>) -> Option<(Contact, SurfaceFeature, bool)> {
        let surface = pair.surface;
        if !surface.is_closed() || !surface.tree()?.bounds().overlaps(&Aabb::from_points(pair.ends)) {
            return None;
        }
        self.crossings.clear();
        self.crossings.extend(self.axis.locals.iter().filter(|local| local.pierced).map(|local| local.t));
        let deepest =
            self.search.along(surface, &pair.ends[0], &pair.ends[1], self.crossings.iter().copied())?;
        let gradient = deepest.signed.gradient;
        let radius = pair.capsule.radius();
        let skin = deepest.nearest.point + gradient * surface.radius();
        let a = surface.contact_feature(&deepest.nearest, skin);
        let end = capsule_end(part_at(deepest.t));
        let b = Feature::numbered(end, deepest.point - gradient * radius);
        let reach = radius + surface.radius();
        let id = surface_id(deepest.nearest.feature);
        let contact = Contact::exact(a, b, -gradient, reach - deepest.signed.distance, id);
        let contact = Contact { depth_upper: reach + deepest.upper, ..contact };
        Some((contact, deepest.nearest.feature, deepest.converged))
    }
}

impl AxisSearch {
    /// Finds the triangles in reach.
    pub(crate) fn begin(&mut self, pair: &Pair<'_>, context: &Context<'_>) {
        let reach = pair.capsule.radius() + pair.surface.radius() + context.margin();
        self.scratch.begin(pair.surface, &Aabb::from_points(pair.ends).grown(reach));
        self.locals.clear();
        self.locals.extend(self.scratch.candidates.iter().map(|&triangle| pair.on_triangle(triangle)));
    }

    /// Contacts with the elements in reach; `held` is the element by which a part of the axis leaves that is inside of the
    /// solid.
    pub(crate) fn outside(
        &mut self,
        pair: &Pair<'_>,
        held: Option<SurfaceFeature>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) {
        let kept = if pair.taken.outer { self.note_passed(pair) } else { None };
        for (index, local) in self.locals.iter().enumerate() {
            let triangle = self.scratch.candidates[index];
            if local.pierced && pair.solid && held.is_some() {
                continue;
            }
            if local.pierced && !pair.solid && pair.has_normal(triangle) {
                out.push(pair.pierced(triangle, local));
                continue;
            }
            let nearest = pair.nearest(triangle, local);
            let feature = nearest.on_surface.feature;
            let internal =
                pair.taken.outer && kept != Some(feature) && self.scratch.passed.is_internal(feature);
            if !self.scratch.first(feature) || pair.hides(&nearest) || internal || held == Some(feature) {
                continue;
            }
            let contact = pair.contact(&nearest);
            if context.reports(contact.depth) && (held.is_none() || pair.is_nearest(&nearest)) {
                out.push(contact);
            }
        }
    }

    /// Notes which elements are passed by; the nearest of all that are taken, which never is.
    fn note_passed(&mut self, pair: &Pair<'_>) -> Option<SurfaceFeature> {
        let mut best: Option<(f64, SurfaceFeature)> = None;
        for (&triangle, local) in self.scratch.candidates.iter().zip(&self.locals) {
            let feature = pair.surface.feature_of(triangle, local.feature);
            self.scratch.passed.note(pair.surface, triangle, feature);
            let nearer = best.is_none_or(|(least, _)| local.distance_squared < least);
            if nearer && !pair.hides(&pair.nearest(triangle, local)) {
                best = Some((local.distance_squared, feature));
            }
        }
        best.map(|(_, feature)| feature)
    }
}

impl PairDetector for SurfaceMeshCapsule {
    type A = SurfaceMesh;
    type B = Capsule;
    type Settings = SurfaceBodySettings;

    const NAME: &'static str = "surface_mesh_capsule";
    const NEEDS: [Needs; 2] = [Needs::TREE.union(Needs::NORMALS), Needs::empty()];
    const ABOUT: About = About {
        elements_a: "vertex, edge, triangle",
        elements_b: "point",
        at_most: "one per triangle, edge or vertex; one more for an axis that enters a solid",
        sides: "one: a solid where the surface is closed; two: a sheet where it is open, or by setting `sides`",
        method: "nearest points of every triangle in reach and the axis, each shared element once; a closed surface is a \
                 solid: an axis that enters it leaves from its deepest point by the nearest element, first in the order; \
                 then order of triangles; a sheet's pierced triangle is left along its normal",
        cost: "O(log triangles + contacts)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.1.10; Baerentzen and Aanaes 2005, section 4",
    };

    fn new(settings: SurfaceBodySettings) -> Self {
        Self { settings, ..Self::default() }
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &Capsule,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let solid = self.settings.is_solid(a);
        let taken =
            Taken { facing: solid && knows_its_sides(a), outer: self.settings.internal_edges.ignored(a) };
        let pair = Pair { surface: a, capsule: b, ends: b.ends(), solid, taken };
        self.axis.begin(&pair, context);
        let mut flags = flags_of_sides(a);
        let inside = self.inside(&pair);
        if let Some((contact, _, converged)) = inside
            && solid
        {
            flags.set(Flags::ITERATION_LIMIT, !converged);
            out.push(contact);
        }
        let held = inside.filter(|_| solid).map(|(_, feature, _)| feature);
        let before = out.len();
        self.axis.outside(&pair, held, context, out);
        if let (Some((contact, _, converged)), false) = (inside, solid)
            && pushed_outward(before, contact, out)
        {
            flags.set(Flags::ITERATION_LIMIT, !converged);
        }
        flags.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::SurfaceSides;
    use palpate_geometry::Geometry;

    fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> SurfaceMesh {
        let corners = corners.iter().copied().map(Point::from).collect();
        let mut mesh = SurfaceMesh::new(corners, triangles.to_vec()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        mesh
    }

    /// One large triangle in the plane y = 0, facing up.
    fn sheet() -> SurfaceMesh {
        mesh(&[[-8.0, 0.0, -8.0], [0.0, 0.0, 8.0], [8.0, 0.0, -8.0]], &[[0, 1, 2]])
    }

    fn tetrahedron() -> SurfaceMesh {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
        mesh(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    }

    fn contacts(mesh: &SurfaceMesh, ends: [[f64; 3]; 2], radius: f64, sides: SurfaceSides) -> Vec<Contact> {
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), radius).unwrap();
        let mut out = CollisionData::new();
        SurfaceMeshCapsule::new(SurfaceBodySettings { sides, ..SurfaceBodySettings::default() }).detect(
            mesh,
            &capsule,
            &Context::new(),
            &mut out,
        );
        out.contacts
    }

    #[test]
    fn above_a_sheet_the_nearer_end_is_in_contact() {
        let contacts = contacts(&sheet(), [[0.0, 0.25, 0.0], [0.0, 2.25, 0.0]], 0.5, SurfaceSides::AsGiven);
        assert_eq!((contacts.len(), contacts[0].b.cell), (1, 0));
        assert!((contacts[0].depth - 0.25).abs() < 1e-15);
        assert!((contacts[0].direction[1] + 1.0).abs() < 1e-15);
    }

    /// The axis runs from -0.25 to 0.75 through the sheet: up it leaves after 0.25, down after 0.75.
    #[test]
    fn a_pierced_sheet_is_left_by_the_shorter_way() {
        let up = contacts(&sheet(), [[0.0, -0.25, 0.0], [0.0, 0.75, 0.0]], 0.125, SurfaceSides::AsGiven)[0];
        assert!((up.depth - 0.375).abs() < 1e-15 && (up.direction[1] + 1.0).abs() < 1e-15);
        assert!((up.b.point[1] + 0.375).abs() < 1e-15 && up.a.point[1].abs() < 1e-15);
        let down = contacts(&sheet(), [[0.0, -0.75, 0.0], [0.0, 0.25, 0.0]], 0.125, SurfaceSides::AsGiven)[0];
        assert!((down.depth - 0.375).abs() < 1e-15 && (down.direction[1] - 1.0).abs() < 1e-15);
    }

    /// Its corners lie on one line, which the axis crosses: there is no normal to leave along.
    #[test]
    fn a_flat_triangle_is_met_by_its_edges() {
        let flat = mesh(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], &[[0, 1, 2]]);
        let contacts = contacts(&flat, [[0.0, -0.25, 0.0], [0.0, 0.75, 0.0]], 0.125, SurfaceSides::AsGiven);
        assert_eq!((contacts.len(), contacts[0].a.vertex_count), (1, 2));
        assert!((contacts[0].depth - 0.125).abs() < 1e-15);
    }

    /// A capsule across a thin triangle between two candidate points that a published detector looks at: it reports a
    /// depth of 0.1 at the triangle's far end, as the true depth is everywhere along it.
    #[test]
    fn a_long_capsule_over_a_thin_triangle() {
        let thin = mesh(&[[-2.0, 0.25, -0.0625], [2.0, 0.25, 0.0], [-2.0, 0.25, 0.0625]], &[[0, 1, 2]]);
        let contacts = contacts(&thin, [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]], 0.5, SurfaceSides::AsGiven);
        assert!((contacts[0].depth - 0.25).abs() < 1e-15, "{contacts:#?}");
    }

    #[test]
    fn inside_a_solid_the_axis_leaves_from_its_deepest_point() {
        let ends = [[1.0, 0.25, 1.0], [1.0, 0.75, 1.0]];
        let contact = contacts(&tetrahedron(), ends, 0.125, SurfaceSides::AsGiven)[0];
        assert!((contact.depth - 0.875).abs() < 1e-12, "the upper end, 0.75 over the floor: {contact:?}");
        assert!(contact.depth_upper >= contact.depth && contact.depth_upper < contact.depth + 1e-10);
    }

    #[test]
    fn a_needle_through_a_face_has_one_contact() {
        let contacts =
            contacts(&tetrahedron(), [[1.0, -2.0, 1.0], [1.0, 0.5, 1.0]], 0.0625, SurfaceSides::AsGiven);
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert!((contacts[0].depth - 0.5625).abs() < 1e-12);
        assert!((contacts[0].direction[1] - 1.0).abs() < 1e-12, "the organ moves up, the needle back out");
    }

    #[test]
    fn as_a_sheet_a_closed_surface_still_holds_its_inside() {
        let ends = [[1.25, 1.5, 1.5], [1.25, 1.5, 1.75]];
        let deep = contacts(&tetrahedron(), ends, 0.125, SurfaceSides::Two);
        assert_eq!(deep.len(), 1);
        assert!((deep[0].depth - 1.375).abs() < 1e-12);
        // Nearer than the margin, and out of reach all the same.
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), 0.125).unwrap();
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(4.0);
        let settings = SurfaceBodySettings { sides: SurfaceSides::Two, ..SurfaceBodySettings::default() };
        SurfaceMeshCapsule::new(settings).detect(&tetrahedron(), &capsule, &context, &mut out);
        assert_eq!((out.len(), out.contacts[0].depth), (1, deep[0].depth));
    }
}
