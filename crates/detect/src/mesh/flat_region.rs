//! The flat part of a surface around a triangle, as a convex polygon: the exit of a convex body from a plane face does not
//! depend on how the face is divided into triangles.
//!
//! The triangles that are coplanar with the first and connected to it have a convex outline, or there is no such part: the
//! exit of a body from a convex polygon is exact and changes by no more than the body moves, from any other it is not. The
//! polygon is a square wider than the body, cut by the edges of the outline; its exit is the least one of the wedges at its
//! corners, which are triangles wider than the body. The exit from a part of a surface bounds that from the whole from below.

use crate::mesh::MarkSet;
use crate::mesh::face_patch::{COPLANAR, across};
use palpate_contact::NONE;
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::nearest::point_triangle;
use palpate_math::{Aabb, Point, Vector, rounding, triangle};

/// The smallest cosine of half the interior angle at a corner of the polygon; below it the two sides count as collinear.
const NARROWEST: f64 = 1e-3;

/// How much longer a wedge is than half the square is wide: its far side is beyond what the body reaches from any corner. The error
/// of an iterative query grows with it.
const LONGER: f64 = 2.0;

/// The square of the cosine below which two triangles are surely not [`COPLANAR`].
const NEARLY_COPLANAR: f64 = COPLANAR * COPLANAR - 1e-9;

/// The first room of the lists.
const FEW: usize = 16;

/// The most triangles of a flat part whose outline is followed.
const MOST_TRIANGLES: usize = 2048;

/// The largest sine of the angle by which the outline of a convex part may turn the other way: the rounding error of short
/// edges.
const STRAIGHT: f64 = 1e-9;

/// A corner of the polygon, and whether the side from here to the next corner bounds the flat part.
#[derive(Clone, Copy, Debug)]
struct Corner {
    at: [f64; 2],
    bounds: bool,
}

/// An edge that bounds the flat part, which is on its left: its two vertices.
type Border = [u32; 2];

/// Half of the plane: the points whose product with the unit normal is no greater than `most`.
#[derive(Clone, Copy, Debug)]
struct Half {
    normal: [f64; 2],
    most: f64,
}

/// The search and its reusable memory.
#[derive(Debug, Default)]
pub(crate) struct FlatRegion {
    triangles: Vec<u32>,
    marks: MarkSet,
    borders: Vec<Border>,
    polygon: Vec<Corner>,
    clipped: Vec<Corner>,
    wedges: Vec<[Point; 3]>,
}

/// The plane of the first triangle: its centroid, and two axes.
#[derive(Clone, Copy, Debug)]
struct Plane {
    origin: Point,
    axes: [Vector; 2],
}

impl Plane {
    fn at(&self, point: &Point) -> [f64; 2] {
        let offset = point - self.origin;
        self.axes.map(|axis| offset.dot(&axis))
    }

    fn point(&self, [x, y]: [f64; 2]) -> Point {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }
}

impl Half {
    /// How far a point is outside.
    fn beyond(&self, at: [f64; 2]) -> f64 {
        dot(self.normal, at) - self.most
    }
}

impl FlatRegion {
    /// Gives the lists their first room.
    pub(crate) fn open(&mut self) {
        self.triangles.reserve(FEW.saturating_sub(self.triangles.len()));
        self.borders.reserve(FEW.saturating_sub(self.borders.len()));
        self.polygon.reserve(FEW.saturating_sub(self.polygon.len()));
        self.clipped.reserve(FEW.saturating_sub(self.clipped.len()));
        self.wedges.reserve(FEW.saturating_sub(self.wedges.len()));
    }

