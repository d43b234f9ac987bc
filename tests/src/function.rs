//! An implicit function as plain data, which can be scaled, rebuilt and serialised.

use crate::Shape;
use palpate_geometry::implicit::{Grid, ImplicitFunction, Intersection, Offset, SmoothUnion, Torus, Union};
use palpate_geometry::{Capsule, Cylinder, Ellipsoid, GeometryError, OrientedBox, Pose, Sphere};
use palpate_math::{Point, Vector};
use std::sync::Arc;

/// An implicit function as plain data. Lengths in metres, in the function's own frame.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of the functions' constructors")]
pub enum Function {
    /// The signed distance of a sphere, box, capsule or cylinder.
    Primitive(Box<Shape>),
    /// A torus about local y.
    Torus { pose: Pose, major: f64, minor: f64 },
    /// Samples with trilinear interpolation.
    Grid { origin: Point, spacing: Vector, size: [usize; 3], values: Vec<f64> },
    /// Union.
    Union(Vec<Function>),
    /// Intersection.
    Intersection(Vec<Function>),
    /// The first minus the others.
    Difference(Vec<Function>),
    /// Union with fillets.
    SmoothUnion { of: Vec<Function>, radius: f64 },
    /// Grown by a distance.
    Offset { of: Box<Function>, distance: f64 },
}

type Built = Result<Arc<dyn ImplicitFunction>, GeometryError>;

impl Function {
    /// The function.
    pub fn build(&self) -> Built {
        let all = |parts: &[Self]| parts.iter().map(Self::build).collect::<Result<Vec<_>, _>>();
        Ok(match self {
            Self::Primitive(shape) => primitive(shape)?,
            Self::Torus { pose, major, minor } => Arc::new(Torus::new(*pose, *major, *minor)?),
            Self::Grid { origin, spacing, size, values } => {
                Arc::new(Grid::new(*origin, *spacing, *size, values.clone())?)
            }
            Self::Union(parts) => Arc::new(Union::new(all(parts)?)?),
            Self::Intersection(parts) => Arc::new(Intersection::new(all(parts)?)?),
            Self::Difference(parts) => Arc::new(Intersection::difference(all(parts)?)?),
            Self::SmoothUnion { of, radius } => Arc::new(SmoothUnion::new(all(of)?, *radius)?),
            Self::Offset { of, distance } => Arc::new(Offset::new(of.build()?, *distance)?),
        })
    }

    /// The same with every length multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.scaled(factor)).collect();
        match self {
            Self::Primitive(shape) => Self::Primitive(Box::new(shape.scaled(factor))),
            Self::Torus { pose, major, minor } => {
                let mut pose = *pose;
                pose.translation.vector *= factor;
                Self::Torus { pose, major: major * factor, minor: minor * factor }
            }
            Self::Grid { origin, spacing, size, values } => Self::Grid {
                origin: origin * factor,
                spacing: spacing * factor,
                size: *size,
                values: values.iter().map(|value| value * factor).collect(),
            },
            Self::Union(parts) => Self::Union(all(parts)),
            Self::Intersection(parts) => Self::Intersection(all(parts)),
            Self::Difference(parts) => Self::Difference(all(parts)),
            Self::SmoothUnion { of, radius } => Self::SmoothUnion { of: all(of), radius: radius * factor },
            Self::Offset { of, distance } => {
                Self::Offset { of: Box::new(of.scaled(factor)), distance: distance * factor }
            }
        }
    }

    /// Upper bound of the distance of the body from the origin.
    pub fn reach(&self) -> f64 {
        let farthest = |parts: &[Self]| parts.iter().map(Self::reach).fold(0.0, f64::max);
        match self {
            Self::Primitive(shape) => shape.reach_from(&Point::origin()),
            Self::Torus { pose, major, minor } => pose.translation.vector.norm() + major + minor,
            Self::Grid { origin, spacing, size, .. } => {
                let last = Vector::from_fn(|axis, _| (size[axis] - 1) as f64 * spacing[axis]);
                origin.coords.norm().max((origin.coords + last).norm()) + last.norm()
            }
            Self::Union(parts) => farthest(parts),
            Self::Intersection(parts) | Self::Difference(parts) => parts[0].reach(),
            Self::SmoothUnion { of, radius } => farthest(of) + radius * of.len() as f64,
            Self::Offset { of, distance } => of.reach() + distance.max(0.0),
        }
    }

    /// A point inside, or near it.
    pub fn anchor(&self) -> Point {
        match self {
            Self::Primitive(shape) => Point::from(shape.center()),
            Self::Torus { pose, major, .. } => pose * Point::new(*major, 0.0, 0.0),
            Self::Grid { origin, spacing, size, .. } => {
                origin + Vector::from_fn(|axis, _| 0.5 * (size[axis] - 1) as f64 * spacing[axis])
            }
            Self::Union(parts) | Self::Intersection(parts) | Self::Difference(parts) => parts[0].anchor(),
            Self::SmoothUnion { of, .. } => of[0].anchor(),
            Self::Offset { of, .. } => of.anchor(),
        }
    }

    /// Whether it is the signed distance everywhere.
    pub fn is_distance(&self) -> bool {
        match self {
            Self::Primitive(_) | Self::Torus { .. } => true,
            Self::Offset { of, distance } => *distance >= 0.0 && matches!(of.as_ref(), Self::Primitive(_)),
            _ => false,
        }
    }

    /// How close a search gets to its minimum: a thousandth of the shortest spacing of a grid, zero for all others.
    pub fn resolution(&self) -> f64 {
        let coarsest = |parts: &[Self]| parts.iter().map(Self::resolution).fold(0.0, f64::max);
        match self {
            Self::Primitive(_) | Self::Torus { .. } => 0.0,
            Self::Grid { spacing, .. } => 1e-3 * spacing.min(),
            Self::Union(parts) | Self::Intersection(parts) | Self::Difference(parts) => coarsest(parts),
            Self::SmoothUnion { of, .. } => coarsest(of),
            Self::Offset { of, .. } => of.resolution(),
        }
    }

    /// Whether it is convex.
    pub fn is_convex(&self) -> bool {
        match self {
            Self::Primitive(_) => true,
            Self::Intersection(parts) => parts.iter().all(Self::is_convex),
            Self::Offset { of, .. } => of.is_convex(),
            _ => false,
        }
    }
}

fn primitive(shape: &Shape) -> Built {
    Ok(match shape {
        Shape::Sphere { center, radius } => Arc::new(Sphere::new(*center, *radius)?),
        Shape::OrientedBox { pose, half_extents } => Arc::new(OrientedBox::new(*pose, *half_extents)?),
        Shape::Capsule { pose, radius, length } => Arc::new(Capsule::new(*pose, *radius, *length)?),
        Shape::Cylinder { pose, radius, length } => Arc::new(Cylinder::new(*pose, *radius, *length)?),
        Shape::Ellipsoid { pose, radii } => Arc::new(Ellipsoid::new(*pose, *radii)?),
        other => unreachable!("{} is no analytic function", other.kind()),
    })
}
