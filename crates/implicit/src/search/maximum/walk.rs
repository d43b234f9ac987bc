//! Lowers a corner of the polytope with the level.

use super::clipped::{Clipped, Corner, Side};
use super::problem::{Limit, Problem, Progress};
use palpate_math::{Point, Vector};

/// Iteration limits: how often the corner changes its sides, how many of these are made, and Newton's method for the entry to a
/// hole.
const MOST_TURNS: usize = 16;
const MOST_MADE: usize = 10;
const MOST_STEPS: usize = 8;

/// Slopes below this, of functions whose gradients have about the length one, are rounding error.
const LEVEL: f64 = 1e-9;

/// How much of its gap Newton's method is accurate to.
const ACCURACY: f64 = 0.25;

/// Where three sides meet, for every level: `base + way * level`.
#[derive(Clone, Copy, Debug)]
struct Ray {
    base: Vector,
    way: Vector,
}

impl Ray {
    /// `None` for sides that have no common point, or more than one.
    fn new(sides: [&Side; 3]) -> Option<Self> {
        let [a, b, c] = sides;
        let across = [b.normal.cross(&c.normal), c.normal.cross(&a.normal), a.normal.cross(&b.normal)];
        let volume = a.normal.dot(&across[0]);
        if volume.abs() < LEVEL {
            return None;
        }
        let sum = |number: [f64; 3]| -> Vector {
            (across[0] * number[0] + across[1] * number[1] + across[2] * number[2]) / volume
        };
        Some(Self { base: sum(sides.map(|side| side.offset)), way: sum(sides.map(|side| side.rate)) })
    }

    fn at(&self, level: f64) -> Point {
        Point::from(self.base + self.way * level)
    }
}

impl Problem<'_> {
    /// Lowers the level at a corner until it enters a hole: at first it slides along its sides, then along those that stop it.
    /// Tangents of what is in the way become sides that cut nothing off. Tries the places on the way.
    pub(super) fn walk(&self, polytope: &mut Clipped, corner: &Corner, progress: &mut Progress) {
        let first = progress.level;
        let (mut on, mut level) = (corner.sides, first);
        let Some(mut ray) = ray_on(polytope, on) else { return };
        let known = polytope.sides.len();
        let mut made = 0;
        for _ in 0..MOST_TURNS {
            let (stop, mut by) = stopped(polytope, &ray, &on, level);
            let (entry, hole) = self.entry(&ray, level, stop);
            let mut end = entry.min(level);
            if !end.is_finite() {
                break;
            }
            let side = match (self.risen(&ray, end), hole) {
                (Some((rise, number)), _) => {
                    let side = self.tangent(number, &ray.at(end), end);
                    end = rise.min(level);
                    Some(side)
                }
                (None, Some(hole)) => Some(self.guide(hole, &ray.at(end))),
                (None, None) => None,
            };
            if let Some(side) = side {
                by = None;
                if made < MOST_MADE {
                    made += 1;
                    by = Some(polytope.sides.len() as u32);
                    polytope.sides.push(side);
                }
            }
            if end < first - self.gap && end < level {
                self.try_inside(polytope, &ray.at(end), progress);
            }
            level = end;
            let Some(next) = by.and_then(|by| turned(polytope, on, by)) else { break };
            (on, ray) = next;
        }
        polytope.forget_guides(known);
    }

    /// Returns the tangent of a hole at a place on its surface: what is above it is outside the hole.
    fn guide(&self, hole: usize, point: &Point) -> Side {
        let Limit { rate, .. } = self.holes[hole];
        let sample = self.holes[hole].sample(point);
        let normal = -sample.gradient;
        let offset = normal.dot(&point.coords) + sample.value;
        Side { normal, offset, rate, is_guide: true }
    }

    /// Returns the lowest level along a ray, from one where the place is outside all holes, before it enters one, and that hole;
    /// not below `stop`. A hole's function is convex along the ray, so that Newton's method does not pass the entry.
    fn entry(&self, ray: &Ray, from: f64, stop: f64) -> (f64, Option<usize>) {
        let mut level = from;
        for _ in 0..MOST_STEPS {
            let point = ray.at(level);
            let mut next = (stop, None);
            for (number, hole) in self.holes.iter().enumerate() {
                let sample = hole.sample(&point);
                let beyond = sample.value + hole.rate * level;
                let slope = sample.gradient.dot(&ray.way) + hole.rate;
                if slope > LEVEL {
                    let entry = level - beyond / slope;
                    if entry > next.0 {
                        next = (entry, Some(number));
                    }
                } else if beyond < -self.slack {
                    return (from, None);
                }
            }
            if level - next.0 <= ACCURACY * self.gap {
                return (level.min(next.0), next.1);
            }
            level = next.0;
            if level <= stop {
                return (stop, None);
            }
        }
        (level, None)
    }

    /// Returns the highest level at which a tangent, at the place of a lower level, stops a ray, and the number of its function.
    fn risen(&self, ray: &Ray, level: f64) -> Option<(f64, usize)> {
        let point = ray.at(level);
        let mut highest: Option<(f64, usize)> = None;
        for (number, limit) in self.limits.iter().enumerate() {
            let sample = limit.sample(&point);
            let above = sample.value - limit.rate * level;
            let slope = sample.gradient.dot(&ray.way) - limit.rate;
            if above > self.gap && slope < -LEVEL {
                let stop = level - above / slope;
                if stop > highest.map_or(level, |(stop, _)| stop) {
                    highest = Some((stop, number));
                }
            }
        }
        highest
    }
}

fn ray_on(polytope: &Clipped, on: [u32; 3]) -> Option<Ray> {
    Ray::new(on.map(|side| &polytope.sides[side as usize]))
}

/// Returns the level at which a side first stops a ray, and that side.
fn stopped(polytope: &Clipped, ray: &Ray, on: &[u32; 3], level: f64) -> (f64, Option<u32>) {
    let from = ray.at(level);
    let mut first = (f64::NEG_INFINITY, None);
    for (number, side) in (0..).zip(&polytope.sides) {
        let slope = side.normal.dot(&ray.way) - side.rate;
        if slope < -LEVEL && !on.contains(&number) {
            let stop = level - side.height(&from, level).min(0.0) / slope;
            if stop > first.0 {
                first = (stop, Some(number));
            }
        }
    }
    first
}

/// Returns the sides and the ray along which a corner is lowered on, when another side has stopped it: in place of the side
/// that it leaves. `None` if it leaves none, and is as low as it gets.
fn turned(polytope: &Clipped, on: [u32; 3], by: u32) -> Option<([u32; 3], Ray)> {
    (0..3).find_map(|k| {
        let left = &polytope.sides[on[k] as usize];
        let mut turned = on;
        turned[k] = by;
        let ray = ray_on(polytope, turned)?;
        (left.normal.dot(&ray.way) - left.rate >= -LEVEL * LEVEL).then_some((turned, ray))
    })
}
