//! Mesh health reports: the number and the first locations of each type of defect.

mod components;
mod disjoint_sets;
mod findings;
mod first_intersection;
mod places;
mod self_intersection;

pub(crate) use components::Components;
pub use components::{Component, Orientation};
pub use disjoint_sets::DisjointSets;
pub use findings::{Findings, LISTED};
pub(crate) use first_intersection::has_self_intersections;
pub(crate) use places::lowest_in_place;
pub(crate) use self_intersection::self_intersections;

pub use crate::mesh::{SurfaceHealth, TetraHealth};
