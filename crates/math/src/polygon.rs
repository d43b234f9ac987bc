//! Triangulation of (nearly) planar polygons in space.

use crate::orient::orient2d_along;
use crate::{Point, Vector};

/// Polygons with more corners are triangulated as a fan: ear clipping takes cubic time.
const EARS_UP_TO: usize = 64;

/// Returns the triangles of a polygon, as indices into `corners`, with the polygon's winding; two fewer than corners,
/// none for fewer than three.
///
/// Ear clipping: the ear with the shortest diagonal is clipped first, among convex corners whose triangle contains no
/// other corner (G. Meisters, "Polygons Have Ears", American Mathematical Monthly 82 (1975)); ties go to the first from
/// the second corner on, the first corner last. So a convex quadrilateral is split along its shorter diagonal, and a
/// rectangle into the fan from its first corner. If no corner qualifies (a self-intersecting polygon, or one without
/// area) all do. Polygons with more than 64 corners become the fan from their first corner. Cost: cubic in the number
/// of corners up to there.
pub fn triangulated(corners: &[Point]) -> Vec<[usize; 3]> {
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    if corners.len() > EARS_UP_TO {
        return (2..corners.len()).map(|last| [0, last - 1, last]).collect();
    }
    let normal = normal(corners);
    if let [a, b, c, d] = corners {
        return halves([a, b, c, d], &normal).to_vec();
    }
    while left.len() > 3 {
        let ear = shortest(&left, corners, |ear| is_ear(&left, corners, &normal, ear))
            .or_else(|| shortest(&left, corners, |_| true))
            .unwrap_or(0);
        triangles.push(around(&left, ear));
        left.remove(ear);
    }
    if let [a, b, c] = *left {
        triangles.push([a, b, c]);
    }
    triangles
}

/// Returns the two triangles of a quadrilateral.
fn halves(corners: [&Point; 4], normal: &Vector) -> [[usize; 3]; 2] {
    let inward = |at: usize| {
        let [before, corner, after] = [at + 3, at, at + 1].map(|k| corners[k % 4]);
        (corner - before).cross(&(after - corner)).dot(normal) < 0.0
    };
    let [even, odd] = [0, 1].map(|at| inward(at) || inward(at + 2));
    let [from_first, from_second] = [0, 1].map(|at| (corners[at + 2] - corners[at]).norm_squared());
    if even || (!odd && from_first <= from_second) { [[0, 1, 2], [0, 2, 3]] } else { [[1, 2, 3], [0, 1, 3]] }
}

/// Returns twice the area of the polygon as a vector (Newell's method).
fn normal(corners: &[Point]) -> Vector {
    let Some(first) = corners.first() else { return Vector::zeros() };
    corners.windows(2).map(|side| (side[0] - first).cross(&(side[1] - first))).sum()
}

/// Returns the corner at index `ear` of those left, between its neighbours.
fn around(left: &[usize], ear: usize) -> [usize; 3] {
    let count = left.len();
    [left[(ear + count - 1) % count], left[ear], left[(ear + 1) % count]]
}

fn shortest(left: &[usize], corners: &[Point], qualifies: impl Fn(usize) -> bool) -> Option<usize> {
    let cut = |ear: usize| {
        let [before, _, after] = around(left, ear);
        (corners[after] - corners[before]).norm_squared()
    };
    let mut best: Option<(usize, f64)> = None;
    for ear in (1..left.len()).chain([0]).filter(|&ear| qualifies(ear)) {
        let length = cut(ear);
        if best.is_none_or(|(_, shortest)| length < shortest) {
            best = Some((ear, length));
        }
    }
    best.map(|(ear, _)| ear)
}

