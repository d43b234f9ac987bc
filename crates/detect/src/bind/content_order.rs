//! The order of two geometries that a detector takes in either order.

use super::bound::Order;
use palpate_geometry::{Geometry, PointSet};
use std::cmp::Ordering;

/// By kind, then by sizes and coordinates: exchanging two geometries exchanges their order, unless they are equal in these.
pub(crate) fn order_by_content(a: &dyn Geometry, b: &dyn Geometry) -> Order {
    order_of(compared(a, b))
}

/// By content, then by the previous state: for continuous detection. Static detection does not depend on it.
pub(crate) fn order_by_motion(a: &dyn Geometry, b: &dyn Geometry) -> Order {
    let by_previous = || previous(a).partial_cmp(&previous(b)).unwrap_or(Ordering::Equal);
    order_of(compared(a, b).then_with(by_previous))
}

fn compared(a: &dyn Geometry, b: &dyn Geometry) -> Ordering {
    let by_kind =
        (a.kind().rank(), a.kind().name().to_owned()).cmp(&(b.kind().rank(), b.kind().name().to_owned()));
    let by_content = || a.content().partial_cmp(&b.content()).unwrap_or(Ordering::Equal);
    by_kind.then_with(by_content)
}

fn order_of(order: Ordering) -> Order {
    if order == Ordering::Greater { Order::Swapped } else { Order::AsGiven }
}

/// The coordinates of the previous state.
fn previous(geometry: &dyn Geometry) -> Vec<f64> {
    let positions = geometry.as_points().and_then(PointSet::previous).unwrap_or_default();
    let pose = geometry.previous_pose();
    let pose = pose.iter().flat_map(|pose| pose.to_homogeneous().iter().copied().collect::<Vec<f64>>());
    positions.iter().flat_map(|point| [point.x, point.y, point.z]).chain(pose).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use palpate_geometry::{Pose, Sphere};
    use palpate_math::Point;

    fn moved(from: f64, to: f64) -> [Box<dyn Geometry>; 2] {
        let mut points = PointSet::new(vec![Point::new(from, 0.0, 0.0)]).unwrap();
        points.advance();
        points.set_positions(&[Point::new(to, 0.0, 0.0)]).unwrap();
        let mut ball = Sphere::new(Point::new(from, 0.0, 0.0), 1.0).unwrap();
        ball.advance();
        Geometry::set_pose(&mut ball, Pose::translation(to, 0.0, 0.0)).unwrap();
        [Box::new(points), Box::new(ball)]
    }

    #[test]
    fn what_is_equal_now_is_ordered_by_where_it_was_for_continuous_detection_alone() {
        for (low, high) in moved(1.0, 3.0).iter().zip(&moved(2.0, 3.0)) {
            assert_eq!(order_by_motion(&**low, &**high), Order::AsGiven);
            assert_eq!(order_by_motion(&**high, &**low), Order::Swapped);
            assert_eq!(order_by_motion(&**low, &**low), Order::AsGiven);
            assert_eq!(order_by_content(&**high, &**low), Order::AsGiven);
        }
        let [now, other] = [moved(9.0, 1.0), moved(0.0, 2.0)];
        for (low, high) in now.iter().zip(&other) {
            assert_eq!(order_by_motion(&**low, &**high), Order::AsGiven, "the present counts first");
        }
    }
}
