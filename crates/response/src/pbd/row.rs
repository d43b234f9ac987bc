//! The data of a row.

use crate::RowKey;
use crate::material::Material;
use palpate_contact::FeatureKind;
use palpate_math::{Point, Vector};

/// One particle of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The index of the particle.
    pub particle: u32,
    /// The particle's weight in the point of side A, minus its weight in the point of side B: the gradient of the gap
    /// with respect to the particle is `weight * direction`.
    pub weight: f64,
    /// The factor on its inverse mass.
    pub scale: f64,
}

/// A vertex's share in an entry: the particle's weight in the vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The entry, counted from the row's first.
    pub(super) entry: u16,
    /// The vertex: 0 to 3 of side A, 4 to 7 of side B.
    pub(super) slot: u16,
    pub(super) coefficient: f64,
}

/// How the point of a side moves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// With the entries.
    Particles,
    /// With a rigid body: the point and the contact's direction in the body's frame.
    Rigid { body: u32, local: Point, direction: Vector },
    /// Not at all in the solver; the displacement of the surface in this step is for friction.
    Fixed { point: Point, displacement: Vector },
}

/// A row. The entries and links are in the lists of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: RowKey,
    pub(super) direction: Vector,
    pub(super) tangents: [Vector; 2],
    /// The gap is `direction · (point of A - point of B) - offset`.
    pub(super) offset: f64,
    pub(super) anchors: [Anchor; 2],
    pub(super) first_entry: u32,
    pub(super) entry_count: u32,
    pub(super) first_link: u32,
    pub(super) link_count: u32,
    pub(super) kinds: [FeatureKind; 2],
    /// The weights of the vertices of both sides.
    pub(super) weights: [[f64; 4]; 2],
    pub(super) material: Material,
    /// Compliance divided by the square of the step: one per kilogram.
    pub(super) softness: f64,
    /// Seconds.
    pub(super) step: f64,
    /// Along the direction (0 or more) and the tangents, in kilogram metres: impulse times step.
    pub(super) multipliers: [f64; 3],
    /// The speed of approach before the first projection of the step; NaN until then.
    pub(super) approach: f64,
    pub(super) is_known: bool,
    pub(super) is_beyond: bool,
}
