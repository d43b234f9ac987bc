//! Implicit bodies: two sides one of which is given by a function.
//!
//! The other side is a cell of a mesh, or a whole solid. In the frame of the function it moves: the vertices of a cell on straight ways,
//! a solid from pose to pose. The lowest value of the function over it has a certified lower bound at any time, and can fall
//! by no more than the Lipschitz constant times the displacement: from time to time it is proved that the two do not meet
//! (conservative advancement: B. V. Mirtich, "Impulse-based dynamic simulation of rigid body systems", 1996, section 2.3). At the end the
//! value is to be what it has to be kept at. Where that fails, the plane across the gradient takes the place of the plane between two
//! convex elements.

use super::element::Element;
use super::moves::Shape;
use super::step::{Step, When};
use nalgebra::Isometry3;
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{Minimum, Search};
use palpate_geometry::{Geometry, ImplicitBody, RigidMotion};
use palpate_math::{Point, Vector};

/// The gap of a search, relative to the size of what is searched.
const SEARCHED: f64 = 1e-9;

/// Searches of one motion.
const BUDGET: usize = 64;

/// The part of the value to be kept that a motion stays above on its way.
const ON_THE_WAY: f64 = 0.5;

/// The buffers of searches.
#[derive(Default)]
pub(super) struct Moved {
    search: Search,
    /// Copies of solids, by their part.
    solids: Vec<(usize, Box<dyn Geometry>)>,
}

impl Moved {
    pub(super) fn forget_solids(&mut self) {
        self.solids.clear();
    }
}

/// A part given by a function.
enum Function<'a> {
    Body(&'a ImplicitBody),
    HalfSpace(palpate_geometry::Plane),
}

impl Function<'_> {
    fn get(&self) -> &dyn ImplicitFunction {
        match self {
            Self::Body(body) => body.as_function(),
            Self::HalfSpace(plane) => plane,
        }
    }
}

/// What moves beside a function, in its frame.
enum Set {
    /// A cell of a mesh, at both ends.
    Cell {
        ends: [[Point; 3]; 2],
        count: usize,
    },
    Solid {
        part: usize,
        motion: RigidMotion,
    },
}

/// A cell or a solid that moves beside a function.
struct Relative<'a> {
    function: Function<'a>,
    set: Set,
    lipschitz: f64,
    /// The most that the value at a point of the set can change.
    fall: f64,
    /// Metres: what searches and rounding can make of a distance.
    slack: f64,
}

/// Where a motion is not proved to keep its distance: the time, and what was found there.
type Hit = (f64, Minimum);

/// The plane across the gradient where a motion is not proved.
pub(super) struct Plane {
    /// Unit, world frame, out of the function.
    pub(super) normal: Vector,
    pub(super) origin: Point,
    /// Metres: how far the end of the motion is beyond it.
    pub(super) missing: f64,
}

/// Whether one of two elements is a whole implicit body.
pub(super) fn is_asked(step: &Step<'_>, elements: [&Element; 2]) -> bool {
    elements.iter().any(|element| matches!(step.parts[element.part].shape, Shape::Implicit { .. }))
}

/// Two elements as they are at the start, the one with the function last, and the value that they keep with a distance `kept`:
/// `Ok(None)` if they are farther apart than `within`, an error if they touch.
pub(super) fn start(
    step: &Step<'_>,
    elements: [Element; 2],
    [kept, within]: [f64; 2],
    moved: &mut Moved,
) -> Result<Option<([Element; 2], f64)>, Touching> {
    let [set, function] = sides(step, elements).ok_or(Touching)?;
    let relative = Relative::new(step, &set, &function).ok_or(Touching)?;
    let found = relative.lowest(step, 0.0, within * relative.lipschitz, moved);
    let Some(found) = found else { return Ok(None) };
    if found.lower <= 0.0 {
        return Err(Touching);
    }
    Ok(Some(([set, function], (kept * relative.lipschitz).min(found.sample.value))))
}

/// Two elements that touch, or of which nothing can be proved.
pub(super) struct Touching;

/// The two as the moving set and the function; `None` if neither is bounded.
fn sides(step: &Step<'_>, [a, b]: [Element; 2]) -> Option<[Element; 2]> {
    let shape = |element: &Element| &step.parts[element.part].shape;
    let is_set = |element: &Element| match shape(element) {
        Shape::Mesh(_) | Shape::Solid { .. } => true,
        Shape::Implicit { reach, .. } => reach.is_finite(),
        Shape::HalfSpace { .. } => false,
    };
    let is_function = |element: &Element| !matches!(shape(element), Shape::Mesh(_) | Shape::Solid { .. });
    [[a, b], [b, a]].into_iter().find(|[set, function]| is_set(set) && is_function(function))
}

