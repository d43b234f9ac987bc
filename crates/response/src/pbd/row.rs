//! The data of a row.

use crate::RowKey;
use crate::material::Material;
use crate::warm::Keyed;
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

/// A side without particles: how its point moves. The sides are 0 for A and 1 for B.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    /// With a rigid body: the point and the contact's direction in the body's frame.
    Rigid { side: usize, body: u32, local: Point, direction: Vector },
    /// Not at all in the solver; the displacement of the surface in this step is for friction.
    Fixed { side: usize, point: Point, displacement: Vector },
}

/// What all rows of a pair have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) material: Material,
    /// Compliance divided by the square of the step: one per kilogram.
    pub(super) softness: f64,
    /// Seconds.
    pub(super) step: f64,
}

/// A row. What has a different length from row to row is in the lists of the rows: see [`Parts`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: RowKey,
    pub(super) direction: Vector,
    pub(super) tangents: [Vector; 2],
    /// The gap is `direction · (point of A - point of B) - offset`.
    pub(super) offset: f64,
    /// Along the direction (0 or more) and the tangents, in kilogram metres: impulse times step.
    pub(super) multipliers: [f64; 3],
    /// The speed of approach before the first projection of the step; NaN until then.
    pub(super) approach: f64,
    pub(super) first_entry: u32,
    pub(super) first_link: u32,
    pub(super) first_anchor: u32,
    /// The index of the terms of the pair.
    pub(super) terms: u32,
    pub(super) entry_count: u16,
    pub(super) link_count: u16,
    pub(super) anchor_count: u16,
    pub(super) kinds: [FeatureKind; 2],
    pub(super) is_known: bool,
    pub(super) is_beyond: bool,
}

impl Keyed for Row {
    #[inline]
    fn key(&self) -> &RowKey {
        &self.key
    }
}

/// The lists that rows refer to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) anchors: &'a [Anchor],
    pub(super) terms: &'a [Terms],
}

impl<'a> Lists<'a> {
    /// The parts of a row.
    #[inline]
    pub(super) fn of(&self, row: &Row) -> Parts<'a> {
        let anchors = row.first_anchor as usize..row.first_anchor as usize + usize::from(row.anchor_count);
        Parts {
            entries: &self.entries[row.entry_range()],
            anchors: &self.anchors[anchors],
            terms: &self.terms[row.terms as usize],
        }
    }
}

/// The parts of a row that are in the lists: its particles, its sides without particles, the terms of its pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) anchors: &'a [Anchor],
    pub(super) terms: &'a Terms,
}
