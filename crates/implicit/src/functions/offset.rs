//! Body grown or shrunk by a distance.

use crate::base::validate::length;
use crate::base::{Cell, CellValues, Circle, EdgeSplit, Exactness, GeometryError, OrientedBounds, Sample};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector, direction};
use std::sync::Arc;

type Part = Arc<dyn ImplicitFunction>;

/// A body dilated by a distance (rounding its outer corners), or eroded by a negative one.
#[derive(Clone)]
pub struct Offset {
    part: Part,
    distance: f64,
}

impl Offset {
    /// Creates `part` dilated by `distance` metres. Errors: a non-finite number.
    pub fn new(part: Part, distance: f64) -> Result<Self, GeometryError> {
        Ok(Self { part, distance: length("the distance of an offset", distance)? })
    }
}

impl ImplicitFunction for Offset {
    fn sample(&self, point: &Point) -> Sample {
        let sample = self.part.sample(point);
        Sample { value: sample.value - self.distance, ..sample }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.part.sublevel_bounds((level + self.distance).max(0.0))
    }

    fn lipschitz(&self) -> Option<f64> {
        self.part.lipschitz()
    }

    fn resolution(&self) -> f64 {
        self.part.resolution()
    }

    fn exactness(&self) -> Exactness {
        let of_part = self.part.exactness();
        if self.distance > 0.0 {
            Exactness { inside: of_part.is_distance() && self.part.is_convex(), ..of_part }
        } else if self.distance < 0.0 {
            Exactness { outside: false, ..of_part }
        } else {
            of_part
        }
    }

    fn is_convex(&self) -> bool {
        self.part.is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        self.part.bound_below(cell).map(|value| value - self.distance)
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Offset { own: self, of: &self.part, distance: self.distance })
    }

    fn content(&self) -> Vec<f64> {
        let mut content = vec![3.0, self.distance];
        content.extend(self.part.content());
        content
    }
}

impl Structure for Offset {
    /// Dilation by a true outside distance preserves connectedness.
    fn is_connected(&self) -> bool {
        let grown = self.distance >= 0.0 && self.part.exactness().outside;
        self.is_convex() || grown && self.part.is_connected()
    }

    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        self.part.bounds_below(cell, &mut |bound| visit(bound.map(|value| value - self.distance)));
    }

    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        self.part.bound_above(cell).map(|value| value - self.distance)
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.part.tangents(point, &mut |value, gradient| visit(value - self.distance, gradient));
    }

    fn bound_about(&self, cell: &Cell<'_>, place: &Point) -> Option<CellValues> {
        Some(self.part.bound_about(cell, place)?.map(|value| value - self.distance))
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.part.edge_split(cell)
    }

    fn rounded_segment(&self) -> Option<([Point; 2], f64)> {
        self.part.rounded_segment().map(|(ends, radius)| (ends, radius + self.distance))
    }

    fn rounded_circle(&self) -> Option<(Circle, f64)> {
        self.part.rounded_circle().map(|(circle, radius)| (circle, radius + self.distance))
    }

    fn rounding(&self) -> f64 {
        let grown = self.distance >= 0.0 && self.part.exactness().outside && self.part.is_connected();
        if grown { self.part.rounding() + self.distance } else { 0.0 }
    }

    fn concavity(&self, point: &Point, reach: f64) -> f64 {
        self.part.concavity(point, reach)
    }

    fn floor(&self) -> f64 {
        self.part.floor() - self.distance
    }

    fn lowest_near(&self, point: &Point) -> Option<Point> {
        self.part.lowest_near(point)
    }

    /// If the function is the distance outside, every point within the distance is in the offset.
    fn support_point(&self, direction: &Vector) -> Option<Point> {
        if self.distance < 0.0 || !self.part.exactness().outside {
            return None;
        }
        let along = direction::unit_or(direction, &Vector::y());
        self.part.support_point(direction).map(|point| point + along * self.distance)
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        if self.distance < 0.0 || !self.part.exactness().outside {
            return None;
        }
        let OrientedBounds { center, half } = self.part.oriented_bounds()?;
        let longer = |half: Vector| half + direction::unit_or(&half, &Vector::zeros()) * self.distance;
        Some(OrientedBounds { center, half: half.map(longer) })
    }

    fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
        let of_part = Sample { value: sample.value + self.distance, ..*sample };
        (self.part.tangent_height(point, &of_part) - self.distance).min(sample.value)
    }

    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        self.part.pieces(point, &mut |value, gradient| visit(value - self.distance, gradient));
    }
}
