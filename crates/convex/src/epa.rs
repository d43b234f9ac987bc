//! EPA penetration depth of two overlapping convex cores (van den Bergen 2001).
//!
//! A polytope with vertices on the Minkowski difference is expanded at its facet closest to the origin. With `n` the
//! facet's normal and `w` the support point along it:
//!
//! ```text
//!   least facet bound  <=  depth  <=  w·n
//! ```
//!
//! because the polytope lies within the difference, and the difference within the half-space of `n` through `w`. The
//! upper bound depends on a direction alone, by two supports. Termination:
//! - **converged** when the bounds differ by no more than the tolerance;
//! - with a remaining gap where the closest facet is confirmed but needle-thin (**rounding**), where the surface of the
//!   polytope broke (**broken**), or at the iteration **limit**.
//!
//! Every case returns a direction and two witness points: an overlapping pair always gets a contact.

use crate::dimension::Dimension;
use crate::minkowski_difference::{Difference, MinkowskiDifference};
use crate::polytope::Polytope;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::{EpaStep, Tracer};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// Why the loop terminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Converged,
    Rounding,
    Broken,
    Limit,
}

/// How far, in rounding errors, the least facet bound may decrease before the surface counts as folded.
const FOLDED: f64 = 64.0;

/// Result of the loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth<V> {
    pub(crate) ended: Ended,
    /// Unit; moving A by the negative of `upper` times this separates the cores.
    pub(crate) normal: V,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// A point of A near the contact, in the frame of A.
    pub(crate) on_a: V,
    /// Distance between its point of the difference and the point at `upper` along the normal.
    pub(crate) off: f64,
    pub(crate) iterations: u32,
}

/// Runs EPA from the final simplex of GJK, which may have any number of vertices.
#[inline(never)]
pub(crate) fn epa<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    simplex: &Simplex<V>,
    polytope: &mut V::Polytope,
    gap: f64,
    limit: u32,
    recorder: &mut R,
) -> Depth<V> {
    // The origin in GJK's simplex: the contact, if the difference is flat.
    let (on_a, origin) = simplex.witness();
    let mut simplex = *simplex;
    unless_thin(&mut simplex);
    if simplex.count <= V::DIMENSION || !polytope.start(&simplex.vertices, difference.rounding_error) {
        simplex.count = simplex.count.min(V::DIMENSION);
        if let Some(direction) = complete(difference, &mut simplex) {
            return flat_along(difference, direction, (on_a, origin));
        }
        if !polytope.start(&simplex.vertices, difference.rounding_error) {
            return flat_along(difference, V::axis(0), (on_a, origin));
        }
    }
    grow(difference, polytope, (on_a, origin), None, (gap, limit), recorder)
}

/// Expands a polytope until the bounds meet. `known` is a point of A and of the difference that may be the contact;
/// `first` is a facet to process before the queued ones, with the support point along its normal.
#[inline(always)]
pub(crate) fn grow<V: Dimension, A: Core<V>, B: Core<V>, R: Tracer<V>>(
    difference: &MinkowskiDifference<'_, V, A, B>,
    polytope: &mut V::Polytope,
    known: (V, V),
    mut first: Option<(u32, Vertex<V>)>,
    (gap, limit): (f64, u32),
    recorder: &mut R,
) -> Depth<V> {
    let mut best = Depth {
        ended: Ended::Limit,
        normal: V::axis(0),
        // A point of the difference is this close to the origin.
        lower: -known.1.length(),
        upper: f64::INFINITY,
        on_a: V::zero(),
        off: 0.0,
        iterations: 0,
    };
    let mut best_facet = 0;
    let mut farthest = *polytope.corner(0, 0);
    loop {
        let begin = first.take();
        let next = match &begin {
            Some((facet, _)) => Some((polytope.facet(*facet).bound, *facet)),
            None => polytope.next(),
        };
        let Some((bound, number)) = next else {
            // All remaining facets are farther than the upper bound of the depth.
            (best.ended, best.lower) = (Ended::Converged, best.upper);
            break;
        };
        let facet = polytope.facet(number);
        // The facets of a growing polytope never get closer to an origin inside. If one does, rounding has folded the
        // surface, and only the lower bound certified so far is valid.
        if best.lower > 0.0 && bound < best.lower - FOLDED * difference.rounding_error {
            best.ended = if best.upper - best.lower <= gap { Ended::Converged } else { Ended::Broken };
            break;
        }
        best.lower = if bound > best.lower { bound } else { best.lower };
        if best.iterations == limit {
            break;
        }
        best.iterations += 1;
        let vertex = match begin {
            Some((_, vertex)) => vertex,
            None => difference.support(facet.normal, polytope.corner(number, 0).ids),
        };
        let height = vertex.point.inner(facet.normal);
        if height < best.upper {
            (best.upper, best.normal, best_facet) = (height, facet.normal, number);
            farthest = vertex;
        }
        if R::ACTIVE {
            let corners = [0, 1, 2].map(|index| polytope.corner(number, index).point);
            recorder.epa(EpaStep::of(&facet, &corners, vertex.point, best.upper));
        }
        // Use the facet's own height: then the origin's projection lies on it, and its barycentric weights locate the
        // contact.
        if height - best.lower <= gap {
            (best.upper, best.normal, best_facet) = (height, facet.normal, number);
            farthest = vertex;
            best.ended = Ended::Converged;
            break;
        }
        if height - facet.distance <= difference.rounding_error {
            // A facet of the difference, but a needle, whose corners are not at one height along the computed normal.
            if polytope.straighten(number) {
                continue;
            }
            best.ended = Ended::Rounding;
            break;
        }
        if !polytope.expand(number, vertex, best.upper) {
            best.ended = Ended::Broken;
            break;
        }
    }
    // Where the shapes only touch, GJK's own simplex may contain the contact while no facet does yet.
    let candidates = [known, (farthest.on_a, farthest.point)];
    let off = gap * difference.size;
    let (on_a, off) = witness(polytope, best_facet, (best.normal, best.upper), candidates, off);
    (best.on_a, best.off) = (on_a, off.sqrt());
    best.lower = best.lower.min(best.upper);
    best
}

