//! Moving shapes against dense samples of their motion, with distances by methods that share nothing with GJK: separating
//! axes, and minima of convex functions by bisection of an interval.

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Flags, Registry};
use palpate_geometry::{Capsule, Geometry, OrientedBox, Pose, RigidMotion, Sphere};
use palpate_math::{Point, Vector};
use palpate_tests::Random;

/// Motions, and times at which each is sampled.
const MOTIONS: u64 = 900;
const SAMPLES: u32 = 300;
/// Times by which a passing motion is placed.
const COARSE: u32 = 60;

#[derive(Clone, Copy)]
enum Shape {
    Ball(f64),
    /// Radius, and half of the length of the straight part, along local y.
    Rod(f64, f64),
    Block(Vector),
}

impl Shape {
    fn new(random: &mut Random) -> Self {
        match random.below(5) {
            0 => Self::Ball(random.between(0.02, 0.4)),
            1 => Self::Rod(random.between(0.02, 0.2), random.between(0.1, 1.0)),
            // A needle of 1 : 1000.
            2 => Self::Rod(0.0005, 0.5),
            3 => Self::Block(Vector::new(0.005, random.between(0.2, 0.6), random.between(0.2, 0.6))),
            _ => Self::Block([0, 1, 2].map(|_| random.between(0.05, 0.5)).into()),
        }
    }

    fn geometry(self, motion: &RigidMotion) -> Box<dyn Geometry> {
        let (now, before) = (*motion.current(), *motion.previous());
        match self {
            Self::Ball(radius) => {
                let mut ball = Sphere::new(Point::origin(), radius).unwrap();
                ball.set_pose(now).unwrap();
                ball.set_previous_pose(before).unwrap();
                Box::new(ball)
            }
            Self::Rod(radius, half) => {
                let mut rod = Capsule::new(now, radius, 2.0 * half).unwrap();
                rod.set_previous_pose(before).unwrap();
                Box::new(rod)
            }
            Self::Block(half) => {
                let mut block = OrientedBox::new(now, half).unwrap();
                block.set_previous_pose(before).unwrap();
                Box::new(block)
            }
        }
    }

    /// The straight part and the radius, of what is round.
    fn axis(self, pose: &Pose) -> Option<([Point; 2], f64)> {
        let end = |y: f64| pose * Point::new(0.0, y, 0.0);
        match self {
            Self::Ball(radius) => Some(([end(0.0); 2], radius)),
            Self::Rod(radius, half) => Some(([end(-half), end(half)], radius)),
            Self::Block(_) => None,
        }
    }
}

/// The minimum of a convex function over 0 to 1, by thirds.
fn least(function: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let third = (high - low) / 3.0;
        if function(low + third) < function(high - third) { high -= third } else { low += third }
    }
    function(0.5 * (low + high)).min(function(0.0)).min(function(1.0))
}

fn on(ends: &[Point; 2], t: f64) -> Point {
    ends[0] + (ends[1] - ends[0]) * t
}

/// The distance from a point to a segment, by its projection.
fn to_segment(point: &Point, ends: &[Point; 2]) -> f64 {
    let way = ends[1] - ends[0];
    let square = way.norm_squared();
    let t = if square > 0.0 { ((point - ends[0]).dot(&way) / square).clamp(0.0, 1.0) } else { 0.0 };
    (point - on(ends, t)).norm()
}

/// The distance from a point to a box; 0 inside.
fn to_block(point: &Point, half: &Vector, pose: &Pose) -> f64 {
    let own = pose.inverse_transform_point(point).coords.abs() - half;
    own.map(|x| x.max(0.0)).norm()
}

/// The greatest gap of two boxes along the fifteen axes: positive if they are apart, and then at most their distance.
fn gap_of_blocks(halves: [&Vector; 2], poses: [&Pose; 2]) -> f64 {
    let axes = poses.map(|pose| {
        let matrix = pose.rotation.to_rotation_matrix();
        [0, 1, 2].map(|k| matrix.matrix().column(k).into_owned())
    });
    let crosses = axes[0].iter().flat_map(|a| axes[1].iter().map(move |b| a.cross(b)));
    let between = poses[1].translation.vector - poses[0].translation.vector;
    let all = axes[0].iter().chain(&axes[1]).copied().chain(crosses);
    let gap = |axis: Vector| {
        let extent = |k: usize| (0..3).map(|i| halves[k][i] * axes[k][i].dot(&axis).abs()).sum::<f64>();
        between.dot(&axis).abs() - extent(0) - extent(1)
    };
    all.filter(|axis| axis.norm() > 1e-6).map(|axis| gap(axis.normalize())).fold(f64::NEG_INFINITY, f64::max)
}

