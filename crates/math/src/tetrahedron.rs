//! Tetrahedra: volume, degeneracy and containment.

use crate::orient::orient3d;
use crate::{Point, rounding};

/// Returns six times the signed volume: positive if `d` lies on the side to which the normal of `a b c` points. The
/// sign is exact.
#[inline]
pub fn six_volumes([a, b, c, d]: [&Point; 4]) -> f64 {
    orient3d(a, b, c, d)
}

/// Whether the volume is within the [rounding error](rounding::length) of the coordinates of zero.
#[inline]
pub fn is_flat(corners: [&Point; 4]) -> bool {
    let [a, b, c, d] = corners;
    let longest_squared = [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)]
        .iter()
        .fold(0.0, |longest: f64, (from, to)| longest.max((*to - *from).norm_squared()));
    let undecided = rounding::length(rounding::largest_coordinate(corners));
    six_volumes(corners).abs() <= longest_squared * undecided
}

/// Whether `point` lies in the closed tetrahedron, for either order of its corners; decided exactly, so that a point on
/// a face shared by two tetrahedra is in both, and there are no gaps. A tetrahedron of volume zero contains nothing.
#[inline]
pub fn contains(corners: [&Point; 4], point: &Point) -> bool {
    let volume = six_volumes(corners);
    volume != 0.0 && (0..4).all(|corner| volume_opposite(corners, corner, point) * volume.signum() >= 0.0)
}

/// Returns [`six_volumes`] with corner `corner` moved to `point`: the exact side of the opposite face on which `point`
/// lies; its ratio to [`six_volumes`] is the barycentric weight of that corner.
#[inline]
pub fn volume_opposite(corners: [&Point; 4], corner: usize, point: &Point) -> f64 {
    let mut moved = corners;
    moved[corner] = point;
    six_volumes(moved)
}

/// Returns the corners of face `corner`, opposite that corner, counter-clockwise seen from outside if the
/// [volume](six_volumes) is positive.
#[inline]
pub fn face_corners(corner: usize) -> [usize; 3] {
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    FACES[corner]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use crate::triangle::area_vector;

    const UNIT: [Point; 4] = [
        Point::new(0.0, 0.0, 0.0),
        Point::new(1.0, 0.0, 0.0),
        Point::new(0.0, 1.0, 0.0),
        Point::new(0.0, 0.0, 1.0),
    ];

    #[test]
    fn the_unit_corner() {
        let corners = UNIT.each_ref();
        assert_eq!(six_volumes(corners), 1.0);
        let swapped = [corners[1], corners[0], corners[2], corners[3]];
        assert_eq!(six_volumes(swapped), -1.0);
        for corners in [corners, swapped] {
            assert!(!is_flat(corners));
            assert!(corners.iter().all(|corner| contains(corners, corner)));
            assert!(contains(corners, &Point::new(0.25, 0.25, 0.25)));
            assert!(contains(corners, &Point::new(0.5, 0.5, 0.0)));
            assert!(!contains(corners, &Point::new(0.5, 0.5, f64::MIN_POSITIVE)));
            assert!(!contains(corners, &Point::new(0.25, 0.25, -f64::MIN_POSITIVE)));
        }
    }

    #[test]
    fn faces_look_outward() {
        let middle = Point::new(0.25, 0.25, 0.25);
        for corner in 0..4 {
            let [i, j, k] = face_corners(corner);
            assert!(i != corner && j != corner && k != corner);
            let outward = area_vector(&UNIT[i], &UNIT[j], &UNIT[k]);
            assert!(outward.dot(&(UNIT[i] - middle)) > 0.0, "face {corner}");
        }
    }

    #[test]
    fn flat_ones_hold_nothing() {
        let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Point::new(x, y, 0.3));
        assert!(is_flat(square.each_ref()));
        assert!(!contains(square.each_ref(), &Point::new(0.5, 0.5, 0.3)));
        let point = UNIT[1];
        assert!(is_flat([&point; 4]) && !contains([&point; 4], &point));
    }

    /// Two tetrahedra on either side of a shared face leave no gap: every point of a segment across is in one.
    #[test]
    fn neighbours_leave_no_gap_at_any_scale() {
        let mut sample = Sample::new(4);
        let mut on_both = 0;
        for _ in 0..2000 {
            let face = [sample.grid_point(3), sample.grid_point(3), sample.grid_point(3)];
            let (above, below) = (sample.grid_point(3), sample.grid_point(3));
            let [a, b, c] = face.each_ref();
            if orient3d(a, b, c, &above) <= 0.0 || orient3d(a, b, c, &below) >= 0.0 {
                continue;
            }
            let [u, v, w]: [f64; 3] = sample.weights();
            // A point of the face, rounded: on either side of it, or on it.
            let near = Point::from(a.coords * u + b.coords * v + c.coords * w);
            let (in_above, in_below) =
                (contains([a, b, c, &above], &near), contains([a, b, c, &below], &near));
            assert!(in_above || in_below, "{near} is in neither");
            on_both += i32::from(in_above && in_below);
            for power in [-30, 30] {
                let [a, b, c, above, near] = [*a, *b, *c, above, near].map(|p| scaled(&p, power));
                assert_eq!(contains([&a, &b, &c, &above], &near), in_above);
            }
        }
        assert!(on_both > 50, "{on_both} points on the face itself");
    }
}
