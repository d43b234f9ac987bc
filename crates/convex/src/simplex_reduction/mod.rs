//! The point of a simplex that is nearest to the origin.
//!
//! The closest point of a segment, triangle or tetrahedron is found by signed volumes (Montanari, Petrinic, Barbieri
//! 2017, doi:10.1145/3083724): ratios of determinants, which keep their sign where sums of inner products lose it.
//! Since the newest vertex lies strictly on the origin's side of the face it joins, only features that contain it are
//! tried. Where the closest point is interior to an edge or a face, it is computed along the feature's normal, so that
//! its *direction* stays accurate when the distance is a rounding error.

pub(crate) mod plane;
pub(crate) mod segment;
pub(crate) mod space;

/// A reduced simplex.
#[derive(Clone, Copy, Debug)]
pub struct Reduced<V> {
    /// The point of the simplex closest to the origin.
    pub nearest: V,
    /// Barycentric weights of that point. A vertex with weight zero can be dropped.
    pub weights: [f64; 4],
    /// Whether the origin lies inside (only a full simplex has an interior).
    pub inside: bool,
}
