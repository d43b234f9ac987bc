//! The query object computes each step once, in any order of calls: verified by counting supports.

#[allow(unreachable_pub)]
mod counting;

use counting::Counting;
use nalgebra::{Rotation3, Vector3};
use palpate_convex::{
    Capsule, Cone, Core, Cuboid, Cylinder, Ellipsoid, Memory, Points, Query, RigidTransform, Rounded,
    Settings, contact, intersects,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Vector = Vector3<f64>;

#[derive(Clone, Copy, Debug)]
enum Question {
    Intersects,
    Distance,
    Closest,
    Penetration,
    QueryResult,
}

use Question::{Closest, Distance, Intersects, Penetration};

const QUESTIONS: [Question; 5] = [Intersects, Distance, Closest, Penetration, Question::QueryResult];

/// Returns every order of five items.
fn orders() -> Vec<[usize; 5]> {
    let mut orders = Vec::new();
    for code in 0..5_usize.pow(5) {
        let order = [0, 1, 2, 3, 4].map(|place| code / 5_usize.pow(place) % 5);
        if (0..5).all(|question| order.contains(&question)) {
            orders.push(order);
        }
    }
    assert_eq!(orders.len(), 120);
    orders
}

/// Makes all five queries in an order; checks that they agree, and returns the supports each used.
fn ask_all<A: Core<Vector>, B: Core<Vector>>(
    query: &mut Query<'_, Vector, Counting<A>, Counting<B>>,
    shapes: (&Counting<A>, &Counting<B>),
    order: [usize; 5],
    (depth, slack): (f64, f64),
) -> [u32; 5] {
    let meet = depth >= 0.0;
    order.map(|which| {
        match QUESTIONS[which] {
            Intersects => assert_eq!(query.intersects(), meet),
            Distance => match query.distance() {
                Some(distance) => assert!(!meet && (distance + depth).abs() <= slack, "{distance} {depth}"),
                None => assert!(meet),
            },
            Closest => match query.nearest() {
                Some([a, b]) => assert!(!meet && ((a - b).norm() + depth).abs() <= slack),
                None => assert!(meet),
            },
            Penetration => match query.penetration() {
                Some((by, direction)) => {
                    assert!(meet && (by - depth).abs() <= slack, "{by} {depth}");
                    assert!((direction.norm() - 1.0).abs() < 1e-14);
                }
                None => assert!(!meet),
            },
            Question::QueryResult => assert!((query.contact().depth - depth).abs() <= slack),
        }
        shapes.0.taken() + shapes.1.taken()
    })
}

fn every_order<A: Core<Vector> + Clone, B: Core<Vector> + Clone>(
    a: &A,
    b: &B,
    pose_a: RigidTransform<Vector>,
    pose_b: RigidTransform<Vector>,
) {
    let settings = Settings::default();
    let (a, b) = (Counting::new(a.clone()), Counting::new(b.clone()));
    let shapes = (&a, &b);
    let taken = || a.taken() + b.taken();
    let alone = contact((&a, &pose_a), (&b, &pose_b), &mut Memory::default(), &settings);
    let contact_alone = taken();
    let meet = intersects((&a, &pose_a), (&b, &pose_b), &settings);
    let intersects_alone = taken();
    assert_eq!(meet, alone.depth >= 0.0, "{alone:?}");
    let size = a.bounding_radius() + b.bounding_radius() + a.radius() + b.radius();
    let truth = (alone.depth, 1e-9 * size);
    for order in orders() {
        let mut query = Query::new((&a, pose_a), (&b, pose_b), settings);
        let cost = ask_all(&mut query, shapes, order, truth);
        let total: u32 = cost.iter().sum();
        // One support of each shape may be evaluated by both searches: the one that terminated the first.
        assert!(total <= contact_alone + 2, "{order:?}: {cost:?}, a contact {contact_alone}");
        let (first, rest) = (cost[0], &cost[1..]);
        if let Intersects = QUESTIONS[order[0]] {
            assert_eq!(first, intersects_alone, "{order:?}: {cost:?}");
            assert!(rest.iter().filter(|&&cost| cost > 0).count() <= 1, "{order:?}: {cost:?}");
        } else {
            assert!(first == contact_alone && rest.iter().all(|&cost| cost == 0), "{order:?}: {cost:?}");
        }
        // Repeated queries and unchanged poses cost nothing.
        query.place_a(pose_a);
        query.place_b(pose_b);
        assert_eq!(ask_all(&mut query, shapes, order, truth), [0; 5]);
        // A new pose costs one more search.
        let moved = RigidTransform::new(pose_b.rotation, pose_b.translation + Vector::new(1e-3, 0.0, 0.0));
        query.place_b(moved);
        let other = contact((&a, &pose_a), (&b, &moved), &mut Memory::default(), &settings);
        taken();
        let truth = (other.depth, 1e-9 * size);
        assert!(ask_all(&mut query, shapes, order, truth)[0] > 0);
        assert_eq!(ask_all(&mut query, shapes, order, truth), [0; 5]);
    }
}

fn turned() -> RigidTransform<Vector> {
    RigidTransform::new(
        Rotation3::from_euler_angles(0.3, -0.7, 1.1).into_inner(),
        Vector::new(0.1, 0.2, -0.1),
    )
}

fn apart_shallow_and_deep<A: Core<Vector> + Clone, B: Core<Vector> + Clone>(a: &A, b: &B) {
    for x in [4.0, 1.4, 0.4] {
        every_order(a, b, turned(), RigidTransform::at(Vector::new(x, 0.3, 0.2)));
    }
}

#[test]
fn of_hulls_and_boxes() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let points =
        (0..40).map(|_| Vector::from_fn(|_, _| random.random_range(-1.0..1.0)).normalize()).collect();
    let hull = Points::new(points).expect("forty points");
    let cube = Cuboid { half_extents: Vector::repeat(0.7) };
    apart_shallow_and_deep(&hull, &cube);
    apart_shallow_and_deep(&hull, &hull);
    apart_shallow_and_deep(&Rounded { shape: cube, radius: 0.1 }, &hull);
}

#[test]
fn of_curved_shapes() {
    let cylinder = Cylinder { radius: 0.6, half_length: 0.8 };
    let cone = Cone { radius: 0.8, half_length: 0.7 };
    let ellipsoid = Ellipsoid { radii: Vector::new(0.6, 0.9, 1.2) };
    apart_shallow_and_deep(&cylinder, &cone);
    apart_shallow_and_deep(&ellipsoid, &cylinder);
    apart_shallow_and_deep(&Capsule { radius: 0.3, half_length: 0.8 }, &cone);
}

/// Coincident and touching boxes: no step more than once there either.
#[test]
fn of_touching_boxes() {
    let cube = Cuboid { half_extents: Vector::repeat(1.0) };
    for x in [0.0, 2.0] {
        every_order(&cube, &cube, RigidTransform::identity(), RigidTransform::at(Vector::new(x, 0.0, 0.0)));
    }
}
