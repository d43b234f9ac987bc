//! A body as the judges represent it: its support function, and the depth of a point inside.

use super::function;
use crate::Shape;
use crate::oracle::axis_ends;
use crate::oracle::distance::{on_segment, on_triangle};
use crate::oracle::hull::HullOfPoints;
use palpate_math::{Point, Vector};
use std::collections::HashMap;
use std::f64::consts::PI;

/// The corners of a triangle.
pub(super) type Triangle = [Point; 3];

/// A shape with derived data of the judges, by brute force.
pub(crate) struct Solid {
    pub(super) shape: Shape,
    /// The boundary of a mesh, the faces of a box or of an unrounded hull; empty for a curved shape.
    pub(super) triangles: Vec<Triangle>,
    /// Their edges.
    pub(super) edges: Vec<[Point; 2]>,
    hull: Option<HullOfPoints>,
}

impl Solid {
    pub(crate) fn new(shape: &Shape) -> Self {
        let hull = match shape {
            Shape::Convex { corners, .. } => Some(HullOfPoints::new(corners.clone())),
            _ => None,
        };
        let triangles = faces(shape, hull.as_ref());
        let sides = |[a, b, c]: &Triangle| [[*a, *b], [*b, *c], [*c, *a]];
        let edges = triangles.iter().flat_map(sides).collect();
        Self { shape: shape.clone(), triangles, edges, hull }
    }

    /// The shape that it represents.
    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The boundary of a mesh, the faces of a box or of an unrounded hull; empty for a curved shape.
    pub(crate) fn triangles(&self) -> &[[Point; 3]] {
        &self.triangles
    }

    /// The edges of these triangles.
    pub(crate) fn edges(&self) -> &[[Point; 2]] {
        &self.edges
    }

