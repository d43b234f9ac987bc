//! The point of a simplex that is nearest to the origin.
//!
//! The nearest point of a segment, triangle or tetrahedron is found by signed volumes (Montanari, Petrinic, Barbieri 2017,
//! doi:10.1145/3083724): ratios of determinants, which keep their sign where sums of inner products lose it. Since the
//! newest vertex lies strictly nearer to the origin's side than the face it joins, only features that contain it are tried.
//! Where the nearest point lies inside an edge or a face, it is given along the feature's own normal, so that its
//! *direction* stays right when the distance is a rounding error.

pub(crate) mod plane;
pub(crate) mod segment;
pub(crate) mod space;

/// What remains of a simplex.
#[derive(Clone, Copy, Debug)]
pub struct Reduced<V> {
    /// The point of the simplex nearest to the origin.
    pub nearest: V,
    /// Barycentric weights of that point. A vertex with weight zero is not needed.
    pub weights: [f64; 4],
    /// Whether the origin lies inside (only a full simplex has an inside).
    pub inside: bool,
}
