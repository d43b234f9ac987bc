//! Times a loop over many poses of a pair, which `palpate.batch.detect` of the Python package is compared with.
//!
//! ```text
//! many_poses CASE.json POSES.f64
//! ```
//!
//! The case has `a` and `b` as in `docs/detect-json.md`; the poses of `a` are seven doubles each, position and unit quaternion w, x, y, z. Prints
//! the seconds of the loop and the number of contacts.

#![allow(clippy::print_stdout, reason = "an example")]

use palpate::describe::from_json;
use palpate::prelude::*;
use palpate::serde_json::Value;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let [case, poses] =
        [arguments.next(), arguments.next()].map(|name| name.ok_or("wanted a case and poses"));
    let case: Value = palpate::serde_json::from_slice(&std::fs::read(case?)?)?;
    let bytes = std::fs::read(poses?)?;
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    let (mut a, mut b) = (from_json(&case["a"])?, from_json(&case["b"])?);

    let started = Instant::now();
    let mut bound = Registry::standard().bind(&*a, &*b, Choice::default())?;
    let [needs_a, needs_b] = bound.needs();
    b.prepare(needs_b);
    let (context, mut found, mut all) = (Context::new(), CollisionData::new(), Vec::new());
    for &[x, y, z, w, i, j, k] in numbers.as_chunks().0 {
        a.set_pose(pose::from_wxyz(Point::new(x, y, z), [w, i, j, k])?)?;
        a.prepare(needs_a);
        bound.run(&*a, &*b, &context, &mut found)?;
        all.extend_from_slice(&found.contacts);
    }
    println!("{} {}", started.elapsed().as_secs_f64(), all.len());
    Ok(())
}
