//! Implicit functions made of primitives, and searches for their least values.

mod composites;
mod pieces;
mod searches;
mod shells;
mod smooth_unions;
