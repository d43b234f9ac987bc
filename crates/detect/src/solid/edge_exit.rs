//! The minimum translation that separates an edge from a face it intersects.
//!
//! An edge e moved by a translation intersects a face P exactly if the translation is in the Minkowski sum P ⊕ (-e),
//! a prism. Its caps are the translations that put an end of e on P, its sides those that put e on an edge of P: the
//! minimum translation is the distance to the nearest of these. It never exceeds the translation that separates the
//! bodies of e and P, and moving either body by d changes it by at most d.
//!
//! P is a triangle together with its coplanar neighbours, so the result does not depend on how a flat face is
//! triangulated.

use crate::mesh::segment_surface::{SegmentOnSurface, segment_on_edge};
use palpate_contact::NONE;
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::{Point, Vector, rounding};

/// Maximum number of triangles visited on a flat face: beyond a side inside the face the exit is longer.
const MOST_TRIANGLES: usize = 64;

/// How far a vertex may be above a plane through an edge and still count as in it, relative to its distance from the
/// edge: the rounding error of a normal.
const IN_PLANE: f64 = 1e-12;

/// How far a direction may be outside an edge's normal cone and still count as in it, in radians: a face normal is on
/// the boundary of the cones of the face's sides.
const TURN: f64 = 1e-9;

/// A side of the face, and its closest points with the edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) edge: u32,
    pub(crate) near: SegmentOnSurface,
    pub(crate) distance: f64,
    /// Whether the face ends at this side; otherwise it continues in the same plane.
    pub(crate) outer: bool,
    /// Whether the triangles on both sides of it belong to the visited face.
    within: bool,
}

/// The cap or side of the prism through which the edge exits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// An end of the edge exits through a triangle of the face.
    End { end: usize, triangle: u32, place: SurfaceNearest },
    /// The edge exits over a side of the face: an index into [`EdgeExit::sides`].
    Side(usize),
}

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct EdgeExit {
    sides: Vec<Side>,
    triangles: Vec<u32>,
}

impl EdgeExit {
    /// Returns the minimum translation that separates the edge between `ends` from the face of `triangle`, which it
    /// intersects, and the exit.
    pub(crate) fn least(
        &mut self,
        surface: &SurfaceMesh,
        triangle: u32,
        ends: [&Point; 2],
        slack: f64,
    ) -> (f64, Way) {
        let mut least = self.visit(surface, triangle, ends, |least| least + slack);
        for (number, side) in self.sides.iter().enumerate() {
            if !side.within && side.distance < least.0 {
                least = (side.distance, Way::Side(number));
            }
        }
        least
    }

    /// Visits the triangles of a face across flat sides that are no farther than `reach` tells, given the best exit so far; returns
    /// the best.
    pub(crate) fn visit(
        &mut self,
        surface: &SurfaceMesh,
        triangle: u32,
        ends: [&Point; 2],
        reach: impl Fn(f64) -> f64,
    ) -> (f64, Way) {
        self.sides.clear();
        self.triangles.clear();
        let mut least = (f64::INFINITY, Way::Side(0));
        let mut next = Some(triangle);
        while let Some(triangle) = next {
            self.add(surface, triangle, ends, &mut least);
            let most = reach(least.0);
            let open = |side: &&Side| !side.outer && !side.within && side.distance <= most;
            let nearest = self.sides.iter().filter(open).min_by(|x, y| x.distance.total_cmp(&y.distance));
            let room = self.triangles.len() < MOST_TRIANGLES;
            next = nearest.filter(|_| room).and_then(|side| {
                let both = surface.adjacency().edge_triangles[side.edge as usize];
                both.into_iter().find(|triangle| !self.triangles.contains(triangle))
            });
        }
        least
    }

    /// Returns the sides of the visited face.
    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }

    fn add(&mut self, surface: &SurfaceMesh, triangle: u32, ends: [&Point; 2], least: &mut (f64, Way)) {
        self.triangles.push(triangle);
        for (end, point) in ends.into_iter().enumerate() {
            let place = surface.nearest_on(triangle, point);
            let distance = (place.point - point).norm();
            if distance < least.0 {
                *least = (distance, Way::End { end, triangle, place });
            }
        }
        for edge in surface.adjacency().triangle_edges[triangle as usize] {
            if let Some(known) = self.sides.iter_mut().find(|side| side.edge == edge) {
                known.within = true;
                continue;
            }
            let near = segment_on_edge(surface, edge, ends);
            let distance = (near.on_segment - near.on_surface.point).norm();
            let outer = !is_flat_edge(surface, edge);
            self.sides.push(Side { edge, near, distance, outer, within: false });
            if outer && distance < least.0 {
                *least = (distance, Way::Side(self.sides.len() - 1));
            }
        }
    }
}

