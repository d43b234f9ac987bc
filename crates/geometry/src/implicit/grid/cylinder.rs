//! The least value of a signed distance grid over a solid cylinder, with a certified lower bound.
//!
//! It is at a sample in the cylinder or on its surface, which is searched cell by cell. In a cell the surface is covered by
//! sectors, each behind a facet: [`Curve`]. A sector whose bound is too low is divided about the place that its facet found.
//! There the bound is exact to third order in the sector's angle. The sectors with the lowest bounds come first.

use super::crossed::{Crossed, ROUNDING, Stalled, SurfaceSearch, take_lowest};
use super::curve::{Curve, Surface};
use super::facet::{Facet, Least};
use super::plane::Plane;
use super::polygon::Polygon;
use super::samples::Grid;
use crate::implicit::{CylinderDomain, ImplicitFunction, LeastInSolid, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector, direction};
use std::f64::consts::PI;

/// The most sectors that wait for their search, and the most before some are searched.
const MOST_WAITING: usize = 160;
const MOST_AT_FIRST: usize = 96;

/// The most sectors in all.
const MOST_SECTORS: usize = 1000;

/// Half the angle of the widest sector.
const WIDEST: f64 = PI / 12.0;

/// How much narrower the sector about the place that was found is.
const NARROWER: f64 = 0.25;

/// How close to the best value that of a sector's place is, relative to what its bound lacks, for a sector about it.
const CLOSE: f64 = 0.1;

/// The narrowest sector, in radians: its distance from its facet is below rounding.
const NARROWEST: f64 = 1e-8;

/// A part of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Side,
    /// The disk at an end, on this side of the centre.
    End(f64),
    /// Only the interior of that disk is in the cell: the facet is the disk.
    Disk(f64),
}

/// A sector of a part in a cell, and a lower bound of the values on it.
#[derive(Clone, Copy, Debug)]
struct Sector {
    lower: f64,
    cell: [usize; 3],
    part: Part,
    /// Its angles.
    low: f64,
    high: f64,
}

struct Best {
    value: f64,
    point: Point,
}

/// What a facet found.
struct Found {
    /// A lower bound over the sector.
    lower: f64,
    /// The angle of a place, and the value there.
    angle: f64,
    value: f64,
}

struct CylinderSearch<'a> {
    grid: &'a Grid,
    domain: &'a CylinderDomain,
    /// Two units across the axis.
    across: [Vector; 2],
    best: Best,
    /// A lower bound of all that was searched.
    lower: f64,
    /// Values above this are of no use.
    cutoff: f64,
    gap: f64,
    slack: f64,
    sectors: usize,
    waiting: ArrayVec<Sector, MOST_WAITING>,
}

impl Grid {
    /// Returns the least value over a cylinder, as
    /// [`least_in_cylinder`](crate::implicit::ImplicitFunction::least_in_cylinder). `None` if the minimum may be outside the
    /// lattice's box, or be set by the distance to its sides, or if the bound is not reached.
    pub(super) fn least_in(&self, domain: &CylinderDomain, cutoff: f64, gap: f64) -> Option<LeastInSolid> {
        if !self.is_whole {
            return None;
        }
        let CylinderDomain { center, axis, radius, half_height } = *domain;
        let first = direction::any_perpendicular(&axis);
        let across = [first, axis.cross(&first)];
        let reach = radius + half_height + center.coords.amax() * (64.0 * f64::EPSILON);
        let mut search = CylinderSearch {
            grid: self,
            domain,
            across,
            best: Best { value: f64::INFINITY, point: center },
            lower: f64::INFINITY,
            cutoff: cutoff.min(self.least_outside),
            gap,
            slack: ROUNDING * reach,
            sectors: 0,
            waiting: ArrayVec::new(),
        };
        let [u, v] = across;
        let bounds = OrientedBounds { center, half: [u * radius, v * radius, axis * half_height] };
        let overlaps = |point: &Point, reach: f64| {
            let slack = if reach > 0.0 { reach + search.slack } else { 0.0 };
            search.height(point) <= slack
        };
        if let Some(point) = self.lowest_sample(&bounds, &overlaps, search.cutoff) {
            search.consider(point);
        }
        self.over_crossed(&bounds, &mut search).ok()?;
        search.search_waiting().ok()?;
        let CylinderSearch { best, lower, .. } = search;
        // Outside the box all values may be of use.
        if best.value > self.least_outside && cutoff > self.least_outside {
            return None;
        }
        Some(LeastInSolid { point: best.point, lower: lower.min(best.value) })
    }
}

