//! Derived data required by detectors.

bitflags::bitflags! {
    /// Derived data that a detector reads. The step unions the needs of all bound detectors and prepares each geometry
    /// once.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Needs: u32 {
        /// What the [normals](crate::derived::Normals) of a surface need, and what tells its inside from its outside.
        const NORMALS = 1;
        /// The tree over the cells; for a point set over its points.
        const TREE = 1 << 1;
        /// The boundary surface of a tetrahedral mesh, with its normals and its tree.
        const BOUNDARY = 1 << 2;
        /// The tree over the cells (of a tetrahedral mesh, over the triangles of its boundary) as they sweep over the step,
        /// for continuous detection.
        const SWEPT = 1 << 3;
        /// The previous state, which is no derived data: a copy that is made for the detector has to have it.
        const MOTION = 1 << 4;
        /// What the first cut of a mesh would otherwise make: the cells at each vertex, ways up the trees that are up to date, and room for
        /// the vertices and cells that cuts add. No detector needs it.
        const CUTS = 1 << 5;
    }
}
