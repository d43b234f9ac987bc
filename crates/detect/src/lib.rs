//! The detectors of palpate: the trait that authors implement, the registry that finds and binds detectors, and the
//! pairs.
//!
//! ```text
//! Registry ── bind(a, b, choice) ──► Bound ── run(a, b, context, out) ──► CollisionData
//! ```
//!
//! Inputs may come in either order; the order is settled once, at binding, and the framework mirrors the output. The
//! laws that every detector obeys are in `docs/architecture.md`.

mod bind;
mod ccd;
mod contact_ids;
mod context;
mod convex_body;
mod detector;
mod error;
mod executor;
mod mesh;
mod nearest_name;
pub mod pairs;
#[cfg(feature = "rayon")]
mod pool;
mod port;
mod repeated;
mod room;
mod rounded_contact;
mod segment;
mod solid;
mod status;
mod surface_points;

pub use bind::{
    Bound, Choice, Detection, Entry, MatrixCell, Order, Registry, Served, Setting, SettingValues,
};
pub use ccd::moving::{AnySurface, SurfaceView};
pub use context::Context;
pub use convex_body::ConvexBody;
pub use detector::{About, CollisionDetectionAlgorithm, PairDetector, ViewA, ViewB};
pub use error::DetectError;
pub use executor::{Chunk, Chunks, Executor, Scratch, Serial};
pub use nearest_name::{did_you_mean, nearest_name};
pub use palpate_geometry::downcast;
#[cfg(feature = "rayon")]
pub use pool::Pool;
pub use port::{
    Accepts, AnyConvex, BoundedLipschitzBody, ConvexSolid, ConvexSolidView, Distance, LipschitzBody, Points,
    Port, SolidView,
};
pub use status::{Flags, Status};
