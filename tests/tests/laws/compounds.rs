//! The laws of compounds against every kind: their contacts are those of their children, by number.

use crate::all_cases::REGISTRY;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Bound, Choice, Context, Order, Pool, Served};
use palpate_geometry::{Geometry, GeometryKind, Pose};
use palpate_math::{Point, Vector};
use palpate_tests::compare::{MOTION, same_bits, same_within};
use palpate_tests::compound::{CompoundCase, compound_case};
use palpate_tests::laws::law;
use palpate_tests::{Case, Random, Regime, Subject};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Cases of every kind in every regime.
const CASES: usize = 8;

static CASES_OF_KINDS: LazyLock<Vec<(GeometryKind, Vec<CompoundCase>)>> = LazyLock::new(|| {
    let is_served = |kind: &GeometryKind| {
        let with_kind = |cell: &palpate_detect::MatrixCell| cell.a == *kind || cell.b == *kind;
        let by_detector = |cell: &palpate_detect::MatrixCell| matches!(cell.served, Served::By { .. });
        *kind == GeometryKind::COMPOUND
            || REGISTRY.matrix().iter().any(|cell| with_kind(cell) && by_detector(cell))
    };
    let cases_of = |kind: GeometryKind| {
        let case =
            |(regime, number)| compound_case(&REGISTRY, &kind, regime, number).expect("a case of the kind");
        let all = Regime::ALL.into_iter().flat_map(|regime| (0..CASES).map(move |number| (regime, number)));
        let cases = all.filter_map(case).collect();
        (kind, cases)
    };
    GeometryKind::ORDER.into_iter().filter(is_served).map(cases_of).collect()
});

fn run(bound: &mut Bound, a: &dyn Geometry, b: &dyn Geometry, context: &Context<'_>) -> CollisionData {
    let mut out = CollisionData::new();
    bound.run(a, b, context, &mut out).expect("the case runs");
    out
}

fn contacts_of(a: &dyn Geometry, b: &dyn Geometry, margin: f64) -> CollisionData {
    let mut bound = REGISTRY.bind(a, b, Choice::default()).expect("the case binds");
    run(&mut bound, a, b, &Context::new().with_margin(margin))
}

fn contacts(case: &CompoundCase) -> CollisionData {
    contacts_of(case.a.prepared().as_ref(), case.b.prepared().as_ref(), case.margin)
}

fn failure(case: &CompoundCase, reason: &str) -> String {
    format!("{:?} case {}: {reason}\n{}", case.regime, case.number, case.to_json())
}

/// Judges every case by `judge`, which returns the number of contacts; asserts that there were enough.
fn over_cases(judge: impl Fn(&CompoundCase) -> Result<usize, String>) {
    for (kind, cases) in CASES_OF_KINDS.iter() {
        let mut judged = 0;
        for case in cases {
            judged += usize::from(
                judge(case).unwrap_or_else(|reason| panic!("{kind}: {}", failure(case, &reason))) > 0,
            );
        }
        assert!(judged >= 4 * CASES * 9 / 10, "{kind}: only {judged} of {} cases had contacts", cases.len());
    }
}

/// The pairs of parts, with their numbers, in the order of the contacts: by the children of the compound; for two
/// compounds, by those of the leading one.
fn pairs(case: &CompoundCase, lead: Order) -> Vec<[usize; 2]> {
    let [a, b] = [&case.a, &case.b].map(|body| body.parts().len());
    let mut pairs: Vec<_> = (0..a).flat_map(|i| (0..b).map(move |j| [i, j])).collect();
    if lead == Order::Swapped {
        pairs.sort_by_key(|&[i, j]| (j, i));
    }
    pairs
}

/// The case of two single children, as the laws of their own detector judge it.
fn of_parts(case: &CompoundCase, [i, j]: [usize; 2]) -> Case {
    let (a, b) = (case.a.parts()[i].clone(), case.b.parts()[j].clone());
    let (built_a, built_b) = (a.prepared(), b.prepared());
    let bound =
        REGISTRY.bind(built_a.as_ref(), built_b.as_ref(), Choice::default()).expect("the children bind");
    let detector = REGISTRY.entry(bound.name()).expect("a detector by its name").name;
    Case { detector, regime: case.regime, number: case.number, a, b, margin: case.margin, settings: None }
}

