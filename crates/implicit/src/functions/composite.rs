//! Composite bodies: union, intersection, difference; the [offset](super::Offset) has a file of its own.
//!
//! The value of a composite of signed distances (Quilez 2008, "Modeling with distance functions"; the bounds are those
//! of distances to sets):
//!
//! | composite | value | is the distance |
//! |---|---|---|
//! | union | the minimum | outside |
//! | intersection, difference | the maximum | inside |
//! | offset outward | the value minus the offset | outside; for a convex body inside, too |
//! | offset inward | the value minus the offset | inside |
//!
//! Elsewhere its magnitude never exceeds the distance, since the Lipschitz constant is at most the greatest of the
//! parts'.

use super::complement::Complement;
use super::shell::floor_of_shell;
use crate::base::{Cell, CellValues, EdgeSplit, Exactness, GeometryError, OrientedBounds, Sample};
use crate::bounds::below_the_higher;
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_math::{Aabb, Point, Vector};
use std::sync::Arc;

type Part = Arc<dyn ImplicitFunction>;

/// The union of several bodies. Ties go to the first part.
#[derive(Clone)]
pub struct Union {
    parts: Vec<Part>,
}

impl Union {
    /// Creates the union of one or more bodies. Errors: an empty list.
    pub fn new(parts: Vec<Part>) -> Result<Self, GeometryError> {
        Ok(Self { parts: some(parts, "a union")? })
    }
}

impl ImplicitFunction for Union {
    fn sample(&self, point: &Point) -> Sample {
        extreme(&self.parts, point, |value, best| value < best)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.parts.iter().fold(Aabb::EMPTY, |all, part| all.merged(&part.sublevel_bounds(level)))
    }

    fn lipschitz(&self) -> Option<f64> {
        fastest(&self.parts)
    }

    fn resolution(&self) -> f64 {
        coarsest(&self.parts)
    }

    fn exactness(&self) -> Exactness {
        let all = exactness(&self.parts);
        Exactness { inside: all.inside && self.parts.len() == 1, ..all }
    }

    fn is_convex(&self) -> bool {
        self.parts.len() == 1 && self.parts[0].is_convex()
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let bounds = self.parts.iter().map(|part| part.bound_below(cell));
        bounds.reduce(|a, b| std::array::from_fn(|k| a[k].min(b[k]))).unwrap_or(cell.constant(f64::INFINITY))
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Union { own: self, of: &self.parts })
    }

    fn content(&self) -> Vec<f64> {
        content(1.0, &self.parts)
    }
}

impl Structure for Union {
    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        // The union is below each of its parts: use that with the lowest maximum.
        let highest =
            |a: &CellValues| a[..cell.corners.len()].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let bounds = self.parts.iter().map(|part| part.bound_above(cell));
        bounds
            .reduce(|a, b| if highest(&b) < highest(&a) { b } else { a })
            .unwrap_or(cell.constant(f64::INFINITY))
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.parts.iter().find_map(|part| part.edge_split(cell))
    }

    fn floor(&self) -> f64 {
        self.parts.iter().map(|part| part.floor()).fold(f64::INFINITY, f64::min)
    }

    fn support_point(&self, direction: &Vector) -> Option<Point> {
        let mut farthest: Option<Point> = None;
        for part in &self.parts {
            let point = part.support_point(direction)?;
            if farthest.is_none_or(|best| point.coords.dot(direction) > best.coords.dot(direction)) {
                farthest = Some(point);
            }
        }
        farthest
    }

    fn over_parts(&self, visit: &mut dyn FnMut(&dyn ImplicitFunction)) -> bool {
        for part in &self.parts {
            if !part.over_parts(visit) {
                visit(part.as_ref());
            }
        }
        true
    }
}

/// The intersection of several bodies. Ties go to the first part.
#[derive(Clone)]
pub struct Intersection {
    parts: Vec<Part>,
    /// No value is below this.
    floor: f64,
}

impl Intersection {
    /// Creates the intersection of one or more bodies. Errors: an empty list.
    pub fn new(parts: Vec<Part>) -> Result<Self, GeometryError> {
        Ok(Self::of(some(parts, "an intersection")?))
    }

    fn of(parts: Vec<Part>) -> Self {
        let floor = floor_of_intersection(&parts);
        Self { parts, floor }
    }

    /// Creates the difference: the first of one or more bodies minus all the others. Errors: an empty list.
    pub fn difference(parts: Vec<Part>) -> Result<Self, GeometryError> {
        let mut parts = some(parts, "a difference")?;
        for part in parts.iter_mut().skip(1) {
            *part = Arc::new(Complement { part: part.clone() });
        }
        Ok(Self::of(parts))
    }
}

/// Returns a lower bound of the maximum of several functions: the highest of the parts' own bounds, and of the bounds of shells
/// (a part and the complement of another).
fn floor_of_intersection(parts: &[Part]) -> f64 {
    let of_parts = parts.iter().map(|part| part.floor()).fold(f64::NEG_INFINITY, f64::max);
    let shells = parts.iter().flat_map(|part| parts.iter().map(move |other| (part, other)));
    let of_shells = shells.filter_map(|(part, other)| match other.describe() {
        Some(Description::Complement { of, .. }) => floor_of_shell(part.as_ref(), of.as_ref()),
        _ => None,
    });
    of_shells.fold(of_parts, f64::max)
}

