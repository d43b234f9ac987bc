//! Watertight ray casts against triangles without thickness, by exact predicates.

use super::Ray;
use super::hit::{Crossing, Hit, WITHIN_ROUNDING};
use palpate_bvh::Bvh;
use palpate_contact::{Feature, NONE};
use palpate_math::direction::unit_or;
use palpate_math::intersect::segment_triangle;
use palpate_math::{Aabb, Point, Vector, triangle};
use smallvec::SmallVec;

/// The triangles to cast against.
pub(super) struct Triangles<'a> {
    pub(super) positions: &'a [Point],
    pub(super) triangles: &'a [[u32; 3]],
    pub(super) tree: Option<&'a Bvh>,
    /// A box around all of them.
    pub(super) bounds: Aabb,
    /// Whether the winding is inward.
    pub(super) inward: bool,
}

/// A triangle hit by the ray.
struct Met {
    /// The vertices of the element hit, ascending, padded with [`NONE`]: its name, the same from all its triangles.
    element: [u32; 3],
    triangle: u32,
    t: f64,
    weights: [f64; 3],
    /// Whether it faces the ray; 0 for a triangle coplanar with the ray or degenerate.
    facing: i32,
}

/// Few triangles, as most rays hit, without the heap.
type MetList = SmallVec<[Met; 16]>;

impl Triangles<'_> {
    /// Returns the first hit, as [`hits`](Self::hits) does.
    pub(super) fn first_hit(&self, ray: &Ray, cell_of: impl Fn(u32) -> u32) -> Option<Hit> {
        let mut met = MetList::new();
        let length = self.met_in_bounds(ray, true, &mut met)?;
        let groups = met.chunk_by(|a, b| a.element == b.element);
        let hits = groups.map(|group| self.hit(ray, length, group, &cell_of));
        // Of equally distant elements the first.
        hits.reduce(|best, hit| if hit.distance.total_cmp(&best.distance).is_lt() { hit } else { best })
    }

    /// Appends the hits in order of distance, each edge and vertex once. `cell_of` returns the cell of a triangle.
    pub(super) fn hits(&self, ray: &Ray, cell_of: impl Fn(u32) -> u32, out: &mut Vec<Hit>) {
        let mut met = MetList::new();
        let Some(length) = self.met_in_bounds(ray, false, &mut met) else { return };
        let before = out.len();
        for group in met.chunk_by(|a, b| a.element == b.element) {
            out.push(self.hit(ray, length, group, &cell_of));
        }
        // The sort is stable: equally distant elements stay in ascending order.
        out[before..].sort_by(|a, b| a.distance.total_cmp(&b.distance));
    }

    /// Writes the triangles hit by the ray, those of one element together, to an empty list. Returns the length of the
    /// ray up to where it has certainly left the bounds.
    fn met_in_bounds(&self, ray: &Ray, first_only: bool, met: &mut MetList) -> Option<f64> {
        let [_, leave] = ray.within(&self.bounds)?;
        // Slightly beyond the box, so that rounding does not cut off its far side.
        let beyond = leave + self.bounds.diagonal_length() * 1e-3;
        let length = if ray.length() <= beyond { ray.length() } else { beyond };
        if !(length >= 0.0 && length.is_finite()) {
            return None;
        }
        let ends = [ray.origin(), ray.at(length)];
        self.meet(ray, length, ends, first_only, met);
        met.sort_unstable_by_key(|met| (met.element, met.triangle));
        Some(length)
    }

    /// Appends the triangles hit by the ray; with `first_only` at least those relevant to the first hit.
    fn meet(&self, ray: &Ray, length: f64, [from, to]: [Point; 2], first_only: bool, met: &mut MetList) {
        // The distance beyond which nothing matters.
        let whole = length * WITHIN_ROUNDING;
        let mut bound = whole;
        let along = to - from;
        let mut look = |number: u32| {
            let ids = self.triangles[number as usize];
            let [a, b, c] = self.corners(number);
            if passes_by(&from, &along, [a, b, c]) {
                return bound;
            }
            let Some(found) = segment_triangle(&from, &to, a, b, c) else { return bound };
            let mut element: [u32; 3] =
                std::array::from_fn(|k| if found.weights[k] == 0.0 { NONE } else { ids[k] });
            element.sort_unstable();
            let [ahead, behind] = found.sides;
            let side = if ahead > behind { 1 } else { -1 };
            let facing = if ahead == behind { 0 } else { side };
            if first_only {
                // Keep all triangles of the closest element, whose distances differ by rounding error.
                bound = bound.min(found.t * length * WITHIN_ROUNDING);
            }
            met.push(Met { element, triangle: number, t: found.t, weights: found.weights, facing });
            bound
        };
        match self.tree {
            Some(tree) => tree.along_line(&ray.origin(), &ray.direction(), whole, look),
            None => {
                let present = (0..).zip(self.triangles).filter(|(_, ids)| ids[0] != NONE);
                present.for_each(|(number, _)| {
                    look(number);
                });
            }
        }
    }

    fn hit(&self, ray: &Ray, length: f64, group: &[Met], cell_of: &impl Fn(u32) -> u32) -> Hit {
        let lowest = &group[0];
        let distance = (lowest.t * length).min(ray.length());
        let turned = if self.inward { -1.0 } else { 1.0 };
        let normals = group.iter().filter_map(|met| {
            let [a, b, c] = self.corners(met.triangle);
            triangle::unit_normal(a, b, c)
        });
        let normal = unit_or(&(normals.sum::<Vector>() * turned), &-ray.direction());
        let front = group.iter().any(|met| met.facing > 0);
        let back = group.iter().any(|met| met.facing < 0);
        let facing = match (front, back) {
            (true, false) => 1,
            (false, true) => -1,
            (false, false) => 0,
            (true, true) => self.net_facing(ray, distance, group),
        };
        let crossing = match facing * if self.inward { -1 } else { 1 } {
            0 => Crossing::Graze,
            facing if facing > 0 => Crossing::Enter,
            _ => Crossing::Leave,
        };
        let ids = self.triangles[lowest.triangle as usize];
        let point = ray.at(distance);
        let cell = cell_of(lowest.triangle);
        let corners: SmallVec<[usize; 3]> = (0..3).filter(|&k| lowest.weights[k] != 0.0).collect();
        let feature = match corners[..] {
            [a] => Feature::vertex(ids[a], cell, point),
            [a, b] => Feature::edge([ids[a], ids[b]], [lowest.weights[a], lowest.weights[b]], cell, point),
            _ => Feature::triangle(ids, lowest.weights, cell, point),
        };
        Hit { distance, normal, crossing, feature }
    }

    /// Returns how many of the triangles around an edge or a vertex a slightly offset ray crosses from front to back,
    /// minus those it crosses the other way: the same for every such ray.
    fn net_facing(&self, ray: &Ray, distance: f64, group: &[Met]) -> i32 {
        let size = group
            .iter()
            .map(|met| {
                let [a, b, c] = self.corners(met.triangle);
                // The least height: an offset within this stays in the triangle.
                triangle::area_vector(a, b, c).norm() / triangle::longest_edge_squared(a, b, c).sqrt()
            })
            .filter(|height| *height > 0.0)
            .fold(f64::INFINITY, f64::min);
        if !size.is_finite() {
            return 0;
        }
        let aside = palpate_math::direction::any_perpendicular(&ray.direction());
        // An offset direction that is unlikely to lie in the plane of any mesh face.
        let aside = aside * 0.8320502943378437 + ray.direction().cross(&aside) * 0.5547001962252291;
        let middle = ray.at(distance) + aside * (1e-6 * size);
        let (from, to) = (middle - ray.direction() * (1e-2 * size), middle + ray.direction() * (1e-2 * size));
        let passed = |met: &&Met| {
            let [a, b, c] = self.corners(met.triangle);
            segment_triangle(&from, &to, a, b, c).is_some()
        };
        group.iter().filter(passed).map(|met| met.facing).sum::<i32>().signum()
    }

    fn corners(&self, number: u32) -> [&Point; 3] {
        self.triangles[number as usize].map(|id| &self.positions[id as usize])
    }
}

