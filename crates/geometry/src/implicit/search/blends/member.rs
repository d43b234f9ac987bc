//! Newton's method for the minimum with fixed shares, and for a local minimum of the blends themselves.

use super::task::{BodyJet, Task};
use crate::implicit::factors::Factors;
use crate::implicit::program::{Answer, Behind, PLANES, Solution, solve};
use crate::implicit::search::maximum::{Aim, LeastWithin, Maximum};
use crate::implicit::search::mixture::Mixture;
use arrayvec::ArrayVec;
use nalgebra::{Matrix3, Matrix4, Vector4};
use palpate_math::{Point, Vector};

/// Iteration limit; two to five steps are typical.
const MOST_STEPS: usize = 24;

/// How close bound and value come, relative to the gap: by Newton's method, and where that fails.
const CLOSE: f64 = 0.1;
const AT_CREASE: f64 = 0.25;

/// The longest step, relative to the ball about the body.
const LONGEST: f64 = 0.5;

/// What is added to second derivatives, relative to their trace: always, and at first where they are not positive; and how often more is.
const LIFTED: f64 = 1e-10;
const RAISED: f64 = 0.05;
const MOST_LIFTS: usize = 8;

/// The second derivative by the level of several tangents, times the radius of the ball.
const OF_LEVEL: f64 = 1e-3;

/// The minimum for two shares, with a bound that is of use for others, too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The shares of the second functions of both bodies.
    pub(super) shares: [f64; 2],
    /// With the body's function times this the sum of both is lowest at the place.
    pub(super) multiplier: f64,
    /// A lower bound of this sum, without what the blends subtract.
    pub(super) bound: f64,
    /// Where it is attained, and the value of the function's member there.
    pub(super) point: Point,
    pub(super) value: f64,
}

/// The tangents at a place, mixed: of the function, and of the body times a multiplier.
struct Tangents {
    multiplier: f64,
    height: f64,
    slope: Vector,
}

impl Task<'_> {
    /// Returns the minimum of a member of one family over the body of a member of the other; far above `best` a bound suffices. By Newton's
    /// method from a place, or by tangents of all sides of creases.
    pub(super) fn member(
        &self,
        maximum: &mut Maximum,
        shares: [f64; 2],
        start: &Point,
        best: f64,
    ) -> Option<Member> {
        // A bound this far above the best value mostly excludes the triangles at this corner: a tighter one is of no use.
        let enough = best + self.function.radius + self.body.radius;
        self.newton(Some(shares), start, enough).or_else(|| self.by_tangents(maximum, shares, start))
    }

    /// Returns the minimum of both blends themselves next to a place.
    pub(super) fn minimum_near(&self, start: &Point) -> Option<Member> {
        self.newton(None, start, f64::INFINITY)
    }

    fn newton(&self, shares: Option<[f64; 2]>, start: &Point, enough: f64) -> Option<Member> {
        let (mut point, mut last) = (*start, 1.0);
        for _ in 0..MOST_STEPS {
            let function = self.function.at(&point, shares.map(|shares| shares[0]))?;
            let body = self.body.at(&point, shares.map(|shares| shares[1]))?;
            let at_crease = !function.other_sides.is_empty();
            let (tangents, step) = if at_crease {
                let (tangents, step) = step_at_crease(&function, &body, last, self.reach)?;
                last = tangents.multiplier;
                (tangents, Some(step))
            } else {
                (balanced(&function, &body)?, None)
            };
            let Tangents { multiplier, height, slope } = tangents;
            let bound = height + slope.dot(&(self.root.center - point))
                - slope.norm() * self.reach
                - (1.0 + multiplier) * self.slack;
            let lower = bound - function.subtracted - multiplier * body.subtracted;
            let is_met = self.is_inside(body.total()) && function.total() - lower <= CLOSE * self.gap;
            if is_met || lower >= enough {
                let (shares, value) = ([function.share, body.share], function.total());
                return Some(Member { shares, multiplier, bound, point, value });
            }
            let step = match step {
                Some(step) => step,
                None => {
                    let (step, next) = smooth_step(&function, &body, last)?;
                    last = next;
                    step
                }
            };
            point += step.cap_magnitude(LONGEST * self.reach);
        }
        None
    }

    fn by_tangents(&self, maximum: &mut Maximum, shares: [f64; 2], start: &Point) -> Option<Member> {
        let [function, body] = [self.function.blend(), self.body.blend()];
        let [function, body] = [Mixture::new(&function, shares[0]), Mixture::new(&body, shares[1])];
        maximum.begin_at(Some(start));
        let aim = Aim { above: f64::INFINITY, below: f64::NEG_INFINITY, gap: AT_CREASE * self.gap, turn: 0 };
        let LeastWithin { least, weight } = maximum.least_within(&function, &body, self.root, &aim)?;
        let subtracted = self.function.subtracted(shares[0]) + weight * self.body.subtracted(shares[1]);
        Some(Member {
            shares,
            multiplier: weight,
            bound: least.lower + subtracted,
            point: least.point,
            value: least.value,
        })
    }
}

