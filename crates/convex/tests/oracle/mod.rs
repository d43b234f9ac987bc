//! Checks of a result against independent computations.

use palpate_convex::{
    Core, DirectionalDepth, Memory, QueryResult, RigidTransform, Settings, contact, directional_depth,
    intersects,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::any::{Any, Curved, Flat, Vector};
use crate::pairs::Pair;

/// Rounding error of the checks, relative to the size and the position of the pair.
const ROUNDING: f64 = 2e-14;
/// The gap between the bounds beyond which a result counts as loose, relative to the size.
const LOOSE: f64 = 1e-8;

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub pairs: u64,
    pub overlapping: u64,
    pub apart: u64,
    pub touching: u64,
    pub curved: u64,
    pub loose: u64,
    pub loosest: f64,
    pub unconverged: u64,
}

fn ask(pair: &Pair, scale: f64) -> QueryResult<Vector> {
    let (a, b) = (pair.a.scaled(scale), pair.b.scaled(scale));
    let pose_a = RigidTransform::new(pair.pose_a.rotation, pair.pose_a.translation * scale);
    let pose_b = RigidTransform::new(pair.pose_b.rotation, pair.pose_b.translation * scale);
    fn of<A: Core<Vector>, B: Core<Vector>>(
        a: (A, RigidTransform<Vector>),
        b: (B, RigidTransform<Vector>),
    ) -> QueryResult<Vector> {
        contact((&a.0, &a.1), (&b.0, &b.1), &mut Memory::default(), &Settings::default())
    }
    match (a, b) {
        (Any::Ball(a), b) => of((a, pose_a), (Curved(b), pose_b)),
        (a, Any::Ball(b)) => of((Curved(a), pose_a), (b, pose_b)),
        (a, b) if a.is_curved() || b.is_curved() => of((Curved(a), pose_a), (Curved(b), pose_b)),
        (a, b) => of((Flat(a), pose_a), (Flat(b), pose_b)),
    }
}

fn along_one(pair: &Pair, direction: Vector) -> (bool, DirectionalDepth<Vector>) {
    let (a, b) = (Curved(pair.a.clone()), Curved(pair.b.clone()));
    let (a, b) = ((&a, &pair.pose_a), (&b, &pair.pose_b));
    let settings = Settings::default();
    (intersects(a, b, &settings), directional_depth(a, b, direction, &settings))
}

/// Returns the overlap of A and B along a direction, from the shapes' definitions.
fn along(pair: &Pair, d: &Vector) -> f64 {
    let reach =
        |shape: &Any, pose: &RigidTransform<Vector>, d: Vector| shape.extent(&pose.rotation.tr_mul(&d));
    reach(&pair.a, &pair.pose_a, -d)
        + reach(&pair.b, &pair.pose_b, *d)
        + (pair.pose_b.translation - pair.pose_a.translation).dot(d)
}

fn unit(random: &mut ChaCha8Rng) -> Vector {
    let mut number = || random.random_range(-1.0..1.0);
    (Vector::new(number(), number(), number()) + Vector::new(1e-9, 0.0, 0.0)).normalize()
}

fn bits(contact: &QueryResult<Vector>, scale: f64) -> Vec<u64> {
    let lengths = [contact.depth, contact.depth_lower, contact.depth_upper].map(|x| x * scale);
    let points = contact.point_a.iter().chain(contact.point_b.iter()).map(|x| x * scale);
    lengths.into_iter().chain(points).chain(contact.direction.iter().copied()).map(f64::to_bits).collect()
}