    /// Exchanges the set of what was visited for another one.
    pub(crate) fn exchange(&mut self, set: &mut MarkSet) {
        std::mem::swap(&mut self.marks, set);
    }

    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.marks.clear();
    }

    /// Whether a triangle belongs to the part that was found last.
    pub(crate) fn was_looked_at(&self, triangle: u32) -> bool {
        self.marks.contains(triangle)
    }

    /// Returns the triangles of the part.
    pub(crate) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Finds the flat part around a triangle for a body with these bounds whose exit is no longer than `reach`. Returns its
    /// unit normal; `None` if the triangle has no coplanar neighbour, or the part is not convex.
    pub(crate) fn find(
        &mut self,
        surface: &SurfaceMesh,
        triangle: u32,
        bounds: &Aabb,
        reach: f64,
    ) -> Option<Vector> {
        self.wedges.clear();
        let normal = self.grow(surface, triangle, &surface.normals()?.face(triangle))?;
        let corners = surface.corners(triangle);
        let origin = Point::from(corners.iter().map(|corner| corner.coords).sum::<Vector>() / 3.0);
        let first = normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
        let plane = Plane { origin, axes: [first, normal.cross(&first)] };
        if !self.is_convex(surface, &plane) {
            return None;
        }
        let center = plane.at(&bounds.center());
        let wide = 2.0 * ((bounds.max - bounds.min).norm() + reach + dot(center, center).sqrt());
        let largest = rounding::largest_coordinate([&bounds.min, &bounds.max, &origin]);
        let same = rounding::length(largest + wide);
        self.polygon.clear();
        for [i, j] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
            let at = [center[0] + i * wide, center[1] + j * wide];
            self.polygon.push(Corner { at, bounds: false });
        }
        for index in 0..self.borders.len() {
            let ends = self.borders[index].map(|id| plane.at(&surface.points().positions()[id as usize]));
            self.cut(ends, same);
        }
        self.find_wedges(&plane, LONGER * wide, same);
        Some(normal)
    }

    /// Returns triangles wider than the body; the least of their exits is the exit from the flat part. None if the body is too
    /// far from the border of the flat part to exit over it.
    pub(crate) fn wedges(&self) -> &[[Point; 3]] {
        &self.wedges
    }

    /// Returns the height of the highest vertex above a point, along a unit direction.
    pub(crate) fn height(&self, surface: &SurfaceMesh, point: &Point, up: &Vector) -> f64 {
        let corners = self.triangles.iter().flat_map(|&triangle| surface.corners(triangle));
        corners.map(|corner| (corner - point).dot(up)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Returns the point of the triangles closest to a point, on a face or, if the contact is `beside` the faces, on the
    /// nearest element.
    pub(crate) fn nearest(
        &self,
        surface: &SurfaceMesh,
        point: &Point,
        beside: bool,
    ) -> Option<SurfaceNearest> {
        let places = self.triangles.iter().map(|&triangle| (triangle, surface.nearest_on(triangle, point)));
        let with_distance =
            places.map(|(triangle, place)| ((place.point - point).norm_squared(), triangle, place));
        let nearest = with_distance.reduce(|best, other| if other.0 < best.0 { other } else { best });
        let (_, triangle, place) = nearest?;
        let [a, b, c] = surface.corners(triangle);
        let weights = point_triangle(&place.point, &a, &b, &c).weights;
        let on_face = SurfaceNearest { feature: SurfaceFeature::Face(triangle), weights, point: place.point };
        Some(if beside { place } else { on_face })
    }

    /// Collects the triangles coplanar with the first and connected to it, and the edges that bound them; returns the mean
    /// of their normals by area, `None` for one triangle alone and for more than can be followed.
    fn grow(&mut self, surface: &SurfaceMesh, first: u32, normal: &Vector) -> Option<Vector> {
        self.triangles.clear();
        self.borders.clear();
        self.marks.clear();
        self.marks.insert(first);
        self.triangles.push(first);
        let (adjacency, normals) = (surface.adjacency(), surface.normals()?);
        let (mut next, mut sum) = (0, Vector::zeros());
        while next < self.triangles.len() {
            let triangle = self.triangles[next];
            next += 1;
            let [a, b, c] = surface.corners(triangle);
            sum += (b - a).cross(&(c - a));
            let ids = surface.triangles()[triangle as usize];
            for (side, edge) in adjacency.triangle_edges[triangle as usize].into_iter().enumerate() {
                let sides = adjacency.edge_triangles[edge as usize];
                let other = across(sides, triangle);
                if other == NONE || normals.face(other).dot(normal) < COPLANAR {
                    self.borders.push([ids[side], ids[(side + 1) % 3]]);
                } else if self.marks.insert(other) {
                    self.triangles.push(other);
                }
            }
            if self.triangles.len() > MOST_TRIANGLES {
                return None;
            }
        }
        let sum = if sum.dot(normal) < 0.0 { -sum } else { sum };
        sum.try_normalize(0.0).filter(|_| self.triangles.len() > 1)
    }

    /// Whether the outline turns left at every vertex, where one edge of it ends and one begins. (Around a hole it turns
    /// right.)
    fn is_convex(&mut self, surface: &SurfaceMesh, plane: &Plane) -> bool {
        self.borders.sort_unstable();
        let positions = surface.points().positions();
        let borders = &self.borders;
        let is_repeated = borders.windows(2).any(|pair| pair[0][0] == pair[1][0]);
        !is_repeated
            && borders.iter().all(|&[from, to]| {
                let Ok(next) = borders.binary_search_by_key(&to, |border| border[0]) else { return false };
                let [p, q, r] = [from, to, borders[next][1]].map(|id| plane.at(&positions[id as usize]));
                let (along, on) = ([q[0] - p[0], q[1] - p[1]], [r[0] - q[0], r[1] - q[1]]);
                let turn = along[0] * on[1] - along[1] * on[0];
                turn >= -STRAIGHT * (dot(along, along) * dot(on, on)).sqrt()
            })
    }

    /// Cuts the polygon along an edge of the outline, if a part of the edge is within it.
    fn cut(&mut self, [start, end]: [[f64; 2]; 2], same: f64) {
        if self.reaches_within([start, end], same) {
            let along = [end[0] - start[0], end[1] - start[1]];
            let length = dot(along, along).sqrt();
            let normal = [along[1] / length, -along[0] / length];
            self.clip(&Half { normal, most: dot(normal, start) }, same);
        }
    }

    /// Whether a segment has a part within the polygon, not only on its border.
    fn reaches_within(&self, [start, end]: [[f64; 2]; 2], same: f64) -> bool {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (index, corner) in self.polygon.iter().enumerate() {
            let next = self.polygon[(index + 1) % self.polygon.len()];
            let along = [next.at[0] - corner.at[0], next.at[1] - corner.at[1]];
            let length = dot(along, along).sqrt();
            if length <= same {
                continue;
            }
            let half = Half { normal: [along[1] / length, -along[0] / length], most: 0.0 };
            let [here, there] = [start, end].map(|at| half.beyond(at) - dot(half.normal, corner.at) + same);
            if here >= 0.0 && there >= 0.0 {
                return false;
            }
            let t = here / (here - there);
            if here > 0.0 {
                from = from.max(t);
            } else if there > 0.0 {
                to = to.min(t);
            }
        }
        let length = (end[0] - start[0]).hypot(end[1] - start[1]);
        (to - from) * length > same
    }

    /// Cuts the polygon (I. Sutherland and G. Hodgman 1974).
    fn clip(&mut self, half: &Half, same: f64) {
        self.clipped.clear();
        for (index, corner) in self.polygon.iter().enumerate() {
            let next = self.polygon[(index + 1) % self.polygon.len()];
            let [here, there] = [corner.at, next.at].map(|at| half.beyond(at));
            let crossing = || {
                let t = here / (here - there);
                [0, 1].map(|axis| corner.at[axis] + (next.at[axis] - corner.at[axis]) * t)
            };
            match (here <= same, there <= same) {
                (true, true) => self.clipped.push(*corner),
                // The corner lies on the line: it is the crossing. For a side nearly parallel to the line, the computed one is ill-conditioned.
                (true, false) if here >= 0.0 => self.clipped.push(Corner { bounds: true, ..*corner }),
                (true, false) => {
                    self.clipped.push(*corner);
                    self.clipped.push(Corner { at: crossing(), bounds: true });
                }
                (false, true) if there < 0.0 => {
                    self.clipped.push(Corner { at: crossing(), bounds: corner.bounds });
                }
                (false, _) => {}
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.clipped);
    }

    /// Makes a triangle of every corner beside a bounding side.
    fn find_wedges(&mut self, plane: &Plane, length: f64, same: f64) {
        let count = self.polygon.len();
        for index in 0..count {
            let corner = self.polygon[index];
            let before = self.polygon[(index + count - 1) % count];
            let after = self.polygon[(index + 1) % count];
            if !corner.bounds && !before.bounds {
                continue;
            }
            let Some([back, on]) = unit_sides(corner.at, [before.at, after.at], same) else { continue };
            // Half the sum of the two is as long as the cosine of half the angle.
            let middle = [0.5 * (back[0] + on[0]), 0.5 * (back[1] + on[1])];
            let cosine = dot(middle, middle).sqrt();
            let at = |way: [f64; 2], far: f64| {
                plane.point([corner.at[0] + way[0] * far, corner.at[1] + way[1] * far])
            };
            let wedge = if cosine > NARROWEST {
                let far = length / cosine;
                [plane.point(corner.at), at(on, far), at(back, far)]
            } else {
                [at(on, length), at([-on[1], on[0]], length), at(on, -length)]
            };
            self.wedges.push(wedge);
        }
    }
}

/// Whether a triangle may have a neighbour that is coplanar with it: a test without roots that leaves out most of a curved surface.
pub(super) fn may_be_flat(surface: &SurfaceMesh, triangle: u32) -> bool {
    let area_vector = |triangle: u32| {
        let [a, b, c] = surface.corners(triangle);
        triangle::area_vector(&a, &b, &c)
    };
    let adjacency = surface.adjacency();
    let normal = area_vector(triangle);
    let square = NEARLY_COPLANAR * normal.norm_squared();
    adjacency.triangle_edges[triangle as usize].into_iter().any(|edge| {
        let other = across(adjacency.edge_triangles[edge as usize], triangle);
        other != NONE && {
            let other = area_vector(other);
            let dot = other.dot(&normal);
            dot >= 0.0 && dot * dot >= square * other.norm_squared()
        }
    })
}

/// Returns the unit directions from a corner to its neighbours.
fn unit_sides(corner: [f64; 2], neighbours: [[f64; 2]; 2], same: f64) -> Option<[[f64; 2]; 2]> {
    let [before, after] = neighbours.map(|other| {
        let way = [other[0] - corner[0], other[1] - corner[1]];
        let length = dot(way, way).sqrt();
        (length > same).then(|| way.map(|x| x / length))
    });
    Some([before?, after?])
}

fn dot(x: [f64; 2], y: [f64; 2]) -> f64 {
    x[0] * y[0] + x[1] * y[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line along the upper side, turned by less than what counts as on it.
    #[test]
    fn a_line_almost_along_a_side_adds_no_corner_beyond_it() {
        let (same, square) = (1e-12, [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]);
        for heights in [[0.9, 1.1], [1.1, 0.9], [0.9, 0.9], [1.1, 1.1], [-0.9, 1.1], [1.1, -0.9]] {
            let mut region = FlatRegion::default();
            region.polygon.extend(square.map(|at| Corner { at, bounds: false }));
            let [right, left] = heights.map(|height| height * same);
            let slope = 0.5 * (right - left);
            region.clip(&Half { normal: [slope, 1.0], most: 1.0 - 0.5 * (right + left) }, same);
            let corners = &region.polygon;
            assert_eq!(corners.iter().filter(|corner| corner.at[1] < 0.0).count(), 2, "{heights:?}");
            let is_within = |corner: &Corner| corner.at.iter().all(|x| x.abs() <= 1.0 + 1e-9);
            assert!(
                (3..=5).contains(&corners.len()) && corners.iter().all(is_within),
                "{heights:?}: {corners:?}"
            );
            let bounds = corners.iter().filter(|corner| corner.bounds).count();
            assert_eq!(
                bounds,
                usize::from(heights.iter().any(|height| *height > 1.0)),
                "{heights:?}: {corners:?}"
            );
        }
    }
}
