//! What all of the crate uses: poses, checks of input and their errors, samples of a function, cells, and domains of searches.

mod cell;
mod domain;
mod error;
mod factors;
mod kind;
pub mod pose;
mod sample;
mod signed_distance;
#[doc(hidden)]
pub mod validate;

pub use cell::{Cell, CellValues, EdgeSplit, MOST_CORNERS};
pub use domain::{Circle, CylinderDomain, OrientedBounds};
pub use error::GeometryError;
pub use kind::GeometryKind;
pub use pose::Pose;
pub use sample::{Exactness, Sample};
pub use signed_distance::SignedDistance;
pub use validate::{LARGEST, RIGID_TOLERANCE, SMALLEST};

pub(crate) use factors::Factors;
