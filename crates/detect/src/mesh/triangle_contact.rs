//! The kernel of convex bodies: one triangle against a body, by closed forms, or GJK and EPA.

use crate::convex_body::{EXACT, NEARLY, query_triangle_within};
use crate::mesh::{Kernel, MeshSide};
use crate::room::EPA_ITERATIONS;
use crate::{Context, ConvexBody};

use nalgebra::Vector3;
use palpate_convex::{Cuboid, FacedHull, HullTriangle, Memory, QueryResult, Settings, Termination};
use palpate_geometry::ConvexCore;
use palpate_geometry::{SurfaceFeature, SurfaceNearest};
use palpate_math::nearest::{point_segment, point_triangle};
use palpate_math::{Aabb, BoxTriangleOverlap, Point, Vector, box_triangle_overlap, rounding, triangle};

/// The mesh, the body, and the settings of the query.
#[derive(Clone, Copy)]
pub(crate) struct ConvexPair<'a> {
    pub(crate) mesh: MeshSide<'a>,
    pub(crate) body: ConvexBody<'a>,
    pub(crate) settings: Settings,
    /// Whether flat patches of triangles produce a manifold.
    pub(crate) manifold: bool,
    /// Whether an overlapping triangle whose exit leads into a neighbour has none of its own, even where internal edges are
    /// not dropped.
    pub(crate) exits_only: bool,
}

/// The minimum translation that separates a triangle and the body, or their distance; without the surface's
/// thickness.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleContact {
    pub(crate) triangle: u32,
    /// The part of the mesh that the triangle belongs to.
    pub(crate) part: u32,
    /// The contact point on the surface.
    pub(crate) place: SurfaceNearest,
    /// Unit; moves the surface out of the body.
    pub(crate) direction: Vector,
    pub(crate) depth: f64,
    /// Certified bounds of the depth.
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) converged: bool,
}

impl TriangleContact {
    /// Whether it is of a part of the mesh, or of any if none is given.
    pub(crate) fn is_of(&self, part: Option<u32>) -> bool {
        part.is_none_or(|part| self.part == part)
    }
}

/// The kernel of a search.
pub(crate) struct InReach<'a> {
    pub(crate) pair: &'a ConvexPair<'a>,
    pub(crate) context: &'a Context<'a>,
    /// Bounds of the body.
    pub(crate) bounds: Aabb,
}

impl Kernel for InReach<'_> {
    type Found = TriangleContact;

    /// Each triangle costs a query of one or two microseconds.
    const CHUNK: usize = 32;

    fn make_room(&self, memory: &mut Memory<Vector>) {
        memory.make_room(EPA_ITERATIONS);
    }

    fn triangle(&self, triangle: u32, memory: &mut Memory<Vector>) -> Option<TriangleContact> {
        let rim = self.pair.mesh.surface.radius();
        let reach = rim + self.context.margin();
        if is_far(&self.pair.body, &self.pair.mesh.surface.corners(triangle), reach) {
            return None;
        }
        let contact = self.pair.triangle_contact(triangle, &self.bounds, reach, memory)?;
        // Whether a box overlaps depends on the coordinate frame; this test does not.
        self.context.reports(contact.upper + rim).then_some(contact)
    }
}

/// Relative margin of the early out: a triangle beyond it is separated despite rounding error.
const FAR: f64 = 1e-9;

/// Depth error of an iterative query, relative to the size of the body.
const LEVEL: f64 = 1e-9;

/// Rounding error: of a depth, relative to the sizes of mesh and body; of a direction, as a cosine.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Returns a closed-form contact, with bounds that allow for rounding error.
fn exact(depth: f64, direction: Vector, point_a: Vector, rounding: f64) -> QueryResult<Vector> {
    QueryResult {
        depth,
        depth_lower: depth - rounding,
        depth_upper: depth + rounding,
        direction,
        point_a,
        point_b: point_a + direction * depth,
        status: Termination::Exact,
        iterations: [0; 2],
    }
}

/// Whether a triangle is farther than `reach` from the box around a body in its own frame, by the box's axes and the triangle's
/// normal: a cheap early out for most triangles that are candidates only by their bounds. A hull has its own, by its faces.
#[inline]
pub(super) fn is_far(body: &ConvexBody<'_>, corners: &[Point; 3], reach: f64) -> bool {
    let half = match &body.shape {
        ConvexCore::Cuboid(cuboid) => cuboid.half_extents,
        ConvexCore::Cylinder(core) => Vector::new(core.radius, core.half_length, core.radius),
        ConvexCore::Cone(core) => Vector::new(core.radius, core.half_length, core.radius),
        ConvexCore::Ellipsoid(core) => core.radii,
        _ => return false,
    };
    let corners = corners.map(|corner| body.pose.own(corner.coords));
    let (low, high) =
        (corners[0].inf(&corners[1]).inf(&corners[2]), corners[0].sup(&corners[1]).sup(&corners[2]));
    let enough = reach + FAR * (half.amax() + low.amax().max(high.amax()));
    if (0..3).any(|axis| low[axis] > half[axis] + enough || high[axis] < -half[axis] - enough) {
        return true;
    }
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let height = corners[0].dot(&normal).abs();
    height > half.dot(&normal.abs()) + enough * normal.norm()
}

