//! What two faces of three or four corners have in common, as far as it is within the margin.
//!
//! On which side of every line of the one face each corner of the other lies decides the rest:
//!
//! - a corner inside of all lines of the other face is a corner of the intersection;
//! - two sides cross where the ends of each lie on different sides of the line of the other.
//!
//! Both are found for all corners and sides at once, as sets of bits: which they are is unpredictable. Most corners of the
//! intersection are farther apart than the margin, and are never computed. Where a corner is so close to a line that rounding may
//! decide, there is no answer: then the faces are clipped one side after another.

use nalgebra::Vector3;
use wide::{bytemuck, f64x2, f64x4};

use super::clip::DOUBLE;
use super::face_polygon::{Corner, FacePolygon};
use super::manifold_point::{LEVEL, ManifoldPoint, ROUNDINGS, in_reach, part};
use super::manifold_reduction::MOST;
use super::projected_face::View;
use crate::pose::RigidTransform;
use crate::vector::VectorSpace;

type Vector = Vector3<f64>;

/// A corner this many tolerances from a line, or from another corner, is certainly on its side of it, and no clip merges it
/// with another.
const CLEAR: f64 = 16.0;

/// The bit that stands for a side of A and one of B: four for each side of B.
type SidePairs = u32;

/// A face of three or four corners, projected along a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallFace<'a> {
    patch: &'a FacePolygon,
    x: f64x4,
    y: f64x4,
    /// Along the view. Of a triangle the fourth corner is the first, also in `x` and `y`.
    height: f64x4,
    /// From every corner to the next, so that the inside is on the left.
    along_x: f64x4,
    along_y: f64x4,
    /// The gradient of the height.
    slope: [f64; 2],
    /// The largest coordinate involved: rounding error is relative to it.
    largest: f64,
}

/// The place of the corners of one face beside the lines of the other.
struct Beside {
    /// How far each corner is to the left of each line, times the length of its side.
    left: [f64x4; 4],
    /// The set of the corners on the right of each line.
    outside: [u32; 4],
    /// Whether one is so close to a line that rounding may decide.
    is_close: bool,
}

impl<'a> SmallFace<'a> {
    /// Projects a face as [`ProjectedFace::look`](super::projected_face::ProjectedFace::look); `None` if it has fewer or more
    /// corners.
    #[inline(always)]
    pub(super) fn new(
        patch: &'a FacePolygon,
        pose: &RigidTransform<Vector>,
        view: &View,
        facing: f64,
    ) -> Option<Self> {
        let [a, b, c, d]: [&Corner; 4] = match &patch.corners[..] {
            [a, b, c] => [a, b, c, a],
            [a, b, c, d] => [a, b, c, d],
            _ => return None,
        };
        let own = [0, 1, 2].map(|k| f64x4::new([a.point[k], b.point[k], c.point[k], d.point[k]]));
        let offset = pose.translation - view.origin;
        let (m, [x, y, z]) = (&pose.rotation, own);
        let dot = |[p, q, r]: [f64; 3], [x, y, z]: [f64x4; 3]| {
            x * f64x4::splat(p) + y * f64x4::splat(q) + z * f64x4::splat(r)
        };
        let world = [
            dot([m.m11, m.m12, m.m13], [x, y, z]) + f64x4::splat(offset.x),
            dot([m.m21, m.m22, m.m23], [x, y, z]) + f64x4::splat(offset.y),
            dot([m.m31, m.m32, m.m33], [x, y, z]) + f64x4::splat(offset.z),
        ];
        let [first, second] = view.across;
        let x = dot([first.x, first.y, first.z], world);
        let y = dot([second.x, second.y, second.z], world);
        let height = dot([view.along.x, view.along.y, view.along.z], world);
        let largest = highest(world[0].abs().fast_max(world[1].abs()).fast_max(world[2].abs()));
        let base = pose.translation.largest().max(view.origin.largest());
        let (across, along) = view.coordinates(patch.normal.rotated(m));
        let facing = f64x4::splat(facing);
        Some(Self {
            patch,
            x,
            y,
            height,
            along_x: (next(x) - x) * facing,
            along_y: (next(y) - y) * facing,
            slope: across.map(|x| -x / along),
            largest: if largest > base { largest } else { base },
        })
    }

    /// Returns the height of the face's plane at four places.
    #[inline(always)]
    fn heights(&self, x: f64x4, y: f64x4) -> f64x4 {
        let [x0, y0, height] = [self.x, self.y, self.height].map(|four| f64x4::splat(four.to_array()[0]));
        height + (f64x4::splat(self.slope[0]) * (x - x0) + f64x4::splat(self.slope[1]) * (y - y0))
    }

    /// Returns the height of the face's plane at one place.
    #[inline(always)]
    fn height_at(&self, [x, y]: [f64; 2]) -> f64 {
        let [x0, y0, height] = [self.x, self.y, self.height].map(|four| four.to_array()[0]);
        height + (self.slope[0] * (x - x0) + self.slope[1] * (y - y0))
    }

