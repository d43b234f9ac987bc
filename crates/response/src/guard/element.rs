//! Elements: convex parts of bodies.

/// The hull of up to three vertices of a mesh; or, without vertices, a whole solid or half-space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Element {
    pub(super) part: usize,
    count: u8,
    ids: [u32; 3],
}

impl Element {
    /// The hull of one to three vertices of a part.
    #[inline]
    pub(super) fn new(part: usize, vertices: &[u32]) -> Self {
        let mut ids = [u32::MAX; 3];
        ids.iter_mut().zip(vertices).for_each(|(id, vertex)| *id = *vertex);
        Self { part, count: vertices.len() as u8, ids }
    }

    /// A whole part that is no mesh.
    pub(super) fn whole(part: usize) -> Self {
        Self { part, count: 0, ids: [u32::MAX; 3] }
    }

    pub(super) fn vertices(&self) -> &[u32] {
        &self.ids[..usize::from(self.count)]
    }

    /// Whether all of this element's vertices are those of `other`.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        self.part == other.part && self.vertices().iter().all(|id| other.vertices().contains(id))
    }

    /// Whether the two share a vertex.
    pub(super) fn shares_vertex(&self, other: &Self) -> bool {
        self.part == other.part && self.vertices().iter().any(|id| other.vertices().contains(id))
    }
}
