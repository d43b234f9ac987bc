//! The guard: nothing that a solver returns gets anything through anything.
#![allow(clippy::unwrap_used)] // a test may panic

mod adversary;
mod client;
mod cost;
mod deep;
mod grasper;
mod oracle;
mod replace;
mod scene;
mod settled;
mod vessel;

/// The number of steps of a run: an environment variable, or a default.
fn steps(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
