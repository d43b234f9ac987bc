//! What a manifold keeps of the last step for the next.

mod kept_face;
mod kept_places;

pub(crate) use kept_face::KeptFace;
pub(crate) use kept_places::KeptPlaces;

/// The faces of both bodies, and places inside of the first: affects only the cost of the next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    pub(crate) faces: [KeptFace; 2],
    pub(crate) places: KeptPlaces,
}

impl Kept {
    /// Discards all.
    pub(crate) fn forget(&mut self) {
        self.faces.iter_mut().for_each(KeptFace::forget);
        self.places.forget();
    }
}
