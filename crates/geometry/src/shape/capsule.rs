//! Capsule: a segment with a radius.

use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{finite_point, not_negative, positive, rigid};
use crate::{
    ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version, pose,
};
use palpate_contact::NONE;
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::direction::{across, unit_or_else};
use palpate_math::nearest::{SegmentFeature, point_segment};
use palpate_math::{Aabb, Point, Vector};

/// All points within `radius` of a segment along local +y, centred on the pose. End 0 is at -y, end 1 at +y. On the
/// axis, where all radial directions are equivalent, the gradient is local +x.
#[derive(Clone, Debug, PartialEq)]
pub struct Capsule {
    placed: Placed,
    radius: f64,
    length: f64,
}

posed!(Capsule);

impl Capsule {
    /// Creates a capsule of `radius` around a straight part of full length `length` (0 is a sphere), in metres. Errors:
    /// a non-finite number, a radius not greater than 0, a negative length.
    pub fn new(pose: Pose, radius: f64, length: f64) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        let radius = positive("the radius", radius)?;
        let length = not_negative("the length", length)?;
        Ok(Self { placed: Placed::new(pose), radius, length })
    }

    /// Creates a capsule from the two ends of its axis. Errors as [`Capsule::new`]; equal ends give a capsule of length
    /// 0.
    pub fn from_ends(start: Point, end: Point, radius: f64) -> Result<Self, GeometryError> {
        let start = finite_point("the start", start)?;
        let axis = finite_point("the end", end)? - start;
        // The square of a shorter axis could be 0.
        not_negative("the length", axis.amax().min(crate::LARGEST))?;
        let middle = start + axis * 0.5;
        let rotation = if axis.amax() == 0.0 {
            nalgebra::UnitQuaternion::identity()
        } else {
            pose::rotation_from_axis(axis)?
        };
        Self::new(pose::from_rotation(middle, rotation)?, radius, axis.norm())
    }

    /// Returns the radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the full length of the straight part in metres.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Returns the ends of the axis: end 0 at local -y, end 1 at local +y; world frame.
    pub fn ends(&self) -> [Point; 2] {
        ends_at(&self.placed.pose, self.length)
    }

    /// Returns the unit direction of local +x (perpendicular to the axis), world frame: the gradient on the axis.
    pub fn side_direction(&self) -> Vector {
        self.placed.pose.rotation * Vector::x()
    }
}

/// Returns the ends of an axis of `length` along local y.
pub(crate) fn ends_at(pose: &Pose, length: f64) -> [Point; 2] {
    ends_along(pose, &(pose.rotation * Vector::y()), length)
}

/// The same, given local +y.
fn ends_along(pose: &Pose, axis: &Vector, length: f64) -> [Point; 2] {
    let half = axis * (0.5 * length);
    let center = Point::from(pose.translation.vector);
    [center - half, center + half]
}

impl Capsule {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        Aabb::from_points(ends_at(pose, self.length)).grown(self.radius)
    }
}

