//! Certificate of the penetration depth of two polyhedra, kept from one query to the next.
//!
//! EPA ends with a closed surface in the Minkowski difference, around the origin. Kept of it are the facets closest to the
//! origin, by their corners, and a lower bound of the distance of every other one. When no vertex of the difference moves by more
//! than `m` from one query to the next, then
//!
//! - the surface through the moved corners still encloses the origin if the least distance exceeds `m`: a point of it
//!   never passes the origin on the way. The depth is at least the least distance of its facets;
//! - a facet that was at least `d` away is at least `d - m` away: only those are computed again that may be the closest, and
//!   only their distances are known anew.
//!
//! Instead of a bound that sinks in every query, the bound is kept together with the way that the vertices had gone when it was
//! computed, as their sum.
//!
//! The support point along the normal of the closest facet bounds the depth from above. Where it lies on the facet, the bounds
//! are equal: the facet belongs to the boundary of the difference, and the contact equals that of a search from scratch, up to
//! rounding. Where they differ, where another facet is equally close, or where the facet is too thin for an accurate normal,
//! there is no answer, and the pair is searched again.

use crate::contact::{CoreContact, Termination};
use crate::dimension::Dimension;
use crate::kept::KeptFace;
use crate::minkowski_difference::MinkowskiDifference;
use crate::polytope::Polytope;
use crate::pose::RigidTransform;
use crate::support::{Core, NO_ID};
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// Maximum number of facets kept.
const FACETS: usize = 12;

/// Facets whose distances differ by no more than this many gaps are equally close: which of them a search finds depends on its
/// path.
const TIED: f64 = 8.0;

/// The longest way, relative to the size, over which rounding errors of bounds are far below those of lengths.
const FARTHEST: f64 = 4.0;

/// Normals that differ by no more than this are those of one facet, of which both triangles are a part.
const SAME_NORMAL: f64 = 1e-11;

/// The least depth, relative to the size: close to zero the direction depends on rounding.
const SHALLOW: f64 = 1e-6;

/// The least area of a triangle, relative to the square of its longest side.
const THIN: f64 = 1e-3;

/// How far outside of a triangle its nearest point to the origin may be, in barycentric coordinates.
const OUTSIDE: f64 = 1e-12;

/// The spectral norm of the difference of two rotations is this times its Frobenius norm.
const SPECTRAL: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// The facets of a polytope near the origin.
#[derive(Clone, Debug)]
pub(crate) struct Certificate<V: VectorSpace> {
    /// The number of facets; zero if nothing is kept.
    count: usize,
    /// The facet that was the closest in the last answer.
    closest: usize,
    /// The way that the vertices of the difference have gone at most.
    way: f64,
    /// A lower bound of the distance of all other facets, plus the way at which it held.
    others: f64,
    /// The same of each facet; infinite where there is none.
    bounds: [f64; FACETS],
    /// The pose of B in A at the last query.
    b_in_a: RigidTransform<V>,
    /// The shapes.
    shapes: [u64; 2],
    /// The support points of the last answer.
    pub(crate) supports: [u32; 2],
    facets: [Facet<V>; FACETS],
}

/// A facet of the difference, by its corners: copies, so that they lie side by side.
#[derive(Clone, Copy, Debug)]
struct Facet<V> {
    /// In A's frame.
    on_a: [V; 3],
    /// In B's frame.
    on_b: [V; 3],
    ids: [[u32; 2]; 3],
}

impl<V: VectorSpace> Default for Certificate<V> {
    fn default() -> Self {
        let none = Facet { on_a: [V::zero(); 3], on_b: [V::zero(); 3], ids: [[NO_ID; 2]; 3] };
        Self {
            count: 0,
            closest: 0,
            way: 0.0,
            others: f64::NEG_INFINITY,
            bounds: [f64::INFINITY; FACETS],
            b_in_a: RigidTransform::identity(),
            shapes: [0; 2],
            supports: [NO_ID; 2],
            facets: [none; FACETS],
        }
    }
}

/// A triangle between vertices of the difference.
#[derive(Clone, Copy)]
struct Triangle<V> {
    points: [V; 3],
    on_a: [V; 3],
}

impl<V: Dimension> Certificate<V> {
    /// Discards the stored facets.
    pub(crate) fn forget(&mut self) {
        (self.count, self.supports) = (0, [NO_ID; 2]);
    }