/// Returns the witness point on A for the point of the difference at `height` along `normal`, directly above the
/// origin, and its squared error: from the facet of the polytope there, or from one of the candidates (a point of A and
/// of the difference), whichever is closest.
#[inline(always)]
fn witness<V: Dimension>(
    polytope: &V::Polytope,
    facet: u32,
    (normal, height): (V, f64),
    candidates: [(V, V); 2],
    far: f64,
) -> (V, f64) {
    let (facet, weights) = polytope.locate(facet, normal);
    let goal = normal * height;
    let (mut on_a, mut point) = (V::zero(), V::zero());
    for (index, weight) in weights.into_iter().enumerate() {
        let corner = polytope.corner(facet, index);
        on_a = on_a + corner.on_a * weight;
        point = point + corner.point * weight;
    }
    let mut best = (on_a, (point - goal).squared());
    for (on_a, point) in candidates {
        let off = (point - goal).squared();
        if off < best.1 {
            best = (on_a, off);
        }
    }
    if best.1 <= far { best } else { witness_of_any(polytope, goal, best) }
}

/// Like [`witness`], over every current or former facet, all of which lie in the difference. For surfaces that rounding
/// has broken.
#[inline(never)]
fn witness_of_any<V: Dimension>(polytope: &V::Polytope, goal: V, mut best: (V, f64)) -> (V, f64) {
    for facet in 0..polytope.count() {
        let mut simplex = Simplex::<V>::empty();
        for corner in 0..V::DIMENSION {
            let mut vertex = *polytope.corner(facet, corner);
            vertex.point = vertex.point - goal;
            simplex.push(vertex);
        }
        let reduced = simplex.reduced();
        let off = reduced.nearest.squared();
        if off < best.1 {
            simplex.keep(&reduced.weights);
            best = (simplex.witness().0, off);
        }
    }
    best
}

/// A simplex thinner than this, relative to its longest edge, is a poor start: rounding error dominates its normals.
const THIN: f64 = 1e-6;

/// Reduces a thin simplex to its longest edge. The dropped part may have contained the origin; the polytope grows
/// toward it.
fn unless_thin<V: VectorSpace>(simplex: &mut Simplex<V>) {
    let mut longest = (0.0, 0, 0);
    for first in 0..simplex.count {
        for second in 0..first {
            let squared = (simplex.points[first] - simplex.points[second]).squared();
            if squared > longest.0 {
                longest = (squared, first, second);
            }
        }
    }
    let (squared, first, second) = longest;
    let edge = simplex.points[first] - simplex.points[second];
    // Distances of the others from the line of the longest edge; for a full simplex in 3D, of two of them from one
    // plane.
    let mut away = (0..simplex.count).filter(|&at| at != first && at != second).map(|at| {
        let to = simplex.points[at] - simplex.points[second];
        to - edge * (to.inner(edge) / squared)
    });
    let thin = match (away.next(), away.next()) {
        (Some(one), None) => one.squared() <= THIN * THIN * squared,
        (Some(one), Some(other)) => {
            let area = one.squared() * other.squared() - one.inner(other) * one.inner(other);
            area <= THIN
                * THIN
                * squared
                * if one.squared() > other.squared() { one.squared() } else { other.squared() }
        }
        _ => false,
    };
    if thin {
        let ends = [simplex.vertices[second], simplex.vertices[first]];
        simplex.count = 0;
        ends.into_iter().for_each(|end| simplex.push(end));
    }
}

/// Adds vertices until the simplex is full. Returns a unit direction along which the difference is flat, if it is.
#[inline(never)]
fn complete<V: VectorSpace>(difference: &dyn Difference<V>, simplex: &mut Simplex<V>) -> Option<V> {
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
        // A height counts if it exceeds the rounding error of a zero height, which is larger across a needle, whose
        // normal is inaccurate.
        let mut least = 2.0 * difference.rounding_error();
        if simplex.count == 3 {
            let (second, third) = (simplex.points[2] - base, simplex.points[2] - simplex.points[1]);
            let longest = first.squared().max(second.squared()).max(third.squared());
            least *= (longest / V::normal_of(first, second).length()).max(1.0);
        }
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
            Some((height, vertex)) if height > least => simplex.push(vertex),
            _ => return Some(across[0]),
        }
    }
    None
}

/// Returns the result for a difference that is flat along a unit direction: separates along it, toward the closer side.
fn flat_along<V: VectorSpace>(
    difference: &dyn Difference<V>,
    direction: V,
    (on_a, origin): (V, V),
) -> Depth<V> {
    let height = |side: V| difference.support(side, [crate::support::NO_ID; 2]).point.inner(side);
    let (front, back) = (height(direction), height(-direction));
    let (upper, normal) = if back < front { (back, -direction) } else { (front, direction) };
    Depth {
        ended: Ended::Converged,
        normal,
        lower: upper.min(-origin.length()),
        upper,
        on_a,
        off: 0.0,
        iterations: 0,
    }
}

/// Normalizes a vector; returns the first axis for a null vector.
pub(crate) fn unit<V: VectorSpace>(v: V) -> V {
    let length = v.length();
    if length > 0.0 { v * (1.0 / length) } else { V::axis(0) }
}
