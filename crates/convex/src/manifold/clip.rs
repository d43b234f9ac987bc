//! Clips two projected faces against each other (Sutherland, Hodgman), recording the origin of every corner.

use super::projected_face::{ProjectedFace, SideLine};

/// Points closer together than this many tolerances are merged.
const DOUBLE: f64 = 4.0;

/// The features that made a corner of the intersection: a corner or a side of each face, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    CornerOfA(usize),
    CornerOfB(usize),
    Crossing(usize, usize),
}

/// A corner of the intersection.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClippedCorner {
    pub(super) at: [f64; 2],
    pub(super) origin: Origin,
    /// The line along which the outline continues, counter-clockwise.
    onward: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    A(usize),
    B(usize),
}

/// The corners of the intersection of two faces, counter-clockwise; empty if they are disjoint or only cross.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    pub(super) corners: Vec<ClippedCorner>,
    before: Vec<ClippedCorner>,
}

impl Clip {
    /// Computes the intersection. Points closer together than `tolerance` are merged.
    pub(super) fn find(&mut self, a: &ProjectedFace, b: &ProjectedFace, tolerance: f64) {
        self.corners.clear();
        match (a.corners.len(), b.corners.len()) {
            (0 | 1, _) | (_, 0 | 1) => {}
            (2, 2) => self.two_segments(a, b, tolerance),
            (2, _) => self.segment(a, b, tolerance, false),
            (_, 2) => self.segment(b, a, tolerance, true),
            _ => self.two_polygons(a, b, tolerance),
        }
        self.name_corners(a, b, tolerance);
        self.drop_doubles(tolerance);
    }

    /// Identifies a corner of the intersection that coincides with a corner of a face with that corner, A before B,
    /// whichever side rounding has put it on.
    fn name_corners(&mut self, a: &ProjectedFace, b: &ProjectedFace, tolerance: f64) {
        let least = (DOUBLE * tolerance) * (DOUBLE * tolerance);
        for corner in &mut self.corners {
            let there =
                |flat: &ProjectedFace, at| flat.corners.iter().position(|seen| squared(seen.at, at) <= least);
            if let Origin::CornerOfA(_) = corner.origin {
                continue;
            }
            if let Some(k) = there(a, corner.at) {
                (corner.at, corner.origin) = (a.corners[k].at, Origin::CornerOfA(k));
            } else if let (Origin::Crossing(..), Some(k)) = (corner.origin, there(b, corner.at)) {
                (corner.at, corner.origin) = (b.corners[k].at, Origin::CornerOfB(k));
            }
        }
    }

    fn two_polygons(&mut self, a: &ProjectedFace, b: &ProjectedFace, tolerance: f64) {
        let all = a.corners.iter().enumerate();
        self.corners.extend(all.map(|(k, corner)| ClippedCorner {
            at: corner.at,
            origin: Origin::CornerOfA(k),
            onward: Line::A(k),
        }));
        for side in 0..b.corners.len() {
            std::mem::swap(&mut self.corners, &mut self.before);
            self.corners.clear();
            self.keep_left_of(b, side, tolerance);
        }
    }

    /// Clips the polygon to the left of a side of B.
    fn keep_left_of(&mut self, b: &ProjectedFace, side: usize, tolerance: f64) {
        let count = self.before.len();
        let Some(line) = b.line(side, tolerance) else {
            // A degenerate side clips nothing.
            self.corners.extend_from_slice(&self.before);
            return;
        };
        let Some(first) = self.before.first() else { return };
        let first = line.left_of(first.at);
        let mut there = first;
        for (k, &corner) in self.before.iter().enumerate() {
            let is_last = k + 1 == count;
            let next = self.before[if is_last { 0 } else { k + 1 }];
            let here = there;
            there = if is_last { first } else { line.left_of(next.at) };
            let (inside, next_inside) = (here >= -tolerance, there >= -tolerance);
            let crossing = || {
                let t = here / (here - there);
                let [x, y] = corner.at;
                let at = [x + (next.at[0] - x) * t, y + (next.at[1] - y) * t];
                let own = match corner.onward {
                    Line::A(own) => return (at, Origin::Crossing(own, side)),
                    Line::B(own) => own,
                };
                // Adjacent sides of B meet in a corner of B. Others meet outside of it, where a later side will clip.
                let count = b.corners.len();
                if (own + 1) % count == side {
                    (b.corners[side].at, Origin::CornerOfB(side))
                } else if (side + 1) % count == own {
                    (b.corners[own].at, Origin::CornerOfB(own))
                } else {
                    (at, Origin::CornerOfB(own))
                }
            };
            if inside && next_inside {
                self.corners.push(corner);
            } else if inside && here <= tolerance {
                // On the side itself, and leaving.
                self.corners.push(ClippedCorner { onward: Line::B(side), ..corner });
            } else if inside {
                self.corners.push(corner);
                let (at, origin) = crossing();
                self.corners.push(ClippedCorner { at, origin, onward: Line::B(side) });
            } else if next_inside && there > tolerance {
                let (at, origin) = crossing();
                self.corners.push(ClippedCorner { at, origin, onward: corner.onward });
            }
        }
    }

