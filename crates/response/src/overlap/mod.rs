//! Deep overlap of two closed meshes: one exit for the pair where its contacts contradict each other.
//!
//! Each contact of a pair is the exit of its own element. Of bodies that begin deep inside each other these exits point everywhere, and
//! no motion obeys all: the bodies stay where they are. [`Exits`] looks at the contacts of a pair, and where they contradict each
//! other gives one contact instead: along the gradient of the volume that the two share, through the line on which that acts.
//!
//! ```text
//!   contacts of elements          gradient of the volume
//!      ┌────────┐                    ┌────────┐ A
//!      │ ←┌──┼──┐→                   │  ┌──┼──┐    ↖ A moves there
//!      │  │ ↓│↑ │                    │  │ V│  │
//!      └──┼──┘  │                    └──┼──┘  │
//!         └─────┘                       └─────┘ B
//! ```
//!
//! - **The volume** is integrated over both surfaces where they are inside the other body; triangles across the other surface
//!   are clipped where the signed distance, linear between their corners, is zero. So it is continuous in the poses.
//! - **The depth** is the volume over the length of its gradient: that of a face that has sunk in; half of it for a cap. It
//!   goes to zero with the volume, so the exit hands back without a jump.
//! - **Taking over**: where the mean of the contacts' directions is short, or where a contact points against the mean and the deepest
//!   does not become less deep for some steps: many contacts that agree can still be locked by a few.
//! - Taking over and handing back goes over [`ExitSettings::steps`] steps: the depths of the contacts are faded against that of the
//!   exit.
//! - **An end** that is certain: where the volume has no gradient (one body within the other, or both interlocked), or has not become
//!   smaller for some steps, the exit is straight, along that axis along which the bodies are apart soonest.
//!
//! Both bodies move as rigid bodies: the contact names no vertices. Any rows take it.
//!
//! Sources: J. Allard, F. Faure, H. Courtecuisse, F. Falipou, C. Duriez, P. G. Kry, "Volume contact constraints at arbitrary
//! resolution" (2010), for the volume as the constraint and its gradient as the direction.

mod exits;
mod volume;

pub use exits::{ExitSettings, Exits};
pub use volume::{Overlap, overlap};
