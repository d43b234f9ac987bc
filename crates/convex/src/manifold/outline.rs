//! Outline of coplanar points, within a tolerance.

use nalgebra::Vector3;
use palpate_math::{Aabb, Point};

use crate::convex_hull::ring;

type Vector = Vector3<f64>;

/// The outline of some points.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    /// Corners of a strictly convex polygon, in order; fewer than three for collinear points.
    pub(super) corners: Vec<u32>,
    /// The other points.
    pub(super) aside: Vec<u32>,
}

/// Computes the outline of some coplanar points, counter-clockwise about the normal.
pub(super) fn outline(points: &[Point], of: &[u32], normal: &Vector, tolerance: f64) -> Outline {
    let mut ring = ring(points, of.to_vec(), normal.iamax());
    if normal[normal.iamax()] < 0.0 {
        ring.reverse();
    }
    simplified(points, &ring, of, tolerance)
}

/// Removes the corners of a convex ring that are on the chord between others, within a tolerance. A corner is replaced
/// by the lowest-numbered point coincident with it, within the tolerance. All `of` that are not corners are aside.
pub(super) fn simplified(points: &[Point], ring: &[u32], of: &[u32], tolerance: f64) -> Outline {
    let at = |index: usize| points[ring[index % ring.len()] as usize];
    let on_chord = |from: usize, to: usize| {
        (from + 1..to).all(|between| off_segment(&at(between), [&at(from), &at(to)]) <= tolerance)
    };
    let mut corners = Vec::new();
    // The point farthest from any given point is a corner.
    let far = |index: usize| (at(index) - at(0)).norm();
    let start = (0..ring.len()).fold(0, |best, k| if far(k) > far(best) { k } else { best });
    let (mut here, end) = (start, start + ring.len());
    while here < end {
        corners.push(ring[here % ring.len()]);
        let mut next = here + 1;
        while next < end && on_chord(here, next + 1) {
            next += 1;
        }
        here = next;
    }
    if corners.len() < of.len() {
        let bounds = Aabb::from_points(of.iter().map(|&id| points[id as usize]));
        let axis = bounds.longest_axis();
        let along = |id: u32| points[id as usize][axis];
        let mut sorted = of.to_vec();
        sorted.sort_unstable_by(|&x, &y| along(x).total_cmp(&along(y)));
        for corner in &mut corners {
            let place = points[*corner as usize];
            // Twice the tolerance: for rounding error.
            let (low, high) = (place[axis] - 2.0 * tolerance, place[axis] + 2.0 * tolerance);
            let near = &sorted[sorted.partition_point(|&id| along(id) < low)..];
            let near = near.iter().take_while(|&&id| along(id) <= high);
            let there = near.filter(|&&id| (points[id as usize] - place).norm() <= tolerance);
            *corner = there.copied().min().unwrap_or(*corner);
        }
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
    }
    let mut sorted = corners.clone();
    sorted.sort_unstable();
    let aside = of.iter().copied().filter(|id| sorted.binary_search(id).is_err()).collect();
    Outline { corners, aside }
}

/// Returns the distance of a point from a segment.
fn off_segment(point: &Point, [start, end]: [&Point; 2]) -> f64 {
    let (along, to) = (end - start, point - start);
    let square = along.norm_squared();
    let t = if square > 0.0 { (to.dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (to - along * t).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of side 4 perpendicular to z, by its corners, the midpoints of its sides and its centre.
    fn square() -> Vec<Point> {
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        let others = [[2.0, 0.0], [4.0, 2.0], [2.0, 4.0], [0.0, 2.0], [2.0, 2.0]];
        corners.iter().chain(&others).map(|&[x, y]| Point::new(x, y, 1.0)).collect()
    }

    #[test]
    fn what_is_on_a_line_to_the_tolerance_is_no_corner() {
        for off in [0.0, 1e-15, -1e-15, 1e-3] {
            let mut points = square();
            points[4].y -= off;
            points[5].x += off;
            let all: Vec<u32> = (0..9).collect();
            let found = outline(&points, &all, &Vector::z(), 1e-14);
            let first = found.corners.iter().position(|&id| id == 0).unwrap();
            let mut corners = found.corners.clone();
            corners.rotate_left(first);
            let wanted = if off == 1e-3 {
                (vec![0, 4, 1, 5, 2, 3], vec![6, 7, 8])
            } else {
                (vec![0, 1, 2, 3], vec![4, 5, 6, 7, 8])
            };
            assert_eq!((&corners, &found.aside), (&wanted.0, &wanted.1), "{off}");
            let mut below = outline(&points, &all, &-Vector::z(), 1e-14).corners;
            below.reverse();
            let first = below.iter().position(|&id| id == 0).unwrap();
            below.rotate_left(first);
            assert_eq!(below, corners, "seen from the other side");
        }
    }

    /// Of three coincident corners the lowest is kept, also where another one is on the ring.
    #[test]
    fn of_corners_in_one_place_the_lowest_stays() {
        let mut points = square()[..4].to_vec();
        points.insert(0, points[2] - Vector::new(1e-16, 1e-16, 0.0) * 4.0);
        points.push(points[3] + Vector::new(4e-16, 0.0, 0.0));
        let found = outline(&points, &[0, 1, 2, 3, 4, 5], &Vector::z(), 1e-14);
        let mut corners = found.corners.clone();
        corners.sort_unstable();
        assert_eq!((corners, found.aside), (vec![0, 1, 2, 4], vec![3, 5]));
    }

    #[test]
    fn points_on_a_line_have_two_corners() {
        let points: Vec<Point> =
            [[0.0, 0.0], [3.0, 1e-15], [8.0, 0.0]].map(|[x, y]| Point::new(x, y, 0.0)).to_vec();
        let found = simplified(&points, &[0, 1, 2], &[0, 1, 2], 1e-14);
        assert_eq!((found.corners, found.aside), (vec![2, 0], vec![1]));
    }

    /// A square whose far corner is cut off, with a lower-numbered point coincident with both corners there: the first
    /// and the last corner of the ring are the same.
    #[test]
    fn a_corner_in_which_the_ring_starts_and_ends_is_there_once() {
        let corners = [[3.935, 3.93], [0.0, 0.0], [4.0, 0.0], [4.0, 3.86], [3.87, 4.0], [0.0, 4.0]];
        let points = corners.map(|[x, y]| Point::new(x, y, 0.0));
        let found = simplified(&points, &[1, 2, 3, 4, 5], &[0, 1, 2, 3, 4, 5], 0.1);
        assert_eq!((found.corners, found.aside), (vec![0, 5, 1, 2], vec![3, 4]));
    }
}
