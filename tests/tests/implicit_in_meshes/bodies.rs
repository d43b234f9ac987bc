//! Bodies of simple parts, with their values, sample points and support functions in closed form.

use nalgebra::Translation3;
use palpate_geometry::implicit::{ImplicitBody, ImplicitFunction, Intersection, Torus, Union};
use palpate_geometry::{Capsule, OrientedBox, Pose, Sphere};
use palpate_math::{Point, Vector};
use palpate_tests::Random;
use std::sync::Arc;

/// Samples of a full turn, and of half a turn.
const STEPS: usize = 24;

/// A part: all points whose distance from a point, a segment or a circle is in a range.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Ball {
        center: Point,
        radius: f64,
    },
    Rod {
        pose: Pose,
        length: f64,
        radius: f64,
    },
    Ring {
        pose: Pose,
        major: f64,
        minor: f64,
    },
    /// Between two concentric spheres.
    Shell {
        center: Point,
        outer: f64,
        inner: f64,
    },
    /// A ball minus the slab of this half thickness through its centre: two pieces.
    Halves {
        pose: Pose,
        radius: f64,
        half: f64,
    },
}

impl Part {
    /// A part with about the extent `reach` from the origin; a large one extends beyond it.
    pub(crate) fn random(random: &mut Random, reach: f64, large: bool) -> Self {
        let place = random.vector() * if large { 0.3 } else { reach };
        let pose = Pose::from_parts(Translation3::from(place), random.rotation());
        let size = if large { random.between(1.0, reach) } else { random.between(0.05, 0.3) };
        // Down to a thousandth of the size.
        let thin = size * 10.0_f64.powf(random.between(-3.0, -0.5));
        let center = Point::from(place);
        match random.below(5) {
            0 => Self::Ball { center, radius: size },
            1 => Self::Rod { pose, length: size, radius: thin },
            2 => Self::Ring { pose, major: size, minor: thin },
            3 => Self::Shell { center, outer: size, inner: size - thin },
            _ => Self::Halves { pose, radius: size, half: 0.25 * size },
        }
    }

    fn build(&self) -> Arc<dyn ImplicitFunction> {
        let ball = |center: &Point, radius: f64| -> Arc<dyn ImplicitFunction> {
            Arc::new(Sphere::new(*center, radius).expect("a ball"))
        };
        match self {
            Self::Ball { center, radius } => ball(center, *radius),
            Self::Rod { pose, length, radius } => {
                Arc::new(Capsule::new(*pose, *radius, *length).expect("a rod"))
            }
            Self::Ring { pose, major, minor } => Arc::new(Torus::new(*pose, *major, *minor).expect("a ring")),
            Self::Shell { center, outer, inner } => {
                let balls = vec![ball(center, *outer), ball(center, *inner)];
                Arc::new(Intersection::difference(balls).expect("a shell"))
            }
            Self::Halves { pose, radius, half } => {
                let wide = Vector::new(2.0 * radius, *half, 2.0 * radius);
                let slab = Arc::new(OrientedBox::new(*pose, wide).expect("a slab"));
                let center = Point::from(pose.translation.vector);
                Arc::new(Intersection::difference(vec![ball(&center, *radius), slab]).expect("halves"))
            }
        }
    }

    /// Negative inside, zero on the surface; at least the distance outside.
    pub(crate) fn value(&self, place: &Point) -> f64 {
        match self {
            Self::Ball { center, radius } => (place - center).norm() - radius,
            Self::Rod { pose, length, radius } => {
                let local = pose.inverse_transform_point(place).coords;
                let along = local.y.clamp(-0.5 * length, 0.5 * length);
                (local - Vector::y() * along).norm() - radius
            }
            Self::Ring { pose, major, minor } => {
                let local = pose.inverse_transform_point(place);
                (local.x.hypot(local.z) - major).hypot(local.y) - minor
            }
            Self::Shell { center, outer, inner } => {
                let distance = (place - center).norm();
                (distance - outer).max(inner - distance)
            }
            Self::Halves { pose, radius, half } => {
                let local = pose.inverse_transform_point(place);
                (local.coords.norm() - radius).max(half - local.y.abs())
            }
        }
    }

