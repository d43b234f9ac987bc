//! EPA: the depth of two convex cores that overlap (van den Bergen 2001).
//!
//! A polytope with its vertices on the difference grows at its facet nearest to the origin. With `n` the facet's normal and
//! `w` the support point along it:
//!
//! ```text
//!   least facet bound  <=  depth  <=  w·n
//! ```
//!
//! for the polytope lies within the difference, and the difference lies within the half space of `n` through `w`. The upper
//! bound comes from a direction alone, by two supports. It ends
//! - **converged** when the two bounds differ by no more than the tolerance;
//! - with a gap left where a facet is confirmed but needle-thin (**rounding**), where the surface of the polytope broke
//!   (**broken**), or at the **limit** of iterations.
//!
//! Every end gives a direction and two points: a pair that overlaps always gets its contact.

use crate::difference::{Difference, Vertex};
use crate::polytope::Polytope;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::{EpaStep, Recorder};
use crate::vector::Space;

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Converged,
    Rounding,
    Broken,
    Limit,
}

/// What the loop found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth<V> {
    pub(crate) ended: Ended,
    /// Unit; moving A by the negative of `upper` times this parts the cores.
    pub(crate) normal: V,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// A point of A near the contact, in its frame.
    pub(crate) on_a: V,
    pub(crate) iterations: u32,
}

/// Runs the loop from the simplex GJK ended with, which may have any number of vertices.
#[inline(never)]
pub(crate) fn epa<V: Space, A: Core<V>, B: Core<V>, R: Recorder<V>>(
    difference: &Difference<'_, V, A, B>,
    simplex: &Simplex<V>,
    polytope: &mut V::Polytope,
    gap: f64,
    limit: u32,
    recorder: &mut R,
) -> Depth<V> {
    let mut simplex = *simplex;
    if !(simplex.count == V::DIMENSION + 1 && polytope.start(&simplex.vertices, difference.noise)) {
        if let Some(flat) = complete(difference, &mut simplex) {
            return flat;
        }
        if !polytope.start(&simplex.vertices, difference.noise) {
            return flat_along(difference, V::axis(0));
        }
    }
    let mut best = Depth {
        ended: Ended::Limit,
        normal: V::axis(0),
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        on_a: V::zero(),
        iterations: 0,
    };
    let mut best_facet = 0;
    while let Some(number) = polytope.next() {
        let facet = polytope.facet(number);
        best.lower = best.lower.max(facet.bound);
        if best.upper - best.lower <= gap {
            best.ended = Ended::Converged;
            break;
        }
        if best.iterations == limit {
            break;
        }
        best.iterations += 1;
        let vertex = difference.support(facet.normal, polytope.corner(number, 0).ids);
        let height = vertex.point.inner(facet.normal);
        if height < best.upper {
            (best.upper, best.normal, best_facet) = (height, facet.normal, number);
        }
        if R::ACTIVE {
            let corners = [0, 1, 2].map(|index| polytope.corner(number, index).point);
            recorder.epa(EpaStep::of(&facet, &corners, vertex.point, best.upper));
        }
        if best.upper - best.lower <= gap {
            best.ended = Ended::Converged;
            break;
        }
        if height - facet.distance <= difference.noise {
            best.ended = Ended::Rounding;
            break;
        }
        if !polytope.expand(number, vertex, best.upper) {
            best.ended = Ended::Broken;
            break;
        }
    }
    let weights = polytope.weights(best_facet);
    for (index, weight) in weights.into_iter().enumerate() {
        best.on_a = best.on_a + polytope.corner(best_facet, index).on_a * weight;
    }
    best.lower = best.lower.min(best.upper);
    best
}

/// Adds vertices until the simplex is full. Gives the answer at once if the difference is flat: its depth is zero across.
#[inline(never)]
fn complete<V: Space, A: Core<V>, B: Core<V>>(
    difference: &Difference<'_, V, A, B>,
    simplex: &mut Simplex<V>,
) -> Option<Depth<V>> {
    if simplex.count == V::DIMENSION + 1 {
        simplex.count = 1;
    }
    if simplex.count == 0 {
        simplex.push(difference.support(V::axis(0), [crate::support::NO_ID; 2]));
    }
    while simplex.count <= V::DIMENSION {
        let base = simplex.points[0];
        let first = simplex.points[1] - base;
        let across: [V; 3] = match (simplex.count, V::DIMENSION) {
            (1, _) => [V::axis(0), V::axis(1), V::axis(2)],
            (2, 3) => {
                let perpendicular = unit(first.perpendicular());
                let other = unit(V::normal_of(first, perpendicular));
                [perpendicular, other, other]
            }
            (2, _) => [unit(first.perpendicular()); 3],
            _ => [unit(V::normal_of(first, simplex.points[2] - base)); 3],
        };
        let mut farthest: Option<(f64, Vertex<V>)> = None;
        for direction in across {
            for direction in [direction, -direction] {
                let vertex = difference.support(direction, [crate::support::NO_ID; 2]);
                let height = (vertex.point - base).inner(direction);
                if farthest.is_none_or(|(highest, _)| height > highest) {
                    farthest = Some((height, vertex));
                }
            }
        }
        match farthest {
            Some((height, vertex)) if height > 2.0 * difference.noise => simplex.push(vertex),
            _ => return Some(flat_along(difference, across[0])),
        }
    }
    None
}

/// The answer for a difference that is flat along a unit direction: the side that is nearer.
fn flat_along<V: Space, A: Core<V>, B: Core<V>>(
    difference: &Difference<'_, V, A, B>,
    direction: V,
) -> Depth<V> {
    let near = [crate::support::NO_ID; 2];
    let [front, back] = [direction, -direction].map(|side| {
        let vertex = difference.support(side, near);
        (vertex.point.inner(side), side, vertex.on_a)
    });
    let (upper, normal, on_a) = if back.0 < front.0 { back } else { front };
    Depth { ended: Ended::Converged, normal, lower: upper.min(0.0), upper, on_a, iterations: 0 }
}

/// The vector with length one; the first axis for a null vector.
pub(crate) fn unit<V: Space>(v: V) -> V {
    let length = v.length();
    if length > 0.0 { v * (1.0 / length) } else { V::axis(0) }
}
