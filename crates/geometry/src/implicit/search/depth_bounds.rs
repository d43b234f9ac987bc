//! Linear bounds of the depth in a mesh, and of a body, over a box.

use super::box_program::Linear;
use super::nearby::Nearby;
use super::task::feasible;
use super::tolerance::{Tolerance, rounding_at};
use crate::implicit::mesh_solid::Near;
use crate::implicit::{Cell, ImplicitFunction, MeshSolid, OrientedBounds};
use arrayvec::ArrayVec;
use palpate_math::{Point, Vector};

/// The most triangles of a region, bounds by them (one by the distance and one by the plane), and limits of the body.
pub(super) const MOST_TRIANGLES: usize = 10;
pub(super) const MOST_VALUES: usize = 2 * MOST_TRIANGLES;
pub(super) const MOST_LIMITS: usize = 26;

/// How close the slopes of equal limits are, relative to the slopes.
const EQUAL: f64 = 1e-12;

pub(super) type Values = ArrayVec<Linear, MOST_VALUES>;
pub(super) type Limits = ArrayVec<Linear, MOST_LIMITS>;
pub(super) type Triangles = ArrayVec<usize, MOST_TRIANGLES>;

/// A part of a box, by shares of its sides.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) low: [f64; 3],
    pub(super) size: [f64; 3],
    /// Those that were of use, as [`Nearby`] numbers them.
    pub(super) triangles: Triangles,
}

/// The box of a region in space.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionBox {
    pub(super) center: Point,
    pub(super) half: [Vector; 3],
    pub(super) radius: f64,
}

/// A body in a mesh, in a box.
pub(super) struct DepthBounds<'a> {
    pub(super) solid: MeshSolid<'a>,
    pub(super) nearby: &'a Nearby<'a>,
    pub(super) body: &'a dyn ImplicitFunction,
    /// Values at the corners of the box of a trilinear function that is nowhere above the body's.
    pub(super) trilinear: Option<&'a [f64; 8]>,
    low: Point,
    sides: [Vector; 3],
    /// The unit of the linear functions.
    pub(super) unit: f64,
    /// How far outside the body a point may be.
    outside: f64,
}

impl<'a> DepthBounds<'a> {
    pub(super) fn new(
        solid: MeshSolid<'a>,
        nearby: &'a Nearby<'a>,
        body: &'a dyn ImplicitFunction,
        root: &OrientedBounds,
        gap: f64,
    ) -> Self {
        let solid = match nearby.list() {
            Some(near) => solid.with_near(near),
            None => solid,
        };
        let across: Vector = root.half.iter().sum();
        let extremes = [root.center - across, root.center + across];
        Self {
            solid,
            nearby,
            body,
            trilinear: None,
            low: root.center - across,
            sides: root.half.map(|half| half * 2.0),
            unit: root.reach(),
            outside: Tolerance::outside(gap, rounding_at(&extremes)),
        }
    }

    /// Returns the point at shares of the sides of a region.
    pub(super) fn point(&self, region: &Region, shares: &[f64; 3]) -> Point {
        let along = |k: usize| self.sides[k] * (region.low[k] + region.size[k] * shares[k]);
        self.low + along(0) + along(1) + along(2)
    }

    pub(super) fn box_of(&self, region: &Region) -> RegionBox {
        let half = [0, 1, 2].map(|k| self.sides[k] * (0.5 * region.size[k]));
        let radius = half.iter().map(Vector::norm_squared).sum::<f64>().sqrt();
        RegionBox { center: self.point(region, &[0.5; 3]), half, radius }
    }

    /// Returns the axis along which a region is longest.
    pub(super) fn longest(&self, region: &Region) -> usize {
        let lengths = [0, 1, 2].map(|k| self.sides[k].norm() * region.size[k]);
        (1..3).fold(0, |best, k| if lengths[k] > lengths[best] { k } else { best })
    }

    /// Returns the triangle closest to a point, given some that may be.
    pub(super) fn closest(&self, point: &Point, known: &Triangles) -> Option<usize> {
        let squared = |triangle: &usize| (self.nearby.distance_squared(*triangle, point), *triangle);
        let lower = |a: (f64, usize), b: (f64, usize)| if b.0 < a.0 { b } else { a };
        match known.iter().map(squared).reduce(lower) {
            Some((_, known)) => self.nearby.closest(point, known).map(|(_, closest)| closest),
            None => self.nearby.first(point),
        }
    }

    /// Projects a point onto the body; a point of the body is returned unchanged.
    pub(super) fn feasible(&self, point: &Point) -> Option<Point> {
        feasible(self.body, point, self.outside).map(|(point, _)| point)
    }

