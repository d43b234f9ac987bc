//! Solid ellipsoid.

use super::placed::{Placed, posed, posed_geometry, sized_shape};
use super::sized::{ShapeType, SizeField, SizedShape, Turn};
use crate::validate::{positive, rigid};
use crate::{ConvexCore, ConvexShape, Geometry, GeometryError, GeometryKind, Pose, SignedDistance, Version};
use palpate_contact::NONE;
use palpate_convex::SupportMap;
use palpate_implicit::ImplicitFunction;
use palpate_math::{Aabb, Point, Vector};

/// A solid ellipsoid with its semi-axes along the local axes. Where several surface points are equally close (the
/// centre of a sphere, the middle planes near the centre) the gradient points to the positive side of the shortest
/// undetermined axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Ellipsoid {
    placed: Placed,
    radii: Vector,
    proportions: Proportions,
}

/// The radii relative to the shortest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Proportions {
    shortest: usize,
    /// The squares of the radii over that of the shortest, and the same less one.
    squares: Vector,
    beyond: Vector,
    /// One over the radii.
    inverse: Vector,
}

impl Proportions {
    fn new(radii: &Vector) -> Self {
        let shortest = radii.imin();
        let least = radii[shortest];
        Self {
            shortest,
            squares: radii.map(|x| (x / least) * (x / least)),
            beyond: radii.map(|x| ((x - least) / least) * ((x + least) / least)),
            inverse: radii.map(|x| 1.0 / x),
        }
    }
}

posed!(Ellipsoid);

/// Maximum number of steps to the root; two to four are typical. Bisection alone takes more than an `f64` has bits, so that it ends when
/// no number is left between.
const MOST_STEPS: usize = 1100;

/// After a step shorter than this, relative to the root, the error is less than rounding: it falls with the third power.
const LAST_STEP: f64 = 1.0 / (1 << 20) as f64;

impl Ellipsoid {
    /// Creates an ellipsoid from its pose and its radii along the local axes, in metres. Errors: a number that is not
    /// finite and greater than 0.
    pub fn new(pose: Pose, radii: Vector) -> Result<Self, GeometryError> {
        rigid("the center", &pose)?;
        for (axis, &radius) in radii.iter().enumerate() {
            positive(&format!("radius {axis}"), radius)?;
        }
        Ok(Self { placed: Placed::new(pose), radii, proportions: Proportions::new(&radii) })
    }

    /// Returns the radii along the local axes, in metres.
    pub fn radii(&self) -> Vector {
        self.radii
    }

    /// Returns the surface point closest to a point, both in the local frame.
    fn nearest_to(&self, local: &Vector) -> Vector {
        self.nearest_in_octant(&local.abs()).zip_map(local, |x, sign| if sign < 0.0 { -x } else { x })
    }

    /// Returns the surface point closest to `local`, a point with no negative coordinate, after Eberly 2013, section 4,
    /// "Distance from a Point to an Ellipsoid". On the surface x_k = e_k² y_k / (t + e_k²) for one t, the largest root
    /// of Σ (e_k y_k / (t + e_k²))² = 1, found by bracketing and Halley's method.
    fn nearest_in_octant(&self, y: &Vector) -> Vector {
        let Proportions { shortest, squares, beyond, inverse } = self.proportions;
        // In units of the shortest radius, squared: t = least * (w - 1), with w > 0. (Near the middle plane w is tiny,
        // and would be lost next to the 1.)
        let c = squares.component_mul(&y.component_mul(&inverse));
        let own = c[shortest];
        if own <= 0.0 && remainder_in_plane(&c, &beyond) <= 0.0 {
            return self.on_the_middle(y, shortest);
        }
        // Every term of the sum is at most one at the root, and none is larger than at `w = |c|` without what is beyond.
        let lower = (c - beyond).max().max(own);
        let upper = c.norm().max(lower);
        // Outside of the ellipsoid the root is above one.
        let is_outside = y.component_mul(&inverse).norm_squared() > 1.0;
        let start = if is_outside { lower.max(1.0).min(upper) } else { lower };
        let w = root([lower, upper], start, |w| Sums::at(w, &c, &beyond));
        Vector::from_fn(|k, _| squares[k] * y[k] / (w + beyond[k]))
    }

