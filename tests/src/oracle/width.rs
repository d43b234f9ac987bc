//! The least width of the Minkowski difference of two convex bodies. With `h` the support function of A - B, the
//! depth is the minimum of `h` over all unit directions, and the distance is the negative of it.
//!
//! For overlapping polyhedra it is exact: the normal of a face, or of two edges. Otherwise all directions are
//! searched by branch and bound. Let `p1`, `p2`, `p3` be the support points of A - B along the corners `d1`, `d2`,
//! `d3` of a triangle on the sphere. Any mean `q` of them is a point of A - B, so that `h(d) >= q·d`; and `d = s /
//! |s|` with a mean `s` of the corners. So `h` is nowhere in the triangle less than the least `q·dk`, or, if that
//! is negative, than that over the least `|s|`. A triangle whose bound is below the least width found so far is
//! bisected; it is discarded when there is nothing to gain.

use super::body::Body;
use palpate_math::Vector;

/// Remaining gain at which the search stops, relative to the size of the difference: a thousandth of the detectors'
/// tolerance.
const GAIN: f64 = 1e-12;

/// Triangles searched at once. There are more only where the width is constant along a curve: around a body of
/// revolution, where any part of the curve will do.
const BEAM: usize = 1500;

/// Bisections of a triangle of directions in search of another direction that is as good.
const HALVINGS: usize = 60;

/// Directions farther apart than this, as a chord, count as different.
const ANOTHER: f64 = 1e-3;

/// A direction, the support point along it, and its height.
#[derive(Clone, Copy)]
struct Sample {
    direction: Vector,
    place: Vector,
    width: f64,
}

/// The Minkowski difference of two bodies.
struct Difference<'a> {
    a: &'a Body,
    b: &'a Body,
}

impl Difference<'_> {
    /// Along a direction of any length but zero.
    fn sample(&self, direction: &Vector) -> Sample {
        let direction = direction.normalize();
        let place = self.a.farthest(&direction) - self.b.farthest(&-direction);
        Sample { direction, place, width: place.dot(&direction) }
    }

    /// Normals of faces, and of pairs of edges: all candidates for the least width of overlapping polyhedra.
    fn normals(&self) -> Vec<Vector> {
        let crosses =
            self.a.edges().iter().flat_map(|along| self.b.edges().iter().map(|other| along.cross(other)));
        let faces = self.a.normals().iter().chain(self.b.normals()).copied();
        faces
            .chain(crosses)
            .filter(|normal| normal.norm_squared() > 0.0)
            .flat_map(|normal| [normal, -normal])
            .collect()
    }
}

/// The least width of A - B, positive where they overlap, the negative distance where they are apart, and its unit
/// direction. If they are certainly farther apart than `reach`, any direction that proves this.
pub(super) fn least_width(a: &Body, b: &Body, reach: f64) -> (f64, Vector) {
    let (width, directions) = least_widths(a, b, reach, 0.0);
    (width, directions[0])
}

/// The least width and its direction, then other directions that are as good within `verge`: for polyhedra all of
/// them, otherwise one near each minimum, and several where the width is constant along a curve.
pub(super) fn least_widths(a: &Body, b: &Body, reach: f64, verge: f64) -> (f64, Vec<Vector>) {
    let difference = Difference { a, b };
    let normals: Vec<Sample> = difference.normals().iter().map(|normal| difference.sample(normal)).collect();
    let least = normals.iter().copied().reduce(narrower);
    let mut seen = normals;
    let exact = a.is_polyhedron() && b.is_polyhedron();
    let least = match least {
        // A difference without volume has no width along its normal, and may still miss the origin.
        Some(least) if exact && least.width > GAIN * least.place.norm() => least,
        _ => search(&difference, least, reach, verge, &mut seen),
    };
    let mut directions = vec![least.direction];
    for sample in seen.iter().filter(|sample| sample.width <= least.width + verge) {
        if directions.iter().all(|other| (other - sample.direction).norm() > ANOTHER) {
            directions.push(sample.direction);
        }
    }
    (least.width, directions)
}