impl SurfaceSearch for CylinderSearch<'_> {
    fn is_crossed(&self, center: &Point, radius: f64) -> bool {
        self.height(center).abs() <= radius + self.slack
    }

    fn limit(&self) -> f64 {
        self.cutoff.min(self.best.value - self.gap)
    }

    fn leave_out(&mut self, lower: f64) {
        self.lower = self.lower.min(lower);
    }

    fn take(&mut self, crossed: &Crossed) -> Result<(), Stalled> {
        let CylinderDomain { center, axis, radius, half_height } = *self.domain;
        let reach = crossed.radius + self.slack;
        let from = crossed.center - center;
        let along = from.dot(&axis);
        let aside = from - axis * along;
        let distance = aside.norm();
        let height_of_center = axis.dot(&center.coords);
        // Behind all planes that touch the cylinder and cross the cell, and on each of its parts.
        let mut behind = f64::NEG_INFINITY;
        let mut on_parts: ArrayVec<(f64, Part), 3> = ArrayVec::new();
        for side in [-1.0, 1.0] {
            let height = side * along - half_height;
            if height >= -reach {
                let offset = side * height_of_center + half_height;
                let [at_most, on_end] =
                    crossed.below_plane(&(axis * side), offset, [-self.slack, self.slack]);
                behind = behind.max(at_most);
                let is_in_disk = distance + reach <= radius;
                on_parts.push((on_end, if is_in_disk { Part::Disk(side) } else { Part::End(side) }));
            }
        }
        if distance - radius >= -reach {
            let mut on_side = f64::NEG_INFINITY;
            if distance > reach {
                let normal = aside / distance;
                // Where the angle is at most that of the cell.
                let sin = reach / distance;
                let sag = radius * sin * sin / (1.0 + (1.0 - sin * sin).sqrt());
                let offset = normal.dot(&center.coords) + radius;
                let at_most: f64;
                [at_most, on_side] = crossed.below_plane(&normal, offset, [-sag - self.slack, self.slack]);
                behind = behind.max(at_most);
            }
            on_parts.push((on_side, Part::Side));
        }
        for (lower, part) in on_parts {
            let lower = lower.max(behind);
            if lower > self.limit() {
                self.leave_out(lower);
            } else {
                self.wait_in_cell(crossed, part, lower, &aside, distance)?;
            }
        }
        Ok(())
    }
}

impl<'a> CylinderSearch<'a> {
    /// Returns the height of a point over the surface, less than its distance where both the side and an end are closest.
    fn height(&self, point: &Point) -> f64 {
        let CylinderDomain { center, axis, radius, half_height } = *self.domain;
        let from = point - center;
        let along = from.dot(&axis);
        (along.abs() - half_height).max((from - axis * along).norm() - radius)
    }

    fn consider(&mut self, point: Point) -> f64 {
        let value = self.grid.sample(&point).value;
        if value < self.best.value {
            self.best = Best { value, point };
        }
        value
    }

    /// Adds the sectors of a part in a cell to those that wait, given the way from the axis to the cell's centre.
    fn wait_in_cell(
        &mut self,
        crossed: &Crossed,
        part: Part,
        lower: f64,
        aside: &Vector,
        distance: f64,
    ) -> Result<(), Stalled> {
        let [u, v] = self.across;
        let middle = libm::atan2(aside.dot(&v), aside.dot(&u));
        let reach = crossed.radius + self.slack;
        let half = if distance > reach { libm::asin(reach / distance) } else { PI };
        let count = if let Part::Disk(_) = part { 1.0 } else { (half / WIDEST).ceil() };
        let width = 2.0 * half / count;
        for number in 0..count as usize {
            let low = middle - half + number as f64 * width;
            self.wait(Sector { lower, cell: crossed.cell, part, low, high: low + width })?;
        }
        if self.waiting.len() > MOST_AT_FIRST { self.search_waiting() } else { Ok(()) }
    }

    fn wait(&mut self, sector: Sector) -> Result<(), Stalled> {
        self.waiting.try_push(sector).map_err(|_| Stalled)
    }

    /// Searches the sectors that wait, the lowest first: it leaves out more of the others.
    fn search_waiting(&mut self) -> Result<(), Stalled> {
        while let Some(sector) = take_lowest(&mut self.waiting, |sector| sector.lower) {
            if sector.lower > self.limit() {
                self.leave_out(sector.lower);
                self.waiting.clear();
                break;
            }
            self.search_sector(&sector)?;
        }
        Ok(())
    }

