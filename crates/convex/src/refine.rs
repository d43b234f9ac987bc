//! Local search for the minimum width near a direction, where EPA reached its iteration limit.
//!
//! Where nearly the whole side of a curved body is equally close, EPA follows it all around and ends with a slightly
//! wrong direction. The depth is the minimum width of the difference, i.e. of the height of its support point along a
//! unit direction: around the direction found, others are tried, at half the angle once none is better. Where two
//! points of the surface alternate as support point the width has a crease, along which no ring of directions descends:
//! so the directions along which both points are equally far are tried too, and the normals of triples of points.

use crate::contact::CoreContact;
use crate::dimension::Dimension;
use crate::minkowski_difference::Difference;
use crate::simplex::Simplex;
use crate::support::NO_ID;
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// The first angle, and the last, at which the error of a smooth width is below rounding error.
const FROM: f64 = 1.0 / 64.0;
const TO: f64 = 1e-11;

/// Iteration limit: about one per halving, and some for repeated steps.
const STEPS: u32 = 96;

/// A witness point whose error is at most this many rounding errors is accepted.
const ROUNDINGS: f64 = 16.0;

/// Directions tried around the current one.
const RING: usize = 8;

/// A direction with its support point.
#[derive(Clone, Copy)]
struct Low<V> {
    width: f64,
    normal: V,
    vertex: Vertex<V>,
}

impl<V: VectorSpace> Low<V> {
    fn along(difference: &dyn Difference<V>, direction: V) -> Option<Self> {
        let length = direction.length();
        if length.is_nan() || length <= 0.0 {
            return None;
        }
        let normal = direction * (1.0 / length);
        let vertex = difference.support(normal, [NO_ID; 2]);
        Some(Self { width: vertex.point.inner(normal), normal, vertex })
    }
}

/// Returns the contact of two overlapping cores with the minimum width near the one found, or with a better witness
/// point; `None` if neither improves.
#[inline(never)]
#[cold]
pub(crate) fn deepen<V: Dimension>(
    difference: &dyn Difference<V>,
    found: &CoreContact<V>,
) -> Option<CoreContact<V>> {
    if V::DIMENSION == 2 || found.depth < 0.0 {
        return None;
    }
    let mut best = Low::along(difference, -found.direction)?;
    let (mut reach, mut turned) = (FROM, (1.0, 0.0));
    for _ in 0..STEPS {
        if reach < TO {
            break;
        }
        let before = best.width;
        // Rotate the ring by the angle of a 3-4-5 triangle, an irrational fraction of a turn.
        turned = (0.8 * turned.0 - 0.6 * turned.1, 0.6 * turned.0 + 0.8 * turned.1);
        let ring = around(difference, &best, reach, turned)?;
        for low in &ring {
            best = if low.width < best.width { *low } else { best };
        }
        best = on_creases(difference, best, &ring);
        // Repeat a step that gains much.
        if before - best.width <= 1e-3 * reach * difference.size() {
            reach *= 0.5;
        }
    }
    if best.width >= found.upper - difference.rounding_error() {
        // The direction is right; but the witness of an unfinished polytope may be off.
        let (on_a, off) = witness(difference, &Low::along(difference, -found.direction)?)?;
        return (off < found.off).then_some(CoreContact { on_a, off, ..*found });
    }
    let (on_a, off) = witness(difference, &best)?;
    let lower = found.lower.min(best.width);
    Some(CoreContact {
        depth: best.width,
        lower,
        upper: best.width,
        direction: -best.normal,
        on_a,
        off,
        status: found.status,
        iterations: found.iterations,
    })
}

/// Evaluates the directions at an angle around one.
fn around<V: VectorSpace>(
    difference: &dyn Difference<V>,
    best: &Low<V>,
    reach: f64,
    (cos, sin): (f64, f64),
) -> Option<[Low<V>; RING]> {
    let aside = best.normal.perpendicular();
    let aside = aside * (1.0 / aside.length());
    let across = V::normal_of(best.normal, aside);
    let (first, second) = (aside * cos + across * sin, across * cos - aside * sin);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut ring = [*best; RING];
    for (k, low) in ring.iter_mut().enumerate() {
        let way = if k % 2 == 0 { first } else { (first + second) * half };
        let way = if k & 2 == 0 { way } else { V::normal_of(best.normal, way) };
        let way = if k & 4 == 0 { way } else { -way };
        *low = Low::along(difference, best.normal + way * reach)?;
    }
    Some(ring)
}