fn narrower(x: Sample, y: Sample) -> Sample {
    if y.width < x.width { y } else { x }
}

/// The least width over the whole sphere, given one already found; reports in `seen` the directions where no more
/// than `verge` was left to gain.
fn search(
    difference: &Difference<'_>,
    found: Option<Sample>,
    reach: f64,
    verge: f64,
    seen: &mut Vec<Sample>,
) -> Sample {
    let poles = [0, 1, 2].map(|axis| [1.0, -1.0].map(|sign| difference.sample(&Vector::ith(axis, sign))));
    let size = poles.iter().flatten().map(|pole| pole.place.norm()).fold(0.0, f64::max);
    let mut least = poles.iter().flatten().copied().chain(found).reduce(narrower).expect("there are poles");
    let mut open: Vec<(f64, [Sample; 3])> = (0..8)
        .map(|k| [0, 1, 2].map(|axis| poles[axis][k >> axis & 1]))
        .map(|corners| (f64::NEG_INFINITY, corners))
        .collect();
    let mut as_good = Vec::new();
    while !open.is_empty() && least.width >= -reach {
        let mut halves = Vec::with_capacity(2 * open.len());
        for (_, corners) in &open {
            let (middle, parts) = cut(difference, corners);
            least = narrower(least, middle);
            halves.extend(parts);
        }
        let enough = least.width - GAIN * size;
        open.clear();
        for corners in halves {
            if let Some(bound) = bound(&corners, enough) {
                open.push((bound, corners));
            } else if verge > 0.0 && may_be_within(&corners, least.width + verge) {
                // Discarded because it may be as good as the best, not better.
                as_good.push(corners);
            }
        }
        // Where the support point changes, the minimum is on the crease between two, which no bisection ever hits.
        let lowest = open.iter().min_by(|x, y| x.0.total_cmp(&y.0));
        let near = lowest.into_iter().flat_map(|(_, corners)| creases(corners));
        least = near.map(|direction| difference.sample(&direction)).fold(least, narrower);
        if open.len() > BEAM / 2 {
            // Equally good along a curve: a sample of it.
            let some = open.iter().step_by(open.len() / 50).flat_map(|(_, corners)| creases(corners));
            seen.extend(some.map(|direction| difference.sample(&direction)));
        }
        if open.len() > BEAM {
            // A sample of the whole curve.
            let step = open.len().div_ceil(BEAM);
            open = open.into_iter().step_by(step).collect();
        }
    }
    let step = as_good.len().div_ceil(BEAM).max(1);
    seen.extend(
        as_good.into_iter().step_by(step).filter_map(|part| within(difference, part, least.width + verge)),
    );
    least
}

/// Whether the bound of a triangle admits a width.
fn may_be_within(corners: &[Sample; 3], width: f64) -> bool {
    bound(corners, f64::INFINITY).is_some_and(|bound| bound <= width)
}

/// A direction in a triangle with at most the given width, if its lower halves lead to one.
fn within(difference: &Difference<'_>, mut corners: [Sample; 3], width: f64) -> Option<Sample> {
    for _ in 0..HALVINGS {
        let crossed = creases(&corners).map(|direction| difference.sample(&direction));
        if let Some(found) = corners.into_iter().chain(crossed).find(|sample| sample.width <= width) {
            return Some(found);
        }
        let (_, halves) = cut(difference, &corners);
        let each = halves.into_iter().filter_map(|half| Some((bound(&half, f64::INFINITY)?, half)));
        let (least, half) = each.min_by(|x, y| x.0.total_cmp(&y.0))?;
        if least > width {
            return None;
        }
        corners = half;
    }
    None
}