    /// Adds lower bounds of the signed distance by a triangle: a linear function below the negative distance, which is concave, at the
    /// corners of the box, and where the surface may be in the box the height over the triangle's plane.
    pub(super) fn add_values(
        &self,
        triangle: usize,
        of: &RegionBox,
        near: &mut Option<Option<Near>>,
        values: &mut Values,
    ) {
        let number = self.nearby.number(triangle);
        let foot = self.solid.surface().nearest_on(number, &of.center).point;
        let way = foot - of.center;
        // Any slope will do.
        let slope = way.try_normalize(0.0).unwrap_or_default();
        let [x, y, z] = of.half;
        let distance = |way: Vector| self.nearby.distance_squared(triangle, &(of.center + way)).sqrt();
        let rest = |way: Vector| -distance(way) - slope.dot(&way);
        let both = |way: Vector| rest(way).min(rest(-way));
        let at_center = both(x + y + z).min(both(x + y - z)).min(both(x - y + z)).min(both(x - y - z));
        values.push(self.linear(at_center, &slope, &of.half));
        let cell = Cell { corners: &[], center: of.center, radius: of.radius };
        if way.norm_squared() < of.radius * of.radius
            && let Some(plane) = self.solid.plane(number, &cell)
            && let Some(listed) = self.solid.listed(near, &cell)
            && let Some(rise) = self.solid.rise(&plane, 0.0, f64::INFINITY, listed)
        {
            values.push(self.linear(plane.height(&of.center) - rise, &plane.normal, &of.half));
        }
    }

    /// Adds the negative distance from a triangle, linearized at a point.
    pub(super) fn add_slope(&self, triangle: usize, place: &Point, half: &[Vector; 3], values: &mut Values) {
        let foot = self.solid.surface().nearest_on(self.nearby.number(triangle), place).point;
        let way = foot - place;
        if let Some(slope) = way.try_normalize(0.0) {
            values.push(self.linear(-way.norm(), &slope, half));
        }
    }

    /// Adds linear functions that are not positive in the body, by its surface near a place.
    pub(super) fn add_tangents(&self, place: &Point, of: &RegionBox, limits: &mut Limits) {
        self.body.tangents(place, &mut |value, gradient| {
            let at_center = value + gradient.dot(&(of.center - place)) - self.outside;
            let limit = self.linear(at_center, &gradient, &of.half);
            // Faces and walls are the same at many places.
            let is_like =
                |other: &&mut Linear| (1..4).all(|k| (other[k] - limit[k]).abs() <= EQUAL * limit[k].abs());
            if let Some(like) = limits.iter_mut().find(is_like) {
                like[0] = like[0].max(limit[0]);
                return;
            }
            if limits.is_full() {
                limits.remove(0);
            }
            limits.push(limit);
        });
    }

    /// Adds the linear function of the body's value and slope at a place.
    pub(super) fn add_slope_of_body(&self, place: &Point, half: &[Vector; 3], limits: &mut Limits) {
        let sample = self.body.sample(place);
        limits.push(self.linear(sample.value, &sample.gradient, half));
    }

    /// Adds linear lower bounds of the body's value in all of a region.
    pub(super) fn add_limits(&self, region: &Region, limits: &mut Limits) {
        match self.trilinear {
            Some(values) => limits.push(self.trilinear_limit(values, region)),
            None => self.add_simplex_limits(region, limits),
        }
    }

    /// By a tetrahedron around the region.
    fn add_simplex_limits(&self, region: &Region, limits: &mut Limits) {
        let low = self.point(region, &[0.0; 3]);
        let corner = |k: usize| low + self.sides[k] * (3.0 * region.size[k]);
        self.body.bounds_below(&Cell::new(&[low, corner(0), corner(1), corner(2)]), &mut |bound| {
            let [a, b, c, d] = bound.map(|value| (value - self.outside) / self.unit);
            if !limits.is_full() && [a, b, c, d].iter().all(|value| value.is_finite()) {
                limits.push([a, (b - a) / 3.0, (c - a) / 3.0, (d - a) / 3.0]);
            }
        });
    }

    /// With the slopes of a trilinear function in the middle of the region, and below it at the corners, and so everywhere.
    fn trilinear_limit(&self, values: &[f64; 8], region: &Region) -> Linear {
        let at = |shares: [f64; 3]| {
            let mut means = *values;
            for (axis, share) in shares.into_iter().enumerate() {
                for k in 0..4 >> axis {
                    means[k] = means[2 * k] + share * (means[2 * k + 1] - means[2 * k]);
                }
            }
            means[0]
        };
        let bit = |k: usize, axis: usize| k >> axis & 1;
        let corner =
            |k: usize| at([0, 1, 2].map(|axis| region.low[axis] + region.size[axis] * bit(k, axis) as f64));
        let corners: [f64; 8] = std::array::from_fn(corner);
        // The mean of those along the four edges.
        let slopes = [0, 1, 2].map(|axis| {
            let rises = (0..8).map(|k| if bit(k, axis) == 1 { corners[k] } else { -corners[k] });
            0.25 * rises.sum::<f64>()
        });
        let rest = |k: usize| corners[k] - (0..3).map(|axis| slopes[axis] * bit(k, axis) as f64).sum::<f64>();
        let low = (0..8).map(rest).fold(f64::INFINITY, f64::min) - self.outside;
        [low, slopes[0], slopes[1], slopes[2]].map(|entry| entry / self.unit)
    }

