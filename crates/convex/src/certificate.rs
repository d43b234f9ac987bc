//! Certificate of the penetration depth of two polyhedra, kept from one query to the next.
//!
//! EPA ends with a closed surface in the Minkowski difference, around the origin. Kept of it are the facets closest to the
//! origin, by the ids of their corners, and the distance of the next one. If no vertex of the difference has since moved by more
//! than `m`, then
//!
//! - the surface through the moved corners still encloses the origin while the least distance exceeds `m`: a point of it
//!   never passes the origin on the way. The depth is at least the least distance of its facets;
//! - a facet whose distance was `d` is now at least `d - m` away: only those are computed again that may be the closest.
//!
//! The support point along the normal of the closest facet bounds the depth from above. Where it lies on the facet, the bounds
//! are equal: the facet belongs to the boundary of the difference, and the contact equals that of a search from scratch, up to
//! rounding. Where they differ, where another facet is equally close, or where the facet is too thin for an accurate normal,
//! there is no answer, and the pair is searched again.

use crate::contact::{CoreContact, Termination};
use crate::dimension::Dimension;
use crate::manifold::KeptFace;
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
    /// The least distance of any other facet.
    others: f64,
    /// The distances of the facets, ascending.
    distances: [f64; FACETS],
    corners: [[[u32; 2]; 3]; FACETS],
    /// The pose of B in A at that time.
    b_in_a: RigidTransform<V>,
    /// The shapes.
    shapes: [u64; 2],
    /// The support points of the last answer.
    pub(crate) supports: [u32; 2],
}

impl<V: VectorSpace> Default for Certificate<V> {
    fn default() -> Self {
        Self {
            count: 0,
            others: f64::NEG_INFINITY,
            distances: [0.0; FACETS],
            corners: [[[NO_ID; 2]; 3]; FACETS],
            b_in_a: RigidTransform::identity(),
            shapes: [0; 2],
            supports: [NO_ID; 2],
        }
    }
}

/// A triangle between vertices of the difference.
struct Triangle<V>([Vertex<V>; 3]);

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
        let (mut count, mut others) = (0, f64::INFINITY);
        polytope.each_facet(|distance, corners| {
            // A facet without area is a part of its neighbours' edges, and lies no closer than these.
            if !distance.is_finite() {
                others = others.min(0.0);
            }
            let mut at = count.min(FACETS);
            if at == FACETS {
                if distance >= self.distances[FACETS - 1] {
                    others = others.min(distance);
                    return;
                }
                at -= 1;
                others = others.min(self.distances[at]);
            } else {
                count += 1;
            }
            while at > 0 && self.distances[at - 1] > distance {
                (self.distances[at], self.corners[at]) = (self.distances[at - 1], self.corners[at - 1]);
                at -= 1;
            }
            (self.distances[at], self.corners[at]) = (distance, corners);
        });
        (self.count, self.others) = (count, others);
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
        let moved = self.moved(difference);
        if self.distances[0] - moved <= SHALLOW * difference.size {
            return None;
        }
        let tie = TIED * gap;
        let (mut normals, mut lows) = ([V::zero(); FACETS], [0.0; FACETS]);
        let (mut least, mut closest, mut seen) = (f64::INFINITY, 0, 0);
        while seen < self.count && self.distances[seen] - moved <= least + tie {
            let [a, b, c] = self.corners[seen];
            let [a, b, c] =
                [difference.vertex(a)?.point, difference.vertex(b)?.point, difference.vertex(c)?.point];
            let area = V::normal_of(b - a, c - a);
            let length = area.length();
            if length.is_nan() || length <= 0.0 {
                return None;
            }
            let normal = area * (1.0 / length);
            let (a, b, c) = (normal.inner(a), normal.inner(b), normal.inner(c));
            let low = if a < b { a } else { b };
            let low = if c < low { c } else { low };
            if low < least {
                (least, closest) = (low, seen);
            }
            (normals[seen], lows[seen]) = (normal, low);
            seen += 1;
        }
        let others = if seen < self.count { self.distances[seen] } else { self.others };
        let normal = normals[closest];
        let support = self.support(difference, normal, self.corners[closest][0], faces);
        let height = support.point.inner(normal);
        let lower = least - difference.rounding_error;
        if height - lower > gap || others - moved <= height + tie {
            return None;
        }
        let goal = normal * height;
        let facet = Triangle::new(difference, self.corners[closest])?;
        if facet.is_thin() {
            return None;
        }
        let mut on_a = facet.nearest(goal, normal);
        for other in (0..seen).filter(|&other| other != closest && lows[other] <= height + tie) {
            if (normals[other] - normal).squared() > SAME_NORMAL * SAME_NORMAL {
                return None;
            }
            if on_a.is_none() {
                on_a = Triangle::new(difference, self.corners[other])?.nearest(goal, normal);
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

    /// Returns a bound on how far a vertex of the difference has moved.
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
    #[inline(always)]
    fn new<A: Core<V>, B: Core<V>>(
        difference: &MinkowskiDifference<'_, V, A, B>,
        [a, b, c]: [[u32; 2]; 3],
    ) -> Option<Self> {
        Some(Self([difference.vertex(a)?, difference.vertex(b)?, difference.vertex(c)?]))
    }

    /// Whether it is too thin for an accurate normal.
    #[inline(always)]
    fn is_thin(&self) -> bool {
        let [Vertex { point: a, .. }, Vertex { point: b, .. }, Vertex { point: c, .. }] = self.0;
        let (ab, bc, ca) = ((b - a).squared(), (c - b).squared(), (a - c).squared());
        let longest = ab.max(bc).max(ca);
        V::normal_of(b - a, c - a).squared() < THIN * THIN * longest * longest
    }

    /// Returns the point of A for a point of the difference, if that lies in the triangle with this normal.
    #[inline(always)]
    fn nearest(&self, goal: V, normal: V) -> Option<V> {
        let [first, second, third] = &self.0;
        let (a, b, c) = (first.point - goal, second.point - goal, third.point - goal);
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
        Some((first.on_a * a + second.on_a * b + third.on_a * c) * (1.0 / (a + b + c)))
    }
}
