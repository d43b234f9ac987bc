//! Collision detection for medical simulation: geometry goes in, contacts come out.
//!
//! Every contact can be used both as an element pair (this vertex against that triangle) and as a point, a direction
//! and a depth. Modules:
//!
//! | module | contents | feature |
//! |---|---|---|
//! | [`prelude`] | the names that most programs need | |
//! | [`scene`] | geometries and pairs, the broad phase, the step | |
//! | [`detect`] | the detectors, the detector trait, the registry | `rayon` for `detect::Pool` |
//! | [`geometry`] | shapes and meshes, and the geometry trait | |
//! | [`contact`] | the contact record and its element views | |
//! | [`response`] | constraint rows from contacts: PBD and XPBD, rigid bodies, penalty forces; the guard | |
//! | [`stepping`] | the loop of a step: predict, detect, solve, detect again where needed, guard | |
//! | [`procedure`] | needle and thread through tissue: crossings with ids that last, the path through cells, events | |
//! | [`haptics`] | a proxy that stays outside, and the force on a haptic device | |
//! | [`mesh_io`] | mesh files: OBJ, STL, PLY, OFF, VTK, Gmsh, MEDIT, TetGen, Vega, Abaqus, glTF | `mesh-io` |
//! | [`recording`] | recorded sessions and contacts in HDF5 (VTKHDF) | `recording` |
//! | [`record`] | a scene, recorded step by step | `recording` |
//! | [`replay`] | a recorded session, frame by frame through a scene | `recording` |
//! | [`describe`] | geometries as JSON, and back | |
//! | [`snapshot`] | the contacts of a recorded session as a stable text, for a simulator's own tests | `recording` |
//! | [`diff`] | the contacts of two files or sessions, compared | `recording` |
//! | [`explain`] | why a pair has the contacts that it has, or none | |
//! | [`math`], [`bvh`], [`convex`] | the building blocks of the above | |
//!
//! All features are enabled by default. Guides: `README.md` and `docs/` of the repository, and the examples in
//! `crates/palpate/examples/`, of which `first_contact.rs` is the shortest; a contact's fields, signs and frame:
//! [`contact::Contact`].
//!
//! Metres, seconds, radians, a right-handed world frame, `f64`. The crates [`nalgebra`], [`serde`] and
//! [`serde_json`], whose types and traits are part of the interface, are re-exported in the version that palpate uses.
//! The settings of a user's detector derive serde's traits with `#[serde(crate = "palpate::serde")]`.
//!
//! ```
//! use palpate::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::standard();
//! let ball = scene.add("ball", Sphere::new(Point::new(0.0, 0.75, 0.0), 1.0)?)?;
//! let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y())?)?;
//! let pair = scene.add_pair(ball, floor, PairOptions::default())?;
//! scene.step()?;
//! let contact = &scene.contacts(pair)?.contacts[0];
//! // The unit `direction` moves the first geometry, the ball, out of the second by `depth`.
//! assert_eq!((contact.depth, contact.direction), (0.25, [0.0, 1.0, 0.0]));
//! # Ok(())
//! # }
//! ```

mod contact_text;
pub mod describe;
#[cfg(feature = "recording")]
pub mod diff;
mod error_class;
pub mod explain;
pub mod prelude;
#[cfg(feature = "recording")]
pub mod record;
#[cfg(feature = "recording")]
pub mod replay;
#[cfg(feature = "recording")]
pub mod snapshot;
pub mod stepping;

pub use error_class::ErrorClass;
pub use nalgebra;
pub use serde;
pub use serde_json;

pub use palpate_bvh as bvh;
pub use palpate_contact as contact;
pub use palpate_convex as convex;
pub use palpate_detect as detect;
pub use palpate_geometry as geometry;
pub use palpate_haptics as haptics;
pub use palpate_math as math;
#[cfg(feature = "mesh-io")]
pub use palpate_mesh_io as mesh_io;
pub use palpate_procedure as procedure;
#[cfg(feature = "recording")]
pub use palpate_recording as recording;
pub use palpate_response as response;
pub use palpate_scene as scene;

/// The example in the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The code on the page about contacts compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/using-contacts.md")]
struct UsingContacts;

/// The code on the page about continuous detection compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/continuous.md")]
struct Continuous;

/// The code on the page about haptics compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/haptics.md")]
struct Haptics;

/// The code on the page about needle and thread compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/procedure.md")]
struct Procedure;
