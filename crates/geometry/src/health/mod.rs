//! Mesh health reports: the number and the first locations of each type of defect.

mod components;
mod disjoint_sets;
mod findings;
mod places;
mod self_intersection;
mod surface;
mod tetra;

pub use components::{Component, Orientation};
pub use findings::{Findings, LISTED};
pub use surface::SurfaceHealth;
pub use tetra::TetraHealth;