/// The results of the children's own detectors in sequence, each contact with its children's numbers.
fn union(case: &CompoundCase, lead: Order) -> CollisionData {
    let mut union = CollisionData::new();
    for [i, j] in pairs(case, lead) {
        let part = of_parts(case, [i, j]);
        let own = contacts_of(part.a.prepared().as_ref(), part.b.prepared().as_ref(), part.margin);
        union.contacts.extend(own.contacts.into_iter().map(|mut contact| {
            (contact.a.child, contact.b.child) = (case.a.number(i), case.b.number(j));
            contact
        }));
    }
    union
}

fn lead(case: &CompoundCase) -> Order {
    let (a, b) = (case.a.prepared(), case.b.prepared());
    REGISTRY.bind(a.as_ref(), b.as_ref(), Choice::default()).expect("the case binds").order()
}

#[test]
fn every_kind_that_has_a_detector_has_cases_of_compounds() {
    assert!(CASES_OF_KINDS.len() >= 11);
    for (kind, cases) in CASES_OF_KINDS.iter() {
        let few = cases.len() < Regime::ALL.len() * CASES * 9 / 10;
        assert!(!few, "{kind}: {} cases", cases.len());
        let apart = cases.iter().filter(|case| case.regime == Regime::Separated);
        for case in apart {
            assert!(
                contacts(case).is_empty(),
                "{kind}: {}",
                failure(case, "a contact of separated geometries")
            );
        }
    }
}

/// The contacts are the union of the children's own results, in the stated order, and name their children.
// Proves: REQ-COMPOUND
#[test]
fn contacts_are_those_of_the_children() {
    over_cases(|case| {
        let found = contacts(case);
        same_bits(&union(case, lead(case)), &found)?;
        Ok(found.len())
    });
}

/// The results of the child in the regime agree with the oracle of its own detector.
// Proves: REQ-COMPOUND
#[test]
fn what_the_children_answer_is_true() {
    let truth = law("truth").expect("a law by this name");
    over_cases(|case| (truth.judge)(&Subject::new(&REGISTRY), &of_parts(case, case.leading)));
}

/// Mirror law; bit-identical compounds are exempt, since they have no order.
// Proves: REQ-MIRROR
#[test]
fn exchanging_the_inputs_exchanges_the_sides() {
    over_cases(|case| {
        if case.a.parts().iter().any(|part| case.b.parts().contains(part)) {
            return Ok(0);
        }
        let mut wanted = contacts(case);
        wanted.mirror();
        let found = contacts(&case.exchanged());
        same_bits(&wanted, &found)?;
        Ok(found.len())
    });
}

// Proves: REQ-SCALE
#[test]
fn lengths_scale_exactly() {
    over_cases(|case| {
        let mut random = Random::named("scale of compounds", case.number as u64);
        let factor = 2.0_f64.powi(random.below(61) as i32 - 30);
        let mut wanted = contacts(case);
        for contact in &mut wanted.contacts {
            contact.a.point = contact.a.point.map(|x| x * factor);
            contact.b.point = contact.b.point.map(|x| x * factor);
            contact.depth *= factor;
            contact.depth_upper *= factor;
        }
        same_bits(&wanted, &contacts(&case.scaled(factor)))?;
        Ok(wanted.len())
    });
}

