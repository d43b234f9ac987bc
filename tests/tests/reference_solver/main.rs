//! The reference solver: bodies that rest, a tool that presses, a suture with continuous detection.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_PRESS_FRAMES` | frames of the recorded tool, with `PALPATE_SHARED`; default 60, 239 for all |
//! | `PALPATE_REST_STEPS` | steps of every body at rest; default 300, 100,000 for the full run |
//! | `PALPATE_SUTURE_STEPS` | steps of every suture; default 120, 10,000 for the full run |
//! | `PALPATE_STITCH_STEPS` | steps of five stitches; default 300 in a small organ, 10,000 for the full run |

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "prints a table of the runs")]

mod crossing;
mod press;
mod rest;
mod stitches;
mod suture;

/// A number of steps, from a variable of the environment.
fn steps(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |steps| steps.parse().expect("a number of steps"))
}
