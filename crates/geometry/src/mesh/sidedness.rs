//! Inside-outside classification of surfaces.

/// How a surface decides on which side a point lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sidedness {
    /// By the angle-weighted pseudonormal of the closest element (Bærentzen and Aanæs 2005): exact on a closed oriented
    /// surface without self-intersections whose components are consistent.
    #[default]
    Pseudonormals,
    /// By the generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013): inside is where its absolute value
    /// exceeds one half. Robust to holes, branches, self-intersections and nested components; slower.
    WindingNumber,
}

/// What was found out about a surface when its sides were decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Soundness {
    pub(super) sidedness: Sidedness,
    pub(super) is_self_intersecting: bool,
}
