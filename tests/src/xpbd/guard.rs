//! Limit on the displacements of a step that keeps meshes of particles from passing through each other.

use palpate_contact::{Contact, FeatureKind};
use palpate_math::Point;
use palpate_math::continuous::{
    Impact, MovingPoint, Options, edge_edge, vertex_edge, vertex_triangle, vertex_vertex,
};
use palpate_math::nearest::{point_segment, point_triangle_distance_squared, segment_segment};

/// Bounds the displacements of a step, with the one detection of that step.
///
/// Continuous detection proves: on the straight way of every particle from the start of the step to its *predicted* place,
/// only the pairs of elements that it lists come nearer than the margin `m`. Two bounds follow, for the straight way
/// from the start to the place at the *end* of the step:
///
/// - **Pairs without a row.** A particle that ends no farther than `m / 2` from its predicted place is at no time farther
///   than that from its predicted way, so that two elements without a row do not meet. The predicted way itself is
///   cut to `m / 2`: the start is then within that bound, and a displacement may be shortened to any part.
/// - **Pairs with a row.** Each is asked for its first impact, exactly. The displacements of an impact's particles
///   are shortened to the part before it, all pairs are asked again, until no pair has an impact. Particles that
///   do not move at all are where the step began: at the worst, some stay there.
///
/// Meshes that do not intersect at the start of a step hence do not at its end, whatever the solver did. Pairs keep a
/// distance of their own, unless they were closer at the start.
///
/// Sources: L. Wu, B. Wu, Y. Yang, H. Wang, "A safe and fast repulsion method for GPU-based cloth self collisions"
/// (2020), for displacements bounded by half the distance at which proximity was examined; M. Li et al., "Incremental
/// potential contact" (2020), for steps cut at the first impact.
#[derive(Debug, Default)]
pub(super) struct Guard {
    pairs: Vec<Pair>,
    /// Half the margin, per particle; infinite for one that is in no guarded pair.
    bounds: Vec<f64>,
    start: Vec<Point>,
    predicted: Vec<Point>,
    wanted: Vec<Point>,
    /// The part of its displacement that each particle keeps.
    parts: Vec<f64>,
}

/// Two elements by their particles.
#[derive(Clone, Copy, Debug)]
struct Pair {
    particles: [usize; 4],
    kind: Kind,
    /// The distance at the start, metres.
    apart: f64,
    /// The distance to be kept, metres.
    kept: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Vertices,
    VertexEdge,
    VertexTriangle,
    Edges,
}

/// How often displacements are shortened to the part before an impact; after that, to nothing.
const ROUNDS: usize = 16;

/// The part of the way to an impact that is kept, so that rounding cannot reach it.
const BEFORE: f64 = 1.0 - 1e-3;

/// The part of the margin on both sides of the proof that rounding cannot exceed.
const WITHIN: f64 = 1.0 - 1e-9;

impl Guard {
    /// Begins a step: no pairs, no bounds.
    pub(super) fn begin(&mut self, start: &[Point]) {
        self.pairs.clear();
        self.start.clear();
        self.start.extend_from_slice(start);
        self.bounds.clear();
        self.bounds.resize(start.len(), f64::INFINITY);
    }

    /// Bounds particles of a pair of bodies with that margin.
    pub(super) fn bound(&mut self, particles: std::ops::Range<usize>, margin: f64) {
        for bound in &mut self.bounds[particles] {
            *bound = bound.min(0.5 * margin * WITHIN);
        }
    }

    /// Cuts the predicted ways to the bounds, and keeps them.
    pub(super) fn cut(&mut self, predicted: &mut [Point]) {
        for ((place, start), bound) in predicted.iter_mut().zip(&self.start).zip(&self.bounds) {
            let way = *place - start;
            let length = way.norm();
            if length > *bound {
                *place = start + way * (bound / length * WITHIN);
            }
        }
        self.predicted.clear();
        self.predicted.extend_from_slice(predicted);
    }