    /// Returns the surface point closest to a point on the middle plane of the shortest axis, so near the centre that
    /// the gradient is along that axis.
    fn on_the_middle(&self, y: &Vector, shortest: usize) -> Vector {
        let e = self.radii;
        let least = e[shortest] * e[shortest];
        let mut nearest = Vector::zeros();
        let mut rest = 1.0;
        for k in 0..3 {
            let difference = e[k] * e[k] - least;
            if k != shortest && difference > 0.0 {
                nearest[k] = e[k] * e[k] * y[k] / difference;
                rest -= (nearest[k] / e[k]) * (nearest[k] / e[k]);
            }
        }
        nearest[shortest] = e[shortest] * rest.max(0.0).sqrt();
        nearest
    }
}

/// Returns the remainder of the equation at t = -(shortest radius)² for a point without a component along the shortest
/// axes: positive when a root lies above.
fn remainder_in_plane(c: &Vector, beyond: &Vector) -> f64 {
    let term = |k: usize| {
        if beyond[k] > 0.0 {
            let x = c[k] / beyond[k];
            x * x
        } else if c[k] > 0.0 {
            f64::INFINITY
        } else {
            0.0
        }
    };
    term(0) + term(1) + term(2) - 1.0
}

/// The sum `s(w) = Σ (c_k / (w + b_k))²`, its first derivative times `-w / 2`, and its second times `w² / 6`.
struct Sums {
    sum: f64,
    slope: f64,
    bend: f64,
}

impl Sums {
    fn at(w: f64, c: &Vector, beyond: &Vector) -> Self {
        let mut all = Self { sum: 0.0, slope: 0.0, bend: 0.0 };
        // Without a component along the shortest axis, `w` may be zero.
        for k in (0..3).filter(|&k| c[k] > 0.0) {
            let over = 1.0 / (w + beyond[k]);
            let (x, part) = (c[k] * over, w * over);
            all.sum += x * x;
            all.slope += x * x * part;
            all.bend += x * x * part * part;
        }
        all
    }
}

/// Returns the root `w` of `s(w) = Σ (c_k / (w + b_k))² = 1` in a bracket.
///
/// By Halley's method for `s^(-1/2) = 1`, which is concave and nearly linear (Moré and Sorensen 1983, "Computing
/// a trust region step"); where rounding leads out of the bracket, by bisection.
fn root([mut lower, mut upper]: [f64; 2], start: f64, sums: impl Fn(f64) -> Sums) -> f64 {
    let mut w = start;
    for _ in 0..MOST_STEPS {
        let Sums { sum, slope, bend } = sums(w);
        let more = sum - 1.0;
        if more == 0.0 {
            break;
        }
        if more > 0.0 {
            lower = w;
        } else if more < 0.0 {
            upper = w;
        }
        let newton = sum * more / (slope * (1.0 + sum.sqrt()));
        let step = newton / (1.0 + 1.5 * newton * (slope / sum - bend / slope));
        let mut next = w + w * step;
        if step.abs() <= LAST_STEP && next >= lower && next <= upper {
            return next;
        }
        if !(next > lower && next < upper) {
            next = 0.5 * (lower + upper);
            if next == lower || next == upper {
                break;
            }
        }
        w = next;
    }
    w
}

impl Ellipsoid {
    /// Returns the box at a pose.
    fn bounds_at(&self, pose: &Pose) -> Aabb {
        let scaled =
            pose.rotation.to_rotation_matrix().matrix() * nalgebra::Matrix3::from_diagonal(&self.radii);
        let reach = Vector::from_fn(|k, _| scaled.row(k).norm());
        let center = Point::from(pose.translation.vector);
        Aabb::from_points([center - reach, center + reach]).grown(self.radii.amax() * (8.0 * f64::EPSILON))
    }
}

impl Geometry for Ellipsoid {
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
        let mut sizes = vec![2.0];
        sizes.extend(self.radii.iter());
        self.placed.content(&sizes)
    }

    fn as_implicit(&self) -> Option<&dyn ImplicitFunction> {
        Some(self)
    }

    fn as_convex(&self) -> Option<ConvexShape<'_>> {
        let core = palpate_convex::Ellipsoid { radii: self.radii };
        Some(ConvexShape::new(ConvexCore::Ellipsoid(core), self.pose(), self))
    }

    posed_geometry!(|own, other| own.radii == other.radii);
}

