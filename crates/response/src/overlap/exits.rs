//! The exits of pairs whose contacts contradict each other.

use super::volume::{Overlap, overlap};
use crate::ResponseError;
use palpate_contact::{Contact, Feature};
use palpate_geometry::Geometry;
use palpate_math::{Point, Vector};
use std::collections::BTreeMap;

/// Settings of [`Exits`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExitSettings {
    /// Metres: contacts that are less deep never contradict each other.
    pub deeper_than: f64,
    /// The contacts contradict each other if the mean of their directions, weighted by their depths, is shorter than this;
    /// 0.5 by default: three walls of a corner, which have a common exit, have 0.58.
    pub contradiction: f64,
    /// The contacts agree again, and the exit hands back, if that mean is longer than this; 0.8 by default.
    pub agreement: f64,
    /// The number of steps over which the exit takes over or hands back; 8 by default.
    pub steps: u32,
    /// The number of steps in which the volume has to become smaller by a twentieth, or the exit is straight; likewise the deepest
    /// contact, where others point against the mean, or the contacts contradict each other; 12 by default.
    pub patience: u32,
}

impl ExitSettings {
    /// The defaults.
    pub const fn new(deeper_than: f64) -> Self {
        Self { deeper_than, contradiction: 0.5, agreement: 0.8, steps: 8, patience: 12 }
    }
}

/// The id of an exit: that of no other contact of a pair of meshes.
const ID: u64 = u64::MAX;

/// The part of the least volume or depth so far that counts as smaller.
const SMALLER: f64 = 0.95;

/// The part of the area of the shared box below which a gradient is none.
const NO_GRADIENT: f64 = 1e-3;

/// What is known of a pair from step to step.
#[derive(Clone, Copy, Debug)]
struct State {
    /// 0 for the contacts, 1 for the exit.
    share: f64,
    is_exit: bool,
    volume: Least,
    depth: Least,
    /// The straight exit, once chosen.
    straight: Option<Vector>,
}

/// The least value so far, and the steps since then.
#[derive(Clone, Copy, Debug)]
struct Least {
    value: f64,
    since: u32,
}

impl Least {
    const NONE: Self = Self { value: f64::INFINITY, since: 0 };

    fn next(&mut self, value: f64) {
        *self = match value <= SMALLER * self.value {
            true => Self { value, since: 0 },
            false => Self { since: self.since + 1, ..*self },
        };
    }
}

/// The exits of pairs whose contacts contradict each other: see the [module](super). Pairs are told apart by a number of the
/// caller's, as that of [`PairContacts`](palpate_contact::PairContacts).
#[derive(Clone, Debug)]
pub struct Exits {
    settings: ExitSettings,
    states: BTreeMap<u64, State>,
    contacts: Vec<Contact>,
}

impl Exits {
    /// No exits yet.
    pub fn new(settings: ExitSettings) -> Self {
        Self { settings, states: BTreeMap::new(), contacts: Vec::new() }
    }

    /// Whether a pair has an exit at present, or its contacts are faded.
    pub fn is_active(&self, pair: u64) -> bool {
        self.states.get(&pair).is_some_and(State::is_active)
    }

    /// The contacts of a pair with which rows are to be made in this step: those given, or the exit of the pair, or both, faded
    /// (depths and upper bounds multiplied by their share). Call it in every step, also for a pair without contacts.
    ///
    /// Errors: while the contacts contradict each other, geometries that are not two closed meshes
    /// ([`overlap`](super::overlap())).
    pub fn contacts<'a>(
        &'a mut self,
        pair: u64,
        contacts: &'a [Contact],
        [a, b]: [&dyn Geometry; 2],
    ) -> Result<&'a [Contact], ResponseError> {
        let settings = self.settings;
        let deepest = contacts.iter().map(|contact| contact.depth).fold(0.0, f64::max);
        let is_deep = deepest > settings.deeper_than;
        let (agreement, is_opposed) = agreement(contacts, settings.deeper_than);
        let contradicts = is_deep && agreement < settings.contradiction;
        if !contradicts && !is_opposed && !self.is_active(pair) {
            self.states.remove(&pair);
            return Ok(contacts);
        }
        let state = self.states.entry(pair).or_insert(State::WATCHED);
        state.depth.next(deepest);
        let starts = contradicts || is_opposed && state.depth.since > settings.patience;
        if !starts && !state.is_active() {
            return Ok(contacts);
        }
        let shared = overlap(a, b)?.filter(|shared| shared.volume > 0.0 && deepest > 0.0);
        let Some(shared) = shared else {
            self.states.remove(&pair);
            return Ok(contacts);
        };
        let (direction, depth) = state.advance(&shared, &settings);
        state.is_exit = match state.is_exit {
            true => state.straight.is_some() || is_opposed || is_deep && agreement < settings.agreement,
            false => starts,
        };
        let change = 1.0 / f64::from(settings.steps.max(1));
        state.share = (state.share + if state.is_exit { change } else { -change }).clamp(0.0, 1.0);
        let share = state.share;
        if share == 0.0 {
            self.states.remove(&pair);
            return Ok(contacts);
        }
        self.contacts.clear();
        if share < 1.0 {
            self.contacts.extend(contacts.iter().map(|contact| faded(contact, 1.0 - share)));
        }
        self.contacts.push(exit(&shared, &direction, depth * share));
        Ok(&self.contacts)
    }

    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.states.clear();
    }
}

