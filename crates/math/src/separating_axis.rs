//! Separating axis of two boxes: maximum separation, or minimum penetration.

use nalgebra::Matrix3;

use crate::Vector;

/// The result of [`separating_axis`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparatingAxis {
    /// The separation of the boxes along the axis: at most their distance. If they overlap, the negative penetration
    /// depth.
    pub separation: f64,
    /// Unit, from the second box toward the first; in the frame of the first.
    pub direction: Vector,
}

/// Two edges at an angle with a sine below this count as parallel: rounding error.
const PARALLEL: f64 = 64.0 * f64::EPSILON;

/// By how much an edge-edge axis must improve on a face axis, relative to the size of the boxes.
const BETTER: f64 = 32.0 * f64::EPSILON;

/// Rounding error of a separation along an unnormalised axis, relative to the size of the boxes.
const ROUGH: f64 = 32.0 * f64::EPSILON;

/// Returns the best of the fifteen axes of two boxes: the face normals of each, and the cross products of an edge of
/// each. The second box's axes are the columns of `rotation`, its center is `offset`, both in the frame of the first
/// (Gottschalk, Lin, Manocha 1996, doi:10.1145/237170.237244).
///
/// Overlapping boxes separate along it with minimum motion. Ties go to the first in that order; concentric boxes
/// separate along the axis itself. Once a face axis separates the boxes by more than `enough` (not negative), the other
/// body's faces, or the edges, are skipped.
pub fn separating_axis(
    half_a: &Vector,
    half_b: &Vector,
    rotation: &Matrix3<f64>,
    offset: &Vector,
    enough: f64,
) -> SeparatingAxis {
    let size = half_a.sum() + half_b.sum() + offset.amax();
    let absolute = rotation.abs();
    let mut best = (f64::NEG_INFINITY, Vector::zeros());
    for k in 0..3 {
        let reach = half_a[k] + absolute.row(k).transpose().dot(half_b);
        let separation = offset[k].abs() - reach;
        if separation > best.0 {
            best = (separation, Vector::ith(k, 1.0));
        }
    }
    if best.0 <= enough {
        for k in 0..3 {
            let axis: Vector = rotation.column(k).into_owned();
            let reach = half_b[k] + absolute.column(k).dot(half_a);
            let separation = offset.dot(&axis).abs() - reach;
            if separation > best.0 + BETTER * size {
                best = (separation, axis);
            }
        }
    }
    if best.0 <= enough {
        // Few of the nine edge axes improve: most are culled by a conservative test without a square root.
        let may_beat = |to_beat: f64, [i, j]: [usize; 2]| {
            let rough = rough_separation([half_a, half_b], (rotation, &absolute), offset, [i, j]);
            let shortfall = -rough - ROUGH * size;
            let square = 1.0 - rotation[(i, j)] * rotation[(i, j)] + ROUGH;
            let is_short = (to_beat >= 0.0) | (shortfall * shortfall > to_beat * to_beat * square);
            !((shortfall > 0.0) & is_short)
        };
        // Without a branch per axis: which remain is unpredictable.
        let mut open = 0_u32;
        for i in 0..3 {
            for j in 0..3 {
                open |= u32::from(may_beat(best.0 + BETTER * size, [i, j])) << (3 * i + j);
            }
        }
        while open != 0 {
            let first = open.trailing_zeros() as usize;
            open &= open - 1;
            let (edges, to_beat) = ([first / 3 % 3, first % 3], best.0 + BETTER * size);
            if may_beat(to_beat, edges)
                && let Some((separation, axis)) = of_edges([half_a, half_b], rotation, offset, edges)
                && separation > to_beat
            {
                best = (separation, axis);
            }
        }
    }
    let (separation, axis) = best;
    SeparatingAxis { separation, direction: if offset.dot(&axis) > 0.0 { -axis } else { axis } }
}