impl Ellipsoid {
    /// Returns the signed distance of `point` (world frame, metres).
    ///
    /// Cost: a few hundred nanoseconds; the root is found to rounding.
    pub fn signed_distance(&self, point: &Point) -> SignedDistance {
        let rotation = &self.placed.pose.rotation;
        let local = rotation.inverse_transform_vector(&(point - self.center()));
        let nearest = self.nearest_to(&local);
        // Use the surface normal: where point and closest point coincide it is the only choice, and elsewhere it is
        // parallel.
        let inverse = &self.proportions.inverse;
        let normal = nearest.component_mul(inverse).component_mul(inverse).normalize();
        let distance = (local - nearest).dot(&normal);
        let nearest_in_world = self.center() + rotation * nearest;
        SignedDistance { distance, nearest: nearest_in_world, gradient: rotation * normal, feature: NONE }
    }
}

/// Its names and sizes in descriptions and recordings.
static TYPE: ShapeType = ShapeType::new::<Ellipsoid>(
    "Ellipsoid",
    GeometryKind::CONVEX,
    Turn::Axes,
    &[SizeField::ThreePositive("radii")],
)
.with_function::<Ellipsoid>("ellipsoid");

impl SizedShape for Ellipsoid {
    sized_shape!(&TYPE);

    fn from_sizes(pose: Pose, radii: [f64; 3]) -> Result<Self, GeometryError> {
        Self::new(pose, radii.into())
    }

    fn sizes(&self) -> [f64; 3] {
        self.radii.into()
    }
}