    /// The support function of the body along a direction. An upper bound for intersections and differences of
    /// functions; `None` where no formula is known.
    pub(crate) fn reach(&self, direction: &Vector) -> Option<f64> {
        let over = |points: &[Point]| points.iter().map(|p| p.coords.dot(direction)).fold(f64::MIN, f64::max);
        Some(match &self.shape {
            Shape::Sphere { center, radius } => center.coords.dot(direction) + radius,
            Shape::Convex { pose, corners, margin } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                let highest = corners.iter().map(|p| p.coords.dot(&local)).fold(f64::MIN, f64::max);
                pose.translation.vector.dot(direction) + highest + margin
            }
            Shape::Implicit { pose, scale, function } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction) + scale * function::reach(function, &local)?
            }
            Shape::Capsule { pose, .. }
            | Shape::Cylinder { pose, .. }
            | Shape::Cone { pose, .. }
            | Shape::OrientedBox { pose, .. }
            | Shape::Ellipsoid { pose, .. } => {
                let local = pose.rotation.inverse_transform_vector(direction);
                pose.translation.vector.dot(direction) + centered_reach(&self.shape, &local)
            }
            mesh => over(mesh.vertices()) + mesh.thickness(),
        })
    }

    /// The lowest and the highest coordinates; infinite where no support function is known.
    pub(super) fn bounds(&self) -> [Vector; 2] {
        let reach = |axis: usize, sign: f64| self.reach(&Vector::ith(axis, sign)).unwrap_or(f64::INFINITY);
        [Vector::from_fn(|axis, _| -reach(axis, -1.0)), Vector::from_fn(|axis, _| reach(axis, 1.0))]
    }

    /// The signed distance of a point from the surface, negative inside; for ellipsoids and functions a lower bound
    /// in magnitude.
    pub(crate) fn signed(&self, point: &Point) -> f64 {
        match &self.shape {
            Shape::Convex { pose, margin, .. } => {
                let local = pose.inverse_transform_point(point);
                self.hull.as_ref().map_or(f64::INFINITY, |hull| hull.signed_distance(&local).0 - margin)
            }
            Shape::SurfaceMesh { radius, .. } => {
                let inside = winding(&self.triangles, point).abs() > 0.5;
                let distance = self.distance_to_surface(point);
                if inside { -distance - radius } else { distance - radius }
            }
            Shape::TetraMesh { vertices, cells } => {
                let corners = |ids: &[u32; 4]| ids.map(|id| vertices[id as usize]);
                let inside = cells.iter().any(|ids| is_in_tetrahedron(point, &corners(ids)));
                let distance = self.distance_to_surface(point);
                if inside { -distance } else { distance }
            }
            Shape::Implicit { pose, scale, function } => {
                let local = pose.inverse_transform_point(point) / *scale;
                scale * function::value(function, &local)
            }
            primitive => primitive_signed(primitive, point),
        }
    }

    /// The distance of a point from the closest triangle.
    pub(crate) fn distance_to_surface(&self, point: &Point) -> f64 {
        self.triangles
            .iter()
            .map(|corners| on_triangle(point, corners).distance)
            .fold(f64::INFINITY, f64::min)
    }

    /// Starting points of a search for a common point: corners, points along the axis, the centre.
    pub(super) fn places(&self) -> Vec<Point> {
        let axis =
            |ends: [Point; 2]| (0..=8).map(move |k| ends[0] + (ends[1] - ends[0]) * (f64::from(k) / 8.0));
        match &self.shape {
            Shape::Convex { pose, corners, .. } => {
                let middle = corners.iter().map(|p| p.coords).sum::<Vector>() / corners.len() as f64;
                corners.iter().chain([&Point::from(middle)]).map(|corner| pose * corner).collect()
            }
            Shape::OrientedBox { pose, .. } => self
                .edges
                .iter()
                .map(|[start, _]| *start)
                .chain([Point::from(pose.translation.vector)])
                .collect(),
            Shape::TetraMesh { vertices, cells } => {
                let middle = |ids: &[u32; 4]| {
                    Point::from(ids.map(|id| vertices[id as usize].coords).iter().sum::<Vector>() / 4.0)
                };
                vertices.iter().copied().chain(cells.iter().map(middle)).collect()
            }
            Shape::SurfaceMesh { vertices, .. } => {
                let middle = vertices.iter().map(|p| p.coords).sum::<Vector>() / vertices.len() as f64;
                vertices.iter().copied().chain([Point::from(middle)]).collect()
            }
            Shape::Implicit { pose, scale, function } => {
                function::places(function).into_iter().map(|place| pose * (place * *scale)).collect()
            }
            shape => match axis_ends(shape) {
                Some(ends) => axis(ends).collect(),
                None => vec![Point::from(shape.center())],
            },
        }
    }
}

fn faces(shape: &Shape, hull: Option<&HullOfPoints>) -> Vec<Triangle> {
    let of = |vertices: &[Point], cells: &[[u32; 3]]| {
        cells.iter().map(|ids| ids.map(|id| vertices[id as usize])).collect()
    };
    match shape {
        Shape::SurfaceMesh { vertices, cells, .. } => of(vertices, cells),
        Shape::TetraMesh { vertices, cells } => of(vertices, &boundary(cells)),
        Shape::OrientedBox { pose, half_extents } => {
            let (vertices, cells) =
                crate::meshes::box_surface(Point::from(-half_extents), Point::from(*half_extents));
            of(&vertices.iter().map(|vertex| pose * vertex).collect::<Vec<_>>(), &cells)
        }
        Shape::Convex { pose, margin: 0.0, .. } => hull.map_or(Vec::new(), |hull| {
            hull.planes().iter().map(|(_, corners)| corners.map(|corner| pose * corner)).collect()
        }),
        _ => Vec::new(),
    }
}

