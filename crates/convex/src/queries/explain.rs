//! Runs a query and records every iteration, optionally from a given simplex.

use crate::contact::QueryResult;
use crate::dimension::Dimension;
use crate::epa::epa;
use crate::gjk::{self, StopCriteria, gjk};
use crate::minkowski_difference::MinkowskiDifference;
use crate::pose::RigidTransform;
use crate::queries::contact_query::{apart, overlapping, restarted};
use crate::settings::Settings;
use crate::simplex::Simplex;
use crate::support::Core;
use crate::trace::{EpaStep, GjkStep, Recording};

/// Trace of a query. All vectors except the contact's are in the Minkowski difference of the cores, `A - B`, in the
/// frame of `A`.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<V> {
    /// The iterations of GJK.
    pub gjk: Vec<GjkStep<V>>,
    /// Why GJK terminated: `converged`, `inside` (EPA continues), `stalled` or `limit`.
    pub gjk_ended: &'static str,
    /// GJK's final simplex, without the vertices that do not support its closest point.
    pub simplex: Vec<V>,
    /// The iterations of EPA. Empty for shapes whose cores are apart, and for a difference without interior.
    pub epa: Vec<EpaStep<V>>,
    /// Why EPA terminated, if it ran: the word of [`Termination`](crate::Termination).
    pub epa_ended: Option<&'static str>,
    /// The contact, world frame.
    pub contact: QueryResult<V>,
}

/// Runs GJK and, where the cores touch or overlap, EPA, and records every iteration.
///
/// Closed forms are skipped, so that there are iterations to record; otherwise the result is that of
/// [`contact`](crate::contact()), up to rounding for pairs of five to eight points each, which `contact` transforms all
/// at once. GJK starts from the vertices of the difference given in `start` by their ids in A and in B (at most one
/// more than the dimension, all different), or from scratch if it is empty. Returns `None` if an id names no vertex, or
/// there are too many.
pub fn explain<V: Dimension, A: Core<V>, B: Core<V>>(
    (a, pose_a): (&A, &RigidTransform<V>),
    (b, pose_b): (&B, &RigidTransform<V>),
    start: &[[u32; 2]],
    settings: &Settings,
) -> Option<Explanation<V>> {
    if start.len() > V::DIMENSION + 1 {
        return None;
    }
    let difference = MinkowskiDifference::new(a, b, pose_a.relative(pose_b));
    let mut simplex = Simplex::empty();
    for &ids in start {
        simplex.push(difference.vertex(ids)?);
    }
    let gap = settings.gap(A::CURVED || B::CURVED, difference.size, difference.rounding_error);
    let question =
        StopCriteria { beyond: f64::INFINITY, within: -1.0, gap, iterations: settings.gjk_iterations };
    let mut recording = Recording { gjk: Vec::new(), epa: Vec::new(), ended: Vec::new() };
    let mut found = gjk(&difference, &mut simplex, difference.guess(), &question, &mut recording);
    if found.ended == gjk::Ended::Stalled {
        found = restarted(&difference, &mut simplex, found, &question, &mut recording);
    }
    let inside = found.ended == gjk::Ended::Inside;
    let core = if inside {
        let mut polytope = V::Polytope::default();
        let depth = epa(&difference, &simplex, &mut polytope, gap, settings.epa_iterations, &mut recording);
        overlapping(&depth, found.iterations)
    } else {
        apart(&found, simplex.witness())
    };
    Some(Explanation {
        gjk: recording.gjk,
        gjk_ended: if inside { "inside" } else { core.status.word() },
        simplex: simplex.points[..simplex.count].to_vec(),
        epa: recording.epa,
        epa_ended: inside.then(|| core.status.word()),
        contact: core.rounded(a.radius(), b.radius(), difference.rounding_error).placed(pose_a),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::Points;
    use nalgebra::Vector2;

    fn polygon(corners: &[[f64; 2]]) -> Points<Vector2<f64>> {
        Points::new(corners.iter().map(|&[x, y]| Vector2::new(x, y)).collect()).unwrap()
    }

    fn pair() -> (Points<Vector2<f64>>, Points<Vector2<f64>>) {
        let a = polygon(&[[4.0, 11.0], [4.0, 5.0], [9.0, 9.0]]);
        (a, polygon(&[[5.0, 7.0], [12.0, 7.0], [10.0, 2.0], [7.0, 3.0]]))
    }

    /// The worked example of W. Bittle, "EPA (Expanding Polytope Algorithm)", dyn4j.org.
    #[test]
    fn from_the_simplex_of_the_worked_example_it_takes_two_iterations() {
        let (a, b) = pair();
        let at = RigidTransform::identity();
        // (9,9) - (5,7), (4,5) - (12,7), (4,5) - (5,7).
        let told = explain((&a, &at), (&b, &at), &[[2, 0], [1, 1], [1, 0]], &Settings::default()).unwrap();
        assert_eq!((told.gjk.len(), told.gjk_ended, told.epa_ended), (0, "inside", Some("converged")));
        assert_eq!(told.epa.len(), 2);
        assert_eq!(told.epa[0].support, Vector2::new(-6.0, 9.0));
        let depth = 6.0 / 41.0_f64.sqrt();
        assert!((told.contact.depth - depth).abs() < 1e-14, "{}", told.contact.depth);
    }

    #[test]
    fn the_answer_is_that_of_the_plain_query() {
        let (a, b) = pair();
        let (at, away) = (RigidTransform::identity(), RigidTransform::at(Vector2::new(20.0, 3.0)));
        for pose_b in [&at, &away] {
            let settings = Settings::default();
            let told = explain((&a, &at), (&b, pose_b), &[], &settings).unwrap();
            let plain = crate::contact((&a, &at), (&b, pose_b), &mut crate::Memory::default(), &settings);
            assert_eq!(told.contact, plain);
            assert_eq!(told.epa_ended.is_some(), plain.depth > 0.0);
        }
    }

    #[test]
    fn what_names_no_vertex_is_refused() {
        let (a, b) = pair();
        let at = RigidTransform::identity();
        let ask = |start: &[[u32; 2]]| explain((&a, &at), (&b, &at), start, &Settings::default());
        assert!(ask(&[[3, 0]]).is_none() && ask(&[[0, 0]; 4]).is_none() && ask(&[[0, 0]]).is_some());
    }
}
