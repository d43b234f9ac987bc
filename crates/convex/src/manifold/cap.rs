//! The round cap of a cylinder or a cone, approximated by a regular polygon.

use std::sync::LazyLock;

use nalgebra::Vector3;
use wide::f64x4;

use super::manifold_reduction::kept;
use crate::face_polygon::{Corner, FacePolygon};

type Vector = Vector3<f64>;

/// Corners of the polygon.
pub(super) const CORNERS: usize = 16;

/// A disc perpendicular to the local y axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cap {
    /// Radius of the rim.
    pub radius: f64,
    /// Position on the axis.
    pub height: f64,
    /// Whether the outward normal is +y, else -y.
    pub up: bool,
    /// The id of its first corner, on local +x; the others follow toward local +z.
    pub ids: u32,
    /// The body's feature number of the interior.
    pub inside: u32,
    /// The body's feature number of the rim.
    pub rim: u32,
}

/// The corners of a regular polygon of radius one, the first on the first axis: exact to rounding, and independent of
/// the platform's sine.
const QUARTER: [f64; 5] =
    [1.0, 0.923_879_532_511_286_7, std::f64::consts::FRAC_1_SQRT_2, 0.382_683_432_365_089_8, 0.0];

/// The cosines and sines of all sixteenths of a turn.
const CIRCLE: [[f64; CORNERS]; 2] = {
    let mut circle = [[0.0; CORNERS]; 2];
    let mut k = 0;
    while k < CORNERS {
        let (cos, sin) = (QUARTER[k % 4], QUARTER[4 - k % 4]);
        [circle[0][k], circle[1][k]] = match k / 4 {
            0 => [cos, sin],
            1 => [-sin, cos],
            2 => [-cos, -sin],
            _ => [sin, -cos],
        };
        k += 1;
    }
    circle
};

/// A bit mask of a cap's corners.
type Some16 = u16;

/// The corners kept with a given one, of a run of adjacent corners, as a bit mask of steps from it toward higher
/// numbers; indexed by the cap's orientation, the length of the run and how many of it precede the given one in the
/// order of the polygon.
static KEPT: LazyLock<[[[Some16; CORNERS]; CORNERS + 1]; 2]> = LazyLock::new(|| {
    let corners: [[f64; 2]; CORNERS] = std::array::from_fn(|k| [CIRCLE[0][k], CIRCLE[1][k]]);
    let steps = |up: bool, count: usize, before: usize| {
        let (kept, kept_count) = kept(&corners[..count], before);
        let step = |&other: &usize| if up { before + CORNERS - other } else { other + CORNERS - before };
        kept[1..kept_count].iter().map(step).fold(0, |all, step| all | 1 << (step % CORNERS))
    };
    let of = |up| {
        std::array::from_fn(|count| {
            std::array::from_fn(|before| if before < count { steps(up, count, before) } else { 0 })
        })
    };
    [of(false), of(true)]
});

impl Cap {
    /// Writes the polygon into `patch`.
    pub(super) fn show(&self, patch: &mut FacePolygon) {
        patch.begin(if self.up { Vector::y() } else { -Vector::y() }, self.inside);
        for index in 0..CORNERS {
            // From +x toward +z is clockwise seen from +y.
            let k = if self.up { CORNERS - 1 - index } else { index };
            patch.corners.push(self.corner(k));
        }
    }

    /// Returns corner `k`, at `k` sixteenths of a turn.
    #[inline(always)]
    pub(super) fn corner(&self, k: usize) -> Corner {
        let [cos, sin] = CIRCLE.map(|all| all[k % CORNERS]);
        let point = Vector::new(self.radius * cos, self.height, self.radius * sin);
        Corner { point, id: self.ids + k as u32, feature: self.rim }
    }

    /// Returns the heights of all corners along a direction, bitwise equal to those of [`corner`](Self::corner).
    #[inline(always)]
    pub(super) fn heights(&self, direction: Vector) -> [f64x4; CORNERS / 4] {
        let (x, z) = (f64x4::splat(direction.x), f64x4::splat(direction.z));
        let (y, radius) = (f64x4::splat(self.height * direction.y), f64x4::splat(self.radius));
        let four = |all: &[f64; CORNERS], at: usize| {
            radius * f64x4::new([all[at], all[at + 1], all[at + 2], all[at + 3]])
        };
        let [cos, sin] = &CIRCLE;
        std::array::from_fn(|block| four(cos, 4 * block) * x + y + four(sin, 4 * block) * z)
    }

    /// Returns the corners to keep with corner `first` out of `all`; `None` if these are not a run of adjacent corners.
    #[inline(always)]
    pub(super) fn kept_with(&self, first: usize, all: Some16) -> Option<Some16> {
        let from_first = all.rotate_right(first as u32);
        let (onward, back) = (from_first.trailing_ones() as usize, from_first.leading_ones() as usize);
        let (count, before) = if onward == CORNERS {
            (CORNERS, 0)
        } else {
            (onward + back, if self.up { onward - 1 } else { back })
        };
        // `first` is in `all`, so that `onward` is at least one.
        let run = from_first.count_ones() as usize == count && onward > 0;
        run.then(|| KEPT[usize::from(self.up)][count][before].rotate_left(first as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::VectorSpace;

    /// Compares with the reduction of the points themselves, in the order of the polygon.
    #[test]
    fn of_neighbours_the_four_that_span_the_largest_area_are_kept() {
        for up in [false, true] {
            let cap = Cap { radius: 2.0, height: 1.0, up, ids: 0, inside: 0, rim: 0 };
            let mut patch = FacePolygon::default();
            cap.show(&mut patch);
            for (start, count) in
                (0..CORNERS).flat_map(|start| (1..=CORNERS).map(move |count| (start, count)))
            {
                let all = (0..count).fold(0 as Some16, |all, step| all | 1 << ((start + step) % CORNERS));
                let run: Vec<&Corner> =
                    patch.corners.iter().filter(|corner| all >> corner.id & 1 == 1).collect();
                let places: Vec<[f64; 2]> =
                    run.iter().map(|corner| [corner.point.x, corner.point.z]).collect();
                for (index, first) in run.iter().enumerate() {
                    let (wanted, wanted_count) = kept(&places, index);
                    let wanted = wanted[1..wanted_count].iter().fold(0, |bits, &k| bits | 1 << run[k].id);
                    assert_eq!(
                        cap.kept_with(first.id as usize, all),
                        Some(wanted),
                        "{up} {start} {count} {index}"
                    );
                }
            }
            assert_eq!(cap.kept_with(0, 0b1001_0001), None);
        }
    }

    #[test]
    fn the_heights_are_those_of_the_corners_to_the_bit() {
        let cap = Cap { radius: 0.37, height: -1.3, up: false, ids: 0, inside: 0, rim: 0 };
        let direction = Vector::new(0.48, -0.64, 0.6);
        let heights = cap.heights(direction).map(f64x4::to_array);
        for k in 0..CORNERS {
            assert_eq!(heights[k / 4][k % 4], cap.corner(k).point.inner(direction));
        }
    }
}