impl ConvexPair<'_> {
    /// Returns the contact of a triangle and the body if their distance is at most `reach`. `bounds` contains the
    /// body.
    pub(crate) fn triangle_contact(
        &self,
        triangle: u32,
        bounds: &Aabb,
        reach: f64,
        memory: &mut Memory<Vector3<f64>>,
    ) -> Option<TriangleContact> {
        let surface = self.mesh.surface;
        let corners = surface.corners(triangle);
        let contact = self.query_corners(&corners, bounds, reach, memory)?;
        let direction = contact.direction;
        let on_triangle = Point::from(contact.point_a);
        // Seen from far along the negative direction, the contact's element is the closest of the triangle.
        let [a, b, c] = corners;
        let far = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let local = point_triangle(&(on_triangle - direction * far), &a, &b, &c);
        let feature = surface.feature_of(triangle, local.feature);
        Some(TriangleContact {
            triangle,
            part: surface.adjacency().part_of(triangle),
            place: self.place(feature, on_triangle),
            direction,
            depth: contact.depth,
            lower: contact.depth_lower,
            upper: contact.depth_upper.max(contact.depth),
            converged: contact.status.converged(),
        })
    }

    /// Returns the contact of any three corners and the body if their distance is at most `reach`. `bounds` contains the
    /// body.
    #[inline]
    pub(crate) fn query_corners(
        &self,
        corners: &[Point; 3],
        bounds: &Aabb,
        reach: f64,
        memory: &mut Memory<Vector3<f64>>,
    ) -> Option<QueryResult<Vector>> {
        let in_closed_form = match &self.body.shape {
            ConvexCore::Cuboid(cuboid) => self
                .overlap_of_box(cuboid, corners)
                .or_else(|| self.contact_at_corner(corners, bounds, reach)),
            ConvexCore::Hull(hull) => match self.meet_hull(hull, corners, reach) {
                Some(meeting) => Some(meeting?),
                None => None,
            },
            _ => self.contact_at_corner(corners, bounds, reach),
        };
        let contact = match in_closed_form {
            Some(contact) => contact,
            None => query_triangle_within(corners, &self.body, reach, memory, &self.settings)?,
        };
        Some(self.along_normal(corners, contact))
    }

    /// Returns the contact of a triangle that overlaps a box, in closed form; `None` if that does not apply.
    fn overlap_of_box(&self, cuboid: &Cuboid<Vector>, corners: &[Point; 3]) -> Option<QueryResult<Vector>> {
        let pose = &self.body.pose;
        let own = corners.map(|corner| Point::from(pose.own(corner.coords)));
        let BoxTriangleOverlap { depth, direction, on_triangle } =
            box_triangle_overlap(&cuboid.half_extents, &own)?;
        let size = cuboid.half_extents.amax()
            + rounding::largest_coordinate(&own)
            + rounding::largest_coordinate(corners);
        Some(exact(depth, pose.rotation * direction, pose.point(on_triangle.coords), ROUNDING * size))
    }

    /// Returns the contact of a triangle that overlaps a hull in closed form, or `Some(None)` if the two are farther apart
    /// than `reach`; `None` if neither applies.
    fn meet_hull(
        &self,
        hull: &FacedHull<'_>,
        corners: &[Point; 3],
        reach: f64,
    ) -> Option<Option<QueryResult<Vector>>> {
        let pose = &self.body.pose;
        let own = corners.map(|corner| pose.own(corner.coords));
        match hull.faces.meet_triangle(hull.hull, &own, reach + hull.radius)? {
            HullTriangle::Apart => Some(None),
            HullTriangle::Overlap { depth, direction, on_triangle } => {
                let rounding = ROUNDING * (self.body.size() + rounding::largest_coordinate(corners));
                let direction = self.body.turned(&direction);
                Some(Some(exact(depth + hull.radius, direction, pose.point(on_triangle), rounding)))
            }
        }
    }

    /// Returns the contact of a triangle of which one corner is the deepest in the body and the last to exit, or is the
    /// closest point, no farther than `reach`; `None` otherwise. No separating translation is shorter than the corner's
    /// own exit, and that exit separates the two if the other corners are ahead of it; where they are, no point of the
    /// triangle is closer than the corner.
    fn contact_at_corner(
        &self,
        corners: &[Point; 3],
        bounds: &Aabb,
        reach: f64,
    ) -> Option<QueryResult<Vector>> {
        let near = bounds.grown(reach);
        if !corners.iter().any(|corner| near.contains_point(corner)) {
            return None;
        }
        let size = self.body.size();
        let rounding = ROUNDING * (size + rounding::largest_coordinate(corners));
        let solid = self.body.distance()?;
        let near = corners.iter().filter(|corner| near.contains_point(corner));
        let signed = near.map(|corner| (corner, solid.signed_distance(corner)));
        let (corner, signed) = signed.min_by(|(_, p), (_, q)| p.distance.total_cmp(&q.distance))?;
        let (depth, direction) = (-signed.distance, signed.gradient);
        let applies = if depth > rounding {
            corners.iter().all(|other| (other - corner).dot(&direction) >= -rounding)
        } else {
            // A triangle parallel to the body's face or edge has no closest corner.
            let is_ahead = |along: Vector| along.dot(&direction) > NEARLY * along.norm();
            let is_apart = -depth > rounding.max(LEVEL * size) && -depth <= reach;
            is_apart && corners.iter().all(|other| other == corner || is_ahead(other - corner))
        };
        applies.then(|| exact(depth, direction, corner.coords, rounding))
    }

    /// Returns the contact along the triangle's normal if the direction equals the normal up to the error of an
    /// iterative query and the depth along it is not greater.
    fn along_normal(&self, corners: &[Point; 3], contact: QueryResult<Vector>) -> QueryResult<Vector> {
        let Some(normal) = triangle::unit_normal(&corners[0], &corners[1], &corners[2]) else {
            return contact;
        };
        let normal = if normal.dot(&contact.direction) < 0.0 { -normal } else { normal };
        let turned = (normal - contact.direction).norm();
        if turned <= EXACT || turned > NEARLY {
            return contact;
        }
        let farthest = self.body.map().support(&normal);
        let depth = (farthest - corners[0]).dot(&normal);
        if depth > contact.depth_upper + LEVEL * self.body.size() {
            return contact;
        }
        let depth_lower = contact.depth_lower.min(depth);
        let point_b = contact.point_a + normal * depth;
        QueryResult { depth, depth_lower, depth_upper: depth, direction: normal, point_b, ..contact }
    }

    /// Returns the closest point on an element to a point that is on it up to rounding error.
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

    /// Whether the body would be pushed into the solid, or behind the front of a sheet.
    pub(crate) fn leads_inward(&self, found: &TriangleContact) -> bool {
        let MeshSide { surface, filter, .. } = self.mesh;
        // Beyond the border of a sheet there are no sides, and a degenerate triangle has none.
        let has_side = || {
            let [a, b, c] = surface.corners(found.triangle);
            !triangle::is_flat(&a, &b, &c)
        };
        let is_back = || surface.points_to_back(&-found.direction, found.place.feature, ROUNDING);
        filter.facing && is_back() && has_side()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::ElementFilter;
    use crate::mesh::surface_sides::SurfaceSidedness;
    use crate::pairs::implicit::surface_samples::mesh;
    use palpate_geometry::{
        Cone, Convex, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose, SurfaceMesh, pose,
    };

    fn shapes(pose: Pose, half: Vector, corners: &[Point]) -> [Box<dyn Geometry>; 5] {
        [
            Box::new(OrientedBox::new(pose, half).unwrap()),
            Box::new(Convex::new(pose, corners).unwrap()),
            Box::new(Cylinder::new(pose, half.x, 2.0 * half.y).unwrap()),
            Box::new(Cone::new(pose, half.x, 2.0 * half.y).unwrap()),
            Box::new(Ellipsoid::new(pose, half).unwrap()),
        ]
    }

    /// Numbers between -1 and 1.
    fn numbers(mut state: u64) -> impl FnMut() -> f64 {
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        }
    }

    /// A body and a sheet, without filters.
    fn pair_of<'a>(surface: &'a SurfaceMesh, shape: &'a dyn Geometry) -> ConvexPair<'a> {
        let filter = ElementFilter { facing: false, outer: false };
        let mesh = MeshSide { surface, volume: None, sidedness: SurfaceSidedness::Sheet, filter };
        let body = ConvexBody::new(shape).unwrap();
        ConvexPair { mesh, body, settings: Settings::default(), manifold: false, exits_only: false }
    }

    /// The closed forms against EPA on the same triangles: all for a box and a hull, for other bodies those with a corner
    /// that exits last.
    #[test]
    fn a_triangle_in_a_body_is_as_deep_as_epa_says() {
        let mut random = numbers(11);
        let (mut deep, mut in_closed_form, mut apart) = ([0; 5], [0; 5], 0);
        for case in 0..2000 {
            let mut vector = |reach: f64| Vector::new(random(), random(), random()) * reach;
            let (middle, size) = (vector(1.5), [0.1, 0.5, 3.0][case % 3]);
            let corners = [0; 3].map(|_| (middle + vector(size)).into());
            let surface = mesh(&corners, &[[0, 1, 2]]);
            let axis = pose::rotation_from_axis(vector(1.0)).unwrap();
            let place = pose::from_rotation(Point::from(vector(1.0)), axis).unwrap();
            let of_hull: Vec<Point> = (0..24).map(|_| Point::from(vector(1.0))).collect();
            let half = vector(0.75).abs() + Vector::repeat(0.25);
            for (kind, shape) in shapes(place, half, &of_hull).iter().enumerate() {
                let pair = pair_of(&surface, shape.as_ref());
                let (body, settings) = (&pair.body, &pair.settings);
                let (corners, mut memory) = (surface.corners(0), Memory::default());
                let wanted = query_triangle_within(&corners, body, 0.0, &mut memory, settings);
                let by_corner = || pair.contact_at_corner(&corners, &body.bounds(), 0.0);
                let found = match &body.shape {
                    ConvexCore::Cuboid(cuboid) => pair.overlap_of_box(cuboid, &corners),
                    ConvexCore::Hull(hull) => pair.meet_hull(hull, &corners, 0.0).and_then(|met| {
                        apart += usize::from(met.is_none());
                        assert!(met.is_some() || wanted.is_none(), "{kind} {case}: {wanted:?}");
                        met
                    }),
                    _ => by_corner(),
                };
                let Some(wanted) = wanted.filter(|wanted| wanted.depth > 1e-6) else { continue };
                deep[kind] += 1;
                let Some(found) = found else { continue };
                in_closed_form[kind] += 1;
                let between = wanted.depth_lower - 1e-9..=wanted.depth_upper + 1e-9;
                assert!(between.contains(&found.depth), "{kind} {case}: {found:?} {wanted:?}");
                let farthest = body.map().support(&found.direction) - Point::from(found.point_b);
                let along = farthest.dot(&found.direction);
                assert!(along.abs() < 1e-9, "{kind} {case}: {along} {found:?}");
            }
        }
        assert!(deep.iter().all(|&count| count > 100), "{deep:?}");
        assert_eq!(in_closed_form[..2], deep[..2]);
        assert!(apart > 100, "{apart}");
        assert!(in_closed_form.iter().all(|&count| count > 20), "{in_closed_form:?} of {deep:?}");
    }

    /// Bodies above triangles, against GJK: its tolerance on a distance `d` moves the closest point of a curved body by the
    /// square root of it.
    #[test]
    fn a_closest_corner_is_what_gjk_finds() {
        let mut random = numbers(7);
        let (mut apart, mut at_corner) = ([0; 5], [0; 5]);
        for case in 0..3000 {
            let mut vector = |reach: f64| Vector::new(random(), random(), random()) * reach;
            let half = vector(0.5).abs() + Vector::repeat(0.25);
            let of_hull: Vec<Point> = (0..16).map(|_| Point::from(vector(1.0))).collect();
            let turn = pose::rotation_from_axis(vector(1.0)).unwrap();
            let place = pose::from_rotation(Point::from(vector(1.0)), turn).unwrap();
            let (middle, size) = (vector(1.5), [0.1, 0.5, 3.0][case % 3]);
            let corners = [0; 3].map(|_| Point::from(middle + vector(size)));
            let surface = mesh(&corners.map(Into::into), &[[0, 1, 2]]);
            let corners = surface.corners(0);
            for (kind, shape) in shapes(place, half, &of_hull).iter().enumerate() {
                let pair = pair_of(&surface, shape.as_ref());
                let (body, settings) = (&pair.body, &pair.settings);
                let wanted = query_triangle_within(&corners, body, 0.5, &mut Memory::default(), settings);
                let Some(wanted) = wanted.filter(|wanted| wanted.depth < 0.0) else { continue };
                apart[kind] += 1;
                let Some(found) = pair.contact_at_corner(&corners, &body.bounds(), 0.5) else { continue };
                at_corner[kind] += 1;
                let between = wanted.depth_lower - 1e-12..=wanted.depth_upper + 1e-12;
                assert!(between.contains(&found.depth), "{kind} {case}: {found:?} {wanted:?}");
                let off = (found.point_a - wanted.point_a).norm();
                assert!(
                    off < 1e-4 && corners.iter().any(|corner| corner.coords == found.point_a),
                    "{kind} {case}: {off}"
                );
                let turned = (found.direction - wanted.direction).norm();
                assert!(turned < 1e-4 / wanted.depth.abs().min(1.0), "{kind} {case}: {turned}");
            }
        }
        assert!(
            [0, 2, 3, 4].iter().all(|&kind| 4 * at_corner[kind] > apart[kind]),
            "{at_corner:?} {apart:?}"
        );
    }
}
