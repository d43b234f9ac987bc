//! Bodies, surfaces and threads against sheets and real meshes: a contact has to lead out in one move, an
//! edge between two vertices on the surface has to be seen, and a thread through a sheet must not be hidden.
//! Runs if `PALPATE_SHARED` names the shared folder; then a missing file is a failure.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_POSES` | poses of every tool and mesh and of every two meshes, and threads; default 2 to 5 |
//! | `PALPATE_CELLS` | only targets whose name (`flat, shaken, 2 mm`) contains one of these words |
//!
//! ```text
//! PALPATE_POSES=100 cargo test --release -p palpate-tests --test sheet_meshes -- --nocapture
//! ```

#![allow(clippy::print_stdout, reason = "prints tables of what was tried")]

mod bodies;
mod least_exit;
mod meshes;
mod projected;
mod push_out;
mod sheets;
mod threads;
mod turns;

use std::path::PathBuf;

/// The size of every mesh in metres; tools and tolerances are relative to it.
const SIZE: f64 = 0.1;

/// A millimetre beside meshes of [`SIZE`].
const MM: f64 = 0.001;

/// The folder of the real meshes, if there is one.
fn folder() -> Option<PathBuf> {
    std::env::var_os("PALPATE_SHARED").map(|shared| PathBuf::from(shared).join("data/meshes"))
}

/// The number of poses asked for.
fn poses() -> Option<usize> {
    let poses = std::env::var("PALPATE_POSES").ok()?;
    Some(poses.parse().expect("a number of poses"))
}

/// Whether the targets of this name are asked for.
fn is_asked(name: &str) -> bool {
    let asked = std::env::var("PALPATE_CELLS").unwrap_or_default();
    let mut words = asked.split_whitespace().peekable();
    words.peek().is_none() || words.any(|word| name.contains(word))
}

/// Panics with the first of these failures, if there are any.
fn end(failures: &[String]) {
    let shown: Vec<&str> = failures.iter().take(30).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), shown.join("\n"));
}
