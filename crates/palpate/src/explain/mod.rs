//! Why a pair has the contacts that it has, or none: the chain of decisions from the boxes to the contacts, with numbers.
//!
//! Every number comes from the pair's own detector or from the geometry: what the detector would report with a larger margin is
//! its nearest elements and their distance; what it reports with one setting changed is what that setting decides.
//!
//! ```
//! use palpate::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut scene = Scene::standard();
//! let ball = scene.add("ball", Sphere::new(Point::new(0.0, 1.25, 0.0), 1.0)?)?;
//! let floor = scene.add("floor", Plane::new(Point::origin(), Vector::y())?)?;
//! let pair = scene.add_pair(ball, floor, PairOptions::default())?;
//! let found = palpate::explain::explain(&mut scene, pair, None)?;
//! assert!(found.verdict().contains("0.25 m apart"), "{found}");
//! # Ok(())
//! # }
//! ```

mod boxes;
mod chain;
mod children;
mod elements;
mod explanation;
mod place;
mod sides;
mod trials;

pub use chain::explain;
pub use explanation::{Explanation, Stage, Step};
