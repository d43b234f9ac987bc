//! Compounds of many children, of which only near pairs are bound.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Registry};
use palpate_geometry::{Compound, Geometry, Needs, Plane, PointSet, Sphere};
use palpate_math::{Point, Vector};

fn ball(x: f64, y: f64) -> Sphere {
    Sphere::new(Point::new(x, y, 0.0), 1.0).unwrap()
}

fn floor() -> Plane {
    Plane::new(Point::origin(), Vector::y()).unwrap()
}

fn points(at: Point) -> PointSet {
    PointSet::new(vec![at]).unwrap()
}

fn message(a: &dyn Geometry, b: &dyn Geometry, choice: Choice<'_>) -> String {
    Registry::standard().bind(a, b, choice).err().unwrap().to_string()
}

/// Many children are found through a tree: the contacts are those of the pairs of children one by one.
#[test]
fn many_children_have_the_contacts_of_every_pair() {
    let mut state = 5_u64;
    let mut number = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    let mut cloud = |count: usize| {
        let mut compound = Compound::default();
        for _ in 0..count {
            let center = Point::new(number(), number(), number()) * 2.5;
            compound.add_child(Box::new(Sphere::new(center, 0.1).unwrap()));
        }
        compound.add_child(Box::new(points(Point::new(1.0, 1.0, 1.0))));
        compound
    };
    let (mut a, mut b) = (cloud(90), cloud(80));
    a.prepare(Needs::TREE);
    b.prepare(Needs::TREE);
    let registry = Registry::standard();
    let context = Context::new().with_margin(0.05);
    let mut bound = registry.bind(&a, &b, Choice::default()).unwrap();
    let mut exchanged = registry.bind(&b, &a, Choice::default()).unwrap();
    let (mut found, mut mirrored) = (CollisionData::new(), CollisionData::new());
    let mut count = 0;
    for _ in 0..3 {
        bound.run(&a, &b, &context, &mut found).unwrap();
        exchanged.run(&b, &a, &context, &mut mirrored).unwrap();
        mirrored.mirror();
        assert!(mirrored.same_bits(&found));
        let mut wanted = Vec::new();
        let mut out = CollisionData::new();
        for (i, child_a) in a.children() {
            for (j, child_b) in b.children() {
                registry
                    .bind(child_a, child_b, Choice::default())
                    .and_then(|mut pair| pair.run(child_a, child_b, &context, &mut out))
                    .unwrap();
                wanted.extend(out.contacts.iter().map(|contact| ([i, j], contact.depth)));
            }
        }
        let mut depths: Vec<_> = found.contacts.iter().map(|c| ([c.a.child, c.b.child], c.depth)).collect();
        depths.sort_by_key(|(children, _)| *children);
        assert_eq!(depths, wanted);
        count += depths.len();
    }
    assert!(count > 50, "only {count} contacts");
    let mut own = registry.bind_self(&a, Choice::default()).unwrap();
    own.run_self(&a, &context, &mut found).unwrap();
    assert!(found.contacts.iter().all(|contact| contact.a.child < contact.b.child));
}

#[test]
fn of_many_children_one_without_a_detector_is_named() {
    let mut a = Compound::default();
    for number in 0..70 {
        a.add_child(Box::new(ball(f64::from(number), 0.0)));
    }
    let mut b = Compound::default();
    for number in 0..70 {
        b.add_child(Box::new(ball(f64::from(number), 0.5)));
    }
    a.add_child(Box::new(floor()));
    b.add_child(Box::new(floor()));
    let error = message(&a, &b, Choice::default());
    assert!(error.starts_with("child 70 of the first geometry and child 70 of the second: plane"), "{error}");
    let error = message(&a, &b, Choice::named("sphere_capsule"));
    assert!(error.contains("sphere_capsule"), "{error}");
}