impl Geometry for Capsule {
    fn kind(&self) -> GeometryKind {
        GeometryKind::CAPSULE
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
        let core = palpate_convex::Capsule { radius: self.radius, half_length: 0.5 * self.length };
        Some(ConvexShape::new(ConvexCore::Capsule(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radius == other.radius && own.length == other.length);
}

impl Capsule {
    /// Returns the signed distance of `point` (world frame, metres); the feature is the number of the cap, if the
    /// closest point is on one. On the axis the gradient is a fixed direction across it.
    #[inline]
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let axis = self.placed.pose.rotation * Vector::y();
        let [start, end] = ends_along(&self.placed.pose, &axis, self.length);
        let on_axis = point_segment(point, &start, &end);
        let offset = point - on_axis.point;
        let length = offset.norm();
        let along = offset.dot(&axis);
        let is_inward = start != end && on_axis.feature.is_inward(along);
        let outward = if is_inward { across(&offset, &axis) } else { offset };
        let gradient = unit_or_else(&outward, || self.side_direction());
        let feature = match on_axis.feature {
            SegmentFeature::Start => 0,
            SegmentFeature::End => 1,
            SegmentFeature::Interior => NONE,
        };
        let nearest = on_axis.point + gradient * self.radius;
        SignedDistance { distance: length - self.radius, nearest, gradient, feature }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType = ShapeType::new::<Capsule>(
    "Capsule",
    GeometryKind::CAPSULE,
    Turn::Axis,
    &[SizeField::Positive("radius"), SizeField::NotNegative("length")],
)
.with_function::<Capsule>("capsule");

impl SizedShape for Capsule {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, [radius, length, _]: [f64; 3]) -> Result<Self, GeometryError> {
        Self::new(pose, radius, length)
    }

    fn sizes(&self) -> [f64; 3] {
        [self.radius, self.length, 0.0]
    }
}

impl SupportMap for Capsule {
    fn support(&self, direction: &Vector) -> Point {
        let [start, end] = self.ends();
        let tip = if direction.dot(&(end - start)) > 0.0 { end } else { start };
        tip + direction.normalize() * self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upright() -> Capsule {
        Capsule::new(Pose::identity(), 0.5, 2.0).unwrap()
    }

    #[test]
    fn distance_is_to_the_side_or_to_an_end() {
        let side = upright().signed_distance(&Point::new(2.0, 0.5, 0.0));
        assert_eq!((side.distance, side.feature), (1.5, NONE));
        let top = upright().signed_distance(&Point::new(0.0, 4.0, 0.0));
        assert_eq!((top.distance, top.feature, top.gradient), (2.5, 1, Vector::y()));
        let bottom = upright().signed_distance(&Point::new(0.0, -1.25, 0.0));
        assert_eq!((bottom.distance, bottom.feature), (-0.25, 0));
    }

    #[test]
    fn on_the_axis_the_way_out_is_local_x() {
        let on_axis = upright().signed_distance(&Point::new(0.0, 0.25, 0.0));
        assert_eq!((on_axis.distance, on_axis.gradient), (-0.5, Vector::x()));
    }

    /// On the axis of a capsule that is far from the origin and stands aslant the offset from the axis is rounding error.
    #[test]
    fn tangents_on_the_axis_are_nowhere_above_the_distance() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        };
        let mut vector = || Vector::new(random(), random(), random());
        let mut on_axis = 0;
        for case in 0..200 {
            let pose = Pose::new(vector() * 9.0, vector() * 3.0);
            let capsule = Capsule::new(pose, 0.25, [0.0, 2.0, 4.0][case % 3]).unwrap();
            let along = [0.0, 0.5, -0.9, 1.0, -1.0][case % 5] * 0.5 * capsule.length();
            let place = capsule.pose() * Point::new(0.0, along, 0.0);
            let tangent = capsule.signed_distance(&place);
            on_axis += usize::from(tangent.distance + 0.25 < 1e-12);
            assert!((tangent.gradient.norm() - 1.0).abs() < 1e-15);
            for _ in 0..50 {
                let other = pose * Point::from(vector() * 3.0);
                let below = tangent.distance + tangent.gradient.dot(&(other - place));
                let distance = capsule.signed_distance(&other).distance;
                assert!(below <= distance + 1e-13, "{case}: {below} {distance}");
            }
        }
        assert_eq!(on_axis, 200);
    }

    #[test]
    fn ends_make_the_capsule_they_came_from() {
        let (start, end) = (Point::new(1.0, 2.0, 3.0), Point::new(1.0, 2.0, 7.0));
        let capsule = Capsule::from_ends(start, end, 0.1).unwrap();
        assert!((capsule.ends()[0] - start).norm() < 1e-15 && (capsule.ends()[1] - end).norm() < 1e-15);
        assert_eq!(Capsule::from_ends(start, start, 0.1).unwrap().length(), 0.0);
    }

    #[test]
    fn sizes_are_checked() {
        assert!(Capsule::new(Pose::identity(), -1.0, 2.0).unwrap_err().to_string().contains("radius is -1"));
        assert!(Capsule::new(Pose::identity(), 1.0, -2.0).unwrap_err().to_string().contains("length is -2"));
    }
}
