//! Primitives as implicit functions: their signed distances.

use super::{Cell, CellValues, Description, Exactness, ImplicitFunction, Sample};
use crate::{
    Capsule, Cone, Convex, Cylinder, Ellipsoid, Geometry, OrientedBox, Plane, Pose, SignedDistance, Sphere,
};
use palpate_convex::SupportMap;
use palpate_implicit::internal::{CylinderDomain, OrientedBounds, Structure, mixed_with};
use palpate_math::nearest::point_segment;
use palpate_math::{Aabb, Point, Vector, direction};

/// As an implicit function, a primitive is posed in the function's frame.
macro_rules! convex_function {
    ($($shape:ident: $pieces:expr, $floor:expr, $lowest:expr, $support:expr, $frame:expr $(, segment $segment:expr)? $(, cylinder $cylinder:expr)? $(, mirrored $mirrored:expr)?;)*) => {$(
        impl $shape {
            /// Visits linear lower bounds over a cell.
            fn linear_bounds(&self, cell: &Cell<'_>, mut visit: impl FnMut(CellValues)) {
                let sample = self.sample(&cell.center);
                visit(cell.linear(sample.value, &sample.gradient));
                self.pieces(&cell.center, &mut |height, outward| {
                    // A face far below over the whole cell does not improve the bound.
                    if height >= sample.value - 2.0 * cell.radius {
                        visit(cell.linear(height, &outward));
                    }
                });
                $(let mirrored: fn(&Self, &Cell<'_>, &Sample) -> Option<CellValues> = $mirrored;
                if let Some(bound) = mirrored(self, cell, &sample) {
                    visit(bound);
                })?
                // Around the middle of the body.
                let floor = Structure::floor(self);
                if floor > sample.value - cell.radius {
                    visit(cell.constant(floor));
                }
            }
        }

        impl ImplicitFunction for $shape {
            fn signed_distance(&self, point: &Point) -> SignedDistance {
                Self::signed_distance(self, point)
            }

            fn sample(&self, point: &Point) -> Sample {
                Self::signed_distance(self, point).into()
            }


            fn sublevel_bounds(&self, level: f64) -> Aabb {
                Geometry::bounds(self).grown(level)
            }

            fn lipschitz(&self) -> Option<f64> {
                Some(1.0)
            }

            fn exactness(&self) -> Exactness {
                Exactness::DISTANCE
            }

            fn is_convex(&self) -> bool {
                true
            }

            fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
                let mut best: Option<CellValues> = None;
                self.linear_bounds(cell, |bound| {
                    best = Some(mixed_with(best, bound, cell.corners.len()));
                });
                best.unwrap_or(cell.constant(f64::NEG_INFINITY))
            }

            fn describe(&self) -> Option<Description<'_>> {
                Some(Description::Own(self))
            }

            fn content(&self) -> Vec<f64> {
                Geometry::content(self)
            }
        }

        impl Structure for $shape {
            fn value(&self, point: &Point) -> f64 {
                match self.rounded_segment() {
                    Some(([start, end], radius)) => {
                        (point - point_segment(point, &start, &end).point).norm() - radius
                    }
                    None => Self::signed_distance(self, point).distance,
                }
            }


            fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
                self.linear_bounds(cell, |bound| {
                    visit(bound);
                });
            }

            fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
                let pieces: fn(&Self, &Point, &mut dyn FnMut(f64, Vector)) = $pieces;
                pieces(self, point, visit);
            }


            fn floor(&self) -> f64 {
                let floor: fn(&Self) -> f64 = $floor;
                floor(self)
            }

            fn lowest_near(&self, point: &Point) -> Option<Point> {
                let lowest: fn(&Self, &Point) -> Option<Point> = $lowest;
                lowest(self, point)
            }

            $(fn cylinder(&self) -> Option<CylinderDomain> {
                let cylinder: fn(&Self) -> CylinderDomain = $cylinder;
                Some(cylinder(self))
            })?

            $(fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
                let segment: fn(&Self) -> ([Point; 2], f64) = $segment;
                Some(segment(self))
            })?

            fn support_point(&self, direction: &Vector) -> Option<Point> {
                let support: fn(&Self, &Vector) -> Option<Point> = $support;
                support(self, direction)
            }

            fn oriented_bounds(&self) -> Option<OrientedBounds> {
                let frame: fn(&Self) -> Option<OrientedBounds> = $frame;
                frame(self)
            }

            fn as_any(&self) -> Option<&dyn std::any::Any> {
                Some(self)
            }
        }
    )*};
}

/// Visits no pieces besides the tangent.
fn smooth<T>(_: &T, _: &Point, _: &mut dyn FnMut(f64, Vector)) {}

/// Visits the heights of a point over the faces of a box, each with its direction: lower bounds of the signed distance.
/// Inside, where two are equal, a search needs both.
fn faces_of_box(shape: &OrientedBox, place: &Point, visit: &mut dyn FnMut(f64, Vector)) {
    let offset = place - shape.center();
    let axes = shape.pose().rotation.to_rotation_matrix();
    for axis in 0..3 {
        let outward = axes.matrix().column(axis).into_owned();
        let (height, half) = (offset.dot(&outward), shape.half_extents()[axis]);
        visit(height - half, outward);
        visit(-height - half, -outward);
    }
}

