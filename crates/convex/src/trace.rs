//! Recorders of the iterations of GJK and EPA; no cost when nothing is recorded.

use crate::polytope::Facet;
use crate::simplex::Simplex;
use crate::simplex_reduction::Reduced;
use crate::vector::VectorSpace;
use crate::vertex::Vertex;

/// One iteration of GJK. All vectors are in the Minkowski difference `A - B`, in the frame of `A`.
#[derive(Clone, Debug, PartialEq)]
pub struct GjkStep<V> {
    /// The vertices of the simplex, newest last.
    pub simplex: Vec<V>,
    /// Barycentric weights of the closest point.
    pub weights: Vec<f64>,
    /// The simplex's closest point to the origin; the support direction is its negative.
    pub nearest: V,
    /// The support point.
    pub support: V,
    /// Lower bound of the distance.
    pub lower: f64,
    /// Upper bound of the distance.
    pub upper: f64,
}

impl<V: VectorSpace> GjkStep<V> {
    pub(crate) fn of(
        simplex: &Simplex<V>,
        state: &Reduced<V>,
        vertex: &Vertex<V>,
        lower: f64,
        upper: f64,
    ) -> Self {
        Self {
            simplex: simplex.points[..simplex.count].to_vec(),
            weights: simplex.weights[..simplex.count].to_vec(),
            nearest: state.nearest,
            support: vertex.point,
            lower,
            upper,
        }
    }
}

/// One iteration of EPA. All vectors are in the Minkowski difference `A - B`, in the frame of `A`.
#[derive(Clone, Debug, PartialEq)]
pub struct EpaStep<V> {
    /// The corners of the facet closest to the origin: two in 2D, three in 3D.
    pub facet: Vec<V>,
    /// Its outward unit normal, which is the support direction.
    pub normal: V,
    /// Its distance from the origin.
    pub distance: f64,
    /// The support point.
    pub support: V,
    /// Lower bound of the depth.
    pub lower: f64,
    /// Upper bound of the depth.
    pub upper: f64,
}

impl<V: VectorSpace> EpaStep<V> {
    pub(crate) fn of(facet: &Facet<V>, corners: &[V], support: V, upper: f64) -> Self {
        Self {
            facet: corners[..V::DIMENSION].to_vec(),
            normal: facet.normal,
            distance: facet.distance,
            support,
            lower: facet.bound,
            upper,
        }
    }
}

/// Receives every iteration of a query.
pub trait Tracer<V: VectorSpace> {
    /// Whether anything is recorded; a constant, so that nothing is computed otherwise.
    const ACTIVE: bool = true;
    /// Receives an iteration of GJK.
    fn gjk(&mut self, step: GjkStep<V>);
    /// Receives an iteration of EPA.
    fn epa(&mut self, step: EpaStep<V>);
    /// Receives the reason why a loop terminated, in one word.
    fn ended(&mut self, reason: &'static str);
}

/// Records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<V: VectorSpace> Tracer<V> for Silent {
    const ACTIVE: bool = false;
    #[inline(always)]
    fn gjk(&mut self, _step: GjkStep<V>) {}
    #[inline(always)]
    fn epa(&mut self, _step: EpaStep<V>) {}
    #[inline(always)]
    fn ended(&mut self, _reason: &'static str) {}
}

/// Records every iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording<V> {
    /// The iterations of GJK, in order.
    pub gjk: Vec<GjkStep<V>>,
    /// The iterations of EPA, in order.
    pub epa: Vec<EpaStep<V>>,
    /// Why each loop terminated.
    pub ended: Vec<&'static str>,
}

impl<V: VectorSpace> Tracer<V> for Recording<V> {
    fn gjk(&mut self, step: GjkStep<V>) {
        self.gjk.push(step);
    }

    fn epa(&mut self, step: EpaStep<V>) {
        self.epa.push(step);
    }

    fn ended(&mut self, reason: &'static str) {
        self.ended.push(reason);
    }
}
