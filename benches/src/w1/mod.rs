//! Workload W1: posed convex pairs with reference distances and depths, palpate beside parry.
//!
//! A folder holds `hulls_*.bin`, pools of hulls, and cells, one file each, of pairs. All numbers are little-endian `f64`.
//! A pool: number of hulls, then per hull the numbers of vertices and triangles, the coordinates and the indices. A pair: 40
//! numbers, see [`Record`]. Cells named `hullN_…` take their hulls from `hulls_N.bin`, the cell `degen` from
//! `hulls_degen.bin`.

mod cell;
mod oracle;
mod palpate_side;
mod parry_side;
mod pool;
mod record;
mod report;
mod score;

pub use cell::{Cell, cells_in};
pub use record::{Kind, Record, Side};
pub use report::{Report, doubtful, heading, json, measure, spin};
