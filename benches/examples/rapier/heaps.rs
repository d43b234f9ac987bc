//! Heaps of hulls on rapier's own narrow phase and on palpate's, both counted and timed.
//!
//! rapier asks for every pair in every step: its recycling of manifolds between bodies that have moved little is off. Each narrow phase
//! has its own memory of a pair.

use super::counted::{Counted, Counts};
use super::demo_scenes::{add, pyramid_of, world_with_floor};
use super::narrow_phase::{Palpate, Update};
use super::scenes::{Run, SECOND, named};
use super::{Result, rapier};
use palpate_tests::Random;
use rapier::{ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, Vector};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::sync::{Arc, Mutex, PoisonError};

/// A heap by its name.
struct Heap {
    name: &'static str,
    build: fn() -> Result<PhysicsWorld>,
    /// Seconds of the run.
    seconds: usize,
}

const HEAPS: [Heap; 4] = [
    Heap { name: "towers", build: towers, seconds: 4 },
    Heap { name: "pyramid", build: pyramid, seconds: 4 },
    Heap { name: "1000 hulls", build: hulls, seconds: 8 },
    Heap { name: "200 bones", build: bones, seconds: 8 },
];

fn hull(points: &[Vector]) -> Result<ColliderBuilder> {
    Ok(ColliderBuilder::convex_hull(points).ok_or("the points have no hull")?)
}

/// A prism of some sides, along y.
fn prism(sides: u32, radius: f64, half: f64) -> Result<ColliderBuilder> {
    let corner = |k: u32| TAU * (f64::from(k) + 0.5) / f64::from(sides);
    let corners = (0..sides).map(corner);
    let points: Vec<Vector> = corners
        .flat_map(|angle| [-half, half].map(|y| Vector::new(radius * angle.cos(), y, radius * angle.sin())))
        .collect();
    hull(&points)
}

/// Twenty columns of twelve prisms of four to eight sides, each turned on the one below.
fn towers() -> Result<PhysicsWorld> {
    let (mut world, mut random) = (world_with_floor(50.0), Random::new(71));
    for (column, level) in (0..20_u32).flat_map(|column| (0..12_u32).map(move |level| (column, level))) {
        let [x, z] = [column % 5, column / 5].map(|k| 4.0 * f64::from(k) - 8.0);
        let turn = Vector::new(0.0, random.between(0.0, TAU), 0.0);
        let place = Pose::new(Vector::new(x, 0.5 + f64::from(level), z), turn);
        add(&mut world, place, prism(4 + (column + level) % 5, 1.0, 0.5)?);
    }
    Ok(world)
}

/// Cubes that are hulls.
fn pyramid() -> Result<PhysicsWorld> {
    let mut world = world_with_floor(100.0);
    let cube = prism(4, std::f64::consts::SQRT_2, 1.0)?;
    pyramid_of(&mut world, 10, || cube.clone());
    Ok(world)
}

/// A floor with four walls.
fn bin(half: f64) -> PhysicsWorld {
    let mut world = world_with_floor(half + 2.0);
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0_f64)] {
        let wall = RigidBodyBuilder::fixed().translation(Vector::new(x, 0.0, z) * (half + 1.0));
        let size = |along: f64| if along == 0.0 { half + 2.0 } else { 1.0 };
        world.insert(wall, ColliderBuilder::cuboid(size(x), 40.0, size(z)));
    }
    world
}

/// Drops bodies into a bin, in layers of a square.
fn drop(
    world: &mut PhysicsWorld,
    many: u32,
    [across, apart]: [f64; 2],
    random: &mut Random,
    mut body: impl FnMut(&mut Random) -> Result<ColliderBuilder>,
) -> Result<()> {
    let per_layer = (across * across) as u32;
    for number in 0..many {
        let (layer, place) = (number / per_layer, f64::from(number % per_layer));
        let [x, z] = [place % across, (place / across).floor()].map(|k| apart * (k - 0.5 * (across - 1.0)));
        let turn = random.rotation().scaled_axis();
        let place = Vector::new(x, apart * (f64::from(layer) + 0.6), z);
        add(world, Pose::new(place, Vector::new(turn.x, turn.y, turn.z)), body(random)?);
    }
    Ok(())
}

fn hulls() -> Result<PhysicsWorld> {
    let (mut world, mut random) = (bin(8.0), Random::new(72));
    drop(&mut world, 1000, [8.0, 2.0], &mut random, |random| {
        let size = [0.0; 3].map(|_| random.between(0.4, 0.9));
        let points: Vec<Vector> = (0..24).map(|_| on_ellipsoid(random, size)).collect();
        hull(&points)
    })?;
    Ok(world)
}

fn on_ellipsoid(random: &mut Random, [x, y, z]: [f64; 3]) -> Vector {
    let direction = random.direction();
    Vector::new(x * direction.x, y * direction.y, z * direction.z)
}