/// Motion law, child by child, as for their own detectors; special positions do not survive a motion.
// Proves: REQ-MOTION
#[test]
fn contacts_move_with_the_geometries() {
    over_cases(|case| {
        if case.regime == Regime::Degenerate {
            return Ok(1);
        }
        let mut random = Random::named("motion of compounds", case.number as u64);
        let motion = random.pose(2.0);
        let moved = case.moved(&motion);
        // The moved geometries reach the detectors in the order of the original ones.
        let (a, b) = (case.a.prepared(), case.b.prepared());
        let context = Context::new().with_margin(case.margin);
        let mut bound = REGISTRY.bind(a.as_ref(), b.as_ref(), Choice::default()).expect("the case binds");
        let (moved_a, moved_b) = (moved.a.prepared(), moved.b.prepared());
        let orders = bound.orders();
        let choice = Choice::default().with_orders(&orders);
        let mut bound_moved =
            REGISTRY.bind(moved_a.as_ref(), moved_b.as_ref(), choice).expect("the case binds");
        let found = run(&mut bound_moved, moved_a.as_ref(), moved_b.as_ref(), &context);
        let mut wanted = run(&mut bound, a.as_ref(), b.as_ref(), &context);
        wanted.contacts.iter_mut().for_each(|contact| *contact = moved_contact(contact, &motion));
        for [i, j] in pairs(case, Order::AsGiven) {
            let numbers = (case.a.number(i), case.b.number(j));
            let of_pair = |data: &CollisionData| {
                let is_theirs = |contact: &&Contact| (contact.a.child, contact.b.child) == numbers;
                CollisionData { contacts: data.contacts.iter().filter(is_theirs).copied().collect() }
            };
            same_within(&of_parts(&moved, [i, j]), &of_pair(&wanted), &of_pair(&found), MOTION)?;
        }
        Ok(found.len())
    });
}

fn moved_contact(contact: &Contact, motion: &Pose) -> Contact {
    let mut contact = *contact;
    contact.a.point = (motion * Point::from(contact.a.point)).coords.into();
    contact.b.point = (motion * Point::from(contact.b.point)).coords.into();
    contact.direction = (motion.rotation * Vector::from(contact.direction)).into();
    contact
}

// Proves: REQ-ORDER
#[test]
fn neither_threads_nor_trees_change_them() {
    let pools = [1, 2, 4, 8].map(|threads| Pool::new(threads).expect("a thread pool"));
    over_cases(|case| {
        let wanted = contacts(case);
        let (a, b) = (case.a.prepared(), case.b.prepared());
        let mut bound = REGISTRY.bind(a.as_ref(), b.as_ref(), Choice::default()).expect("the case binds");
        for pool in &pools {
            let context = Context::new().with_margin(case.margin).with_executor(pool);
            same_bits(&wanted, &run(&mut bound, a.as_ref(), b.as_ref(), &context))?;
        }
        let mut random = Random::named("trees of compounds", case.number as u64);
        let (a, b) = (case.a.refitted(&mut random), case.b.refitted(&mut random));
        same_bits(&wanted, &contacts_of(a.as_ref(), b.as_ref(), case.margin))?;
        Ok(wanted.len())
    });
}

/// Once, and well formed: the rest is covered by the children's own laws of the record.
// Proves: REQ-ONCE
#[test]
fn each_comes_once_and_is_a_record() {
    over_cases(|case| {
        let found = contacts(case);
        let mut seen = HashSet::new();
        for contact in &found.contacts {
            let sides = [&contact.a, &contact.b].map(|side| {
                let mut ids = side.vertex_ids().to_vec();
                ids.sort_unstable();
                let number = ids.is_empty().then_some(side.cell);
                (side.kind, ids, number, side.child)
            });
            if !seen.insert((sides, contact.id)) {
                return Err(format!("it comes twice: {contact:?}"));
            }
            let unit = Vector::from(contact.direction).norm();
            if !(contact.depth.is_finite() && (unit - 1.0).abs() < 1e-12) {
                return Err(format!("no contact: {contact:?}"));
            }
        }
        Ok(found.len())
    });
}

/// The comparison with the union is tested: a lost contact, a wrong child and another order are found.
#[test]
fn a_fault_in_the_union_is_found() {
    let mut tried = 0;
    for (_, cases) in CASES_OF_KINDS.iter() {
        for case in cases.iter().filter(|case| case.regime == Regime::Deep) {
            let (right, wanted) = (contacts(case), union(case, lead(case)));
            let faults: [fn(&mut CollisionData); 4] = [
                |data| data.contacts.truncate(data.len() - 1),
                |data| data.contacts[0].a.child ^= 1,
                |data| data.contacts[0].b.child ^= 1,
                |data| data.contacts.rotate_left(1),
            ];
            for fault in faults.into_iter().take(if right.len() > 1 { 4 } else { 3 }) {
                let mut wrong = right.clone();
                fault(&mut wrong);
                assert!(same_bits(&wanted, &wrong).is_err(), "{}", failure(case, "the fault is not found"));
                tried += 1;
            }
        }
    }
    assert!(tried >= 200, "{tried} faults tried");
}