/// The faces of exactly one tetrahedron, their corners in no particular order.
fn boundary(cells: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
    let mut order = Vec::new();
    for &[a, b, c, d] in cells {
        for mut face in [[a, b, c], [a, b, d], [a, c, d], [b, c, d]] {
            face.sort_unstable();
            order.push(face);
            *faces.entry(face).or_default() += 1;
        }
    }
    order.retain(|face| faces[face] == 1);
    order
}

/// The winding number of the triangles around a point (Van Oosterom and Strackee 1983).
fn winding(triangles: &[Triangle], point: &Point) -> f64 {
    let solid_angle = |corners: &Triangle| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let bottom = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.dot(&b.cross(&c)).atan2(bottom)
    };
    triangles.iter().map(solid_angle).sum::<f64>() / (4.0 * PI)
}

/// Whether a point is on the inner side of all four faces, to rounding: there is no gap between two cells.
fn is_in_tetrahedron(point: &Point, corners: &[Point; 4]) -> bool {
    (0..4).all(|left_out| {
        let [a, b, c] = [1, 2, 3].map(|turn| corners[(left_out + turn) % 4]);
        let normal = (b - a).cross(&(c - a));
        let own = (corners[left_out] - a).dot(&normal);
        own != 0.0 && (point - a).dot(&normal) / own >= -1e-12
    })
}

/// The support function of a posed shape from its own centre, in its own frame.
pub(super) fn centered_reach(shape: &Shape, u: &Vector) -> f64 {
    let across = u.x.hypot(u.z);
    match shape {
        Shape::Capsule { radius, length, .. } => 0.5 * length * u.y.abs() + radius * u.norm(),
        Shape::Cylinder { radius, length, .. } => 0.5 * length * u.y.abs() + radius * across,
        Shape::Cone { radius, length, .. } => (0.5 * length * u.y).max(radius * across - 0.5 * length * u.y),
        Shape::OrientedBox { half_extents, .. } => half_extents.dot(&u.abs()),
        Shape::Ellipsoid { radii, .. } => radii.component_mul(u).norm(),
        other => unreachable!("{} has no closed form here", other.kind()),
    }
}

/// The signed distance of a sphere, capsule, box, cylinder or cone; a bound of it for an ellipsoid.
pub(super) fn primitive_signed(shape: &Shape, point: &Point) -> f64 {
    match shape {
        Shape::Sphere { center, radius } => (point - center).norm() - radius,
        Shape::Capsule { radius, .. } => {
            let [start, end] = axis_ends(shape).expect("a capsule has an axis");
            (on_segment(point, &start, &end).1 - point).norm() - radius
        }
        Shape::OrientedBox { pose, half_extents } => {
            let over = pose.inverse_transform_point(point).coords.abs() - half_extents;
            over.map(|x| x.max(0.0)).norm() + over.max().min(0.0)
        }
        Shape::Cylinder { pose, radius, length } => {
            let local = pose.inverse_transform_point(point);
            let over = [local.x.hypot(local.z) - radius, local.y.abs() - 0.5 * length];
            over[0].max(0.0).hypot(over[1].max(0.0)) + over[0].max(over[1]).min(0.0)
        }
        Shape::Cone { pose, radius, length } => {
            let local = pose.inverse_transform_point(point);
            let flat = Point::new(local.x.hypot(local.z), local.y, 0.0);
            let half = 0.5 * length;
            let [middle, rim, apex] =
                [[0.0, -half], [*radius, -half], [0.0, half]].map(|[x, y]| Point::new(x, y, 0.0));
            let to = |start: &Point, end: &Point| (on_segment(&flat, start, end).1 - flat).norm();
            let inside = flat.y >= -half && flat.x * length <= radius * (half - flat.y);
            let distance = to(&middle, &rim).min(to(&rim, &apex));
            if inside { -distance } else { distance }
        }
        Shape::Ellipsoid { pose, radii } => {
            let local = pose.inverse_transform_point(point).coords.component_div(radii);
            (local.norm() - 1.0) * radii.min()
        }
        other => unreachable!("{} is no primitive", other.kind()),
    }
}
