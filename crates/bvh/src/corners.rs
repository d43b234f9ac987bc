//! The triangles of a leaf in the frame of a tree, for closest-triangle queries.

use std::ops::Range;

use crate::Bvh;
use crate::frame::{larger, smaller};
use crate::split::LEAF_SIZE;
use crate::tree::Buffers;

/// One number per triangle of a leaf.
type Four = [f32; LEAF_SIZE];

/// A vector per triangle of a leaf.
type Vectors = [Four; 3];

/// The squared length below which a direction has underflown.
const LEAST_SQUARED: f32 = 1e-30;

/// How many times the blur of a point a computed distance along a direction may be off: the roundings of the corners, of
/// the point, and of a product of vectors.
const BLURS: f32 = 8.0;

/// The triangles of a tree, or of a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Triangles<'a> {
    /// The numbers of the corners of each.
    corners: &'a [[u32; 3]],
    vertices: &'a [[f32; 4]],
}

impl<'a> Triangles<'a> {
    /// Returns those of a leaf.
    #[inline]
    pub(crate) fn of_leaf(self, range: Range<usize>) -> Self {
        Self { corners: &self.corners[range], ..self }
    }

    #[inline]
    fn corners_of(self, index: usize) -> [&'a [f32; 4]; 3] {
        self.corners[index].map(|vertex| &self.vertices[vertex as usize])
    }
}

impl Bvh {
    /// Returns the triangles in the order of the entries; `None` if the tree is over anything but triangles at one time.
    #[inline]
    pub(crate) fn triangles(&self) -> Option<Triangles<'_>> {
        let Buffers { cell_kind, cells, vertices, .. } = &self.buffers;
        (*cell_kind == [3, 1]).then(|| Triangles { corners: cells.as_chunks().0, vertices })
    }
}

/// Returns lower and upper bounds of the squared distances of a point from the triangles of a leaf, all in the frame of the
/// tree; infinite for lanes without a triangle. `blur` is the rounding error of the point's coordinates.
///
/// A triangle is no closer than the plane through its nearest corner along any direction. The direction is that to the
/// closest point, computed in single precision: whatever its error, the bound holds; where it is small, the bound is
/// close. A triangle is no farther than its sides.
#[inline]
pub(crate) fn bounds(point: &[f32; 3], blur: f32, leaf: Triangles<'_>) -> [Four; 2] {
    let count = leaf.corners.len();
    // Lanes without a triangle repeat the first.
    let mut to_corners = [[[0.0; LEAF_SIZE]; 3]; 3];
    for lane in 0..LEAF_SIZE {
        let corners = leaf.corners_of(if lane < count { lane } else { 0 });
        for (to_corner, corner) in to_corners.iter_mut().zip(corners) {
            for axis in 0..3 {
                to_corner[axis][lane] = corner[axis] - point[axis];
            }
        }
    }
    let [a, b, c] = &to_corners;
    let sides = [difference(b, a), difference(c, b), difference(a, c)];
    let normal = cross(&sides[0], &sides[1]);
    // How far inside of each side the point is.
    let inside = [0, 1, 2].map(|k| dot(&cross(&to_corners[k], &sides[k]), &normal));
    let closest = [0, 1, 2].map(|k| to_side(&to_corners[k], &sides[k]));
    let squares = closest.map(|to| dot(&to, &to));
    let (second, nearer) = (less(&squares[1], &squares[0]), both_smaller(&squares[0], &squares[1]));
    let third = less(&squares[2], &nearer);
    let outside = less(&both_smaller(&both_smaller(&inside[0], &inside[1]), &inside[2]), &[0.0; LEAF_SIZE]);
    let below = less(&dot(a, &normal), &[0.0; LEAF_SIZE]);
    let direction = [0, 1, 2].map(|axis| {
        let beside = select(&second, &closest[1][axis], &closest[0][axis]);
        let beside = select(&third, &closest[2][axis], &beside);
        let along = select(&below, &normal[axis].map(|x| -x), &normal[axis]);
        select(&outside, &beside, &along)
    });
    let along = [0, 1, 2].map(|k| dot(&to_corners[k], &direction));
    let least = both_smaller(&both_smaller(&along[0], &along[1]), &along[2]);
    let square = dot(&direction, &direction);
    let nearest = both_smaller(&nearer, &squares[2]);
    let (mut lower, mut upper) = ([0.0; LEAF_SIZE], [0.0; LEAF_SIZE]);
    for lane in 0..LEAF_SIZE {
        let distance = larger(least[lane] / square[lane].sqrt() - BLURS * blur, 0.0);
        lower[lane] = distance * distance * (1.0 - 4.0 * f32::EPSILON);
        let distance = nearest[lane].sqrt() + BLURS * blur;
        upper[lane] = distance * distance * (1.0 + 4.0 * f32::EPSILON);
    }
    let has_underflown = less(&square, &[LEAST_SQUARED; LEAF_SIZE]);
    let mut lower = select(&has_underflown, &[0.0; LEAF_SIZE], &lower);
    for lane in count..LEAF_SIZE {
        (lower[lane], upper[lane]) = (f32::INFINITY, f32::INFINITY);
    }
    [lower, upper]
}

