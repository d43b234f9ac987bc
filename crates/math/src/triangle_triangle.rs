//! Closest points of two triangles that do not intersect.
//!
//! A vertex of one and the other triangle, or two edges, are closest. Two points are the closest of two convex bodies where the
//! planes through them, across the line between them, have each body behind: most pairs are settled by this test of few candidates
//! ([`triangles_within`]), without a look at all the others.

use crate::nearest::{point_triangle, segment_segment};
use crate::segment_triangle::segment_triangle;
use crate::{Point, Vector, rounding};

/// The closest points of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTriangle {
    /// The closest points of the first and the second.
    pub points: [Point; 2],
    /// The weights of their vertices: none negative, their sums one up to rounding error, exactly zero off the feature.
    pub weights: [[f64; 3]; 2],
    /// The squared distance between the two points.
    pub distance_squared: f64,
}

impl TriangleTriangle {
    fn exchanged(self) -> Self {
        let ([p, q], [u, v]) = (self.points, self.weights);
        Self { points: [q, p], weights: [v, u], ..self }
    }
}

/// Returns the closest points of two triangles that do not intersect: an edge of one is closest to the other. Ties go to the
/// first, edges of `a` before those of `b`.
pub fn triangle_triangle(a: &[Point; 3], b: &[Point; 3]) -> TriangleTriangle {
    let beside = |side: usize, of: &[Point; 3], other: &[Point; 3]| {
        let near = segment_triangle(&of[side], &of[(side + 1) % 3], &other[0], &other[1], &other[2]);
        TriangleTriangle {
            points: [near.point_on_segment, near.point_on_triangle],
            weights: [on_side(side, near.t), near.weights],
            distance_squared: near.distance_squared,
        }
    };
    let edges_of_a = (0..3).map(|side| beside(side, a, b));
    let edges_of_b = (0..3).map(|side| beside(side, b, a).exchanged());
    let closer = |x: TriangleTriangle, y: TriangleTriangle| {
        if y.distance_squared < x.distance_squared { y } else { x }
    };
    edges_of_a.chain(edges_of_b).reduce(closer).expect("six edges")
}

/// Returns the weights of the point of side `side` at parameter `t`.
fn on_side(side: usize, t: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    (weights[side], weights[(side + 1) % 3]) = (1.0 - t, t);
    weights
}

/// The result of [`triangles_within`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TrianglesWithin {
    /// They are farther apart than the reach.
    Beyond,
    /// The closest points, which are unique; the triangles certainly do not intersect.
    Unique(TriangleTriangle),
    /// They intersect, or parallel edges or faces may be closest, or rounding error decides.
    Open,
}

/// How far all else must be behind the closest features for them to be unique, relative to the size of the triangles: more than
/// rounding error turns the line between them at the [least](LEAST) distance, so that neither can be lowered alone.
const CLEAR: f64 = 1e-6;

/// The least distance, relative to the [rounding error](rounding::length) of the coordinates: of less the direction is uncertain.
const LEAST: f64 = (1 << 20) as f64;

/// How much farther than the reach two triangles must be for rounding not to decide, relative to both.
const BEYOND: f64 = 1e-9;

/// Returns the closest points of two triangles where a few candidates prove them, in a fraction of the time of
/// [`triangle_triangle`]. Triangles farther apart than `reach`, in metres, are `Beyond` or `Unique`.
///
/// The distance is that of [`triangle_triangle`], up to rounding error. The points of nearly parallel edges and of needles are as
/// uncertain as the distance leaves them.
pub fn triangles_within(a: &[Point; 3], b: &[Point; 3], reach: f64) -> TrianglesWithin {
    let query = Query::new(a, b, reach);
    let from = [Side::new(&query, 0), Side::new(&query, 1)];
    let gaps = from.each_ref().map(|side| side.gap(&side.normal));
    if (0..2).any(|k| from[k].is_beyond(gaps[k].0, &from[k].normal)) {
        return TrianglesWithin::Beyond;
    }
    // Where a face separates them the vertex closest to its plane is the first to try.
    let guided = |k: usize| if gaps[k].0 > 0.0 { query.of_vertex(1 - k, gaps[k].1) } else { None };
    if let Some(found) = guided(0).or_else(|| guided(1)) {
        return TrianglesWithin::Unique(found);
    }
    if from.iter().any(Side::is_beyond_a_side) {
        return TrianglesWithin::Beyond;
    }
    let edges = || (0..9).find_map(|pair| query.of_edges(pair / 3, pair % 3));
    let vertices = || (0..6).find_map(|k| query.of_vertex(k / 3, k % 3));
    edges().or_else(vertices).map_or(TrianglesWithin::Open, TrianglesWithin::Unique)
}

