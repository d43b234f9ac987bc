//! Options of a replay: the pairs to detect, the margin and the threads.

use crate::detect::Detection;
use crate::math::Limits;
use crate::recording::PairInfo;

/// Which pairs of a session to detect, and on how many threads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayOptions {
    /// The pairs. Empty (the default): the pairs named by the session or, if it names none, all pairs with a default
    /// detector.
    pub pairs: Vec<PairInfo>,
    /// Contact margin of all pairs in metres: closer pairs are reported with negative depth. `None` (the default): the
    /// margin of each pair.
    pub margin: Option<f64>,
    /// Whether the motion from the preceding frame is detected as well. Static (the default): as each pair says. Otherwise the
    /// pairs of which a continuous detector takes both have that one, and then, with
    /// [`Detection::ContinuousThenStatic`], their own.
    pub detection: Detection,
    /// Number of threads for the loops of a detector. 1 (the default): the calling thread; 0: one per core. The
    /// contacts are the same bit for bit. More than one thread requires the feature `rayon`.
    pub threads: usize,
    /// Metres per unit of mesh files: 0.001 for files in millimetres. Finite and greater than 0; 1 by default.
    pub mesh_scale: f64,
    /// How much of a file is accepted; the defaults by default.
    pub limits: Limits,
    /// Whether a recording may refer to data outside its folder. False by default.
    pub allow_external: bool,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self {
            pairs: Vec::new(),
            margin: None,
            detection: Detection::Static,
            threads: 1,
            mesh_scale: 1.0,
            limits: Limits::DEFAULT,
            allow_external: false,
        }
    }
}
