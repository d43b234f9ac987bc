//! The triangles of a surface that are closest to any point of a ball.

use crate::{SurfaceMesh, SurfaceNearest};
use arrayvec::ArrayVec;
use palpate_math::nearest::point_triangle_distance_squared;
use palpate_math::{Aabb, Point, rounding};
use std::cell::Cell as Flag;

/// The most triangles listed: with more, a query of the tree is cheaper.
const MOST: usize = 96;

/// How much farther than necessary triangles are listed, relative to their distance: far more than the rounding error.
const SLACK: f64 = 1e-9;

/// A short list of triangles, in which the closest one to any point of a ball is found.
#[derive(Debug)]
pub(super) struct NearTriangles {
    center: Point,
    radius: f64,
    /// More than the rounding error of a distance.
    slack: f64,
    /// The closest to the centre first.
    listed: ArrayVec<Listed, MOST>,
}

#[derive(Debug)]
struct Listed {
    triangle: u32,
    corners: [Point; 3],
    /// The distance from the centre.
    distance: f64,
}

impl NearTriangles {
    /// Lists the triangles: none is farther from the centre than the closest one by more than twice the radius. `None` if
    /// there are too many.
    pub(super) fn new(surface: &SurfaceMesh, center: Point, radius: f64) -> Option<Self> {
        let nearest = surface.nearest(&center, f64::INFINITY)?;
        let distance = (nearest.point - center).norm();
        let largest = rounding::largest_coordinate([&center, &nearest.point]);
        let slack = SLACK * (distance + 2.0 * radius) + rounding::length(largest);
        let reach = distance + 2.0 * radius + slack;
        let mut listed = ArrayVec::new();
        let is_complete = Flag::new(true);
        let keep =
            |bounds: &Aabb| is_complete.get() && bounds.distance_squared_to_point(&center) <= reach * reach;
        surface.tree()?.search(keep, |triangle| {
            let corners = surface.corners(triangle);
            let [a, b, c] = &corners;
            let distance = point_triangle_distance_squared(&center, a, b, c).sqrt();
            if distance <= reach && listed.try_push(Listed { triangle, corners, distance }).is_err() {
                is_complete.set(false);
            }
        });
        listed.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));
        is_complete.get().then_some(Self { center, radius, slack, listed })
    }

    /// Whether a point is in the ball.
    pub(super) fn covers(&self, point: &Point) -> bool {
        (point - self.center).norm_squared() <= self.radius * self.radius
    }

    /// Returns the closest point of the surface to a point of the ball, if it is at most the square root of
    /// `bound_squared` away, as [`SurfaceMesh::nearest`] does.
    pub(super) fn nearest(
        &self,
        surface: &SurfaceMesh,
        point: &Point,
        bound_squared: f64,
    ) -> Option<SurfaceNearest> {
        let moved = (point - self.center).norm() + self.slack;
        let mut best: Option<(f64, u32)> = None;
        let mut enough = f64::INFINITY;
        for &Listed { triangle, corners: [a, b, c], distance } in &self.listed {
            if distance - moved > enough {
                break;
            }
            let squared = point_triangle_distance_squared(point, &a, &b, &c);
            let is_closer = best.map_or(squared <= bound_squared, |(least, other)| {
                let precedes = || surface.adjacency().rank(triangle) < surface.adjacency().rank(other);
                squared < least || (squared == least && precedes())
            });
            if is_closer {
                best = Some((squared, triangle));
                enough = squared.sqrt();
            }
        }
        best.map(|(_, triangle)| surface.nearest_on(triangle, point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geometry, Needs};
    use palpate_math::Vector;

    /// A bumpy sheet of 3200 triangles; balls of several sizes above and below it.
    #[test]
    fn the_list_holds_what_the_tree_finds() {
        let at = |i: u32, j: u32| {
            let (x, z) = (f64::from(i) * 0.05, f64::from(j) * 0.05);
            Point::new(x, 0.2 * libm::sin(3.0 * x) * libm::cos(2.0 * z), z)
        };
        let corners = (0..41 * 41).map(|k| at(k / 41, k % 41)).collect();
        let cells = (0..1600).flat_map(|k| {
            let a = k / 40 * 41 + k % 40;
            [[a, a + 1, a + 42], [a, a + 42, a + 41]]
        });
        let mut mesh = SurfaceMesh::new(corners, cells.collect()).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut few, mut many, mut beyond) = (0, 0, 0);
        for case in 0..300 {
            let center = Point::new(1.0 + random(), 0.6 * random(), 1.0 + random());
            let radius = [0.3, 0.05, 1e-3, 1e-7][case % 4];
            let Some(near) = NearTriangles::new(&mesh, center, radius) else {
                many += 1;
                continue;
            };
            few += 1;
            for _ in 0..50 {
                let point = center + Vector::new(random(), random(), random()) * (0.57 * radius);
                assert!(near.covers(&point));
                let bound = if random() > 0.0 { f64::INFINITY } else { 0.04 };
                let [found, wanted] = [near.nearest(&mesh, &point, bound), mesh.nearest(&point, bound)];
                beyond += usize::from(wanted.is_none());
                assert_eq!(found, wanted, "{case}");
            }
        }
        assert!(few > 150 && many > 30 && beyond > 500, "{few} {many} {beyond}");
    }
}