/// Returns the separation along the cross product of two edges, times its length (Ericson 2005, 4.4.1).
#[inline(always)]
fn rough_separation(
    [half_a, half_b]: [&Vector; 2],
    (rotation, absolute): (&Matrix3<f64>, &Matrix3<f64>),
    offset: &Vector,
    [i, j]: [usize; 2],
) -> f64 {
    let ([i1, i2], [j1, j2]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
    let reach_a = half_a[i1] * absolute[(i2, j)] + half_a[i2] * absolute[(i1, j)];
    let reach_b = half_b[j1] * absolute[(i, j2)] + half_b[j2] * absolute[(i, j1)];
    (offset[i2] * rotation[(i1, j)] - offset[i1] * rotation[(i2, j)]).abs() - (reach_a + reach_b)
}

/// Returns the separation along the cross product of two edges, and its direction; `None` for parallel edges.
fn of_edges(
    [half_a, half_b]: [&Vector; 2],
    rotation: &Matrix3<f64>,
    offset: &Vector,
    [i, j]: [usize; 2],
) -> Option<(f64, Vector)> {
    let cross = Vector::ith(i, 1.0).cross(&rotation.column(j));
    let length = cross.norm();
    if length <= PARALLEL {
        return None;
    }
    let axis = cross / length;
    let reach = axis.abs().dot(half_a) + rotation.tr_mul(&axis).abs().dot(half_b);
    Some((offset.dot(&axis).abs() - reach, axis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use nalgebra::Rotation3;

    const HALF: Vector = Vector::new(1.0, 1.0, 1.0);

    fn find(rotation: &Rotation3<f64>, offset: Vector) -> SeparatingAxis {
        separating_axis(&HALF, &HALF, rotation.matrix(), &offset, f64::INFINITY)
    }

    #[test]
    fn faces_and_edges() {
        let straight = Rotation3::identity();
        let found = find(&straight, Vector::new(0.5, -1.75, 0.25));
        assert_eq!((found.separation, found.direction), (-0.25, Vector::y()));
        assert_eq!(find(&straight, Vector::new(3.0, 0.0, 0.0)).separation, 1.0);
        assert_eq!(find(&straight, Vector::zeros()).direction, Vector::x());
        // Edge on edge, crossed: each box extends √2 along the line of centers.
        let first = Rotation3::new(Vector::z() * std::f64::consts::FRAC_PI_4);
        let second = Rotation3::new(Vector::x() * std::f64::consts::FRAC_PI_4);
        let up = Vector::y() * (2.0 * 2.0_f64.sqrt() - 0.125);
        let found = find(&(first.inverse() * second), first.inverse() * up);
        assert!((found.separation + 0.125).abs() < 1e-14);
        assert!((first * found.direction + Vector::y()).norm() < 1e-14);
    }

    /// Compares with all fifteen axes, each fully evaluated, including near-parallel edges, cubes and needles.
    #[test]
    fn the_look_from_the_side_leaves_nothing_out() {
        let mut sample = Sample::new(74);
        let mut by_edges = 0;
        for k in 0..20_000 {
            let thin = if k % 3 == 0 { 1e-6 } else { 1.0 };
            let half = [(); 2].map(|()| sample.vector().abs().component_mul(&Vector::new(1.0, thin, 1.0)));
            let turn = [2.0, 1e-3, 1e-9, 1e-15, 0.0][k % 5];
            let rotation = Rotation3::new(sample.vector() * turn);
            let offset = sample.vector();
            let found = separating_axis(&half[0], &half[1], rotation.matrix(), &offset, f64::INFINITY);
            let size = half[0].sum() + half[1].sum() + offset.amax();
            let mut best = f64::NEG_INFINITY;
            for axis in 0..3 {
                let own = Vector::ith(axis, 1.0);
                for axis in [own, rotation * own] {
                    let reach = axis.abs().dot(&half[0]) + (rotation.inverse() * axis).abs().dot(&half[1]);
                    best = best.max(offset.dot(&axis).abs() - reach);
                }
            }
            for pair in 0..9 {
                if let Some((separation, _)) =
                    of_edges([&half[0], &half[1]], rotation.matrix(), &offset, [pair / 3, pair % 3])
                {
                    by_edges += usize::from(separation > best + BETTER * size);
                    best = best.max(separation);
                }
            }
            assert!((found.separation - best).abs() <= 2.0 * BETTER * size, "{} {best}", found.separation);
        }
        assert!(by_edges > 1_000, "{by_edges}");
    }

    /// Boxes of equal orientation, whatever it is: relative to the first, the second is rotated by rounding error. All
    /// axes of a kind are equally good, and the first box's own comes first, so that moving both changes nothing.
    #[test]
    fn of_boxes_turned_alike_the_first_says_the_axis() {
        let mut sample = Sample::new(75);
        let mut turned = 0;
        for _ in 0..3_000 {
            let orientation = Rotation3::new(sample.vector() * 3.0);
            let rotation = orientation.matrix().tr_mul(orientation.matrix());
            turned += usize::from(rotation != Matrix3::identity());
            let half = [(); 2].map(|()| sample.vector().abs() + Vector::repeat(0.05));
            let offset = orientation.matrix().tr_mul(&(orientation * sample.vector()));
            let found = separating_axis(&half[0], &half[1], &rotation, &offset, f64::INFINITY);
            let least =
                (0..3).map(|k| offset[k].abs() - half[0][k] - half[1][k]).fold(f64::NEG_INFINITY, f64::max);
            assert!((found.separation - least).abs() <= 1e-14);
            assert_eq!((found.direction.amax(), found.direction.abs().sum()), (1.0, 1.0), "{found:?}");
        }
        assert!(turned > 2_000, "{turned}");
    }

    /// None of many directions separates overlapping boxes with less motion.
    #[test]
    fn no_way_out_is_shorter() {
        let mut sample = Sample::new(73);
        let mut overlapping = 0;
        for _ in 0..300 {
            let half = [(); 2].map(|()| sample.vector().abs() + Vector::repeat(0.05));
            let rotation = Rotation3::new(sample.vector() * 2.0);
            let offset = sample.vector();
            let found = separating_axis(&half[0], &half[1], rotation.matrix(), &offset, f64::INFINITY);
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
