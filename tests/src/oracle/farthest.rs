//! The point of an interval of a segment that is farthest from all triangles. Along a line the distance to a
//! triangle is convex, so between two points it is below its chord: if one triangle is the closest at both ends of
//! a piece, no point between them is farther; if two are, no point is farther than the crossing of their chords,
//! and the piece is divided there.

use super::distance::on_triangle;
use palpate_math::Point;

/// Bounds that agree with the value found to this, relative to the lengths, have converged.
const ROUNDING: f64 = 1e-13;

/// Ids and corners.
pub(super) type Triangle = ([u32; 3], [Point; 3]);

/// The point at a parameter of a segment; exact at the ends.
pub(super) fn place([start, end]: &[Point; 2], t: f64) -> Point {
    match t {
        0.0 => *start,
        1.0 => *end,
        _ => Point::from(start.coords.lerp(&end.coords, t)),
    }
}

/// A measured point: its parameter, its distance, and the triangle.
#[derive(Clone, Copy)]
struct Stop {
    t: f64,
    distance: f64,
    nearest: usize,
}

/// The parameter between `from` and `to` at which a segment is farthest from all triangles, and how far that is.
pub(super) fn farthest(triangles: &[Triangle], segment: &[Point; 2], [from, to]: [f64; 2]) -> (f64, f64) {
    let distance = |corners: &[Point; 3], t: f64| on_triangle(&place(segment, t), corners).distance;
    let middle = 0.5 * (from + to);
    let way = (place(segment, to) - place(segment, from)).norm();
    let from_middle: Vec<f64> = triangles.iter().map(|(_, corners)| distance(corners, middle)).collect();
    let least = from_middle.iter().copied().fold(f64::INFINITY, f64::min);
    // The triangle closest to any point of the interval is no farther than this from its centre.
    let reach = (least + way) * (1.0 + 1e-9);
    let near = triangles.iter().zip(from_middle).filter(|(_, distance)| *distance <= reach);
    let near: Vec<&[Point; 3]> = near.map(|((_, corners), _)| corners).collect();
    let stop = |t: f64| {
        let each = near.iter().enumerate().map(|(nearest, corners)| {
            let distance = distance(corners, t);
            Stop { t, distance, nearest }
        });
        each.reduce(|x, y| if y.distance < x.distance { y } else { x }).expect("one is near the middle")
    };
    let (first, last) = (stop(from), stop(to));
    let mut best = if last.distance > first.distance { last } else { first };
    let mut pieces = vec![[first, last]];
    while let Some([a, b]) = pieces.pop() {
        if a.nearest == b.nearest {
            continue;
        }
        let beyond_b = distance(near[a.nearest], b.t);
        let before_a = distance(near[b.nearest], a.t);
        let closing = (beyond_b - a.distance) + (before_a - b.distance);
        if closing <= 0.0 {
            continue;
        }
        let share = (before_a - a.distance) / closing;
        let bound = a.distance + share * (beyond_b - a.distance);
        let t = a.t + share.clamp(0.05, 0.95) * (b.t - a.t);
        if bound <= best.distance + ROUNDING * (way + best.distance) || t <= a.t || t >= b.t {
            continue;
        }
        let between = stop(t);
        if between.distance > best.distance {
            best = between;
        }
        pieces.extend([[a, between], [between, b]]);
    }
    (best.t, best.distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshes;
    use crate::random::Random;

    /// No sample is farther, and some sample is as far within the sample spacing.
    #[test]
    fn no_sample_is_farther() {
        for number in 0..60 {
            let mut random = Random::named("farthest", number);
            let (vertices, cells) = meshes::bumpy(&mut random, 1, 0.2);
            let triangles: Vec<Triangle> =
                cells.iter().map(|&ids| (ids, ids.map(|id| vertices[id as usize]))).collect();
            let segment = [0; 2].map(|_| Point::from(random.vector() * 0.8));
            let (t, found) = farthest(&triangles, &segment, [0.0, 1.0]);
            let distance = |t: f64| {
                let each = triangles.iter().map(|(_, corners)| on_triangle(&place(&segment, t), corners));
                each.map(|nearest| nearest.distance).fold(f64::INFINITY, f64::min)
            };
            assert!((distance(t) - found).abs() < 1e-15);
            let most = (0..=1000).map(|k| distance(f64::from(k) * 1e-3)).fold(0.0, f64::max);
            let spacing = 1e-3 * (segment[1] - segment[0]).norm();
            assert!(most <= found + 1e-12 && most >= found - spacing, "{number}: {most} and {found}");
        }
    }
}
