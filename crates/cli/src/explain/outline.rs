//! The Minkowski difference of two cores in projection: its outline, and the hull of points in the picture.

use super::coordinates::{Coordinates, coordinates};
use palpate::convex::{Core, NO_ID, RigidTransform, VectorSpace};
use std::f64::consts::TAU;

/// The picture's axes in space: viewed from +x, +y and +z, y nearly up. Orthonormal to four digits.
const RIGHT: [f64; 3] = [0.9063, 0.0, -0.4226];
const UP: [f64; 3] = [-0.1786, 0.9063, -0.3830];
/// From the picture toward the viewer.
const TOWARDS: [f64; 3] = [0.3830, 0.4226, 0.8214];

/// Number of directions for a smooth curved outline.
const DIRECTIONS: u32 = 360;

/// The projection of a point; points of the plane are unchanged.
pub(crate) fn seen(point: &Coordinates) -> [f64; 2] {
    match point.as_slice() {
        [x, y] => [*x, *y],
        _ => [along(point, &RIGHT), along(point, &UP)],
    }
}

/// Whether a triangle, counter-clockwise from outside, faces the viewer.
pub(crate) fn faces_viewer(normal: &[f64]) -> bool {
    along(normal, &TOWARDS) > 0.0
}

fn along(point: &[f64], axis: &[f64; 3]) -> f64 {
    point.iter().zip(axis).map(|(x, y)| x * y).sum()
}

/// The outline of the difference of two cores, counter-clockwise as seen.
pub(crate) fn outline<V: VectorSpace, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
) -> Vec<[f64; 2]> {
    let support = |direction: V| {
        let on_a = a.support(direction.unrotated(&pose_a.rotation), NO_ID).point;
        let on_b = b.support((-direction).unrotated(&pose_b.rotation), NO_ID).point;
        // Relative positions first, so that shapes far from the origin lose no precision.
        let apart = pose_a.translation - pose_b.translation;
        coordinates(on_a.rotated(&pose_a.rotation) - on_b.rotated(&pose_b.rotation) + apart)
    };
    let axis = |of_picture: [f64; 3], of_plane: usize| {
        if V::DIMENSION == 2 {
            return V::axis(of_plane);
        }
        (0..3).fold(V::zero(), |sum, index| sum + V::axis(index) * of_picture[index])
    };
    let (right, up) = (axis(RIGHT, 0), axis(UP, 1));
    let points = (0..DIRECTIONS).map(|step| {
        let angle = TAU * f64::from(step) / f64::from(DIRECTIONS);
        seen(&support(right * libm::cos(angle) + up * libm::sin(angle)))
    });
    hull(points.collect())
}

/// The convex hull of points of the picture, counter-clockwise (Andrew 1979, the monotone chain).
pub(crate) fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = &[f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for &point in points {
            while let [.., p, q] = chain.as_slice()
                && turns_right(p, q, &point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter());
    lower.extend(half(&mut points.iter().rev()));
    lower
}

fn turns_right(p: &[f64; 2], q: &[f64; 2], r: &[f64; 2]) -> bool {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_grid_is_its_corners() {
        let grid = (0..9).map(|k| [f64::from(k % 3), f64::from(k / 3)]).collect();
        assert_eq!(hull(grid), [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
        assert_eq!(hull(vec![[1.0, 2.0]; 4]), [[1.0, 2.0]]);
        assert_eq!(hull((0..4).map(|k| [f64::from(k), f64::from(k)]).collect()), [[0.0, 0.0], [3.0, 3.0]]);
    }

    #[test]
    fn the_picture_is_seen_along_its_own_normal() {
        for (index, wanted) in [(0, 1.0), (1, 0.0), (2, 0.0)] {
            let product: f64 = [RIGHT, UP, TOWARDS][index].iter().zip(RIGHT).map(|(x, y)| x * y).sum();
            assert!((product - wanted).abs() < 1e-3, "{product}");
        }
    }
}
