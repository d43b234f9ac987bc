//! Printed report of a query, in the format of `docs/explain.md`.

use super::coordinates::{Coordinates, coordinates};
use super::outline::outline;
use palpate::convex::trace::{EpaStep, GjkStep};
use palpate::convex::{Core, Explanation, RigidTransform, VectorSpace};
use serde::Serialize;

/// The report of a query. Vectors are in the world frame.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) dimension: usize,
    pub(crate) gjk: Gjk,
    /// `None` if the cores are apart.
    pub(crate) epa: Option<Epa>,
    pub(crate) contact: Contact,
    /// The outline of the Minkowski difference in projection, for pictures.
    #[serde(skip)]
    pub(crate) outline: Vec<[f64; 2]>,
}

/// The report of GJK.
#[derive(Debug, Serialize)]
pub(crate) struct Gjk {
    pub(crate) iterations: Vec<GjkIteration>,
    pub(crate) ended: &'static str,
    /// The final simplex.
    pub(crate) simplex: Vec<Coordinates>,
}

/// One iteration of GJK.
#[derive(Debug, Serialize)]
pub(crate) struct GjkIteration {
    pub(crate) simplex: Vec<Coordinates>,
    pub(crate) weights: Vec<f64>,
    pub(crate) feature: &'static str,
    /// `None` before there is a simplex.
    pub(crate) nearest: Option<Coordinates>,
    pub(crate) direction: Coordinates,
    pub(crate) support: Coordinates,
    pub(crate) bounds: [f64; 2],
}

/// The report of EPA.
#[derive(Debug, Serialize)]
pub(crate) struct Epa {
    pub(crate) iterations: Vec<EpaIteration>,
    pub(crate) ended: &'static str,
}

/// One iteration of EPA.
#[derive(Debug, Serialize)]
pub(crate) struct EpaIteration {
    pub(crate) feature: &'static str,
    pub(crate) facet: Vec<Coordinates>,
    pub(crate) normal: Coordinates,
    pub(crate) distance: f64,
    pub(crate) support: Coordinates,
    pub(crate) bounds: [f64; 2],
}

/// The result.
#[derive(Debug, Serialize)]
pub(crate) struct Contact {
    pub(crate) depth: f64,
    pub(crate) depth_bounds: [f64; 2],
    pub(crate) direction: Coordinates,
    pub(crate) point_a: Coordinates,
    pub(crate) point_b: Coordinates,
    pub(crate) status: &'static str,
}

impl Report {
    /// The report of `explanation` for the two shapes.
    pub(crate) fn new<V: VectorSpace, A: Core<V>, B: Core<V>>(
        explanation: &Explanation<V>,
        a: (&A, &RigidTransform<V>),
        b: (&B, &RigidTransform<V>),
    ) -> Self {
        let turn = &a.1.rotation;
        let contact = &explanation.contact;
        let epa = explanation.epa_ended.map(|ended| Epa {
            iterations: explanation.epa.iter().map(|step| EpaIteration::new(step, turn)).collect(),
            ended,
        });
        Self {
            dimension: V::DIMENSION,
            gjk: Gjk {
                iterations: explanation.gjk.iter().map(|step| GjkIteration::new(step, turn)).collect(),
                ended: explanation.gjk_ended,
                simplex: turned(&explanation.simplex, turn),
            },
            epa,
            contact: Contact {
                depth: contact.depth,
                depth_bounds: [contact.depth_lower, contact.depth_upper],
                direction: coordinates(contact.direction),
                point_a: coordinates(contact.point_a),
                point_b: coordinates(contact.point_b),
                status: contact.status.word(),
            },
            outline: outline(a, b),
        }
    }
}

impl GjkIteration {
    fn new<V: VectorSpace>(step: &GjkStep<V>, turn: &V::Rotation) -> Self {
        let nearest = step.nearest.rotated(turn);
        Self {
            simplex: turned(&step.simplex, turn),
            weights: step.weights.clone(),
            feature: ["none", "vertex", "edge", "face"][step.simplex.len().min(3)],
            nearest: (!step.simplex.is_empty()).then(|| coordinates(nearest)),
            direction: coordinates(-nearest),
            support: coordinates(step.support.rotated(turn)),
            bounds: [step.lower, step.upper],
        }
    }
}

impl EpaIteration {
    fn new<V: VectorSpace>(step: &EpaStep<V>, turn: &V::Rotation) -> Self {
        Self {
            feature: if V::DIMENSION == 2 { "edge" } else { "face" },
            facet: turned(&step.facet, turn),
            normal: coordinates(step.normal.rotated(turn)),
            distance: step.distance,
            support: coordinates(step.support.rotated(turn)),
            bounds: [step.lower, step.upper],
        }
    }
}

fn turned<V: VectorSpace>(vectors: &[V], turn: &V::Rotation) -> Vec<Coordinates> {
    vectors.iter().map(|vector| coordinates(vector.rotated(turn))).collect()
}
