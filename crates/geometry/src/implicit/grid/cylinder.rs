//! The least value of a signed distance grid over a solid cylinder, with a certified lower bound.
//!
//! It is at a sample in the cylinder or on its surface, which is covered by facets: [`Curve`]. A sector whose bound is too
//! low is divided about the place that its facet found. There the bound is exact to third order in the sector's angle.

use super::curve::{Curve, Surface};
use super::facet::{Facet, Least};
use super::plane::Plane;
use super::polygon::Polygon;
use super::samples::Grid;
use crate::implicit::{CylinderDomain, ImplicitFunction, LeastInSolid, OrientedBounds};
use palpate_math::{Point, Vector, direction};

/// Sectors of each surface at first.
const SECTORS: usize = 16;

/// The most sectors in all.
const MOST_SECTORS: usize = 400;

/// How much narrower the sector about the place that was found is.
const NARROWER: f64 = 0.25;

/// The most facets along which the lowest place at first is followed, and half their angle.
const MOST_DESCENTS: usize = 6;
const DESCENT: f64 = 0.2;

/// How close to the best value that of a sector's place is, relative to what its bound lacks, for a sector about it.
const CLOSE: f64 = 0.1;

/// The narrowest sector, in radians: its distance from its facet is below rounding.
const NARROWEST: f64 = 1e-8;

/// How much larger the cylinder is than for balls that may overlap it, for rounding.
const ROUNDING: f64 = 1e-9;

/// A part of the surface: the side, or the disk at an end.
#[derive(Clone, Copy, Debug)]
struct Part {
    surface: Surface,
    /// The position along the axis of the disk, or of the side's middle.
    along: f64,
}

struct Best {
    value: f64,
    point: Point,
}

/// A lower bound over a sector, and the angle of the place that its facet found.
struct OfSector {
    lower: f64,
    angle: f64,
    /// The value there.
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
    sectors: usize,
}

impl Grid {
    /// Returns the least value over a cylinder, as
    /// [`least_in_cylinder`](crate::implicit::ImplicitFunction::least_in_cylinder). `None` if the minimum may be outside the
    /// lattice's box, or be set by the distance to its sides, or if the bound is not reached.
    pub(super) fn least_in(&self, domain: &CylinderDomain, cutoff: f64, gap: f64) -> Option<LeastInSolid> {
        if !self.is_whole {
            return None;
        }
        let first = direction::any_perpendicular(&domain.axis);
        let mut search = CylinderSearch {
            grid: self,
            domain,
            across: [first, domain.axis.cross(&first)],
            best: Best { value: f64::INFINITY, point: domain.center },
            lower: f64::INFINITY,
            cutoff: cutoff.min(self.least_outside),
            gap,
            sectors: 0,
        };
        search.samples();
        search.surface()?;
        let CylinderSearch { best, lower, .. } = search;
        // Outside the box all values may be of use.
        if best.value > self.least_outside && cutoff > self.least_outside {
            return None;
        }
        Some(LeastInSolid { point: best.point, lower: lower.min(best.value) })
    }
}

impl<'a> CylinderSearch<'a> {
    fn consider(&mut self, point: Point) -> f64 {
        let value = self.grid.sample(&point).value;
        if value < self.best.value {
            self.best = Best { value, point };
        }
        value
    }

    /// Returns the bound above which values are of no use.
    fn limit(&self) -> f64 {
        self.cutoff.min(self.best.value - self.gap)
    }

    /// Finds the lowest sample in the cylinder.
    fn samples(&mut self) {
        let CylinderDomain { center, axis, radius, half_height } = *self.domain;
        let overlaps = |point: &Point, reach: f64| {
            let from = point - center;
            let along = from.dot(&axis);
            let across = (from - axis * along).norm();
            let slack = if reach > 0.0 { reach + ROUNDING * (reach + from.norm()) } else { 0.0 };
            along.abs() <= half_height + slack && across <= radius + slack
        };
        let [u, v] = self.across;
        let bounds = OrientedBounds { center, half: [u * radius, v * radius, axis * half_height] };
        if let Some(point) = self.grid.lowest_sample(&bounds, &overlaps, self.cutoff) {
            self.consider(point);
        }
    }

    /// Searches the surface. `None` if a bound is not reached.
    fn surface(&mut self) -> Option<()> {
        let half = self.domain.half_height;
        let parts = [
            Part { surface: Surface::Side, along: 0.0 },
            Part { surface: Surface::End, along: half },
            Part { surface: Surface::End, along: -half },
        ];
        let angle = std::f64::consts::PI / SECTORS as f64;
        let mut sectors = [(f64::INFINITY, parts[0], 0.0); 3 * SECTORS];
        let mut lowest = sectors[0];
        for (number, sector) in sectors.iter_mut().enumerate() {
            let part = parts[number / SECTORS];
            let middle = (2 * (number % SECTORS)) as f64 * angle;
            let (value, below) = self.below(&part, middle, angle);
            *sector = (below, part, middle);
            if value < lowest.0 {
                lowest = (value, part, middle);
            }
        }
        let (_, part, middle) = lowest;
        self.descend(&part, middle)?;
        // The lowest first: it leaves out more of the others.
        sectors.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for (below, part, middle) in &sectors {
            if *below > self.limit() {
                self.lower = self.lower.min(*below);
                break;
            }
            self.sector(part, [middle - angle, middle + angle])?;
        }
        Some(())
    }