/// Whether a segment is certainly farther from a triangle than a reach, in metres: by the triangle's plane, or one across it through
/// one of its sides. Takes a fraction of the time of their closest points.
pub fn is_segment_beyond(ends: [&Point; 2], triangle: &[Point; 3], reach: f64) -> bool {
    let segment = [*ends[0], *ends[1], *ends[1]];
    let query = Query::new(triangle, &segment, reach);
    let side = Side::new(&query, 0);
    side.is_beyond(side.gap(&side.normal).0, &side.normal) || side.is_beyond_a_side()
}

/// Both triangles, and what decides.
struct Query<'a> {
    corners: [&'a [Point; 3]; 2],
    /// Side `k` runs from corner `k` to the next.
    sides: [[Vector; 3]; 2],
    /// The square of how far the rest of a triangle must be behind its closest feature.
    clear_squared: f64,
    /// The square of the least distance at which a pair is unique.
    least_squared: f64,
    /// The square of the reach, with a margin above the rounding error of a gap.
    beyond: f64,
}

impl<'a> Query<'a> {
    fn new(a: &'a [Point; 3], b: &'a [Point; 3], reach: f64) -> Self {
        let sides = [a, b].map(|[p, q, r]| [q - p, r - q, p - r]);
        let [of_a, of_b] = &sides;
        // Two sides of each bound the third.
        let size_squared = (of_a[0].norm_squared() + of_a[1].norm_squared())
            + (of_b[0].norm_squared() + of_b[1].norm_squared());
        let noise = rounding::length(largest_coordinate(a).max(largest_coordinate(b)));
        let (noise_squared, reach_squared) = (noise * noise, reach * reach);
        Self {
            corners: [a, b],
            sides,
            clear_squared: CLEAR * CLEAR * size_squared + 16.0 * noise_squared,
            least_squared: LEAST * LEAST * noise_squared,
            beyond: reach_squared * (1.0 + BEYOND) + BEYOND * BEYOND * size_squared + noise_squared,
        }
    }

    /// Whether a point is in front of one beside it, in a direction of any length, by enough.
    fn is_clear(&self, beside: &Vector, direction: &Vector, length_squared: f64) -> bool {
        let height = beside.dot(direction);
        height > 0.0 && height * height > self.clear_squared * length_squared
    }

    /// Returns vertex `k` of one triangle, and the point of the other closest to it, if they are the closest points.
    fn of_vertex(&self, of: usize, k: usize) -> Option<TriangleTriangle> {
        let (vertex, other, sides) = (&self.corners[of][k], self.corners[1 - of], &self.sides[of]);
        let near = point_triangle(vertex, &other[0], &other[1], &other[2]);
        let way = vertex - near.point;
        let square = near.distance_squared;
        let is_pair = square > self.least_squared
            && self.is_clear(&sides[k], &way, square)
            && self.is_clear(&-sides[(k + 2) % 3], &way, square);
        let found = || TriangleTriangle {
            points: [*vertex, near.point],
            weights: [on_side(k, 0.0), near.weights],
            distance_squared: square,
        };
        is_pair.then(|| if of == 0 { found() } else { found().exchanged() })
    }

    /// Returns the closest points of two sides, if they are inside both and the closest points of the triangles.
    fn of_edges(&self, i: usize, j: usize) -> Option<TriangleTriangle> {
        let ([a, b], [sides_a, sides_b]) = (self.corners, &self.sides);
        let (along_a, along_b) = (&sides_a[i], &sides_b[j]);
        // Points from `a` to `b`: there the third vertex of `a` must be below its edge, and that of `b` above its own.
        let normal = along_a.cross(along_b);
        let normal = if (b[j] - a[i]).dot(&normal) < 0.0 { -normal } else { normal };
        let square = normal.norm_squared();
        let is_clear = self.is_clear(&sides_a[(i + 2) % 3], &normal, square)
            && self.is_clear(&-sides_b[(j + 2) % 3], &normal, square)
            && square > self.clear_squared * along_a.norm_squared().max(along_b.norm_squared());
        if !is_clear {
            return None;
        }
        let found = segment_segment(&a[i], &a[(i + 1) % 3], &b[j], &b[(j + 1) % 3]);
        let is_inside = |weight: f64| weight > 0.0 && weight < 1.0;
        (is_inside(found.s) && is_inside(found.t) && found.distance_squared > self.least_squared).then(|| {
            TriangleTriangle {
                points: [found.point_a, found.point_b],
                weights: [on_side(i, found.s), on_side(j, found.t)],
                distance_squared: found.distance_squared,
            }
        })
    }
}

