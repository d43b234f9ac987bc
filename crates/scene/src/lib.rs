//! Geometries, pairs and the step: who is tested against whom, and what came out.
//!
//! ```text
//! add ─► add_pair ─► advance ─► move geometry ─► step ─► contacts per pair, or a snapshot for another thread
//! ```
//!
//! A [`Scene`] owns its geometries and its pairs. A pair binds its detector when it is added, so that what cannot be
//! detected is an error then and never silence later. One [`Scene::step`] prepares every geometry once, lets the broad
//! phase put aside the pairs whose boxes are apart, and runs the detectors of the rest, in the order of the pair ids.

mod broad_phase;
mod error;
mod filter;
mod ids;
mod pair;
mod pairing;
mod scene;
mod snapshot;
mod step;

pub use error::SceneError;
pub use filter::Groups;
pub use ids::{GeometryId, PairId};
pub use pair::{Outcome, Pair, PairOptions};
pub use pairing::AllPairs;
pub use scene::Scene;
pub use snapshot::{PairSnapshot, Snapshot, SnapshotReader};
pub use step::StepReport;
