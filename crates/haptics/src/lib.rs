//! Haptic rendering: a tool that follows a device but stays outside of everything, and the force that this takes.
//!
//! ```text
//! device pose ─► Proxy::follow ─► pose of the tool on the surface ─► Coupling::wrench ─► force and torque for the device
//!                     ▲
//!              scene: obstacles, pairs of the tool with a margin
//! ```
//!
//! The [`Proxy`] (god object) is the tool as it is shown: it moves toward the device in small steps, each restricted by the
//! contacts within the margin, and checked by detection. The [`Coupling`] is a spring between the device and the proxy
//! whose exchange of energy is accounted for: it never returns more than it received.
//!
//! Sources: C. B. Zilles, J. K. Salisbury, "A constraint-based god-object method for haptic display" (IROS 1995); M.
//! Ortega, S. Redon, S. Coquillart, "A six degree-of-freedom god-object method for haptic display of rigid bodies" (IEEE
//! TVCG 13, 2007); B. Hannaford, J.-H. Ryu, "Time-domain passivity control of haptic interfaces" (IEEE TRA 18, 2002).

mod coupling;
mod error;
mod proxy;
mod twist;

pub use coupling::{Coupling, CouplingOptions, Energy, Wrench};
pub use error::HapticError;
pub use proxy::{Proxy, ProxyOptions, Tick};
