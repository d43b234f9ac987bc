//! rapier's pipeline on its own narrow phase and on palpate's, in turns, from the same start.

use super::demo_scenes::{DEMOS, Demo};
use super::judge::{Depths, Jitter, energy};
use super::narrow_phase::{Palpate, Update};
use super::{Result, rapier};
use cpu_time::ThreadTime;
use palpate_tests::Random;
use serde_json::{Map, Value, json};

/// Steps of a second, as in the demonstrations.
pub(crate) const SECOND: usize = 60;

/// Runs of a scene, each with all bodies shifted by other micrometres: most scenes are chaotic.
const STARTS: u64 = 3;

/// A world that is stepped, with its measurements.
pub(crate) struct Run {
    pub(crate) world: rapier::PhysicsWorld,
    /// CPU seconds of all steps.
    pub(crate) spent: f64,
    pub(crate) jitter: Jitter,
    /// The largest depth of all samples, metres.
    pub(crate) deepest: f64,
    /// The depths at the end.
    pub(crate) depths: Depths,
    /// The largest gain of energy since the first sample, joules a kilogram.
    gain: f64,
    start: Option<f64>,
}

impl Run {
    pub(crate) fn new(world: rapier::PhysicsWorld) -> Self {
        let (jitter, depths) = (Jitter::default(), Depths::default());
        Self { world, spent: 0.0, jitter, deepest: 0.0, depths, gain: 0.0, start: None }
    }

    /// Takes step number `step` of `steps`; jitter is measured in the last second.
    pub(crate) fn advance(&mut self, step: usize, steps: usize) {
        let started = ThreadTime::now();
        self.world.step();
        self.spent += started.elapsed().as_secs_f64();
        if step % 10 == 9 {
            self.sample();
        }
        if step + SECOND >= steps {
            self.jitter.add(&self.world);
        }
    }

    /// Measures depths and energy.
    fn sample(&mut self) {
        self.depths = Depths::of(&self.world);
        self.deepest = self.deepest.max(self.depths.deepest);
        let mass: f64 = self.world.bodies.iter().map(|(_, body)| body.mass()).sum();
        let now = energy(&self.world) / mass;
        let start = *self.start.get_or_insert(now);
        self.gain = self.gain.max(now - start);
    }

    /// In the order of [`FIGURES`].
    fn figures(&self, steps: usize) -> [f64; FIGURES.len()] {
        [
            steps as f64 / self.spent,
            1e3 * self.deepest,
            1e3 * self.depths.deepest,
            1e3 * self.depths.mean,
            1e3 * self.jitter.speed,
            1e3 * self.jitter.rms(),
            1e3 * self.jitter.displacement,
            1e3 * self.jitter.drift,
            self.gain,
        ]
    }
}

/// The columns of the table; jitter is measured in the last second.
const FIGURES: [&str; 9] = [
    "steps/s",
    "deepest ever, mm",
    "deepest at the end, mm",
    "mean depth at the end, mm",
    "largest speed, mm/s",
    "rms speed, mm/s",
    "most moved, mm",
    "moved on average, mm",
    "energy gained, J/kg",
];

/// Steps both in turns.
pub(crate) fn run(runs: &mut [Run; 2], seconds: usize) {
    let steps = seconds * SECOND;
    for step in 0..steps {
        for turn in [step % 2, 1 - step % 2] {
            runs[turn].advance(step, steps);
        }
    }
}

/// A scene with all moving bodies shifted by up to a micrometre, otherwise for each number.
fn started(demo: &Demo, number: u64) -> Result<rapier::PhysicsWorld> {
    let (mut world, mut random) = ((demo.build)()?, Random::named(demo.name, number));
    for (_, body) in world.bodies.iter_mut().filter(|(_, body)| body.is_dynamic()) {
        let [x, y, z] = [0.0; 3].map(|_| random.between(0.0, 1e-6));
        body.set_translation(body.translation() + rapier::Vector::new(x, y, z), true);
    }
    Ok(world)
}

/// Of rapier's narrow phase and palpate's, the means of all starts.
fn measure(demo: &Demo) -> Result<([[f64; FIGURES.len()]; 2], usize)> {
    let (mut sums, mut bodies) = ([[0.0; FIGURES.len()]; 2], 0);
    for number in 0..STARTS {
        let (own, mut other) = (started(demo, number)?, started(demo, number)?);
        other.narrow_phase =
            rapier::NarrowPhase::with_query_dispatcher(Palpate::new(&other.colliders, Update::Moved)?);
        bodies = own.bodies.len();
        let mut runs = [own, other].map(Run::new);
        run(&mut runs, demo.seconds);
        for (sum, run) in sums.iter_mut().zip(&runs) {
            for (sum, figure) in sum.iter_mut().zip(run.figures(demo.seconds * SECOND)) {
                *sum += figure / STARTS as f64;
            }
        }
    }
    Ok((sums, bodies))
}

/// Figures by their names.
pub(crate) fn named(names: &[&str], figures: &[f64]) -> Map<String, Value> {
    names.iter().zip(figures).map(|(name, figure)| ((*name).to_owned(), json!(figure))).collect()
}

/// Prints the table, or the rows as JSON; of one scene if it is named.
pub(crate) fn compare(words: &[String]) -> Result<()> {
    let as_json = words.iter().any(|word| word == "--json");
    let wanted = words.iter().find(|word| !word.starts_with("--"));
    let mut rows = Vec::new();
    if !as_json {
        println!("| scene | bodies | narrow phase | {} |", FIGURES.join(" | "));
        println!("|---|--:|---{}|", "|--:".repeat(FIGURES.len()));
    }
    for demo in DEMOS.iter().filter(|demo| wanted.is_none_or(|name| name == demo.name)) {
        let (sides, bodies) = measure(demo)?;
        if as_json {
            let [rapier, palpate] = sides.map(|figures| named(&FIGURES, &figures));
            rows.push(json!({"scene": demo.name, "bodies": bodies, "rapier": rapier, "palpate": palpate}));
            continue;
        }
        for (who, figures) in ["rapier", "palpate"].iter().zip(&sides) {
            let [speed, rest @ ..] = figures;
            let rest: Vec<String> = rest.iter().map(|figure| format!("{figure:.3}")).collect();
            println!("| {} | {bodies} | {who} | {speed:.1} | {} |", demo.name, rest.join(" | "));
        }
    }
    if as_json {
        println!("{}", Value::Array(rows));
    }
    Ok(())
}