/// Checks whether a result is valid; returns what is wrong with it if not.
pub fn check(pair: &Pair, tally: &mut Tally, random: &mut ChaCha8Rng) -> Result<(), String> {
    let answer = ask(pair, 1.0);
    if pair.power != 0 {
        let scale = 2.0_f64.powi(pair.power);
        if bits(&ask(pair, scale), 1.0) != bits(&answer, scale) {
            return Err(format!("not the same at scale 2^{}: {answer:?}", pair.power));
        }
    }
    let size = Core::<Vector>::bounding_radius(&Curved(pair.a.clone()))
        + Core::<Vector>::bounding_radius(&Curved(pair.b.clone()))
        + Core::<Vector>::radius(&Curved(pair.a.clone()))
        + Core::<Vector>::radius(&Curved(pair.b.clone()));
    let place = (pair.pose_b.translation - pair.pose_a.translation).amax();
    let slack = ROUNDING * (size + place) + 4.0 * f64::EPSILON * pair.pose_a.translation.amax();
    let fail = |what: &str, by: f64| Err(format!("{what} by {by:e} (slack {slack:e}): {answer:?}"));

    if bits(&answer, 1.0).iter().any(|&bits| !f64::from_bits(bits).is_finite()) {
        return fail("not finite", 0.0);
    }
    let off = (answer.direction.norm() - 1.0).abs();
    if off > 1e-14 * 4.0 {
        return fail("the direction is not a unit vector", off);
    }
    let inside = answer.depth_lower <= answer.depth && answer.depth <= answer.depth_upper;
    if !inside {
        return fail("the depth is outside of its bounds", answer.gap());
    }
    // The direction alone certifies the upper bound.
    let proven = along(pair, &answer.direction);
    if proven > answer.depth_upper + slack {
        return fail("the direction does not prove the upper bound", proven - answer.depth_upper);
    }
    // No direction may separate the shapes with less than the lower bound.
    let directions = (0..40).map(|_| unit(random)).chain(
        [pair.pose_a.rotation, pair.pose_b.rotation]
            .into_iter()
            .flat_map(|r| (0..3).flat_map(move |i| [r.column(i).into_owned(), -r.column(i).into_owned()])),
    );
    for d in directions {
        let depth = along(pair, &d);
        if depth < answer.depth_lower - slack {
            return fail("another direction beats the lower bound", answer.depth_lower - depth);
        }
        // The points lie in the shapes.
        for (point, shape, pose) in
            [(answer.point_a, &pair.a, &pair.pose_a), (answer.point_b, &pair.b, &pair.pose_b)]
        {
            let over = (point - pose.translation).dot(&d) - shape.extent(&pose.rotation.tr_mul(&d));
            // Bounds that differ by `gap` leave the contact point uncertain by its square root.
            let curved = pair.a.is_curved() || pair.b.is_curved();
            let tolerance = if curved { Settings::default().tolerance } else { 1e-13 };
            let allowed = ((answer.gap() + tolerance * size) * size).sqrt();
            if over > slack + allowed {
                return fail("a point lies outside of its shape", over);
            }
        }
    }
    let closure = (answer.point_a + answer.direction * answer.depth - answer.point_b).norm();
    if closure > slack {
        return fail("the points and the depth disagree", closure);
    }
    // The exchanged pair has the same depth.
    let swapped = ask(
        &Pair { a: pair.b.clone(), pose_a: pair.pose_b, b: pair.a.clone(), pose_b: pair.pose_a, power: 0 },
        1.0,
    );
    let disagreement =
        (swapped.depth_lower - answer.depth_upper).max(answer.depth_lower - swapped.depth_upper);
    if disagreement > slack {
        return fail("the other order gives other bounds", disagreement);
    }
    if tally.pairs.is_multiple_of(4) {
        check_directional(pair, &answer, size, slack, unit(random))?;
    }
    count(pair, &answer, size, slack, tally);
    Ok(())
}

/// Whether the boolean query and the depth along one direction agree with the contact.
fn check_directional(
    pair: &Pair,
    answer: &QueryResult<Vector>,
    size: f64,
    slack: f64,
    direction: Vector,
) -> Result<(), String> {
    let (meet, moved) = along_one(pair, direction);
    if answer.depth_lower > slack && !meet || answer.depth_upper < -slack && meet {
        return Err(format!("intersects says {meet}: {answer:?}"));
    }
    if !meet {
        return if moved.depth == 0.0 { Ok(()) } else { Err(format!("apart, but {moved:?}")) };
    }
    // No less than the minimum depth; the plane certifies that it is sufficient.
    let enough = along(pair, &moved.normal) - moved.depth * moved.normal.dot(&direction);
    let least = moved.depth < answer.depth_lower - slack;
    if enough > slack || least || !moved.depth.is_finite() {
        return Err(format!("along {direction:?}: {moved:?}, enough by {enough:e}: {answer:?}"));
    }
    // And hardly less is insufficient: moved back a little, the shapes overlap again. Where they graze each other the
    // overlap may be less than the rounding error of the position.
    let back = 1e-3 * size;
    if moved.converged && moved.depth > back && back * moved.normal.dot(&direction) > slack {
        let mut nearer = pair.clone();
        nearer.pose_a.translation += direction * (moved.depth - back);
        if !along_one(&nearer, direction).0 {
            return Err(format!("along {direction:?}: {moved:?}, but {back:e} less is enough"));
        }
    }
    Ok(())
}

fn count(pair: &Pair, answer: &QueryResult<Vector>, size: f64, slack: f64, tally: &mut Tally) {
    tally.pairs += 1;
    tally.curved += u64::from(pair.a.is_curved() || pair.b.is_curved());
    if !answer.status.converged() && std::env::var("PALPATE_SHOW").is_ok() {
        println!(
            "{:?} {:?} gap {:e} {:?} {:?}",
            answer.status,
            answer.iterations,
            answer.gap() / size,
            pair.a,
            pair.b
        );
    }
    tally.unconverged += u64::from(!answer.status.converged());
    if answer.depth > 10.0 * slack {
        tally.overlapping += 1;
    } else if answer.depth < -10.0 * slack {
        tally.apart += 1;
    } else {
        tally.touching += 1;
    }
    if size > 0.0 {
        let gap = answer.gap() / size;
        tally.loose += u64::from(gap > LOOSE);
        tally.loosest = tally.loosest.max(gap);
    }
}