impl ImplicitFunction for Intersection {
    fn sample(&self, point: &Point) -> Sample {
        extreme(&self.parts, point, |value, best| value > best)
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        self.parts.iter().fold(Aabb::ALL, |all, part| all.intersection(&part.sublevel_bounds(level)))
    }

    fn lipschitz(&self) -> Option<f64> {
        fastest(&self.parts)
    }

    fn resolution(&self) -> f64 {
        coarsest(&self.parts)
    }

    fn exactness(&self) -> Exactness {
        let all = exactness(&self.parts);
        Exactness { outside: all.outside && self.parts.len() == 1, ..all }
    }

    fn is_convex(&self) -> bool {
        self.parts.iter().all(|part| part.is_convex())
    }

    fn bound_below(&self, cell: &Cell<'_>) -> CellValues {
        let bounds = self.parts.iter().map(|part| part.bound_below(cell));
        bounds
            .reduce(|a, b| below_the_higher(&a, &b, cell.corners.len()))
            .unwrap_or(cell.constant(f64::NEG_INFINITY))
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Intersection { own: self, of: &self.parts })
    }

    fn content(&self) -> Vec<f64> {
        content(2.0, &self.parts)
    }
}

impl Structure for Intersection {
    fn bounds_below(&self, cell: &Cell<'_>, visit: &mut dyn FnMut(CellValues) -> bool) {
        for part in &self.parts {
            let mut is_enough = false;
            part.bounds_below(cell, &mut |bound| {
                is_enough = visit(bound);
                is_enough
            });
            if is_enough {
                return;
            }
        }
    }

    fn bound_above(&self, cell: &Cell<'_>) -> CellValues {
        let bounds = self.parts.iter().map(|part| part.bound_above(cell));
        bounds.reduce(|a, b| std::array::from_fn(|k| a[k].max(b[k]))).unwrap_or(cell.constant(f64::INFINITY))
    }

    fn convex_part(&self, visit: &mut dyn FnMut(&dyn ImplicitFunction)) {
        if let Some(part) = self.parts.iter().find(|part| part.is_convex()) {
            visit(part.as_ref());
        }
    }

    fn tangents(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        for part in &self.parts {
            part.tangents(point, visit);
        }
    }

    fn edge_split(&self, cell: &Cell<'_>) -> Option<EdgeSplit> {
        self.parts.iter().find_map(|part| part.edge_split(cell))
    }

    fn floor(&self) -> f64 {
        self.floor
    }

    fn lowest_near(&self, point: &Point) -> Option<Point> {
        lowest_of_parts(self, &self.parts, point)
    }

    /// The support point of one part, if it is in all the others.
    fn support_point(&self, direction: &Vector) -> Option<Point> {
        let in_the_others = |(index, point): (usize, Point)| {
            let others = self.parts.iter().enumerate().filter(|(other, _)| *other != index);
            others.into_iter().all(|(_, part)| part.sample(&point).value <= 0.0).then_some(point)
        };
        let points = self.parts.iter().enumerate();
        let mut points = points.filter_map(|(index, part)| Some((index, part.support_point(direction)?)));
        points.find_map(in_the_others)
    }

    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        // A difference is contained in its first part, and an intersection in each.
        self.parts[0].oriented_bounds()
    }

    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        for part in &self.parts {
            let sample = part.sample(point);
            visit(part.tangent_height(point, &sample), sample.gradient);
            part.pieces(point, visit);
        }
    }
}

/// Checks that there is at least one part.
pub(super) fn some(parts: Vec<Part>, what: &str) -> Result<Vec<Part>, GeometryError> {
    if parts.is_empty() {
        return Err(GeometryError::Empty { what: format!("the list of {what}'s bodies") });
    }
    Ok(parts)
}

/// Returns the greatest Lipschitz constant of the parts, if all have one.
pub(super) fn fastest(parts: &[Part]) -> Option<f64> {
    parts.iter().try_fold(0.0_f64, |most, part| part.lipschitz().map(|rate| rate.max(most)))
}

/// Returns the coarsest resolution of the parts.
pub(super) fn coarsest(parts: &[Part]) -> f64 {
    parts.iter().map(|part| part.resolution()).fold(0.0, f64::max)
}

/// Returns where a part is least, close to a point: of these places the one at which the whole is least.
pub(super) fn lowest_of_parts(whole: &impl ImplicitFunction, parts: &[Part], point: &Point) -> Option<Point> {
    let of_parts = parts.iter().filter_map(|part| part.lowest_near(point));
    let values = of_parts.map(|place| (whole.sample(&place).value, place));
    values.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, place)| place)
}

/// Returns the exactness common to all parts.
fn exactness(parts: &[Part]) -> Exactness {
    parts.iter().map(|part| part.exactness()).fold(Exactness::DISTANCE, |all, one| Exactness {
        inside: all.inside && one.inside,
        outside: all.outside && one.outside,
    })
}

/// Returns the sort keys of all parts, after a number that identifies the composite.
pub(super) fn content(sort: f64, parts: &[Part]) -> Vec<f64> {
    let mut content = vec![sort, parts.len() as f64];
    content.extend(parts.iter().flat_map(|part| part.content()));
    content
}

/// Returns the best of the samples; ties go to the first.
fn extreme(parts: &[Part], point: &Point, better: impl Fn(f64, f64) -> bool) -> Sample {
    let mut best = parts[0].sample(point);
    for part in &parts[1..] {
        let sample = part.sample(point);
        if better(sample.value, best.value) {
            best = sample;
        }
    }
    best
}
