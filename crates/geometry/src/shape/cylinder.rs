//! Solid cylinder with flat caps.

use super::capsule::ends_at;
use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{positive, rigid};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::direction::across;
use palpate_math::{Aabb, Point, Vector};

/// A solid cylinder along local +y, centred on the pose. Features: 0 the cap at -y, 1 the cap at +y, 2 the wall, 3 the
/// rim at -y, 4 the rim at +y. Inside, the closest of wall, +y cap, -y cap is used, ties in this order; on the axis the
/// wall's gradient is toward local +x.
#[derive(Clone, Debug, PartialEq)]
pub struct Cylinder {
    placed: Placed,
    radius: f64,
    length: f64,
}

posed!(Cylinder);

const CAP: [u32; 2] = [0, 1];
const WALL: u32 = 2;
const RIM: [u32; 2] = [3, 4];

impl Cylinder {
    /// Creates a cylinder of `radius` and full length `length`, in metres. Errors: a number that is not finite and
    /// greater than 0.
    pub fn new(pose: Pose, radius: f64, length: f64) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        let radius = positive("the radius", radius)?;
        let length = positive("the length", length)?;
        Ok(Self { placed: Placed::new(pose), radius, length })
    }

    /// Returns the radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the full length in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the centres of the caps at local -y and +y; world frame.
    pub fn ends(&self) -> [Point; 2] {
        ends_at(&self.placed.pose, self.length)
    }

    /// Computes the signed distance in the half-plane: `radial` from the axis, `axial` from the middle. Returns
    /// distance, gradient (radial, axial) and feature.
    fn in_half_plane(&self, radial: f64, axial: f64) -> (f64, [f64; 2], u32) {
        let beyond_wall = radial - self.radius;
        let beyond_cap = axial.abs() - 0.5 * self.length;
        let end = usize::from(axial >= 0.0);
        let outward = if end == 1 { 1.0 } else { -1.0 };
        if beyond_wall > 0.0 && beyond_cap > 0.0 {
            let distance = (beyond_wall * beyond_wall + beyond_cap * beyond_cap).sqrt();
            return (distance, [beyond_wall / distance, outward * beyond_cap / distance], RIM[end]);
        }
        if beyond_cap > beyond_wall {
            (beyond_cap, [0.0, outward], CAP[end])
        } else {
            (beyond_wall, [1.0, 0.0], WALL)
        }
    }
}

impl Cylinder {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        // A disc of normal n extends r * sqrt(1 - n_k²) along axis k (Quilez 2016); 1 - n_k² without cancellation.
        let n = pose.rotation * Vector::y();
        let square = n.component_mul(&n);
        let reach = Vector::new(square.y + square.z, square.x + square.z, square.x + square.y);
        let reach = reach.map(f64::sqrt) * self.radius;
        let [start, end] = ends_at(pose, self.length);
        Aabb::from_points([start - reach, start + reach, end - reach, end + reach])
            .grown(self.radius * (8.0 * f64::EPSILON))
    }
}

impl Geometry for Cylinder {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CYLINDER
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        self.placed.content(&[self.radius, self.length])
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::Cylinder { radius: self.radius, half_length: 0.5 * self.length };
        Some(ConvexShape::new(ConvexCore::Cylinder(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radius == other.radius && own.length == other.length);
}

impl Cylinder {
    /// Returns the signed distance of `point` (world frame, metres); the feature is the number of the cap or wall.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let rotation = &self.placed.pose.rotation;
        let axis = rotation * Vector::y();
        let offset = point - self.center();
        let axial = offset.dot(&axis);
        let sideways = across(&offset, &axis);
        let radial = sideways.norm();
        let side = if radial > 0.0 { sideways / radial } else { rotation * Vector::x() };
        let (distance, [along_side, along_axis], feature) = self.in_half_plane(radial, axial);
        let gradient = side * along_side + axis * along_axis;
        SignedDistance { distance, nearest: point - gradient * distance, gradient, feature }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType = ShapeType::new::<Cylinder>(
    "Cylinder",
    GeometryKind::CYLINDER,
    Turn::Axis,
    &[SizeField::Positive("radius"), SizeField::Positive("length")],
)
.with_function::<Cylinder>("cylinder");

impl SizedShape for Cylinder {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, [radius, length, _]: [f64; 3]) -> Result<Self, GeometryError> {
        Self::new(pose, radius, length)
    }

    fn sizes(&self) -> [f64; 3] {
        [self.radius, self.length, 0.0]
    }
}

impl SupportMap for Cylinder {
    fn support(&self, direction: &Vector) -> Point {
        let [start, end] = self.ends();
        let axis = self.placed.pose.rotation * Vector::y();
        let along = direction.dot(&axis);
        let tip = if along > 0.0 { end } else { start };
        let sideways = across(direction, &axis);
        let length = sideways.norm();
        if length > 0.0 { tip + sideways * (self.radius / length) } else { tip }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upright() -> Cylinder {
        Cylinder::new(Pose::identity(), 1.0, 4.0).unwrap()
    }

    fn query(x: f64, y: f64) -> SignedDistance {
        upright().signed_distance(&Point::new(x, y, 0.0))
    }

    #[test]
    fn outside_the_nearest_is_wall_cap_or_rim() {
        assert_eq!((query(3.0, 1.0).distance, query(3.0, 1.0).feature), (2.0, 2));
        assert_eq!((query(0.5, -3.0).distance, query(0.5, -3.0).feature), (1.0, 0));
        assert_eq!((query(4.0, 6.0).distance, query(4.0, 6.0).feature), (5.0, 4));
        assert_eq!(query(4.0, 6.0).gradient, Vector::new(0.6, 0.8, 0.0));
        assert_eq!(query(-4.0, -6.0).nearest, Point::new(-1.0, -2.0, 0.0));
    }

    #[test]
    fn inside_the_nearest_is_wall_before_cap() {
        assert_eq!((query(0.5, 0.0).distance, query(0.5, 0.0).gradient), (-0.5, Vector::x()));
        assert_eq!((query(0.5, 1.75).distance, query(0.5, 1.75).gradient), (-0.25, Vector::y()));
        assert_eq!(query(0.5, 1.5).feature, 2, "ties go to the wall");
    }

    #[test]
    fn on_the_axis_the_wall_is_met_along_local_x() {
        assert_eq!((query(0.0, 0.0).distance, query(0.0, 0.0).gradient), (-1.0, Vector::x()));
        assert_eq!(query(0.0, -1.75).gradient, -Vector::y());
    }

    #[test]
    fn bounds_of_a_tilted_cylinder_hold_its_support_points() {
        let pose = pose_of([0.4, 0.2, -1.0]);
        let cylinder = Cylinder::new(pose, 0.7, 2.5).unwrap();
        let bounds = cylinder.bounds();
        for axis in [Vector::x(), Vector::y(), Vector::z()] {
            for direction in [axis, -axis] {
                let support = cylinder.support(&direction);
                assert!(bounds.contains_point(&support), "{support} outside {bounds:?}");
            }
        }
    }

    fn pose_of(angles: [f64; 3]) -> Pose {
        let rotation = crate::pose::rotation_from_angles_xyz(angles).unwrap();
        crate::pose::from_rotation(Point::new(0.1, 0.2, 0.3), rotation).unwrap()
    }
}
