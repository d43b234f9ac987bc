//! Convex polyhedron: points and the triangles of their hull.

use nalgebra::Vector3;

use super::lanes::Lanes;
use super::neighbours::Neighbours;
use super::scan;
use super::support_cubemap::{self, SupportCubemap};
use super::{Core, Extreme, SmallHull};
use crate::error::ConvexError;

/// Up to this many points a linear scan is faster than a support cubemap (measured).
const SCANNED_AT_MOST: usize = 24;

/// A convex polyhedron. Supports are found by a linear scan for small hulls, by a cubemap of the few candidate vertices
/// per direction for larger ones, and by hill climbing, from a hint if there is one, for very large ones.
///
/// In this memory order, so that the data read by a single support are adjacent.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Hull {
    triangles: Vec<[u32; 3]>,
    search: Search,
    center: Vector3<f64>,
    points: Vec<Vector3<f64>>,
    lanes: Lanes,
    bounding_radius: f64,
    reach: f64,
    fingerprint: u64,
}

/// The support algorithm.
#[derive(Clone, Debug)]
enum Search {
    Scan,
    Table(SupportCubemap),
    Climb(Neighbours),
}

impl Hull {
    /// Creates a hull from its points and the triangles of its surface, counter-clockwise seen from outside.
    ///
    /// The surface is assumed to be the hull of the points; if it turns out not to be closed or convex, supports use
    /// linear scans, which need no surface. Cost: `n log n`, once.
    ///
    /// Errors: no points, a non-finite coordinate, a triangle that names a point that does not exist.
    pub fn new(points: Vec<Vector3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, ConvexError> {
        if points.is_empty() {
            return Err(ConvexError::NoPoints);
        }
        if let Some(index) = points.iter().position(|point| !point.norm_squared().is_finite()) {
            return Err(ConvexError::NotFinite { index, point: format!("{:?}", points[index]) });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&point) = corners.iter().find(|&&corner| corner as usize >= points.len()) {
                return Err(ConvexError::NoSuchPoint { triangle, point, last: points.len() - 1 });
            }
        }
        let bounding_radius = scan::bounding_radius(&points);
        let center = scan::center(&points);
        let reach = points.iter().map(|point| (point - center).norm()).fold(0.0, f64::max);
        let lanes = Lanes::new(&points);
        let search = Search::new(&points, &triangles, bounding_radius);
        let fingerprint = scan::fingerprint(points.iter().flatten());
        Ok(Self { points, triangles, bounding_radius, reach, center, lanes, search, fingerprint })
    }

    /// Returns the vertices, in the order given; a support's id is an index into them.
    pub fn points(&self) -> &[Vector3<f64>] {
        &self.points
    }

    /// Returns the greatest distance of a vertex from the [centre](Core::center): unlike the
    /// [bounding radius](Core::bounding_radius) it does not depend on where the origin is.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Returns the triangles of the surface, in the order given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

impl Search {
    fn new(points: &[Vector3<f64>], triangles: &[[u32; 3]], bounding_radius: f64) -> Self {
        if points.len() <= SCANNED_AT_MOST {
            return Self::Scan;
        }
        let neighbours = Neighbours::new(points.len(), triangles);
        // A vertex without triangles may be the farthest: only a scan finds it.
        if (0..points.len()).any(|vertex| neighbours.of(vertex).is_empty()) || !convex(points, triangles) {
            return Self::Scan;
        }
        if points.len() > support_cubemap::VERTICES_AT_MOST {
            return Self::Climb(neighbours);
        }
        Self::Table(SupportCubemap::new(points, &neighbours, bounding_radius))
    }
}

/// Whether the surface is closed and every edge convex, up to rounding error.
fn convex(points: &[Vector3<f64>], triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<(u32, u32, u32)> =
        triangles.iter().flat_map(|&[a, b, c]| [(a, b, c), (b, c, a), (c, a, b)]).collect();
    edges.sort_unstable();
    edges.windows(2).all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1))
        && edges.iter().all(|&(a, b, c)| {
            let Ok(other) = edges.binary_search_by(|edge| (edge.0, edge.1).cmp(&(b, a))) else {
                return false;
            };
            let [a, b, c, d] = [a, b, c, edges[other].2].map(|vertex| points[vertex as usize]);
            let (first, second, across) = (b - a, c - a, d - a);
            let normal = first.cross(&second);
            let folded = normal.dot(&across);
            folded <= 1e-14 * (first.norm() * second.norm() * across.norm())
        })
}

impl Core<Vector3<f64>> for Hull {
    const CURVED: bool = false;

    #[inline(always)]
    fn support(&self, direction: Vector3<f64>, near: u32) -> Extreme<Vector3<f64>> {
        let index = match &self.search {
            Search::Scan => self.lanes.farthest(direction).min(self.points.len() - 1),
            Search::Table(cells) => cells.farthest(&self.points, &direction),
            Search::Climb(neighbours) => {
                let start = if (near as usize) < self.points.len() { near as usize } else { 0 };
                neighbours.climb(&self.points, &direction, start)
            }
        };
        Extreme { point: self.points[index], id: index as u32 }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Option<Vector3<f64>> {
        self.points.get(id as usize).copied()
    }

    #[inline(always)]
    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    #[inline(always)]
    fn few(&self) -> Option<&SmallHull> {
        self.lanes.few()
    }

    #[inline(always)]
    fn center(&self) -> Vector3<f64> {
        self.center
    }

    #[inline(always)]
    fn fingerprint(&self) -> Option<u64> {
        Some(self.fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::NO_ID;

    /// A double pyramid over a regular polygon of 30 corners: the apexes are vertices 0 and 31.
    fn double_pyramid(height: f64) -> Hull {
        let turn = |k: u32| f64::from(k) / 30.0 * std::f64::consts::TAU;
        let ring = (0..30).map(|k| Vector3::new(libm::cos(turn(k)), 0.0, libm::sin(turn(k))));
        let mut points = vec![Vector3::y() * height];
        points.extend(ring);
        points.push(-Vector3::y());
        let sides = (0..30).map(|k| [1 + k, 1 + (k + 1) % 30]);
        let triangles = sides.flat_map(|[from, to]| [[0, to, from], [31, from, to]]).collect();
        Hull::new(points, triangles).unwrap()
    }

    #[test]
    fn the_reach_does_not_depend_on_the_origin() {
        let hull = double_pyramid(0.5);
        let moved = hull.points.iter().map(|point| point + Vector3::new(40.0, -30.0, 5.0)).collect();
        let moved = Hull::new(moved, hull.triangles.clone()).unwrap();
        // The mean of the vertices is by 0.5 / 32 below the middle of the ring.
        let wanted = Vector3::new(1.0_f64, 0.5 / 32.0, 0.0).norm();
        assert!((hull.reach() - wanted).abs() < 1e-14, "{}", hull.reach());
        assert!((moved.reach() - wanted).abs() < 1e-13 && moved.bounding_radius() > 50.0);
    }

    #[test]
    fn a_surface_with_a_slight_dent_is_scanned() {
        for height in [0.5, 1e-2, 1e-8] {
            assert!(matches!(double_pyramid(height).search, Search::Table(_)), "{height}");
            let dented = double_pyramid(-height);
            assert!(matches!(dented.search, Search::Scan), "{height}");
            // The corner in the dent is never the farthest.
            for k in 0..200 {
                let direction = crate::vector::VectorSpace::spread(k, 200);
                assert_ne!(dented.support(direction, NO_ID).id, 0);
            }
        }
    }
}
