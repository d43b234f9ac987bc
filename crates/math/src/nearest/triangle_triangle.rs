//! Closest points of two triangles that do not intersect.
//!
//! A vertex of one and the other triangle, or two edges, are closest. Two points are the closest of two convex bodies where the
//! planes through them, across the line between them, have each body behind: most pairs are found by this test of few candidates
//! ([`unique`]), without a look at all the others.

use crate::nearest::{point_triangle, segment_segment, segment_triangle};
use crate::triangle::area_vector;
use crate::{Point, Vector, rounding};

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTriangle {
    /// The closest point of the first triangle.
    pub point_a: Point,
    /// The closest point of the second triangle.
    pub point_b: Point,
    /// The squared distance between the two points.
    pub distance_squared: f64,
}

impl TriangleTriangle {
    fn new(point_a: Point, point_b: Point) -> Self {
        Self { point_a, point_b, distance_squared: (point_a - point_b).norm_squared() }
    }
}

/// Returns the closest points of two triangles that do not intersect: an edge of one is closest to the other. Ties go to the
/// first, edges of `a` before those of `b`.
pub fn triangle_triangle(a: &[Point; 3], b: &[Point; 3]) -> TriangleTriangle {
    let mut best = TriangleTriangle { point_a: a[0], point_b: b[0], distance_squared: f64::INFINITY };
    for (of, other, exchanged) in [(a, b, false), (b, a, true)] {
        for side in 0..3 {
            let near = segment_triangle(&of[side], &of[(side + 1) % 3], &other[0], &other[1], &other[2]);
            if near.distance_squared < best.distance_squared {
                let (on_edge, on_face) = (near.point_on_segment, near.point_on_triangle);
                let (point_a, point_b) = if exchanged { (on_face, on_edge) } else { (on_edge, on_face) };
                best = TriangleTriangle { point_a, point_b, distance_squared: near.distance_squared };
            }
        }
    }
    best
}

/// How far all else must be behind the closest features for the pair to be unique, relative to the longest coordinate of an edge.
const CLEAR: f64 = 1e-6;

/// The least distance, relative to the [rounding error](rounding::length) of the coordinates: of less the direction is too uncertain.
const LEAST: f64 = (1 << 20) as f64;

/// Returns the closest points if these are unique, and the triangles certainly apart: those of [`triangle_triangle`], up to
/// rounding error, in a fraction of the time. `None` where triangles intersect, where parallel edges or faces are closest,
/// within rounding error of either, and where an edge has no length.
pub fn unique(a: &[Point; 3], b: &[Point; 3]) -> Option<TriangleTriangle> {
    let query = Query::new(a, b);
    // Where a face separates them the vertex closest to its plane is the first to try.
    let over = [closest_to_plane(b, a), closest_to_plane(a, b)];
    let of_vertex = |of_a: bool, k: usize| {
        if of_a { query.of_vertex(a, k, b) } else { query.of_vertex(b, k, a).map(|[p, q]| [q, p]) }
    };
    let guided = || over[0].and_then(|k| of_vertex(false, k)).or_else(|| of_vertex(true, over[1]?));
    let edges = || (0..9).find_map(|pair| query.of_edges(a, pair / 3, b, pair % 3));
    let vertices = || (0..6).find_map(|k| of_vertex(k < 3, k % 3));
    let [point_a, point_b] = guided().or_else(edges).or_else(vertices)?;
    Some(TriangleTriangle::new(point_a, point_b))
}

/// Returns the vertex closest to the plane of a triangle, if all are on one side.
fn closest_to_plane(points: &[Point; 3], [a, b, c]: &[Point; 3]) -> Option<usize> {
    let normal = area_vector(a, b, c);
    let heights = points.map(|point| (point - a).dot(&normal));
    let is_apart = heights.iter().all(|height| *height > 0.0) || heights.iter().all(|height| *height < 0.0);
    let lower = |i: usize, j: usize| if heights[j].abs() < heights[i].abs() { j } else { i };
    is_apart.then(|| lower(lower(0, 1), 2))
}