    /// Returns the place and the height of a corner.
    #[inline(always)]
    fn corner(&self, k: usize) -> ([f64; 2], f64) {
        let [x, y, height] = [self.x, self.y, self.height].map(|four| four.to_array()[k % 4]);
        ([x, y], height)
    }

    /// Returns the set of the corners.
    #[inline(always)]
    fn all(&self) -> u32 {
        (1 << self.patch.corners.len()) - 1
    }

    /// Compares the corners of another face with the lines of this one. Whether a side is shorter than `clear` counts as well.
    #[inline(always)]
    fn beside(&self, other: &Self, clear: f64) -> Beside {
        let [start_x, start_y] = [self.x, self.y].map(f64x4::to_array);
        let [along_x, along_y] = [self.along_x, self.along_y].map(f64x4::to_array);
        // No shorter than the sides.
        let lengths = (self.along_x.abs() + self.along_y.abs()).to_array();
        let left_of = |side: usize| {
            f64x4::splat(along_x[side]) * (other.y - f64x4::splat(start_y[side]))
                - f64x4::splat(along_y[side]) * (other.x - f64x4::splat(start_x[side]))
        };
        let left = [left_of(0), left_of(1), left_of(2), left_of(3)];
        let is_out = |side: usize| left[side].simd_lt(f64x4::splat(0.0)).to_bitmask();
        let is_near = |side: usize| left[side].abs().simd_le(f64x4::splat(clear * lengths[side]));
        let mut near = is_near(0) | is_near(1) | is_near(2);
        let mut shortest = lengths[0].min(lengths[1]).min(lengths[2]);
        if self.patch.corners.len() > 3 {
            near |= is_near(3);
            shortest = shortest.min(lengths[3]);
        }
        Beside {
            left,
            outside: [is_out(0), is_out(1), is_out(2), is_out(3)],
            is_close: near.to_bitmask() != 0 || shortest <= 2.0 * clear,
        }
    }
}

impl Beside {
    /// Returns the set of the corners that are inside of all lines.
    #[inline(always)]
    fn inside(&self, all: u32) -> u32 {
        let [a, b, c, d] = self.outside;
        !(a | b | c | d) & all
    }

    /// Returns the pairs of a line and a side whose ends are on different sides of it: bit k + 4 l for side k and line l.
    #[inline(always)]
    fn crossed(&self) -> SidePairs {
        let crossed = |line: usize| (self.outside[line] ^ following(self.outside[line])) << (4 * line);
        crossed(0) | crossed(1) | crossed(2) | crossed(3)
    }
}

/// Returns the set of the corners of four whose next one is in the set.
#[inline(always)]
fn following(set: u32) -> u32 {
    set >> 1 | (set & 1) << 3
}

/// Every bit k of a set moved to bit 4k.
const SPREAD: [SidePairs; 16] = {
    let mut spread = [0; 16];
    let mut set = 0;
    while set < 16 {
        let bits = set as SidePairs;
        spread[set] = bits & 1 | (bits & 2) << 3 | (bits & 4) << 6 | (bits & 8) << 9;
        set += 1;
    }
    spread
};

/// Moves bit k of a set to bit 4k.
#[inline(always)]
fn spread(set: u32) -> SidePairs {
    SPREAD[set as usize % 16]
}

/// Moves bit k + 4 l to bit l + 4 k.
#[inline(always)]
fn transposed(pairs: SidePairs) -> SidePairs {
    spread(pairs) | spread(pairs >> 4) << 1 | spread(pairs >> 8) << 2 | spread(pairs >> 12) << 3
}

/// Returns the value of the next corner at each.
#[inline(always)]
fn next(four: f64x4) -> f64x4 {
    let [a, b, c, d] = four.to_array();
    f64x4::new([b, c, d, a])
}

/// Returns the greatest of four.
#[inline(always)]
fn highest(four: f64x4) -> f64 {
    let [even, odd]: [f64x2; 2] = bytemuck::cast(four);
    let [first, second] = even.fast_max(odd).to_array();
    if second > first { second } else { first }
}

/// The corners of the intersection of two small faces within the margin, in no order.
pub(super) struct SmallMeeting<'a> {
    faces: [&'a SmallFace<'a>; 2],
    view: &'a View,
    radii: [f64; 2],
    margin: f64,
    /// Rounding error of a length.
    pub(super) tolerance: f64,
    points: [ManifoldPoint; MOST],
    places: [[f64; 2]; MOST],
    count: usize,
}

