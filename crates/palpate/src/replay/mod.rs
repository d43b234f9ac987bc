//! Replays a recorded session, frame by frame through a scene. Mesh files join it as objects that do not move.
//!
//! ```text
//! Reader ── Frame ──► Replay: geometry moved in place ──► Scene::step ──► contacts per pair
//! ```

mod error;
mod files;
mod objects;
mod options;
mod parts;
mod player;
mod template;
mod threads;

pub use error::ReplayError;
pub use files::SessionFiles;
pub use options::ReplayOptions;
pub use player::Replay;