impl State {
    /// A pair whose contacts may come to contradict each other.
    const WATCHED: Self =
        Self { share: 0.0, is_exit: false, volume: Least::NONE, depth: Least::NONE, straight: None };

    fn is_active(&self) -> bool {
        self.is_exit || self.share > 0.0
    }

    /// The direction in which A leaves, and how far it is in.
    fn advance(&mut self, shared: &Overlap, settings: &ExitSettings) -> (Vector, f64) {
        self.volume.next(shared.volume);
        let size = shared.bounds[0].intersection(&shared.bounds[1]).size();
        let area = size.x.max(size.y) * size.y.max(size.z);
        let area_of_gradient = shared.gradient.norm();
        let has_gradient = area_of_gradient > NO_GRADIENT * area;
        if self.straight.is_none() && (!has_gradient || self.volume.since > settings.patience) {
            self.straight = Some(soonest(shared));
        }
        match self.straight {
            Some(direction) => (direction, way_out(shared, &direction)),
            None => {
                let direction = -shared.gradient / area_of_gradient;
                let depth = shared.volume / area_of_gradient;
                (direction, depth.min(way_out(shared, &direction)))
            }
        }
    }
}

/// The length of the mean of the directions, weighted by the depths, 1 without contacts that are deep; and whether a contact deeper
/// than `deeper_than` points against the mean.
fn agreement(contacts: &[Contact], deeper_than: f64) -> (f64, bool) {
    let deep = contacts.iter().filter(|contact| contact.depth > 0.0);
    let (sum, total) = deep.clone().fold((Vector::zeros(), 0.0), |(sum, total), contact| {
        (sum + Vector::from(contact.direction) * contact.depth, total + contact.depth)
    });
    let is_against = |contact: &Contact| sum.dot(&Vector::from(contact.direction)) < 0.0;
    let is_opposed = deep.filter(|contact| contact.depth > deeper_than).any(is_against);
    (if total > 0.0 { sum.norm() / total } else { 1.0 }, is_opposed)
}

/// How far A has to go along a unit direction until its box is apart from that of B.
fn way_out(shared: &Overlap, direction: &Vector) -> f64 {
    let [a, b] = &shared.bounds;
    let axes = (0..3).filter(|axis| direction[*axis] != 0.0);
    let ways = axes.map(|axis| {
        let along = direction[axis];
        let way = if along > 0.0 { b.max[axis] - a.min[axis] } else { a.max[axis] - b.min[axis] };
        way / along.abs()
    });
    ways.fold(f64::INFINITY, f64::min).max(0.0)
}

/// The direction along an axis of the world in which A is apart from B soonest.
fn soonest(shared: &Overlap) -> Vector {
    let axes = [Vector::x(), Vector::y(), Vector::z()].into_iter().flat_map(|axis| [axis, -axis]);
    let ways = axes.map(|axis| (way_out(shared, &axis), axis));
    ways.min_by(|a, b| a.0.total_cmp(&b.0)).map_or_else(Vector::y, |(_, axis)| axis)
}

fn faded(contact: &Contact, share: f64) -> Contact {
    let factor = if contact.depth > 0.0 { share } else { 1.0 };
    Contact { depth: contact.depth * factor, depth_upper: contact.depth_upper * factor, ..*contact }
}

