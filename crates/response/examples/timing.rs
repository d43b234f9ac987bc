//! Times of gathering and of solving rows, medians of 101 rounds.
//!
//! Run it with `cargo run --release -p palpate-response --example timing`.
#![allow(clippy::print_stdout, reason = "prints figures")]

use nalgebra::Isometry3;
use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::{Material, ResponseError, pbd, rigid};
use std::time::Instant;

/// The median time of a round in microseconds.
fn median(mut round: impl FnMut() -> Result<(), ResponseError>) -> Result<f64, ResponseError> {
    let mut times = Vec::new();
    for _ in 0..101 {
        let start = Instant::now();
        round()?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[50])
}

/// Vertices of a grid of 32 × 32, each a little inside a triangle of another grid below it.
fn sheets(count: usize) -> (Vec<Point>, Vec<Contact>) {
    let grid = |height: f64| (0..1089).map(move |k| Point::new(f64::from(k % 33), height, f64::from(k / 33)));
    let positions: Vec<Point> = grid(0.0).chain(grid(0.1)).collect();
    let contact = |k: usize| {
        let corner = (k / 32 * 33 + k % 32) as u32;
        let a = Feature::vertex(corner, 0, positions[corner as usize]);
        let ids = [corner, corner + 33, corner + 1];
        let place = positions[1089 + corner as usize];
        let b = Feature::triangle(ids, [0.5, 0.25, 0.25], k as u32, place);
        Contact::exact(a, b, Vector::y(), 0.1, k as u64)
    };
    let contacts = (0..count).map(contact).collect();
    (positions, contacts)
}

fn main() -> Result<(), ResponseError> {
    let (positions, contacts) = sheets(1000);
    let list = |number, bodies, contacts| ContactsOfPair { number, geometries: bodies, contacts };
    let mut rows = pbd::Rows::new(0.01);
    let material = Material::with_friction(0.3);
    let gathered = median(|| {
        let body = |side: usize| pbd::Body::Particles(1089 * side);
        rows.gather([list(0, [0, 1], &contacts[..])], &positions, body, |_| material)
    })?;
    println!("pbd: gather 1,000 vertex-triangle rows: {gathered:.1} µs");
    let (mut x, masses) = (positions.clone(), vec![1.0; positions.len()]);
    let projected = median(|| {
        rows.iter_mut().for_each(|row| row.project(&mut x, &positions, &masses));
        Ok(())
    })?;
    println!("pbd: project 1,000 rows with friction once: {projected:.1} µs");
    let reprojected = median(|| {
        rows.reproject(&x);
        Ok(())
    })?;
    println!("pbd: re-project 1,000 rows: {reprojected:.1} µs");

    // A stack of 64 boxes of side one: four contacts between each two, 252 in all.
    let pose = |k: usize| Isometry3::translation(0.0, k as f64, 0.0);
    let mass = |k: usize| rigid::Mass::new(&pose(k), 1.0, &Vector::repeat(6.0));
    let masses: Vec<rigid::Mass> = (0..64).map(mass).collect();
    let falling = |k: usize| rigid::Velocity { linear: -Vector::y() * k as f64, angular: Vector::zeros() };
    let start: Vec<rigid::Velocity> = (0..64).map(falling).collect();
    let mut velocities = start.clone();
    let corners = |k: usize| {
        [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, z]| {
            let place = Point::new(x, k as f64 + 0.5, z);
            let id = if x > 0.0 { 1 } else { 0 } + if z > 0.0 { 2 } else { 0 };
            Contact::exact(Feature::point(place), Feature::point(place), -Vector::y(), 1e-3, id)
        })
    };
    let corners: Vec<[Contact; 4]> = (0..63).map(corners).collect();
    let pairs: Vec<[usize; 2]> = (0..63).map(|k| [k, k + 1]).collect();
    let mut rows = rigid::Rows::new(rigid::Settings::new(0.01));
    let gathered = median(|| {
        let lists = pairs.iter().enumerate().map(|(k, &pair)| list(k as u64, pair, &corners[k][..]));
        rows.gather(lists, &masses, &velocities, rigid::Body::Dynamic, |_| material)
    })?;
    let count = rows.len();
    println!(
        "rigid: gather {count} rows: {gathered:.1} µs, {:.1} µs for 1,000",
        gathered * 1e3 / count as f64
    );
    let solved = median(|| {
        velocities.copy_from_slice(&start);
        rows.iter_mut().for_each(|row| row.solve(&mut velocities));
        Ok(())
    })?;
    let per = solved * 250.0 / count as f64;
    println!("rigid: solve {count} rows (normal and friction) once: {solved:.2} µs, {per:.2} µs for 250");
    let (mut jacobian, mut delassus) = (rigid::Csr::default(), rigid::Csr::default());
    let assembled = median(|| {
        rows.jacobian(&mut jacobian);
        Ok(())
    })?;
    let coupled = median(|| {
        rows.delassus(&mut delassus);
        Ok(())
    })?;
    println!("rigid: sparse Jacobian {assembled:.1} µs, J M⁻¹ Jᵀ {coupled:.1} µs");
    Ok(())
}