/// Whether the two triangles of an edge are coplanar, up to rounding error, and on opposite sides of it: such an edge
/// is not a feature of the body.
pub(crate) fn is_flat_edge(surface: &SurfaceMesh, edge: u32) -> bool {
    let [first, second] = surface.adjacency().edge_triangles[edge as usize];
    let Some(normals) = surface.normals().filter(|_| second != NONE) else { return false };
    let [n, other] = [first, second].map(|triangle| normals.face(triangle));
    let level = |triangle: u32, normal: &Vector| {
        let (to, undecided) = opposite(surface, edge, triangle);
        to.dot(normal).abs() <= undecided + IN_PLANE * to.norm()
    };
    n.dot(&other) > 0.0 && level(second, &n) && level(first, &other)
}

/// Whether the body lies behind the plane through an edge with unit normal `direction`, perpendicular to the edge, as
/// far as the edge's triangles decide: the edge is a local support feature of the body.
pub(crate) fn supports(surface: &SurfaceMesh, edge: u32, direction: &Vector, solid: bool) -> bool {
    let outward = || surface.outward(SurfaceFeature::Edge(edge)).dot(direction) >= 0.0;
    let triangles = surface.adjacency().edge_triangles[edge as usize];
    let behind = |triangle: u32| {
        let (to, undecided) = opposite(surface, edge, triangle);
        to.dot(direction) <= undecided + TURN * to.norm()
    };
    triangles.into_iter().filter(|&triangle| triangle != NONE).all(behind) && (!solid || outward())
}

/// Returns the vector from an edge to the opposite corner of a triangle, and its rounding error.
fn opposite(surface: &SurfaceMesh, edge: u32, triangle: u32) -> (Vector, f64) {
    let positions = surface.points().positions();
    let [from, to] = surface.adjacency().edges[edge as usize];
    let corner = surface.triangles()[triangle as usize].into_iter().find(|&id| id != from && id != to);
    let [from, to, corner] = [from, to, corner.unwrap_or(from)].map(|id| &positions[id as usize]);
    (corner - from, rounding::length(rounding::largest_coordinate([from, to, corner])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::implicit::surface_samples::mesh;

    /// A unit cube, two triangles per side.
    fn cube() -> SurfaceMesh {
        let corner = |k: u32| [f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)];
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        mesh(&std::array::from_fn::<_, 8, _>(|k| corner(k as u32)), &triangles)
    }

    fn least(start: [f64; 3], end: [f64; 3], triangle: u32) -> (f64, Way, EdgeExit) {
        let mut exit = EdgeExit::default();
        let (distance, way) = exit.least(&cube(), triangle, [&Point::from(start), &Point::from(end)], 1e-15);
        (distance, way, exit)
    }

    /// The top is z = 1: triangles 2 and 3, split from (0, 0) to (1, 1).
    #[test]
    fn an_edge_leaves_a_face_by_its_nearer_end_or_over_a_side() {
        let (distance, way, _) = least([0.5, 0.25, 0.875], [0.5, 0.25, 3.0], 2);
        assert!(distance == 0.125 && matches!(way, Way::End { end: 0, .. }));
        let (distance, way, exit) = least([0.5, 0.125, -1.0], [0.5, 0.125, 3.0], 2);
        let Way::Side(side) = way else { panic!("{way:?}") };
        let side = exit.sides()[side];
        assert_eq!((distance, side.near.on_surface.point), (0.125, Point::new(0.5, 0.0, 1.0)));
        assert!(side.outer);
    }

    /// Near the diagonal, which is closer than any side: either triangle gives the result of the face.
    #[test]
    fn how_a_face_is_divided_does_not_matter() {
        for triangle in [2, 3] {
            let (distance, way, exit) = least([0.5, 0.5, -1.0], [0.5, 0.5, 3.0], triangle);
            assert_eq!(distance, 0.5);
            assert!(matches!(way, Way::Side(side) if exit.sides()[side].outer));
        }
    }

    #[test]
    fn a_cube_has_six_flat_edges_and_twelve_that_support_it() {
        let cube = cube();
        let count = cube.adjacency().edges.len() as u32;
        let flat = (0..count).filter(|&edge| is_flat_edge(&cube, edge)).count();
        assert_eq!((count, flat), (18, 6));
        let level_in = |axis: usize| {
            let cube = &cube;
            (0..count).filter(move |&edge| cube.edge_ends(edge)[0][axis] == cube.edge_ends(edge)[1][axis])
        };
        // Only the upright ones: edges along z are level in x and in y.
        let upright = level_in(0).filter(|&edge| cube.edge_ends(edge)[0].y == cube.edge_ends(edge)[1].y);
        let corner = Vector::new(0.6, 0.8, 0.0);
        let supporting: Vec<u32> = upright.filter(|&edge| supports(&cube, edge, &corner, true)).collect();
        let [from, _] = cube.edge_ends(supporting[0]);
        assert_eq!((supporting.len(), from.x, from.y), (1, 1.0, 1.0));
        // The top's normal is in the normal cones of its four sides and of its diagonal.
        assert_eq!(level_in(2).filter(|&edge| supports(&cube, edge, &Vector::z(), true)).count(), 5);
    }
}
