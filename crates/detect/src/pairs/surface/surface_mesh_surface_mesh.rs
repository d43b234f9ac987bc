//! Surface against surface, and against itself, by intersecting triangles.

use crate::contact_ids::id_of;
use crate::pairs::NoSettings;
use crate::{About, Chunk, Chunks, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::{Needs, SurfaceMesh};
use palpate_math::nearest::{TrianglesWithin, point_triangle, triangle_triangle, triangles_within};
use palpate_math::{Aabb, Point, Vector, intersect, separation, triangle};

/// Surface against surface by intersecting triangles, whether the surfaces are closed or not: they have no interior.
///
/// One contact for every pair of triangles that intersect, touching included, by exact predicates; both sides name
/// their triangle. The contact point is the midpoint of the intersection segment; for coplanar triangles, of the
/// longest line across their overlap. There the distance is zero and the direction is the unit normal of the second's
/// triangle, pointing to the side of the first's centroid (by the winding, if that is in the plane). A degenerate
/// triangle has no normal: then the first's is used, by its winding, and world +y if both are degenerate.
///
/// Triangles that do not intersect are in contact if their distance is at most thickness plus margin, at their
/// closest points, along the line between them. The depth is the sum of the surfaces' thickness minus the distance:
/// zero for bare surfaces that intersect.
///
/// A surface is in contact with itself where two triangles that share no vertex are.
///
/// If one of the two is closed the registry chooses
/// [`ClosedSurfaceMeshSurfaceMesh`](crate::pairs::ClosedSurfaceMeshSurfaceMesh) unless this detector is named: that
/// one decides containment, and depth.
#[derive(Default)]
pub struct SurfaceMeshSurfaceMesh {
    chunks: Chunks,
    near: Vec<u32>,
}

/// Triangles of the first surface per chunk: each costs a traversal of the other's tree.
const TRIANGLES_PER_CHUNK: usize = 128;

/// The two surfaces.
#[derive(Clone, Copy)]
struct Pair<'a> {
    a: &'a SurfaceMesh,
    b: &'a SurfaceMesh,
    /// Whether they are the same surface: then each pair is tested once, and neighbours are skipped.
    itself: bool,
    reach: f64,
}

/// The intersection or closest points of two triangles.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    points: [Point; 2],
    weights: [[f64; 3]; 2],
    direction: Vector,
    distance: f64,
}

impl Pair<'_> {
    fn counts(&self, first: u32, second: u32) -> bool {
        let ids = self.b.triangles()[second as usize];
        !self.itself
            || (first < second && !self.a.triangles()[first as usize].iter().any(|id| ids.contains(id)))
    }

    fn nearest(&self, first: u32, second: u32) -> Option<Nearest> {
        let (a, b) = (self.a.corners(first), self.b.corners(second));
        // Most pairs are apart, and have one pair of closest points: the exact test is for the others.
        let within =
            if self.reach > 0.0 { triangles_within(&a, &b, self.reach) } else { TrianglesWithin::Open };
        let found = match within {
            TrianglesWithin::Beyond => return None,
            TrianglesWithin::Unique(found) => found,
            TrianglesWithin::Open => match intersect::triangle_triangle(a.each_ref(), b.each_ref()) {
                Some(meeting) => return Some(Nearest::meeting(meeting.middle(), &a, &b)),
                None if self.reach > 0.0 => triangle_triangle(&a, &b),
                None => return None,
            },
        };
        let [on_a, on_b] = found.points;
        let (direction, distance) = separation::between(&on_b, &on_a);
        let direction = direction.unwrap_or_else(|| away_from(&a, &b));
        Some(Nearest { points: found.points, weights: found.weights, direction, distance })
    }

    fn contact(&self, first: u32, second: u32, context: &Context<'_>) -> Option<Contact> {
        let Nearest { points: [on_a, on_b], weights, direction, distance } = self.nearest(first, second)?;
        let (rim_a, rim_b) = (self.a.radius(), self.b.radius());
        let depth = rim_a + rim_b - distance;
        if !context.reports(depth) {
            return None;
        }
        let ([ids_a, ids_b], [a, b]) = ([self.a, self.b].map(SurfaceMesh::triangles), [first, second]);
        let a = Feature::triangle(ids_a[a as usize], weights[0], a, on_a - direction * rim_a);
        let b = Feature::triangle(ids_b[b as usize], weights[1], b, on_b + direction * rim_b);
        let id = id_of(IdPart::Triangle(first), IdPart::Triangle(second));
        Some(Contact::exact(a, b, direction, depth, id))
    }
}

