//! The triangles of a surface that are closest to any point of a ball.

use crate::{SurfaceMesh, SurfaceNearest};
use arrayvec::ArrayVec;
use palpate_math::nearest::point_triangle_distance_squared;
use palpate_math::triangle::area_vector;
use palpate_math::{Aabb, Point, Vector, rounding};
use std::cell::Cell as Flag;

/// The most triangles listed: with more, a query of the tree is cheaper.
const MOST: usize = 96;

/// How much farther than necessary triangles are listed, relative to their distance: far more than the rounding error.
const SLACK: f64 = 1e-9;

/// A short list of triangles, in which the closest one to any point of a ball is found.
#[derive(Debug)]
pub(in crate::implicit) struct NearTriangles {
    center: Point,
    radius: f64,
    /// More than the rounding error of a distance.
    slack: f64,
    /// The closest to the centre first.
    listed: ArrayVec<Listed, MOST>,
}

/// A triangle in the list, with what its distance from a point takes.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) triangle: u32,
    pub(super) corners: [Point; 3],
    /// The unit normal, by the winding; `None` for a degenerate triangle.
    pub(super) normal: Option<Vector>,
    bounds: Aabb,
    sides: [Side; 3],
    /// The distance from the centre of the ball.
    distance: f64,
}

#[derive(Debug)]
struct Side {
    along: Vector,
    /// Away from the triangle, in its plane.
    outward: Vector,
    /// Of the squared length; zero for a side without length.
    inverse: f64,
}

impl Listed {
    fn new(triangle: u32, corners: [Point; 3], distance: f64) -> Self {
        let [a, b, c] = &corners;
        let normal = area_vector(a, b, c).try_normalize(0.0);
        let sides = [b - a, c - b, a - c].map(|along| {
            let squared = along.norm_squared();
            let outward = normal.map_or(Vector::zeros(), |normal| along.cross(&normal));
            Side { along, outward, inverse: if squared > 0.0 { 1.0 / squared } else { 0.0 } }
        });
        Self { triangle, corners, normal, bounds: Aabb::from_points(corners), sides, distance }
    }

    /// Returns the squared distance from a point, as [`point_triangle_distance_squared`] does but for rounding error, in about a
    /// third of the time.
    pub(in crate::implicit) fn distance_squared(&self, point: &Point) -> f64 {
        let mut closest = f64::INFINITY;
        let mut is_above = true;
        for (side, corner) in self.sides.iter().zip(&self.corners) {
            let way = point - corner;
            if self.normal.is_none() || side.outward.dot(&way) > 0.0 {
                is_above = false;
                let share = (side.along.dot(&way) * side.inverse).clamp(0.0, 1.0);
                closest = closest.min((way - side.along * share).norm_squared());
            }
        }
        match self.normal {
            Some(normal) if is_above => {
                let height = normal.dot(&(point - self.corners[0]));
                height * height
            }
            _ => closest,
        }
    }
}

