//! Impact of two moving vertices.

use super::canonical::Vertex;
use super::exact;
use super::slabs::separated;
use crate::continuous::TimeInterval;

/// Returns when the two first coincide, within `2^-levels`.
pub(super) fn first_touch(a: &Vertex, b: &Vertex, levels: usize) -> Option<TimeInterval> {
    if separated(&[&a.given, &b.given], 1, 0.0) {
        return None;
    }
    exact::vertex_vertex([&a.given, &b.given], levels)
}
