//! Barycentric weights with respect to a tetrahedron.

use crate::Point;
use crate::tetrahedron::{is_flat, six_volumes, volume_opposite};

/// Returns the weights of the four corners that give `point`; `None` for a [degenerate](is_flat) tetrahedron.
///
/// The sign of each weight is exact (zero exactly on the plane of the opposite face), for either order of the corners;
/// the weights sum to one, up to rounding error.
pub fn tetrahedron(point: &Point, corners: [&Point; 4]) -> Option<[f64; 4]> {
    if is_flat(corners) {
        return None;
    }
    let whole = six_volumes(corners);
    Some(std::array::from_fn(|corner| volume_opposite(corners, corner, point) / whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};

    #[test]
    fn the_unit_corner() {
        let (o, x) = (Point::origin(), Point::new(1.0, 0.0, 0.0));
        let (y, z) = (Point::new(0.0, 1.0, 0.0), Point::new(0.0, 0.0, 1.0));
        assert_eq!(
            tetrahedron(&Point::new(0.5, 0.25, 0.125), [&o, &x, &y, &z]),
            Some([0.125, 0.5, 0.25, 0.125])
        );
        assert_eq!(
            tetrahedron(&Point::new(0.5, 0.25, 0.125), [&x, &o, &y, &z]),
            Some([0.5, 0.125, 0.25, 0.125])
        );
        assert_eq!(tetrahedron(&Point::new(0.5, 0.5, 0.0), [&o, &x, &y, &z]), Some([0.0, 0.5, 0.5, 0.0]));
        assert_eq!(tetrahedron(&Point::new(-1.0, 0.0, 0.0), [&o, &x, &y, &z]), Some([2.0, -1.0, 0.0, 0.0]));
        assert_eq!(tetrahedron(&o, [&o, &x, &y, &Point::new(3.0, -2.0, 0.0)]), None);
    }

    #[test]
    fn weights_give_the_point_back_and_scale() {
        let mut sample = Sample::new(6);
        for _ in 0..1000 {
            let corners = [sample.point(), sample.point(), sample.point(), sample.point()];
            let point = sample.point();
            let found = tetrahedron(&point, corners.each_ref()).expect("random tetrahedra are not flat");
            let volume = six_volumes(corners.each_ref()).abs();
            let tolerance = 1e-13 / volume.min(1.0);
            assert!((found.iter().sum::<f64>() - 1.0).abs() <= tolerance);
            let back = corners
                .iter()
                .zip(found)
                .map(|(corner, weight)| corner.coords * weight)
                .sum::<crate::Vector>();
            assert!((back - point.coords).amax() <= tolerance);
            for power in [-30, 30] {
                let corners = corners.map(|p| scaled(&p, power));
                assert_eq!(tetrahedron(&scaled(&point, power), corners.each_ref()), Some(found));
            }
        }
    }
}
