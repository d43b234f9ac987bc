//! Minimum of a function along a circle, with a certified lower bound.
//!
//! The points of a solid that are deepest in a ring (all points within a distance of a circle) are closest to its circle:
//! instead of the whole solid, the signed distance from the solid is searched along the circle.
//!
//! A tangent of a convex function is a lower bound of it everywhere, and along a circle it is a linear function of the
//! point on the unit circle. So is the tangent of a function whose [concavity](ImplicitFunction::concavity) `κ` is
//! bounded, since `f(x) >= f(p) + g·(x - p) - κ/2 |x - p|²` and the square of a chord is linear in its end. On an arc
//! between two samples the greater of both bounds has its minimum where they cross, or at the minimum of one: there the
//! arc with the lowest bound is divided (a cutting-plane search, Kelley 1960).

use super::minimum::Minimum;
use super::ring_segment;
use super::task::Task;
use crate::base::{Circle, Exactness, Sample};
use crate::function::ImplicitFunction;
use palpate_contact::NONE;
use palpate_math::{Aabb, Point, Vector, direction, rounding};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The maximum number of samples: two dozen are typical.
const MOST_SAMPLES: usize = 200;

/// A point that divides an arc is no closer to an end than this, relative to the arc.
const ASIDE: f64 = 1e-6;

/// The length of an arc of at most a quarter turn, relative to its chord, is at most this.
const ARC: f64 = 1.111;

/// A unit vector in the plane of the circle.
type Turn = [f64; 2];

/// A linear function of the unit circle's points: a constant and two coefficients.
#[derive(Clone, Copy, Debug)]
struct Linear([f64; 3]);

impl Linear {
    fn at(&self, [x, y]: Turn) -> f64 {
        let Self([constant, along_x, along_y]) = *self;
        constant + (along_x * x + along_y * y)
    }

    /// The derivative along the circle.
    fn slope(&self, [x, y]: Turn) -> f64 {
        self.0[2] * x - self.0[1] * y
    }

    fn steepness(&self) -> f64 {
        (self.0[1] * self.0[1] + self.0[2] * self.0[2]).sqrt()
    }

    /// The minimum over the whole circle.
    fn least(&self) -> f64 {
        self.0[0] - self.steepness()
    }

    /// Where the minimum over an arc is attained.
    fn lowest_on(&self, from: Turn, to: Turn) -> Turn {
        let steepness = self.steepness();
        let lowest = [-self.0[1] / steepness, -self.0[2] / steepness];
        if steepness > 0.0 && is_between(lowest, from, to) {
            lowest
        } else if self.at(to) < self.at(from) {
            to
        } else {
            from
        }
    }

    /// Adds `share` times half the square of the chord from a point of the unit circle, which is linear: 1 minus the
    /// product of both.
    fn with_chord(&self, [x, y]: Turn, share: f64) -> Self {
        let Self([constant, along_x, along_y]) = *self;
        Self([constant + share, along_x - share * x, along_y - share * y])
    }

    fn mixed(&self, other: &Self, share: f64) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + share * (other.0[k] - self.0[k])))
    }
}

fn cross([ax, ay]: Turn, [bx, by]: Turn) -> f64 {
    ax * by - ay * bx
}

/// Whether a direction is on the arc from one to another, anticlockwise by less than half a turn.
fn is_between(turn: Turn, from: Turn, to: Turn) -> bool {
    cross(from, turn) >= 0.0 && cross(turn, to) >= 0.0
}

fn unit([x, y]: Turn) -> Option<Turn> {
    let length = (x * x + y * y).sqrt();
    (length > 0.0).then(|| [x / length, y / length])
}

/// The length of a chord of the unit circle.
fn chord([ax, ay]: Turn, [bx, by]: Turn) -> f64 {
    ((ax - bx) * (ax - bx) + (ay - by) * (ay - by)).sqrt()
}

/// A point of the circle and the function there.
#[derive(Clone, Copy, Debug)]
struct Place {
    turn: Turn,
    value: f64,
    /// The tangent, a lower bound of a convex function.
    tangent: Linear,
}

/// An arc of at most a quarter turn between two samples.
#[derive(Clone, Copy, Debug)]
struct Arc {
    ends: [Place; 2],
    /// No value on the arc is lower.
    lower: f64,
    /// Where to divide it.
    next: Turn,
    number: usize,
}

impl Ord for Arc {
    /// The lowest bound first; ties go to the oldest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower.total_cmp(&self.lower).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Arc {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Arc {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Arc {}

/// The result of a search along a circle.
#[derive(Clone, Copy, Debug)]
enum Along {
    /// Nothing is as low as the cutoff.
    Above,
    /// The lowest point found, and a lower bound of all values.
    Lowest { point: Point, lower: f64 },
    /// The bound did not meet the value.
    Stalled,
}

/// The search and its reusable memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RingSearch {
    arcs: BinaryHeap<Arc>,
}

