//! Contact of a segment with a solid axis-aligned box.
//!
//! Apart, the squared distance is a convex function of the parameter on the segment, quadratic between the parameters
//! where the segment crosses a slab plane of the box: the minimum is where its slope changes sign. In penetration, the
//! minimum separation is along the normal of a face, or along the cross product of the segment and an edge.

use crate::{Point, Vector, rounding};

/// The result of [`segment_box`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentBox {
    /// The distance; the negative penetration depth if the segment touches or pierces the box.
    pub distance: f64,
    /// The unit direction that separates the segment: from the box's point to the segment's.
    pub direction: Vector,
    /// The weight of the segment's second end at its contact point, 0 to 1.
    pub t: f64,
    /// The segment's contact point.
    pub on_segment: Point,
}

/// A segment and an edge at an angle with a sine below this count as parallel: rounding error.
const PARALLEL: f64 = 16.0 * f64::EPSILON;

/// Returns the contact of the segment `start end` and the solid box about the origin with the given half extents.
///
/// If an interval of the segment is equally close or equally deep, its middle is the contact point. Ties in depth go to
/// faces before edges, then to the lower axis, then to the positive side. A degenerate segment is its start. The points
/// are `on_segment` and `on_segment - distance * direction`.
pub fn segment_box(start: &Point, end: &Point, half: &Vector) -> SegmentBox {
    let t = nearest(start, end, half);
    let on_segment = at(start, end, t);
    let beyond = beyond(&on_segment, half);
    let distance = beyond.norm();
    if distance > 0.0 {
        return SegmentBox { distance, direction: beyond / distance, t, on_segment };
    }
    way_out(start, end, half)
}

/// Returns the parameter of the minimum distance: the middle of the interval, if it is not unique.
fn nearest(start: &Point, end: &Point, half: &Vector) -> f64 {
    let along = end - start;
    let mut places = [1.0; 8];
    places[0] = 0.0;
    for axis in 0..3 {
        for (side, bound) in [-half[axis], half[axis]].into_iter().enumerate() {
            let t = (bound - start[axis]) / along[axis];
            places[2 * axis + side + 1] = if t > 0.0 && t < 1.0 { t } else { 1.0 };
        }
    }
    places.sort_unstable_by(f64::total_cmp);
    // Half the slope of the squared distance, which is non-decreasing. Slopes within rounding error, for a segment
    // along a face, count as zero.
    let undecided = rounding::length(rounding::largest_coordinate([start, end]));
    let slope = |t: f64| {
        let beyond = beyond(&at(start, end, t), half);
        let slope = beyond.dot(&along);
        if slope.abs() <= undecided * beyond.norm() { 0.0 } else { slope }
    };
    let slopes = places.map(slope);
    let last_falling = slopes.iter().rposition(|&slope| slope < 0.0);
    let first_rising = slopes.iter().position(|&slope| slope > 0.0);
    let zero_between = |low: usize, high: usize| {
        let (s, t) = (places[low], places[high]);
        s + (t - s) * (slopes[low] / (slopes[low] - slopes[high])).clamp(0.0, 1.0)
    };
    match (last_falling, first_rising) {
        (Some(low), Some(high)) if high == low + 1 => zero_between(low, high),
        // Zero slope on an interval.
        (low, high) => {
            let from = low.map_or(0.0, |low| places[(low + 1).min(7)]);
            let to = high.map_or(1.0, |high| places[high.saturating_sub(1)]);
            if to > from { 0.5 * (from + to) } else { from }
        }
    }
}

