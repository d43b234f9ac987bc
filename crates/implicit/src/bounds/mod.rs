//! Linear lower bounds of functions over a cell.

mod linear;
mod means;
mod program;

pub use linear::{least, mixed_with};
pub use program::VALUES;

pub(crate) use linear::{below_the_higher, below_where_not_positive, least_on_segment};
pub(crate) use means::{LeastMean, least_of, least_within, linear};
pub(crate) use program::{Attained, Several, least_of_the_higher_within};