impl Nearest {
    /// Two triangles that intersect, about a point.
    fn meeting(point: Point, a: &[Point; 3], b: &[Point; 3]) -> Self {
        let weights = [a, b].map(|[p, q, r]| point_triangle(&point, p, q, r).weights);
        Self { points: [point; 2], weights, direction: away_from(a, b), distance: 0.0 }
    }
}

/// Returns the unit normal of `b` on the side of `a`'s centroid.
fn away_from(a: &[Point; 3], b: &[Point; 3]) -> Vector {
    let normal_of = |[p, q, r]: &[Point; 3]| triangle::unit_normal(p, q, r);
    let Some(normal) = normal_of(b) else { return normal_of(a).unwrap_or_else(Vector::y) };
    let toward = (a[0] - b[0]) + (a[1] - b[0]) + (a[2] - b[0]);
    if toward.dot(&normal) < 0.0 { -normal } else { normal }
}

impl SurfaceMeshSurfaceMesh {
    fn find(&mut self, pair: Pair<'_>, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let (Some(tree_a), Some(tree_b)) = (pair.a.tree(), pair.b.tree()) else { return Status::default() };
        self.near.clear();
        tree_a.overlap(&tree_b.bounds().grown(pair.reach), |triangle| self.near.push(triangle));
        self.near.sort_unstable();
        let near = &self.near;
        let job = |range: std::ops::Range<usize>, chunk: &mut Chunk| {
            for &first in &near[range] {
                let reach = Aabb::from_points(pair.a.corners(first)).grown(pair.reach);
                chunk.candidates.clear();
                tree_b.overlap(&reach, |second| chunk.candidates.push(second));
                chunk.candidates.sort_unstable();
                let counting = chunk.candidates.iter().filter(|&&second| pair.counts(first, second));
                chunk.contacts.extend(counting.filter_map(|&second| pair.contact(first, second, context)));
            }
        };
        self.chunks.run(context.executor(), near.len(), TRIANGLES_PER_CHUNK, job, out).into()
    }
}

impl PairDetector for SurfaceMeshSurfaceMesh {
    type A = SurfaceMesh;
    type B = SurfaceMesh;
    type Settings = NoSettings;

    const NAME: &'static str = "surface_mesh_surface_mesh";
    const NEEDS: [Needs; 2] = [Needs::TREE, Needs::TREE];
    const SELF_CONTACT: bool = true;
    const ABOUT: About = About {
        elements_a: "triangle",
        elements_b: "triangle",
        at_most: "one per pair of triangles",
        sides: "two: both are sheets, closed or not",
        method: "every pair of intersecting triangles, by exact predicates, at the midpoint of the \
            intersection segment, along the second's normal; with a thickness or a margin also their \
            closest points; order of the first's triangles, then of the second's; the default if neither \
            surface is closed",
        cost: "O(triangles near the other surface, log triangles each, + contacts)",
        source: "Guigue and Devillers 2003, Fast and robust triangle-triangle overlap test; Shewchuk 1997",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &SurfaceMesh,
        b: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reach = a.radius() + b.radius() + context.margin();
        self.find(Pair { a, b, itself: false, reach }, context, out)
    }

