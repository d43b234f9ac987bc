//! Clips two polygons of few corners, without a branch on each corner: which are cut off is unpredictable.

use super::clipped_corner::{ClippedCorner, Line, Origin};
use super::projected_face::ProjectedFace;

/// Maximum number of corners of both polygons, and of their intersection.
const MOST: usize = 8;

/// The corners of the intersection, with space for those that are copied from beyond its end.
#[derive(Clone, Debug)]
pub(super) struct Few {
    corners: [ClippedCorner; 2 * MOST + 1],
    before: [ClippedCorner; MOST],
}

impl Default for Few {
    fn default() -> Self {
        let none = ClippedCorner { at: [0.0; 2], origin: Origin::CornerOfA(0), onward: Line::A(0) };
        Self { corners: [none; 2 * MOST + 1], before: [none; MOST] }
    }
}

/// Where a side cuts a polygon.
struct Cut {
    /// The last corner before the outline leaves, and the last one before it enters again.
    last: [usize; 2],
    /// The first corner after it has entered.
    start: usize,
}

impl Cut {
    /// Returns the cut of a convex polygon, given the sets of the corners on both sides; `None` where rounding has made it cross
    /// the side more than twice.
    fn new(inside: u32, outside: u32, count: usize) -> Option<Self> {
        let next = inside >> 1 | (inside & 1) << (count - 1);
        let (leaves, enters) = (inside & !next, outside & next);
        let last = [leaves, enters].map(|set| set.trailing_zeros() as usize);
        let start = if last[1] + 1 == count { 0 } else { last[1] + 1 };
        leaves.is_power_of_two().then_some(Self { last, start })
    }
}

impl Few {
    /// Returns the corners of the intersection of two polygons, the same as by clipping one corner after another; `None` where
    /// they have many, or where one lies on a side of the other.
    pub(super) fn find(
        &mut self,
        a: &ProjectedFace,
        b: &ProjectedFace,
        tolerance: f64,
    ) -> Option<&mut [ClippedCorner]> {
        let mut count = a.corners.len();
        if count + b.corners.len() > MOST {
            return None;
        }
        for (k, (corner, seen)) in (0..).zip(self.corners.iter_mut().zip(&a.corners)) {
            *corner = ClippedCorner { at: seen.at, origin: Origin::CornerOfA(k), onward: Line::A(k) };
        }
        for side in 0..b.corners.len() {
            // A degenerate side clips nothing.
            let Some(line) = b.line(side, tolerance) else { continue };
            let lefts: [f64; MOST] = std::array::from_fn(|k| line.left_of(self.corners[k].at));
            let set = |is_in: &dyn Fn(f64) -> bool| {
                lefts.iter().rev().fold(0, |set: u32, &left| set << 1 | u32::from(is_in(left)))
            };
            let all = (1 << count) - 1;
            let inside = all & set(&|left| left > tolerance);
            let outside = all & set(&|left| left < -tolerance);
            if inside | outside != all {
                return None;
            }
            if outside == 0 {
                continue;
            }
            if inside == 0 {
                return Some(&mut []);
            }
            let cut = Cut::new(inside, outside, count)?;
            count = self.cut_off(&cut, (b, side), &lefts, (inside & 1 == 1, count));
        }
        Some(&mut self.corners[..count])
    }

    /// Replaces the corners that are cut off by a side of B by the two at which it cuts; returns the new number.
    #[inline(always)]
    fn cut_off(
        &mut self,
        cut: &Cut,
        (b, side): (&ProjectedFace, usize),
        lefts: &[f64; MOST],
        (keeps_first, count): (bool, usize),
    ) -> usize {
        self.before.copy_from_slice(&self.corners[..MOST]);
        let crossing = |k: usize, next: usize| {
            self.before[k % MOST].crossing(
                self.before[next % MOST].at,
                [lefts[k % MOST], lefts[next % MOST]],
                b,
                side,
            )
        };
        let [leaving, entering] = cut.last;
        let after = if leaving + 1 == count { 0 } else { leaving + 1 };
        let exit = ClippedCorner { onward: Line::B(side as u32), ..crossing(leaving, after) };
        let entry = crossing(entering, cut.start);
        if keeps_first {
            self.corners[leaving + 1] = exit;
            self.corners[leaving + 2] = entry;
            for k in 0..MOST {
                self.corners[leaving + 3 + k] = self.before[(cut.start + k) % MOST];
            }
            leaving + 3 + if cut.start == 0 { 0 } else { count - cut.start }
        } else {
            let kept = leaving + 1 - cut.start;
            self.corners[0] = entry;
            for k in 0..MOST {
                self.corners[1 + k] = self.before[(cut.start + k) % MOST];
            }
            self.corners[kept + 1] = exit;
            kept + 2
        }
    }
}