/// One contact for the pair: A leaves B along the direction.
fn exit(shared: &Overlap, direction: &Vector, depth: f64) -> Contact {
    let half: Vector = direction * (0.5 * depth);
    let [a, b] = [shared.point - half, shared.point + half].map(|point: Point| Feature::point(point));
    Contact::exact(a, b, *direction, depth, ID)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::{Pose, SurfaceMesh};

    fn cube(half: f64) -> SurfaceMesh {
        let corner = |k: u32, bit: u32| if k >> bit & 1 == 1 { half } else { -half };
        let corners = (0..8).map(|k| Point::new(corner(k, 0), corner(k, 1), corner(k, 2))).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        SurfaceMesh::new(corners, triangles).unwrap()
    }

    fn placed(half: f64, x: f64, y: f64, z: f64) -> SurfaceMesh {
        let mut cube = cube(half);
        cube.set_placement(Some(Pose::translation(x, y, z)));
        cube
    }

    /// A small cube sunk by a quarter into a face of a large one.
    #[test]
    fn the_gradient_is_the_area_of_the_face_that_has_sunk_in() {
        let (large, small) = (placed(1.0, 0.0, 0.0, 0.0), placed(0.25, 0.1, 1.125, 0.2));
        let shared = overlap(&small, &large).unwrap().unwrap();
        assert!((shared.volume - 0.5 * 0.5 * 0.125).abs() < 1e-3, "{shared:?}");
        assert!((shared.gradient + Vector::y() * 0.25).norm() < 1e-2, "{shared:?}");
        assert!((shared.point.x - 0.1).abs() < 1e-2 && (shared.point.z - 0.2).abs() < 1e-2, "{shared:?}");
        // From the other side the opposite.
        let other = overlap(&large, &small).unwrap().unwrap();
        assert!(
            (other.gradient + shared.gradient).norm() < 1e-12 && (other.volume - shared.volume).abs() < 1e-12
        );
        assert!(overlap(&small, &placed(1.0, 0.0, -9.0, 0.0)).unwrap().is_none());
    }

    fn contact(direction: Vector, depth: f64, id: u64) -> Contact {
        let point = Feature::point(Point::origin());
        Contact::exact(point, point, direction, depth, id)
    }

    #[test]
    fn what_agrees_is_left_alone_and_what_contradicts_fades_into_the_exit_and_back() {
        let (large, small) = (placed(1.0, 0.0, 0.0, 0.0), placed(0.25, 0.1, 1.125, 0.2));
        let sides: [&dyn Geometry; 2] = [&small, &large];
        let mut exits = Exits::new(ExitSettings::new(1e-3));
        let agreeing = [contact(Vector::y(), 0.1, 1), contact(Vector::y(), 0.2, 2)];
        assert_eq!(exits.contacts(7, &agreeing, sides).unwrap().len(), 2);
        let walls = [Vector::x(), Vector::y(), Vector::z()].map(|axis| contact(axis, 0.1, 1));
        assert!(exits.contacts(7, &walls, sides).unwrap().len() == 3 && !exits.is_active(7));
        let opposed = [contact(Vector::x(), 0.1, 1), contact(-Vector::x(), 0.1, 2)];
        for step in 1..=8 {
            let now = exits.contacts(7, &opposed, sides).unwrap();
            let share = f64::from(step) / 8.0;
            let exit = now.last().unwrap();
            assert!((exit.depth - 0.125 * share).abs() < 2e-3, "{exit:?}");
            assert!((Vector::from(exit.direction) - Vector::y()).norm() < 1e-2);
            assert!(step == 8 || (now[0].depth - 0.1 * (1.0 - share)).abs() < 1e-12);
            assert_eq!(now.len(), if step == 8 { 1 } else { 3 });
        }
        for _ in 0..7 {
            assert_eq!(exits.contacts(7, &agreeing, sides).unwrap().len(), 3);
        }
        assert!(exits.contacts(7, &agreeing, sides).unwrap().len() == 2 && !exits.is_active(7));
    }

    /// Nine contacts agree and one is against them: nothing as long as the deepest becomes less deep, an exit where it does not.
    #[test]
    fn a_few_against_many_are_an_exit_once_the_depth_stays() {
        let (large, small) = (placed(1.0, 0.0, 0.0, 0.0), placed(0.25, 0.1, 1.125, 0.2));
        let sides: [&dyn Geometry; 2] = [&small, &large];
        let mut locked: Vec<Contact> = (0..9).map(|id| contact(Vector::y(), 0.1, id)).collect();
        let resting = locked.clone();
        locked.push(contact(-Vector::y(), 0.05, 9));
        let settings = ExitSettings::new(1e-3);
        let taken_over = |contacts: &[Contact], shrink: f64| {
            let (mut exits, mut contacts) = (Exits::new(settings), contacts.to_vec());
            (0..40).find(|_| {
                exits.contacts(7, &contacts, sides).unwrap();
                contacts.iter_mut().for_each(|contact| contact.depth *= shrink);
                exits.is_active(7)
            })
        };
        assert_eq!(taken_over(&locked, 1.0), Some(settings.patience + 1));
        assert_eq!(taken_over(&locked, 0.94), None);
        assert_eq!(taken_over(&resting, 1.0), None);
    }

    /// Inside of a larger body the volume has no gradient: the way out is straight, and the same until the end.
    #[test]
    fn from_the_inside_the_exit_is_straight() {
        let (large, small) = (placed(1.0, 0.0, 0.0, 0.0), placed(0.25, 0.3, 0.0, 0.0));
        let mut exits = Exits::new(ExitSettings { steps: 1, ..ExitSettings::new(1e-3) });
        let opposed = [contact(Vector::x(), 0.1, 1), contact(-Vector::x(), 0.1, 2)];
        let out = exits.contacts(0, &opposed, [&small, &large]).unwrap()[0];
        assert_eq!(out.direction, [1.0, 0.0, 0.0]);
        assert!((out.depth - 0.95).abs() < 1e-12, "{out:?}");
    }
}