impl SupportMap for Ellipsoid {
    fn support(&self, direction: &Vector) -> Point {
        let rotation = &self.placed.pose.rotation;
        let scaled = rotation.inverse_transform_vector(direction).component_mul(&self.radii);
        self.center() + rotation * scaled.normalize().component_mul(&self.radii)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ellipsoid(radii: [f64; 3]) -> Ellipsoid {
        Ellipsoid::new(Pose::identity(), Vector::from(radii)).unwrap()
    }

    fn close(found: f64, wanted: f64, size: f64) {
        assert!((found - wanted).abs() < 1e-14 * size, "{found} is not {wanted}");
    }

    #[test]
    fn along_an_axis_the_distance_is_that_to_its_end() {
        let shape = ellipsoid([1.0, 2.0, 3.0]);
        close(shape.signed_distance(&Point::new(4.0, 0.0, 0.0)).distance, 3.0, 4.0);
        close(shape.signed_distance(&Point::new(0.0, 0.0, -5.0)).distance, 2.0, 5.0);
        close(shape.signed_distance(&Point::new(0.5, 0.0, 0.0)).distance, -0.5, 1.0);
        assert_eq!(shape.signed_distance(&Point::origin()).gradient, Vector::x());
    }

    #[test]
    fn a_round_ellipsoid_is_a_sphere() {
        let shape = ellipsoid([2.0; 3]);
        let signed = shape.signed_distance(&Point::new(3.0, 4.0, 12.0));
        close(signed.distance, 11.0, 13.0);
        close(shape.signed_distance(&Point::new(0.0, 0.5, 0.0)).distance, -1.5, 2.0);
        close(shape.signed_distance(&Point::origin()).distance, -2.0, 2.0);
    }

    /// A point offset along the normal of a surface point is at that distance from it, also for small inward offsets.
    #[test]
    fn along_a_normal_the_distance_is_the_way() {
        for radii in [[1.0, 2.0, 3.0], [3.0, 1.0, 1.0], [1e-3, 1.0, 1.0], [5.0, 5.0, 0.2]] {
            let shape = ellipsoid(radii);
            let size = radii.into_iter().fold(0.0, f64::max);
            let inward = radii.into_iter().fold(f64::INFINITY, f64::min);
            for (u, v) in [(0.1, 0.2), (1.0, -0.4), (2.5, 1.2), (-2.0, -1.4), (0.0, 0.7)] {
                let unit =
                    Vector::new(libm::cos(u) * libm::cos(v), libm::sin(u) * libm::cos(v), libm::sin(v));
                let surface = unit.component_mul(&shape.radii);
                let normal = unit.component_div(&shape.radii).normalize();
                // Inward by at most the least radius of curvature, where this surface point is still the closest.
                for way in [2.0 * size, 0.3, 0.0, -0.5 * inward * inward / size] {
                    let signed = shape.signed_distance(&Point::from(surface + normal * way));
                    assert!(
                        (signed.distance - way).abs() < 4e-14 * size,
                        "{radii:?} {way}: {}",
                        signed.distance
                    );
                }
            }
        }
    }

    /// Against bisection: radii from equal to a thousandth of each other, points from far inside to far outside, on axes and planes,
    /// and beside them.
    #[test]
    fn the_root_is_that_of_bisection() {
        let mut state = 31_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut steps, mut most) = (0, 0);
        for case in 0..20_000 {
            let b = [
                0.0,
                if case % 3 == 0 { 0.0 } else { random() * 1e3 },
                random() * [1e-9, 1.0, 1e6][case % 3],
            ];
            let scale = [1e-12, 1e-3, 0.5, 1.0, 30.0][case / 3 % 5];
            let c = [0, 1, 2].map(|k| {
                let is_zero = k > 0 && case / 15 % 4 == k;
                if is_zero { 0.0 } else { scale * random() * (1.0 + b[k]) }
            });
            let excess = |w: f64| -> (f64, f64) {
                let terms = [0, 1, 2].map(|k| (c[k] / (w + b[k])) * (c[k] / (w + b[k])));
                let slope = (0..3).map(|k| -2.0 * terms[k] / (w + b[k])).sum();
                (terms.into_iter().sum::<f64>() - 1.0, slope)
            };
            let (mut low, mut high) = (c[0], Vector::from(c).norm());
            let lower = (Vector::from(c) - Vector::from(b)).max().max(low);
            let count = std::cell::Cell::new(0);
            let upper = high.max(lower);
            let is_outside = (0..3).map(|k| (c[k] / (1.0 + b[k])).powi(2)).sum::<f64>() > 1.0;
            let start = if is_outside { lower.max(1.0) } else { lower };
            let found = root([lower, upper], start.clamp(lower, upper), |w| {
                count.set(count.get() + 1);
                Sums::at(w, &c.into(), &b.into())
            });
            steps += count.get();
            most = most.max(count.get());
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if excess(middle).0 > 0.0 { low = middle } else { high = middle }
            }
            // The computed sum is off by some units in the last place; where its slope is small, so is the root.
            let allowed = 8.0 * f64::EPSILON * (1.0 / excess(high).1.abs() + high);
            assert!((found - high).abs() <= allowed, "{case}: {found} {high} {c:?} {b:?}");
        }
        assert!(steps < 7 * 20_000 && most < 80, "{steps} {most}");
    }

    /// Just off the middle plane the closest point is nearly that of the plane itself.
    #[test]
    fn beside_the_middle_plane_nothing_jumps() {
        let shape = ellipsoid([1.0, 0.5, 2.0]);
        let on_it = shape.signed_distance(&Point::new(0.42, 0.0, 0.1)).distance;
        for off in [1e-300, 1e-17, 1e-16, 1e-15, 1e-12] {
            let signed = shape.signed_distance(&Point::new(0.42, -off, 0.1));
            close(signed.distance, on_it, 1.0 + 2e14 * off);
            close(signed.nearest.coords.component_div(&shape.radii).norm(), 1.0, 1.0);
        }
    }

    /// Near the centre of a flat ellipsoid the gradient is perpendicular to the middle plane, although the point lies
    /// in it.
    #[test]
    fn in_the_middle_plane_the_way_out_is_across() {
        let shape = ellipsoid([1.0, 4.0, 4.0]);
        let signed = shape.signed_distance(&Point::new(0.0, 0.75, 0.0));
        // x = 16 · 0.75 / 15 = 0.8; sqrt(1 - 0.04) perpendicular to it.
        close(signed.nearest.y, 0.8, 4.0);
        close(signed.nearest.x, 0.96_f64.sqrt(), 4.0);
        close(signed.distance, -(0.05_f64 * 0.05 + 0.96).sqrt(), 4.0);
    }
}
