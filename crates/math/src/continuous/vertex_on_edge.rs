//! Impact of a moving vertex with a moving edge.

use super::canonical::Vertex;
use super::quadratic::{Linear, Quadratic, Restriction};
use super::slabs::separated;
use super::{exact, vertex_on_vertex};
use crate::continuous::TimeInterval;

/// The greatest number of intervals of time looked at in floating point.
const INTERVALS: usize = 48;

/// The narrowest of them.
const NARROWEST: f64 = f64::from_bits((1023 - 16) << 52);

/// Returns when the vertex is first on the closed edge, within twice `2^-levels`.
///
/// That needs three quadratics to vanish at once, which only exact arithmetic can prove; floating point proves that they do not.
pub(super) fn first_touch(vertex: &Vertex, edge: [&Vertex; 2], levels: usize) -> Option<TimeInterval> {
    let points = [&vertex.given, &edge[0].given, &edge[1].given];
    if separated(&points, 1, 0.0) || never_on_edge(vertex, edge) {
        return None;
    }
    let ends = edge.map(|end| vertex_on_vertex::first_touch(vertex, end, levels));
    let boundary = earlier(ends[0], ends[1]);
    exact::vertex_edge(points, levels, boundary)
}

/// Returns an interval that contains the earlier of two events.
pub(super) fn earlier(a: Option<TimeInterval>, b: Option<TimeInterval>) -> Option<TimeInterval> {
    let (Some(x), Some(y)) = (a, b) else {
        return a.or(b);
    };
    Some(TimeInterval { lower: x.lower.min(y.lower), upper: x.upper.min(y.upper) })
}

/// Whether floating point proves that the vertex is never on the edge: either off its line, or beyond an end.
fn never_on_edge(vertex: &Vertex, [a, b]: [&Vertex; 2]) -> bool {
    let from_a = Linear::new(vertex.start - a.start, vertex.end - a.end);
    let along = Linear::new(b.start - a.start, b.end - a.end);
    let to_b = Linear::new(b.start - vertex.start, b.end - vertex.end);
    let area = Quadratic::cross(&from_a, &along);
    let past_ends = Quadratic::dots(&along, [&from_a, &to_b]);
    let mut waiting = [(0.0, 1.0); 24];
    let mut count = 1;
    for _ in 0..INTERVALS {
        if count == 0 {
            return true;
        }
        count -= 1;
        let (lower, upper) = waiting[count];
        let on = Restriction::to(lower, upper);
        if (0..3).any(|k| area.sign(k, &on) != 0) || (0..2).any(|k| past_ends.sign(k, &on) < 0) {
            continue;
        }
        if upper - lower <= NARROWEST {
            return false;
        }
        let middle = 0.5 * (lower + upper);
        (waiting[count], waiting[count + 1]) = ((middle, upper), (lower, middle));
        count += 2;
    }
    false
}