impl NearTriangles {
    /// Lists the triangles: none is farther from the centre than the closest one by more than twice the radius. `None` if
    /// there are too many.
    pub(in crate::implicit) fn new(surface: &SurfaceMesh, center: Point, radius: f64) -> Option<Self> {
        // Points on its boundary are covered in spite of rounding error.
        let radius = radius * (1.0 + SLACK);
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
            if distance <= reach && listed.try_push(Listed::new(triangle, corners, distance)).is_err() {
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

    /// Returns what is known of a triangle; `None` if it is not listed.
    pub(super) fn get(&self, triangle: u32) -> Option<&Listed> {
        self.listed.iter().find(|listed| listed.triangle == triangle)
    }

    /// Calls `visit` with the triangles whose boxes touch a ball; false, without a call, if others may.
    pub(super) fn around(&self, center: &Point, radius: f64, visit: &mut dyn FnMut(&Listed)) -> bool {
        let Some(first) = self.listed.first() else { return false };
        if (center - self.center).norm() + radius > first.distance + 2.0 * self.radius {
            return false;
        }
        let near = |listed: &&Listed| listed.bounds.distance_squared_to_point(center) <= radius * radius;
        self.listed.iter().filter(near).for_each(visit);
        true
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
        // How far a triangle may be that is as close as one at this distance, but for rounding error.
        let reach = |squared: f64| {
            let reach = squared.sqrt() * (1.0 + SLACK) + self.slack;
            reach * reach
        };
        let mut enough = reach(bound_squared);
        let mut close = ArrayVec::<(f64, &Listed), MOST>::new();
        for listed in &self.listed {
            let beyond = listed.distance - moved;
            if beyond > 0.0 && beyond * beyond > enough {
                break;
            }
            if listed.bounds.distance_squared_to_point(point) > enough {
                continue;
            }
            let squared = listed.distance_squared(point);
            if squared <= enough {
                close.push((squared, listed));
                enough = enough.min(reach(squared));
            }
        }
        close.retain(|(squared, _)| *squared <= enough);
        let mut best: Option<(f64, u32)> = None;
        for (_, listed) in &close {
            let (triangle, [a, b, c]) = (listed.triangle, &listed.corners);
            let is_only = close.len() == 1 && bound_squared == f64::INFINITY;
            let squared = if is_only { 0.0 } else { point_triangle_distance_squared(point, a, b, c) };
            let is_closer = best.map_or(squared <= bound_squared, |(least, other)| {
                let precedes = || surface.adjacency().rank(triangle) < surface.adjacency().rank(other);
                squared < least || (squared == least && precedes())
            });
            if is_closer {
                best = Some((squared, triangle));
            }
        }
        best.map(|(_, triangle)| surface.nearest_on(triangle, point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Geometry, Needs};

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

    /// Triangles of all shapes, with corners that coincide or are in a line too.
    #[test]
    fn the_faster_distance_is_the_distance() {
        let mut state = 11_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut above, mut beside) = (0, 0);
        for case in 0..20_000 {
            let mut point = || Point::new(random(), random(), random());
            let [a, b, mut c, place] = [point(), point(), point(), point()];
            match case % 8 {
                0 => c = a,
                1 => c = a + (b - a) * 0.25,
                2 => c = a + (b - a) * 0.25 + (c - a) * 1e-4,
                _ => {}
            }
            let listed = Listed::new(0, [a, b, c], 0.0);
            let wanted = point_triangle_distance_squared(&place, &a, &b, &c).sqrt();
            let found = listed.distance_squared(&place).sqrt();
            assert!((found - wanted).abs() < 1e-11, "{case}: {found} {wanted}");
            let nearest = palpate_math::nearest::point_triangle(&place, &a, &b, &c);
            let is_above = nearest.weights.iter().all(|weight| *weight > 0.0);
            above += usize::from(is_above);
            beside += usize::from(!is_above);
        }
        assert!(above > 1_500 && beside > 10_000, "{above} {beside}");
    }

    #[test]
    fn what_is_near_a_ball_is_listed() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let corners: Vec<Point> = (0..60).map(|_| Point::new(random(), random(), random())).collect();
        let cells = (0..20).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let mut mesh = SurfaceMesh::new(corners, cells).unwrap();
        mesh.prepare(Needs::TREE | Needs::NORMALS);
        let near = NearTriangles::new(&mesh, Point::origin(), 0.4).unwrap();
        let (mut complete, mut others) = (0, 0);
        for _ in 0..500 {
            let center = Point::new(random(), random(), random()) * 0.4;
            let radius = 0.8 * random().abs();
            let mut found = Vec::new();
            if !near.around(&center, radius, &mut |listed| found.push(listed.triangle)) {
                assert!(found.is_empty());
                others += 1;
                continue;
            }
            complete += 1;
            for triangle in 0..20 {
                let touches = (mesh.nearest_on(triangle, &center).point - center).norm() <= radius;
                assert!(!touches || found.contains(&triangle), "{center} {radius}");
            }
        }
        assert!(complete > 200 && others > 20, "{complete} {others}");
    }
}
