//! Status of a detection: flags that accompany its contacts.

bitflags::bitflags! {
    /// Caveats about a result.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Flags: u32 {
        /// A work budget ran out: contacts may be missing.
        const BUDGET_EXHAUSTED = 1;
        /// An iteration limit was reached: `depth_upper` of some contact is looser than rounding error.
        const ITERATION_LIMIT = 1 << 1;
        /// A surface is not closed: it was treated as a sheet without interior.
        const OPEN_SURFACE = 1 << 2;
        /// An implicit function is not a distance: depths are estimates.
        const NOT_A_DISTANCE = 1 << 3;
        /// Only the vertices of a mesh were tested, not its edges and faces.
        const VERTICES_ONLY = 1 << 4;
        /// Containment in a surface was decided by its winding number, not by its normals: it is not closed and
        /// oriented, it intersects itself, its components contradict each other, or it was told to.
        const WINDING_NUMBER = 1 << 5;
        /// The first impact of some contact is not proven: the budget of its query ran out, and the contact is reported in case
        /// there is one.
        const OPEN_IMPACT = 1 << 6;
        /// A closed surface was found to intersect itself when its sidedness was decided: see
        /// `SurfaceMesh::is_self_intersecting`.
        const SELF_INTERSECTING = 1 << 7;
    }
}

impl Flags {
    /// Returns the names used in JSON, HDF5 and Python, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        const NAMES: [(Flags, &str); 8] = [
            (Flags::BUDGET_EXHAUSTED, "budget_exhausted"),
            (Flags::ITERATION_LIMIT, "iteration_limit"),
            (Flags::OPEN_SURFACE, "open_surface"),
            (Flags::NOT_A_DISTANCE, "not_a_distance"),
            (Flags::VERTICES_ONLY, "vertices_only"),
            (Flags::WINDING_NUMBER, "winding_number"),
            (Flags::OPEN_IMPACT, "open_impact"),
            (Flags::SELF_INTERSECTING, "self_intersecting"),
        ];
        NAMES.into_iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, name)| name)
    }
}

/// The outcome of one detection. An exhausted budget is reported here, never hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Caveats about the result.
    pub flags: Flags,
}

impl From<Flags> for Status {
    fn from(flags: Flags) -> Self {
        Self { flags }
    }
}
