//! The triangles of a polygon: of a quadrilateral by its diagonals, of a larger one by ear clipping.

use super::clipping::Clipping;
use crate::{Point, Vector};

/// Returns the triangles of a polygon, as indices into `corners`, with the polygon's winding; two fewer than corners,
/// none for fewer than three.
///
/// Ear clipping: the ear with the shortest diagonal is clipped first, among convex corners whose triangle contains no
/// other corner (G. Meisters, "Polygons Have Ears", American Mathematical Monthly 82 (1975)); ties go to the first from
/// the second corner on, the first corner last. So a convex quadrilateral is split along its shorter diagonal, and a
/// rectangle into the fan from its first corner. If no corner qualifies (a self-intersecting polygon, or one without
/// area) all do. Cost: n log n in practice; corners are checked shortest diagonal first, and a corner that contains
/// another is checked again only when that one is gone.
pub fn triangulated(corners: &[Point]) -> Vec<[usize; 3]> {
    if corners.len() < 3 {
        return Vec::new();
    }
    let normal = normal(corners);
    match corners {
        [_, _, _] => vec![[0, 1, 2]],
        [a, b, c, d] => halves([a, b, c, d], &normal).to_vec(),
        _ => Clipping::new(corners, &normal).triangles(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orient::orient2d_along;
    use crate::sample::Sample;
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

    /// Ear clipping as it is defined, in cubic time.
    fn by_definition(corners: &[Point]) -> Vec<[usize; 3]> {
        let normal = normal(corners);
        if let [a, b, c, d] = corners {
            return halves([a, b, c, d], &normal).to_vec();
        }
        let mut left: Vec<usize> = (0..corners.len()).collect();
        let mut triangles = Vec::new();
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

    /// A polygon of one sort: a star, a spiral, a comb, points of a grid (coincident and collinear ones among them), or
    /// random points (which intersect themselves), in a tilted plane or not quite in one.
    fn polygon(sort: usize, count: usize, sample: &mut Sample) -> Vec<Point> {
        let whole = |sample: &mut Sample, below: i32| f64::from(sample.integer(below));
        (0..count)
            .map(|k| {
                let turn = k as f64 / count as f64;
                let [u, v] = match sort {
                    0 => {
                        let (angle, radius) = (turn * std::f64::consts::TAU, 0.2 + 0.1 * whole(sample, 9));
                        [radius * angle.cos(), radius * angle.sin()]
                    }
                    1 => {
                        // Out along a spiral and back beside it.
                        let (out, along) = if turn < 0.5 { (0.0, turn) } else { (0.3, 1.0 - turn) };
                        let angle = 40.0 * along;
                        [(angle + out) * angle.cos(), (angle + out) * angle.sin()]
                    }
                    2 if k < 2 => [(1 - k) as f64 * count as f64, -1.0],
                    2 => [k as f64, if k % 2 == 0 { 0.0 } else { 5.0 + whole(sample, 4) }],
                    3 => [whole(sample, 7), whole(sample, 7)],
                    _ => [whole(sample, 1 << 20), whole(sample, 1 << 20)],
                };
                let off = if sort == 5 { 1e-3 * whole(sample, 8) } else { 0.0 };
                Point::new(u, v, 0.5 * u - 0.25 * v + off)
            })
            .collect()
    }

    #[test]
    fn the_triangles_are_those_of_the_definition() {
        let mut sample = Sample::new(17);
        let (mut rounds, mut bare) = (0, 0);
        for count in [5, 6, 7, 9, 12, 20, 33, 64, 90] {
            for sort in 0..6 {
                for _ in 0..if count < 30 { 40 } else { 6 } {
                    let mut corners = polygon(sort, count, &mut sample);
                    if sample.integer(2) == 0 {
                        corners.reverse();
                    }
                    corners.rotate_left(sample.integer(5) as usize);
                    assert_eq!(triangulated(&corners), by_definition(&corners), "{sort}: {corners:?}");
                    rounds += 1;
                    let normal = normal(&corners);
                    let all: Vec<usize> = (0..count).collect();
                    bare += usize::from((0..count).all(|ear| !is_ear(&all, &corners, &normal, ear)));
                }
            }
        }
        assert!(rounds > 1000 && bare > 20, "{rounds} polygons, {bare} without an ear");
    }

    /// Cubic time would be minutes.
    #[test]
    fn ten_thousand_corners_of_every_sort() {
        let mut sample = Sample::new(18);
        for sort in 0..6 {
            let corners = polygon(sort, 10_000, &mut sample);
            let triangles = triangulated(&corners);
            let mut sides: Vec<[usize; 2]> =
                triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
            sides.sort_unstable();
            assert_eq!(triangles.len(), 9998);
            // Every side of the polygon once, every diagonal in both directions.
            for &[from, to] in &sides {
                let outer = (from + 1) % 10_000 == to;
                assert!(outer != sides.binary_search(&[to, from]).is_ok(), "{sort}: {from} {to}");
            }
        }
    }
}