impl<'a> SmallMeeting<'a> {
    /// Computes the corners of the intersection of A's and B's face; `None` where rounding may decide which they are, or where
    /// they are more than four.
    #[inline(always)]
    pub(super) fn find(
        faces: [&'a SmallFace<'a>; 2],
        view: &'a View,
        radii: [f64; 2],
        margin: f64,
    ) -> Option<Self> {
        let [a, b] = faces;
        let tolerance = ROUNDINGS * f64::EPSILON * a.largest.max(b.largest);
        let clear = CLEAR * tolerance;
        let (of_a, of_b) = (b.beside(a, clear), a.beside(b, clear));
        if of_a.is_close | of_b.is_close {
            return None;
        }
        // Below the margin by more than what decides: the depths of crossings are those of their sides' ends up to rounding.
        let least = f64x4::splat(-margin - 2.0 * LEVEL * tolerance - (radii[0] + radii[1]));
        let depths = [b.heights(a.x, a.y) - a.height, b.height - a.heights(b.x, b.y)];
        let near = [depths[0].simd_ge(least).to_bitmask(), depths[1].simd_ge(least).to_bitmask()];
        let corners = [of_a.inside(a.all()) & near[0], of_b.inside(b.all()) & near[1]];
        // Along a side the depth is greatest at an end.
        let near_sides = spread(near[1] | following(near[1])) * 0xf & (near[0] | following(near[0])) * 0x1111;
        let crossings = of_a.crossed() & transposed(of_b.crossed()) & near_sides;
        if corners[0].count_ones() + corners[1].count_ones() + crossings.count_ones() > MOST as u32 {
            return None;
        }
        let nowhere = ManifoldPoint { point_a: Vector::zeros(), depth: 0.0, id: 0, features: [0; 2] };
        let (points, places) = ([nowhere; MOST], [[0.0; 2]; MOST]);
        let mut meeting = Self { faces, view, radii, margin, tolerance, points, places, count: 0 };
        meeting.give_corners(corners, depths);
        meeting.give_crossings(crossings, &of_a.left);
        meeting.are_distinct().then_some(meeting)
    }

    /// The corners, and where they are in the view.
    pub(super) fn candidates(&self) -> (&[ManifoldPoint], &[[f64; 2]]) {
        let count = self.count.min(MOST);
        (&self.points[..count], &self.places[..count])
    }

    #[inline(always)]
    fn give_corners(&mut self, [mut of_a, mut of_b]: [u32; 2], depths: [f64x4; 2]) {
        let ([a, b], [depths_a, depths_b]) = (self.faces, depths.map(f64x4::to_array));
        while of_a != 0 {
            let k = take_first(&mut of_a);
            let (at, height) = a.corner(k);
            let corner = &a.patch.corners[k];
            self.give(
                at,
                (height, depths_a[k]),
                1 << 62 | part(corner.id) << 31,
                [corner.feature, b.patch.feature],
            );
        }
        while of_b != 0 {
            let k = take_first(&mut of_b);
            let (at, height) = b.corner(k);
            let corner = &b.patch.corners[k];
            self.give(
                at,
                (height - depths_b[k], depths_b[k]),
                2 << 62 | part(corner.id),
                [a.patch.feature, corner.feature],
            );
        }
    }

    /// Adds crossings, given how far A's corners are to the left of B's lines.
    #[inline(always)]
    fn give_crossings(&mut self, mut crossings: SidePairs, left: &[f64x4; 4]) {
        let [a, b] = self.faces;
        while crossings != 0 {
            let pair = take_first(&mut crossings);
            let [side_a, side_b] = [pair % 4, pair / 4 % 4];
            let left = left[side_b].to_array();
            let (here, there) = (left[side_a], left[(side_a + 1) % 4]);
            let t = here / (here - there);
            let [(start, low), (end, high)] = [a.corner(side_a), a.corner(side_a + 1)];
            let at = [start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t];
            let height = low + (high - low) * t;
            let [name_a, name_b] = [a.patch.corners[side_a].id, b.patch.corners[side_b].id];
            let id = 3 << 62 | part(name_a) << 31 | part(name_b);
            self.give(at, (height, b.height_at(at) - height), id, [a.patch.feature, b.patch.feature]);
        }
    }

    /// Adds a corner, given its height on A and how much higher B is there, if it is within the margin.
    #[inline(always)]
    fn give(&mut self, at: [f64; 2], (height, depth): (f64, f64), id: u64, features: [u32; 2]) {
        let depth = depth + (self.radii[0] + self.radii[1]);
        if let Some(depth) = in_reach(depth, self.margin, self.tolerance) {
            let point_a = self.view.point(at, height - self.radii[0]);
            self.points[self.count % MOST] = ManifoldPoint { point_a, depth, id, features };
            self.places[self.count % MOST] = at;
            self.count += 1;
        }
    }

    /// Whether no two corners are so close together that a clip would merge them.
    #[inline(always)]
    fn are_distinct(&self) -> bool {
        let least = (DOUBLE * self.tolerance) * (DOUBLE * self.tolerance);
        (1..self.count.min(MOST)).all(|k| {
            let [x, y] = self.places[k];
            self.places[..k].iter().all(|at| (at[0] - x) * (at[0] - x) + (at[1] - y) * (at[1] - y) > least)
        })
    }
}

/// Removes the first one of a set and returns it.
#[inline(always)]
fn take_first(set: &mut u32) -> usize {
    let first = set.trailing_zeros() as usize;
    *set &= *set - 1;
    first % 16
}
