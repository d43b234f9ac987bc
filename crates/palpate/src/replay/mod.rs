//! Replays a recorded session, frame by frame through a scene.
//!
//! ```text
//! Reader ── Frame ──► Replay: geometry moved in place ──► Scene::step ──► contacts per pair
//! ```

mod error;
mod objects;
mod options;
mod parts;
mod player;
mod template;
mod threads;

pub use error::ReplayError;
pub use options::ReplayOptions;
pub use player::Replay;
