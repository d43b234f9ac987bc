//! A random implicit function.

use crate::random::Random;
use crate::{Function, Shape};
use nalgebra::Translation3;
use palpate_geometry::Pose;
use palpate_math::{Point, Vector};

/// The functions that an oracle can evaluate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Spheres, boxes, capsules and cylinders.
    Primitive,
    /// Signed distances of convex bodies.
    Convex,
    /// Convex functions, tori, and unions of convex bodies.
    Searchable,
    /// All functions.
    Any,
}

/// A random function of about unit size around the origin.
pub fn unit_function(class: Class, random: &mut Random) -> Function {
    let count = match class {
        Class::Primitive => 2,
        Class::Convex => 3,
        Class::Searchable => 7,
        Class::Any => 10,
    };
    match random.below(count) {
        0 | 1 => primitive(random, 0.0),
        2 => {
            let distance = random.between(0.02, 0.3);
            Function::Offset { of: Box::new(primitive(random, 0.0)), distance }
        }
        3 => {
            let pose = Pose::from_parts(Translation3::identity(), random.rotation());
            let major = random.between(0.4, 0.8);
            Function::Torus { pose, major, minor: major * random.between(0.2, 0.6) }
        }
        4 | 5 => Function::Union((0..2 + random.below(2)).map(|_| primitive(random, 0.5)).collect()),
        6 => Function::Intersection(vec![primitive(random, 0.0), primitive(random, 0.15)]),
        7 => Function::Difference(vec![primitive(random, 0.0), primitive(random, 0.8)]),
        8 => {
            let of = vec![primitive(random, 0.4), primitive(random, 0.4)];
            Function::SmoothUnion { of, radius: random.between(0.1, 0.5) }
        }
        _ => grid(random),
    }
}

/// A sphere, box, capsule or cylinder not far from the origin.
fn primitive(random: &mut Random, reach: f64) -> Function {
    let pose = Pose::from_parts(Translation3::from(random.vector() * reach), random.rotation());
    Function::Primitive(Box::new(match random.below(4) {
        0 => Shape::Sphere { center: Point::from(pose.translation.vector), radius: random.between(0.3, 1.0) },
        1 => {
            let mut half = || random.between(0.3, 1.0);
            Shape::OrientedBox { pose, half_extents: Vector::new(half(), half(), half()) }
        }
        2 => Shape::Capsule { pose, radius: random.between(0.2, 0.6), length: random.between(0.1, 1.2) },
        _ => Shape::Cylinder { pose, radius: random.between(0.3, 1.0), length: random.between(0.3, 1.6) },
    }))
}

/// Samples of an egg's implicit equation, scaled to approximate a distance.
fn grid(random: &mut Random) -> Function {
    let size = [0; 3].map(|_| 5 + random.below(4));
    let spacing = Vector::from_fn(|axis, _| random.between(2.2, 2.8) / (size[axis] - 1) as f64);
    let origin = Point::from(Vector::from_fn(|axis, _| -0.5 * (size[axis] - 1) as f64 * spacing[axis]));
    let radii = Vector::from_fn(|_, _| random.between(0.5, 0.9));
    sampled(origin, spacing, size, &mut |place| {
        (place.coords.component_div(&radii).norm() - 1.0) * radii.min()
    })
}

/// A grid of the values at the places of a lattice.
pub fn sampled(
    origin: Point,
    spacing: Vector,
    size: [usize; 3],
    value: &mut dyn FnMut(&Point) -> f64,
) -> Function {
    let mut values = Vec::new();
    for k in 0..size[2] {
        for j in 0..size[1] {
            for i in 0..size[0] {
                let steps = Vector::new(i as f64, j as f64, k as f64);
                values.push(value(&(origin + spacing.component_mul(&steps))));
            }
        }
    }
    Function::Grid { origin, spacing, size, values }
}
