//! A function with a pose and a scale: a body's own, or one of its parts.

use crate::base::{
    Cell, CellValues, Circle, EdgeSplit, Exactness, MOST_CORNERS, OrientedBounds, Pose, Sample,
};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector};

/// A function with its frame at a pose, and all its lengths multiplied by a scale.
pub struct Posed<'a> {
    /// Where the frame is.
    pub pose: &'a Pose,
    /// How many times the lengths.
    pub scale: f64,
    /// The function, in its own frame.
    pub function: &'a dyn ImplicitFunction,
}

/// Points that are moved to the function's frame at once.
const TOGETHER: usize = 32;

impl Posed<'_> {
    fn to_local(&self, point: &Point) -> Point {
        self.pose.inverse_transform_point(point) / self.scale
    }

    /// Returns a point of the function's frame in that of the pose.
    pub fn to_world(&self, point: &Point) -> Point {
        self.pose * (point * self.scale)
    }

    fn bounds_to_world(&self, bounds: &OrientedBounds) -> OrientedBounds {
        let turned = |half: Vector| self.pose.rotation * half * self.scale;
        OrientedBounds { center: self.to_world(&bounds.center), half: bounds.half.map(turned) }
    }

    /// Returns a box around a box in the function's frame.
    pub fn box_to_world(&self, local: &Aabb) -> Aabb {
        if local.is_empty() {
            return Aabb::EMPTY;
        }
        if !is_bounded(local) {
            return Aabb::ALL;
        }
        let bounds = Aabb::from_points(local.corners().map(|corner| self.to_world(&corner)));
        bounds.grown(bounds.largest_coordinate() * (16.0 * f64::EPSILON))
    }

    /// Calls `with` with the cell in the function's frame.
    fn local<T>(&self, cell: &Cell<'_>, with: impl FnOnce(&Cell<'_>) -> T) -> T {
        let mut corners = [Point::origin(); MOST_CORNERS];
        for (local, corner) in corners.iter_mut().zip(cell.corners) {
            *local = self.to_local(corner);
        }
        with(&Cell::new(&corners[..cell.corners.len()]))
    }
}

/// Whether a box is bounded.
pub fn is_bounded(bounds: &Aabb) -> bool {
    bounds.size().iter().all(|size| size.is_finite())
}

impl ImplicitFunction for Posed<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let Sample { value, gradient, feature } = self.function.sample(&self.to_local(point));
        Sample { value: value * self.scale, gradient: self.pose.rotation * gradient, feature }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.box_to_world(&self.function.sublevel_bounds(level / self.scale))
    }

    fn lipschitz(&self) -> Option<f64> {
        self.function.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.function.resolution() * self.scale
    }

    fn exactness(&self) -> Exactness {
        self.function.exactness()
    }

    fn is_convex(&self) -> bool {
        self.function.is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.local(cell, |cell| self.function.bound_below(cell)).map(|value| value * self.scale)
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Posed { of: self.function, pose: self.pose, scale: self.scale })
    }
}

impl Structure for Posed<'_> {
    fn value(&self, point: &Point) -> f64 {
        self.function.value(&self.to_local(point)) * self.scale
    }

    fn values(&self, points: &[Point], values: &mut [f64]) {
        for (points, values) in points.chunks(TOGETHER).zip(values.chunks_mut(TOGETHER)) {
            let mut local = [Point::origin(); TOGETHER];
            for (local, point) in local.iter_mut().zip(points) {
                *local = self.to_local(point);
            }
            self.function.values(&local[..points.len()], values);
            values.iter_mut().for_each(|value| *value *= self.scale);
        }
    }

    fn is_connected(&self) -> bool {
        self.function.is_connected()
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        let mut scaled = |bound: CellValues| visit(bound.map(|value| value * self.scale));
        self.local(cell, |cell| self.function.bounds_below(cell, &mut scaled));
    }

    fn bound_about(&self, cell: &Cell<'_>, place: &Point) -> Option<CellValues> {
        let bound = self.local(cell, |cell| self.function.bound_about(cell, &self.to_local(place)))?;
        Some(bound.map(|value| value * self.scale))
    }

    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        self.local(cell, |cell| self.function.bound_above(cell)).map(|value| value * self.scale)
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.local(cell, |cell| self.function.edge_split(cell))
    }

    fn floor(&self) -> f64 {
        self.function.floor() * self.scale
    }

    fn lowest_near(&self, point: &Point) -> Option<Point> {
        self.function.lowest_near(&self.to_local(point)).map(|lowest| self.to_world(&lowest))
    }

    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        let (ends, radius) = self.function.rounded_segment()?;
        Some((ends.map(|end| self.to_world(&end)), radius * self.scale))
    }

    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        let (Circle { center, axis, radius }, rounding) = self.function.rounded_circle()?;
        let axis = self.pose.rotation * axis;
        let circle = Circle { center: self.to_world(&center), axis, radius: radius * self.scale };
        Some((circle, rounding * self.scale))
    }

    fn rounding(&self) -> f64 {
        self.function.rounding() * self.scale
    }

    fn concavity(&self, point: &Point, reach: f64) -> f64 {
        self.function.concavity(&self.to_local(point), reach / self.scale) / self.scale
    }

    fn support_point(&self, direction: &Vector) -> Option<Point> {
        let local = self.pose.rotation.inverse_transform_vector(direction);
        self.function.support_point(&local).map(|point| self.to_world(&point))
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        let OrientedBounds { center, half } = match self.function.oriented_bounds() {
            Some(frame) => frame,
            None => {
                let bounds = self.function.sublevel_bounds(0.0);
                (!bounds.is_empty() && is_bounded(&bounds)).then(|| OrientedBounds::from(bounds))?
            }
        };
        Some(self.bounds_to_world(&OrientedBounds { center, half }))
    }

    fn over_parts(&self, visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        self.function.over_parts(&mut |part| {
            visit(&Posed { pose: self.pose, scale: self.scale, function: part });
        })
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        let mut posed =
            |value: f64, gradient: Vector| visit(value * self.scale, self.pose.rotation * gradient);
        self.function.tangents(&self.to_local(point), &mut posed);
    }

    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        let gradient = self.pose.rotation.inverse_transform_vector(&sample.gradient);
        let local = Sample { value: sample.value / self.scale, gradient, ..*sample };
        (self.function.tangent_height(&self.to_local(point), &local) * self.scale).min(sample.value)
    }

    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        let mut posed =
            |value: f64, gradient: Vector| visit(value * self.scale, self.pose.rotation * gradient);
        self.function.pieces(&self.to_local(point), &mut posed);
    }

    fn convex_part(&self, visit: &mut dyn FnMut(&dyn ImplicitFunction)) {
        self.function.convex_part(&mut |part| {
            visit(&Posed { pose: self.pose, scale: self.scale, function: part });
        });
    }

    fn least_on_segment(&self, ends: &[Point; 2]) -> Option<f64> {
        self.function.least_on_segment(&ends.map(|end| self.to_local(&end)))
    }
}
