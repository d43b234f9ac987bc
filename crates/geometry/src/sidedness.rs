//! What tells inside from outside of a surface.

/// How a surface tells on which side of it a point lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sidedness {
    /// By the angle-weighted pseudonormal of the nearest element (Bærentzen and Aanæs 2005): exact on a closed oriented
    /// surface that does not intersect itself and whose components agree.
    #[default]
    Pseudonormals,
    /// By the generalised winding number (Jacobson, Kavan and Sorkine-Hornung 2013): inside is where the surface winds
    /// around a point more than half a time, in either direction. Right on surfaces with holes, branches,
    /// self-intersections and components in one another; slower.
    WindingNumber,
}