/// Long hulls with a head and a foot of different sizes, flattened and bent a little, of 60 points: as decimated bones.
fn bones() -> Result<PhysicsWorld> {
    let (mut world, mut random) = (bin(5.0), Random::new(73));
    drop(&mut world, 200, [4.0, 2.4], &mut random, |random| {
        let length = random.between(0.8, 1.3);
        let [head, foot, shaft, flat] =
            [(0.25, 0.4), (0.2, 0.35), (0.1, 0.2), (0.5, 1.0)].map(|(low, high)| random.between(low, high));
        let bend = random.between(-0.15, 0.15);
        let points: Vec<Vector> = (0..60)
            .map(|k| {
                let along = [-length, 0.0, length][k % 3];
                let size = [foot, shaft, head][k % 3];
                let spread = on_ellipsoid(random, [size, 0.7 * size, flat * size]);
                spread + Vector::new(if k % 3 == 1 { bend } else { 0.0 }, along, 0.0)
            })
            .collect();
        hull(&points)
    })?;
    Ok(world)
}

/// One narrow phase on a heap.
struct Side {
    run: Run,
    counts: Arc<Mutex<Counts>>,
    /// Before the last second.
    before: Counts,
}

impl Side {
    /// On rapier's narrow phase if no update is given.
    fn new(heap: &Heap, update: Option<Update>) -> Result<Self> {
        let mut world = (heap.build)()?;
        world.integration_parameters.normalized_contact_recycle_distance = 0.0;
        let palpate = update.map(|update| Palpate::new(&world.colliders, update)).transpose()?;
        let (dispatcher, counts) = Counted::new(palpate);
        world.narrow_phase = rapier::NarrowPhase::with_query_dispatcher(dispatcher);
        Ok(Self { run: Run::new(world), counts, before: Counts::default() })
    }

    fn counts(&self) -> Counts {
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn figures(&self, steps: usize) -> [f64; FIGURES.len()] {
        let (all, run) = (self.counts(), &self.run);
        let last = all.since(&self.before);
        [
            all.contacts as f64 / all.spent,
            1e9 * all.spent / all.pairs as f64,
            1e9 * last.spent / last.pairs as f64,
            last.contacts as f64 / SECOND as f64,
            100.0 * last.kept as f64 / last.again as f64,
            steps as f64 / run.spent,
            1e3 * run.jitter.rms(),
            1e3 * run.jitter.drift,
            1e3 * run.depths.mean,
            1e3 * run.depths.deepest,
        ]
    }
}

/// The narrow phases.
const SIDES: [(&str, Option<Update>); 3] =
    [("rapier", None), ("palpate", Some(Update::Moved)), ("palpate, always", Some(Update::Always))];

/// The columns of the table. Contacts are those within rapier's prediction distance; jitter is measured in the last second.
const FIGURES: [&str; 10] = [
    "contacts/s",
    "ns a pair",
    "ns a pair at rest",
    "contacts at rest",
    "kept ids, %",
    "steps/s",
    "rms speed, mm/s",
    "moved on average, mm",
    "mean depth, mm",
    "deepest, mm",
];

/// Prints the table, or the rows as JSON; of one heap if it is named.
pub(crate) fn compare(words: &[String]) -> Result<()> {
    let as_json = words.iter().any(|word| word == "--json");
    let wanted = words.iter().find(|word| !word.starts_with("--"));
    let mut rows = Vec::new();
    if !as_json {
        println!("| heap | bodies | narrow phase | {} |", FIGURES.join(" | "));
        println!("|---|--:|---{}|", "|--:".repeat(FIGURES.len()));
    }
    for heap in HEAPS.iter().filter(|heap| wanted.is_none_or(|name| name == heap.name)) {
        let sides = SIDES.iter().map(|&(_, update)| Side::new(heap, update));
        let mut sides: Vec<Side> = sides.collect::<Result<_>>()?;
        let bodies = sides[0].run.world.bodies.iter().filter(|(_, body)| body.is_dynamic()).count();
        let steps = heap.seconds * SECOND;
        for step in 0..steps {
            for turn in 0..SIDES.len() {
                let side = &mut sides[(turn + step) % SIDES.len()];
                if step + SECOND == steps {
                    side.before = side.counts();
                }
                side.run.advance(step, steps);
            }
        }
        for (who, side) in SIDES.iter().map(|side| side.0).zip(&sides) {
            let figures = side.figures(steps);
            if as_json {
                let mut row = named(&FIGURES, &figures);
                row.extend([("heap".to_owned(), json!(heap.name)), ("narrow phase".to_owned(), json!(who))]);
                rows.push(Value::Object(row));
            } else {
                let [speed, rest @ ..] = figures;
                let rest = rest.map(|figure| format!("{figure:.2}")).join(" | ");
                println!("| {} | {bodies} | {who} | {speed:.3e} | {rest} |", heap.name);
            }
        }
    }
    if as_json {
        println!("{}", Value::Array(rows));
    }
    Ok(())
}