    /// Adds the elements of a contact between bodies whose first particles are these, with the distance they are to keep.
    pub(super) fn add(&mut self, contact: &Contact, first: [usize; 2], distance: f64) {
        use FeatureKind::{Edge, Triangle, Vertex};
        let ids = |side: usize| {
            let feature = [&contact.a, &contact.b][side];
            feature.vertex_ids().iter().map(move |id| first[side] + *id as usize)
        };
        let kinds = [contact.a.feature_kind(), contact.b.feature_kind()];
        let (kind, order) = match kinds {
            [Vertex, Vertex] => (Kind::Vertices, [0, 1]),
            [Vertex, Edge] => (Kind::VertexEdge, [0, 1]),
            [Edge, Vertex] => (Kind::VertexEdge, [1, 0]),
            [Vertex, Triangle] => (Kind::VertexTriangle, [0, 1]),
            [Triangle, Vertex] => (Kind::VertexTriangle, [1, 0]),
            [Edge, Edge] => (Kind::Edges, [0, 1]),
            // Continuous detectors of meshes find no other elements.
            _ => return,
        };
        let mut particles = [usize::MAX; 4];
        for (slot, id) in particles.iter_mut().zip(order.into_iter().flat_map(ids)) {
            *slot = id;
        }
        let apart = distance_of(kind, particles, &self.start);
        self.pairs.push(Pair { particles, kind, apart, kept: distance.min(apart * BEFORE) });
    }

    /// Shortens the displacements to `places` such that no pair meets on the straight way. Returns, per particle, the
    /// part that is kept.
    pub(super) fn hold(&mut self, places: &mut [Point]) -> &[f64] {
        let Self { pairs, bounds, start, predicted, wanted, parts } = self;
        wanted.clear();
        wanted.extend_from_slice(places);
        parts.clear();
        parts.extend((0..places.len()).map(|k| within(&start[k], &places[k], &predicted[k], bounds[k])));
        let place = |places: &mut [Point], k: usize, part: f64| {
            let way = wanted[k] - start[k];
            places[k] = if part < 1.0 { start[k] + way * part } else { wanted[k] };
        };
        (0..places.len()).for_each(|k| place(places, k, parts[k]));
        for round in 0.. {
            let mut is_held = false;
            for pair in pairs.iter() {
                let Some(impact) = pair.impact(start, places) else { continue };
                let kept = if round < ROUNDS { impact.time.lower * BEFORE } else { 0.0 };
                for k in pair.particles() {
                    is_held |= parts[k] > 0.0;
                    parts[k] *= kept;
                    place(places, k, parts[k]);
                }
            }
            if !is_held {
                break;
            }
        }
        parts
    }
}

/// The part of the way from `start` to `place` that ends within `bound` of `predicted`, as `start` does.
fn within(start: &Point, place: &Point, predicted: &Point, bound: f64) -> f64 {
    if (place - predicted).norm() <= bound {
        return 1.0;
    }
    // |start + t way - predicted|² = bound².
    let (way, from) = (place - start, start - predicted);
    let (square, half) = (way.norm_squared(), way.dot(&from));
    let root = (half * half - square * (from.norm_squared() - bound * bound)).max(0.0).sqrt();
    ((root - half) / square * WITHIN).clamp(0.0, 1.0)
}

impl Pair {
    fn particles(&self) -> impl Iterator<Item = usize> + use<> {
        self.particles.into_iter().filter(|k| *k != usize::MAX)
    }

    /// The first impact on the straight ways. `None` is a proof.
    fn impact(&self, from: &[Point], to: &[Point]) -> Option<Impact> {
        let most = self.particles().map(|k| (to[k] - from[k]).norm()).fold(0.0, f64::max);
        if self.apart * WITHIN > self.kept + 2.0 * most {
            return None;
        }
        let particles = self.particles.map(|k| if k == usize::MAX { self.particles[0] } else { k });
        let [a, b, c, d] = particles.map(|k| MovingPoint::new(from[k], to[k]));
        let options = Options::with_separation(self.kept);
        match self.kind {
            Kind::Vertices => vertex_vertex(&a, &b, &options),
            Kind::VertexEdge => vertex_edge(&a, &[b, c], &options),
            Kind::VertexTriangle => vertex_triangle(&a, &[b, c, d], &options),
            Kind::Edges => edge_edge(&[a, b], &[c, d], &options),
        }
    }
}

fn distance_of(kind: Kind, particles: [usize; 4], x: &[Point]) -> f64 {
    let [a, b, c, d] = particles.map(|k| x[if k == usize::MAX { particles[0] } else { k }]);
    match kind {
        Kind::Vertices => (a - b).norm(),
        Kind::VertexEdge => point_segment(&a, &b, &c).distance_squared.sqrt(),
        Kind::VertexTriangle => point_triangle_distance_squared(&a, &b, &c, &d).sqrt(),
        Kind::Edges => segment_segment(&a, &b, &c, &d).distance_squared.sqrt(),
    }
}
