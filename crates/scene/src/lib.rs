//! The scene: geometries, the pairs to detect, and the step that finds their contacts.
//!
//! ```text
//! add ─► add_pair ─► advance ─► move geometry ─► step ─► contacts per pair, or a snapshot for another thread
//! ```
//!
//! A [`Scene`] owns its geometries and its pairs. A pair binds its detector when it is added, so that an unsupported
//! pair is an error at that point and is never skipped silently. [`Scene::step`] finds the pairs whose boxes are near,
//! updates the derived data of their geometries, and runs their detectors in the order of the pair ids.

mod body;
mod broad_phase;
mod debug_lines;
mod error;
mod events;
mod exchange;
mod filter;
mod group_pairs;
mod grouping;
mod groups;
mod hooks;
mod ids;
mod object;
mod options;
mod own_detector;
mod pair;
mod pairing;
mod placing;
mod queries;
mod relative;
mod saved;
mod scene;
mod shared;
mod sharing;
mod snapshot;
mod step;
mod timings;

pub use debug_lines::{DebugLine, DebugOptions};
pub use error::SceneError;
pub use events::{Change, Event};
pub use filter::ContactFilter;
pub use groups::Groups;
pub use ids::{GeometryId, PairId};
pub use options::PairOptions;
pub use own_detector::OwnDetector;
pub use pair::{Outcome, Pair};
pub use pairing::AllPairs;
pub use queries::{Closest, Found};
pub use saved::SavedScene;
pub use scene::Scene;
pub use shared::{GeometryReader, GeometrySnapshot, SharedChange};
pub use snapshot::{PairSnapshot, Snapshot, SnapshotReader};
pub use step::StepReport;
pub use timings::StepTimings;