/// Tests of candidates.
struct Query {
    sides_a: [Vector; 3],
    sides_b: [Vector; 3],
    /// How far the rest of a triangle must be behind its closest feature.
    clear: f64,
    /// The square of the least distance.
    least_squared: f64,
}

impl Query {
    fn new(a: &[Point; 3], b: &[Point; 3]) -> Self {
        let sides = |[p, q, r]: &[Point; 3]| [q - p, r - q, p - r];
        let (sides_a, sides_b) = (sides(a), sides(b));
        let size = sides_a.iter().chain(&sides_b).fold(0.0, |size: f64, side| size.max(side.amax()));
        let noise = rounding::length(rounding::largest_coordinate(a.iter().chain(b)));
        let least = LEAST * noise;
        Self { sides_a, sides_b, clear: CLEAR * size + 4.0 * noise, least_squared: least * least }
    }

    /// Whether a point is in front of one beside it, in a direction of any length, by more than the slack.
    fn is_clear(&self, beside: &Vector, direction: &Vector, length_squared: f64) -> bool {
        let height = beside.dot(direction);
        height > 0.0 && height * height > self.clear * self.clear * length_squared
    }

    /// Returns a vertex, and the point of the other triangle closest to it, if they are the closest points.
    fn of_vertex(&self, of: &[Point; 3], k: usize, other: &[Point; 3]) -> Option<[Point; 2]> {
        let near = point_triangle(&of[k], &other[0], &other[1], &other[2]).point;
        let way = of[k] - near;
        let length_squared = way.norm_squared();
        let is_clear = |j: usize| self.is_clear(&(of[j % 3] - of[k]), &way, length_squared);
        (length_squared > self.least_squared && is_clear(k + 1) && is_clear(k + 2)).then_some([of[k], near])
    }

