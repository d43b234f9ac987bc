//! The recorded needle scenes of SOFA's plugin CollisionAlgorithm (InfinyTech3D, revision 2511d5c, `NeedleInsertion` and
//! `NeedleInsertionCycles`), as numbers: the motion of the needle's base, the block of gel, the distances and forces.
//!
//! The phases of the plugin are free, in contact, and inserted. Here they follow from its rules and the recorded motion, with a gel at
//! rest and a contact force in proportion to how far the base is pushed: no solver runs. The tracker has the same phases at the same
//! steps, one step at most apart, and beyond them the exit and the second puncture of a gel with a slot.

use palpate_geometry::{Geometry, Needs, TetraMesh};
use palpate_math::{Point, Vector};
use palpate_procedure::{Event, PunctureRule, Shaft, ShaftTracker};
use palpate_tests::Random;
use palpate_tests::meshes::tetra_block;

/// Metres and seconds: the needle and its segments, the step, the distance of contact, the distance of the plugin's points.
const LENGTH: f64 = 0.1;
const SEGMENTS: u32 = 20;
const STEP: f64 = 0.01;
const CONTACT: f64 = 0.01;
const POINTS: f64 = 0.003;

/// The half of the block's side, its middle, and the height of its upper side, metres.
const HALF: f64 = 0.125;
const MIDDLE: [f64; 3] = [0.0, 0.0, -0.225];
const TOP: f64 = -0.1;

/// A scene: cubes a side, the force of puncture in newtons, that of a metre in newtons per metre, and the base: time, place and angle
/// about the y axis, from the x axis down.
struct Scene {
    cubes: u32,
    threshold: f64,
    stiffness: f64,
    steps: u32,
    base: &'static [(f64, [f64; 3], f64)],
}

/// Radians, as the scenes round them.
const DOWN: f64 = 1.57;
const TILTED: f64 = DOWN + 0.3925;

const SCENES: [Scene; 2] = [
    Scene {
        cubes: 5,
        threshold: 1600.0,
        stiffness: 5e4,
        steps: 160,
        base: &[
            (0.0, [0.04, 0.04, 0.05], DOWN),
            (1.0, [0.04, 0.04, -0.04], DOWN),
            (1.5, [0.05, 0.04, -0.04], DOWN + 0.196_25),
        ],
    },
    Scene {
        cubes: 7,
        threshold: 200.0,
        stiffness: 3e4,
        steps: 116,
        base: &[
            (0.0, [0.04, 0.04, 0.0], 0.0),
            (0.04, [0.04, 0.04, 0.02], DOWN),
            (0.25, [0.04, 0.04, -0.07], DOWN),
            (0.3, [0.05, 0.04, -0.07], DOWN + 0.196_25),
            (0.35, [0.04, 0.04, -0.07], DOWN),
            (0.55, [0.04, 0.04, 0.005], DOWN),
            (0.6, [0.06, 0.04, 0.005], DOWN),
            (0.65, [0.06, 0.04, 0.005], TILTED),
            (0.85, [0.030_866, 0.04, -0.041_19], TILTED),
            (0.95, [0.030_866, 0.04, -0.041_19], DOWN),
            (1.05, [0.030_866, 0.04, -0.041_19], TILTED),
            (1.15, [0.06, 0.04, 0.005], TILTED),
        ],
    },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Free,
    Contact,
    Inserted,
}

/// The base and the direction of the needle.
type Pose = (Point, Vector);

impl Scene {
    /// In the record a step has the motion of the step before it.
    fn pose(&self, step: u32) -> Pose {
        let time = STEP * f64::from(step.saturating_sub(1));
        let at = self.base.windows(2).find(|two| time <= two[1].0).map_or(self.base.len() - 2, |two| {
            self.base.iter().position(|key| key.0 == two[0].0).unwrap_or(0)
        });
        let (from, to) = (self.base[at], self.base[at + 1]);
        let part = ((time - from.0) / (to.0 - from.0)).min(1.0);
        let base = Point::from(from.1) + (Point::from(to.1) - Point::from(from.1)) * part;
        let angle = from.2 + (to.2 - from.2) * part;
        (base, Vector::new(angle.cos(), 0.0, -angle.sin()))
    }