    /// Drops all but the first of coincident corners.
    fn drop_doubles(&mut self, tolerance: f64) {
        let (mut kept, least) = (0, (DOUBLE * tolerance) * (DOUBLE * tolerance));
        for k in 0..self.corners.len() {
            let corner = self.corners[k];
            if self.corners[..kept].iter().all(|other| squared(other.at, corner.at) > least) {
                self.corners[kept] = corner;
                kept += 1;
            }
        }
        self.corners.truncate(kept);
    }

    /// Clips a segment to a polygon (Liang, Barsky 1984, doi:10.1145/357332.357333); `exchanged` when the polygon is A.
    fn segment(&mut self, segment: &ProjectedFace, polygon: &ProjectedFace, tolerance: f64, exchanged: bool) {
        let [start, end] = segment.side(0);
        let corner = |k| if exchanged { Origin::CornerOfB(k) } else { Origin::CornerOfA(k) };
        let cross = |side| if exchanged { Origin::Crossing(side, 0) } else { Origin::Crossing(0, side) };
        let (mut first, mut last) = ((0.0, corner(0)), (1.0, corner(1)));
        for side in 0..polygon.corners.len() {
            let Some(line) = polygon.line(side, tolerance) else { continue };
            let (from, to) = (line.left_of(start.at), line.left_of(end.at));
            if from < -tolerance && to < -tolerance {
                return;
            }
            if from < -tolerance {
                let entry =
                    if to <= tolerance { (1.0, corner(1)) } else { (from / (from - to), cross(side)) };
                first = if entry.0 > first.0 { entry } else { first };
            } else if to < -tolerance {
                let exit =
                    if from <= tolerance { (0.0, corner(0)) } else { (from / (from - to), cross(side)) };
                last = if exit.0 < last.0 { exit } else { last };
            }
        }
        let length = distance(start.at, end.at);
        if (first.0 - last.0) * length > tolerance {
            return;
        }
        for (t, origin) in [first, last] {
            let at = [0, 1].map(|axis| start.at[axis] + (end.at[axis] - start.at[axis]) * t);
            self.corners.push(ClippedCorner { at, origin, onward: Line::A(0) });
        }
    }

    /// Computes the ends of the overlap of two collinear segments. Segments that cross share a point, which needs no
    /// corner.
    fn two_segments(&mut self, a: &ProjectedFace, b: &ProjectedFace, tolerance: f64) {
        let ([a0, a1], [b0, b1]) = (a.side(0).map(|seen| seen.at), b.side(0).map(|seen| seen.at));
        let on_line = |[start, end]: [[f64; 2]; 2], [p, q]: [[f64; 2]; 2]| {
            SideLine::new(start, end, tolerance)
                .is_some_and(|line| [p, q].iter().all(|&at| line.left_of(at).abs() <= tolerance))
        };
        // Use the line of the longer one, since a short segment's direction is inaccurate.
        let (long, short) = ([a0, a1], [b0, b1]);
        let longer_is_a = distance(a0, a1) >= distance(b0, b1);
        let (long, short) = if longer_is_a { (long, short) } else { (short, long) };
        if !on_line(long, short) {
            return;
        }
        let within = |at: [f64; 2], [start, end]: [[f64; 2]; 2]| {
            let length = distance(start, end);
            distance(at, start) <= length + tolerance && distance(at, end) <= length + tolerance
        };
        for (k, at) in [a0, a1].into_iter().enumerate() {
            if within(at, [b0, b1]) {
                self.corners.push(ClippedCorner { at, origin: Origin::CornerOfA(k), onward: Line::A(0) });
            }
        }
        for (k, at) in [b0, b1].into_iter().enumerate() {
            if within(at, [a0, a1]) {
                self.corners.push(ClippedCorner { at, origin: Origin::CornerOfB(k), onward: Line::B(0) });
            }
        }
    }
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    squared(p, q).sqrt()
}

fn squared(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, y] = [q[0] - p[0], q[1] - p[1]];
    x * x + y * y
}
