//! The loop of a step, for a host with a position-based solver of its own.
//!
//! ```text
//! predict ─► detect ─► gather ─► solve (the host's) ─► has the motion left what the detection covered, ─► guard
//!              ▲                                       and does the guard not let it through as it is?
//!              │                                               │ yes
//!              └────────────── from the start, to there ◄──────┘
//! ```
//!
//! A [`Stepper`] knows what every geometry of a scene moves with. [`Stepper::step`] is the whole loop, with the host's solver as a
//! closure; a host with a loop of its own calls [`begin`](Stepper::begin), [`detect`](Stepper::detect),
//! [`excess`](Stepper::excess), [`is_free`](Stepper::is_free) and [`hold`](Stepper::hold).
//!
//! - **What a detection covers.** It proves (with continuous detection) that pairs of elements without a row stay farther apart
//!   than the margin on the way to the predicted places. A solution in which nothing ends farther than half the margin from
//!   its prediction has met nothing that has no row. If it has left that region, and the guard does not prove that it meets nothing
//!   there, the next detection is made for the motion that it found: decided by the distance, not by a fixed count.
//! - **What the guard proves.** Whatever the solver returned, nothing that was apart at the start of the step is through
//!   anything at its end: see [`palpate_response::guard`]. Rows make it smooth, the guard makes it certain.

mod error;
mod moving;
mod stepper;

pub use error::StepError;
pub use moving::Moving;
pub use stepper::{Stepped, Stepper, StepperOptions};