    /// The force by which the base is pushed if the needle may not enter.
    fn force(&self, tip: &Point) -> f64 {
        self.stiffness * (TOP - tip.z).max(0.0)
    }
}

fn tip((base, along): &Pose) -> Point {
    base + along * LENGTH
}

/// The plugin's rules: the points in the gel that it couples to the needle, the last nearest to the tip.
#[derive(Default)]
struct Plugin(Vec<Point>);

impl Plugin {
    fn step(&mut self, scene: &Scene, pose: &Pose) -> Phase {
        let (tip, along) = (tip(pose), pose.1);
        if self.0.is_empty() {
            if scene.force(&tip) > scene.threshold {
                self.0.push(Point::new(tip.x, tip.y, TOP));
            } else {
                return if tip.z - TOP <= CONTACT { Phase::Contact } else { Phase::Free };
            }
        }
        while self.0.last().is_some_and(|last| (last - tip).dot(&along) > 0.0) {
            self.0.pop();
        }
        while let Some(next) = self.0.last().map(|last| last + along * POINTS) {
            if (tip - next).dot(&along) < 0.0 || next.z > TOP {
                break;
            }
            self.0.push(next);
        }
        match self.0.last() {
            Some(_) => Phase::Inserted,
            None if tip.z - TOP <= CONTACT => Phase::Contact,
            None => Phase::Free,
        }
    }
}

fn gel(cubes: u32) -> TetraMesh {
    let (vertices, cells) = tetra_block(&mut Random::new(1), [cubes; 3], 0.0);
    let vertices = vertices.iter().map(|at| Point::from(MIDDLE) + at.coords * HALF).collect();
    let mut mesh = TetraMesh::new(vertices, cells).expect("cells of its vertices");
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    mesh
}

fn shaft((base, along): &Pose) -> Shaft {
    let points: Vec<Point> = (0..=SEGMENTS)
        .map(|k| base + along * (LENGTH * (1.0 - f64::from(k) / f64::from(SEGMENTS))))
        .collect();
    Shaft::new(&[&points]).expect("finite points")
}

/// A step of the needle, which the surface holds until the rule lets it through.
fn tracked(
    tracker: &mut ShaftTracker,
    scene: &Scene,
    mesh: &TetraMesh,
    pose: &Pose,
    lets: &mut bool,
) -> Phase {
    let force = scene.force(&tip(pose));
    let mut held = *pose;
    if force > 0.0 && !*lets && !tracker.tip_is_inside() {
        held.0 -= pose.1 * ((TOP - tip(pose).z) / -pose.1.z + 1e-9);
    }
    tracker.update(&shaft(&held), mesh).expect("prepared");
    let rule = PunctureRule { force: scene.threshold, cosine: 0.0, speed: 0.0 };
    *lets = tracker.candidate().is_some_and(|candidate| rule.allows(candidate, force, 0.0));
    if *lets {
        tracker.allow();
    }
    match (tracker.tip_is_inside(), tracker.candidate()) {
        (true, _) => Phase::Inserted,
        (_, Some(_)) => Phase::Contact,
        _ => Phase::Free,
    }
}

/// The steps at which the phase changes.
fn changes(phases: &[Phase]) -> Vec<(u32, Phase)> {
    let all = (0..).zip(phases);
    all.filter(|(step, phase)| *step == 0 || phases[*step as usize - 1] != **phase)
        .map(|(k, p)| (k, *p))
        .collect()
}

