//! Smooth union of bodies.

use super::composite::{coarsest, content, fastest, some};
use super::{Cell, CellValues, Description, EdgeSplit, Exactness, ImplicitFunction, Sample, Structure};
use crate::GeometryError;
use crate::validate::positive;
use palpate_math::nearest::segment_segment;
use palpate_math::{Aabb, Point};
use std::sync::Arc;

/// The union of bodies with a fillet where their values differ by less than a radius: the minimum, minus
/// `(radius - difference)² / (4 radius)` (the quadratic smooth minimum; Quilez 2013, "Smooth minimum"). More than two
/// bodies are joined in sequence, so that the result depends slightly on their order.
///
/// The value is a bound, and not the exact distance anywhere; its Lipschitz constant is that of the parts.
#[derive(Clone)]
pub struct SmoothUnion {
    parts: Vec<Arc<dyn ImplicitFunction>>,
    radius: f64,
    floor: f64,
}

impl SmoothUnion {
    /// Creates the smooth union of one or more bodies, `radius` in metres. Errors: no bodies; a radius that is not
    /// finite and greater than 0.
    pub fn new(parts: Vec<Arc<dyn ImplicitFunction>>, radius: f64) -> Result<Self, GeometryError> {
        let radius = positive("the radius of a smooth union", radius)?;
        let mut union = Self { parts: some(parts, "a smooth union")?, radius, floor: f64::NEG_INFINITY };
        union.floor = union.lowest();
        Ok(union)
    }

    /// Computes a lower bound of all values: no value is below the blend of those of the parts. Two rods have these a distance apart.
    fn lowest(&self) -> f64 {
        if let [a, b] = &self.parts[..]
            && let (Some(([a, b], first)), Some(([c, d], second))) =
                (a.rounded_segment(), b.rounded_segment())
        {
            let apart = segment_segment(&a, &b, &c, &d).distance_squared.sqrt();
            return self.blend(-first, apart - second).0.min(self.blend(apart - first, -second).0);
        }
        let floors = self.parts.iter().map(|part| part.floor());
        floors.reduce(|a, b| self.blend(a, b).0).unwrap_or(f64::NEG_INFINITY)
    }

    /// Computes the smooth minimum, which is concave and increasing in both, and the weight of the second's gradient.
    fn blend(&self, a: f64, b: f64) -> (f64, f64) {
        let h = (self.radius - (a - b).abs()).max(0.0) / self.radius;
        let fill = 0.25 * self.radius * h * h;
        let weight_of_higher = 0.5 * h;
        if b < a { (b - fill, 1.0 - weight_of_higher) } else { (a - fill, weight_of_higher) }
    }
}

impl ImplicitFunction for SmoothUnion {
    fn sample(&self, point: &Point) -> Sample {
        let mut sum = self.parts[0].sample(point);
        for part in &self.parts[1..] {
            let sample = part.sample(point);
            let (value, weight) = self.blend(sum.value, sample.value);
            let gradient = sum.gradient * (1.0 - weight) + sample.gradient * weight;
            let feature = if sample.value < sum.value { sample.feature } else { sum.feature };
            sum = Sample { value, gradient, feature };
        }
        sum
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        // Every fillet lowers the minimum by at most a quarter of the radius.
        let level = level + 0.25 * self.radius * (self.parts.len() - 1) as f64;
        self.parts.iter().fold(Aabb::EMPTY, |all, part| all.merged(&part.sublevel_bounds(level)))
    }

    fn lipschitz(&self) -> Option<f64> {
        fastest(&self.parts)
    }

    fn resolution(&self) -> f64 {
        coarsest(&self.parts)
    }

    fn exactness(&self) -> Exactness {
        Exactness::NOWHERE
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        // Since the blend is concave and increasing, the blend of two linear functions is above the chord of its values
        // at the corners.
        let bounds = self.parts.iter().map(|part| part.bound_below(cell));
        bounds
            .reduce(|a, b| std::array::from_fn(|k| self.blend(a[k], b[k]).0))
            .unwrap_or(cell.constant(f64::INFINITY))
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::SmoothUnion { own: self, of: &self.parts, radius: self.radius })
    }

    fn content(&self) -> Vec<f64> {
        let mut content = content(4.0, &self.parts);
        content.push(self.radius);
        content
    }
}

impl Structure for SmoothUnion {
    fn value(&self, point: &Point) -> f64 {
        let first = self.parts[0].value(point);
        self.parts[1..].iter().fold(first, |sum, part| self.blend(sum, part.value(point)).0)
    }

    fn floor(&self) -> f64 {
        self.floor
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.parts.iter().find_map(|part| part.edge_split(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capsule, OrientedBox, Pose, Sphere};
    use palpate_math::Vector;

    fn two_balls() -> SmoothUnion {
        let ball = |x: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(Point::new(x, 0.0, 0.0), 1.0).unwrap())
        };
        SmoothUnion::new(vec![ball(-1.5), ball(1.5)], 2.0).unwrap()
    }