/// One of the triangles, with the corners of the other relative to its own first corner.
struct Side<'a> {
    query: &'a Query<'a>,
    sides: &'a [Vector; 3],
    normal: Vector,
    others: [Vector; 3],
}

impl<'a> Side<'a> {
    fn new(query: &'a Query<'a>, of: usize) -> Self {
        let (sides, base) = (&query.sides[of], &query.corners[of][0]);
        let others = query.corners[1 - of].each_ref().map(|corner| corner - base);
        Self { query, sides, normal: sides[0].cross(&sides[1]), others }
    }

    /// Returns the gap along an axis of any length, on either side, times that length; and the other's corner that ends it. The corners of
    /// this triangle are measured too, since its normal may be inexact.
    fn gap(&self, axis: &Vector) -> (f64, usize) {
        let ends = |heights: [f64; 3]| {
            let first = |i: usize, j: usize| if heights[j] < heights[i] { j } else { i };
            let last = |i: usize, j: usize| if heights[j] > heights[i] { j } else { i };
            (heights, first(first(0, 1), 2), last(last(0, 1), 2))
        };
        let (own, own_first, own_last) = ends([0.0, self.sides[0].dot(axis), -self.sides[2].dot(axis)]);
        let (other, first, last) = ends(self.others.map(|corner| corner.dot(axis)));
        let (above, below) = (other[first] - own[own_last], own[own_first] - other[last]);
        if above > below { (above, first) } else { (below, last) }
    }

    /// Whether a gap along an axis is beyond the reach. The second comparison is for products too small for the first; an axis too short
    /// for its square shows nothing.
    fn is_beyond(&self, gap: f64, axis: &Vector) -> bool {
        let square = axis.norm_squared();
        gap > 0.0
            && gap * gap > self.query.beyond * square
            && square >= f64::MIN_POSITIVE
            && gap > self.query.beyond.sqrt() * square.sqrt()
    }

    /// Whether the other is beyond the reach along an axis in the plane, across one of the sides.
    fn is_beyond_a_side(&self) -> bool {
        self.sides.iter().any(|side| {
            let axis = side.cross(&self.normal);
            self.is_beyond(self.gap(&axis).0, &axis)
        })
    }
}

