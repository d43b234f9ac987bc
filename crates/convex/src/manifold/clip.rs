//! Clips two projected faces against each other (Sutherland, Hodgman), recording the origin of every corner.

use super::clip_few::Few;
use super::clipped_corner::{ClippedCorner, Line, Origin};
use super::projected_face::{ProjectedFace, SideLine};

/// Points closer together than this many tolerances are merged.
pub(super) const DOUBLE: f64 = 4.0;

/// Corners at which the planes of two polygons are farther apart than the margin by more than this, relative to the size, are not
/// examined: far above the rounding error of where they are.
const FAR: f64 = 1e-6;

/// The corners of the intersection of two faces, counter-clockwise; empty if they are disjoint or only cross.
#[derive(Clone, Debug, Default)]
pub(super) struct Clip {
    pub(super) corners: Vec<ClippedCorner>,
    before: Vec<ClippedCorner>,
    few: Few,
}

impl Clip {
    /// Computes the intersection. Points closer together than `tolerance` are merged; those at which `b` is certainly lower than
    /// `a` by more than `reach` are left out.
    pub(super) fn find(&mut self, a: &ProjectedFace, b: &ProjectedFace, (tolerance, reach): (f64, f64)) {
        self.corners.clear();
        match (a.corners.len(), b.corners.len()) {
            (0 | 1, _) | (_, 0 | 1) => {}
            (2, 2) => self.two_segments(a, b, tolerance),
            (2, _) => self.segment(a, b, tolerance, false),
            (_, 2) => self.segment(b, a, tolerance, true),
            _ => self.two_polygons(a, b, (tolerance, reach)),
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
                (corner.at, corner.origin) = (a.corners[k].at, Origin::CornerOfA(k as u32));
            } else if let (Origin::Crossing(..), Some(k)) = (corner.origin, there(b, corner.at)) {
                (corner.at, corner.origin) = (b.corners[k].at, Origin::CornerOfB(k as u32));
            }
        }
    }

    fn two_polygons(&mut self, a: &ProjectedFace, b: &ProjectedFace, (tolerance, reach): (f64, f64)) {
        if let Some(corners) = self.few.find(a, b, tolerance) {
            let near = keep_near(corners, a, b, reach);
            self.corners.extend_from_slice(&corners[..near]);
            return;
        }
        self.corner_by_corner(a, b, tolerance);
        let near = keep_near(&mut self.corners, a, b, reach);
        self.corners.truncate(near);
    }

    /// Clips A by one side of B after another.
    fn corner_by_corner(&mut self, a: &ProjectedFace, b: &ProjectedFace, tolerance: f64) {
        let all = (0..).zip(&a.corners);
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
            let crossing = || corner.crossing(next.at, [here, there], b, side);
            let onward = Line::B(side as u32);
            if inside && next_inside {
                self.corners.push(corner);
            } else if inside && here <= tolerance {
                // On the side itself, and leaving.
                self.corners.push(ClippedCorner { onward, ..corner });
            } else if inside {
                self.corners.push(corner);
                self.corners.push(ClippedCorner { onward, ..crossing() });
            } else if next_inside && there > tolerance {
                self.corners.push(crossing());
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
        let cross = |side: usize| {
            let side = side as u32;
            if exchanged { Origin::Crossing(side, 0) } else { Origin::Crossing(0, side) }
        };
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
        for (k, at) in (0..).zip([a0, a1]) {
            if within(at, [b0, b1]) {
                self.corners.push(ClippedCorner { at, origin: Origin::CornerOfA(k), onward: Line::A(0) });
            }
        }
        for (k, at) in (0..).zip([b0, b1]) {
            if within(at, [a0, a1]) {
                self.corners.push(ClippedCorner { at, origin: Origin::CornerOfB(k), onward: Line::B(0) });
            }
        }
    }
}

/// Drops the corners at which the plane of B is certainly more than `reach` below that of A. Compacts the others to the front and
/// returns their number, without unpredictable branches.
fn keep_near(corners: &mut [ClippedCorner], a: &ProjectedFace, b: &ProjectedFace, reach: f64) -> usize {
    let size = a.largest + b.largest;
    let least = -reach - FAR * (size * (1.0 + a.steepness() + b.steepness()));
    let mut kept = 0;
    for k in 0..corners.len() {
        let corner = corners[k];
        let is_far = b.height(corner.at) - a.height(corner.at) < least;
        corners[kept] = corner;
        kept += usize::from(!is_far);
    }
    kept
}

