//! Rows of position-based dynamics and of rigid bodies against closed forms, finite differences and recorded vectors.
//!
//! `PALPATE_CONTACTS` is the number of random contacts per type (2,000 without it; 100,000 for the full run).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod behaviour;
mod defects;
mod extended;
mod gradients;
mod heap;
mod momentum;
mod reprojection;
mod rigid_rows;
mod rigid_solve;
mod rolling;
mod sample;
mod vectors;