/// Whether the line from a point along a vector passes by a triangle, so clearly that rounding does not matter: it passes
/// two of the edges with opposite orientations. Culls most triangles near a ray.
#[inline]
fn passes_by(from: &Point, along: &Vector, [a, b, c]: [&Point; 3]) -> bool {
    let (a, b, c) = (a - from, b - from, c - from);
    let sides = [along.dot(&c.cross(&b)), along.dot(&a.cross(&c)), along.dot(&b.cross(&a))];
    let largest = a.amax().max(b.amax()).max(c.amax());
    let error = SIDE_ERROR * (along.x.abs() + along.y.abs() + along.z.abs()) * largest * largest;
    let positive = sides[0] > error || sides[1] > error || sides[2] > error;
    let negative = sides[0] < -error || sides[1] < -error || sides[2] < -error;
    positive && negative
}

/// Relative rounding error of the volume of a vector and two others, relative to the sum of the coordinates of the first
/// and the largest of the others: two products of a coordinate with each, with eight roundings.
const SIDE_ERROR: f64 = 16.0 * f64::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;

    /// On a coarse lattice, where lines pass through corners and along planes, and triangles degenerate to segments and
    /// points.
    #[test]
    fn what_passes_by_meets_nothing() {
        let mut state = 17_u64;
        let mut point = || {
            Point::from([0; 3].map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 40) % 5) as f64 - 2.0
            }))
        };
        let (mut met, mut passed, mut neither, mut flat) = (0, 0, 0, 0);
        for _ in 0..100_000 {
            let [from, to, a, b, c] = [0; 5].map(|_| point());
            let meeting = segment_triangle(&from, &to, &a, &b, &c);
            let passes = passes_by(&from, &(to - from), [&a, &b, &c]);
            assert!(!(passes && meeting.is_some()), "{from} {to} {a} {b} {c}");
            met += usize::from(meeting.is_some());
            passed += usize::from(passes);
            neither += usize::from(!passes && meeting.is_none());
            flat += usize::from(meeting.is_some() && triangle::is_flat(&a, &b, &c));
        }
        assert!(met > 10_000 && passed > 50_000 && flat > 100, "{met} {passed} {neither} {flat}");
        assert!(neither < passed, "{neither} {passed}");
    }
}
