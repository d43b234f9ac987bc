//! Ellipsoid method (Shor 1977; Yudin and Nemirovski 1976) for convex function and constraint: a half-ellipsoid known
//! to contain the minimum lies in a smaller ellipsoid, and no value in it is below the minimum of the tangent at its
//! centre. Splitting cells closes the gap in one dimension at a time, and where a rim or a cone's wall is approached
//! from the side thousands are open; an ellipsoid loses a constant fraction of its volume per evaluation.

use super::incumbents::{Found, Incumbents};
use super::task::Task;
use crate::implicit::Sample;
use nalgebra::{SMatrix, SVector};
use palpate_math::{Point, Vector};

/// Iteration limit, after which cell splitting takes over; three hundred are typical.
const MOST_STEPS: usize = 800;

/// A convex function that is positive outside the domain, with its gradient; in the coordinates of the search.
type Outside<'a, const N: usize> = &'a dyn Fn(&SVector<f64, N>) -> (f64, SVector<f64, N>);

impl Task<'_> {
    /// Improves the incumbents until the certified bound, which is returned, is above the cutoff, or within the gap of
    /// the best value, or the iteration limit is reached.
    pub(super) fn enclose(&self, incumbents: &mut Incumbents, cutoff: f64) -> f64 {
        match (&self.frame, self.count) {
            (Some(frame), _) => {
                let outside = |y: &Vector| {
                    let axis = y.iamax();
                    (y[axis].abs() - 1.0, Vector::ith(axis, y[axis].signum()))
                };
                self.enclose_in(frame.center, frame.half, Vector::zeros(), 3.0, &outside, incumbents, cutoff)
            }
            (None, 3) => self.enclose_in_simplex::<2>(incumbents, cutoff),
            (None, 4) => self.enclose_in_simplex::<3>(incumbents, cutoff),
            _ => f64::NEG_INFINITY,
        }
    }

    /// Searches over the weights of all corners but the first.
    fn enclose_in_simplex<const N: usize>(&self, incumbents: &mut Incumbents, cutoff: f64) -> f64 {
        let base = self.root[0];
        let spans = std::array::from_fn(|k| self.root[k + 1] - base);
        let share = 1.0 / (N + 1) as f64;
        let outside = |y: &SVector<f64, N>| {
            let axis = y.imin();
            let beyond = y.sum() - 1.0;
            if beyond > -y[axis] {
                (beyond, SVector::repeat(1.0))
            } else {
                (-y[axis], SVector::from_fn(|k, _| if k == axis { -1.0 } else { 0.0 }))
            }
        };
        let square = (1.0 - share) * (1.0 - share) + (N - 1) as f64 * share * share;
        self.enclose_in(base, spans, SVector::repeat(share), square, &outside, incumbents, cutoff)
    }

    /// Searches in the coordinates of `spans` from `base`, starting with a ball around `start`, given the square of its
    /// radius.
    #[allow(clippy::too_many_arguments, reason = "all of them define the initial ellipsoid")]
    fn enclose_in<const N: usize>(
        &self,
        base: Point,
        spans: [Vector; N],
        start: SVector<f64, N>,
        square: f64,
        outside: Outside<'_, N>,
        incumbents: &mut Incumbents,
        cutoff: f64,
    ) -> f64 {
        let n = N as f64;
        let slopes = |gradient: &Vector| SVector::<f64, N>::from_fn(|k, _| gradient.dot(&spans[k]));
        // The ellipsoid is stored as the image of the unit ball, so that rounding cannot make it indefinite.
        let (mut center, mut image) = (start, SMatrix::<f64, N, N>::identity() * square.sqrt());
        let mut lower = f64::NEG_INFINITY;
        for _ in 0..MOST_STEPS {
            let (mut excess, mut normal) = outside(&center);
            if excess <= 0.0 {
                let point = base + (0..N).map(|k| spans[k] * center[k]).sum::<Vector>();
                let limit = self.constraint.map(|constraint| constraint.sample(&point));
                let certain = |limit: &Sample| {
                    self.constraint.map_or(limit.value, |constraint| constraint.tangent_height(&point, limit))
                };
                if let Some(limit) = limit.filter(|limit| limit.value > self.outside) {
                    (excess, normal) = (certain(&limit) - self.outside, slopes(&limit.gradient));
                } else {
                    let sample = self.function.sample(&point);
                    let mut weights = [0.0; 4];
                    if self.frame.is_none() {
                        weights[0] = 1.0 - center.sum();
                        weights[1..=N].copy_from_slice(center.as_slice());
                    }
                    let tangent = self.certain_tangent(&point, &sample, limit.as_ref());
                    self.keep(incumbents, Found { weights, point, sample, tangent });
                    let best = incumbents.value();
                    normal = slopes(&sample.gradient);
                    let height = self.function.tangent_height(&point, &sample);
                    lower = lower.max((height - image.tr_mul(&normal).norm()).min(best));
                    if lower > cutoff || best - lower <= self.gap {
                        return lower;
                    }
                    excess = height - best;
                }
            }
            let along = image.tr_mul(&normal);
            let reach = along.norm();
            let depth = excess / reach;
            if depth.is_nan() || depth >= 1.0 {
                // Rounding leaves nothing of it.
                return lower;
            }
            let along = along / reach;
            let toward = image * along;
            let step = (1.0 + n * depth) / (n + 1.0);
            let kept = (1.0 - 2.0 * step / (1.0 + depth)).max(0.0).sqrt();
            center -= toward * step;
            image = (image - toward * along.transpose() * (1.0 - kept))
                * (n * ((1.0 - depth * depth) / (n * n - 1.0)).sqrt());
        }
        lower
    }
}