/// Where the motion of an element and a function is not proved to keep a value.
pub(super) fn first_hit(
    step: &Step<'_>,
    [set, function]: [&Element; 2],
    need: f64,
    moved: &mut Moved,
) -> Option<Plane> {
    if step.is_unmoved(set) && step.is_unmoved(function) {
        return None;
    }
    let nothing = Plane { normal: Vector::y(), origin: Point::origin(), missing: 0.0 };
    let Some(relative) = Relative::new(step, set, function) else { return Some(nothing) };
    let (time, found) = relative.first_hit(step, need, moved)?;
    Some(relative.plane(step, function, need, time, &found))
}

/// Takes from both sides what leads beyond a plane.
pub(super) fn divide(step: &mut Step<'_>, [a, b]: [&Element; 2], plane: &Plane, pair: usize) {
    let Plane { normal, origin, missing } = plane;
    let is_cell = !a.vertices().is_empty();
    let [material_a, material_b] =
        [a, b].map(|element| step.pose(element.part, When::End).inverse() * origin);
    let moved = |step: &Step<'_>, element: &Element, local: &Point| {
        let [start, end] = [When::Start, When::End].map(|when| step.pose(element.part, when) * *local);
        end - start
    };
    let lowest = |step: &Step<'_>, when| step.lowest(a, when, normal, origin);
    let (end, from_a) = if is_cell {
        let end = lowest(step, When::End);
        (end, lowest(step, When::Start) - end)
    } else {
        (0.0, -normal.dot(&moved(step, a, &material_a)))
    };
    let from = [from_a.max(0.0), normal.dot(&moved(step, b, &material_b)).max(0.0)];
    let [share_a, share_b] = step.shares([a, b], *missing, from);
    if is_cell {
        step.lift(a, (normal, origin), end + share_a, pair);
    } else {
        step.lift_point(a, &material_a, (normal, origin), share_a, pair);
    }
    step.lift_point(b, &material_b, (&-normal, origin), share_b, pair);
}

impl<'a> Relative<'a> {
    /// The motion of an element beside a function; `None` if the function has no Lipschitz constant.
    fn new(step: &Step<'a>, set: &Element, function: &Element) -> Option<Self> {
        let parts = step.parts;
        let frames = [When::Start, When::End].map(|when| step.pose(function.part, when).inverse());
        let (function, lipschitz) = match &parts[function.part].shape {
            Shape::Implicit { body, .. } => (Function::Body(body), body.lipschitz()?),
            Shape::HalfSpace { point, normal, .. } => {
                (Function::HalfSpace(palpate_geometry::Plane::new(*point, *normal).ok()?), 1.0)
            }
            Shape::Mesh(_) | Shape::Solid { .. } => return None,
        };
        let (set, way, size) = match &parts[set.part].shape {
            Shape::Mesh(_) => of_cell(step, set, &frames),
            Shape::Solid { geometry, reach } => of_solid(step, set.part, geometry.pose()?, *reach, &frames),
            Shape::Implicit { body, reach } => of_solid(step, set.part, *body.pose(), *reach, &frames),
            Shape::HalfSpace { .. } => return None,
        };
        let slack = 4.0 * SEARCHED * size + step.tolerance;
        Some(Self { function, set, lipschitz, fall: lipschitz * way, slack })
    }

    /// The lowest value at a time, if it is at most a cutoff.
    fn lowest(&self, step: &Step<'_>, time: f64, cutoff: f64, moved: &mut Moved) -> Option<Minimum> {
        let function = self.function.get();
        let Moved { search, solids } = moved;
        match &self.set {
            Set::Cell { ends: [start, end], count } => {
                let corners = [0, 1, 2].map(|k| between(&start[k], &end[k], time));
                search.below(function, &corners[..*count], cutoff)
            }
            Set::Solid { part, motion } => {
                let index = solids.iter().position(|(owner, _)| owner == part).or_else(|| {
                    let copy = match &step.parts[*part].shape {
                        Shape::Solid { geometry, .. } => geometry.try_clone(),
                        Shape::Implicit { body, .. } => body.try_clone(),
                        _ => None,
                    };
                    solids.push((*part, copy?));
                    Some(solids.len() - 1)
                });
                let unknown = || least_known(function, &Point::from(motion.origin(time)));
                let Some(index) = index else { return Some(unknown()) };
                let solid = &mut solids[index].1;
                if solid.set_pose(motion.at(time)).is_err() {
                    return Some(unknown());
                }
                let Some(within) = solid.as_implicit() else { return Some(unknown()) };
                let bounds = within.sublevel_bounds(0.0);
                search
                    .below_in_body(function, within, &bounds.into(), cutoff)
                    .or_else(|| search.undecided().then(unknown))
            }
        }
    }

