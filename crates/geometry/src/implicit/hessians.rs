//! Hessians of the signed distances of primitives.

use crate::{Cylinder, OrientedBox};
use nalgebra::Matrix3;
use palpate_implicit::internal::matrices::turned;
use palpate_math::{Point, Vector, direction};

/// Returns the Hessian of the distance from a box: zero unless an edge or a corner is closest to a place outside.
pub(super) fn of_box(shape: &OrientedBox, place: &Point) -> Matrix3<f64> {
    let local = shape.pose().inverse_transform_point(place).coords;
    let outside =
        local.zip_map(&shape.half_extents(), |along, half| along.signum() * (along.abs() - half).max(0.0));
    let is_outside = outside.map(|along| if along == 0.0 { 0.0 } else { 1.0 });
    if is_outside.sum() < 2.0 {
        return Matrix3::zeros();
    }
    let distance = outside.norm();
    let unit = outside / distance;
    let hessian = (Matrix3::from_diagonal(&is_outside) - unit * unit.transpose()) / distance;
    turned(&hessian, &shape.pose().rotation.to_rotation_matrix())
}

/// Returns the Hessian of the distance from a cylinder, depending on whether the wall, a cap or the rim is closest; zero for a cap.
pub(super) fn of_cylinder(shape: &Cylinder, place: &Point) -> Matrix3<f64> {
    let axis = shape.pose().rotation * Vector::y();
    let offset = place - shape.center();
    let sideways = direction::across(&offset, &axis);
    let from_axis = sideways.norm();
    let outward = sideways / from_axis;
    let around = axis.cross(&outward);
    let of_wall = around * around.transpose() / from_axis;
    let along = offset.dot(&axis);
    let (radial, axial) = (from_axis - shape.radius(), along.abs() - 0.5 * shape.length());
    let is_at_wall = if radial > 0.0 { axial <= 0.0 } else { radial >= axial };
    if is_at_wall {
        of_wall
    } else if radial > 0.0 {
        let distance = radial.hypot(axial);
        let aside = (outward * axial - axis * (along.signum() * radial)) / distance;
        (aside * aside.transpose() + of_wall * radial) / distance
    } else {
        Matrix3::zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::implicit::internal::Structure;
    use crate::implicit::{ImplicitFunction, Intersection, Offset};
    use crate::{Capsule, Ellipsoid, ImplicitBody, Pose, Sphere};
    use std::sync::Arc;

    /// Against differences of the gradients, in all places where these are smooth, posed, scaled and grown.
    #[test]
    fn they_are_the_slopes_of_the_gradients() {
        let pose = Pose::new(Vector::new(0.1, -0.2, 0.3), Vector::new(0.4, 1.2, -0.7));
        let shapes: [Arc<dyn ImplicitFunction>; 6] = [
            Arc::new(Sphere::new(Point::new(0.2, 0.1, 0.0), 0.5).unwrap()),
            Arc::new(Capsule::new(pose, 0.2, 1.2).unwrap()),
            Arc::new(Capsule::new(pose, 0.2, 0.0).unwrap()),
            Arc::new(OrientedBox::new(pose, Vector::new(0.3, 0.5, 0.4)).unwrap()),
            Arc::new(Cylinder::new(pose, 0.4, 0.9).unwrap()),
            Arc::new(Ellipsoid::new(pose, Vector::new(0.3, 0.5, 0.7)).unwrap()),
        ];
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        for shape in shapes {
            let grown: Arc<dyn ImplicitFunction> = Arc::new(Offset::new(shape.clone(), 0.1).unwrap());
            let body = ImplicitBody::new(pose, grown.clone()).unwrap().with_scale(1.5).unwrap();
            let functions: [&dyn ImplicitFunction; 3] = [shape.as_ref(), grown.as_ref(), &body];
            let (mut compared, mut curved) = (0, 0);
            for number in 0..900 {
                let function = functions[number % 3];
                let place = Point::new(random(), random(), random()) * 1.2;
                let step = 1e-6;
                let [before, behind] = [-step, step].map(|step| {
                    let beside = |axis: usize| function.sample(&(place + Vector::ith(axis, step))).gradient;
                    Matrix3::from_columns(&[0, 1, 2].map(beside))
                });
                let here = function.sample(&place).gradient;
                let change = |ends: &Matrix3<f64>| {
                    (0..3).map(|axis| (ends.column(axis) - here).norm()).fold(0.0, f64::max)
                };
                // Across a crease, or close to the focus.
                if change(&before).max(change(&behind)) > 40.0 * step {
                    continue;
                }
                let wanted = (behind - before) / (2.0 * step);
                let found = function.hessian(&place).unwrap();
                assert!((found - wanted).norm() < 1e-5 * (1.0 + wanted.norm_squared()), "{found} {wanted}");
                compared += 1;
                curved += usize::from(wanted.norm() > 1e-3);
            }
            assert!(compared > 850 && curved > 180, "{compared} {curved}");
        }
    }

    #[test]
    fn others_have_none() {
        let ball: Arc<dyn ImplicitFunction> = Arc::new(Sphere::new(Point::origin(), 0.5).unwrap());
        let both = Intersection::new(vec![ball.clone(), ball]).unwrap();
        assert!(both.hessian(&Point::new(1.0, 0.0, 0.0)).is_none());
    }
}
