//! Nearest points of simple features: every candidate is tried, and the nearest counts.

use nalgebra::{Matrix2, Vector2};
use palpate_math::{Point, Vector};

/// Where on a triangle: how many of its vertices count, and which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part(pub(crate) Vec<usize>);

/// The nearest point of a segment: its parameter and itself.
pub(crate) fn on_segment(point: &Point, start: &Point, end: &Point) -> (f64, Point) {
    let along = end - start;
    let square = along.dot(&along);
    let t = if square > 0.0 { ((point - start).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
    let place = match t {
        0.0 => *start,
        1.0 => *end,
        _ => Point::from(start.coords.lerp(&end.coords, t)),
    };
    (t, place)
}

/// The part of a segment's vertices (0 and 1) that a parameter is on.
pub(crate) fn part_of_segment(t: f64) -> Part {
    Part(match t {
        0.0 => vec![0],
        1.0 => vec![1],
        _ => vec![0, 1],
    })
}

/// The nearest place of a triangle.
#[derive(Clone, Debug)]
pub(crate) struct OnTriangle {
    pub(crate) place: Point,
    pub(crate) part: Part,
    pub(crate) distance: f64,
}

/// The nearest place of a triangle: the face, three sides.
pub(crate) fn on_triangle(point: &Point, corners: &[Point; 3]) -> OnTriangle {
    let mut best: Option<OnTriangle> = None;
    for side in 0..3 {
        let (from, to) = (side, (side + 1) % 3);
        let (t, place) = on_segment(point, &corners[from], &corners[to]);
        let part = Part(part_of_segment(t).0.into_iter().map(|end| [from, to][end]).collect());
        let distance = (place - point).norm();
        if best.as_ref().is_none_or(|best| distance < best.distance) {
            best = Some(OnTriangle { place, part, distance });
        }
    }
    let on_side = best.expect("a triangle has three sides");
    match in_plane(point, corners) {
        Some(place) if (place - point).norm() < on_side.distance => {
            OnTriangle { place, part: Part(vec![0, 1, 2]), distance: (place - point).norm() }
        }
        _ => on_side,
    }
}

/// The foot of a point in the plane of a triangle, when it is inside of it: the least squares of two sides.
fn in_plane(point: &Point, [a, b, c]: &[Point; 3]) -> Option<Point> {
    let (u, v, w) = (b - a, c - a, point - a);
    let normal_equations = Matrix2::new(u.dot(&u), u.dot(&v), u.dot(&v), v.dot(&v));
    let solution = normal_equations.try_inverse()? * Vector2::new(u.dot(&w), v.dot(&w));
    let (s, t) = (solution.x, solution.y);
    (s > 0.0 && t > 0.0 && s + t < 1.0).then(|| a + u * s + v * t)
}

/// The nearest places of two segments: parameters, points, distance.
#[derive(Clone, Debug)]
pub(crate) struct OnSegments {
    pub(crate) s: f64,
    pub(crate) t: f64,
    pub(crate) on_first: Point,
    pub(crate) on_second: Point,
    pub(crate) distance: f64,
}

/// The nearest places of two segments: four ends, and the minimum of the square where it is inside of both.
pub(crate) fn on_segments(first: &[Point; 2], second: &[Point; 2]) -> OnSegments {
    let mut candidates = Vec::new();
    for end in [0.0, 1.0] {
        let place = first[end as usize];
        let (t, other) = on_segment(&place, &second[0], &second[1]);
        candidates.push((end, t, place, other));
        let place = second[end as usize];
        let (s, other) = on_segment(&place, &first[0], &first[1]);
        candidates.push((s, end, other, place));
    }
    let (u, v, w) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let square = Matrix2::new(u.dot(&u), -u.dot(&v), -u.dot(&v), v.dot(&v));
    if let Some(solution) = square.try_inverse().map(|inverse| inverse * Vector2::new(u.dot(&w), -v.dot(&w)))
    {
        let (s, t) = (solution.x, solution.y);
        if s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0 {
            candidates.push((s, t, first[0] + u * s, second[0] + v * t));
        }
    }
    let measured = candidates.into_iter().map(|(s, t, on_first, on_second)| OnSegments {
        s,
        t,
        on_first,
        on_second,
        distance: (on_first - on_second).norm(),
    });
    measured
        .reduce(|best, other| if other.distance < best.distance { other } else { best })
        .expect("two segments have four ends")
}

/// The nearest places of a segment and a triangle.
#[derive(Clone, Debug)]
pub(crate) struct SegmentOnTriangle {
    pub(crate) t: f64,
    pub(crate) on_segment: Point,
    pub(crate) on_triangle: Point,
    pub(crate) part: Part,
    pub(crate) distance: f64,
    pub(crate) pierced: bool,
}

/// The nearest places of a segment and a triangle: where it goes through, its ends, three sides.
pub(crate) fn segment_on_triangle(segment: &[Point; 2], corners: &[Point; 3]) -> SegmentOnTriangle {
    if let Some((t, place)) = piercing(segment, corners) {
        let part = Part(vec![0, 1, 2]);
        return SegmentOnTriangle {
            t,
            on_segment: place,
            on_triangle: place,
            part,
            distance: 0.0,
            pierced: true,
        };
    }
    let mut best: Option<SegmentOnTriangle> = None;
    let mut keep = |candidate: SegmentOnTriangle| {
        if best.as_ref().is_none_or(|best| candidate.distance < best.distance) {
            best = Some(candidate);
        }
    };
    for side in 0..3 {
        let (from, to) = (side, (side + 1) % 3);
        let OnSegments { s, t, on_first, on_second, distance } =
            on_segments(segment, &[corners[from], corners[to]]);
        let part = Part(part_of_segment(t).0.into_iter().map(|end| [from, to][end]).collect());
        let (on_segment, on_triangle) = (on_first, on_second);
        keep(SegmentOnTriangle { t: s, on_segment, on_triangle, part, distance, pierced: false });
    }
    for end in [0, 1] {
        let OnTriangle { place, part, distance } = on_triangle(&segment[end], corners);
        if part.0.len() == 3 {
            let t = end as f64;
            keep(SegmentOnTriangle {
                t,
                on_segment: segment[end],
                on_triangle: place,
                part,
                distance,
                pierced: false,
            });
        }
    }
    best.expect("a triangle has three sides")
}

/// Where a segment goes through a triangle or touches it from one side, by heights over its plane.
fn piercing(segment: &[Point; 2], corners: &[Point; 3]) -> Option<(f64, Point)> {
    let normal: Vector = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let [low, high] = segment.map(|end| (end - corners[0]).dot(&normal));
    if low * high > 0.0 || low == high {
        return None;
    }
    let t = low / (low - high);
    let place = Point::from(segment[0].coords.lerp(&segment[1].coords, t));
    let inside = (0..3).all(|side| {
        let (from, to) = (corners[side], corners[(side + 1) % 3]);
        (to - from).cross(&(place - from)).dot(&normal) >= 0.0
    });
    inside.then_some((t, place))
}