    fn detect_self(
        &mut self,
        a: &SurfaceMesh,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Option<Status> {
        let reach = 2.0 * a.radius() + context.margin();
        Some(self.find(Pair { a, b: a, itself: true, reach }, context, out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::mesh;
    use crate::{Choice, Registry};
    use palpate_geometry::Geometry;

    /// One triangle in the plane y = 0, facing up.
    fn floor() -> SurfaceMesh {
        mesh(&[[0.0, 0.0, 0.0], [0.0, 0.0, 8.0], [8.0, 0.0, 0.0]], &[[0, 1, 2]])
    }

    fn detect(a: &SurfaceMesh, b: &SurfaceMesh, margin: f64) -> Vec<Contact> {
        let mut out = CollisionData::new();
        let context = Context::new().with_margin(margin);
        SurfaceMeshSurfaceMesh::default().detect(a, b, &context, &mut out);
        out.contacts
    }

    /// It stands on the floor's middle, its tip below: the segment runs from x = 1.25 to x = 1.75.
    #[test]
    fn two_triangles_meet_in_the_middle_of_their_segment() {
        let fin = mesh(&[[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.5, -1.0, 2.0]], &[[0, 1, 2]]);
        let contact = detect(&fin, &floor(), 0.0)[0];
        assert_eq!((contact.depth, contact.direction), (0.0, [0.0, 1.0, 0.0]));
        assert_eq!((contact.a.point, contact.b.point), ([1.5, 0.0, 2.0], [1.5, 0.0, 2.0]));
        assert_eq!((contact.a.cell, contact.b.cell), (0, 0));
        assert_eq!(contact.a.vertex_weights(), [0.25, 0.25, 0.5]);
        let hanging = mesh(&[[1.0, -1.0, 2.0], [2.0, -1.0, 2.0], [1.5, 0.5, 2.0]], &[[0, 1, 2]]);
        assert_eq!(detect(&hanging, &floor(), 0.0)[0].direction, [0.0, -1.0, 0.0]);
    }

    #[test]
    fn touching_counts_and_being_apart_does_not() {
        let standing = mesh(&[[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.5, 0.0, 2.0]], &[[0, 1, 2]]);
        let contact = detect(&standing, &floor(), 0.0)[0];
        assert_eq!((contact.a.point, contact.a.vertex_weights()), ([1.5, 0.0, 2.0], &[0.0, 0.0, 1.0][..]));
        let above = mesh(&[[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.5, 0.25, 2.0]], &[[0, 1, 2]]);
        assert!(detect(&above, &floor(), 0.0).is_empty());
        let near = detect(&above, &floor(), 0.5)[0];
        assert_eq!((near.depth, near.direction), (-0.25, [0.0, 1.0, 0.0]));
        assert_eq!((near.a.point, near.b.point), ([1.5, 0.25, 2.0], [1.5, 0.0, 2.0]));
    }

    #[test]
    fn coplanar_triangles_meet_in_their_overlap() {
        let coplanar = mesh(&[[1.0, 0.0, 1.0], [1.0, 0.0, -1.0], [3.0, 0.0, 1.0]], &[[0, 1, 2]]);
        let contact = detect(&coplanar, &floor(), 0.0)[0];
        assert_eq!((contact.depth, contact.direction), (0.0, [0.0, 1.0, 0.0]));
        let aside = mesh(&[[-1.0, 0.0, 1.0], [-1.0, 0.0, -1.0], [-0.5, 0.0, 1.0]], &[[0, 1, 2]]);
        assert!(detect(&aside, &floor(), 0.0).is_empty());
        let flat = mesh(&[[1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 3.0, 1.0]], &[[0, 1, 2]]);
        assert_eq!(detect(&flat, &floor(), 0.0)[0].direction, [0.0, 1.0, 0.0]);
        assert_eq!(detect(&floor(), &flat, 0.0)[0].direction, [0.0, 1.0, 0.0]);
    }

    #[test]
    fn thickness_reaches_and_gives_depth() {
        let fin = mesh(&[[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [1.5, 0.25, 2.0]], &[[0, 1, 2]]);
        let thick = fin.with_radius(0.5).unwrap();
        let mut thick = thick;
        thick.prepare(Needs::TREE | Needs::NORMALS);
        let contact = detect(&thick, &floor(), 0.0)[0];
        assert_eq!((contact.depth, contact.a.point, contact.b.point[1]), (0.25, [1.5, -0.25, 2.0], 0.0));
    }

    #[test]
    fn a_surface_meets_itself_but_for_its_neighbours() {
        let corners = [
            [0.0, 0.0, 0.0],
            [0.0, 0.0, 8.0],
            [8.0, 0.0, 0.0],
            [8.0, 4.0, 0.0],
            [1.0, 1.0, 2.0],
            [2.0, 1.0, 2.0],
            [1.5, -1.0, 2.0],
        ];
        let surface = mesh(&corners, &[[0, 1, 2], [1, 2, 3], [4, 5, 6]]);
        let mut bound = Registry::standard().bind_self(&surface, Choice::default()).unwrap();
        assert_eq!(bound.name(), "surface_mesh_surface_mesh");
        let mut out = CollisionData::new();
        bound.run_self(&surface, &Context::new(), &mut out).unwrap();
        let pairs: Vec<_> = out.contacts.iter().map(|contact| (contact.a.cell, contact.b.cell)).collect();
        assert_eq!(pairs, [(0, 2)]);
    }

    /// Pairs in which one may contain the other use signed distance, two sheets use their triangles.
    #[test]
    fn the_registry_chooses_by_what_is_closed() {
        let corners = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
        let solid = mesh(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
        let mut other = solid.clone();
        other.set_positions(&corners.map(|[x, y, z]| Point::new(x + 1.0, y, z))).unwrap();
        let name = |a: &SurfaceMesh, b: &SurfaceMesh| {
            Registry::standard().bind(a, b, Choice::default()).unwrap().name().to_owned()
        };
        for (a, b) in [(&solid, &other), (&solid, &floor()), (&floor(), &solid)] {
            assert_eq!(name(a, b), "closed_surface_mesh_surface_mesh");
        }
        assert_eq!(name(&floor(), &floor()), "surface_mesh_surface_mesh");
    }
}