fn distance(p: [f64; 2], q: [f64; 2]) -> f64 {
    squared(p, q).sqrt()
}

fn squared(p: [f64; 2], q: [f64; 2]) -> f64 {
    let [x, y] = [q[0] - p[0], q[1] - p[1]];
    x * x + y * y
}

#[cfg(test)]
mod tests {
    use nalgebra::{Rotation3, Vector3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::face_polygon::FacePolygon;
    use crate::manifold::projected_face::View;
    use crate::pose::RigidTransform;

    type Vector = Vector3<f64>;

    /// A polygon of the plane z = 0 inscribed in an ellipse, seen along z.
    fn projected(random: &mut ChaCha8Rng, count: usize, facing: f64) -> ProjectedFace {
        let mut patch = FacePolygon::default();
        patch.begin(Vector::z() * facing, 0);
        let (wide, turn) = (random.random_range(0.2..1.0), random.random_range(0.0..6.0));
        for k in 0..count as u32 {
            let angle = turn
                + facing * (f64::from(k) + random.random_range(0.0..0.8)) * std::f64::consts::TAU
                    / count as f64;
            patch.push(Vector::new(libm::cos(angle), wide * libm::sin(angle), 0.0), k, 0);
        }
        let mut number = || random.random_range(-0.4..0.4);
        let tilt = Rotation3::from_euler_angles(number(), number(), number()).into_inner();
        let pose = RigidTransform::new(tilt, Vector::new(number(), number(), number()));
        let mut flat = ProjectedFace::default();
        flat.look(&patch, &pose, &View::new(Vector::z(), Vector::zeros()), facing);
        flat
    }

    #[test]
    fn few_corners_are_clipped_as_any_number_is() {
        let mut random = ChaCha8Rng::seed_from_u64(1608);
        let (mut clip, mut cut, mut least) = (Clip::default(), 0, usize::MAX);
        for case in 0..4_000 {
            let counts = [3 + case % 2, 3 + case / 2 % 2];
            let a = projected(&mut random, counts[0], -1.0);
            let b = projected(&mut random, counts[1], 1.0);
            clip.corners.clear();
            clip.corner_by_corner(&a, &b, 1e-15);
            let few = clip.few.find(&a, &b, 1e-15).map(|corners| corners.to_vec());
            assert_eq!(few.as_deref(), Some(&clip.corners[..]), "{case}");
            cut += usize::from(clip.corners.len() > counts[0]);
            least = least.min(clip.corners.len());
        }
        assert!(cut > 2_000 && least == 0, "{cut} {least}");
    }

    #[test]
    fn corners_on_a_side_and_many_corners_are_left_to_the_general_way() {
        let mut random = ChaCha8Rng::seed_from_u64(1609);
        let mut clip = Clip::default();
        let quad = projected(&mut random, 4, 1.0);
        assert!(clip.few.find(&quad, &quad, 1e-15).is_none());
        let many = projected(&mut random, 5, -1.0);
        assert!(clip.few.find(&many, &quad, 1e-15).is_none());
    }

    /// With a reach, the corners that are left are those of the whole intersection that are within it.
    #[test]
    fn only_far_corners_are_left_out() {
        let mut random = ChaCha8Rng::seed_from_u64(1610);
        let (mut clip, mut left_out) = (Clip::default(), 0);
        for case in 0..2_000 {
            let a = projected(&mut random, 3 + case % 4, -1.0);
            let b = projected(&mut random, 3 + case / 4 % 4, 1.0);
            clip.find(&a, &b, (1e-15, f64::INFINITY));
            let near = |corner: &&ClippedCorner| b.height(corner.at) - a.height(corner.at) >= -0.1;
            let all: Vec<ClippedCorner> = clip.corners.iter().filter(near).copied().collect();
            let count = clip.corners.len();
            clip.find(&a, &b, (1e-15, 0.1));
            let found: Vec<ClippedCorner> = clip.corners.iter().filter(near).copied().collect();
            assert_eq!(all, found, "{case}");
            left_out += count - clip.corners.len();
        }
        assert!(left_out > 2_000, "{left_out}");
    }
}