    /// Searches a sector; divides it if its bound is too low.
    fn search_sector(&mut self, sector: &Sector) -> Result<(), Stalled> {
        self.sectors += 1;
        let Sector { part, low, high, .. } = *sector;
        let half = 0.5 * (high - low);
        let Found { lower, angle, value } = self.facet_minimum(sector)?;
        if lower > self.limit() {
            self.leave_out(lower);
            return Ok(());
        }
        if half < NARROWEST || self.sectors > MOST_SECTORS || matches!(part, Part::Disk(_)) {
            return Err(Stalled);
        }
        // Where the place is as low as any, the sector about it is exact to third order. Elsewhere half the angle is enough.
        let is_low = value - self.best.value <= CLOSE * (self.best.value - lower);
        if !is_low {
            let middle = 0.5 * (low + high);
            self.wait(Sector { lower, high: middle, ..*sector })?;
            return self.wait(Sector { lower, low: middle, ..*sector });
        }
        let around = NARROWER * half;
        let (from, to) = ((angle - around).max(low), (angle + around).min(high));
        self.wait(Sector { lower, low: from, high: to, ..*sector })?;
        if from > low {
            self.wait(Sector { lower, high: from, ..*sector })?;
        }
        if to < high {
            self.wait(Sector { lower, low: to, ..*sector })?;
        }
        Ok(())
    }

    /// Searches the facet of a sector and considers the point behind the place that it finds.
    fn facet_minimum(&mut self, sector: &Sector) -> Result<Found, Stalled> {
        let Sector { cell, part, low, high, .. } = *sector;
        let middle = 0.5 * (low + high);
        let (facet, polygon, unit) = match part {
            Part::Disk(side) => self.disk(side, cell),
            _ => self.facet(part, middle, 0.5 * (high - low)),
        };
        let mut found = Found { lower: f64::INFINITY, angle: middle, value: f64::INFINITY };
        let grown = facet
            .curve
            .as_ref()
            .map_or([Vector::zeros(); 2], |curve| curve.grown(&self.grid.lattice.spacing));
        let mut room = [Polygon::default(), Polygon::default()];
        let Some(inside) = facet.within_cell(&polygon, cell, &grown, &mut room)? else { return Ok(found) };
        let mut least = Least::below(self.limit(), 0.25 * self.gap);
        facet.search_cell(cell, inside, &mut least)?;
        found.lower = least.lower();
        if least.value.is_finite() {
            let [x, y] = least.at.map(|coordinate| coordinate * unit);
            let CylinderDomain { radius, half_height, .. } = *self.domain;
            let point = match part {
                Part::Disk(_) => {
                    let position = facet.plane.position(&least.at);
                    let lattice = &self.grid.lattice;
                    lattice.origin + position.component_mul(&lattice.spacing)
                }
                Part::Side => {
                    found.angle += libm::asin((x / radius).clamp(-1.0, 1.0));
                    self.on_surface(found.angle, radius, y)
                }
                Part::End(side) => {
                    found.angle += if y > 0.0 { libm::atan2(x, y) } else { 0.0 };
                    self.on_surface(found.angle, y, side * half_height)
                }
            };
            found.value = self.consider(point);
        }
        Ok(found)
    }

    /// Returns the point at an angle, a distance from the axis, and a position along it.
    fn on_surface(&self, angle: f64, distance: f64, along: f64) -> Point {
        let [u, v] = self.across;
        let (sin, cos) = libm::sincos(angle);
        self.domain.center + (u * cos + v * sin) * distance + self.domain.axis * along
    }

    /// Returns the plane that touches a sector along its middle, the polygon in it that covers the sector, and the metres of
    /// its coordinates.
    fn facet(&self, part: Part, middle: f64, half: f64) -> (Facet<'a>, Polygon, f64) {
        let CylinderDomain { center, axis, radius, half_height } = *self.domain;
        let [u, v] = self.across;
        let (sin, cos) = libm::sincos(middle);
        let (normal, tangent) = (u * cos + v * sin, v * cos - u * sin);
        let unit = self.grid.lattice.spacing.max();
        let (sin, cos) = libm::sincos(half);
        let (surface, origin, second, corners, sag) = match part {
            Part::End(side) | Part::Disk(side) => {
                let (x, y) = (radius * sin / (cos * unit), radius / unit);
                let corners = Polygon::triangle([[0.0, 0.0], [x, y], [-x, y]]);
                let sag = radius * (1.0 - cos) / cos;
                (Surface::End, center + axis * (side * half_height), normal, corners, sag)
            }
            Part::Side => {
                let (x, y) = (radius * sin / unit, half_height / unit);
                let corners = Polygon::rectangle([x, y]);
                (Surface::Side, center + normal * radius, axis, corners, radius * (1.0 - cos))
            }
        };
        let curve = Curve { surface, unit, radius, normal, tangent, half: [cos, sin], sag };
        (Facet { plane: self.plane(origin, [tangent, second], unit), curve: Some(curve) }, corners, unit)
    }