    /// Returns a linear function of the shares of a box, by its value at the centre and its gradient.
    fn linear(&self, at_center: f64, slope: &Vector, half: &[Vector; 3]) -> Linear {
        let [x, y, z] = half.map(|half| slope.dot(&half));
        [at_center - x - y - z, 2.0 * x, 2.0 * y, 2.0 * z].map(|entry| entry / self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::random_bodies::{KINDS, MESHES, Random, meshes};
    use super::*;
    use crate::Sphere;

    fn at(linear: &Linear, shares: &[f64; 3]) -> f64 {
        linear[0] + (0..3).map(|k| linear[k + 1] * shares[k]).sum::<f64>()
    }

    /// In boxes of all sizes, at points of the body in the mesh, no value is above the signed distance and no limit is positive.
    #[test]
    fn every_bound_holds_where_both_are() {
        let meshes = meshes(1.0);
        let mut random = Random(7);
        let (mut shared, mut planes, mut tight) = (0, 0, 0);
        for case in 0..600 {
            let solid = MeshSolid::of_surface(&meshes[case % MESHES]).unwrap();
            let body = random.body(case / MESHES % KINDS, 1.0);
            let solid = solid.shared_with(body.as_ref());
            let size = [0.6, 0.2, 0.05][case / (MESHES * KINDS) % 3];
            let root = OrientedBounds {
                center: Point::from(random.vector() * 0.7),
                half: [Vector::x() * size, Vector::y() * (0.5 * size), Vector::z() * size],
            };
            let nearby = Nearby::new(solid.surface(), &root);
            let bounds = DepthBounds::new(solid, &nearby, body.as_ref(), &root, 1e-12);
            let region =
                Region { low: [0.25, 0.0, 0.5], size: [0.5, 1.0, 0.25], triangles: Triangles::new() };
            let of = bounds.box_of(&region);
            let (mut values, mut limits, mut list) = (Values::new(), Limits::new(), None);
            for _ in 0..4 {
                let closest = nearby.first(&(of.center + random.vector() * of.radius)).unwrap();
                bounds.add_values(closest, &of, &mut list, &mut values);
            }
            planes += usize::from(values.len() > 4);
            bounds.add_limits(&region, &mut limits);
            bounds.add_tangents(&of.center, &of, &mut limits);
            for _ in 0..200 {
                let shares = [0; 3].map(|_| 0.5 + 0.5 * random.next());
                let point = bounds.point(&region, &shares);
                let value = solid.sample(&point).value;
                if value > 0.0 || body.sample(&point).value > 0.0 {
                    continue;
                }
                shared += 1;
                let highest =
                    values.iter().map(|linear| at(linear, &shares)).fold(f64::NEG_INFINITY, f64::max);
                assert!(highest * bounds.unit <= value + 1e-12, "{case}: {} {value}", highest * bounds.unit);
                assert!(limits.iter().all(|limit| at(limit, &shares) <= 1e-12), "{case}");
                tight += usize::from(highest * bounds.unit > value - 0.05 * size);
            }
        }
        assert!(shared > 2_000 && planes > 60 && tight > 1_500, "{shared} {planes} {tight}");
    }

    /// A trilinear function between random values, in random parts of its box.
    #[test]
    fn a_trilinear_function_is_above_its_limit() {
        let meshes = meshes(1.0);
        let solid = MeshSolid::of_surface(&meshes[0]).unwrap();
        let root = OrientedBounds { center: Point::origin(), half: [Vector::x(), Vector::y(), Vector::z()] };
        let nearby = Nearby::new(solid.surface(), &root);
        let body = Sphere::new(Point::origin(), 0.5).unwrap();
        let bounds = DepthBounds::new(solid, &nearby, &body, &root, 0.0);
        let mut random = Random(9);
        for _ in 0..300 {
            let values: [f64; 8] = std::array::from_fn(|_| random.next());
            let low = [0; 3].map(|_| 0.25 + 0.25 * random.next());
            let region = Region {
                low,
                size: [0; 3].map(|_| 0.25 + 0.25 * random.next()),
                triangles: Triangles::new(),
            };
            let limit = bounds.trilinear_limit(&values, &region);
            let mut least = f64::INFINITY;
            for k in 0..27 {
                let shares = [k % 3, k / 3 % 3, k / 9].map(|step| 0.5 * f64::from(step));
                let place: [f64; 3] = std::array::from_fn(|k| region.low[k] + region.size[k] * shares[k]);
                let weight = |corner: usize| {
                    let of_axis = |k: usize| if corner >> k & 1 == 1 { place[k] } else { 1.0 - place[k] };
                    of_axis(0) * of_axis(1) * of_axis(2)
                };
                let value: f64 = (0..8).map(|corner| weight(corner) * values[corner]).sum();
                let above = value - at(&limit, &shares) * bounds.unit;
                assert!(above > -1e-12, "{above}");
                least = least.min(above);
            }
            assert!(least < 1e-12);
        }
    }
}
