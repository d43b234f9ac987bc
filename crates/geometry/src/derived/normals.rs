//! Angle-weighted pseudonormals of a surface, for inside-outside tests.

use super::Adjacency;
use crate::Version;
use arrayvec::ArrayVec;
use palpate_bvh::{InTurn, Tasks, parts, run_all};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector, rounding};

/// What the normals of a surface need that no triangle tells by itself.
#[derive(Clone, Debug, Default)]
pub struct Winding {
    inverted: bool,
    collapsed: bool,
    built_for: Version,
}

impl Winding {
    /// Updates it to the positions and the box around them, on the threads of the caller.
    pub fn update(
        &mut self,
        version: Version,
        triangles: &[[u32; 3]],
        adjacency: &Adjacency,
        (positions, bounds): (&[Point], &Aabb),
        tasks: &dyn Tasks,
    ) {
        if self.built_for == version {
            return;
        }
        let volume = if adjacency.is_closed() { six_volumes(triangles, positions, tasks) } else { 0.0 };
        self.inverted = volume < 0.0;
        self.collapsed = adjacency.is_closed() && is_none(volume, triangles, positions, bounds);
        self.built_for = version;
    }

    /// Whether a closed surface has negative volume.
    pub(crate) fn is_inward(triangles: &[[u32; 3]], adjacency: &Adjacency, positions: &[Point]) -> bool {
        adjacency.is_closed() && six_volumes(triangles, positions, &InTurn) < 0.0
    }

    /// Whether it was computed for `version`.
    pub fn is_current(&self, version: Version) -> bool {
        self.built_for == version
    }
}

/// Normals of faces, edges and vertices, each computed where it is asked for. The vector from the closest point to a query
/// point has a positive product with the pseudonormal of the closest feature exactly when the query point is outside a
/// closed oriented surface (Bærentzen and Aanæs 2005, "Signed Distance Computation Using the Angle Weighted Pseudonormal").
///
/// Degenerate triangles have zero normals and do not contribute to their edges and vertices. If all windings are inward
/// (negative signed volume) all normals are flipped outward.
#[derive(Clone, Copy, Debug)]
pub struct Normals<'a> {
    pub(crate) winding: &'a Winding,
    pub(crate) triangles: &'a [[u32; 3]],
    pub(crate) adjacency: &'a Adjacency,
    pub(crate) positions: &'a [Point],
}

impl Normals<'_> {
    /// Returns the unit normal of a triangle; zero for a degenerate one.
    #[inline]
    pub fn face(&self, triangle: u32) -> Vector {
        let sign = if self.winding.inverted { -1.0 } else { 1.0 };
        face_normal(&self.corners(triangle)) * sign
    }

    /// Returns the pseudonormal of an edge: the sum of the unit normals of its triangles; not unit.
    pub fn edge(&self, edge: u32) -> Vector {
        let [first, second] = self.adjacency.edge_triangles[edge as usize];
        let other = if second == NONE { Vector::zeros() } else { self.face(second) };
        self.face(first) + other
    }

    /// Returns the pseudonormal of a vertex: the unit normals of its triangles, weighted by their angles at the vertex; not
    /// unit.
    pub fn vertex(&self, vertex: u32) -> Vector {
        let mut sum = Vector::zeros();
        for &corner in self.adjacency.corners_at(vertex) {
            let triangle = corner / 3;
            sum += self.face(triangle) * angle_at(&self.corners(triangle), corner as usize % 3);
        }
        sum
    }

    /// Whether a vector points outward at the triangles of an element, if all of them agree on that by a clear angle: then so
    /// does the element's pseudonormal, a positive combination of their normals. `None` if they do not, or all are
    /// degenerate. Needs no angles, and no square roots.
    pub fn agreed_side(&self, triangles: impl IntoIterator<Item = u32>, vector: &Vector) -> Option<bool> {
        let least = CLEAR * CLEAR * vector.norm_squared();
        let mut side = None;
        let agrees = |triangle: u32| {
            let [a, b, c] = self.corners(triangle);
            let normal = (b - a).cross(&(c - a));
            let (height, squared) = (normal.dot(vector), normal.norm_squared());
            let outward = height > 0.0;
            squared == 0.0 || height * height > least * squared && *side.get_or_insert(outward) == outward
        };
        let agree = triangles.into_iter().all(agrees);
        side.filter(|_| agree).map(|outward| outward != self.winding.inverted)
    }

    /// Whether the winding is inward, so that the normals are those of the reversed triangles.
    pub fn are_inverted(&self) -> bool {
        self.winding.inverted
    }

    /// Whether the surface is closed but its volume is within rounding error of zero (a flattened ball): then its sides
    /// coincide, and no normal separates inside from outside.
    pub fn are_collapsed(&self) -> bool {
        self.winding.collapsed
    }

    #[inline]
    fn corners(&self, triangle: u32) -> [Point; 3] {
        self.triangles[triangle as usize].map(|id| self.positions[id as usize])
    }
}