    /// Returns the plane of the disk at an end, and a square in it that has all of it that is in a cell.
    fn disk(&self, side: f64, cell: [usize; 3]) -> (Facet<'a>, Polygon, f64) {
        let CylinderDomain { center, axis, half_height, .. } = *self.domain;
        let crossed = self.grid.crossed(cell);
        let unit = self.grid.lattice.spacing.max();
        let end = center + axis * (side * half_height);
        let origin = crossed.center - axis * axis.dot(&(crossed.center - end));
        let reach = (crossed.radius + self.slack) / unit;
        let facet = Facet { plane: self.plane(origin, self.across, unit), curve: None };
        (facet, Polygon::rectangle([reach, reach]), unit)
    }

    fn plane(&self, origin: Point, axes: [Vector; 2], unit: f64) -> Plane<'a> {
        let lattice = &self.grid.lattice;
        Plane {
            grid: self.grid,
            origin: (origin - lattice.origin).component_div(&lattice.spacing),
            axes: axes.map(|axis| axis.component_div(&lattice.spacing) * unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cylinder;
    use crate::implicit::grid::random_grid::{Random, random_grid};
    use crate::implicit::search::Counted;
    use crate::implicit::{Search, Solid};
    use std::sync::atomic::AtomicUsize;

    /// Against the search by branch and bound over the interior, and against points of the cylinder.
    #[test]
    fn the_search_finds_nothing_less() {
        let mut random = Random(23);
        let (mut known, mut inside, mut rim, mut left, mut above) = (0, 0, 0, 0, 0);
        for round in 0..300 {
            let grid = random_grid(&mut random, [3, 5, 8, 13][round % 4], [0.0, 0.02, 0.05][round % 3]);
            if !grid.is_whole {
                continue;
            }
            let half = grid.lattice.end().coords;
            let size = half.norm();
            for case in 0..12 {
                let center = Point::from(random.vector().component_mul(&half) * [0.9, 0.6][case % 2]);
                let axis = match case % 6 {
                    5 => Vector::ith(case % 3, 1.0),
                    _ => random.vector().normalize(),
                };
                let radius = size * (0.02 + 0.1 * (1.0 + random.number()));
                let half_height = size * (0.02 + 0.2 * (1.0 + random.number()));
                let domain = CylinderDomain { center, axis, radius, half_height };
                let cutoff = [0.0, grid.least_outside][case % 2];
                let Some(found) = grid.least_in(&domain, cutoff, 1e-10 * size) else {
                    left += 1;
                    continue;
                };
                let pose = crate::pose::from_rotation(center, crate::pose::rotation_from_axis(axis).unwrap());
                let cylinder = Cylinder::new(pose.unwrap(), radius, 2.0 * half_height).unwrap();
                let distance = ImplicitFunction::sample(&cylinder, &found.point).value;
                for _ in 0..200 {
                    let at = random.vector();
                    let across = axis.cross(&random.vector()).normalize() * radius * at.x.abs().sqrt();
                    // In the cylinder, on its side, and on an end.
                    for (share, along) in
                        [(1.0, at.y), (at.x.abs().sqrt().recip(), at.y), (1.0, at.y.signum())]
                    {
                        let value =
                            grid.sample(&(center + across * share + axis * (along * half_height))).value;
                        let is_lower = value < found.lower - 1e-14 * size;
                        assert!(
                            value > cutoff && found.lower > cutoff || !is_lower,
                            "{round} {case}: {value}"
                        );
                    }
                }
                if found.lower > cutoff {
                    above += 1;
                    continue;
                }
                known += 1;
                let value = grid.sample(&found.point).value;
                assert!(distance < 1e-14 * size, "{round} {case}: {distance} outside");
                assert!((0.0..=1e-10 * size).contains(&(value - found.lower)), "{round} {case}: {found:?}");
                inside += usize::from(distance < -1e-6 * size);
                let from = found.point - center;
                let on_end = from.dot(&axis).abs() > half_height * (1.0 - 1e-9);
                let on_side = (from - axis * from.dot(&axis)).norm() > radius * (1.0 - 1e-9);
                rim += usize::from(on_end && on_side);
                if case % 4 == 0 && round % 2 == 0 {
                    let searched = Counted(&grid, AtomicUsize::new(0));
                    let solid = Solid::new(&cylinder, ImplicitFunction::sublevel_bounds(&cylinder, 0.0));
                    let root = ImplicitFunction::oriented_bounds(&cylinder).unwrap();
                    let wanted =
                        Search::with_tolerance(1e-12).below_within(&searched, &solid, &root, cutoff).unwrap();
                    let (low, high) = (wanted.lower - 1e-10 * size, wanted.sample.value + 1e-10 * size);
                    assert!((low..=high).contains(&value), "{round} {case}: {value} is not {wanted:?}");
                }
            }
        }
        assert!(
            known > 200 && inside > 20 && rim > 50 && above > 20,
            "{known} {inside} {rim} {above} {left}"
        );
        assert!(left < 100, "{left}");
    }
}
