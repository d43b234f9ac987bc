//! The axis along which two boxes are apart most, or overlap least.

use nalgebra::Matrix3;

use crate::Vector;

/// What [`separating_axis`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingAxis {
    /// How far the boxes are apart along the axis: at most their distance. Negative, the least motion that parts them, where
    /// they overlap.
    pub separation: f64,
    /// Unit, from the second box toward the first; in the frame of the first.
    pub direction: Vector,
}

/// Below this sine of their angle two edges count as parallel: what rounding leaves.
const PARALLEL: f64 = 64.0 * f64::EPSILON;

/// By how much an axis of two edges must be better than that of a face, relative to the size of the boxes.
const BETTER: f64 = 32.0 * f64::EPSILON;

/// The best of the fifteen axes of two boxes: the normals of the faces of each, and the common perpendiculars of an edge of
/// each. The second box's axes are the columns of `rotation`, its center is `offset`, both in the frame of the first
/// (Gottschalk, Lin, Manocha 1996, doi:10.1145/237170.237244).
///
/// Overlapping boxes part along it with the least motion. Of equally good axes the first in that order counts; concentric
/// boxes part along the axis itself.
pub fn separating_axis(
    half_a: &Vector,
    half_b: &Vector,
    rotation: &Matrix3<f64>,
    offset: &Vector,
) -> SeparatingAxis {
    let size = half_a.sum() + half_b.sum() + offset.amax();
    let mut best = (f64::NEG_INFINITY, Vector::zeros());
    let mut offer = |separation: f64, axis: Vector, better: f64| {
        if separation > best.0 + better {
            best = (separation, axis);
        }
    };
    for k in 0..3 {
        let reach = half_a[k] + rotation.row(k).abs().transpose().dot(half_b);
        offer(offset[k].abs() - reach, Vector::ith(k, 1.0), 0.0);
    }
    for k in 0..3 {
        let axis: Vector = rotation.column(k).into_owned();
        let reach = half_b[k] + axis.abs().dot(half_a);
        offer(offset.dot(&axis).abs() - reach, axis, BETTER * size);
    }
    for i in 0..3 {
        for j in 0..3 {
            let cross = Vector::ith(i, 1.0).cross(&rotation.column(j));
            let length = cross.norm();
            if length <= PARALLEL {
                continue;
            }
            let axis = cross / length;
            let reach = axis.abs().dot(half_a) + rotation.tr_mul(&axis).abs().dot(half_b);
            offer(offset.dot(&axis).abs() - reach, axis, BETTER * size);
        }
    }
    let (separation, axis) = best;
    SeparatingAxis { separation, direction: if offset.dot(&axis) > 0.0 { -axis } else { axis } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use nalgebra::Rotation3;

    const HALF: Vector = Vector::new(1.0, 1.0, 1.0);

    fn find(rotation: &Rotation3<f64>, offset: Vector) -> SeparatingAxis {
        separating_axis(&HALF, &HALF, rotation.matrix(), &offset)
    }

    #[test]
    fn faces_and_edges() {
        let straight = Rotation3::identity();
        let found = find(&straight, Vector::new(0.5, -1.75, 0.25));
        assert_eq!((found.separation, found.direction), (-0.25, Vector::y()));
        assert_eq!(find(&straight, Vector::new(3.0, 0.0, 0.0)).separation, 1.0);
        assert_eq!(find(&straight, Vector::zeros()).direction, Vector::x());
        // Edge on edge, crossed: each box reaches √2 along the line of centers.
        let first = Rotation3::new(Vector::z() * std::f64::consts::FRAC_PI_4);
        let second = Rotation3::new(Vector::x() * std::f64::consts::FRAC_PI_4);
        let up = Vector::y() * (2.0 * 2.0_f64.sqrt() - 0.125);
        let found = find(&(first.inverse() * second), first.inverse() * up);
        assert!((found.separation + 0.125).abs() < 1e-14);
        assert!((first * found.direction + Vector::y()).norm() < 1e-14);
    }

    /// No direction of many parts overlapping boxes with less motion.
    #[test]
    fn no_way_out_is_shorter() {
        let mut sample = Sample::new(73);
        let mut overlapping = 0;
        for _ in 0..300 {
            let half = [(); 2].map(|()| sample.vector().abs() + Vector::repeat(0.05));
            let rotation = Rotation3::new(sample.vector() * 2.0);
            let offset = sample.vector();
            let found = separating_axis(&half[0], &half[1], rotation.matrix(), &offset);
            let width = |d: &Vector| {
                d.abs().dot(&half[0]) + (rotation.inverse() * d).abs().dot(&half[1]) + d.dot(&offset)
            };
            assert!((width(&found.direction) + found.separation).abs() < 1e-14);
            if found.separation < 0.0 {
                overlapping += 1;
                for _ in 0..300 {
                    assert!(width(&sample.vector().normalize()) >= -found.separation - 1e-14);
                }
            }
        }
        assert!(overlapping > 100, "{overlapping}");
    }
}
