//! Options of a replay: the pairs to detect, the margin and the threads.

use crate::recording::PairInfo;

/// Which pairs of a session to detect, and on how many threads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOptions {
    /// The pairs. Empty (the default): those that the session names; when it names none, all that the registry has a
    /// detector for.
    pub pairs: Vec<PairInfo>,
    /// Metres within which contacts are reported before two objects touch, for all pairs; `None` (the default): what
    /// each pair says.
    pub margin: Option<f64>,
    /// How many threads run a detector's loops; 1 (the default): the calling one; 0: one for every core. The contacts
    /// are the same to the last bit. More than one thread requires the feature `rayon`.
    pub threads: usize,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { pairs: Vec::new(), margin: None, threads: 1 }
    }
}