/// The smallest cosine between a vector and the plane of a triangle at which it is clearly on one side: far more than
/// the rounding error of a pseudonormal.
const CLEAR: f64 = 1e-6;

/// Returns the unit normal of a triangle by its winding; zero for a degenerate one.
fn face_normal(corners: &[Point; 3]) -> Vector {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let length = normal.norm();
    if length > 0.0 { normal / length } else { Vector::zeros() }
}

/// Returns the angle of a triangle at one of its corners, in radians.
fn angle_at(corners: &[Point; 3], corner: usize) -> f64 {
    let along = corners[(corner + 1) % 3] - corners[corner];
    let back = corners[(corner + 2) % 3] - corners[corner];
    libm::atan2(along.cross(&back).norm(), along.dot(&back))
}

/// Number of the sums that a volume is added up from. Fixed, so that threads change no bit of it.
const SUMS: usize = 8;

/// Number of triangles of a task for which another thread pays off: some ten microseconds.
const FEWEST_TRIANGLES: usize = 8192;

/// Returns six times the volume of a closed surface, negative for inward winding: relative to the first vertex, so that a
/// surface far from the origin loses no accuracy.
fn six_volumes(triangles: &[[u32; 3]], positions: &[Point], tasks: &dyn Tasks) -> f64 {
    let Some(origin) = positions.first() else { return 0.0 };
    let count = triangles.len();
    let mut sums = [0.0; SUMS];
    let in_part = SUMS.div_ceil(parts(tasks, count, FEWEST_TRIANGLES));
    let mut jobs: ArrayVec<_, SUMS> = sums.chunks_mut(in_part).enumerate().collect();
    run_all(tasks, &mut jobs, |(part, sums)| {
        for (number, sum) in (*part * in_part..).zip(sums.iter_mut()) {
            let triangles = &triangles[number * count / SUMS..(number + 1) * count / SUMS];
            *sum = sum_of_six_volumes(triangles, positions, origin);
        }
    });
    drop(jobs);
    sums.into_iter().sum()
}

fn sum_of_six_volumes(triangles: &[[u32; 3]], positions: &[Point], origin: &Point) -> f64 {
    let of_triangle = |ids: &[u32; 3]| {
        if ids[0] == NONE {
            return 0.0;
        }
        let [a, b, c] = ids.map(|id| positions[id as usize] - origin);
        a.dot(&b.cross(&c))
    };
    // Four sums, so that additions do not wait for each other.
    let mut sums = [0.0; 4];
    let (fours, others) = triangles.as_chunks::<4>();
    for four in fours {
        for (sum, ids) in sums.iter_mut().zip(four) {
            *sum += of_triangle(ids);
        }
    }
    sums.into_iter().chain(others.iter().map(of_triangle)).sum()
}