/// Whether all triangles of a leaf are farther from a point than the root of `bound`, as [`bounds`] tells of each: cheaper,
/// and as close for a point that is far from them, where a leaf is small. The direction is that to one of its corners.
#[inline]
pub(crate) fn are_beyond(point: &[f32; 3], blur: f32, bound: f32, leaf: Triangles<'_>) -> bool {
    if leaf.corners.is_empty() {
        return true;
    }
    let [first, ..] = leaf.corners_of(0);
    let direction = [0, 1, 2].map(|axis| first[axis] - point[axis]);
    let along = |corner: &[f32; 4]| {
        let [x, y, z] = [0, 1, 2].map(|axis| (corner[axis] - point[axis]) * direction[axis]);
        x + y + z
    };
    let mut least = [f32::INFINITY; 3];
    for index in 0..leaf.corners.len() {
        for (least, corner) in least.iter_mut().zip(leaf.corners_of(index)) {
            *least = smaller(*least, along(corner));
        }
    }
    let least = smaller(smaller(least[0], least[1]), least[2]);
    let square = direction.into_iter().map(|x| x * x).sum::<f32>();
    let reach = (bound.sqrt() + BLURS * blur) * (1.0 + 8.0 * f32::EPSILON);
    // The distance along the direction is the quotient of `least` and the root of `square`.
    least > 0.0 && square >= LEAST_SQUARED && least * least > reach * reach * square
}

/// Marks the lanes in which a number is less than another: by the sign of their difference, since compilers vectorise
/// that and not comparisons.
#[inline]
fn less(a: &Four, b: &Four) -> [u32; LEAF_SIZE] {
    let mut mask = [0; LEAF_SIZE];
    for lane in 0..LEAF_SIZE {
        mask[lane] = ((a[lane] - b[lane]).to_bits().cast_signed() >> 31).cast_unsigned();
    }
    mask
}

/// Returns `a` in the lanes of the mask, `b` in the others.
#[inline]
fn select(mask: &[u32; LEAF_SIZE], a: &Four, b: &Four) -> Four {
    let mut selected = [0.0; LEAF_SIZE];
    for lane in 0..LEAF_SIZE {
        selected[lane] = f32::from_bits((a[lane].to_bits() & mask[lane]) | (b[lane].to_bits() & !mask[lane]));
    }
    selected
}

#[inline]
fn both_smaller(a: &Four, b: &Four) -> Four {
    let mut least = [0.0; LEAF_SIZE];
    for lane in 0..LEAF_SIZE {
        least[lane] = smaller(a[lane], b[lane]);
    }
    least
}

#[inline]
fn difference(a: &Vectors, b: &Vectors) -> Vectors {
    let mut difference = [[0.0; LEAF_SIZE]; 3];
    for axis in 0..3 {
        for lane in 0..LEAF_SIZE {
            difference[axis][lane] = a[axis][lane] - b[axis][lane];
        }
    }
    difference
}

#[inline]
fn dot(a: &Vectors, b: &Vectors) -> Four {
    let mut dot = [0.0; LEAF_SIZE];
    for lane in 0..LEAF_SIZE {
        dot[lane] = a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane];
    }
    dot
}

#[inline]
fn cross(a: &Vectors, b: &Vectors) -> Vectors {
    let mut cross = [[0.0; LEAF_SIZE]; 3];
    for lane in 0..LEAF_SIZE {
        cross[0][lane] = a[1][lane] * b[2][lane] - a[2][lane] * b[1][lane];
        cross[1][lane] = a[2][lane] * b[0][lane] - a[0][lane] * b[2][lane];
        cross[2][lane] = a[0][lane] * b[1][lane] - a[1][lane] * b[0][lane];
    }
    cross
}

