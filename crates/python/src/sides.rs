//! What geometries move with, and how pairs meet: for rows of constraints.

use crate::error::{Failure, Outcome};
use crate::scene::{GeometryId, PairId};
use palpate::math::{Point, Vector};
use palpate::response::{Material, Motion};
use pyo3::prelude::*;
use std::collections::HashMap;

/// A geometry, the word for what it moves with, the index of a particle or body, and a motion: centre, velocity, spin.
pub(crate) type Given = (Py<GeometryId>, String, usize, [f64; 9]);

/// A pair (none for all others), and the eight numbers of its material.
pub(crate) type GivenMaterial = (Option<Py<PairId>>, [f64; 9]);

/// What a geometry moves with.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Static,
    Particles(usize),
    Particle(usize),
    Rigid(usize),
    Kinematic(Motion),
}

/// The sides of all geometries that move.
pub(crate) struct Sides(HashMap<palpate::scene::GeometryId, Side>);

impl Sides {
    pub(crate) fn read(given: Vec<Given>) -> Outcome<Self> {
        let mut sides = HashMap::new();
        for (id, kind, index, numbers) in given {
            let side = match kind.as_str() {
                "static" => Side::Static,
                "particles" => Side::Particles(index),
                "particle" => Side::Particle(index),
                "rigid" => Side::Rigid(index),
                "kinematic" => {
                    if !numbers.iter().all(|x| x.is_finite()) {
                        return Err(Failure::argument(
                            "a kinematic motion is not finite: wanted finite numbers",
                        ));
                    }
                    let [x, y, z, vx, vy, vz, wx, wy, wz] = numbers;
                    let (velocity, spin) = (Vector::new(vx, vy, vz), Vector::new(wx, wy, wz));
                    Side::Kinematic(Motion { center: Point::new(x, y, z), velocity, spin })
                }
                other => {
                    let wanted = "wanted static, particles, particle, rigid or kinematic";
                    return Err(Failure::argument(format!("a body is {other:?}: {wanted}")));
                }
            };
            sides.insert(id.get().0, side);
        }
        Ok(Self(sides))
    }

    pub(crate) fn of(&self, id: palpate::scene::GeometryId) -> Side {
        self.0.get(&id).copied().unwrap_or(Side::Static)
    }

    pub(crate) fn has_particles(&self) -> bool {
        self.0.values().any(|side| matches!(side, Side::Particles(_) | Side::Particle(_)))
    }
}

/// The materials of pairs.
pub(crate) struct Materials {
    by_pair: HashMap<palpate::scene::PairId, Material>,
    other: Material,
}

impl Materials {
    pub(crate) fn read(given: Vec<GivenMaterial>) -> Self {
        let mut materials = Self { by_pair: HashMap::new(), other: Material::HARD };
        for (pair, numbers) in given {
            let [
                friction,
                static_friction,
                rolling_friction,
                restitution,
                rebound_speed,
                compliance,
                thickness,
                a,
                b,
            ] = numbers;
            let material = Material {
                friction,
                static_friction,
                rolling_friction,
                restitution,
                rebound_speed,
                compliance,
                thickness,
                inverse_mass_scale: [a, b],
            };
            match pair {
                Some(pair) => drop(materials.by_pair.insert(pair.get().0, material)),
                None => materials.other = material,
            }
        }
        materials
    }

    pub(crate) fn of(&self, pair: palpate::scene::PairId) -> Material {
        self.by_pair.get(&pair).copied().unwrap_or(self.other)
    }
}
