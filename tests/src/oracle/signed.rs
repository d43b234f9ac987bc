//! The signed distance of a point from a solid.

use super::implicit::Placed;
use super::points::distance_function;
use super::surface::Surface;
use super::volume::Volume;
use crate::{Case, Shape};
use palpate_math::Point;

/// The signed distance (metres, negative inside) of `point` from one side of a case: of an implicit body the value of its
/// function, of a two-sided plane never negative. `None` for a shape without an interior.
pub fn signed_distance(case: &Case, shape: &Shape, point: &Point) -> Option<f64> {
    let signed = |distance: f64, inside: bool| if inside { -distance } else { distance };
    Some(match shape {
        Shape::PointSet { .. } | Shape::LineMesh { .. } => return None,
        Shape::Plane { position, normal, two_sided } => {
            let height = normal.normalize().dot(&(point - position));
            if *two_sided { height.abs() } else { height }
        }
        Shape::Implicit { .. } => Placed::of(shape, case).value(point).0,
        Shape::SurfaceMesh { radius, .. } => {
            let surface = Surface::of(shape);
            if !surface.closed {
                return None;
            }
            signed(surface.nearest(point).0.distance, surface.holds(point)) - radius
        }
        Shape::TetraMesh { .. } => {
            let volume = Volume::of(shape);
            signed(volume.boundary.nearest(point).0.distance, volume.holds(point))
        }
        _ => distance_function(shape, case)(point).0,
    })
}
