//! Torus.

use crate::base::validate::{positive, rigid};
use crate::base::{Cell, CellValues, Circle, Exactness, GeometryError, OrientedBounds, Pose, Sample};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector, direction};

/// A solid torus about local +y: all points within `minor` of the circle of radius `major`. Its function is the signed
/// distance. On the axis the closest point is toward local +x; on the circle the gradient points away from the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Torus {
    pose: Pose,
    major: f64,
    minor: f64,
}

/// A point relative to the circle: radial and axial coordinates, and the unit direction away from the axis.
struct Around {
    radial: f64,
    axial: f64,
    outward: Vector,
}

impl Torus {
    /// Creates a torus at `pose`, in metres. Errors: a number that is not finite and greater than 0; a minor radius
    /// greater than the major.
    pub fn new(pose: Pose, major: f64, minor: f64) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        let major = positive("the major radius", major)?;
        let minor = positive("the minor radius", minor)?;
        if minor > major {
            let what = "the minor radius of a torus".to_owned();
            return Err(GeometryError::TooLarge { what, value: minor, most: major });
        }
        Ok(Self { pose, major, minor })
    }

    /// Returns the pose: local to the frame of the function, metres.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the radius of the circle in metres.
    pub fn major(&self) -> f64 {
        self.major
    }

    /// Returns the radius of the tube in metres.
    pub fn minor(&self) -> f64 {
        self.minor
    }

    fn around(&self, point: &Point) -> Around {
        let axis = self.pose.rotation * Vector::y();
        let offset = point.coords - self.pose.translation.vector;
        let axial = offset.dot(&axis);
        let sideways = direction::across(&offset, &axis);
        Around { radial: sideways.norm(), axial, outward: self.outward(&sideways) }
    }

    /// Returns the unit direction of a vector perpendicular to the axis; local +x for a null vector.
    fn outward(&self, sideways: &Vector) -> Vector {
        let length = sideways.norm();
        if length > 0.0 { sideways / length } else { self.pose.rotation * Vector::x() }
    }
}

impl ImplicitFunction for Torus {
    fn sample(&self, point: &Point) -> Sample {
        let Around { radial, axial, outward } = self.around(point);
        let aside = radial - self.major;
        let distance = (aside * aside + axial * axial).sqrt();
        let axis = self.pose.rotation * Vector::y();
        let gradient = if distance > 0.0 { (outward * aside + axis * axial) / distance } else { outward };
        Sample { value: distance - self.minor, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        let n = self.pose.rotation * Vector::y();
        let square = n.component_mul(&n);
        let reach = Vector::new(square.y + square.z, square.x + square.z, square.x + square.y);
        let reach = reach.map(f64::sqrt) * self.major;
        let center = Point::from(self.pose.translation.vector);
        let rounding = (self.major + center.coords.amax()) * (8.0 * f64::EPSILON);
        Aabb { min: center - reach, max: center + reach }.grown(self.minor + level + rounding)
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness::DISTANCE
    }

    /// The distance is convex in the radial and the axial coordinate, and so above its tangent in these. The axial one
    /// is linear; the radial one is above its own tangent, and below the line through its values at the corners.
    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let Around { radial, axial, outward } = self.around(&cell.center);
        let axis = self.pose.rotation * Vector::y();
        let aside = radial - self.major;
        let distance = (aside * aside + axial * axial).sqrt();
        if distance == 0.0 {
            return cell.constant(-self.minor);
        }
        let (along_radius, along_axis) = (aside / distance, axial / distance);
        cell.at_corners(|corner| {
            let way = corner - cell.center;
            let further = if aside > 0.0 { outward.dot(&way) } else { self.around(corner).radial - radial };
            distance - self.minor + along_radius * further + along_axis * axis.dot(&way)
        })
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }

    fn content(&self) -> Vec<f64> {
        let mut content = vec![self.major, self.minor];
        content.extend(self.pose.translation.vector.iter());
        content.extend(self.pose.rotation.coords.iter());
        content
    }
}

impl Structure for Torus {
    fn is_connected(&self) -> bool {
        true
    }

