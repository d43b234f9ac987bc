//! Solid angle of a triangle.

use crate::Point;

/// Returns the signed solid angle in steradians, -2π to 2π, that the triangle `a b c` subtends at `p`: positive if `p`
/// is on the side opposite its normal (where it appears clockwise), so that a closed surface with outward winding sums
/// to 4π at each point inside. At a corner, at a point on an edge, and for a degenerate triangle it is zero; inside the
/// triangle it is 2π or -2π.
///
/// Source: A. van Oosterom and J. Strackee, "The Solid Angle of a Plane Triangle", IEEE Transactions on Biomedical
/// Engineering 30 (1983), equation 8.
#[inline]
pub fn solid_angle(p: &Point, a: &Point, b: &Point, c: &Point) -> f64 {
    let (a, b, c) = (a - p, b - p, c - p);
    let (a_length, b_length, c_length) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(&b.cross(&c));
    let lengths =
        a_length * b_length * c_length + a.dot(&b) * c_length + b.dot(&c) * a_length + c.dot(&a) * b_length;
    if volume == 0.0 && lengths == 0.0 {
        return 0.0;
    }
    2.0 * libm::atan2(volume, lengths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use std::f64::consts::PI;

    const X: Point = Point::new(1.0, 0.0, 0.0);
    const Y: Point = Point::new(0.0, 1.0, 0.0);
    const Z: Point = Point::new(0.0, 0.0, 1.0);

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let eye = Point::origin();
        assert!((solid_angle(&eye, &X, &Y, &Z) - PI / 2.0).abs() <= 1e-15);
        assert!((solid_angle(&eye, &X, &Z, &Y) + PI / 2.0).abs() <= 1e-15);
    }

    #[test]
    fn corners_edges_and_flat_triangles_take_up_nothing() {
        assert_eq!(solid_angle(&X, &X, &Y, &Z), 0.0);
        assert_eq!(solid_angle(&Point::new(0.5, 0.5, 0.0), &X, &Y, &Z), 0.0);
        assert_eq!(solid_angle(&Z, &Point::origin(), &X, &Point::new(2.0, 0.0, 0.0)), 0.0);
    }

    /// A tetrahedron sums to the full sphere from inside and to zero from outside, for any shape.
    #[test]
    fn a_closed_surface_sums_to_the_sphere_or_to_nothing_and_scale_changes_no_bit() {
        let mut sample = Sample::new(41);
        let mut inside = 0;
        for _ in 0..2000 {
            let corners: [Point; 4] = std::array::from_fn(|_| sample.point());
            let weights: [f64; 4] = sample.weights();
            let p = if sample.fraction() < 0.5 {
                Point::from(
                    (0..4).fold(crate::Vector::zeros(), |sum, k| sum + corners[k].coords * weights[k]),
                )
            } else {
                sample.point()
            };
            let [a, b, c, d] = corners.each_ref();
            let sum = |p: &Point, [a, b, c, d]: [&Point; 4]| {
                [[a, b, d], [b, c, d], [c, a, d], [a, c, b]]
                    .map(|[a, b, c]| solid_angle(p, a, b, c))
                    .iter()
                    .sum::<f64>()
            };
            let is_inside = crate::tetrahedron::contains([a, b, c, d], &p);
            let outward = if crate::orient::orient3d(a, b, c, d) > 0.0 { 1.0 } else { -1.0 };
            let expected = if is_inside { 4.0 * PI * outward } else { 0.0 };
            let found = sum(&p, [a, b, c, d]);
            assert!((found - expected).abs() <= 1e-9, "{found}, {expected}");
            inside += i32::from(is_inside);
            for power in [-30, 30] {
                let moved = corners.map(|corner| scaled(&corner, power));
                assert_eq!(sum(&scaled(&p, power), moved.each_ref()), found);
            }
        }
        assert!((800..1600).contains(&inside), "{inside} inside");
    }
}