/// Whether the mean thickness of a closed surface is within the rounding error of the coordinates.
fn is_none(six_volumes: f64, triangles: &[[u32; 3]], positions: &[Point], bounds: &Aabb) -> bool {
    let rounding = rounding::length(bounds.largest_coordinate());
    // Twice the area of a triangle is at most the square of the diagonal.
    let most = triangles.len() as f64 * (bounds.max - bounds.min).norm_squared();
    if six_volumes.abs() > rounding * most {
        return false;
    }
    let two_areas = |ids: &[u32; 3]| {
        let [a, b, c] = ids.map(|id| positions[id as usize]);
        (b - a).cross(&(c - a)).norm()
    };
    six_volumes.abs() <= rounding * triangles.iter().filter(|ids| ids[0] != NONE).map(two_areas).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn tetrahedron(reverse: bool) -> (Vec<[u32; 3]>, Vec<Point>) {
        let mut triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        if reverse {
            triangles.iter_mut().for_each(|ids| ids.swap(1, 2));
        }
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        (triangles, corners.map(Point::from).to_vec())
    }

    fn winding(triangles: &[[u32; 3]], positions: &[Point]) -> Winding {
        let mut winding = Winding::default();
        let version = Version { topology: 1, positions: 1 };
        let around = (positions, &Aabb::from_points(positions));
        winding.update(version, triangles, &Adjacency::new(triangles), around, &InTurn);
        winding
    }

    /// So many threads; the last task is run first.
    struct LastFirst(usize, AtomicUsize);

    impl Tasks for LastFirst {
        fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
            self.1.fetch_max(tasks.len(), Ordering::Relaxed);
            tasks.iter_mut().rev().for_each(|task| task());
        }

        fn width(&self) -> usize {
            self.0
        }
    }

    /// A ring of 40,000 triangles: the volume that Pappus tells, and the same bits for any number of threads.
    #[test]
    fn threads_change_no_bit_of_a_volume() {
        let (around, across) = (200_u32, 100_u32);
        let point = |i: u32, j: u32| {
            let (u, v) = (f64::from(i) * TAU / f64::from(around), f64::from(j) * TAU / f64::from(across));
            let from_axis = 2.0 + 0.5 * v.cos();
            Point::new(from_axis * u.cos(), from_axis * u.sin(), 0.5 * v.sin()) + Vector::repeat(10.0)
        };
        let positions: Vec<Point> = (0..around).flat_map(|i| (0..across).map(move |j| point(i, j))).collect();
        let number = |i: u32, j: u32| i % around * across + j % across;
        let quads = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
        let corners =
            quads.map(|(i, j)| [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]);
        let triangles: Vec<[u32; 3]> = corners.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let wanted = six_volumes(&triangles, &positions, &InTurn);
        let ring = 6.0 * (PI * 0.25) * (TAU * 2.0);
        assert!((wanted / ring - 1.0).abs() < 2e-3, "{wanted} {ring}");
        for (width, parts) in [(2, 2), (3, 3), (8, 4), (64, 4)] {
            let tasks = LastFirst(width, AtomicUsize::new(0));
            assert_eq!(six_volumes(&triangles, &positions, &tasks).to_bits(), wanted.to_bits());
            assert_eq!(tasks.1.into_inner(), parts);
        }
    }

    #[test]
    fn normals_point_outward_whichever_way_the_triangles_wind() {
        for reverse in [false, true] {
            let (triangles, positions) = tetrahedron(reverse);
            let (winding, adjacency) = (winding(&triangles, &positions), Adjacency::new(&triangles));
            let normals = Normals {
                winding: &winding,
                triangles: &triangles,
                adjacency: &adjacency,
                positions: &positions,
            };
            assert_eq!((normals.are_inverted(), normals.are_collapsed()), (reverse, false));
            assert_eq!(normals.face(0), -Vector::z());
            // Three right angles of a cube's corner: equal weights.
            let corner = normals.vertex(0).normalize();
            assert!((corner + Vector::repeat(1.0).normalize()).norm() < 1e-15);
            let between = adjacency.edges.iter().position(|edge| *edge == [0, 1]).unwrap() as u32;
            assert_eq!(normals.edge(between), -Vector::y() - Vector::z());
        }
    }

    /// Where the triangles agree, the pseudonormal says the same; where they do not, or a vector lies in the plane of one,
    /// there is no agreement.
    #[test]
    fn agreed_sides_are_those_of_the_pseudonormals() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut agreed, mut disagreed) = ([0; 2], 0);
        for round in 0..400 {
            let (triangles, mut positions) = tetrahedron(round % 2 == 0);
            positions.iter_mut().for_each(|point| *point += Vector::new(random(), random(), random()) * 0.1);
            let (winding, adjacency) = (winding(&triangles, &positions), Adjacency::new(&triangles));
            let normals = Normals {
                winding: &winding,
                triangles: &triangles,
                adjacency: &adjacency,
                positions: &positions,
            };
            let vector = Vector::new(random(), random(), random());
            for index in 0..4 {
                let around = adjacency.corners_at(index).iter().map(|corner| corner / 3);
                let all = [
                    (around.collect(), normals.vertex(index)),
                    (adjacency.edge_triangles[index as usize].to_vec(), normals.edge(index)),
                    (vec![index], normals.face(index)),
                ];
                for (triangles, pseudonormal) in all {
                    match normals.agreed_side(triangles, &vector) {
                        Some(outward) => {
                            assert_eq!(outward, vector.dot(&pseudonormal) > 0.0, "{index}");
                            agreed[usize::from(outward)] += 1;
                        }
                        None => disagreed += 1,
                    }
                }
            }
            let along = positions[1] - positions[0];
            assert_eq!(normals.agreed_side([1], &along), None, "in its plane");
        }
        assert!(agreed.iter().all(|&count| count > 1000) && disagreed > 500, "{agreed:?} {disagreed}");
    }

    /// Three coplanar corners of a ball, and a fourth at the given height above them.
    #[test]
    fn a_surface_pressed_flat_is_collapsed_and_a_thin_one_is_not() {
        let collapsed = |height: f64| {
            let (triangles, mut positions) = tetrahedron(false);
            positions[3] = Point::new(0.25, 0.25, height);
            winding(&triangles, &positions).collapsed
        };
        assert!(collapsed(0.0) && collapsed(1e-16) && !collapsed(1e-13) && !collapsed(1.0));
    }

    #[test]
    fn a_flat_triangle_has_no_normal_and_adds_none() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(Point::from);
        assert_eq!(face_normal(&corners), Vector::zeros());
    }
}
