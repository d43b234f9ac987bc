//! The description of an object on the page: where its numbers are.

use serde::Serialize;

/// An object.
#[derive(Serialize)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) kind: String,
    /// Of a mesh in the first frame, in words.
    pub(super) health: String,
    /// Metres: how far a point that is drawn is from the recorded one at most.
    pub(super) error: f64,
    pub(super) segments: Vec<Segment>,
    pub(super) poses: Option<Poses>,
}

/// Kept frames in which an object has the same cells and sizes.
#[derive(Serialize)]
pub(super) struct Segment {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) shape: Option<String>,
    pub(super) size: Option<[f64; 3]>,
    pub(super) points: usize,
    pub(super) moves: bool,
    pub(super) low: [f64; 3],
    pub(super) step: [f64; 3],
    pub(super) offset: usize,
    pub(super) cells: Option<CellList>,
}

#[derive(Serialize)]
pub(super) struct CellList {
    pub(super) kind: &'static str,
    pub(super) offset: usize,
    pub(super) count: usize,
}

#[derive(Serialize)]
pub(super) struct Poses {
    pub(super) offset: usize,
    pub(super) rows: usize,
}
