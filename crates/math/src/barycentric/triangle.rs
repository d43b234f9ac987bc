//! Barycentric weights of a point projected onto the plane of a triangle.

use crate::Point;
use crate::triangle::{area_vector, is_flat};

/// Returns the weights of `a`, `b` and `c` that give the projection of `point` onto their plane; each is positive on
/// the inner side of the opposite edge. They sum to one, up to rounding error. `None` for a [degenerate](is_flat)
/// triangle.
pub fn triangle(point: &Point, a: &Point, b: &Point, c: &Point) -> Option<[f64; 3]> {
    if is_flat(a, b, c) {
        return None;
    }
    let normal = area_vector(a, b, c);
    // Each weight is the area of the triangle with that corner moved to the point, computed from the near end of the
    // opposite edge and not as the remainder to one, which would lose digits near that edge.
    let opposite = |from: &Point, to: &Point| (to - from).cross(&(point - from)).dot(&normal);
    let raw = [opposite(b, c), opposite(c, a), opposite(a, b)];
    let whole = normal.norm_squared();
    Some(raw.map(|part| part / whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};
    use crate::{Vector, triangle as figure};

    #[test]
    fn corners_edges_and_outside() {
        let (a, b, c) = (Point::new(0.0, 0.0, 0.0), Point::new(4.0, 0.0, 0.0), Point::new(0.0, 4.0, 0.0));
        assert_eq!(triangle(&a, &a, &b, &c), Some([1.0, 0.0, 0.0]));
        assert_eq!(triangle(&b, &a, &b, &c), Some([0.0, 1.0, 0.0]));
        assert_eq!(triangle(&Point::new(2.0, 2.0, 9.0), &a, &b, &c), Some([0.0, 0.5, 0.5]));
        assert_eq!(triangle(&Point::new(-1.0, 1.0, -9.0), &a, &b, &c), Some([1.0, -0.25, 0.25]));
        assert_eq!(triangle(&b, &a, &a, &c), None);
    }

    #[test]
    fn weights_give_the_point_back_and_scale() {
        let mut sample = Sample::new(5);
        for _ in 0..1000 {
            let [a, b, c] = [sample.point(), sample.point(), sample.point()];
            let weights: [f64; 3] = sample.weights();
            let in_plane = a + (b - a) * weights[1] + (c - a) * weights[2];
            let normal = figure::area_vector(&a, &b, &c);
            let point = in_plane + normal * sample.number();
            let found = triangle(&point, &a, &b, &c).expect("random triangles are not flat");
            // The error is that of the area, amplified for narrow triangles.
            let tolerance = 1e-14 / normal.norm_squared().min(1.0);
            assert!((Vector::from(found) - Vector::from(weights)).amax() <= tolerance);
            for power in [-30, 30] {
                let [point, a, b, c] = [point, a, b, c].map(|p| scaled(&p, power));
                assert_eq!(triangle(&point, &a, &b, &c), Some(found));
            }
        }
    }
}