    /// Beyond the circle the distance is that of a convex function which is nowhere above it: the distance from the disc.
    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        if self.around(point).radial >= self.major {
            let sample = self.sample(point);
            visit(sample.value, sample.gradient);
        }
    }

    /// Also uses the sides of the square around the tube's section: tighter over a cell wider than the tube.
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        visit(self.bound_below(cell));
        let Around { radial, axial, outward } = self.around(&cell.center);
        let axis = self.pose.rotation * Vector::y();
        let height = |corner: &Point| axial + axis.dot(&(corner - cell.center));
        visit(cell.at_corners(|corner| height(corner) - self.minor));
        visit(cell.at_corners(|corner| -height(corner) - self.minor));
        let at_least = |corner: &Point| radial + outward.dot(&(corner - cell.center));
        visit(cell.at_corners(|corner| at_least(corner) - self.major - self.minor));
        visit(cell.at_corners(|corner| self.major - self.around(corner).radial - self.minor));
    }

    /// The distance from the circle is at most that from any one point of it.
    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        let Around { outward, .. } = self.around(&cell.center);
        let on_circle = Point::from(self.pose.translation.vector + outward * self.major);
        cell.at_corners(|corner| (corner - on_circle).norm() - self.minor)
    }

    fn floor(&self) -> f64 {
        -self.minor
    }

    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        let center = Point::from(self.pose.translation.vector);
        let axis = self.pose.rotation * Vector::y();
        Some((Circle { center, axis, radius: self.major }, self.minor))
    }

    /// Along the circle the distance falls off to both sides of a point nearer to the axis, at most by the inverse of the
    /// radial coordinate.
    fn concavity(&self, point: &Point, reach: f64) -> f64 {
        let radial = self.around(point).radial - reach;
        if radial > 0.0 { 1.0 / radial } else { f64::INFINITY }
    }

    /// Along the axis all points of the circle are equally far: uses the one along local +x.
    fn support_point(&self, direction: &Vector) -> Option<Point> {
        let along = direction::unit_or(direction, &Vector::y());
        let center = Point::from(self.pose.translation.vector);
        let axis = self.pose.rotation * Vector::y();
        let outward = self.outward(&direction::across(&along, &axis));
        Some(center + outward * self.major + along * self.minor)
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        let wide = self.major + self.minor;
        Some(OrientedBounds::new(&self.pose, Vector::new(wide, self.minor, wide)))
    }

    fn as_any(&self) -> Option<&dyn std::any::Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring() -> Torus {
        Torus::new(Pose::identity(), 3.0, 1.0).unwrap()
    }

    #[test]
    fn the_distance_is_that_to_the_circle() {
        let above = ring().sample(&Point::new(3.0, 2.0, 0.0));
        assert_eq!((above.value, above.gradient), (1.0, Vector::y()));
        let center = ring().sample(&Point::origin());
        assert_eq!((center.value, center.gradient), (2.0, -Vector::x()));
        let circle = ring().sample(&Point::new(0.0, 0.0, 3.0));
        assert_eq!((circle.value, circle.gradient), (-1.0, Vector::z()));
        assert!(ring().sublevel_bounds(0.0).contains_point(&Point::new(4.0, 1.0, 0.0)));
        assert!(ring().sublevel_bounds(0.0).max.y < 1.001);
    }

    #[test]
    fn a_ring_without_a_hole_is_refused() {
        let error = Torus::new(Pose::identity(), 1.0, 2.0).unwrap_err().to_string();
        assert_eq!(error, "the minor radius of a torus is 2: wanted 1 or less");
    }

    /// Cells through the hole, perpendicular to the axis and along it, sampled.
    #[test]
    fn the_bounds_hold_over_cells() {
        let lists = [
            [[-1.0, 0.5, 0.2], [1.5, -0.5, 0.1], [0.0, 1.0, 1.0]],
            [[0.0, -2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
            [[2.0, 0.1, 0.0], [4.5, 0.3, 1.0], [3.0, -0.5, -1.0]],
        ];
        for corners in lists {
            let corners = corners.map(Point::from);
            let cell = Cell::new(&corners);
            let (below, above) = (ring().bound_below(&cell), ring().bound_above(&cell));
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let w = [f64::from(i) / 20.0, f64::from(j) / 20.0, f64::from(20 - i - j) / 20.0];
                    let at = |list: &CellValues| w[0] * list[0] + w[1] * list[1] + w[2] * list[2];
                    let place =
                        corners[0].coords * w[0] + corners[1].coords * w[1] + corners[2].coords * w[2];
                    let value = ring().sample(&Point::from(place)).value;
                    ring().bounds_below(&cell, &mut |bound| {
                        assert!(at(&bound) <= value + 1e-14);
                        false
                    });
                    assert!(at(&below) <= value + 1e-14 && value <= at(&above) + 1e-14);
                }
            }
        }
    }

    #[test]
    fn the_tangents_are_nowhere_above_the_distance() {
        let ring =
            Torus::new(Pose::new(Vector::new(0.1, 0.2, 0.3), Vector::new(0.4, 0.5, 0.6)), 1.0, 0.3).unwrap();
        let mut state = 19_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let (mut outer, mut inner) = (0, 0);
        for _ in 0..300 {
            let mut point = || Point::new(random(), random(), random()) * 2.0;
            let (place, others) = (point(), [0; 40].map(|_| point()));
            let mut tangents = Vec::new();
            ring.tangents(&place, &mut |value, gradient| tangents.push((value, gradient)));
            outer += tangents.len();
            inner += usize::from(tangents.is_empty());
            for (value, gradient) in tangents {
                assert!((value - ring.sample(&place).value).abs() < 1e-12);
                for other in &others {
                    let below = value + gradient.dot(&(other - place));
                    assert!(below <= ring.sample(other).value + 1e-12, "{place} {other}");
                }
            }
        }
        assert!(outer > 150 && inner > 20, "{outer} {inner}");
    }
}
