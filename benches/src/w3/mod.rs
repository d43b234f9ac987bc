//! Workload W3: continuous queries with exact ground truth, palpate beside additive CCD.
//!
//! A folder holds CSV files at any depth; those below a folder `edge-edge` are edge pairs, those below `vertex-face` a
//! vertex and a triangle. Eight lines are a query: four vertices at the start, then the same at the end; a line has the
//! three coordinates as numerator and denominator, and whether there is an impact. The format is that of B. Wang, Z.
//! Ferguson, T. Schneider, X. Jiang, M. Attene, D. Panozzo, "A Large-scale Benchmark and an Inclusion-based Algorithm
//! for Continuous Collision Detection", ACM TOG 40 (2021), DOI 10.1145/3460775.

mod additive;
mod query;
mod report;

pub use additive::additive_ccd;
pub use query::{Kind, Query, QueryFile, files_in};
pub use report::{Report, heading, json, measure, measure_all, total};
