//! Solid cone with a flat base.

use super::capsule::ends_at;
use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{positive, rigid};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::direction::across;
use palpate_math::{Aabb, Point, Vector};

/// A solid cone along local +y, centred on the pose: the base of `radius` at -y, the apex at +y. Features: 0 the base,
/// 1 the apex, 2 the wall, 3 the rim. Inside, the closest of wall and base is used, the wall on ties; on the axis the
/// wall's gradient is toward local +x.
#[derive(Clone, Debug, PartialEq)]
pub struct Cone {
    placed: Placed,
    radius: f64,
    length: f64,
}

posed!(Cone);

const BASE: u32 = 0;
const APEX: u32 = 1;
const WALL: u32 = 2;
const RIM: u32 = 3;

/// A point, a direction or a distance in the half-plane of a cone: radial and axial.
type HalfPlane = [f64; 2];

impl Cone {
    /// Creates a cone from the radius of its base and its full length, in metres. Errors: a number that is not finite
    /// and greater than 0.
    pub fn new(pose: Pose, radius: f64, length: f64) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        let radius = positive("the radius", radius)?;
        let length = positive("the length", length)?;
        Ok(Self { placed: Placed::new(pose), radius, length })
    }

    /// Returns the radius of the base in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the full length in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the centre of the base and the apex; world frame.
    pub fn ends(&self) -> [Point; 2] {
        ends_at(&self.placed.pose, self.length)
    }

    /// Returns distance, gradient and feature in the half-plane. The wall runs from the rim (radius, -h) to the apex
    /// (0, h).
    fn in_half_plane(&self, [radial, axial]: HalfPlane) -> (f64, HalfPlane, u32) {
        let half = 0.5 * self.length;
        let slant = (self.radius * self.radius + self.length * self.length).sqrt();
        // Unit vectors: along the wall toward the apex, and outward from it.
        let (along, out) =
            ([-self.radius / slant, self.length / slant], [self.length / slant, self.radius / slant]);
        let from_rim = [radial - self.radius, axial + half];
        let way = from_rim[0] * along[0] + from_rim[1] * along[1];
        let above_wall = from_rim[0] * out[0] + from_rim[1] * out[1];
        let below_base = -half - axial;
        if above_wall <= 0.0 && below_base <= 0.0 {
            return if below_base > above_wall {
                (below_base, [0.0, -1.0], BASE)
            } else {
                (above_wall, out, WALL)
            };
        }
        if below_base > 0.0 && radial <= self.radius {
            return (below_base, [0.0, -1.0], BASE);
        }
        if way <= 0.0 {
            return from_corner(from_rim, out, RIM);
        }
        // Relative to the apex itself, so that the direction away from it is accurate even within rounding error of it.
        let from_apex = [radial, axial - half];
        if from_apex[0] * along[0] + from_apex[1] * along[1] >= 0.0 {
            return from_corner(from_apex, [0.0, 1.0], APEX);
        }
        (above_wall, out, WALL)
    }
}

/// Returns the distance from a corner and the direction away from it: `fallback` on the corner itself.
fn from_corner(offset: HalfPlane, fallback: HalfPlane, feature: u32) -> (f64, HalfPlane, u32) {
    let distance = (offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
    let gradient = if distance > 0.0 { offset.map(|x| x / distance) } else { fallback };
    (distance, gradient, feature)
}

impl Cone {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        let n = pose.rotation * Vector::y();
        let square = n.component_mul(&n);
        let reach = Vector::new(square.y + square.z, square.x + square.z, square.x + square.y);
        let reach = reach.map(f64::sqrt) * self.radius;
        let [base, apex] = ends_at(pose, self.length);
        let rounding = (self.radius + self.length) * (8.0 * f64::EPSILON);
        Aabb::from_points([base - reach, base + reach, apex]).grown(rounding)
    }
}

