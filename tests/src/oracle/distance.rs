//! Closest points of simple features, by trying all candidates.

use nalgebra::{Matrix2, Vector2};
use palpate_math::{Point, Vector};
use std::iter::Take;
use std::ops::Deref;

/// Location on a triangle: the vertices that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part(pub(crate) Corners);

/// One to three corners of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corners {
    numbers: [usize; 3],
    count: usize,
}

impl Corners {
    fn of<const N: usize>(numbers: [usize; N]) -> Self {
        let mut corners = Self { numbers: [0; 3], count: N };
        corners.numbers[..N].copy_from_slice(&numbers);
        corners
    }

    fn map(mut self, number: impl Fn(usize) -> usize) -> Self {
        self.numbers[..self.count].iter_mut().for_each(|corner| *corner = number(*corner));
        self
    }
}

impl Deref for Corners {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.numbers[..self.count]
    }
}

impl IntoIterator for Corners {
    type Item = usize;
    type IntoIter = Take<std::array::IntoIter<usize, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.numbers.into_iter().take(self.count)
    }
}

/// The closest point of a segment: its parameter and the point.
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

/// The vertices (0 and 1) of a segment on which a parameter depends.
pub(crate) fn part_of_segment(t: f64) -> Part {
    Part(match t {
        0.0 => Corners::of([0]),
        1.0 => Corners::of([1]),
        _ => Corners::of([0, 1]),
    })
}

/// The closest point of a triangle.
#[derive(Clone, Debug)]
pub(crate) struct OnTriangle {
    pub(crate) place: Point,
    pub(crate) part: Part,
    pub(crate) distance: f64,
}

/// The closest point of a triangle, over the face and three sides.
pub(crate) fn on_triangle(point: &Point, corners: &[Point; 3]) -> OnTriangle {
    let mut best: Option<OnTriangle> = None;
    for side in 0..3 {
        let (from, to) = (side, (side + 1) % 3);
        let (t, place) = on_segment(point, &corners[from], &corners[to]);
        let part = Part(part_of_segment(t).0.map(|end| [from, to][end]));
        let distance = (place - point).norm();
        if best.as_ref().is_none_or(|best| distance < best.distance) {
            best = Some(OnTriangle { place, part, distance });
        }
    }
    let on_side = best.expect("a triangle has three sides");
    match in_plane(point, corners) {
        Some(place) if (place - point).norm() < on_side.distance => {
            OnTriangle { place, part: Part(Corners::of([0, 1, 2])), distance: (place - point).norm() }
        }
        _ => on_side,
    }
}

/// The projection of a point onto the plane of a triangle, if it is inside the triangle: least squares over two
/// sides.
fn in_plane(point: &Point, [a, b, c]: &[Point; 3]) -> Option<Point> {
    let (u, v, w) = (b - a, c - a, point - a);
    let normal_equations = Matrix2::new(u.dot(&u), u.dot(&v), u.dot(&v), v.dot(&v));
    let solution = normal_equations.try_inverse()? * Vector2::new(u.dot(&w), v.dot(&w));
    let (s, t) = (solution.x, solution.y);
    (s > 0.0 && t > 0.0 && s + t < 1.0).then(|| a + u * s + v * t)
}

/// The closest points of two segments: parameters, points, distance.
#[derive(Clone, Debug)]
pub(crate) struct OnSegments {
    pub(crate) s: f64,
    pub(crate) t: f64,
    pub(crate) on_first: Point,
    pub(crate) on_second: Point,
    pub(crate) distance: f64,
}

/// The closest points of two segments: four ends, and the minimum of the quadratic if it is inside both.
pub(crate) fn on_segments(first: &[Point; 2], second: &[Point; 2]) -> OnSegments {
    let measured = |s: f64, t: f64, on_first: Point, on_second: Point| OnSegments {
        s,
        t,
        on_first,
        on_second,
        distance: (on_first - on_second).norm(),
    };
    let of_first = |end: usize| {
        let (t, other) = on_segment(&first[end], &second[0], &second[1]);
        measured(end as f64, t, first[end], other)
    };
    let of_second = |end: usize| {
        let (s, other) = on_segment(&second[end], &first[0], &first[1]);
        measured(s, end as f64, other, second[end])
    };
    let (u, v, w) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let square = Matrix2::new(u.dot(&u), -u.dot(&v), -u.dot(&v), v.dot(&v));
    let solution = square.try_inverse().map(|inverse| inverse * Vector2::new(u.dot(&w), -v.dot(&w)));
    let inside = solution.map(|solution| (solution.x, solution.y));
    let inside = inside.filter(|&(s, t)| s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0);
    let between = inside.map(|(s, t)| measured(s, t, first[0] + u * s, second[0] + v * t));
    [of_first(0), of_second(0), of_first(1), of_second(1)]
        .into_iter()
        .chain(between)
        .reduce(|best, other| if other.distance < best.distance { other } else { best })
        .expect("two segments have four ends")
}

/// The closest points of a segment and a triangle.
#[derive(Clone, Debug)]
pub(crate) struct SegmentOnTriangle {
    pub(crate) t: f64,
    pub(crate) on_segment: Point,
    pub(crate) on_triangle: Point,
    pub(crate) part: Part,
    pub(crate) distance: f64,
    pub(crate) pierced: bool,
}

/// The closest points of a segment and a triangle: the piercing point, the segment's ends, three sides.
pub(crate) fn segment_on_triangle(segment: &[Point; 2], corners: &[Point; 3]) -> SegmentOnTriangle {
    if let Some((t, place)) = piercing(segment, corners) {
        let part = Part(Corners::of([0, 1, 2]));
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
        let part = Part(part_of_segment(t).0.map(|end| [from, to][end]));
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

/// Whether a triangle may be this close to a segment, by its bounding ball.
pub(crate) fn may_be_within(segment: &[Point; 2], corners: &[Point; 3], distance: f64) -> bool {
    let middle = Point::from(corners.iter().map(|corner| corner.coords).sum::<Vector>() / 3.0);
    let radius = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
    let away = (on_segment(&middle, &segment[0], &segment[1]).1 - middle).norm();
    away * (1.0 - 1e-9) <= radius + distance
}

/// The index of the triangle closest to a segment; ties go to the first. Triangles whose bounding ball is too far
/// are skipped.
pub(crate) fn nearest_triangle<'a>(
    segment: &[Point; 2],
    triangles: impl Iterator<Item = &'a [Point; 3]>,
) -> Option<(usize, SegmentOnTriangle)> {
    let mut best: Option<(usize, SegmentOnTriangle)> = None;
    for (index, corners) in triangles.enumerate() {
        if best.as_ref().is_some_and(|(_, best)| !may_be_within(segment, corners, best.distance)) {
            continue;
        }
        let nearest = segment_on_triangle(segment, corners);
        if best.as_ref().is_none_or(|(_, best)| nearest.distance < best.distance) {
            best = Some((index, nearest));
        }
    }
    best
}

/// Where a segment pierces a triangle or touches it from one side, by heights above its plane.
pub(crate) fn piercing(segment: &[Point; 2], corners: &[Point; 3]) -> Option<(f64, Point)> {
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
