//! Distance from a point to a triangle, for searches over many triangles.
//!
//! Bitwise the arithmetic of [`point_triangle`], without the parts needed only for the closest triangle, and with
//! selections instead of branches: the closest feature is unpredictable, and a misprediction costs more than the
//! arithmetic.

use std::hint::select_unpredictable;

use crate::nearest::point_triangle::{NARROW, point_triangle};
use crate::{Point, Vector};

/// Returns the squared distance from `p` to the triangle `a b c`, in metres squared: bitwise equal to
/// [`point_triangle`]`(p, a, b, c).distance_squared`, in about half the time.
#[inline]
pub fn point_triangle_distance_squared(p: &Point, a: &Point, b: &Point, c: &Point) -> f64 {
    let triangle = Triangle::new(a, b, c);
    let longest = triangle.longest();
    let longest_squared = triangle.squares[longest];
    let normal = triangle.sides[0].cross(&-triangle.sides[2]);
    if normal.norm_squared() > longest_squared * longest_squared * (NARROW * NARROW) {
        let to_p = [p - a, p - b, p - c];
        triangle.above_face(p, &to_p, &normal, longest).unwrap_or_else(|| triangle.beside(p, &to_p))
    } else {
        // Rare and dominated by rounding: handled by the general function.
        point_triangle(p, a, b, c).distance_squared
    }
}

struct Triangle<'a> {
    corners: [&'a Point; 3],
    /// Side `k` runs from corner `k` to the next.
    sides: [Vector; 3],
    /// The squared lengths of the sides.
    squares: [f64; 3],
}

impl<'a> Triangle<'a> {
    #[inline]
    fn new(a: &'a Point, b: &'a Point, c: &'a Point) -> Self {
        let sides = [b - a, c - b, a - c];
        let squares = [sides[0].norm_squared(), sides[1].norm_squared(), sides[2].norm_squared()];
        Self { corners: [a, b, c], sides, squares }
    }

    /// Returns the longest side; ties go to the lowest.
    #[inline]
    fn longest(&self) -> usize {
        let of_first_two = usize::from(self.squares[1] > self.squares[0]);
        if self.squares[2] > self.squares[of_first_two] { 2 } else { of_first_two }
    }

    /// Returns the squared distance from a point that lies strictly above or below the face; `to_p` from every corner.
    #[inline]
    fn above_face(&self, p: &Point, to_p: &[Vector; 3], normal: &Vector, side: usize) -> Option<f64> {
        let (along, to_p) = (&self.sides[side], &to_p[side]);
        // From the start of the side to the tip: the previous side, reversed.
        let to_tip = -self.sides[(side + 2) % 3];
        let area = along.cross(to_p).dot(normal);
        let across = area / normal.norm_squared();
        let beside = (to_p.dot(along) - across * to_tip.dot(along)) / self.squares[side];
        let rest = 1.0 - beside - across;
        let point = self.corners[side] + along * beside + to_tip * across;
        // All three positive: one test of the least of them instead of three.
        let least = if beside < rest { beside } else { rest };
        let least = if area < least { area } else { least };
        (least > 0.0).then(|| (p - point).norm_squared())
    }

    /// Returns the squared distance from a point to the closest of the three sides; `to_p` from every corner.
    #[inline]
    fn beside(&self, p: &Point, to_p: &[Vector; 3]) -> f64 {
        let first = self.to_side(p, to_p, 0);
        let second = self.to_side(p, to_p, 1);
        let third = self.to_side(p, to_p, 2);
        let nearer = if second < first { second } else { first };
        if third < nearer { third } else { nearer }
    }

    /// As [`crate::nearest::point_segment`]: measured from the closer end; ties go to the start.
    #[inline]
    fn to_side(&self, p: &Point, to_p: &[Vector; 3], side: usize) -> f64 {
        let next = (side + 1) % 3;
        let (along, length_squared) = (&self.sides[side], self.squares[side]);
        let from_start = to_p[side].dot(along);
        let from_end = (-to_p[next]).dot(along);
        let at_start = (from_start <= from_end) | (from_start <= 0.0) | (length_squared == 0.0);
        let either = |start: f64, end: f64| select_unpredictable(at_start, start, end);
        let base = self.corners[side].coords.zip_map(&self.corners[next].coords, either);
        let way = either(from_start, from_end);
        let is_between = (way > 0.0) & (length_squared != 0.0);
        let t = select_unpredictable(is_between, way / length_squared, 0.0);
        let point = Point::from(base) + along * either(t, -t);
        (p - point).norm_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::TriangleFeature;
    use crate::sample::{Sample, scaled};

    fn assert_same_bits(p: &Point, [a, b, c]: &[Point; 3]) -> TriangleFeature {
        let whole = point_triangle(p, a, b, c);
        let alone = point_triangle_distance_squared(p, a, b, c);
        assert_eq!(alone.to_bits(), whole.distance_squared.to_bits(), "{p} to {a} {b} {c}: {alone:e}");
        whole.feature
    }

    #[test]
    fn the_bits_are_those_of_the_whole_answer_on_every_part() {
        let mut sample = Sample::new(31);
        let mut hits = [0; 3];
        for _ in 0..20_000 {
            let triangle = [sample.point(), sample.point(), sample.point()];
            let p = sample.point();
            for power in [-30, 0, 30] {
                let at_power = triangle.map(|corner| scaled(&corner, power));
                match assert_same_bits(&scaled(&p, power), &at_power) {
                    TriangleFeature::Vertex(_) => hits[0] += 1,
                    TriangleFeature::Edge(_) => hits[1] += 1,
                    TriangleFeature::Face => hits[2] += 1,
                }
            }
        }
        assert!(hits.iter().all(|&count| count > 3_000), "{hits:?}");
    }

    #[test]
    fn ties_and_degenerate_triangles_agree_too() {
        let mut sample = Sample::new(32);
        let mut flat = 0;
        for _ in 0..20_000 {
            let triangle = [sample.grid_point(2), sample.grid_point(2), sample.grid_point(2)];
            assert_same_bits(&sample.grid_point(3), &triangle);
            flat += usize::from(crate::triangle::is_flat(&triangle[0], &triangle[1], &triangle[2]));
        }
        assert!(flat > 500, "{flat} flat triangles");
    }

    #[test]
    fn narrow_triangles_and_far_points_agree_too() {
        let mut sample = Sample::new(33);
        for _ in 0..20_000 {
            let (a, b, width) = (sample.point(), sample.point(), sample.number());
            let tip = a + (b - a) * sample.fraction() + sample.vector() * (1e-3 * width);
            assert_same_bits(&sample.point(), &[a, b, tip]);
            let far = Point::from(sample.vector() * 1e9);
            assert_same_bits(&far, &[a, b, sample.point()]);
        }
    }
}