#[cfg(test)]
pub(super) mod tests {
    use crate::implicit::{
        Cell, CellValues, EdgeSplit, Exactness, ImplicitFunction, OrientedBounds, Sample, Search,
    };
    use crate::{Capsule, Cylinder, OrientedBox, Pose};
    use palpate_math::{Aabb, Point, Vector};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A function that counts its evaluations, and keeps its closed forms to itself: it is always searched.
    pub(in crate::implicit) struct Counted<'a>(
        pub(in crate::implicit) &'a dyn ImplicitFunction,
        pub(in crate::implicit) AtomicUsize,
    );

    impl ImplicitFunction for Counted<'_> {
        fn sample(&self, point: &Point) -> Sample {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.sample(point)
        }

        fn sublevel_bounds(&self, level: f64) -> Aabb {
            self.0.sublevel_bounds(level)
        }

        fn tangent_height(&self, point: &Point, sample: &Sample) -> f64 {
            self.0.tangent_height(point, sample)
        }

        fn lipschitz(&self) -> Option<f64> {
            self.0.lipschitz()
        }

        fn exactness(&self) -> Exactness {
            self.0.exactness()
        }

        fn is_convex(&self) -> bool {
            self.0.is_convex()
        }

        fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
            self.0.bound_below(cell)
        }

        fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues)) {
            self.0.bounds_below(cell, visit);
        }

        fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
            self.0.edge_split(cell)
        }

        fn floor(&self) -> f64 {
            self.0.floor()
        }

        fn oriented_bounds(&self) -> Option<OrientedBounds> {
            self.0.oriented_bounds()
        }
    }

    /// Returns the depth of a slanted cylinder's rim in another body, by a search, and the number of evaluations.
    fn rim_in(body: &dyn ImplicitFunction) -> (f64, bool, usize) {
        let pose = Pose::translation(0.3, 1.05, -0.2);
        let turned = crate::pose::rotation_from_axis(Vector::new(0.3, 0.8, -0.5)).unwrap();
        let rod =
            Cylinder::new(crate::pose::from_rotation(pose * Point::origin(), turned).unwrap(), 0.7, 1.1);
        let rod = rod.unwrap();
        let counted = Counted(body, AtomicUsize::new(0));
        let root = ImplicitFunction::oriented_bounds(&rod).unwrap();
        let found = Search::with_tolerance(1e-12).below_within(&counted, &rod, &root, f64::INFINITY).unwrap();
        assert!(found.lower <= found.sample.value && found.sample.value - found.lower < 1e-9, "{found:?}");
        (found.sample.value, found.converged, counted.1.into_inner())
    }

    /// The lowest point of the rim is known in closed form over a wide flat face, and by sampling on a curved one.
    #[test]
    fn rims_are_met_in_a_few_hundred_steps() {
        let table =
            OrientedBox::new(Pose::translation(0.0, -9.0, 0.0), Vector::new(30.0, 9.0, 30.0)).unwrap();
        let axis = Vector::new(0.3, 0.8, -0.5).normalize();
        let (value, converged, asked) = rim_in(&table);
        let wanted = 1.05 - 0.55 * axis.y - 0.7 * (1.0 - axis.y * axis.y).sqrt();
        assert!((value - wanted).abs() < 1e-9 && converged, "{value} is not {wanted}");
        assert!(asked < 2000, "{asked} values");

        let lying = crate::pose::rotation_from_axis(Vector::new(1.0, 0.1, 0.4)).unwrap();
        let pose = crate::pose::from_rotation(Point::new(0.1, -0.4, 0.0), lying).unwrap();
        let log = Capsule::new(pose, 0.5, 2.0).unwrap();
        let (value, converged, asked) = rim_in(&log);
        assert!(converged && asked < 2000, "{asked} values");
        let aside = axis.cross(&Vector::x()).normalize();
        let across = axis.cross(&aside);
        let rim = (0..100_000).map(|k| {
            let (sin, cos) = libm::sincos(f64::from(k) * 1e-5 * std::f64::consts::TAU);
            let middle = Point::new(0.3, 1.05, -0.2) - axis * 0.55;
            log.sample(&(middle + (aside * cos + across * sin) * 0.7)).value
        });
        let wanted = rim.fold(f64::INFINITY, f64::min);
        assert!((value - wanted).abs() < 1e-8, "{value} is not {wanted}");
    }

    /// The gap also closes on a triangle and in a tetrahedron crossed by a rod.
    #[test]
    fn a_rod_across_a_wide_triangle_is_met_in_a_few_hundred_steps() {
        let lying = crate::pose::rotation_from_axis(Vector::new(1.0, 0.02, 0.3)).unwrap();
        let pose = crate::pose::from_rotation(Point::new(3.0, 1.5, 2.0), lying).unwrap();
        let rod = Cylinder::new(pose, 1.0, 9.0).unwrap();
        let corners = [[-50.0, 0.0, -40.0], [60.0, 0.0, -30.0], [5.0, 0.0, 70.0], [8.0, -20.0, 1.0]];
        let corners = corners.map(Point::from);
        let axis = Vector::new(1.0, 0.02, 0.3).normalize();
        let wanted = 1.5 - 4.5 * axis.y - (1.0 - axis.y * axis.y).sqrt();
        for count in [3, 4] {
            let counted = Counted(&rod, AtomicUsize::new(0));
            let found =
                Search::with_tolerance(1e-12).below(&counted, &corners[..count], f64::INFINITY).unwrap();
            assert!((found.sample.value - wanted).abs() < 1e-9 && found.converged, "{found:?}");
            assert!(counted.1.into_inner() < 2000);
            let sum = corners.iter().zip(found.weights).map(|(corner, weight)| corner.coords * weight);
            assert!((sum.sum::<Vector>() - found.point.coords).norm() < 1e-12 * 70.0);
        }
    }
}
