//! State of a pair kept between queries.

use crate::certificate::Certificate;
use crate::dimension::Dimension;
use crate::manifold::Kept;
use crate::minkowski_difference::MinkowskiDifference;
use crate::pose::RigidTransform;
use crate::simplex::Simplex;
use crate::support::{Core, NO_ID};
use crate::vector::VectorSpace;

/// State of a pair kept between queries: buffers, so that a settled query does not allocate, and the end of the last
/// search, from which [`contact_warm`](crate::contact_warm) warm starts. Affects only the cost of a query.
#[derive(Clone, Debug, Default)]
pub struct Memory<V: Dimension> {
    pub(crate) polytope: V::Polytope,
    pub(crate) last: Last<V>,
    pub(crate) certificate: Certificate<V>,
    pub(crate) kept: Kept,
}

impl<V: Dimension> Memory<V> {
    /// Discards the warm start; keeps the buffers.
    pub fn forget(&mut self) {
        self.last = Last::Nothing;
        self.certificate.forget();
        self.kept.forget();
    }

    /// Returns the ids of the support points of A and of B along the direction of the last contact of
    /// [`contact_coherent`](crate::contact_coherent); [`NO_ID`] where they are unknown.
    pub fn supports(&self) -> [u32; 2] {
        self.certificate.supports
    }
}

/// Where the last search ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Last<V> {
    #[default]
    Nothing,
    /// A simplex, by the ids of its vertices, and a direction from B to A in the world.
    Simplex { ids: [[u32; 2]; 4], count: usize, direction: V },
    /// Overlapping, with a polytope for the warm start.
    Polytope,
}

impl<V: VectorSpace> Last<V> {
    /// Stores a simplex and a direction.
    pub(crate) fn at(simplex: &Simplex<V>, direction: V) -> Self {
        let mut ids = [[NO_ID; 2]; 4];
        for (id, vertex) in ids.iter_mut().zip(&simplex.vertices[..simplex.count]) {
            *id = vertex.ids;
        }
        Self::Simplex { ids, count: simplex.count, direction }
    }

    /// Returns the simplex of the last search with the current positions of its vertices; empty if one has no ids.
    fn simplex<A: Core<V>, B: Core<V>>(&self, difference: &MinkowskiDifference<'_, V, A, B>) -> Simplex<V> {
        let mut simplex = Simplex::empty();
        if let Self::Simplex { ids, count, .. } = self {
            for &ids in &ids[..*count] {
                match difference.vertex(ids) {
                    Some(vertex) => simplex.push(vertex),
                    None => return Simplex::empty(),
                }
            }
        }
        simplex
    }

    /// Returns the start of the next search: that simplex, or the last direction, or a fresh guess; in the frame of A,
    /// whose pose is `pose_a`.
    pub(crate) fn start<A: Core<V>, B: Core<V>>(
        &self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        pose_a: &RigidTransform<V>,
    ) -> (Simplex<V>, V) {
        let guess = match self {
            Self::Simplex { direction, .. } if direction.largest() > 0.0 => {
                direction.unrotated(&pose_a.rotation)
            }
            _ => difference.guess(),
        };
        (self.simplex(difference), guess)
    }
}