/// Searches along the creases between the current support point and the two farthest from it and from each other.
fn on_creases<V: VectorSpace>(
    difference: &dyn Difference<V>,
    mut best: Low<V>,
    ring: &[Low<V>; RING],
) -> Low<V> {
    let (start, base) = (best.normal, best.vertex.point);
    let farthest = |from: [V; 2]| {
        let away = |low: &Low<V>| {
            let [p, q] = from.map(|place| (low.vertex.point - place).squared());
            if p < q { p } else { q }
        };
        ring.iter().fold((0.0, base), |far, low| {
            let off = away(low);
            if off > far.0 { (off, low.vertex.point) } else { far }
        })
    };
    let (_, second) = farthest([base; 2]);
    let (_, third) = farthest([base, second]);
    let mut offer = |direction: V| {
        let toward = if direction.inner(start) < 0.0 { -direction } else { direction };
        if let Some(low) = Low::along(difference, toward) {
            best = if low.width < best.width { low } else { best };
        }
    };
    for (p, q) in [(base, second), (base, third), (second, third)] {
        let along = q - p;
        let square = along.squared();
        if square <= 0.0 {
            continue;
        }
        offer(p - along * (p.inner(along) / square));
        for low in ring {
            offer(low.normal - along * (low.normal.inner(along) / square));
        }
    }
    offer(V::normal_of(second - base, third - base));
    best
}

/// Returns the witness point on A for the point of the difference directly above the origin, and its error, from the
/// support points along directions so close that they count as one.
fn witness<V: Dimension>(difference: &dyn Difference<V>, best: &Low<V>) -> Option<(V, f64)> {
    let goal = best.normal * best.width;
    let mut nearest = (f64::INFINITY, V::zero());
    for reach in [1e-9, 1e-7, 1e-5, 1e-3] {
        let ring = around(difference, best, reach, (1.0, 0.0))?;
        for (k, first) in ring.iter().enumerate() {
            for second in &ring[..k] {
                let mut simplex = Simplex::empty();
                for low in [best, first, second] {
                    simplex.push(Vertex { point: low.vertex.point - goal, ..low.vertex });
                }
                let reduced = simplex.reduced();
                let off = reduced.nearest.squared();
                if off < nearest.0 {
                    simplex.keep(&reduced.weights);
                    nearest = (off, simplex.witness().0);
                }
            }
        }
    }
    let nearest = (nearest.1, nearest.0.sqrt());
    if nearest.1 <= ROUNDINGS * difference.rounding_error() {
        return Some(nearest);
    }
    let toward = toward(difference, best, goal);
    Some(if toward.1 < nearest.1 { toward } else { nearest })
}

/// Returns the point of A for the point of the difference closest to `goal`, and the distance between the two, by GJK.
fn toward<V: Dimension>(difference: &dyn Difference<V>, start: &Low<V>, goal: V) -> (V, f64) {
    let mut simplex = Simplex::empty();
    simplex.push(Vertex { point: start.vertex.point - goal, ..start.vertex });
    let mut best = (start.vertex.on_a, f64::INFINITY);
    for _ in 0..STEPS {
        let reduced = simplex.reduced();
        let off = reduced.nearest.length();
        simplex.keep(&reduced.weights);
        if off >= best.1 {
            break;
        }
        best = (simplex.witness().0, off);
        if off <= difference.rounding_error() || reduced.inside {
            break;
        }
        let vertex = difference.support(reduced.nearest * (-1.0 / off), [NO_ID; 2]);
        simplex.push(Vertex { point: vertex.point - goal, ..vertex });
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Termination;
    use crate::minkowski_difference::MinkowskiDifference;
    use crate::pose::RigidTransform;
    use crate::support::Cylinder;
    use nalgebra::Vector3;

    /// Two caps whose rims overlap in a thin sliver all round: the contact point is in the sliver.
    #[test]
    fn the_place_between_two_rims_is_in_both_caps() {
        let cylinder = Cylinder { radius: 1.0, half_length: 1.0 };
        for k in 0..40 {
            let angle = std::f64::consts::TAU * f64::from(k) / 40.0;
            let other = Vector3::new(1.9 * libm::cos(angle), 1.75, 1.9 * libm::sin(angle));
            let difference = MinkowskiDifference::new(&cylinder, &cylinder, RigidTransform::at(other));
            let found = CoreContact {
                depth: 0.25,
                lower: 0.25,
                upper: 0.25,
                direction: -Vector3::y(),
                on_a: Vector3::y(),
                off: 0.5,
                status: Termination::Limit,
                iterations: [0; 2],
            };
            let better = deepen(&difference, &found).unwrap();
            let on_b = better.on_a - other;
            assert!((better.on_a.y - 1.0).abs() < 1e-9 && better.off < 1e-6, "{k}: {}", better.off);
            assert!(better.on_a.xz().norm() < 1.0 + 1e-6 && on_b.xz().norm() < 1.0 + 1e-6, "{k}");
        }
    }
}
