//! Random functions and solids for tests.

use super::domain::ConvexDomain;
use crate::implicit::search::{Lowest, Minimum, Search};
use crate::implicit::{CylinderDomain, ImplicitFunction, Offset, OrientedBounds, Solid, Structure};
use crate::{Capsule, Cone, Convex, ConvexCore, Cylinder, Ellipsoid, Geometry, OrientedBox, Pose, Sphere};
use palpate_math::{Point, Vector};
use std::sync::Arc;

/// Random numbers from a seed.
pub(in crate::implicit::search) struct Random(pub(in crate::implicit::search) u64);

impl Random {
    /// From -1 to 1.
    pub(in crate::implicit::search) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    pub(in crate::implicit::search) fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }

    /// From `least` to 1.
    pub(super) fn size(&mut self, least: f64) -> f64 {
        least + (1.0 - least) * self.next().abs()
    }

    pub(in crate::implicit::search) fn pose(&mut self, reach: f64) -> Pose {
        Pose::new(self.vector() * reach, self.vector() * 3.0)
    }
}

/// The number of kinds of functions.
pub(super) const KINDS: usize = 8;

/// A convex function of a kind, of about a size, at a random pose within a reach.
pub(in crate::implicit::search) fn function(
    kind: usize,
    random: &mut Random,
    scale: f64,
    reach: f64,
) -> Arc<dyn ImplicitFunction> {
    let pose = random.pose(reach * scale);
    match kind {
        0 => Arc::new(Sphere::new(Point::from(pose.translation.vector), scale * random.size(0.1)).unwrap()),
        1 => Arc::new(
            Capsule::new(pose, 0.5 * scale * random.size(0.1), 2.0 * scale * random.size(0.1)).unwrap(),
        ),
        2 => Arc::new(OrientedBox::new(pose, random.vector().map(|x| scale * (0.05 + x.abs()))).unwrap()),
        3 => Arc::new(Cylinder::new(pose, scale * random.size(0.1), 2.0 * scale * random.size(0.1)).unwrap()),
        4 => Arc::new(Ellipsoid::new(pose, random.vector().map(|x| scale * (0.2 + x.abs()))).unwrap()),
        5 => Arc::new(Cone::new(pose, scale * random.size(0.1), 2.0 * scale * random.size(0.1)).unwrap()),
        6 => {
            let points: Vec<Point> = (0..12).map(|_| Point::from(random.vector() * scale)).collect();
            Arc::new(Convex::new(pose, &points).unwrap())
        }
        _ => {
            let inner = function(random.0 as usize >> 5 & 3, random, scale, reach);
            Arc::new(Offset::new(inner, 0.3 * scale * random.next()).unwrap())
        }
    }
}

/// A solid.
pub(super) enum Body {
    Box(OrientedBox),
    Hull(Box<Convex>),
    Cylinder(Cylinder),
    /// A ball, a rod, an egg, a cone, or one of these grown.
    Curved(Arc<dyn ImplicitFunction>),
}

impl Body {
    /// A solid of one of three kinds, of about a size, near the origin; one in five is flat or thin.
    pub(super) fn random(kind: usize, random: &mut Random, scale: f64) -> Self {
        let pose = random.pose(0.1 * scale);
        let flat = if random.next() < -0.6 { 0.02 } else { 0.3 };
        match kind {
            0 => {
                Self::Box(OrientedBox::new(pose, random.vector().map(|x| scale * (flat + x.abs()))).unwrap())
            }
            1 => {
                let points: Vec<Point> = (0..32)
                    .map(|_| {
                        let mut unit = random.vector().normalize() * scale;
                        unit.y *= flat.max(0.1);
                        Point::from(unit)
                    })
                    .collect();
                Self::Hull(Box::new(Convex::new(pose, &points).unwrap()))
            }
            2 => Self::Cylinder(
                Cylinder::new(
                    pose,
                    scale * (flat + random.next().abs()),
                    2.0 * scale * (flat + random.next().abs()),
                )
                .unwrap(),
            ),
            _ => {
                let kind = [0, 1, 4, 5, 4, 5][(random.next().abs() * 6.0) as usize % 6];
                let shape = function(kind, random, 0.7 * scale, 0.1);
                let grown = random.next();
                if grown < 0.5 {
                    return Self::Curved(shape);
                }
                Self::Curved(Arc::new(Offset::new(shape, 0.3 * scale * grown).unwrap()))
            }
        }
    }

    pub(super) fn domain(&self) -> ConvexDomain<'_> {
        match self {
            Self::Box(shape) => ConvexDomain::of_box(shape.pose(), &shape.half_extents()),
            Self::Hull(shape) => {
                let ConvexCore::Hull(core) = shape.as_convex().unwrap().core() else { panic!("a hull") };
                ConvexDomain::of_hull(shape.pose(), core.hull)
            }
            Self::Cylinder(shape) => {
                let half_height = 0.5 * shape.length();
                ConvexDomain::of_cylinder(CylinderDomain::at(shape.pose(), shape.radius(), half_height))
            }
            Self::Curved(shape) => {
                ConvexDomain::of_body(shape.as_ref(), &shape.oriented_bounds().unwrap()).unwrap()
            }
        }
    }

    /// The signed distance of a point.
    pub(super) fn distance(&self, point: &Point) -> f64 {
        match self {
            Self::Box(shape) => shape.signed_distance(point).distance,
            Self::Hull(shape) => shape.signed_distance(point).distance,
            Self::Cylinder(shape) => shape.signed_distance(point).distance,
            Self::Curved(shape) => shape.sample(point).value,
        }
    }

    /// The minimum by branch and bound.
    pub(super) fn slowly(&self, function: &dyn ImplicitFunction, cutoff: f64) -> Option<Minimum> {
        let mut search = Search::with_tolerance(1e-12);
        let mut lowest = Lowest::below(cutoff);
        match self {
            Self::Box(shape) => {
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut corner = -shape.half_extents();
                    let mut corners = [shape.pose() * Point::from(corner); 4];
                    for step in 0..3 {
                        corner[order[step]] *= -1.0;
                        corners[step + 1] = shape.pose() * Point::from(corner);
                    }
                    lowest.take(search.below(function, &corners, lowest.cutoff()));
                }
            }
            Self::Hull(shape) => {
                let ConvexCore::Hull(core) = shape.as_convex().unwrap().core() else { panic!("a hull") };
                let at = |id: u32| shape.pose() * Point::from(core.hull.points()[id as usize]);
                for &[a, b, c] in core.hull.triangles().iter().filter(|ids| !ids.contains(&0)) {
                    lowest.take(search.below(function, &[at(0), at(a), at(b), at(c)], lowest.cutoff()));
                }
            }
            Self::Cylinder(shape) => {
                let solid = Solid::new(shape, shape.bounds());
                let root: OrientedBounds = shape.oriented_bounds().unwrap();
                return search.below_within(function, &solid, &root, cutoff);
            }
            Self::Curved(shape) => {
                let root = shape.oriented_bounds().unwrap();
                return search.below_within(function, shape.as_ref(), &root, cutoff);
            }
        }
        lowest.found()
    }
}