/// A positive number if the two are apart, and not if they are in contact.
fn gap(shapes: [Shape; 2], poses: [&Pose; 2]) -> f64 {
    match (shapes[0].axis(poses[0]), shapes[1].axis(poses[1])) {
        (Some((first, radius)), Some((second, other))) => {
            least(|t| to_segment(&on(&first, t), &second)) - radius - other
        }
        (Some((axis, radius)), None) | (None, Some((axis, radius))) => {
            let block = usize::from(shapes[0].axis(poses[0]).is_some());
            let Shape::Block(half) = shapes[block] else { unreachable!("what is not round is a box") };
            least(|t| to_block(&on(&axis, t), &half, poses[block])) - radius
        }
        (None, None) => match shapes {
            [Shape::Block(first), Shape::Block(second)] => gap_of_blocks([&first, &second], poses),
            _ => unreachable!("what is not round is a box"),
        },
    }
}

/// Two motions; every third passes at a short distance, both turning.
fn motions(random: &mut Random, shapes: [Shape; 2]) -> [RigidMotion; 2] {
    let turned = |random: &mut Random, place: Vector| {
        Pose::from_parts(place.into(), Pose::rotation(random.direction() * random.between(0.0, 3.1)).rotation)
    };
    let motions = [0, 1].map(|_| {
        let [from, to] = [0, 1].map(|_| random.vector() * 0.8);
        RigidMotion::new(&turned(random, from), &turned(random, to))
    });
    if !random.one_in(3) {
        return motions;
    }
    // The second is shifted so that the two are just apart, or just in contact, where they are closest.
    let way = random.direction();
    let closest = |shift: f64| {
        (0..=COARSE).fold(f64::INFINITY, |least, k| {
            let time = f64::from(k) / f64::from(COARSE);
            let other = Pose::translation(way.x * shift, way.y * shift, way.z * shift) * motions[1].at(time);
            least.min(gap(shapes, [&motions[0].at(time), &other]))
        })
    };
    let (mut low, mut high) = (0.0, 8.0);
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if closest(middle) > 0.0 { high = middle } else { low = middle }
    }
    let shift = way * (0.5 * (low + high) + random.between(-1e-3, 1e-3));
    let shifted = |pose: &Pose| Pose::from_parts((pose.translation.vector + shift).into(), pose.rotation);
    [motions[0], RigidMotion::new(&shifted(motions[1].previous()), &shifted(motions[1].current()))]
}

#[test]
fn what_samples_of_a_motion_show_in_contact_has_an_impact_no_later() {
    let registry = Registry::standard();
    let count = std::env::var("PALPATE_CCD_SHAPES").map_or(MOTIONS, |count| count.parse().unwrap());
    let (mut hits, mut from_apart, mut misses, mut open, mut unseen) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    for number in 0..count {
        let mut random = Random::named("convex_samples", number);
        let shapes = [Shape::new(&mut random), Shape::new(&mut random)];
        let motions = motions(&mut random, shapes);
        let [a, b] = [0, 1].map(|k| shapes[k].geometry(&motions[k]));
        let mut out = CollisionData::new();
        let mut bound = registry.bind(&*a, &*b, Choice::named("convex_convex_ccd")).unwrap();
        let status = bound.run(&*a, &*b, &Context::new(), &mut out).unwrap();
        open += u32::from(status.flags.contains(Flags::OPEN_IMPACT));
        let impact = out.contacts.first().map_or(f64::INFINITY, |contact| contact.time_of_impact);
        let at = |time: f64| gap(shapes, [&motions[0].at(time), &motions[1].at(time)]);
        let times = (0..=SAMPLES).map(|k| f64::from(k) / f64::from(SAMPLES));
        // What is deeper than rounding is in contact; the impact is no later, and the two are apart before it.
        let shown = times.clone().find(|&time| at(time) <= -1e-9);
        let slack = 1e-9;
        if let Some(shown) = shown {
            hits += 1;
            from_apart += u32::from(shown > 0.0);
            assert!(impact <= shown, "{number}: in contact at {shown}, impact at {impact}");
        } else if impact.is_finite() {
            unseen += 1;
        } else {
            misses += 1;
        }
        for time in times.filter(|&time| time < impact) {
            assert!(at(time) > -slack, "{number}: in contact at {time}, before {impact}");
        }
        // At the impact the two are within the tolerance.
        if impact.is_finite() && !status.flags.contains(Flags::OPEN_IMPACT) {
            assert!(at(impact) < 2e-6, "{number}: {} apart at the impact", at(impact));
        }
    }
    println!(
        "{count} motions: {hits} in contact at a sample ({from_apart} not at the start), {unseen} only between \
         samples, {misses} apart, {open} open"
    );
    let share = |part: u32, of: u64| u64::from(part) * of >= count;
    assert!(share(hits, 4) && share(from_apart, 8) && share(misses, 5), "{hits} {from_apart} {misses}");
    assert!(u64::from(unseen) * 20 < count && u64::from(open) * 100 <= count, "{unseen} {open}");
}
