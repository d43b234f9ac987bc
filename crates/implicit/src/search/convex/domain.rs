//! Convex solid over which a function is minimized.

use crate::base::{CylinderDomain, OrientedBounds, Pose};
use crate::function::ImplicitFunction;
use nalgebra::Matrix3;
use palpate_convex::{Core, Hull, NO_ID};
use palpate_math::{Point, Vector, direction, rounding};

/// Bounds the rounding error of the reach of a hull, relative to it.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A convex solid with an exact support map, in the world frame.
#[derive(Clone, Copy)]
pub struct ConvexDomain<'a> {
    shape: Shape<'a>,
    center: Point,
    reach: f64,
}

/// What the solid is.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'a> {
    /// Half of the three edges.
    Box([Vector; 3]),
    Hull {
        turn: Matrix3<f64>,
        shift: Vector,
        hull: &'a Hull,
    },
    Cylinder(CylinderDomain),
    /// From the centre to the corners.
    Triangle([Vector; 3]),
    /// Where a convex function with a support map is not positive.
    Body(&'a dyn ImplicitFunction),
}

impl<'a> ConvexDomain<'a> {
    /// Creates the domain of a box, given half of its edge lengths along the axes of its pose.
    pub fn of_box(pose: &Pose, half_extents: &Vector) -> Self {
        let half = [0, 1, 2].map(|axis| pose.rotation * Vector::ith(axis, half_extents[axis]));
        Self {
            shape: Shape::Box(half),
            center: Point::from(pose.translation.vector),
            reach: half_extents.norm(),
        }
    }

    /// Creates the domain of a box of any orientation.
    pub fn of_bounds(bounds: &OrientedBounds) -> Self {
        Self { shape: Shape::Box(bounds.half), center: bounds.center, reach: bounds.reach() }
    }

    /// Creates the domain of a triangle.
    pub(crate) fn of_triangle(corners: &[Point; 3]) -> Self {
        let [a, b, c] = corners;
        let center = a + ((b - a) + (c - a)) / 3.0;
        let ways = corners.map(|corner| corner - center);
        let reach = ways.iter().map(Vector::norm).fold(0.0, f64::max);
        Self { shape: Shape::Triangle(ways), center, reach }
    }

    /// Creates the domain of a hull at a pose.
    pub fn of_hull(pose: &Pose, hull: &'a Hull) -> Self {
        let turn = pose.rotation.to_rotation_matrix().into_inner();
        let shift = pose.translation.vector;
        let center = Point::from(turn * Core::center(hull) + shift);
        Self { shape: Shape::Hull { turn, shift, hull }, center, reach: hull.reach() * (1.0 + ROUNDING) }
    }

    /// Creates the domain of a cylinder.
    pub fn of_cylinder(domain: CylinderDomain) -> Self {
        let reach = (domain.radius * domain.radius + domain.half_height * domain.half_height).sqrt();
        Self { shape: Shape::Cylinder(domain), center: domain.center, reach }
    }

    /// Creates the domain of a convex body with a support map, such as a ball or an egg, given a box around it. `None` for
    /// others, and where the middle of the box is not inside the body. The function is to be the distance: of an intersection
    /// support points are known for some directions only.
    pub fn of_body(body: &'a dyn ImplicitFunction, bounds: &OrientedBounds) -> Option<Self> {
        let is_mapped =
            body.is_convex() && body.exactness().is_distance() && body.support_point(&Vector::y()).is_some();
        let has_center = is_mapped && body.sample(&bounds.center).value < 0.0;
        has_center.then(|| Self { shape: Shape::Body(body), ..Self::of_bounds(bounds) })
    }

    pub(crate) fn shape(&self) -> &Shape<'a> {
        &self.shape
    }

    /// Returns a point of the solid, well inside.
    pub fn center(&self) -> Point {
        self.center
    }

    /// Returns a bound of the distance of all points from the centre.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Returns the rounding error of a point of the solid: of a hull, also from its own coordinates.
    pub fn rounding(&self) -> f64 {
        let own = if let Shape::Hull { hull, .. } = self.shape { Core::bounding_radius(hull) } else { 0.0 };
        rounding::length((rounding::largest_coordinate([&self.center]) + self.reach).max(own))
    }

    /// Returns a point of the solid that is farthest along a direction of any length.
    pub fn support(&self, direction: &Vector) -> Point {
        match &self.shape {
            Shape::Box(half) => {
                let mut point = self.center;
                for edge in half {
                    point += if edge.dot(direction) < 0.0 { -edge } else { *edge };
                }
                point
            }
            Shape::Triangle(ways) => {
                let heights = ways.map(|way| way.dot(direction));
                let highest = (1..3).fold(0, |best, k| if heights[k] > heights[best] { k } else { best });
                self.center + ways[highest]
            }
            Shape::Hull { turn, shift, hull } => {
                let local = turn.tr_mul(direction);
                Point::from(turn * Core::support(*hull, local, NO_ID).point + shift)
            }
            Shape::Body(body) if *direction != Vector::zeros() => {
                body.support_point(direction).unwrap_or(self.center)
            }
            Shape::Body(_) => self.center,
            Shape::Cylinder(CylinderDomain { center, axis, radius, half_height }) => {
                let along = axis.dot(direction);
                let sideways = direction::unit_or(&direction::across(direction, axis), &Vector::zeros());
                let height = if along < 0.0 { -half_height } else { *half_height };
                center + axis * height + sideways * *radius
            }
        }
    }
}