/// Likewise visits the distance from a cylinder's wall, which is level on the axis, and the heights over its caps.
fn wall_and_caps(shape: &Cylinder, place: &Point, visit: &mut dyn FnMut(f64, Vector)) {
    let axis = shape.pose().rotation * Vector::y();
    let offset = place - shape.center();
    let (axial, half) = (offset.dot(&axis), 0.5 * shape.length());
    let sideways = direction::across(&offset, &axis);
    let radial = sideways.norm();
    let outward = if radial > 0.0 { sideways / radial } else { Vector::zeros() };
    visit(radial - shape.radius(), outward);
    visit(axial - half, axis);
    visit(-axial - half, -axis);
}

/// Returns the tangent of an ellipsoid's distance at the mirror image of a cell's centre beyond the middle plane of the shortest
/// axis, given the sample at the centre: there the distance has a crease. `None` if the cell is off that plane.
fn tangent_beyond_the_middle(shape: &Ellipsoid, cell: &Cell<'_>, sample: &Sample) -> Option<CellValues> {
    let axis = shape.pose().rotation * Vector::ith(shape.radii().imin(), 1.0);
    let (height, steepness) = ((cell.center - shape.center()).dot(&axis), sample.gradient.dot(&axis));
    let gradient = sample.gradient - axis * (2.0 * steepness);
    (height.abs() <= cell.radius).then(|| cell.linear(sample.value - 2.0 * height * steepness, &gradient))
}

/// Returns the point of a rounded segment's core that is closest to a place.
fn on_segment(shape: &impl Structure, place: &Point) -> Option<Point> {
    shape.rounded_segment().map(|([start, end], _)| point_segment(place, &start, &end).point)
}

/// Returns the point closest to a place among those of a box that are farthest inside: a point, a segment or a rectangle.
fn middle_of_box(shape: &OrientedBox, place: &Point) -> Option<Point> {
    let half = shape.half_extents();
    let room = half.map(|length| length - half.min());
    let local = shape.pose().inverse_transform_point(place);
    Some(shape.pose() * Point::from(local.coords.zip_map(&room, |along, room| along.clamp(-room, room))))
}

/// Likewise of a cylinder: a point, a segment of the axis or a disc.
fn middle_of_cylinder(shape: &Cylinder, place: &Point) -> Option<Point> {
    let (radius, half) = (shape.radius(), 0.5 * shape.length());
    let depth = radius.min(half);
    let Point { coords: local } = shape.pose().inverse_transform_point(place);
    let sideways = Vector::new(local.x, 0.0, local.z).cap_magnitude(radius - depth);
    let along = local.y.clamp(depth - half, half - depth);
    Some(shape.pose() * Point::from(sideways + Vector::y() * along))
}

/// Calls the shape's own support map.
fn mapped<T: SupportMap>(shape: &T, direction: &Vector) -> Option<Point> {
    Some(SupportMap::support(shape, direction))
}

/// Creates the bounds about local y from a radius and half the height.
fn upright(pose: &Pose, radius: f64, half: f64) -> Option<OrientedBounds> {
    Some(OrientedBounds::new(pose, Vector::new(radius, half, radius)))
}

convex_function! {
    Sphere: smooth, |s| -s.radius(), on_segment, mapped, |s| upright(s.pose(), s.radius(), s.radius()),
        segment |s| ([s.center(); 2], s.radius());
    OrientedBox: faces_of_box, |s| -s.half_extents().min(), middle_of_box, mapped, |s| Some(OrientedBounds::new(s.pose(), s.half_extents()));
    Capsule: smooth, |s| -s.radius(), on_segment, mapped, |s| upright(s.pose(), s.radius(), 0.5 * s.length() + s.radius()),
        segment |s| (s.ends(), s.radius());
    Cylinder: wall_and_caps, |s| -s.radius().min(0.5 * s.length()), middle_of_cylinder, mapped, |s| upright(s.pose(), s.radius(), 0.5 * s.length()),
        cylinder |s| CylinderDomain::at(s.pose(), s.radius(), 0.5 * s.length());
    Ellipsoid: smooth, |s| -s.radii().min(), |s, _| Some(s.center()), mapped, |s| Some(OrientedBounds::new(s.pose(), s.radii())),
        mirrored tangent_beyond_the_middle;
    Cone: smooth, |_| f64::NEG_INFINITY, |_, _| None, mapped, |s| upright(s.pose(), s.radius(), 0.5 * s.length());
    Convex: smooth, |_| f64::NEG_INFINITY, |_, _| None, mapped, |_| None;
    Plane: smooth, |_| f64::NEG_INFINITY, |_, _| None, |_, _| None, |_| None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_implicit::internal::Solid;
    use palpate_math::Vector;

    #[test]
    fn a_primitive_is_its_signed_distance() {
        let cylinder = Cylinder::new(Pose::translation(0.0, 1.0, 0.0), 0.5, 2.0).unwrap();
        let sample = cylinder.sample(&Point::new(2.0, 1.0, 0.0));
        assert_eq!((sample.value, sample.gradient, sample.feature), (1.5, Vector::x(), 2));
        assert!(cylinder.sublevel_bounds(1.0).contains_point(&Point::new(1.5, 3.0, 0.0)));
        let solid = Solid::new(&cylinder, Geometry::bounds(&cylinder));
        assert_eq!(solid.sample(&Point::new(0.0, 3.0, 0.0)).value, 1.0);
    }
}