/// Returns the largest magnitude of the coordinates, by as few dependent steps as there are.
fn largest_coordinate([a, b, c]: &[Point; 3]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| a[axis].abs().max(b[axis].abs()).max(c[axis].abs()));
    x.max(y).max(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intersect;
    use crate::sample::{Sample, scaled};

    const A: [Point; 3] = [Point::new(0.0, 0.0, 0.0), Point::new(4.0, 0.0, 0.0), Point::new(0.0, 4.0, 0.0)];

    fn beside(b: [[f64; 3]; 3]) -> Option<[[f64; 3]; 2]> {
        let b = b.map(Point::from);
        let TrianglesWithin::Unique(found) = triangles_within(&A, &b, 9.0) else { return None };
        assert_eq!(found, triangle_triangle(&A, &b));
        Some(found.points.map(|point| [point.x, point.y, point.z]))
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
        assert_eq!(triangles_within(&A, &standing.map(Point::from), 1.0), TrianglesWithin::Open, "through");
        assert_eq!(beside([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]), None, "parallel faces");
        assert_eq!(beside([[1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [2.0, -4.0, 0.0]]), None, "parallel edges");
        assert_eq!(triangles_within(&A, &[Point::new(f64::NAN, 0.0, 0.0); 3], 1.0), TrianglesWithin::Open);
    }

    /// Against all edges, at two scales and far from the origin too: also flat and needle-shaped triangles, and on a grid, where
    /// many edges are parallel.
    #[test]
    fn what_is_settled_is_what_all_edges_find() {
        let mut sample = Sample::new(41);
        let (mut found, mut beyond, mut open, mut parallel) = (0, 0, 0, 0);
        for round in 0..40_000 {
            let flat = [1.0, 1e-3, 1e-7, 0.0][round % 4];
            let is_grid = round % 5 == 0;
            let far = Vector::repeat([0.0, 1e4][round / 4 % 2]);
            let mut corner = |offset: f64| {
                let p = if is_grid { sample.grid_point(2) } else { sample.point() };
                Point::new(p.x, p.y, p.z * flat + offset) + far
            };
            let a = [corner(0.0), corner(0.0), corner(0.0)];
            let b = [corner(0.5), corner(0.5), corner(0.5)];
            let intersect = intersect::triangles_meet(a.each_ref(), b.each_ref());
            let all = triangle_triangle(&a, &b);
            let distance = if intersect { 0.0 } else { all.distance_squared.sqrt() };
            let (reach, error) =
                (0.6, 16.0 * rounding::length(largest_coordinate(&a).max(largest_coordinate(&b))));
            match triangles_within(&a, &b, reach) {
                TrianglesWithin::Beyond => {
                    assert!(distance > reach, "{a:?} {b:?}");
                    beyond += 1;
                }
                TrianglesWithin::Open => {
                    open += usize::from(!intersect && flat == 1.0 && !is_grid);
                    parallel += usize::from(!intersect && is_grid);
                }
                TrianglesWithin::Unique(pair) => {
                    assert!(!intersect, "{a:?} {b:?}");
                    assert!((pair.distance_squared.sqrt() - distance).abs() <= error);
                    beyond += usize::from(distance > reach);
                    // The distance is flat there, so that points are known to the root of its error.
                    let apart = [0, 1].map(|side| (pair.points[side] - all.points[side]).norm());
                    assert!(apart.iter().all(|apart| *apart <= 1e-6 + 1e3 * error), "{a:?} {b:?}");
                    for (side, corners) in [a, b].iter().enumerate() {
                        let [u, v, w] = pair.weights[side];
                        let place = corners[0].coords * u + corners[1].coords * v + corners[2].coords * w;
                        assert!((place - pair.points[side].coords).norm() <= error);
                    }
                    found += 1;
                }
            }
            // Scale decides nothing.
            let small = [a, b].map(|corners| corners.map(|p| scaled(&p, -100)));
            match (
                triangles_within(&a, &b, reach),
                triangles_within(&small[0], &small[1], reach * 0.5_f64.powi(100)),
            ) {
                (TrianglesWithin::Unique(x), TrianglesWithin::Unique(y)) => {
                    assert_eq!((x.points.map(|p| scaled(&p, -100)), x.weights), (y.points, y.weights));
                }
                (x, y) => assert_eq!(x, y),
            }
        }
        assert!(found > 8_000 && beyond > 3_000, "{found} {beyond}");
        assert!(open < 200 && parallel > 200, "{open} {parallel}");
    }

    /// A triangle so thin that its normal is rounding error does not hide another.
    #[test]
    fn a_needle_is_never_beyond_what_it_reaches() {
        let mut sample = Sample::new(42);
        let mut near = 0;
        for round in 0..20_000 {
            let (start, along) = (sample.point(), sample.vector());
            let thin = sample.vector() * 10.0_f64.powi(-(round % 20));
            let a = [start, start + along, start + along * 0.4 + thin];
            let b = [(); 3].map(|()| sample.point());
            if intersect::triangles_meet(a.each_ref(), b.each_ref()) {
                continue;
            }
            let distance = triangle_triangle(&a, &b).distance_squared.sqrt();
            assert_ne!(triangles_within(&a, &b, distance * (1.0 + 1e-8) + 1e-14), TrianglesWithin::Beyond);
            near += 1;
        }
        assert!(near > 10_000);
    }

    #[test]
    fn only_segments_beyond_the_reach_are_left_out() {
        let mut sample = Sample::new(43);
        let (mut left_out, mut far) = (0, 0);
        for round in 0..20_000 {
            let flat = [1.0, 1e-3, 0.0][round % 3];
            let mut corner = || sample.point() + Vector::new(0.0, 0.0, (flat - 1.0) * sample.number());
            let triangle = [corner(), corner(), corner()];
            let (p, q) = (corner(), corner());
            let [a, b, c] = &triangle;
            let distance = segment_triangle(&p, &q, a, b, c).distance_squared.sqrt();
            assert!(!is_segment_beyond([&p, &q], &triangle, distance));
            let is_out = is_segment_beyond([&p, &q], &triangle, 0.2);
            assert!(!is_out || distance > 0.2);
            left_out += usize::from(is_out);
            far += usize::from(distance > 0.2);
        }
        assert!(left_out > 5_000 && 4 * left_out > 3 * far, "{left_out} of {far}");
    }

    /// The square of an axis across a triangle so small, or so thin, vanishes.
    #[test]
    fn what_is_too_small_for_its_square_is_not_beyond() {
        let thin = [Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.5, 1.5e-162, 0.0)];
        let tiny = [Point::origin(), Point::new(6e-55, 1e-56, 0.0), Point::new(-2e-56, 3e-55, 2e-55)];
        let other = [[0.2, 0.0, 1.2], [0.3, 0.4, 1.3], [0.5, -0.2, 1.25]].map(Point::from);
        for triangle in [thin, tiny] {
            assert_ne!(triangles_within(&triangle, &other, 100.0), TrianglesWithin::Beyond);
            assert!(!is_segment_beyond([&other[0], &other[1]], &triangle, 100.0));
        }
    }
}