/// Returns the tangents with the multiplier for which their slopes balance best.
fn balanced(function: &BodyJet, body: &BodyJet) -> Option<Tangents> {
    let square = body.gradient.norm_squared();
    let multiplier = (-function.gradient.dot(&body.gradient) / square).max(0.0);
    multiplier.is_finite().then(|| Tangents {
        multiplier,
        height: function.height + multiplier * body.height,
        slope: function.gradient + body.gradient * multiplier,
    })
}

/// Returns the Newton step of the Lagrangian to the constrained minimum, and the multiplier there. `None` if the Hessian cannot be made
/// positive.
fn smooth_step(function: &BodyJet, body: &BodyJet, multiplier: f64) -> Option<(Vector, f64)> {
    let height = body.total();
    let hessian = function.hessian + body.hessian * multiplier;
    let trace = hessian.trace().abs();
    if multiplier == 0.0 && height < 0.0 {
        return Some((-factors(function.hessian, trace)?.solve(&function.gradient), 0.0));
    }
    // What is added across the body's surface changes the multiplier, but not the step.
    let stiff = trace / body.gradient.norm_squared();
    let factors = factors(hessian + body.gradient * (body.gradient * stiff).transpose(), trace)?;
    let (along, down) = (factors.solve(&body.gradient), factors.solve(&function.gradient));
    let pull = (height - body.gradient.dot(&down)) / body.gradient.dot(&along);
    Some((-down - along * pull, (pull - stiff * height).max(0.0)))
}

/// Likewise between the sides of a crease, with the tangents that balance there.
fn step_at_crease(
    function: &BodyJet,
    body: &BodyJet,
    multiplier: f64,
    reach: f64,
) -> Option<(Tangents, Vector)> {
    let hessian = function.hessian + body.hessian * multiplier;
    let lift = OF_LEVEL / reach;
    let (raised, _) = raised(hessian, hessian.trace().abs() + lift, lift)?;
    let mut whole = Matrix4::zeros();
    whole.fixed_view_mut::<3, 3>(0, 0).copy_from(&raised);
    whole[(3, 3)] = lift;
    let sides = [(function.height, function.gradient)];
    let sides = sides.iter().chain(&function.other_sides);
    let level = function.height;
    let behind = |normal: &Vector, rate: f64, offset: f64| Behind {
        normal: Vector4::new(normal.x, normal.y, normal.z, -rate),
        offset,
    };
    let mut planes: ArrayVec<Behind<4>, PLANES> =
        sides.clone().map(|(height, normal)| behind(normal, 1.0, level - height)).collect();
    let of_body = planes.len();
    planes.push(behind(&body.gradient, 0.0, body.subtracted - body.height));
    let Answer::Least(Solution { place, weights }) = solve(&whole, &Vector4::w(), &planes)? else {
        return None;
    };
    let sum: f64 = weights[..of_body].iter().sum();
    let multiplier = weights[of_body] / sum;
    let mut tangents =
        Tangents { multiplier, height: multiplier * body.height, slope: body.gradient * multiplier };
    for ((height, normal), weight) in sides.zip(weights) {
        tangents.height += height * (weight / sum);
        tangents.slope += normal * (weight / sum);
    }
    sum.is_normal().then(|| (tangents, place.xyz()))
}

/// Returns the factors of a matrix with a little added, more if it is not positive.
fn factors(matrix: Matrix3<f64>, trace: f64) -> Option<Factors> {
    raised(matrix, trace, LIFTED * trace).map(|(_, factors)| factors)
}

/// Likewise, with the matrix, given what to add at first.
fn raised(matrix: Matrix3<f64>, trace: f64, mut lift: f64) -> Option<(Matrix3<f64>, Factors)> {
    for _ in 0..MOST_LIFTS {
        let lifted = matrix + Matrix3::identity() * lift;
        if let Some(factors) = Factors::of(&lifted) {
            return Some((lifted, factors));
        }
        lift = (4.0 * lift).max(RAISED * trace);
    }
    None
}
