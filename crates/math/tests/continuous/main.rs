//! Continuous queries against closed forms, an exact oracle, impacts by construction, and the public queries.
//!
//! | variable | |
//! |---|---|
//! | `PALPATE_CCD_QUERIES` | queries with impacts by construction; default 20,000 |
//! | `PALPATE_CCD_ORACLE` | queries judged by the oracle; default 3,000 |
//! | `PALPATE_CCD_THREADS` | crossing threads of each length; default 2,000 |
//! | `PALPATE_SHARED` | the folder of the public queries; without it that test is skipped |

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "prints counts and shares")]

mod closed_forms;
mod constructed;
mod oracle;
mod public_queries;
mod random;
mod separation;
mod symmetry;
mod threads;

use palpate_math::continuous::{
    Impact, MovingPoint, Options, edge_edge, vertex_edge, vertex_triangle, vertex_vertex,
};

/// Which features four moving vertices are; the last ones may be unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    VertexVertex,
    VertexEdge,
    VertexTriangle,
    EdgeEdge,
}

const KINDS: [Kind; 4] = [Kind::VertexVertex, Kind::VertexEdge, Kind::VertexTriangle, Kind::EdgeEdge];

/// Asks about the first vertices of `v`.
fn ask(kind: Kind, v: &[MovingPoint; 4], options: &Options) -> Option<Impact> {
    let [a, b, c, d] = *v;
    match kind {
        Kind::VertexVertex => vertex_vertex(&a, &b, options),
        Kind::VertexEdge => vertex_edge(&a, &[b, c], options),
        Kind::VertexTriangle => vertex_triangle(&a, &[b, c, d], options),
        Kind::EdgeEdge => edge_edge(&[a, b], &[c, d], options),
    }
}

/// A count from the environment.
fn count(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}