    /// Keeps the facets of a polytope whose search has converged. Shapes without a fingerprint keep nothing.
    pub(crate) fn keep<A: Core<V>, B: Core<V>>(
        &mut self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        polytope: &V::Polytope,
    ) {
        self.forget();
        let (Some(of_a), Some(of_b)) = (difference.a.fingerprint(), difference.b.fingerprint()) else {
            return;
        };
        (self.shapes, self.b_in_a) = ([of_a, of_b], difference.b_in_a);
        self.bounds = [f64::INFINITY; FACETS];
        let (mut count, mut others, mut ids) = (0, f64::INFINITY, [[[NO_ID; 2]; 3]; FACETS]);
        polytope.each_facet(|distance, corners| {
            // A facet without area is a part of its neighbours' edges, and lies no closer than these.
            if !distance.is_finite() {
                others = others.min(0.0);
            }
            let mut at = count.min(FACETS);
            if at == FACETS {
                if distance >= self.bounds[FACETS - 1] {
                    others = others.min(distance);
                    return;
                }
                at -= 1;
                others = others.min(self.bounds[at]);
            } else {
                count += 1;
            }
            while at > 0 && self.bounds[at - 1] > distance {
                (self.bounds[at], ids[at]) = (self.bounds[at - 1], ids[at - 1]);
                at -= 1;
            }
            (self.bounds[at], ids[at]) = (distance, corners);
        });
        for (facet, ids) in self.facets.iter_mut().zip(&ids[..count]) {
            let corners = |[a, b]: [u32; 2]| Some((difference.a.vertex(a)?, difference.b.vertex(b)?));
            let [Some(a), Some(b), Some(c)] = [corners(ids[0]), corners(ids[1]), corners(ids[2])] else {
                return;
            };
            *facet = Facet { on_a: [a.0, b.0, c.0], on_b: [a.1, b.1, c.1], ids: *ids };
        }
        (self.count, self.others, self.closest, self.way) = (count, others, 0, 0.0);
    }

    /// Whether the shapes are those of which it was made.
    pub(crate) fn is_of<A: Core<V>, B: Core<V>>(
        &self,
        difference: &MinkowskiDifference<'_, V, A, B>,
    ) -> bool {
        let shapes = [difference.a.fingerprint(), difference.b.fingerprint()];
        shapes == self.shapes.map(Some)
    }

    /// Returns the contact of overlapping cores, if the stored facets certify it.
    pub(crate) fn answer<A: Core<V>, B: Core<V>>(
        &mut self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        gap: f64,
        faces: &[KeptFace; 2],
    ) -> Option<CoreContact<V>> {
        if self.count == 0 || !self.is_of(difference) {
            return None;
        }
        self.way += self.moved(difference);
        self.b_in_a = difference.b_in_a;
        let nearest =
            self.bounds.iter().fold(self.others, |least, &bound| if bound < least { bound } else { least });
        if nearest - self.way <= SHALLOW * difference.size || self.way > FARTHEST * difference.size {
            return None;
        }
        let (tie, first) = (TIED * gap, self.closest % FACETS);
        let (mut normals, mut lows) = ([V::zero(); FACETS], [f64::INFINITY; FACETS]);
        let (normal, mut least) = self.measure(difference, first)?;
        (normals[first], lows[first]) = (normal, least);
        let mut closest = first;
        let mut open = self.within(least + tie) & !(1 << first);
        while open != 0 {
            let facet = open.trailing_zeros() as usize % FACETS;
            open &= open - 1;
            let (normal, low) = self.measure(difference, facet)?;
            (normals[facet], lows[facet]) = (normal, low);
            if low < least {
                (least, closest) = (low, facet);
            }
        }
        self.closest = closest;
        let normal = normals[closest];
        let support = self.support(difference, normal, self.facets[closest].ids[0], faces);
        let height = support.point.inner(normal);
        let lower = least - difference.rounding_error;
        if height - lower > gap || self.others - self.way <= height + tie {
            return None;
        }
        let goal = normal * height;
        let facet = self.triangle(difference, closest);
        if facet.is_thin() {
            return None;
        }
        let mut on_a = facet.nearest(goal, normal);
        for other in (0..FACETS).filter(|&other| other != closest && lows[other] <= height + tie) {
            if (normals[other] - normal).squared() > SAME_NORMAL * SAME_NORMAL {
                return None;
            }
            if on_a.is_none() {
                on_a = self.triangle(difference, other).nearest(goal, normal);
            }
        }
        self.supports = support.ids;
        Some(CoreContact {
            depth: height,
            lower: lower.min(height),
            upper: height,
            direction: -normal,
            on_a: on_a?,
            off: 0.0,
            status: Termination::Converged,
            iterations: [0, 1],
        })
    }

