//! Convex bodies without their radii, by support points, faces and edges.

use super::axis_ends;
use super::solid::core;
use crate::Shape;
use nalgebra::UnitQuaternion;
use palpate_math::{Point, Vector};

/// Height by which a corner may be above a supporting plane, relative to the size of the body.
const ROUNDING: f64 = 1e-12;

/// A convex body without its radius.
pub(super) enum Body {
    /// The hull of points.
    Corners { corners: Vec<Vector>, normals: Vec<Vector>, edges: Vec<Vector> },
    /// The hull of a disc at the first end of an axis and a disc, or for a cone a point, at the other.
    Turned { ends: [Vector; 2], radii: [f64; 2], axis: Vector },
    /// An ellipsoid.
    Ellipsoid { center: Vector, rotation: UnitQuaternion<f64>, radii: Vector },
}

impl Body {
    /// A shape relative to `origin`.
    pub(super) fn new(shape: &Shape, origin: &Vector) -> Self {
        let place = |point: &Point| point.coords - origin;
        match shape {
            Shape::Sphere { .. } | Shape::Capsule { .. } => {
                Self::hull(core(shape).iter().map(place).collect())
            }
            Shape::OrientedBox { pose, half_extents } => {
                let sign = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                let signs = (0..8).map(|k| Vector::new(sign(k, 0), sign(k, 1), sign(k, 2)));
                Self::hull(
                    signs
                        .map(|signs| place(&(pose * Point::from(signs.component_mul(half_extents)))))
                        .collect(),
                )
            }
            Shape::Convex { pose, corners, .. } => {
                Self::hull(corners.iter().map(|corner| place(&(pose * corner))).collect())
            }
            Shape::Ellipsoid { pose, radii } => {
                let center = pose.translation.vector - origin;
                Self::Ellipsoid { center, rotation: pose.rotation, radii: *radii }
            }
            Shape::Cylinder { radius, .. } | Shape::Cone { radius, .. } => {
                let ends = axis_ends(shape).expect("it has an axis").map(|end| place(&end));
                let far = if matches!(shape, Shape::Cone { .. }) { 0.0 } else { *radius };
                let axis = (ends[1] - ends[0]).normalize();
                Self::Turned { ends, radii: [*radius, far], axis }
            }
            other => unreachable!("{} is not convex", other.kind()),
        }
    }

    /// The hull of a few points: every plane through three of them that has all others on one side, and every pair
    /// of points on two such planes.
    pub(super) fn hull(corners: Vec<Vector>) -> Self {
        let size = corners.iter().map(|corner| (corner - corners[0]).norm()).fold(0.0, f64::max);
        let mut planes: Vec<(Vector, Vec<usize>)> = Vec::new();
        let mut normals: Vec<Vector> = Vec::new();
        for (i, p) in corners.iter().enumerate() {
            for (j, q) in corners.iter().enumerate().take(i) {
                for (k, r) in corners.iter().enumerate().take(j) {
                    // Three points of a known plane span no new one.
                    if planes.iter().any(|(_, on)| [i, j, k].iter().all(|corner| on.contains(corner))) {
                        continue;
                    }
                    let normal = (q - p).cross(&(r - p));
                    if normal.norm() <= ROUNDING * size * size {
                        continue;
                    }
                    let normal = normal.normalize();
                    let heights: Vec<f64> = corners.iter().map(|corner| (corner - p).dot(&normal)).collect();
                    let on = |height: &f64| height.abs() <= ROUNDING * size;
                    if heights.iter().all(|height| on(height) || *height < 0.0)
                        || heights.iter().all(|height| on(height) || *height > 0.0)
                    {
                        normals.push(normal);
                        planes.push((normal, (0..corners.len()).filter(|&k| on(&heights[k])).collect()));
                    }
                }
            }
        }
        let pairs = (0..corners.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
        // In a flat or collinear hull there is an edge between any two corners.
        let is_edge = |[i, j]: &[usize; 2]| {
            planes.len() < 2 || planes.iter().filter(|(_, on)| on.contains(i) && on.contains(j)).count() > 1
        };
        let edges = pairs.filter(is_edge).map(|[i, j]| corners[i] - corners[j]).collect();
        Self::Corners { corners, normals, edges }
    }

    /// The support point along a unit direction.
    pub(super) fn farthest(&self, direction: &Vector) -> Vector {
        match self {
            Self::Corners { corners, .. } => farthest_of(corners.iter().copied(), direction),
            Self::Turned { ends, radii, axis } => {
                // Twice: near the axis the first pass leaves rounding errors, which may lie along it.
                let across =
                    |v: &Vector| (v - axis * axis.dot(v)).try_normalize(0.0).unwrap_or_else(Vector::zeros);
                let aside = across(&across(direction));
                farthest_of((0..2).map(|end| ends[end] + aside * radii[end]), direction)
            }
            Self::Ellipsoid { center, rotation, radii } => {
                let scaled = rotation.inverse_transform_vector(direction).component_mul(radii);
                center + rotation * scaled.component_mul(radii) / scaled.norm()
            }
        }
    }

    /// The corners of a polyhedron.
    pub(super) fn corners(&self) -> &[Vector] {
        match self {
            Self::Corners { corners, .. } => corners,
            _ => &[],
        }
    }

    /// Whether all of its faces are flat.
    pub(super) fn is_polyhedron(&self) -> bool {
        matches!(self, Self::Corners { .. })
    }

    /// The unit normals of its flat faces, of either sign.
    pub(super) fn normals(&self) -> &[Vector] {
        match self {
            Self::Corners { normals, .. } => normals,
            Self::Turned { axis, .. } => std::slice::from_ref(axis),
            Self::Ellipsoid { .. } => &[],
        }
    }

    /// The directions of its straight edges, of any length.
    pub(super) fn edges(&self) -> &[Vector] {
        match self {
            Self::Corners { edges, .. } => edges,
            // A cylinder's wall consists of parallel edges; those of a cone have different directions.
            Self::Turned { axis, radii: [near, far], .. } if near == far => std::slice::from_ref(axis),
            Self::Turned { .. } | Self::Ellipsoid { .. } => &[],
        }
    }
}

fn farthest_of(points: impl Iterator<Item = Vector>, direction: &Vector) -> Vector {
    let higher = |x: Vector, y: Vector| if y.dot(direction) > x.dot(direction) { y } else { x };
    points.reduce(higher).expect("a body has points")
}