    /// The support function of the part along a unit direction, from the origin.
    fn farthest(&self, u: &Vector) -> f64 {
        match self {
            Self::Ball { center, radius } => center.coords.dot(u) + radius,
            Self::Shell { center, outer, .. } => center.coords.dot(u) + outer,
            Self::Rod { pose, length, radius } => {
                let axis = pose.rotation * Vector::y();
                pose.translation.vector.dot(u) + 0.5 * length * axis.dot(u).abs() + radius
            }
            Self::Ring { pose, major, minor } => {
                let axis = pose.rotation * Vector::y();
                let across = (1.0 - axis.dot(u) * axis.dot(u)).max(0.0).sqrt();
                pose.translation.vector.dot(u) + major * across + minor
            }
            Self::Halves { pose, radius, half } => {
                let up = (pose.rotation * Vector::y()).dot(u).abs();
                let rim = (radius * radius - half * half).sqrt();
                let reach =
                    if up * radius >= *half { *radius } else { half * up + rim * (1.0 - up * up).sqrt() };
                pose.translation.vector.dot(u) + reach
            }
        }
    }

    /// Sample points of the part, most of them on its surface.
    pub(crate) fn places(&self) -> Vec<Point> {
        let turn = |k: usize| std::f64::consts::TAU * k as f64 / STEPS as f64;
        let mut places = Vec::new();
        for i in 0..STEPS {
            for j in 0..STEPS {
                let (across, along) = (turn(i), 0.5 * turn(j));
                let (u, v) = (across.sin_cos(), along.sin_cos());
                let ball = Vector::new(v.0 * u.1, v.1, v.0 * u.0);
                match self {
                    Self::Ball { center, radius } => {
                        places.extend([1.0, 0.5, 0.0].map(|share| center + ball * (radius * share)));
                    }
                    Self::Shell { center, outer, inner } => {
                        places.extend([*outer, 0.5 * (outer + inner), *inner].map(|r| center + ball * r));
                    }
                    Self::Rod { pose, length, radius } => {
                        let at = j as f64 / (STEPS - 1) as f64 - 0.5;
                        let on_axis = Point::new(0.0, length * at, 0.0);
                        places.push(pose * on_axis);
                        places.push(pose * (on_axis + ball * *radius));
                        places.push(pose * (on_axis + Vector::new(u.1, 0.0, u.0) * *radius));
                    }
                    Self::Ring { pose, major, minor } => {
                        let out = Vector::new(u.1, 0.0, u.0);
                        let (sin, cos) = turn(j).sin_cos();
                        places.push(pose * Point::from(out * *major));
                        places.push(
                            pose * Point::from(out * (major + minor * cos) + Vector::y() * (minor * sin)),
                        );
                    }
                    Self::Halves { pose, radius, half } => {
                        let flat =
                            Vector::new(u.1, 0.0, u.0) * ((radius * radius - half * half).sqrt() * v.0);
                        for place in [ball * *radius, flat + Vector::y() * *half, flat - Vector::y() * *half]
                        {
                            places.push(pose * Point::from(place));
                        }
                    }
                }
            }
        }
        // Rounding may have moved a point slightly outside.
        places.retain(|place| self.value(place) <= 1e-12);
        places
    }
}

/// Parts at a pose.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) parts: Vec<Part>,
    pub(crate) pose: Pose,
}

impl Body {
    pub(crate) fn build(&self) -> ImplicitBody {
        let mut parts: Vec<Arc<dyn ImplicitFunction>> = self.parts.iter().map(Part::build).collect();
        let function = match parts.len() {
            1 => parts.remove(0),
            _ => Arc::new(Union::new(parts).expect("some parts")),
        };
        ImplicitBody::new(self.pose, function).expect("a finite pose")
    }

    pub(crate) fn value(&self, place: &Point) -> f64 {
        let local = self.pose.inverse_transform_point(place);
        self.parts.iter().map(|part| part.value(&local)).fold(f64::INFINITY, f64::min)
    }

    /// The support function along a unit direction, from the world's origin.
    pub(crate) fn farthest(&self, u: &Vector) -> f64 {
        let local = self.pose.rotation.inverse_transform_vector(u);
        let reach = self.parts.iter().map(|part| part.farthest(&local)).fold(f64::NEG_INFINITY, f64::max);
        self.pose.translation.vector.dot(u) + reach
    }

    pub(crate) fn reach(&self) -> f64 {
        let axes = (0..6).map(|k| Vector::ith(k / 2, if k % 2 == 0 { 1.0 } else { -1.0 }));
        axes.map(|axis| self.farthest(&axis).abs()).fold(0.0, f64::max)
    }
}
