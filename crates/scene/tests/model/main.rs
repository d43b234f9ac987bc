//! A scene against a model of it: after every step each pair has the contacts of a binding that has seen nothing but the present
//! state.
//!
//! The number of sequences is that of the environment variable `PALPATE_FUZZ_SEQUENCES`, the first seed that of
//! `PALPATE_FUZZ_SEED`.
#![allow(clippy::unwrap_used)] // tests, also in what they share

mod geometries;

use geometries::{KINDS, PLANE, TETRA_MESH, assign, fresh, move_some, random, random_compound, random_pose};
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Compound, Geometry, GeometryKind, Needs, Pose};
use palpate_scene::{GeometryId, Groups, Outcome, PairId, PairOptions, Scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Operations per sequence.
const OPERATIONS: usize = 60;

/// What was done and seen, so that the test can tell whether it means something.
#[derive(Debug, Default)]
struct Seen {
    operations: usize,
    steps: usize,
    failed_steps: usize,
    compared: usize,
    contacts: usize,
    turned_over: usize,
    assigned: usize,
    placed: usize,
}

struct Sequence {
    rng: ChaCha8Rng,
    scene: Scene,
    names: usize,
    log: Vec<String>,
}

fn number_of(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

impl Sequence {
    fn new(seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self { rng, scene: Scene::standard(), names: 0, log: Vec::new() }
    }

    fn pick(&mut self) -> Option<GeometryId> {
        let ids: Vec<GeometryId> = self.scene.geometries().collect();
        (!ids.is_empty()).then(|| ids[self.rng.random_range(0..ids.len())])
    }

    fn pick_of(&mut self, kind: GeometryKind) -> Option<GeometryId> {
        let scene = &self.scene;
        let ids: Vec<GeometryId> =
            scene.geometries().filter(|&id| scene.geometry(id).unwrap().kind() == kind).collect();
        (!ids.is_empty()).then(|| ids[self.rng.random_range(0..ids.len())])
    }

    fn geometry(&mut self) -> Box<dyn Geometry> {
        match self.rng.random_range(0..KINDS + 4) {
            kind if kind < KINDS => random(&mut self.rng, kind),
            _ => Box::new(random_compound(&mut self.rng)),
        }
    }

    fn add(&mut self) {
        let geometry = self.geometry();
        let groups = Groups { membership: 1 << self.rng.random_range(0..3), ..Groups::default() };
        self.names += 1;
        // Refused if the pairs of groups do not support it; then nothing has changed.
        let _ = self.scene.add_boxed(&format!("g{}", self.names), geometry, groups);
    }

    fn margin(&mut self) -> f64 {
        [0.0, 0.0, 0.05, 0.5][self.rng.random_range(0..4)]
    }

    fn add_pair(&mut self) {
        let (Some(a), Some(b)) = (self.pick(), self.pick()) else { return };
        let options = PairOptions::default().with_margin(self.margin());
        let _ = self.scene.add_pair(a, b, options);
    }

    fn with_child(&mut self, change: impl Fn(&mut ChaCha8Rng, &mut dyn Geometry)) {
        let Some(id) = self.pick_of(GeometryKind::COMPOUND) else { return };
        let compound = self.scene.geometry_mut::<Compound>(id).unwrap();
        let numbers: Vec<u32> = compound.children().map(|(number, _)| number).collect();
        if numbers.is_empty() {
            return;
        }
        let number = numbers[self.rng.random_range(0..numbers.len())];
        change(&mut self.rng, compound.child_dyn_mut(number).unwrap());
    }

    /// Does one operation.
    fn operate(&mut self, seen: &mut Seen) {
        seen.operations += 1;
        let operation = self.rng.random_range(0..24);
        self.log.push(format!("{operation}"));
        match operation {
            0 => self.scene.advance(),
            1..=5 => {
                let Some(id) = self.pick() else { return };
                move_some(&mut self.rng, self.scene.geometry_dyn_mut(id).unwrap());
            }
            // There and back from far away: a previous state that a static detector must not see.
            6 => {
                let Some(id) = self.pick() else { return };
                let Some(at) = self.scene.geometry(id).unwrap().pose() else { return };
                let geometry = self.scene.geometry_dyn_mut(id).unwrap();
                geometry.set_pose(Pose::translation(1e6, -1e6, 0.0) * at).unwrap();
                geometry.advance();
                geometry.set_pose(at).unwrap();
            }
            7 => {
                let Some(id) = self.pick() else { return };
                let pose = random_pose(&mut self.rng);
                self.scene.set_pose(id, pose).unwrap();
                seen.placed += usize::from(self.scene.placement(id).unwrap().is_some());
            }
            8 | 9 => {
                let Some(id) = self.pick() else { return };
                assign(&mut self.rng, self.scene.geometry_dyn_mut(id).unwrap());
                seen.assigned += 1;
            }
            10 | 11 => {
                let Some(id) = self.pick_of(GeometryKind::COMPOUND) else { return };
                // A plane as a child has no detector against a plane: the next step may fail.
                let kind = self.rng.random_range(0..KINDS);
                let child = random(&mut self.rng, kind);
                let compound = self.scene.geometry_mut::<Compound>(id).unwrap();
                if compound.children().count() < 5 {
                    compound.add_child(child);
                }
            }
            12 | 13 => {
                let Some(id) = self.pick_of(GeometryKind::COMPOUND) else { return };
                let compound = self.scene.geometry_mut::<Compound>(id).unwrap();
                let plane = compound.children().find(|(_, child)| child.kind() == GeometryKind::PLANE);
                let removed = plane.or(compound.children().next()).map(|(number, _)| number);
                if let Some(number) = removed {
                    compound.remove_child(number);
                }
            }
            14 => self.with_child(move_some),
            15 => self.with_child(assign),
            16 => {
                let Some(id) = self.pick() else { return };
                let geometry = self.geometry();
                let _ = self.scene.replace(id, geometry);
            }
            17 => self.add(),
            18 => {
                let Some(id) = self.pick().filter(|_| self.scene.geometries().len() > 3) else { return };
                self.scene.remove(id).unwrap();
            }
            19 => self.add_pair(),
            20 => {
                let margin = self.margin();
                let single = self.scene.pairs().find(|id| !id.is_of_groups());
                if let Some(pair) = single {
                    match self.rng.random_range(0..3) {
                        0 => self.scene.remove_pair(pair).unwrap(),
                        _ => self.scene.set_margin(pair, margin).unwrap(),
                    }
                }
            }
            21 if self.scene.rules_of_groups() == 0 => {
                let options = PairOptions::default().with_margin(self.margin());
                let _ = self.scene.add_pairs_between(1, 3, options);
            }
            21 => self.scene.remove_pairs_by_groups(),
            _ => self.step(seen),
        }
    }

    fn step(&mut self, seen: &mut Seen) {
        let before = state(&self.scene);
        match self.scene.step() {
            Ok(_) => {
                seen.steps += 1;
                self.compare(seen);
            }
            Err(error) => {
                seen.failed_steps += 1;
                let after = state(&self.scene);
                self.check(before.steps == after.steps, &format!("a failed step counts: {error}"));
                let same = before.pairs.len() == after.pairs.len()
                    && before.pairs.iter().zip(&after.pairs).all(|(one, two)| {
                        (one.0, one.1, &one.2) == (two.0, two.1, &two.2) && one.3.same_bits(&two.3)
                    });
                self.check(same, &format!("a failed step changes the scene: {error}"));
                let found = self.scene.snapshots().read().all_contacts().to_vec();
                let held: Vec<_> = self.scene.all_contacts().map(|(_, contact)| *contact).collect();
                let same = found.len() == held.len() && found.iter().zip(&held).all(|(a, b)| a.same_bits(b));
                self.check(same, "a snapshot after a failed step has other contacts than the scene");
                let refused = self.scene.pairs().any(|pair| self.fresh_contacts(pair).is_err())
                    || self.groups_apart().iter().any(|pair| self.fresh_of(*pair).is_err());
                self.check(refused, &format!("a step fails, but every pair can be bound: {error}"));
            }
        }
    }

    fn check(&self, holds: bool, what: &str) {
        assert!(holds, "{what}\noperations: {}", self.log.join(" "));
    }

    /// The contacts of a pair by a binding that has seen nothing else: without a broad phase, unless the scene places a side.
    fn fresh_contacts(&self, id: PairId) -> Result<CollisionData, String> {
        let pair = self.scene.pair(id).unwrap();
        let options = PairOptions { orders: pair.orders(), ..pair.options().clone() };
        self.fresh_of_options([pair.a(), pair.b()], &options)
    }

    fn fresh_of(&self, (a, b, margin): (GeometryId, GeometryId, f64)) -> Result<CollisionData, String> {
        self.fresh_of_options([a, b], &PairOptions::default().with_margin(margin))
    }

    fn fresh_of_options(
        &self,
        [a, b]: [GeometryId; 2],
        options: &PairOptions,
    ) -> Result<CollisionData, String> {
        let made = [a, b].map(|id| fresh(self.scene.geometry(id).unwrap()));
        let placements = [a, b].map(|id| self.scene.placement(id).unwrap());
        if placements.iter().any(Option::is_some) {
            let mut scene = Scene::standard();
            let mut ids = Vec::new();
            for (name, (geometry, placement)) in ["a", "b"].into_iter().zip(made.into_iter().zip(placements))
            {
                if a == b && name == "b" {
                    break;
                }
                let id = scene.add_boxed(name, geometry, Groups::default()).unwrap();
                ids.push(id);
                if let Some(pose) = placement {
                    scene.set_pose(id, pose).unwrap();
                }
            }
            let pair = scene.add_pair(ids[0], *ids.last().unwrap(), options.clone());
            let pair = pair.map_err(|error| error.to_string())?;
            scene.step().map_err(|error| error.to_string())?;
            return Ok(scene.contacts(pair).unwrap().clone());
        }
        let choice = Choice {
            detector: options.detector.as_deref(),
            settings: options.settings.as_ref(),
            orders: &options.orders,
            ..Choice::default()
        };
        let [mut first, mut second] = made;
        first.prepare(Needs::all());
        second.prepare(Needs::all());
        let (registry, context) = (Registry::standard(), Context::new().with_margin(options.margin));
        let mut out = CollisionData::new();
        let done = if a == b {
            let bound = registry.bind_self(&*first, choice);
            bound.and_then(|mut bound| bound.run_self(&*first, &context, &mut out))
        } else {
            let bound = registry.bind(&*first, &*second, choice);
            bound.and_then(|mut bound| bound.run(&*first, &*second, &context, &mut out))
        };
        done.map(|_| out).map_err(|error| error.to_string())
    }

    /// The pairs of groups that are not near, with their margins.
    fn groups_apart(&self) -> Vec<(GeometryId, GeometryId, f64)> {
        let near: Vec<[GeometryId; 2]> = self
            .scene
            .pairs()
            .filter(|id| id.is_of_groups())
            .map(|id| [self.scene.pair(id).unwrap().a(), self.scene.pair(id).unwrap().b()])
            .collect();
        let all = self.scene.pairs_of_groups().into_iter();
        all.filter(|(a, b, _)| !near.contains(&[*a, *b]))
            .map(|(a, b, options)| (a, b, options.margin))
            .collect()
    }

    fn compare(&self, seen: &mut Seen) {
        for id in self.scene.pairs() {
            let found = self.scene.contacts(id).unwrap();
            let wanted = self.fresh_contacts(id);
            let pair = self.scene.pair(id).unwrap();
            let name = |id: GeometryId| {
                format!("{} {}", self.scene.name(id).unwrap(), self.scene.geometry(id).unwrap().kind())
            };
            let what = format!(
                "{} of {} and {}, margin {}, {:?}",
                pair.detector(),
                name(pair.a()),
                name(pair.b()),
                pair.margin(),
                pair.outcome()
            );
            match wanted {
                Ok(wanted) => {
                    let same = found.same_bits(&wanted);
                    let told = |data: &CollisionData| -> String {
                        let one = |c: &Contact| {
                            let children = (c.a.child, c.b.child);
                            format!("\n  {children:?} id {:x} depth {:e} {:?}", c.id, c.depth, c.direction)
                        };
                        data.contacts.iter().map(one).collect()
                    };
                    self.check(same, &format!("{what}:{}\nwanted{}", told(found), told(&wanted)));
                }
                Err(error) => self.check(false, &format!("{what}: a step succeeds, but {error}")),
            }
            seen.compared += 1;
            seen.contacts += found.len();
        }
        for pair in self.groups_apart() {
            let wanted = self.fresh_of(pair);
            let none = wanted.as_ref().is_ok_and(CollisionData::is_empty);
            self.check(none, &format!("a pair of groups is apart: {wanted:?}"));
        }
        for id in self.scene.geometries() {
            if let palpate_geometry::TypedGeometry::TetraMesh(mesh) =
                palpate_geometry::TypedGeometry::of(self.scene.geometry(id).unwrap())
            {
                let now = palpate_geometry::TetraMesh::new(
                    mesh.points().positions().to_vec(),
                    mesh.cells().to_vec(),
                );
                seen.turned_over += usize::from(now.unwrap().inverted_cells() != mesh.inverted_cells());
            }
        }
    }
}

/// What a failed step must leave as it is.
struct State {
    steps: u64,
    pairs: Vec<(PairId, Outcome, Vec<palpate_detect::Order>, CollisionData)>,
}

fn state(scene: &Scene) -> State {
    let of_pair = |id: PairId| {
        let pair = scene.pair(id).unwrap();
        (id, pair.outcome(), pair.orders(), pair.contacts().clone())
    };
    State { steps: scene.steps(), pairs: scene.pairs().map(of_pair).collect() }
}

// Proves: REQ-STEP-ATOMIC
#[test]
fn every_step_gives_what_a_fresh_binding_gives() {
    let (sequences, first) = (number_of("PALPATE_FUZZ_SEQUENCES", 40), number_of("PALPATE_FUZZ_SEED", 1));
    let mut seen = Seen::default();
    for seed in first..first + sequences {
        let mut sequence = Sequence::new(seed);
        sequence.log.push(format!("seed {seed}:"));
        for _ in 0..sequence.rng.random_range(4..9) {
            sequence.add();
        }
        for kind in [TETRA_MESH, PLANE] {
            sequence.names += 1;
            let geometry = random(&mut sequence.rng, kind);
            let name = format!("g{}", sequence.names);
            sequence.scene.add_boxed(&name, geometry, Groups::default()).unwrap();
        }
        (0..12).for_each(|_| sequence.add_pair());
        for _ in 0..OPERATIONS {
            sequence.operate(&mut seen);
        }
        sequence.step(&mut seen);
    }
    println!("{sequences} sequences: {seen:?}");
    println!("counted: random sequences of calls of a scene: {sequences}");
    let least = |count: usize, per_sequence: f64| count as f64 >= per_sequence * sequences as f64;
    assert!(least(seen.steps, 2.0) && least(seen.compared, 10.0) && least(seen.contacts, 20.0), "{seen:?}");
    assert!(least(seen.assigned, 2.0) && least(seen.placed, 0.5), "{seen:?}");
    assert!(sequences < 40 || (seen.failed_steps > 0 && seen.turned_over > 5), "{seen:?}");
}