impl RingSearch {
    /// Returns the minimum of a task whose function is a ring's, if it is at most the cutoff; its domain is the simplex,
    /// or the solid of the constraint. `None` if the function or the constraint are others, or the search stalls.
    pub(super) fn minimum(&mut self, task: &Task<'_>, cutoff: f64) -> Option<Option<Minimum>> {
        let (circle, radius) = task.function.rounded_circle()?;
        let simplex = DistanceFrom(task);
        let solid = match (task.constraint, &task.frame) {
            (Some(solid), _) => solid,
            (None, None) => &simplex,
            (None, Some(_)) => return None,
        };
        let is_known = solid.is_convex() || solid.rounded_circle().is_some();
        if !is_known || !solid.exactness().outside {
            return None;
        }
        let size = circle.center.coords.amax() + circle.radius + task.reach;
        let gap = task.gap.max(4.0 * rounding::length(size));
        if cutoff + radius < 0.0 {
            return Some(None);
        }
        if task.constraint.is_none()
            && task.count == 2
            && let Some(found) = on_segment(&circle, radius, task, [cutoff, gap])
        {
            return Some(found);
        }
        let (on_circle, lower) = match self.least(&circle, solid, [cutoff + radius, gap]) {
            Along::Above => return Some(None),
            Along::Stalled => return None,
            Along::Lowest { point, lower } => (point, lower.max(0.0) - radius),
        };
        let (point, weights) = if task.constraint.is_none() {
            task.nearest(&on_circle)
        } else {
            let Sample { value, gradient, .. } = solid.sample(&on_circle);
            (on_circle - gradient * value.max(0.0), [0.0; 4])
        };
        let sample = task.function.sample(&point);
        let lower = lower.min(sample.value);
        Some((lower <= cutoff).then_some(Minimum { weights, point, sample, lower, converged: true }))
    }

    /// Searches the minimum along a circle of a function that bounds the distance, up to a gap, if it is at most the
    /// cutoff, which is not negative.
    fn least(&mut self, circle: &Circle, function: &dyn ImplicitFunction, [cutoff, gap]: [f64; 2]) -> Along {
        let line = Line::new(circle, function);
        if line.at_center - circle.radius > cutoff {
            return Along::Above;
        }
        let quarters: [Turn; 5] = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
        let places = quarters.map(|turn| line.place(turn));
        let mut best = places[0];
        self.arcs.clear();
        for k in 0..4 {
            self.arcs.push(line.arc(places[k], places[k + 1], k));
            if places[k].value < best.value {
                best = places[k];
            }
        }
        for number in 2..MOST_SAMPLES {
            let Some(Arc { ends: [from, to], lower, next, .. }) = self.arcs.pop() else { break };
            if lower > cutoff {
                return Along::Above;
            }
            if lower >= best.value - gap {
                return Along::Lowest { point: line.point(best.turn), lower: lower.min(best.value) };
            }
            let place = line.place(next);
            if place.value < best.value {
                best = place;
            }
            self.arcs.push(line.arc(from, place, 2 * number));
            self.arcs.push(line.arc(place, to, 2 * number + 1));
        }
        // The whole arc inside is as deep.
        if best.value <= 0.0 {
            return Along::Lowest { point: line.point(best.turn), lower: best.value };
        }
        Along::Stalled
    }
}

/// Returns the minimum along a task's segment, in closed form but for a root; `None` if its bounds are farther apart than
/// the gap.
fn on_segment(
    circle: &Circle,
    radius: f64,
    task: &Task<'_>,
    [cutoff, gap]: [f64; 2],
) -> Option<Option<Minimum>> {
    let [start, end] = [&task.root[0], &task.root[1]];
    let found = ring_segment::nearest(circle, [start, end]);
    let lower = found.lower - radius;
    if lower > cutoff {
        return Some(None);
    }
    if found.distance - found.lower > gap {
        return None;
    }
    let point = if found.t < 1.0 { start + (end - start) * found.t } else { *end };
    let sample = task.function.sample(&point);
    let weights = [1.0 - found.t, found.t, 0.0, 0.0];
    Some(Some(Minimum { weights, point, sample, lower: lower.min(sample.value), converged: true }))
}

/// The distance from a task's segment, triangle or tetrahedron.
struct DistanceFrom<'t>(&'t Task<'t>);