    /// Returns the closest points of two edges, if they are inside both and the closest points of the triangles.
    fn of_edges(&self, a: &[Point; 3], i: usize, b: &[Point; 3], j: usize) -> Option<[Point; 2]> {
        let (along_a, along_b) = (&self.sides_a[i], &self.sides_b[j]);
        // From `a` to `b`, with the third vertices behind each.
        let normal = along_a.cross(along_b);
        let side = (b[j] - a[i]).dot(&normal);
        let normal = if side < 0.0 { -normal } else { normal };
        // The third vertices are one side away from the first.
        let [behind_a, behind_b] = [self.sides_a[(i + 2) % 3], -self.sides_b[(j + 2) % 3]];
        let square = normal.norm_squared();
        if !(self.is_clear(&behind_a, &normal, square) && self.is_clear(&behind_b, &normal, square)) {
            return None;
        }
        let found = segment_segment(&a[i], &a[(i + 1) % 3], &b[j], &b[(j + 1) % 3]);
        let is_inside = |weight: f64| weight > 0.0 && weight < 1.0;
        let crossed = self.clear * self.clear * along_a.norm_squared().max(along_b.norm_squared());
        let is_pair = is_inside(found.s)
            && is_inside(found.t)
            && found.distance_squared > self.least_squared
            && square > crossed;
        is_pair.then_some([found.point_a, found.point_b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersect;
    use crate::sample::{Sample, scaled};

    const A: [Point; 3] = [Point::new(0.0, 0.0, 0.0), Point::new(4.0, 0.0, 0.0), Point::new(0.0, 4.0, 0.0)];

    fn beside(b: [[f64; 3]; 3]) -> Option<[[f64; 3]; 2]> {
        let b = b.map(Point::from);
        let found = unique(&A, &b);
        let all = triangle_triangle(&A, &b);
        assert!(found.is_none_or(|found| found == all), "{found:?} {all:?}");
        found.map(|found| [found.point_a, found.point_b].map(|point| [point.x, point.y, point.z]))
    }

    #[test]
    fn vertex_over_face_beside_edge_and_off_vertex() {
        let spike = |x: f64, y: f64, z: f64| [[x, y, z], [x - 1.0, y - 1.0, z + 5.0], [x + 1.0, y, z + 5.0]];
        assert_eq!(beside(spike(1.0, 2.0, 0.5)), Some([[1.0, 2.0, 0.0], [1.0, 2.0, 0.5]]));
        assert_eq!(beside(spike(2.0, -1.0, 0.5)), Some([[2.0, 0.0, 0.0], [2.0, -1.0, 0.5]]));
        assert_eq!(beside(spike(-2.0, -1.0, 0.5)), Some([[0.0, 0.0, 0.0], [-2.0, -1.0, 0.5]]));
        let roof = [[1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 0.0, 5.0]];
        assert_eq!(beside(roof), None, "parallel to the face");
        let across = [[1.0, -2.0, 0.0], [1.0, -2.5, 9.0], [1.0, -3.0, 5.0]];
        assert_eq!(beside(across), Some([[1.0, 0.0, 0.0], [1.0, -2.0, 0.0]]));
    }

    #[test]
    fn edge_across_edge() {
        let fin = [[2.0, -1.0, 2.0], [2.0, -1.0, -1.0], [2.0, -9.0, 0.0]];
        assert_eq!(beside(fin), Some([[2.0, 0.0, 0.0], [2.0, -1.0, 0.0]]));
    }

    #[test]
    fn none_where_triangles_meet_or_many_points_are_closest() {
        assert_eq!(beside([[1.0, 1.0, 0.0], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0]]), None, "touching");
        let standing = [[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [2.0, 1.0, 3.0]];
        assert_eq!(unique(&A, &standing.map(Point::from)), None, "through");
        assert_eq!(beside([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]), None, "parallel faces");
        assert_eq!(beside([[1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [2.0, -4.0, 0.0]]), None, "parallel edges");
        assert_eq!(unique(&A, &[Point::new(f64::NAN, 0.0, 0.0); 3]), None);
    }

    /// Against all edges, at two scales and far from the origin too; what it leaves out is rare where nothing is parallel.
    #[test]
    fn what_is_unique_is_what_all_edges_find() {
        let mut sample = Sample::new(41);
        let (mut found, mut apart, mut parallel) = (0, 0, 0);
        for round in 0..40_000 {
            let flat = [1.0, 1e-3, 1e-7, 0.0][round % 4];
            let is_grid = round % 5 == 0;
            let far = Vector::repeat([0.0, 1e4][round / 4 % 2]);
            let mut corner = |offset: f64| {
                let p = if is_grid { sample.grid_point(2) } else { sample.point() };
                Point::new(p.x, p.y, p.z * flat + offset) + far
            };
            let a = [corner(0.0), corner(0.0), corner(0.0)];
            let b = [corner(0.7), corner(0.7), corner(0.7)];
            let intersect = intersect::triangles_meet(a.each_ref(), b.each_ref());
            let Some(pair) = unique(&a, &b) else {
                apart += usize::from(!intersect && flat == 1.0 && !is_grid);
                parallel += usize::from(!intersect && is_grid);
                continue;
            };
            assert!(!intersect, "{a:?} {b:?}");
            found += 1;
            let all = triangle_triangle(&a, &b);
            let error = 16.0 * rounding::length(rounding::largest_coordinate(a.iter().chain(&b)));
            assert!((pair.distance_squared.sqrt() - all.distance_squared.sqrt()).abs() <= error);
            // Of points the distance is flat, so that they are known to the root of its error.
            assert!((pair.point_a - all.point_a).norm() <= 1e-6 + 1e3 * error, "{a:?} {b:?}");
            let powers = |power| (a.map(|p| scaled(&p, power)), b.map(|p| scaled(&p, power)));
            let (small_a, small_b) = powers(-100);
            let small = unique(&small_a, &small_b).unwrap();
            assert_eq!(small.point_a, scaled(&pair.point_a, -100));
        }
        assert!(found > 15_000 && apart < 200 && parallel > 500, "{found} {apart} {parallel}");
    }
}
