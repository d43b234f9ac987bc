//! Static and continuous detection of a pair, and one after the other.

/// What is looked for: contacts of the current state, or the first contacts of the motion since the previous state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Detection {
    /// Contacts of the current state.
    #[default]
    Static,
    /// First contacts of the motion from the previous state to the current one.
    Continuous,
    /// Both: first contacts of the motion, then those contacts of the current state whose elements have none of the motion.
    ContinuousThenStatic,
}

/// Separates the names of a continuous detector and of the static one that follows it: `line_mesh_line_mesh_ccd+line_mesh_line_mesh`.
pub(super) const THEN: char = '+';
