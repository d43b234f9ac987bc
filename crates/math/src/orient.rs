//! Exact orientation predicates: the side of a line or plane on which a point lies.
//!
//! Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
//! Discrete & Computational Geometry 18 (1997), sections 4.2 and 4.3, DOI 10.1007/PL00009321; the arithmetic is that of
//! the crate `robust`. The sign is exact as long as no product of three lengths underflows (lengths above 1e-90).

use robust::{Coord, Coord3D};

use crate::Point;

/// Returns six times the signed volume of the tetrahedron `a b c d`: positive if `d` lies on the side of the plane
/// `a b c` to which its normal `(b - a) × (c - a)` points, zero exactly if the four points are coplanar.
///
/// The sign is exact; the magnitude is accurate up to the rounding error of the products summed.
#[inline]
pub fn orient3d(a: &Point, b: &Point, c: &Point, d: &Point) -> f64 {
    let coordinates = |p: &Point| Coord3D { x: p.x, y: p.y, z: p.z };
    // The source counts the other side as positive; subtracting from zero keeps an exact zero positive.
    0.0 - robust::orient3d(coordinates(a), coordinates(b), coordinates(c), coordinates(d))
}

/// Returns a bound of the rounding error of [`orient3d`], and of the same product in plain arithmetic, of a triangle and either of two
/// points: more than 42 units of the product of the three lengths (section 4.3 of the source).
#[inline]
pub fn orient3d_error([a, b, c]: [&Point; 3], points: [&Point; 2]) -> f64 {
    const UNITS: f64 = 64.0 * f64::EPSILON;
    let [ab, ac, first, second] = [b, c, points[0], points[1]].map(|point| (point - a).amax());
    UNITS * ab * ac * first.max(second)
}

/// Returns twice the signed area of the triangle `a b c` projected along `axis` (0, 1, 2 for x, y, z, looking against
/// the axis, so that the next two axes in cyclic order span the picture): positive if counter-clockwise, zero exactly
/// if the three projected points are collinear.
#[inline]
pub fn orient2d_along(axis: usize, a: &Point, b: &Point, c: &Point) -> f64 {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let coordinates = |p: &Point| Coord { x: p[u], y: p[v] };
    robust::orient2d(coordinates(a), coordinates(b), coordinates(c))
}

/// Returns the axis along which the triangle `a b c` has its largest projected area; ties go to the lowest; `None`
/// exactly if the three points are collinear.
#[inline]
pub fn widest_view(a: &Point, b: &Point, c: &Point) -> Option<usize> {
    let mut widest = None;
    let mut largest = 0.0;
    for axis in 0..3 {
        let area = orient2d_along(axis, a, b, c).abs();
        if area > largest {
            (widest, largest) = (Some(axis), area);
        }
    }
    widest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;

    const A: Point = Point::new(0.0, 0.0, 0.0);
    const B: Point = Point::new(1.0, 0.0, 0.0);
    const C: Point = Point::new(0.0, 1.0, 0.0);

    #[test]
    fn the_side_of_the_normal_is_positive() {
        assert_eq!(orient3d(&A, &B, &C, &Point::new(0.0, 0.0, 1.0)), 1.0);
        assert_eq!(orient3d(&A, &B, &C, &Point::new(0.0, 0.0, -2.0)), -2.0);
        let coplanar = orient3d(&A, &B, &C, &Point::new(5.0, 7.0, 0.0));
        assert!(coplanar == 0.0 && coplanar.is_sign_positive());
    }

    #[test]
    fn counter_clockwise_is_positive_along_each_axis() {
        assert_eq!(orient2d_along(2, &A, &B, &C), 1.0);
        assert_eq!(orient2d_along(2, &A, &C, &B), -1.0);
        assert_eq!(orient2d_along(0, &A, &B, &C), 0.0);
        assert_eq!(orient2d_along(0, &A, &Point::new(0.0, 1.0, 0.0), &Point::new(0.0, 0.0, 1.0)), 1.0);
        assert_eq!(orient2d_along(1, &A, &Point::new(0.0, 0.0, 1.0), &Point::new(1.0, 0.0, 0.0)), 1.0);
    }

    #[test]
    fn the_widest_view_of_a_line_is_none() {
        assert_eq!(widest_view(&A, &B, &C), Some(2));
        let p = Point::new(0.1, 0.2, 0.3);
        assert_eq!(widest_view(&A, &p, &Point::from(p.coords * 2.0)), None);
        assert_eq!(widest_view(&p, &p, &p), None);
    }

    /// One unit in the last place off a plane, where the differences themselves are rounded.
    #[test]
    fn the_smallest_change_is_seen() {
        let mut sample = Sample::new(3);
        let (mut decided, mut plain_is_wrong) = (0, 0);
        for _ in 0..2000 {
            // Exactly in the plane x + y + z = 3 + 128 units; the fourth point is large, so that differences to it are
            // rounded.
            let mut in_plane = || {
                let (i, j) = (sample.integer(64), sample.integer(64));
                let place = |units: i32| 1.0 + f64::from(units) * f64::EPSILON;
                Point::new(place(i), place(j), place(128 - i - j))
            };
            let (a, b, c) = (in_plane(), in_plane(), in_plane());
            let size = f64::from(1 + sample.integer(4096));
            let d = Point::new(size, -size, 3.0 + 128.0 * f64::EPSILON);
            assert_eq!(orient3d(&a, &b, &c, &d), 0.0);
            let above = Point::new(d.x, d.y, d.z.next_up());
            let normal_z = orient2d_along(2, &a, &b, &c);
            let sign = orient3d(&a, &b, &c, &above);
            assert_eq!(sign.partial_cmp(&0.0), normal_z.partial_cmp(&0.0));
            assert_eq!(sign.partial_cmp(&0.0), 0.0.partial_cmp(&orient3d(&b, &a, &c, &above)));
            decided += i32::from(normal_z != 0.0);
            let plain = (a - above).cross(&(b - above)).dot(&(c - above));
            plain_is_wrong += i32::from((0.0 - plain).partial_cmp(&0.0) != sign.partial_cmp(&0.0));
        }
        assert!(
            decided > 1900 && plain_is_wrong > 500,
            "{decided} decided, {plain_is_wrong} wrong in plain arithmetic"
        );
    }
}
