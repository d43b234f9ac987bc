//! Constraint rows.

mod guard;
mod mapping;
mod pbd;
mod pbd_rows;
mod rigid;
mod rigid_rows;
mod sliding;

pub use guard::*;
pub use mapping::*;
pub use pbd::*;
pub use pbd_rows::*;
pub use rigid::*;
pub use rigid_rows::*;
pub use sliding::*;

use crate::input::{array, optional_ref};
use crate::scene::State;
use crate::status::{Failure, Outcome};
use crate::types::{palpate_geometry_id, palpate_pair_id};
use palpate::response::{Material, Motion};
use palpate::scene::{GeometryId, PairId};
use std::collections::HashMap;

/// At rest, and not moved by contacts: also the geometries that are not listed.
pub const PALPATE_BODY_STATIC: u32 = 0;
/// Vertex `v` of a mesh is particle `index + v`.
pub const PALPATE_BODY_PARTICLES: u32 = 1;
/// A shape without vertices that is carried by the particle `index`.
pub const PALPATE_BODY_PARTICLE: u32 = 2;
/// Vertices are weighted sums of particles: an embedded surface, by its `mapping`.
pub const PALPATE_BODY_MAPPED: u32 = 3;
/// The rigid body `index`.
pub const PALPATE_BODY_RIGID: u32 = 4;
/// A motion that contacts do not change: `center`, `velocity`, `spin`.
pub const PALPATE_BODY_KINEMATIC: u32 = 5;

/// What a geometry moves with. Particles are for PBD alone.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_body {
    /// The geometry.
    pub geometry: palpate_geometry_id,
    /// `PALPATE_BODY_…`.
    pub kind: u32,
    /// The index of a particle or of a rigid body.
    pub index: u32,
    /// A point of a kinematic body at the end of the step: world frame, metres.
    pub center: [f64; 3],
    /// The velocity of that point, metres per second.
    pub velocity: [f64; 3],
    /// The angular velocity of a kinematic body, radians per second, world frame.
    pub spin: [f64; 3],
    /// The mapping of an embedded surface, or null.
    pub mapping: *const palpate_mapping,
}

/// How the two surfaces of a pair meet. All zero but the factors, which are 1, is hard, without friction and rebound.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_material {
    /// The pair, or 0 for all pairs that have no material of their own.
    pub pair: palpate_pair_id,
    /// Coulomb's coefficient of dynamic friction.
    pub friction: f64,
    /// The coefficient of static friction; at least `friction` is used.
    pub static_friction: f64,
    /// The speed of separation as a fraction of the speed of approach, 0 to 1.
    pub restitution: f64,
    /// Metres per second: slower approaches do not rebound.
    pub rebound_speed: f64,
    /// Metres per newton; 0 is hard.
    pub compliance: f64,
    /// Metres: the gap that is kept.
    pub thickness: f64,
    /// Factors on the inverse masses of side A and side B; 1 each by default.
    pub inverse_mass_scale: [f64; 2],
    /// Metres: the moment against rolling is no greater than this times the normal force; rigid bodies only.
    pub rolling_friction: f64,
}

/// A material that is hard, without friction and rebound, for all pairs.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_material_default() -> palpate_material {
    let Material { inverse_mass_scale, .. } = Material::HARD;
    palpate_material {
        pair: 0,
        friction: 0.0,
        static_friction: 0.0,
        restitution: 0.0,
        rebound_speed: 0.0,
        compliance: 0.0,
        thickness: 0.0,
        inverse_mass_scale,
        rolling_friction: 0.0,
    }
}

fn material_of(given: &palpate_material) -> Material {
    let palpate_material {
        friction,
        static_friction,
        restitution,
        rebound_speed,
        compliance,
        thickness,
        inverse_mass_scale,
        rolling_friction,
        ..
    } = *given;
    Material {
        friction,
        static_friction,
        restitution,
        rebound_speed,
        compliance,
        thickness,
        inverse_mass_scale,
        rolling_friction,
    }
}

fn motion_of(body: &palpate_body) -> Outcome<Motion> {
    let finite = |numbers: &[f64; 3]| numbers.iter().all(|x| x.is_finite());
    if ![&body.center, &body.velocity, &body.spin].into_iter().all(finite) {
        let text = "the motion of a kinematic body is not finite: wanted finite numbers";
        return Err(Failure::argument(text));
    }
    Ok(Motion { center: body.center.into(), velocity: body.velocity.into(), spin: body.spin.into() })
}

/// Materials by pair, in memory that is used again.
#[derive(Default)]
struct Materials {
    other: Material,
    by_pair: HashMap<PairId, Material>,
}

impl Materials {
    /// # Safety
    /// As the rules of the header say.
    unsafe fn read(&mut self, state: &State, given: *const palpate_material, count: usize) -> Outcome {
        self.other = Material::HARD;
        self.by_pair.clear();
        // SAFETY: the caller's promise.
        for one in unsafe { array(given, count, "materials") }? {
            match one.pair {
                0 => self.other = material_of(one),
                pair => {
                    self.by_pair.insert(state.ids.pair(pair)?, material_of(one));
                }
            }
        }
        Ok(())
    }

    fn of(&self, pair: PairId) -> Material {
        self.by_pair.get(&pair).copied().unwrap_or(self.other)
    }
}

/// The place of every geometry's body in the host's array, by the number of the geometry.
#[derive(Default)]
struct Bodies {
    places: Vec<Option<u32>>,
}

impl Bodies {
    fn read(&mut self, state: &State, given: &[palpate_body]) -> Outcome {
        self.places.clear();
        for (place, body) in (0..).zip(given) {
            let id = state.geometry(body.geometry)?;
            if self.places.len() <= id.index() {
                self.places.resize(id.index() + 1, None);
            }
            if self.places[id.index()].replace(place).is_some() {
                let text = format!("{id} has two bodies: wanted one");
                return Err(Failure::argument(text));
            }
        }
        Ok(())
    }

    fn of<'a, T>(&self, id: GeometryId, bodies: &'a [T]) -> Option<&'a T> {
        let place = self.places.get(id.index()).copied().flatten()?;
        bodies.get(place as usize)
    }
}

/// The number of Rust's of every pair with contacts, and its id of C.
#[derive(Default)]
struct PairIds(HashMap<u64, palpate_pair_id>);

impl PairIds {
    fn read(&mut self, state: &mut State) {
        self.0.clear();
        let State { scene, ids, .. } = state;
        self.0.extend(scene.pairs_in_contact().map(|pair| (pair.id().number(), ids.pair_id_of(pair.id()))));
    }

    fn of(&self, number: u64) -> palpate_pair_id {
        self.0.get(&number).copied().unwrap_or(0)
    }
}

/// The mapping of a body. Errors: null.
///
/// # Safety
/// As the rules of the header say.
unsafe fn mapping_of<'a>(body: &palpate_body) -> Outcome<&'a palpate_mapping> {
    // SAFETY: the caller's promise.
    unsafe { optional_ref(body.mapping) }.ok_or_else(|| Failure::null("the mapping of a body"))
}