#[test]
fn recorded_scenes_have_the_same_phases() {
    for (number, scene) in SCENES.iter().enumerate() {
        let mesh = gel(scene.cubes);
        let (mut plugin, mut tracker, mut lets) = (Plugin::default(), ShaftTracker::new(CONTACT), false);
        let (mut wanted, mut found, mut events) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..scene.steps {
            let pose = scene.pose(step);
            wanted.push(plugin.step(scene, &pose));
            found.push(tracked(&mut tracker, scene, &mesh, &pose, &mut lets));
            events.extend_from_slice(tracker.events());
        }
        let [wanted, found] = [&wanted, &found].map(|phases| changes(phases));
        println!("scene {number}: {found:?}");
        assert_eq!(wanted.len(), found.len(), "{wanted:?} {found:?}");
        for ((at, phase), (step, other)) in wanted.iter().zip(&found) {
            assert!(phase == other && at.abs_diff(*step) <= 1, "{wanted:?} {found:?}");
        }
        let insertions = found.iter().filter(|(_, phase)| *phase == Phase::Inserted).count();
        assert_eq!(insertions, number + 1, "{found:?}");
        // One crossing each time, which keeps its id while the needle tilts in the gel.
        let count = |is: fn(&Event) -> bool| events.iter().filter(|event| is(event)).count();
        assert_eq!(count(|event| matches!(event, Event::Punctured { allowed: true, .. })), insertions);
        assert_eq!(count(|event| matches!(event, Event::Exited { .. })), 0);
        assert_eq!(count(|event| matches!(event, Event::Withdrawn { .. })), number * 2);
    }
}

/// The base as recorded at some steps of the second scene.
#[test]
fn the_motion_is_the_recorded_one() {
    let recorded = [
        (2, [0.04, 0.04, 0.005]),
        (12, [0.04, 0.04, -0.01]),
        (29, [0.046, 0.04, -0.07]),
        (57, [0.044, 0.04, 0.005]),
        (80, [0.039_606_2, 0.04, -0.027_333]),
        (113, [0.051_259_8, 0.04, -0.008_857]),
    ];
    for (step, base) in recorded {
        let off = (SCENES[1].pose(step).0 - Point::from(base)).norm();
        assert!(off < 1e-6, "step {step}: {off}");
    }
}

/// The needle goes through a lobe of the gel, out of it and into another lobe of the same gel: the plugin's rules have one insertion.
#[test]
fn an_exit_and_a_second_puncture_of_one_gel() {
    let (mut mesh, mut tracker) = (gel(7), ShaftTracker::new(CONTACT));
    let side = 2.0 * HALF / 7.0;
    let [first, second] = [side - HALF, 2.0 * side - HALF];
    let is_in_slot = |cell: &u32| {
        let middle = mesh.corners(*cell).iter().map(|corner| corner.coords).sum::<Vector>() / 4.0;
        (first..second).contains(&middle.x) && middle.z > MIDDLE[2]
    };
    let slot: Vec<u32> = (0..mesh.cells().len() as u32).filter(is_in_slot).collect();
    mesh.remove_cells(&slot).expect("cells of the mesh");
    mesh.prepare(Needs::TREE | Needs::BOUNDARY);
    let mut happened = Vec::new();
    let place = |step: u32| -HALF - 0.02 + 0.001 * f64::from(step);
    for step in 0..112 {
        let base = Point::new(place(step) - LENGTH, 0.04, -0.15);
        tracker.update(&shaft(&(base, Vector::x())), &mesh).expect("prepared");
        tracker.allow();
        for event in tracker.events() {
            match event {
                Event::Punctured { allowed, .. } => happened.push((step, 1, *allowed)),
                Event::Exited { .. } => happened.push((step, 2, true)),
                Event::Withdrawn { .. } => happened.push((step, 3, true)),
                _ => {}
            }
        }
    }
    let passed = |x: f64| (0..).find(|step| place(*step) > x).unwrap_or(0);
    let wanted = [(-HALF, 1), (first, 2), (second, 1)].map(|(x, what)| (passed(x), what, true));
    assert_eq!(happened, wanted);
    assert_eq!(tracker.crossings().len(), 3);
}