/// Bisects the longest side of a triangle.
fn cut(difference: &Difference<'_>, corners: &[Sample; 3]) -> (Sample, [[Sample; 3]; 2]) {
    let square = |k: usize| (corners[k].direction - corners[(k + 1) % 3].direction).norm_squared();
    let longest = (0..3).fold(0, |best, k| if square(k) > square(best) { k } else { best });
    let [p, q, r] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let middle = difference.sample(&(p.direction + q.direction));
    (middle, [[p, middle, r], [middle, q, r]])
}

/// Directions near the centre of a triangle along which two or all three of its support points are equally far; and
/// the direction of least height of a single support point.
fn creases(corners: &[Sample; 3]) -> impl Iterator<Item = Vector> + use<> {
    let middle: Vector = corners.iter().map(|sample| sample.direction).sum();
    let along = |k: usize| corners[(k + 1) % 3].place - corners[k].place;
    let onto = |k: usize| middle - along(k) * (middle.dot(&along(k)) / along(k).norm_squared());
    let normal = along(0).cross(&along(1));
    let normal = normal * normal.dot(&middle);
    let all = [onto(0), onto(1), onto(2), normal, -corners[0].place];
    all.into_iter().filter(|direction| direction.norm_squared() > 0.0)
}

/// A lower bound of the width over a triangle of directions, if it is below `enough`.
fn bound(corners: &[Sample; 3], enough: f64) -> Option<f64> {
    let [p, q, r] = corners;
    let square = |x: &Sample, y: &Sample| (x.direction - y.direction).norm_squared();
    let longest = square(p, q).max(square(q, r)).max(square(r, p));
    // For a mean of corners: |s|² is one minus the sum of products of two weights times the square of a side.
    let shortest = (1.0 - longest / 3.0).max(0.0).sqrt();
    let whole = |least: f64| if least < 0.0 { least / shortest } else { least };
    let heights = corners.map(|sample| corners.map(|other| sample.place.dot(&other.direction)));
    let mut best = f64::NEG_INFINITY;
    for weights in means(&heights) {
        let height = |k: usize| (0..3).map(|i| weights[i] * heights[i][k]).sum::<f64>();
        let least = height(0).min(height(1)).min(height(2));
        best = best.max(whole(least));
        if best >= enough {
            return None;
        }
    }
    Some(best)
}

/// Weights of three points that may maximise the lowest of their mean's heights along the three directions: the
/// centre; where all heights are equal; one of the points; where two of the heights are equal, of two points.
fn means(heights: &[[f64; 3]; 3]) -> impl Iterator<Item = [f64; 3]> + '_ {
    let [p, q, r] = heights;
    let third = 1.0 / 3.0;
    let unit = |k: usize| std::array::from_fn(|i| f64::from(u8::from(i == k)));
    let alike = |[i, j]: [usize; 2], [k, l]: [usize; 2]| {
        let (fall, rise) = (heights[i][k] - heights[i][l], heights[j][l] - heights[j][k]);
        let part = rise / (fall + rise);
        std::array::from_fn(|n| {
            if n == i {
                part
            } else if n == j {
                1.0 - part
            } else {
                0.0
            }
        })
    };
    // Differences of heights relative to the third point's.
    let over = |k: usize| [p, q].map(|place| (place[k] - place[2]) - (r[k] - r[2]));
    let ([a, b], [c, d]) = (over(0), over(1));
    let (e, f) = (r[2] - r[0], r[2] - r[1]);
    let determinant = a * d - b * c;
    let (x, y) = ((e * d - b * f) / determinant, (a * f - e * c) / determinant);
    let pairs = [[0, 1], [1, 2], [2, 0]];
    [[third; 3], [x, y, 1.0 - x - y], unit(0), unit(1), unit(2)]
        .into_iter()
        .chain(pairs.into_iter().flat_map(move |places| pairs.map(|ways| alike(places, ways))))
        .filter(|weights| weights.iter().all(|weight| *weight >= 0.0))
}