/// Whether a corner is convex and its triangle contains no other corner; projected along the axis closest to the
/// normal.
fn is_ear(left: &[usize], corners: &[Point], normal: &Vector, ear: usize) -> bool {
    let axis = normal.iamax();
    let turn = normal[axis].signum();
    let side =
        |a: usize, b: usize, c: usize| turn * orient2d_along(axis, &corners[a], &corners[b], &corners[c]);
    let [a, b, c] = around(left, ear);
    let holds = |p: usize| side(a, b, p) >= 0.0 && side(b, c, p) >= 0.0 && side(c, a, p) >= 0.0;
    side(a, b, c) > 0.0 && !left.iter().any(|&p| p != a && p != b && p != c && holds(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangle::area_vector;

    fn flat(corners: &[[f64; 2]]) -> Vec<Point> {
        corners.iter().map(|&[u, v]| Point::new(u, v, 2.0 * u - v)).collect()
    }

    #[test]
    fn quadrilaterals_are_cut_along_the_shorter_diagonal_that_lies_within() {
        let square = flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(triangulated(&square[..3]), [[0, 1, 2]]);
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Point::new(x, y, 0.0));
        assert_eq!(triangulated(&square), [[0, 1, 2], [0, 2, 3]]);
        let wide = [[0.0, 0.0], [4.0, -1.0], [8.0, 0.0], [4.0, 1.0]].map(|[x, y]| Point::new(x, y, 0.0));
        assert_eq!(triangulated(&wide), [[1, 2, 3], [0, 1, 3]]);
        // The third corner is reflex: the other diagonal, though longer, would lie outside.
        let dart = [[0.0, 0.0], [8.0, 1.0], [1.0, 1.0], [1.0, 8.0]].map(|[x, y]| Point::new(x, y, 0.0));
        assert_eq!(triangulated(&dart), [[0, 1, 2], [0, 2, 3]]);
        let turned: Vec<Point> = (1..5).map(|k| dart[k % 4]).collect();
        assert_eq!(triangulated(&turned), [[1, 2, 3], [0, 1, 3]]);
    }

    /// A quadrilateral folded along its first diagonal: projected along its normal its third corner is reflex;
    /// projected along the axis closest to the normal, which stretches it, none is, and the other diagonal is shorter.
    #[test]
    fn a_folded_quadrilateral_is_cut_through_the_corner_that_turns_inward_along_its_own_normal() {
        let corners =
            [[-1, -1, -1], [2, 2, 0], [1, 1, 1], [2, 0, 1]].map(|corner| Point::from(corner.map(f64::from)));
        let normal = normal(&corners);
        let axis = normal.iamax();
        let turns = |along: &Vector| {
            [0, 1, 2, 3].map(|at| {
                let [a, b, c] = [at + 3, at, at + 1].map(|k| corners[k % 4]);
                (b - a).cross(&(c - b)).dot(along)
            })
        };
        assert!(turns(&normal)[2] < 0.0, "{:?}", turns(&normal));
        assert!(turns(&(Vector::ith(axis, normal[axis]))).iter().all(|&turn| turn > 0.0));
        assert!((corners[1] - corners[3]).norm() < (corners[0] - corners[2]).norm());
        assert_eq!(triangulated(&corners), [[0, 1, 2], [0, 2, 3]]);
    }

    /// The triangles of a star cover it: their areas, all of one sign, sum to its own.
    #[test]
    fn a_star_is_covered_once() {
        let corners: Vec<[f64; 2]> = (0..24)
            .map(|k| {
                let angle = f64::from(k) * std::f64::consts::PI / 12.0;
                let radius = if k % 2 == 0 { 1.0 } else { 0.3 };
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        for reverse in [false, true] {
            let mut star = flat(&corners);
            if reverse {
                star.reverse();
            }
            let whole = normal(&star);
            let triangles = triangulated(&star);
            assert_eq!(triangles.len(), 22);
            let parts: Vec<f64> = triangles
                .iter()
                .map(|&[a, b, c]| area_vector(&star[a], &star[b], &star[c]).dot(&whole) / whole.norm())
                .collect();
            assert!(parts.iter().all(|&part| part > 0.0), "{parts:?}");
            assert!((parts.iter().sum::<f64>() - whole.norm()).abs() <= 1e-13);
        }
    }

    #[test]
    fn few_corners_no_area_and_very_many() {
        assert!(triangulated(&[]).is_empty() && triangulated(&[Point::origin(); 2]).is_empty());
        assert_eq!(triangulated(&[Point::origin(); 5]).len(), 3);
        let ring = vec![Point::origin(); 1000];
        assert_eq!(triangulated(&ring)[997], [0, 998, 999]);
    }
}
