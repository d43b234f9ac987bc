//! The laws for the contacts of a geometry with itself, over every detector that finds them.

use crate::all_cases::REGISTRY;
use palpate_contact::CollisionData;
use palpate_detect::{Choice, Context, Entry};
use palpate_geometry::{Geometry, GeometryKind};
use palpate_math::{Point, Vector};
use palpate_tests::compare::{MOTION, same_bits, same_within};
use palpate_tests::laws::{TRUTH, matches, refitted};
use palpate_tests::oracle::expected_of_self;
use palpate_tests::{Case, Random, Regime, Shape, meshes};

/// Number of threads, or clouds, per detector.
const CASES: u64 = 30;

fn tangled(kind: &GeometryKind, random: &mut Random) -> Shape {
    let radius = random.between(0.02, 0.1);
    match kind.name() {
        "point_set" => {
            let vertices = (0..120).map(|_| Point::from(random.vector())).collect();
            Shape::PointSet { vertices, radius: 2.0 * radius }
        }
        "line_mesh" => {
            let (vertices, cells) = meshes::walk(random, 60);
            Shape::LineMesh { vertices, cells, radius }
        }
        // Two balls in one mesh, one shifted into the other.
        "surface_mesh" => {
            let (mut vertices, mut cells) = meshes::bumpy(random, 1, 0.1);
            let (other, others) = meshes::bumpy(random, 1, 0.1);
            let (first, shift) = (vertices.len() as u32, random.direction() * random.between(0.4, 1.2));
            vertices.extend(other.iter().map(|vertex| vertex + shift));
            cells.extend(others.iter().map(|ids| ids.map(|id| first + id)));
            let radius = if random.one_in(2) { random.between(0.005, 0.02) } else { 0.0 };
            Shape::SurfaceMesh { vertices, cells, radius }
        }
        other => panic!("write a generator of self-contact for kind {other}"),
    }
}

fn contacts(entry: &Entry, geometry: &dyn Geometry, margin: f64) -> CollisionData {
    let mut out = CollisionData::new();
    let mut bound = REGISTRY.bind_self(geometry, Choice::named(entry.name)).expect("it has self-contact");
    let context = Context::new().with_margin(margin);
    bound.run_self(geometry, &context, &mut out).expect("the geometry is prepared");
    out
}

/// A case with the shape on both sides: for sizes and reports.
fn case(entry: &'static Entry, number: u64, shape: &Shape, margin: f64) -> Case {
    let (a, b, regime, number) = (shape.clone(), shape.clone(), Regime::Deep, number as usize);
    Case { detector: entry.name, regime, number, a, b, margin, settings: None }
}

/// Calls `judge` with every case and its contacts.
fn over_cases(
    mut judge: impl FnMut(&Case, &'static Entry, &CollisionData, &mut Random) -> Result<(), String>,
) {
    for entry in REGISTRY.static_detectors().filter(|entry| entry.self_contact) {
        let mut with_contacts = 0;
        for number in 0..CASES {
            let mut random = Random::named(entry.name, number);
            let shape = tangled(&entry.a.kind(), &mut random);
            let margin = if number % 3 == 0 { 0.05 } else { 0.0 };
            let case = case(entry, number, &shape, margin);
            let found = contacts(entry, shape.prepared().as_ref(), margin);
            with_contacts += u64::from(!found.is_empty());
            if let Err(reason) = judge(&case, entry, &found, &mut random) {
                panic!("{}", case.failure("self-contact", &reason));
            }
        }
        assert!(with_contacts > CASES * 9 / 10, "{}: {with_contacts} of {CASES} have contacts", entry.name);
    }
}

// Proves: REQ-SELF-CONTACT
#[test]
fn they_are_the_right_ones_in_order() {
    over_cases(|case, entry, found, _| {
        matches(case, &expected_of_self(entry.name, &case.a, case.margin, TRUTH)?, found)
    });
}

// Proves: REQ-MOTION
#[test]
fn a_motion_moves_them() {
    over_cases(|case, entry, found, random| {
        let motion = random.pose(2.0);
        let mut wanted = found.clone();
        for contact in &mut wanted.contacts {
            contact.a.point = (motion * Point::from(contact.a.point)).coords.into();
            contact.b.point = (motion * Point::from(contact.b.point)).coords.into();
            contact.direction = (motion.rotation * Vector::from(contact.direction)).into();
        }
        let moved = case.with_shapes(case.a.moved(&motion), case.b.moved(&motion));
        same_within(&moved, &wanted, &contacts(entry, moved.a.prepared().as_ref(), case.margin), MOTION)
    });
}

// Proves: REQ-SCALE
#[test]
fn they_scale_exactly() {
    over_cases(|case, entry, found, random| {
        let factor = 2.0_f64.powi(random.below(61) as i32 - 30);
        let mut wanted = found.clone();
        for contact in &mut wanted.contacts {
            contact.a.point = contact.a.point.map(|x| x * factor);
            contact.b.point = contact.b.point.map(|x| x * factor);
            contact.depth *= factor;
            contact.depth_upper *= factor;
        }
        let scaled = case.scaled(factor);
        same_bits(&wanted, &contacts(entry, scaled.a.prepared().as_ref(), scaled.margin))
    });
}

// Proves: REQ-ONCE
#[test]
fn they_do_not_depend_on_the_tree_and_come_once() {
    over_cases(|case, entry, found, random| {
        same_bits(found, &contacts(entry, refitted(&case.a, random).as_ref(), case.margin))?;
        let mut ids: Vec<u64> = found.contacts.iter().map(|contact| contact.id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() == found.len() { Ok(()) } else { Err("an id comes twice".to_owned()) }
    });
}