/// Returns the minimum separation of a segment from the box it pierces (Gottschalk, Lin, Manocha 1996,
/// doi:10.1145/237170.237244: the normals of faces and of pairs of edges suffice).
fn way_out(start: &Point, end: &Point, half: &Vector) -> SegmentBox {
    let along = end - start;
    let mut best = (f64::INFINITY, Vector::zeros(), None);
    for axis in 0..3 {
        let (low, high) = (start[axis].min(end[axis]), start[axis].max(end[axis]));
        for (depth, sign) in [(half[axis] - low, 1.0), (half[axis] + high, -1.0)] {
            if depth < best.0 {
                best = (depth, Vector::ith(axis, sign), None);
            }
        }
    }
    let length = along.norm();
    // An edge must be better by more than rounding error.
    let undecided = rounding::length(rounding::largest_coordinate([start, end]).max(half.max()));
    for axis in 0..3 {
        let cross = Vector::ith(axis, 1.0).cross(&along);
        let size = cross.norm();
        if size <= PARALLEL * length {
            continue;
        }
        let unit = cross / size;
        let reach = unit.abs().dot(half);
        for direction in [unit, -unit] {
            let lowest = direction.dot(&start.coords).min(direction.dot(&end.coords));
            if reach - lowest < best.0 - undecided {
                best = (reach - lowest, direction, Some(axis));
            }
        }
    }
    let (depth, direction, edge) = best;
    let t = match edge {
        Some(axis) => beside_edge(start, &along, &direction, half, axis),
        None => over_face(start, end, half, &direction),
    };
    SegmentBox { distance: -depth, direction, t, on_segment: at(start, end, t) }
}

/// Returns the parameter where the segment passes the box edge along `axis` that is farthest along the direction.
fn beside_edge(start: &Point, along: &Vector, direction: &Vector, half: &Vector, axis: usize) -> f64 {
    let corner = half.zip_map(direction, |half, x| if x < 0.0 { -half } else { half });
    let edge = Vector::ith(axis, 1.0);
    let across = along.cross(&edge);
    ((corner - start.coords).cross(&edge).dot(&across) / across.norm_squared()).clamp(0.0, 1.0)
}

/// Returns the parameter of the lowest point of the segment over a face, within its bounds: the middle, if it is not
/// unique.
fn over_face(start: &Point, end: &Point, half: &Vector, normal: &Vector) -> f64 {
    let along = end - start;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        if normal[axis] != 0.0 || along[axis] == 0.0 {
            continue;
        }
        let bounds = [-half[axis], half[axis]].map(|bound| (bound - start[axis]) / along[axis]);
        from = from.max(bounds[0].min(bounds[1]));
        to = to.min(bounds[0].max(bounds[1]));
    }
    let rise = along.dot(normal);
    let t = if rise > 0.0 {
        from
    } else if rise < 0.0 {
        to
    } else {
        0.5 * (from + to)
    };
    t.clamp(0.0, 1.0)
}

/// Returns the vector by which a point lies outside the box.
fn beyond(place: &Point, half: &Vector) -> Vector {
    place.coords.zip_map(half, |x, half| {
        if x > half {
            x - half
        } else if x < -half {
            x + half
        } else {
            0.0
        }
    })
}