impl ImplicitFunction for DistanceFrom<'_> {
    fn sample(&self, point: &Point) -> Sample {
        let offset = point - self.0.nearest(point).0;
        let value = offset.norm();
        let gradient = if value > 0.0 { offset / value } else { offset };
        Sample { value, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        Aabb::from_points(self.0.root[..self.0.count].iter().copied()).grown(level)
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
}

/// A function along a circle.
struct Line<'a> {
    circle: &'a Circle,
    function: &'a dyn ImplicitFunction,
    is_convex: bool,
    /// The axes of the circle's plane; the first points to the solid.
    axes: [Vector; 2],
    /// The value at the circle's centre.
    at_center: f64,
}

impl<'a> Line<'a> {
    fn new(circle: &'a Circle, function: &'a dyn ImplicitFunction) -> Self {
        let middle = function.sample(&circle.center);
        let towards = direction::across(&-middle.gradient, &circle.axis);
        let first = direction::unit_or(&towards, &direction::any_perpendicular(&circle.axis));
        let axes = [first, circle.axis.cross(&first)];
        let is_convex = function.is_convex();
        Self { circle, function, is_convex, axes, at_center: middle.value }
    }

    fn point(&self, [x, y]: Turn) -> Point {
        self.circle.center + (self.axes[0] * x + self.axes[1] * y) * self.circle.radius
    }

    fn place(&self, turn: Turn) -> Place {
        let sample = self.function.sample(&self.point(turn));
        let [along_x, along_y] = self.axes.map(|axis| self.circle.radius * axis.dot(&sample.gradient));
        let constant = sample.value - (along_x * turn[0] + along_y * turn[1]);
        Place { turn, value: sample.value, tangent: Linear([constant, along_x, along_y]) }
    }

    /// Returns the lower bound by the tangent at one end of an arc with a chord of this length.
    fn tangent(&self, place: &Place, length: f64) -> Option<Linear> {
        if self.is_convex {
            return Some(place.tangent);
        }
        let concavity = self.function.concavity(&self.point(place.turn), length);
        if !concavity.is_finite() {
            return None;
        }
        let share = concavity * self.circle.radius * self.circle.radius;
        Some(place.tangent.with_chord(place.turn, -share))
    }

    fn arc(&self, from: Place, to: Place, number: usize) -> Arc {
        let width = chord(from.turn, to.turn);
        let length = width * self.circle.radius;
        let [p, q] = [from.turn, to.turn];
        let middle = unit([p[0] + q[0], p[1] + q[1]]).unwrap_or(p);
        // By the Lipschitz constant, 1.
        let known = 0.5 * (from.value + to.value - ARC * length);
        let tangents = (self.tangent(&from, length), self.tangent(&to, length));
        let (lower, next) = match tangents {
            (Some(first), Some(second)) => {
                let (lower, next) = least_of_the_higher(&first, &second, p, q);
                (lower.max(known), next)
            }
            _ => (known, middle),
        };
        let is_aside = [p, q].iter().all(|end| chord(*end, next) > ASIDE * width);
        Arc { ends: [from, to], lower, next: if is_aside { next } else { middle }, number }
    }
}

/// Returns a lower bound of the higher of two linear functions over an arc, which is its minimum up to rounding, and
/// where it is attained.
fn least_of_the_higher(f: &Linear, g: &Linear, from: Turn, to: Turn) -> (f64, Turn) {
    let of_f = f.lowest_on(from, to);
    if f.at(of_f) >= g.at(of_f) {
        return (f.at(of_f), of_f);
    }
    let of_g = g.lowest_on(from, to);
    if g.at(of_g) >= f.at(of_g) {
        return (g.at(of_g), of_g);
    }
    let known = f.at(of_f).max(g.at(of_g));
    let Some(crossing) = crossing(f, g, from, to) else {
        let between = unit([of_f[0] + of_g[0], of_f[1] + of_g[1]]);
        return (known, between.unwrap_or(of_f));
    };
    // Of all mixtures of both the one that is level at the crossing has the greatest minimum.
    let (falls, rises) = (f.slope(crossing), g.slope(crossing));
    let share = (falls / (falls - rises)).clamp(0.0, 1.0);
    let mixed = if share.is_nan() { known } else { f.mixed(g, share).least() };
    (known.max(mixed), crossing)
}

/// Returns where two linear functions are equal on an arc.
fn crossing(f: &Linear, g: &Linear, from: Turn, to: Turn) -> Option<Turn> {
    let [constant, along_x, along_y] = std::array::from_fn(|k| f.0[k] - g.0[k]);
    let [x, y] = unit([along_x, along_y])?;
    let height = -constant / (along_x * along_x + along_y * along_y).sqrt();
    let half = (1.0 - height * height).max(0.0).sqrt();
    let both = [half, -half].map(|half| [height * x - half * y, height * y + half * x]);
    both.into_iter().find(|turn| is_between(*turn, from, to))
}