    #[test]
    fn the_seam_is_filled_and_far_from_it_nothing_changes() {
        // Half-way both are 0.5 away: minus a quarter of the radius.
        let seam = two_balls().sample(&Point::origin());
        assert_eq!(seam.value, 0.0);
        assert_eq!(seam.gradient.norm(), 0.0, "a saddle");
        assert_eq!(two_balls().sample(&Point::new(5.0, 0.0, 0.0)).value, 2.5);
    }

    /// Against samples all around, and for two rods at the closest places of their axes, where the lowest value is.
    #[test]
    fn no_value_is_below_the_floor() {
        let rod = |x: f64, turn: f64, radius: f64| -> Arc<dyn ImplicitFunction> {
            let pose = Pose::new(Vector::new(x, 0.0, 0.1), Vector::new(0.0, 0.3, turn));
            Arc::new(Capsule::new(pose, radius, 1.0).unwrap())
        };
        let block: Arc<dyn ImplicitFunction> =
            Arc::new(OrientedBox::new(Pose::identity(), Vector::new(0.5, 0.3, 0.2)).unwrap());
        let cases = [
            (vec![rod(-0.2, 0.0, 0.2), rod(0.2, 1.2, 0.25)], true),
            (vec![rod(-0.1, 0.0, 0.2), rod(0.1, 0.0, 0.1)], true),
            (vec![rod(-0.7, 0.0, 0.2), rod(0.7, 0.4, 0.25)], true),
            (vec![block.clone(), rod(0.1, 0.5, 0.25)], false),
            (vec![block, rod(0.1, 0.5, 0.25), rod(-0.3, 0.2, 0.2)], false),
        ];
        for (number, (parts, is_met)) in cases.into_iter().enumerate() {
            let union = SmoothUnion::new(parts.clone(), 0.3).unwrap();
            let mut lowest = f64::INFINITY;
            for k in 0..8000 {
                let at = [k % 20, k / 20 % 20, k / 400].map(|n| f64::from(n) / 10.0 - 0.95);
                lowest = lowest.min(union.sample(&Point::from(at)).value);
            }
            if let (Some(([a, b], _)), Some(([c, d], _))) =
                (parts[0].rounded_segment(), parts[1].rounded_segment())
            {
                let nearest = segment_segment(&a, &b, &c, &d);
                let ends = [nearest.point_a, nearest.point_b];
                lowest = ends.iter().map(|end| union.sample(end).value).fold(lowest, f64::min);
            }
            let floor = union.floor();
            assert!(floor <= lowest + 1e-15 && floor > lowest - 0.1, "{number}: {floor} {lowest}");
            assert!(!is_met || lowest - floor < 1e-14, "{number}: {floor} {lowest}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_and_no_steeper_than_the_parts() {
        for k in 0..60 {
            let x = -3.0 + 0.1 * f64::from(k);
            let place = Point::new(x, 0.7, 0.3);
            let gradient = two_balls().sample(&place).gradient;
            for axis in 0..3 {
                let mut step = palpate_math::Vector::zeros();
                step[axis] = 1e-6;
                let slope = (two_balls().sample(&(place + step)).value
                    - two_balls().sample(&(place - step)).value)
                    / 2e-6;
                assert!((slope - gradient[axis]).abs() < 1e-8, "{slope} {}", gradient[axis]);
            }
            assert!(gradient.norm() <= 1.0 + 1e-15);
        }
    }

    #[test]
    fn the_bound_holds_over_cells_and_closes_with_the_square_of_their_size() {
        for k in 0..50 {
            let s = f64::from(k) / 25.0;
            let mut gaps = [0.0; 2];
            for (gap, size) in gaps.iter_mut().zip([1.0, 0.5]) {
                let middle = Point::new(s - 1.0, 0.9, 0.1 * s);
                let corners = [[-1.0, 0.3, 0.0], [0.8, -0.2, 0.4], [0.2, -0.1, -0.4]]
                    .map(|[x, y, z]| middle + palpate_math::Vector::new(x, y, z) * (0.3 * size));
                let cell = Cell::new(&corners);
                let below = two_balls().bound_below(&cell);
                for (corner, below) in corners.iter().zip(below) {
                    *gap = f64::max(*gap, two_balls().sample(corner).value - below);
                }
                let center = two_balls().sample(&cell.center).value;
                assert!(below[..3].iter().sum::<f64>() / 3.0 <= center + 1e-15);
            }
            assert!(gaps[1] <= 0.3 * gaps[0] + 1e-12, "{gaps:?}");
        }
    }
}