/// Returns the exact ends at 0 and 1.
fn at(start: &Point, end: &Point, t: f64) -> Point {
    if t == 1.0 { *end } else { start + (end - start) * t }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, scaled};

    const HALF: Vector = Vector::new(1.0, 2.0, 3.0);

    fn find(start: [f64; 3], end: [f64; 3]) -> SegmentBox {
        segment_box(&Point::from(start), &Point::from(end), &HALF)
    }

    #[test]
    fn apart_from_a_face_an_edge_and_a_corner() {
        let face = find([2.0, 0.5, 0.0], [5.0, 0.5, 0.0]);
        assert_eq!((face.distance, face.direction, face.t), (1.0, Vector::x(), 0.0));
        // Parallel to the face from y = -2 to 2: the middle.
        let level = find([3.0, -4.0, 1.0], [3.0, 4.0, 1.0]);
        assert_eq!((level.distance, level.t), (2.0, 0.5));
        let half_over = find([3.0, 0.0, 1.0], [3.0, 4.0, 1.0]);
        assert_eq!(half_over.on_segment, Point::new(3.0, 1.0, 1.0));
        let edge = find([4.0, 6.0, -9.0], [4.0, 6.0, 9.0]);
        assert_eq!((edge.distance, edge.direction, edge.t), (5.0, Vector::new(0.6, 0.8, 0.0), 0.5));
        let corner = find([2.0, 4.0, 5.0], [9.0, 9.0, 9.0]);
        assert_eq!((corner.distance, corner.t), (3.0, 0.0));
        let point = find([-3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]);
        assert_eq!((point.distance, point.direction), (2.0, -Vector::x()));
    }

    #[test]
    fn piercing_the_way_out_is_the_shorter() {
        // Along x at y = 1.5: out by half a metre along +y.
        let through = find([-4.0, 1.5, 0.5], [4.0, 1.5, 0.5]);
        assert_eq!((through.distance, through.direction), (-0.5, Vector::y()));
        assert_eq!(through.on_segment, Point::new(0.0, 1.5, 0.5));
        // An end a quarter deep in +x.
        let end = find([0.75, 0.0, 0.0], [9.0, 1.0, 0.0]);
        assert_eq!((end.distance, end.direction, end.t), (-0.25, Vector::x(), 0.0));
        // Across the edge x = 1, y = 2, an eighth of its diagonal inside: out along (1, 1).
        let edge = find([0.75 - 8.0, 2.0 + 8.0, 0.0], [0.75 + 8.0, 2.0 - 8.0, 0.0]);
        let root = 0.5_f64.sqrt();
        assert!((edge.distance + 0.25 * root).abs() < 1e-15);
        assert!((edge.direction - Vector::new(root, root, 0.0)).norm() < 1e-15);
        assert_eq!(find([0.0; 3], [0.0; 3]).direction, Vector::x(), "in the middle: the nearest face");
        assert_eq!(find([1.0, -1.0, 0.0], [1.0, 1.0, 0.0]).distance, 0.0, "touching");
    }

    /// Compares with the minimum distance over a thousand points, and with the minimum separation over a spiral of
    /// directions.
    #[test]
    fn nothing_is_nearer_and_no_way_out_is_shorter() {
        let mut sample = Sample::new(71);
        let (mut apart, mut pierced) = (0, 0);
        for _ in 0..800 {
            let [start, end] = [(); 2].map(|()| Point::from(sample.vector() * 1.5));
            let half = sample.vector().abs() + Vector::repeat(0.05);
            let found = segment_box(&start, &end, &half);
            let on_box = found.on_segment - found.direction * found.distance;
            assert!(beyond(&on_box, &half).norm() <= 1e-14, "its point is outside the box");
            assert!(
                (0..3).any(|axis| (on_box[axis].abs() - half[axis]).abs() < 1e-13),
                "its point is inside the box"
            );
            if found.distance > 0.0 {
                apart += 1;
                for k in 0..=1000 {
                    let place = at(&start, &end, f64::from(k) / 1000.0);
                    assert!(beyond(&place, &half).norm() >= found.distance - 1e-14);
                }
            } else {
                pierced += 1;
                let depth = |d: &Vector| d.abs().dot(&half) - d.dot(&start.coords).min(d.dot(&end.coords));
                assert!((depth(&found.direction) + found.distance).abs() <= 1e-14);
                for _ in 0..500 {
                    let direction = sample.vector().normalize();
                    assert!(depth(&direction) >= -found.distance - 1e-14);
                }
            }
        }
        assert!(apart > 100 && pierced > 100, "{apart} apart, {pierced} through");
    }

    #[test]
    fn scale_changes_no_bit() {
        let mut sample = Sample::new(72);
        for round in 0..500 {
            let [start, end] =
                [(); 2].map(|()| if round % 2 == 0 { sample.point() } else { sample.grid_point(2) });
            let half = sample.vector().abs() + Vector::repeat(0.05);
            let found = segment_box(&start, &end, &half);
            for power in [-30, 30] {
                let factor = 2.0_f64.powi(power);
                let big = segment_box(&scaled(&start, power), &scaled(&end, power), &(half * factor));
                assert_eq!((big.distance, big.t), (found.distance * factor, found.t));
                assert_eq!(big.direction, found.direction);
            }
        }
    }
}
