//! What a scene of C has besides the scene of Rust: ids, and memory for what is handed out.

use super::views::{palpate_event, palpate_pair_contacts};
use crate::status::{Failure, Outcome, PALPATE_INVALID_HANDLE};
use crate::types::{palpate_geometry_id, palpate_pair_id, palpate_swept_cell};
use palpate::math::Point;
use palpate::scene::{DebugLine, GeometryId, PairId, Scene};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

/// Marks the ids of pairs.
const OF_PAIR: u64 = 1 << 63;
/// Scenes have the numbers from 1 to this, and then again.
const SCENES: u32 = (1 << 31) - 1;

/// The state of a scene.
pub(crate) struct State {
    pub(crate) scene: Scene,
    pub(crate) ids: Ids,
    /// Vertices that are being converted.
    pub(crate) points: Vec<Point>,
    /// Vertices that the host writes.
    pub(crate) mapped: Vec<(GeometryId, Vec<Point>)>,
    pub(crate) views: Vec<palpate_pair_contacts>,
    pub(crate) events: Vec<palpate_event>,
    pub(crate) lines: Vec<DebugLine>,
    /// Cells that a blade swept, and cells that a cautery removed, as they were handed out last.
    pub(crate) swept: Vec<palpate_swept_cell>,
    pub(crate) removed: Vec<u32>,
}

impl State {
    pub(crate) fn new(scene: Scene) -> Self {
        Self {
            scene,
            ids: Ids::new(),
            points: Vec::new(),
            mapped: Vec::new(),
            views: Vec::new(),
            events: Vec::new(),
            lines: Vec::new(),
            swept: Vec::new(),
            removed: Vec::new(),
        }
    }

    /// The geometry of an id. Errors: as [`Ids::geometry`].
    pub(crate) fn geometry(&self, id: palpate_geometry_id) -> Outcome<GeometryId> {
        self.ids.geometry(id)
    }
}

/// The ids of C of a scene.
pub(crate) struct Ids {
    /// The number of the scene, in the upper half of its ids.
    number: u64,
    /// By the number in the lower half of the id, from 1.
    geometries: Vec<GeometryId>,
    pairs: Vec<PairId>,
    pair_numbers: HashMap<PairId, u64>,
}

impl Ids {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = u64::from(NEXT.fetch_add(1, Ordering::Relaxed) % SCENES + 1);
        Self { number, geometries: Vec::new(), pairs: Vec::new(), pair_numbers: HashMap::new() }
    }

    /// The id for C of a geometry, which may be new.
    pub(crate) fn id_of(&mut self, id: GeometryId) -> palpate_geometry_id {
        // The scene numbers its geometries in the order in which they are added, from 0.
        while self.geometries.len() <= id.index() {
            self.geometries.push(id);
        }
        self.geometries[id.index()] = id;
        Self::in_scene(self.number, id)
    }

    /// The number of the scene.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The id for C of a geometry that is in the scene of this number.
    pub(crate) fn in_scene(number: u64, id: GeometryId) -> palpate_geometry_id {
        number << 32 | (id.index() as u64 + 1)
    }

    /// The geometry of an id. Errors: zero, of another scene, of a pair, never given.
    pub(crate) fn geometry(&self, id: palpate_geometry_id) -> Outcome<GeometryId> {
        let place = self.place(id, 0, "geometry")?;
        self.geometries.get(place).copied().ok_or_else(|| unknown(id, "geometry"))
    }

    /// The id for C of a pair, which may be new. Does not allocate for a pair that is known.
    pub(crate) fn pair_id_of(&mut self, id: PairId) -> palpate_pair_id {
        let number = *self.pair_numbers.entry(id).or_insert_with(|| {
            self.pairs.push(id);
            self.pairs.len() as u64
        });
        OF_PAIR | self.number << 32 | number
    }

    /// The pair of an id. Errors: zero, of another scene, of a geometry, never given.
    pub(crate) fn pair(&self, id: palpate_pair_id) -> Outcome<PairId> {
        let place = self.place(id, OF_PAIR, "pair")?;
        self.pairs.get(place).copied().ok_or_else(|| unknown(id, "pair"))
    }

    fn place(&self, id: u64, mark: u64, what: &str) -> Outcome<usize> {
        let refused =
            |text: &str| Err(Failure::new(PALPATE_INVALID_HANDLE, format!("{what} id {id:#x} {text}")));
        if id == 0 {
            return refused("is null: wanted one that the scene has given");
        }
        if id & OF_PAIR != mark {
            return refused(if mark == 0 {
                "is of a pair: wanted a geometry"
            } else {
                "is of a geometry: wanted a pair"
            });
        }
        if id >> 32 & u64::from(SCENES) != self.number {
            return refused("belongs to another scene: wanted one of this scene");
        }
        match (id & u64::from(u32::MAX)).checked_sub(1) {
            Some(place) => Ok(place as usize),
            None => refused("is none: wanted one that the scene has given"),
        }
    }
}

fn unknown(id: u64, what: &str) -> Failure {
    let text = format!("{what} id {id:#x} was never given: wanted one that the scene has given");
    Failure::new(PALPATE_INVALID_HANDLE, text)
}
