//! Gathering, warm start, projection and re-projection of a settled step do not touch the heap.

use crate::sample::{Pair, Sample};
use palpate_contact::{Contact, ContactsOfPair};
use palpate_response::Material;
use palpate_response::pbd::{Body, Rows, State};
use palpate_response::rigid;

#[test]
fn a_settled_step_allocates_nothing() {
    let mut sample = Sample::new(40);
    let pair = Pair::random(&mut sample, [1, 3], 0.01);
    let mut contacts: Vec<Contact> = (0..1000).map(|id| Contact { id, ..pair.contact }).collect();
    let masses = [1.0; 8];
    let body = rigid::Mass { inverse: 1.0, ..rigid::Mass::infinite() };
    let mut rows = Rows::new(0.01);
    let mut rigid_rows = rigid::Rows::new(rigid::Settings::new(0.01));
    let mut x = pair.positions.clone();
    let mut frame = |contacts: &[Contact]| {
        let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts };
        let particles = |side: usize| Body::Particles(4 * side);
        rows.gather([list], &pair.positions, particles, |_| Material::HARD).unwrap();
        x.copy_from_slice(&pair.positions);
        let mut state =
            State { particles: &mut x, previous: &pair.positions, inverse_masses: &masses, bodies: &mut [] };
        rows.warm_start(&mut state, 0.5);
        rows.iter_mut().for_each(|row| row.project_in(&mut state));
        rows.reproject(&x);
        let mut velocities = [rigid::Velocity::default()];
        let side = |side| if side == 0 { rigid::Body::Dynamic(0) } else { rigid::Body::Static };
        rigid_rows.gather([list], &[body], &velocities, side, |_| Material::HARD).unwrap();
        rigid_rows.warm_start(&mut velocities, 1.0);
        rigid_rows.iter_mut().for_each(|row| row.solve(&mut velocities));
        rows.len() + rigid_rows.len()
    };
    frame(&contacts);
    contacts.reverse();
    frame(&contacts);
    frame(&contacts);
    let mut count = 0;
    let measured = allocation_counter::measure(|| count = frame(&contacts));
    assert_eq!((measured.count_total, count), (0, 2000));
    contacts.reverse();
    let measured = allocation_counter::measure(|| count = frame(&contacts));
    assert_eq!((measured.count_total, count), (0, 2000), "in another order");
}

/// Rows are reset to a copy without the heap.
#[test]
fn cloning_into_used_rows_allocates_nothing() {
    let mut sample = Sample::new(41);
    let pair = Pair::random(&mut sample, [1, 3], 0.01);
    let list = ContactsOfPair { number: 0, geometries: [0, 1], contacts: &[pair.contact][..] };
    let (mut rows, mut rigid_rows) = (Rows::new(0.01), rigid::Rows::new(rigid::Settings::new(0.01)));
    for _ in 0..2 {
        let particles = |side: usize| Body::Particles(4 * side);
        rows.gather([list], &pair.positions, particles, |_| Material::HARD).unwrap();
        let none = |_| rigid::Body::Static;
        rigid_rows.gather([list], &[], &[], none, |_| Material::HARD).unwrap();
    }
    let (mut copy, mut rigid_copy) = (rows.clone(), rigid_rows.clone());
    let measured = allocation_counter::measure(|| {
        copy.clone_from(&rows);
        rigid_copy.clone_from(&rigid_rows);
    });
    assert_eq!(measured.count_total, 0);
    assert_eq!(format!("{copy:?}{rigid_copy:?}"), format!("{rows:?}{rigid_rows:?}"));
}