/// Returns the vector to the closest point of a side, given its start and its direction.
#[inline]
fn to_side(start: &Vectors, side: &Vectors) -> Vectors {
    let (along, square) = (dot(start, side), dot(side, side));
    let mut to = [[0.0; LEAF_SIZE]; 3];
    for lane in 0..LEAF_SIZE {
        let t = smaller(larger(-along[lane] / square[lane], 0.0), 1.0);
        for axis in 0..3 {
            to[axis][lane] = start[axis][lane] + side[axis][lane] * t;
        }
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cells;
    use crate::sample::Sample;
    use palpate_math::nearest::{point_segment, point_triangle_distance_squared};
    use palpate_math::{Aabb, Point, Vector};

    /// A triangle of some kind: well shaped, a needle, small, degenerate.
    fn triangle(sample: &mut Sample, kind: usize) -> [Point; 3] {
        let (a, b) = (sample.point(), sample.point());
        match kind % 5 {
            0 => [a, b, sample.point()],
            1 => [a, b, a + (b - a) * sample.number() + sample.vector() * 1e-5],
            2 => [a, a + sample.vector() * 1e-3, a + sample.vector() * 1e-3],
            3 => [a, a + sample.vector() * 1e-7, a + sample.vector() * 1e-7],
            _ => [a, b, if sample.number() < 0.0 { a } else { a + (b - a) * 0.25 }],
        }
    }

    /// Never on the wrong side of the distance, and close to it for points that are not too near.
    #[test]
    fn bounds_are_below_the_distance_and_close() {
        let mut sample = Sample::new(51);
        let blur = 8.0 * f32::EPSILON;
        let (mut close, mut all, mut far, mut of_far) = (0, 0, 0, 0);
        for round in 0..40_000 {
            let count = 1 + round % LEAF_SIZE;
            let triangles: Vec<[Point; 3]> =
                (0..count).map(|k| triangle(&mut sample, round / 4 + k)).collect();
            let on_it = triangles[0][0] + (triangles[0][1] - triangles[0][0]) * 0.3;
            let point = match round % 3 {
                0 => sample.point() * 2.0,
                1 => on_it + sample.vector() * 1e-2,
                _ => on_it + sample.vector() * 1e-6,
            };
            let mapped = [point.x as f32, point.y as f32, point.z as f32];
            let corner = |corner: &Point| [corner.x as f32, corner.y as f32, corner.z as f32, 0.0];
            let vertices: Vec<[f32; 4]> = triangles.as_flattened().iter().map(corner).collect();
            let corners = &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]][..count];
            let leaf = Triangles { corners, vertices: &vertices };
            let [lower, upper] = bounds(&mapped, blur, leaf);
            let distances =
                triangles.iter().map(|[a, b, c]| point_triangle_distance_squared(&point, a, b, c).sqrt());
            let distance = distances.fold(f64::INFINITY, f64::min);
            let beyond = |part: f64| are_beyond(&mapped, blur, (part * distance).powi(2) as f32, leaf);
            assert!(!beyond(1.0 + 1e-6), "{round}: {distance}");
            if count == 1 && (round / 4).is_multiple_of(5) && distance > 0.5 {
                far += usize::from(beyond(0.4));
                of_far += 1;
            }
            for (lane, (bound, upper)) in lower.into_iter().zip(upper).enumerate() {
                let Some([a, b, c]) = triangles.get(lane) else {
                    assert_eq!((bound, upper), (f32::INFINITY, f32::INFINITY));
                    continue;
                };
                let distance = point_triangle_distance_squared(&point, a, b, c).sqrt();
                let bound = f64::from(bound).sqrt();
                assert!(bound <= distance, "{round} {lane}: {bound} {distance}");
                let to_sides =
                    [[a, b], [b, c], [c, a]].map(|[from, to]| point_segment(&point, from, to).point);
                let to_sides =
                    to_sides.map(|place| (place - point).norm()).into_iter().fold(f64::INFINITY, f64::min);
                let upper = f64::from(upper).sqrt();
                assert!(
                    upper >= distance && upper <= to_sides * (1.0 + 1e-4) + 4e-5,
                    "{round} {lane}: {upper}"
                );
                // Single precision has no good direction to the middle of a needle.
                if (round / 4 + lane).is_multiple_of(5) {
                    close += usize::from(bound >= distance * (1.0 - 1e-4) - 4e-5);
                    all += 1;
                }
            }
        }
        assert!(all > 10_000 && close as f64 > 0.99 * all as f64, "{close} of {all}");
        assert!(of_far > 500 && 4 * far > of_far, "{far} of {of_far}");
    }

    /// Balls of several sizes over a sheet: whatever is certain is within, and hardly anything else is visited.
    #[test]
    fn a_ball_holds_the_triangles_within() {
        let mut sample = Sample::new(53);
        let (positions, triangles) = sheet(0.0);
        let mut tree = Bvh::default();
        tree.rebuild_cells(&Cells { ids: &triangles, positions: [&positions] });
        let mut counts = [0; 4];
        for round in 0..400 {
            let center = positions[round * 31 % positions.len()] + sample.vector() * 0.2;
            let radius = 0.5 + 0.5 * sample.number();
            let mut visits = vec![None; triangles.len()];
            tree.in_ball(&center, radius, |id, is_certain| {
                assert_eq!(visits[id as usize].replace(is_certain), None);
            });
            for (triangle, visit) in triangles.iter().zip(visits) {
                let [a, b, c] = triangle.map(|id| positions[id as usize]);
                let is_within = point_triangle_distance_squared(&center, &a, &b, &c) <= radius * radius;
                assert!(visit.is_some() || !is_within);
                assert!(is_within || visit != Some(true));
                let kind = match (is_within, visit) {
                    (true, Some(true)) => 0,
                    (true, _) => 1,
                    (false, Some(_)) => 2,
                    (false, None) => 3,
                };
                counts[kind] += 1;
            }
        }
        let [certain, within, beside, _] = counts;
        assert!(certain > 10_000 && 10 * within < certain && 100 * beside < certain, "{counts:?}");
    }

    /// A wavy sheet of triangles at a distance from the origin.
    fn sheet(place: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
        let side = 24_u32;
        let quads = (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| i * side + j));
        let triangles = quads.flat_map(|a| [[a, a + 1, a + side], [a + 1, a + side + 1, a + side]]).collect();
        let wave = |i: u32, j: u32| (f64::from(i) * 0.7).sin() * (f64::from(j) * 0.9).cos();
        let vertex = |i: u32, j: u32| Point::new(f64::from(i), f64::from(j), wave(i, j)) * 0.1;
        let positions =
            (0..side * side).map(|k| vertex(k / side, k % side) + Vector::repeat(place)).collect();
        (positions, triangles)
    }

    /// On the vertices of a sheet, near them, and farther away: the same as in a tree over the boxes of the triangles, which
    /// asks for more of them. Also after a refit.
    #[test]
    fn the_closest_triangle_is_the_same_as_by_boxes() {
        let mut sample = Sample::new(52);
        let (mut asked, mut tied) = ([0, 0], 0);
        for place in [0.0, 1e6] {
            let (positions, triangles) = sheet(place);
            let mut of_triangles = Bvh::default();
            of_triangles.rebuild_cells(&Cells { ids: &triangles, positions: [&positions] });
            let moved: Vec<Point> = positions.iter().map(|point| point + sample.vector() * 0.1).collect();
            for positions in [positions, moved] {
                of_triangles.refit_cells(&Cells { ids: &triangles, positions: [&positions] });
                let corners = |id: u32| triangles[id as usize].map(|id| positions[id as usize]);
                let boxes: Vec<Aabb> =
                    (0..triangles.len() as u32).map(|id| Aabb::from_points(corners(id))).collect();
                let of_boxes = Bvh::build(&boxes);
                assert!(of_triangles.triangles().is_some() && of_boxes.triangles().is_none());
                for round in 0..3_000 {
                    let vertex = positions[(round * 7) % positions.len()];
                    let point = vertex + sample.vector() * [0.0, 1e-6, 0.1, 3.0][round % 4];
                    let mut nearest = |tree: &Bvh, which: usize| {
                        tree.nearest(&point, f64::INFINITY, |id| {
                            asked[which] += usize::from(round % 4 >= 2);
                            let [a, b, c] = corners(id);
                            point_triangle_distance_squared(&point, &a, &b, &c)
                        })
                    };
                    let found = nearest(&of_boxes, 0);
                    assert_eq!(nearest(&of_triangles, 1), found, "{place} {round}");
                    tied += usize::from(round % 4 == 0);
                }
            }
        }
        assert!(2 * asked[1] < asked[0] && tied > 2_000, "{asked:?} asked");
    }
}
