//! What a detection says of itself besides its contacts.

bitflags::bitflags! {
    /// What a caller must know of an answer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Flags: u32 {
        /// A budget of work ran out: contacts may be missing.
        const BUDGET_EXHAUSTED = 1;
        /// An iteration limit was met: `depth_upper` of some contact is wider than rounding.
        const ITERATION_LIMIT = 1 << 1;
        /// A surface is not closed: it was taken as a sheet, and nothing is inside of it.
        const OPEN_SURFACE = 1 << 2;
        /// An implicit function is not a distance: depths are estimates.
        const NOT_A_DISTANCE = 1 << 3;
        /// Only the vertices of a mesh were looked at, not its edges and faces.
        const VERTICES_ONLY = 1 << 4;
        /// What is inside of a surface was told by its winding number, not by its normals: it is not closed and oriented,
        /// or said to be dirty.
        const WINDING_NUMBER = 1 << 5;
    }
}

impl Flags {
    /// The words used in JSON, HDF5 and Python, in a fixed order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        const NAMES: [(Flags, &str); 6] = [
            (Flags::BUDGET_EXHAUSTED, "budget_exhausted"),
            (Flags::ITERATION_LIMIT, "iteration_limit"),
            (Flags::OPEN_SURFACE, "open_surface"),
            (Flags::NOT_A_DISTANCE, "not_a_distance"),
            (Flags::VERTICES_ONLY, "vertices_only"),
            (Flags::WINDING_NUMBER, "winding_number"),
        ];
        NAMES.into_iter().filter(move |(flag, _)| self.contains(*flag)).map(|(_, name)| name)
    }
}

/// The outcome of one detection. An exhausted budget is said here, never hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// What the caller must know.
    pub flags: Flags,
}

impl From<Flags> for Status {
    fn from(flags: Flags) -> Self {
        Self { flags }
    }
}
