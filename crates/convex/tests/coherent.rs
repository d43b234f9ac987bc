//! A tool sliding over a hull: a warm start only affects the cost.

use nalgebra::{Matrix3, Point3, Rotation3, Unit, Vector3};
use palpate_convex::{
    ConvexHull, Hull, Memory, QueryResult, RigidTransform, Settings, contact, contact_warm,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Vector = Vector3<f64>;

const STEPS: usize = 10_000;

/// The hull of random points of an ellipsoid's surface.
fn hull(count: usize, radii: Vector, seed: u64) -> Hull {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let points: Vec<Vector> = (0..count)
        .map(|_| {
            let direction = Vector::from_fn(|_, _| random.random_range(-1.0..1.0));
            direction.normalize().component_mul(&radii)
        })
        .collect();
    let places: Vec<Point3<f64>> = points.iter().copied().map(Point3::from).collect();
    let triangles = ConvexHull::new(&places).triangles;
    Hull::new(points, triangles).expect("the triangles name the points")
}

/// Returns the tool's pose at a step: it goes once around the hull, rotating, at a height above its ellipsoid
/// (negative: inside).
fn pose(step: usize, reach: Vector, height: f64) -> RigidTransform<Vector> {
    let turn = step as f64 / STEPS as f64 * std::f64::consts::TAU;
    let direction = Vector::new(turn.cos(), turn.sin(), 0.3 * (3.0 * turn).sin()).normalize();
    let axis = Unit::new_normalize(Vector::new(1.0, 2.0, 3.0));
    let rotation: Matrix3<f64> = Rotation3::from_axis_angle(&axis, turn).into_inner();
    RigidTransform::new(rotation, direction.component_mul(&reach) + direction * height)
}

fn poses(height: f64) -> Vec<RigidTransform<Vector>> {
    (0..STEPS).map(|step| pose(step, Vector::new(1.0, 1.2, 0.9), height)).collect()
}

fn both(height: f64) -> [Vec<QueryResult<Vector>>; 2] {
    let (organ, tool) = (hull(300, Vector::new(1.0, 1.2, 0.9), 1), hull(60, Vector::repeat(0.1), 2));
    let (at, settings) = (RigidTransform::identity(), Settings::default());
    let mut memory = Memory::default();
    let poses = poses(height);
    let cold =
        poses.iter().map(|pose| contact((&tool, pose), (&organ, &at), &mut memory, &settings)).collect();
    let mut memory = Memory::default();
    let warm =
        poses.iter().map(|pose| contact_warm((&tool, pose), (&organ, &at), &mut memory, &settings)).collect();
    [cold, warm]
}

fn work(contacts: &[QueryResult<Vector>]) -> u32 {
    contacts.iter().map(|contact| contact.iterations[0] + contact.iterations[1]).sum()
}

fn assert_same(cold: &[QueryResult<Vector>], warm: &[QueryResult<Vector>]) {
    for (step, (cold, warm)) in cold.iter().zip(warm).enumerate() {
        assert!((cold.depth - warm.depth).abs() < 1e-13, "step {step}: {cold:?} {warm:?}");
        assert!(warm.status.converged(), "step {step}: {warm:?}");
        assert!(warm.gap() < 1e-12, "step {step}: {warm:?}");
    }
}

#[test]
fn apart_a_warm_query_answers_the_same_with_a_third_of_the_work() {
    let [cold, warm] = both(0.15);
    assert!(cold.iter().all(|contact| contact.depth < 0.0));
    assert_same(&cold, &warm);
    assert!(work(&warm) * 3 < work(&cold), "{} {}", work(&warm), work(&cold));
}

#[test]
fn in_contact_a_warm_query_answers_the_same_with_a_third_of_the_work() {
    let [cold, warm] = both(0.05);
    assert!(cold.iter().filter(|contact| contact.depth > 0.0).count() > STEPS * 9 / 10);
    assert_same(&cold, &warm);
    assert!(work(&warm) * 3 < work(&cold), "{} {}", work(&warm), work(&cold));
}

#[test]
fn in_and_out_of_contact_a_warm_query_answers_the_same() {
    let [cold, warm] = both(0.095);
    let touching = cold.iter().filter(|contact| contact.depth > 0.0).count();
    assert!((STEPS / 10..STEPS * 9 / 10).contains(&touching), "{touching}");
    assert_same(&cold, &warm);
}

#[test]
#[ignore = "measures time; run it in release"]
fn a_warm_query_is_three_times_as_fast() {
    let (organ, tool) = (hull(300, Vector::new(1.0, 1.2, 0.9), 1), hull(60, Vector::repeat(0.1), 2));
    let (at, settings) = (RigidTransform::identity(), Settings::default());
    for height in [0.15, 0.095, 0.05] {
        let poses = poses(height);
        let time = |ask: &mut dyn FnMut(&RigidTransform<Vector>) -> QueryResult<Vector>| {
            let start = std::time::Instant::now();
            let sum: f64 = poses.iter().map(|pose| ask(pose).depth).sum();
            assert!(sum.is_finite());
            start.elapsed()
        };
        let (mut cold_memory, mut warm_memory) = (Memory::default(), Memory::default());
        // Alternating, so that load on the machine affects both alike.
        let rounds = (0..15).map(|_| {
            let cold = time(&mut |pose| contact((&tool, pose), (&organ, &at), &mut cold_memory, &settings));
            let warm =
                time(&mut |pose| contact_warm((&tool, pose), (&organ, &at), &mut warm_memory, &settings));
            (cold, warm)
        });
        let (cold, warm) = rounds.reduce(|x, y| (x.0.min(y.0), x.1.min(y.1))).unwrap_or_default();
        let ratio = cold.as_secs_f64() / warm.as_secs_f64();
        println!("height {height}: cold {cold:?} warm {warm:?} of {STEPS}: {ratio:.2} times as fast");
        assert!(ratio > 3.0);
    }
}
