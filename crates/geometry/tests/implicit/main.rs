//! Implicit functions made of primitives, and searches for their least values.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, also in what its cases share")]

mod composites;
mod pieces;
mod searches;
mod shells;
mod smooth_unions;