impl Geometry for Cone {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CONVEX
    }

    fn version(&self) -> Version {
        self.placed.version
    }

    fn advance(&mut self) {
        self.placed.advance();
    }

    fn content(&self) -> Vec<f64> {
        self.placed.content(&[1.0, self.radius, self.length])
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::Cone { radius: self.radius, half_length: 0.5 * self.length };
        Some(ConvexShape::new(ConvexCore::Cone(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radius == other.radius && own.length == other.length);
}

impl Cone {
    /// Returns the signed distance of `point` (world frame, metres); the feature is the number of the base or the side.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let rotation = &self.placed.pose.rotation;
        let axis = rotation * Vector::y();
        let offset = point - self.center();
        let axial = offset.dot(&axis);
        let sideways = across(&offset, &axis);
        let radial = sideways.norm();
        let side = if radial > 0.0 { sideways / radial } else { rotation * Vector::x() };
        let (distance, [along_side, along_axis], feature) = self.in_half_plane([radial, axial]);
        let gradient = side * along_side + axis * along_axis;
        SignedDistance { distance, nearest: point - gradient * distance, gradient, feature }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType = ShapeType::new::<Cone>(
    "Cone",
    GeometryKind::CONVEX,
    Turn::Axis,
    &[SizeField::Positive("radius"), SizeField::Positive("length")],
)
.with_function::<Cone>("cone");

impl SizedShape for Cone {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, [radius, length, _]: [f64; 3]) -> Result<Self, GeometryError> {
        Self::new(pose, radius, length)
    }

    fn sizes(&self) -> [f64; 3] {
        [self.radius, self.length, 0.0]
    }
}

impl SupportMap for Cone {
    fn support(&self, direction: &Vector) -> Point {
        let [base, apex] = self.ends();
        let axis = self.placed.pose.rotation * Vector::y();
        let sideways = across(direction, &axis);
        let length = sideways.norm();
        let rim = if length > 0.0 { base + sideways * (self.radius / length) } else { base };
        if direction.dot(&(apex - rim)) > 0.0 { apex } else { rim }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Base radius 3, length 4: the section of the wall is a 3-4-5 triangle.
    fn query(x: f64, y: f64) -> SignedDistance {
        Cone::new(Pose::identity(), 3.0, 4.0).unwrap().signed_distance(&Point::new(x, y, 0.0))
    }

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-14, "{found} is not {wanted}");
    }

    #[test]
    fn outside_the_nearest_is_base_apex_wall_or_rim() {
        assert_eq!((query(1.0, -5.0).distance, query(1.0, -5.0).feature), (3.0, BASE));
        assert_eq!((query(0.0, 4.5).distance, query(0.0, 4.5).feature), (2.5, APEX));
        // From the middle of the wall, (1.5, 0), five units out along (4, 3) / 5.
        close(query(5.5, 3.0).distance, 5.0);
        close(query(5.5, 3.0).nearest.x, 1.5);
        assert_eq!(query(5.5, 3.0).feature, WALL);
        assert_eq!((query(6.0, -6.0).distance, query(6.0, -6.0).feature), (5.0, RIM));
    }

    #[test]
    fn inside_the_nearer_of_wall_and_base_is_the_way_out() {
        assert_eq!((query(0.5, -1.75).distance, query(0.5, -1.75).feature), (-0.25, BASE));
        close(query(0.0, 0.0).distance, -1.2); // 1.5 · 4/5
        close(query(0.0, 0.0).gradient.x, 0.8);
    }

    #[test]
    fn the_support_point_is_the_apex_or_on_the_rim() {
        let cone = Cone::new(Pose::identity(), 3.0, 4.0).unwrap();
        assert_eq!(cone.support(&Vector::new(0.1, 1.0, 0.0)), Point::new(0.0, 2.0, 0.0));
        assert_eq!(cone.support(&Vector::new(1.0, 0.0, 0.0)), Point::new(3.0, -2.0, 0.0));
        for direction in [Vector::x(), -Vector::x(), Vector::y(), -Vector::y(), Vector::z()] {
            assert!(cone.bounds().contains_point(&cone.support(&direction)));
        }
    }

    /// Points within rounding error of the axis still have a unit gradient, and the whole cone lies below the
    /// supporting plane through their closest point.
    #[test]
    fn on_the_axis_rounding_does_not_bend_the_gradient() {
        for k in 0..500 {
            let turn = Vector::new(0.3, 0.1 * f64::from(k % 10), -0.7) * (0.1 + f64::from(k) * 0.01);
            let pose = Pose::new(Vector::new(0.4, f64::from(k) * 0.03, -0.2), turn);
            let (cone, rod) =
                (Cone::new(pose, 0.3, 0.5).unwrap(), crate::Cylinder::new(pose, 0.3, 0.5).unwrap());
            for up in [-0.25, -0.1, 0.0, 0.2, 0.25, 0.3] {
                let place = pose * Point::new(0.0, up, 0.0);
                let bodies: [(&dyn ImplicitFunction, &dyn SupportMap); 2] = [(&cone, &cone), (&rod, &rod)];
                for (solid, map) in bodies {
                    let found = solid.signed_distance(&place);
                    assert!((found.gradient.norm() - 1.0).abs() < 1e-14, "{found:?} at {up}");
                    let highest = (map.support(&found.gradient) - place).dot(&found.gradient);
                    assert!(highest + found.distance < 1e-12, "{highest} and {found:?} at {up}");
                }
            }
        }
    }
}
