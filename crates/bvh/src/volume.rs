//! The volume of a closed surface, from the corners of its triangles in the frame of a tree.

use crate::Bvh;
use crate::corners::{cross, difference, dot};
use crate::split::LEAF_SIZE;
use crate::tree::Corners;

/// Bound of the error of six times the volume, for coordinates of at most four, relative to the sum of squares: of the
/// corners, each off by at most 2^-23 along each axis, and of the products of each triangle. Several times what they sum up
/// to.
const ERROR: f64 = 1e-5;

/// Bounds of the volume of a closed surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeBounds {
    /// Lower and upper bound of six times the signed volume, in cubic metres: negative for inward winding.
    pub six_volumes: [f64; 2],
    /// Upper bound of twice the area, in square metres.
    pub two_areas: f64,
}

/// Sums over triangles in the frame of a tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// Six times the volumes between the triangles and the origin.
    six_volumes: f64,
    /// The squared lengths of two sides of each triangle: at least four times the area.
    squares: f64,
    count: usize,
    /// The coordinates of the triangles that are not summed yet, which are summed as many at once as fill a leaf; zero in the other
    /// lanes.
    waiting: [[f32; LEAF_SIZE]; 9],
}

impl Sums {
    /// Adds a triangle.
    #[inline]
    pub(crate) fn add(&mut self, corners: &Corners) {
        let lane = self.count % LEAF_SIZE;
        for (waiting, &coordinate) in self.waiting.iter_mut().zip(corners) {
            waiting[lane] = coordinate;
        }
        self.count += 1;
        if lane == LEAF_SIZE - 1 {
            self.add_waiting();
        }
    }

    /// Adds what is left: after the last triangle.
    pub(crate) fn finish(mut self) -> Self {
        self.add_waiting();
        self
    }

    fn add_waiting(&mut self) {
        let [ax, ay, az, bx, by, bz, cx, cy, cz] = self.waiting;
        self.waiting = Default::default();
        let a = [ax, ay, az];
        let (u, v) = (difference(&[bx, by, bz], &a), difference(&[cx, cy, cz], &a));
        let (squares_u, squares_v) = (dot(&u, &u), dot(&v, &v));
        self.six_volumes += sum(&dot(&a, &cross(&u, &v)));
        self.squares += sum(&squares_u) + sum(&squares_v);
    }
}

/// Returns the sum of the lanes.
#[inline]
fn sum(lanes: &[f32; LEAF_SIZE]) -> f64 {
    let [a, b, c, d] = lanes.map(f64::from);
    (a + b) + (c + d)
}

impl Bvh {
    /// Returns bounds of the volume and the area of the triangles, if their [corners](Self::keep_corners) are stored and they
    /// are a closed surface, which the caller knows: every edge has two triangles with consistent winding. `None` after
    /// cells were removed or added. Constant cost.
    pub fn volume_bounds(&self) -> Option<VolumeBounds> {
        let sums = self.sums.filter(|_| self.has_corners())?;
        let length = 1.0 / self.frame.scale();
        // The squares are summed in single precision, and those of tiny triangles are rounded to nothing.
        let squares =
            sums.squares * (1.0 + ERROR) + sums.count as f64 * f64::from(f32::EPSILON).powi(2) * 64.0;
        let error = ERROR * squares;
        let six_volumes = [sums.six_volumes - error, sums.six_volumes + error];
        let two_areas = squares * (length * length);
        Some(VolumeBounds { six_volumes: six_volumes.map(|six| six * (length * length * length)), two_areas })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cells;
    use crate::sample::Sample;
    use palpate_math::{Point, Vector};

    /// Twelve triangles of a box with corners moved, in and out.
    fn box_of(corner: impl FnMut(usize) -> Point, inward: bool) -> (Vec<[u32; 3]>, Vec<Point>) {
        // Two triangles of each face, whose corners are numbered by the bits x, y, z.
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut triangles: Vec<[u32; 3]> =
            faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        if inward {
            triangles.iter_mut().for_each(|ids| ids.swap(1, 2));
        }
        (triangles, (0..8).map(corner).collect())
    }

    fn exact(triangles: &[[u32; 3]], positions: &[Point]) -> [f64; 2] {
        let corners = |ids: &[u32; 3]| ids.map(|id| positions[id as usize] - positions[0]);
        let volume = |[a, b, c]: [Vector; 3]| a.dot(&b.cross(&c));
        let area = |[a, b, c]: [Vector; 3]| (b - a).cross(&(c - a)).norm();
        let all = || triangles.iter().map(corners);
        [all().map(volume).sum(), all().map(area).sum()]
    }

    /// Boxes of all sizes, thin and far away: the bounds contain the volume, close to it, and follow refits.
    #[test]
    fn the_volume_is_within_its_bounds() {
        let mut sample = Sample::new(91);
        let mut signed = 0;
        for round in 0..600 {
            let size = 2.0_f64.powi([0, -100, 60][round % 3]);
            let thickness = [1.0, 1e-2, 1e-7][round / 3 % 3];
            let place = sample.vector() * [0.0, 3.0, 100.0][round / 9 % 3];
            let mut corner = |k: usize| {
                let bits = Vector::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
                Point::from(
                    (bits + sample.vector() * 0.2).component_mul(&Vector::new(1.0, 1.0, thickness)) + place,
                ) * size
            };
            let (triangles, first) = box_of(&mut corner, round % 2 == 0);
            let second: Vec<Point> = (0..8).map(&mut corner).collect();
            let mut tree = Bvh::default();
            tree.rebuild_cells(&Cells { ids: &triangles, positions: [&first] });
            assert_eq!(tree.volume_bounds(), None);
            tree.keep_corners();
            for positions in [first, second] {
                tree.refit_cells(&Cells { ids: &triangles, positions: [&positions] });
                let [volume, area] = exact(&triangles, &positions);
                let VolumeBounds { six_volumes: [lower, upper], two_areas } = tree.volume_bounds().unwrap();
                assert!(lower <= volume && volume <= upper, "{round}: {lower} {volume} {upper}");
                assert!(area <= two_areas, "{round}: {area} {two_areas}");
                let cube = size * size * size;
                assert!(upper - lower < 1e-3 * cube, "{round}: {lower} {upper}");
                signed += usize::from(lower > 0.0 || upper < 0.0);
            }
        }
        assert!(signed > 600, "{signed}");
    }
}