    /// Computes the normal and the distance of a facet, and notes the distance.
    #[inline(always)]
    fn measure<A: Core<V>, B: Core<V>>(
        &mut self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        facet: usize,
    ) -> Option<(V, f64)> {
        let (normal, low) = self.triangle(difference, facet).plane()?;
        self.bounds[facet] = low + self.way;
        Some((normal, low))
    }

    /// Returns the set of the facets that may be as close as this.
    #[inline(always)]
    fn within(&self, distance: f64) -> u32 {
        let bounds = self.bounds.iter().rev();
        bounds.fold(0, |set, bound| set << 1 | u32::from(bound - self.way <= distance))
    }

    /// Returns a facet, where it is now.
    #[inline(always)]
    fn triangle<A: Core<V>, B: Core<V>>(
        &self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        facet: usize,
    ) -> Triangle<V> {
        let Facet { on_a, on_b, .. } = self.facets[facet % FACETS];
        let point = |k: usize| on_a[k] - difference.b_in_a.point(on_b[k]);
        Triangle { points: [point(0), point(1), point(2)], on_a }
    }

    /// Returns the support point along a normal: of the corners of the last faces where it is certainly one of them.
    #[inline(always)]
    fn support<A: Core<V>, B: Core<V>>(
        &self,
        difference: &MinkowskiDifference<'_, V, A, B>,
        normal: V,
        near: [u32; 2],
        [face_a, face_b]: &[KeptFace; 2],
    ) -> Vertex<V> {
        let into_b = (-normal).unrotated(&difference.b_in_a.rotation);
        let on_a =
            face_a.support(self.shapes[0], normal).unwrap_or_else(|| difference.a.support(normal, near[0]));
        let on_b =
            face_b.support(self.shapes[1], into_b).unwrap_or_else(|| difference.b.support(into_b, near[1]));
        let point = on_a.point - difference.b_in_a.point(on_b.point);
        Vertex { point, on_a: on_a.point, ids: [on_a.id, on_b.id] }
    }

    /// Returns a bound on how far a vertex of the difference has moved since the last query, rounding of both included.
    fn moved<A: Core<V>, B: Core<V>>(&self, difference: &MinkowskiDifference<'_, V, A, B>) -> f64 {
        let (then, now) = (&self.b_in_a, &difference.b_in_a);
        let turned: f64 = (0..V::DIMENSION)
            .map(|row| (V::row(&now.rotation, row) - V::row(&then.rotation, row)).squared())
            .sum();
        let turned = SPECTRAL * turned.sqrt() * difference.b.bounding_radius();
        (now.translation - then.translation).length() + turned + 2.0 * difference.rounding_error
    }
}

impl<V: Dimension> Triangle<V> {
    /// Returns the unit normal and the distance of the origin; `None` for a triangle without area.
    #[inline(always)]
    fn plane(&self) -> Option<(V, f64)> {
        let [a, b, c] = self.points;
        let area = V::normal_of(b - a, c - a);
        let length = area.length();
        if length.is_nan() || length <= 0.0 {
            return None;
        }
        let normal = area * (1.0 / length);
        let (a, b, c) = (normal.inner(a), normal.inner(b), normal.inner(c));
        let low = if a < b { a } else { b };
        Some((normal, if c < low { c } else { low }))
    }

    /// Whether it is too thin for an accurate normal.
    #[inline(always)]
    fn is_thin(&self) -> bool {
        let [a, b, c] = self.points;
        let (ab, bc, ca) = ((b - a).squared(), (c - b).squared(), (a - c).squared());
        let longest = ab.max(bc).max(ca);
        V::normal_of(b - a, c - a).squared() < THIN * THIN * longest * longest
    }

    /// Returns the point of A for a point of the difference, if that lies in the triangle with this normal.
    #[inline(always)]
    fn nearest(&self, goal: V, normal: V) -> Option<V> {
        let [a, b, c] = self.points;
        let (a, b, c) = (a - goal, b - goal, c - goal);
        let (a, b, c) = (
            V::normal_of(b, c).inner(normal),
            V::normal_of(c, a).inner(normal),
            V::normal_of(a, b).inner(normal),
        );
        let least = -OUTSIDE * (a + b + c);
        if a < least || b < least || c < least {
            return None;
        }
        let (a, b, c) = (a.max(0.0), b.max(0.0), c.max(0.0));
        let [on_a, on_b, on_c] = self.on_a;
        Some((on_a * a + on_b * b + on_c * c) * (1.0 / (a + b + c)))
    }
}
