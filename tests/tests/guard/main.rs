//! The guard: nothing that a solver returns gets anything through anything.

mod adversary;
mod oracle;
mod scene;

/// The number of steps of a run: an environment variable, or a default.
fn steps(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
