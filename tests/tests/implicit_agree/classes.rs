//! Classes of implicit bodies, each with a search of its own.

use nalgebra::Translation3;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};
use palpate_tests::{Function, Random, Shape, generate_function};

/// A class of implicit bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// What the generator of all tests draws: primitives, offsets, rings, unions, intersections, differences, blends, grids.
    Generated,
    /// A block with one to three holes.
    Drilled,
    /// Of a ball, a rod, a block or a cylinder, the same thickness all around.
    Shell,
    /// A ball with a hollow that is not in its middle.
    Eccentric,
    /// The blend of two rods or balls.
    Blend,
    /// The blend of two ellipsoids, or of one and a rod or a ball.
    BlendOfEllipsoids,
    /// The blend of three.
    BlendOfThree,
    /// Two or three bodies have it in common.
    Intersection,
    /// Samples of a ring.
    GridOfRing,
    /// Samples of an egg with noise.
    GridOfNoise,
}

impl Class {
    pub(crate) const ALL: [Self; 10] = [
        Self::Generated,
        Self::Drilled,
        Self::Shell,
        Self::Eccentric,
        Self::Blend,
        Self::BlendOfEllipsoids,
        Self::BlendOfThree,
        Self::Intersection,
        Self::GridOfRing,
        Self::GridOfNoise,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Generated => "generated",
            Self::Drilled => "drilled",
            Self::Shell => "shell",
            Self::Eccentric => "eccentric",
            Self::Blend => "blend",
            Self::BlendOfEllipsoids => "ellipsoids",
            Self::BlendOfThree => "blend_of_three",
            Self::Intersection => "intersection",
            Self::GridOfRing => "grid_of_ring",
            Self::GridOfNoise => "grid_of_noise",
        }
    }
}

/// A random function of a class, of about unit size around the origin; not of the generated.
pub(crate) fn function(class: Class, random: &mut Random) -> Function {
    match class {
        Class::Generated | Class::Drilled => {
            let block = primitive(1, 0.0, 1.0, random);
            let holes = (0..1 + random.below(3)).map(|_| match random.below(4) {
                0 => primitive(0, 0.8, 0.6, random),
                1 => primitive(1, 0.6, 0.6, random),
                // Through the block.
                kind => stretched(primitive(kind, 0.6, 0.4, random), 3.0),
            });
            Function::Difference(std::iter::once(block).chain(holes).collect())
        }
        Class::Shell => {
            let solid = primitive(random.below(4), 0.3, 1.0, random);
            let thickness = 0.25 * 10.0_f64.powf(random.between(-3.0, 0.0));
            let hollow = Function::Offset { of: Box::new(solid.clone()), distance: -thickness };
            Function::Difference(vec![solid, hollow])
        }
        Class::Eccentric => {
            let outer = random.between(0.6, 1.0);
            let inner = outer * random.between(0.2, 0.95);
            let aside = random.direction() * (random.between(0.0, 1.2) * (outer - inner));
            Function::Difference(vec![ball(Vector::zeros(), outer), ball(aside, inner)])
        }
        Class::Blend | Class::BlendOfThree => {
            let count = if class == Class::Blend { 2 } else { 3 };
            let of = (0..count).map(|_| primitive(2 * random.below(2), 0.6, 0.7, random)).collect();
            Function::SmoothUnion { of, radius: random.between(0.05, 0.6) }
        }
        Class::BlendOfEllipsoids => {
            let other = if random.one_in(3) {
                primitive(2 * random.below(2), 0.4, 0.8, random)
            } else {
                ellipsoid(random)
            };
            Function::SmoothUnion { of: vec![ellipsoid(random), other], radius: random.between(0.05, 0.6) }
        }
        Class::Intersection => {
            let count = 2 + random.below(2);
            Function::Intersection((0..count).map(|_| primitive(random.below(4), 0.2, 1.0, random)).collect())
        }
        Class::GridOfRing => {
            let pose = Pose::from_parts(Translation3::from(random.vector() * 0.1), random.rotation());
            let (major, minor) = (random.between(0.5, 0.8), random.between(0.1, 0.4));
            sampled(random, &mut |place| {
                let local = pose.inverse_transform_point(place);
                (local.x.hypot(local.z) - major).hypot(local.y) - minor
            })
        }
        Class::GridOfNoise => {
            let radii = Vector::from_fn(|_, _| random.between(0.4, 0.9));
            let noise = 10.0_f64.powf(random.between(-3.0, -0.5));
            let mut drawn = random.clone();
            sampled(random, &mut |place| {
                let egg = (place.coords.component_div(&radii).norm() - 1.0) * radii.min();
                egg + noise * drawn.between(-1.0, 1.0)
            })
        }
    }
}

/// A sphere, a box, a capsule or a cylinder.
fn primitive(kind: usize, reach: f64, size: f64, random: &mut Random) -> Function {
    let pose = Pose::from_parts(Translation3::from(random.vector() * reach), random.rotation());
    let mut length = |low: f64, high: f64| size * random.between(low, high);
    match kind {
        0 => ball(pose.translation.vector, length(0.3, 1.0)),
        1 => {
            let half_extents = Vector::new(length(0.3, 1.0), length(0.3, 1.0), length(0.3, 1.0));
            Function::Primitive(Box::new(Shape::OrientedBox { pose, half_extents }))
        }
        2 => {
            let (radius, length) = (length(0.15, 0.5), length(0.2, 2.0));
            Function::Primitive(Box::new(Shape::Capsule { pose, radius, length }))
        }
        _ => {
            let (radius, length) = (length(0.2, 0.8), length(0.3, 1.8));
            Function::Primitive(Box::new(Shape::Cylinder { pose, radius, length }))
        }
    }
}

fn ellipsoid(random: &mut Random) -> Function {
    let pose = Pose::from_parts(Translation3::from(random.vector() * 0.5), random.rotation());
    let radii = Vector::from_fn(|_, _| random.between(0.2, 0.8));
    Function::Primitive(Box::new(Shape::Ellipsoid { pose, radii }))
}

fn ball(center: Vector, radius: f64) -> Function {
    Function::Primitive(Box::new(Shape::Sphere { center: Point::from(center), radius }))
}

/// A capsule or a cylinder with another length.
fn stretched(function: Function, by: f64) -> Function {
    let Function::Primitive(mut shape) = function else { return function };
    if let Shape::Capsule { length, .. } | Shape::Cylinder { length, .. } = shape.as_mut() {
        *length *= by;
    }
    Function::Primitive(shape)
}

/// A grid of 8 to 32 samples along each side, most of them small.
fn sampled(random: &mut Random, value: &mut dyn FnMut(&Point) -> f64) -> Function {
    let most = if random.one_in(8) { 33 } else { 15 };
    let size = [0; 3].map(|_| 8 + random.below(most - 8));
    let half = random.between(1.0, 1.4);
    let spacing = Vector::from_fn(|axis, _| 2.0 * half / (size[axis] - 1) as f64);
    let origin = Point::new(-half, -half, -half);
    generate_function::sampled(origin, spacing, size, value)
}