    /// Where the motion first is not proved to keep a value at its end, and a part of it on the way.
    fn first_hit(&self, step: &Step<'_>, need: f64, moved: &mut Moved) -> Option<Hit> {
        if let Some(found) = self.lowest(step, 1.0, need, moved)
            && found.lower < need - self.lipschitz * self.slack
        {
            return Some((1.0, found));
        }
        let (level, mut time) = (ON_THE_WAY * need, 0.0);
        for _ in 0..BUDGET {
            let reach = self.fall * (1.0 - time) * (1.0 + 32.0 * f64::EPSILON);
            let found = self.lowest(step, time, level + reach, moved)?;
            let above = found.lower - level;
            if above > reach {
                return None;
            }
            if above <= 0.0 {
                return Some((time, found));
            }
            time += above / self.fall * (1.0 - 32.0 * f64::EPSILON);
            if time >= 1.0 {
                return None;
            }
        }
        self.lowest(step, time, f64::INFINITY, moved).map(|found| (time, found))
    }

    /// The plane across the gradient at a hit.
    fn plane(&self, step: &Step<'_>, function: &Element, need: f64, time: f64, found: &Minimum) -> Plane {
        let slope = found.sample.gradient.norm();
        let local = found.sample.gradient.try_normalize(0.0).unwrap_or_else(Vector::y);
        let at_end = match &self.set {
            Set::Cell { ends: [_, end], count } => {
                let corners = end[..*count].iter().zip(&found.weights);
                Point::from(
                    corners.fold(Vector::zeros(), |sum, (corner, weight)| sum + corner.coords * *weight),
                )
            }
            Set::Solid { motion, .. } => motion.current() * (motion.at(time).inverse() * found.point),
        };
        let frame = step.pose(function.part, When::End);
        let below = (need - found.sample.value) / slope.max(f64::MIN_POSITIVE);
        let past = local.dot(&(found.point - at_end));
        Plane {
            normal: frame.rotation * local,
            origin: frame * at_end,
            missing: below.max(0.0) + past + 2.0 * self.slack,
        }
    }
}

fn between(start: &Point, end: &Point, time: f64) -> Point {
    Point::from(start.coords * (1.0 - time) + end.coords * time)
}

/// What is said of a search without a result: everything is possible.
fn least_known(function: &dyn ImplicitFunction, point: &Point) -> Minimum {
    let sample = function.sample(point);
    Minimum { weights: [0.0; 4], point: *point, sample, lower: f64::NEG_INFINITY, converged: false }
}

/// A cell, how far a point of it goes, and its size.
fn of_cell(step: &Step<'_>, cell: &Element, frames: &[Isometry3<f64>; 2]) -> (Set, f64, f64) {
    let (mut ends, count) = ([[Point::origin(); 3]; 2], cell.vertices().len());
    for ((corners, when), frame) in ends.iter_mut().zip([When::Start, When::End]).zip(frames) {
        for (corner, id) in corners.iter_mut().zip(cell.vertices()) {
            *corner = frame * step.position(cell.part, *id, when);
        }
    }
    let [start, end] = &ends;
    let way = (0..count).map(|k| (end[k] - start[k]).norm()).fold(0.0, f64::max);
    let size =
        (1..count).map(|k| (start[k] - start[0]).norm().max((end[k] - end[0]).norm())).fold(0.0, f64::max);
    (Set::Cell { ends, count }, way, size)
}

/// A solid with its own pose in the frame of its body, and the same of it.
fn of_solid(
    step: &Step<'_>,
    part: usize,
    own: Isometry3<f64>,
    reach: f64,
    frames: &[Isometry3<f64>; 2],
) -> (Set, f64, f64) {
    let [start, end] = [When::Start, When::End].map(|when| step.pose(part, when) * own);
    let motion = RigidMotion::new(&(frames[0] * start), &(frames[1] * end));
    // About the origin of its own pose it is no larger than twice its reach from that of the body.
    let size = 2.0 * reach;
    let way = (motion.origin(1.0) - motion.origin(0.0)).norm() + motion.rotation_angle() * size;
    (Set::Solid { part, motion }, way, size)
}