    /// Returns the value at the centre of a sector and the lower bound by it.
    fn below(&mut self, part: &Part, middle: f64, half: f64) -> (f64, f64) {
        let CylinderDomain { radius, half_height, .. } = *self.domain;
        let (sin, cos) = (libm::sin(half), libm::cos(half));
        let (share, along, across) = match part.surface {
            Surface::Side => (1.0, half_height, radius * (sin * sin + (1.0 - cos) * (1.0 - cos)).sqrt()),
            Surface::End => {
                let (inward, aside) = (0.5 * radius, radius * sin);
                (
                    0.5,
                    0.0,
                    inward.max((aside * aside + (radius * cos - inward) * (radius * cos - inward)).sqrt()),
                )
            }
        };
        let center = self.on_surface(part, middle, share * radius, 0.0);
        let value = self.grid.sample(&center).value;
        self.consider(center);
        (value, value - self.grid.rate * (along * along + across * across).sqrt() * (1.0 + ROUNDING))
    }

    /// Returns the point at an angle, a distance from the axis, and a position along it.
    fn on_surface(&self, part: &Part, angle: f64, distance: f64, along: f64) -> Point {
        let [u, v] = self.across;
        let outward = u * libm::cos(angle) + v * libm::sin(angle);
        self.domain.center + outward * distance + self.domain.axis * (part.along + along)
    }

    /// Follows the places that facets find from the middle of a sector, each of them the middle of the next.
    fn descend(&mut self, part: &Part, mut angle: f64) -> Option<()> {
        for _ in 0..MOST_DESCENTS {
            let before = self.best.value;
            angle = self.facet_minimum(part, angle, DESCENT)?.angle;
            if self.best.value >= before - self.gap {
                break;
            }
        }
        Some(())
    }

    /// Searches the facet of a sector and considers the point behind the place that it finds.
    fn facet_minimum(&mut self, part: &Part, middle: f64, half: f64) -> Option<OfSector> {
        let (facet, polygon, curve) = self.facet(part, middle, half);
        let mut least = Least::below(self.limit(), 0.25 * self.gap);
        let (inside, is_cut) = facet.within_the_lattice(polygon)?;
        let is_searched = inside.is_none_or(|inside| facet.search(&inside, &mut least).is_ok());
        let mut lower = if is_searched { least.lower() } else { f64::NEG_INFINITY };
        if is_cut {
            // A point within the box may be behind a place outside.
            lower = lower.min(self.grid.least_outside - self.grid.rate * curve.sag);
        }
        let (mut angle, mut value) = (middle, f64::INFINITY);
        if least.value.is_finite() {
            let [x, y] = least.at.map(|coordinate| coordinate * curve.unit);
            let (turn, distance, along) = match part.surface {
                Surface::Side => (libm::asin((x / curve.radius).clamp(-1.0, 1.0)), curve.radius, y),
                Surface::End => (if y > 0.0 { libm::atan2(x, y) } else { 0.0 }, y, 0.0),
            };
            angle += turn;
            value = self.consider(self.on_surface(part, angle, distance, along));
        }
        Some(OfSector { lower, angle, value })
    }

    /// Searches a sector between two angles.
    fn sector(&mut self, part: &Part, [low, high]: [f64; 2]) -> Option<()> {
        self.sectors += 1;
        if self.sectors > MOST_SECTORS {
            return None;
        }
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let OfSector { lower, angle, value } = self.facet_minimum(part, middle, half)?;
        if lower > self.limit() {
            self.lower = self.lower.min(lower);
            return Some(());
        }
        if half < NARROWEST {
            return None;
        }
        // Where the place is as low as any, the sector about it is exact to third order. Elsewhere half the angle is enough.
        let is_low = value - self.best.value <= CLOSE * (self.best.value - lower);
        if !is_low {
            self.sector(part, [low, middle])?;
            return self.sector(part, [middle, high]);
        }
        let around = NARROWER * half;
        let (from, to) = ((angle - around).max(low), (angle + around).min(high));
        self.sector(part, [from, to])?;
        if from > low {
            self.sector(part, [low, from])?;
        }
        if to < high {
            self.sector(part, [to, high])?;
        }
        Some(())
    }

    /// Returns the plane that touches a sector along its middle, and the polygon in it that covers the sector.
    fn facet(&self, part: &Part, middle: f64, half: f64) -> (Facet<'a>, Polygon, Curve) {
        let CylinderDomain { center, axis, radius, half_height } = *self.domain;
        let lattice = &self.grid.lattice;
        let [u, v] = self.across;
        let (sin, cos) = (libm::sin(middle), libm::cos(middle));
        let (normal, tangent) = (u * cos + v * sin, v * cos - u * sin);
        let unit = lattice.spacing.max();
        let (sin, cos) = (libm::sin(half), libm::cos(half));
        let center = center + axis * part.along;
        let (origin, second, corners, sag) = match part.surface {
            Surface::Side => {
                let (x, y) = (radius * sin / unit, half_height / unit);
                let corners = Polygon::rectangle([x, y]);
                (center + normal * radius, axis, corners, radius * (1.0 - cos))
            }
            Surface::End => {
                let (x, y) = (radius * sin / (cos * unit), radius / unit);
                let corners = Polygon::triangle([[0.0, 0.0], [x, y], [-x, y]]);
                (center, normal, corners, radius * (1.0 - cos) / cos)
            }
        };
        let axes = [tangent, second].map(|axis| axis.component_div(&lattice.spacing) * unit);
        let curve = Curve { surface: part.surface, unit, radius, normal, tangent, half: [cos, sin], sag };
        let plane = Plane {
            grid: self.grid,
            origin: (origin - lattice.origin).component_div(&lattice.spacing),
            axes,
            metric: [unit * unit, 0.0, unit * unit],
        };
        let facet = Facet { plane, curve: Some(curve) };
        (facet, corners, curve)
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
                    let wanted = Search::default().below_within(&searched, &solid, &root, cutoff).unwrap();
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
