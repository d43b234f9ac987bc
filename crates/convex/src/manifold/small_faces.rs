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
use super::manifold_point::{LEVEL, ManifoldPoint, ROUNDINGS, in_reach, part};
use super::manifold_reduction::MOST;
use super::projected_face::View;
use crate::face_polygon::{Corner, FacePolygon};
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
    /// From every corner to the next.
    along_x: f64x4,
    along_y: f64x4,
    /// Whether the corners run clockwise in the view.
    clockwise: bool,
    /// The gradient of the height.
    slope: [f64; 2],
    /// The largest coordinate involved: rounding error is relative to it.
    largest: f64,
}

/// The place of the corners of one face beside the lines of the other.
struct Beside {
    /// How far each corner is to the left of each line, times the length of its side; all of a sign on one side of the line.
    left: [f64x4; 4],
    /// The set of the corners outside of each line.
    outside: [u32; 4],
    /// Whether one is so close to a line that rounding may decide, or two corners of the face so close together.
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
        Some(Self {
            patch,
            x,
            y,
            height,
            along_x: next(x) - x,
            along_y: next(y) - y,
            clockwise: facing < 0.0,
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

    /// Returns the number of the corners, three or four.
    #[inline(always)]
    fn count(&self) -> usize {
        self.patch.corners.len()
    }

    /// Returns the set of the corners.
    #[inline(always)]
    fn all(&self) -> u32 {
        (1 << self.count()) - 1
    }

    /// Compares the corners of another face with the lines of this one. `clear` is a distance; a side shorter than twice that
    /// counts as close.
    #[inline(always)]
    fn beside(&self, other: &Self, clear: f64) -> Beside {
        let [start_x, start_y] = [self.x, self.y].map(f64x4::to_array);
        let [along_x, along_y] = [self.along_x, self.along_y].map(f64x4::to_array);
        let left_of = |side: usize| {
            f64x4::splat(along_x[side]) * (other.y - f64x4::splat(start_y[side]))
                - f64x4::splat(along_y[side]) * (other.x - f64x4::splat(start_x[side]))
        };
        // Of a triangle the last line is there twice.
        let last = (self.count() - 1) % 4;
        let left = [left_of(0), left_of(1), left_of(2), left_of(last)];
        let nearest = |one: usize, other: usize| left[one].abs().fast_min(left[other].abs());
        let nearest = nearest(0, 1).fast_min(nearest(2, 3));
        // No shorter than the sides.
        let lengths = (self.along_x.abs() + self.along_y.abs()).to_array();
        let [a, b, c, d] = [lengths[0], lengths[1], lengths[2], lengths[last]];
        let (longest, shortest) = (a.max(b).max(c.max(d)), a.min(b).min(c.min(d)));
        let is_close = nearest.simd_le(f64x4::splat(clear * longest)).any() | (shortest <= 2.0 * clear);
        // No value is zero, so that its sign is that of the side; inside is right of a side that runs clockwise.
        let flip = if self.clockwise { 0xf } else { 0 };
        let outside = |line: usize| left[line].to_bitmask() ^ flip;
        Beside { left, outside: [outside(0), outside(1), outside(2), outside(3)], is_close }
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

/// The greatest number of corners of the intersection of two faces of four.
const CORNERS: usize = 8;

/// Where the corners of an intersection are written, and where they are in the view.
pub(super) struct Candidates<'a> {
    pub(super) points: &'a mut Vec<ManifoldPoint>,
    pub(super) places: &'a mut Vec<[f64; 2]>,
}

/// A search for the corners of the intersection of two small faces within the margin.
pub(super) struct SmallMeeting<'a> {
    faces: [&'a SmallFace<'a>; 2],
    of_a: Beside,
    view: &'a View,
    radii: [f64; 2],
    margin: f64,
    tolerance: f64,
    out: Candidates<'a>,
    /// These ascend along the outline, counter-clockwise.
    keys: [u32; CORNERS],
}

impl<'a> SmallMeeting<'a> {
    /// Writes the corners of the intersection of A's and B's face, seen along `view`, in the order of the outline if they are more
    /// than four. Returns the rounding error of a length; `None` where rounding may decide which corners there are.
    #[inline(always)]
    pub(super) fn find(
        faces: [&'a SmallFace<'a>; 2],
        view: &'a View,
        radii: [f64; 2],
        margin: f64,
        out: Candidates<'a>,
    ) -> Option<f64> {
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
        let inside = [of_a.inside(a.all()), of_b.inside(b.all())];
        let crossings = of_a.crossed() & transposed(of_b.crossed());
        // Along a side the depth is greatest at an end.
        let near_sides = [near[0] | following(near[0]), near[1] | following(near[1])];
        let near_pairs = (near_sides[0] * 0x1111) & (spread(near_sides[1]) * 0xf);
        out.points.clear();
        out.places.clear();
        let keys = [0; CORNERS];
        let mut meeting = Self { faces, of_a, view, radii, margin, tolerance, out, keys };
        meeting.give_corners_of_a(inside[0] & near[0], depths[0].to_array());
        meeting.give_crossings(crossings & near_pairs);
        let first_of_b = meeting.out.points.len();
        meeting.give_corners_of_b(inside[1] & near[1], depths[1].to_array());
        if meeting.out.points.len() > MOST {
            meeting.order(first_of_b, crossings);
        }
        meeting.are_distinct().then_some(tolerance)
    }

    #[inline(always)]
    fn give_corners_of_a(&mut self, mut corners: u32, depths: [f64; 4]) {
        let [a, b] = self.faces;
        while corners != 0 {
            let k = take_first(&mut corners) % 4;
            let ((at, height), corner) = (a.corner(k), &a.patch.corners[k]);
            let (id, features) = (1 << 62 | part(corner.id) << 31, [corner.feature, b.patch.feature]);
            self.give(at, (height, depths[k]), (id, features), after(k));
        }
    }

    #[inline(always)]
    fn give_corners_of_b(&mut self, mut corners: u32, depths: [f64; 4]) {
        let [a, b] = self.faces;
        while corners != 0 {
            let k = take_first(&mut corners) % 4;
            let ((at, height), corner) = (b.corner(k), &b.patch.corners[k]);
            let (id, features) = (2 << 62 | part(corner.id), [a.patch.feature, corner.feature]);
            self.give(at, (height - depths[k], depths[k]), (id, features), k as u32);
        }
    }

    #[inline(always)]
    fn give_crossings(&mut self, mut crossings: SidePairs) {
        let [a, b] = self.faces;
        while crossings != 0 {
            let pair = take_first(&mut crossings);
            let [side_a, side_b] = [pair % 4, pair / 4 % 4];
            let onward = (side_a + 1) % 4;
            let left = self.of_a.left[side_b].to_array();
            let t = left[side_a] / (left[side_a] - left[onward]);
            let [(start, low), (end, high)] = [a.corner(side_a), a.corner(onward)];
            let at = [start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t];
            let height = low + (high - low) * t;
            let names = [a.patch.corners[side_a].id, b.patch.corners[side_b].id].map(part);
            let (id, features) = (3 << 62 | names[0] << 31 | names[1], [a.patch.feature, b.patch.feature]);
            let leaves = self.leaving(side_b) >> side_a & 1;
            let key = after(onward % a.count()) + ENTRY + leaves;
            self.give(at, (height, b.height_at(at) - height), (id, features), key);
        }
    }

    /// Adds a corner, given its height on A and how much higher B is there, if it is within the margin.
    #[inline(always)]
    fn give(&mut self, at: [f64; 2], (height, depth): (f64, f64), (id, features): (u64, [u32; 2]), key: u32) {
        let depth = depth + (self.radii[0] + self.radii[1]);
        if let Some(depth) = in_reach(depth, self.margin, self.tolerance) {
            let point_a = self.view.point(at, height - self.radii[0]);
            self.keys[self.out.points.len() % CORNERS] = key;
            self.out.points.push(ManifoldPoint { point_a, depth, id, features });
            self.out.places.push(at);
        }
    }

    /// Returns the set of the sides of A on which the outline of A, counter-clockwise, goes from the inside of a line of B to its
    /// outside, if it crosses that.
    #[inline(always)]
    fn leaving(&self, line: usize) -> u32 {
        0xf ^ following(self.of_a.outside[line % 4])
    }

    /// Sorts the corners along the outline of the intersection, counter-clockwise; those from `first_of_b` on are corners of B,
    /// whose keys are their numbers.
    ///
    /// Where the outline of A leaves B through a side, that of the intersection goes on to the end of that side, and from there
    /// along B, until it meets A's again.
    #[inline(never)]
    fn order(&mut self, first_of_b: usize, crossings: SidePairs) {
        let [a, b] = self.faces;
        let count = self.out.points.len().min(CORNERS);
        for at in first_of_b..count {
            let mut side = self.keys[at] as usize;
            for step in 0..b.count() as u32 {
                side = if side == 0 { b.count() - 1 } else { side - 1 };
                let leaving = crossings >> (4 * side) & self.leaving(side) & 0xf;
                if leaving != 0 {
                    let onward = leaving.trailing_zeros() as usize + 1;
                    self.keys[at] = after(onward % a.count()) + ALONG_B + step;
                    break;
                }
            }
        }
        for end in 1..count {
            let mut at = end;
            while at > 0 && self.keys[at - 1] > self.keys[at] {
                self.keys.swap(at - 1, at);
                self.out.points.swap(at - 1, at);
                self.out.places.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    /// Whether no two corners are so close together that a clip would merge them.
    #[inline(always)]
    fn are_distinct(&self) -> bool {
        let least = (DOUBLE * self.tolerance) * (DOUBLE * self.tolerance);
        let places = &self.out.places[..];
        (1..places.len()).all(|k| {
            let [x, y] = places[k];
            places[..k].iter().all(|at| (at[0] - x) * (at[0] - x) + (at[1] - y) * (at[1] - y) > least)
        })
    }
}

/// What is added to the key of a corner of A for a crossing on the side after it at which the outline of A enters B; one more
/// where it leaves.
const ENTRY: u32 = 1;

/// The same for the corners of B along which the outline of the intersection goes on.
const ALONG_B: u32 = 3;

/// Returns the key of a corner of A, whose outline runs clockwise.
#[inline(always)]
fn after(corner: usize) -> u32 {
    8 * (3 - (corner as u32 & 3))
}

/// Removes the first one of a set and returns it.
#[inline(always)]
fn take_first(set: &mut u32) -> usize {
    let first = set.trailing_zeros() as usize;
    *set &= *set - 1;
    first
}
