//! Exact decisions in integers: what floating point leaves undecided.
//!
//! The coordinates are integers times a power of two, and so every polynomial here is exact. Each function decides the
//! impacts of the *interiors* of its features: of a vertex with the open edge, of two open edges, of a vertex with the
//! open triangle. The caller combines these with the impacts of the boundaries. An impact of the interiors when the
//! features are parallel or degenerate, or coplanar throughout, is one of the boundaries too, or one at the start.
//!
//! Sources: T. Brochu, E. Edwards, R. Bridson, "Efficient Geometrically Exact Continuous Collision Detection", ACM TOG
//! 31 (2012), DOI 10.1145/2185520.2185592, for the reductions; A. Rouillier, P. Zimmermann, "Efficient isolation of
//! polynomial's real roots", J. Comput. Appl. Math. 162 (2004), DOI 10.1016/j.cam.2003.08.015, for the bisection by
//! Descartes' rule of signs.

use super::integer::{Integer, split};
use super::polynomial::Polynomial;
use super::problem::Problem;

use crate::Point;
use crate::continuous::{MovingPoint, TimeInterval};

type Polynomials = [Polynomial; 3];

const AT_START: Option<TimeInterval> = Some(TimeInterval { lower: 0.0, upper: 0.0 });

/// Moving points in integers, all coordinates times one power of two.
struct Exact<const N: usize>([[[Integer; 2]; 3]; N]);

impl<const N: usize> Exact<N> {
    fn new(points: [&MovingPoint; N]) -> Self {
        let coordinates = points.iter().flat_map(|point| point.start.iter().chain(point.end.iter()));
        let nonzero = coordinates.filter(|&&x| x != 0.0);
        let exponent = nonzero.map(|&x| split(x).1).min().unwrap_or(0);
        let exact = |point: &Point, k: usize| Integer::from_f64(point[k], exponent);
        Self(points.map(|point| std::array::from_fn(|k| [exact(&point.start, k), exact(&point.end, k)])))
    }

    /// The vector from point `from` to point `to`.
    fn between(&self, from: usize, to: usize) -> Polynomials {
        std::array::from_fn(|k| {
            let ([start, end], [from_start, from_end]) = (&self.0[to][k], &self.0[from][k]);
            Polynomial::linear(start.minus(from_start), &end.minus(from_end))
        })
    }
}

fn cross(a: &Polynomials, b: &Polynomials) -> Polynomials {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].times(&b[j]).minus(&a[j].times(&b[i]))
    })
}

fn dot(a: &Polynomials, b: &Polynomials) -> Polynomial {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

fn difference(a: &Polynomials, b: &Polynomials) -> Polynomials {
    std::array::from_fn(|k| a[k].minus(&b[k]))
}

/// Decides by the equation `zero = 0`, or, where it is zero throughout, at the start.
fn decide(
    equation: Polynomial,
    normal: &Polynomials,
    weights: &[Polynomials],
    levels: usize,
    boundary: Option<TimeInterval>,
) -> Option<TimeInterval> {
    let always = equation.is_zero();
    let problem = Problem { equation, normal, weights };
    if always {
        return if problem.meets_at_start() { AT_START } else { boundary };
    }
    problem.earliest(levels, boundary)
}

/// Returns when two vertices first coincide, within `2^-levels`.
pub(in crate::continuous) fn vertex_vertex(points: [&MovingPoint; 2], levels: usize) -> Option<TimeInterval> {
    let apart = Exact::new(points).between(0, 1);
    decide(Polynomial::common_of(&apart), &apart, &[], levels, None)
}

/// Returns when the vertex is first on the edge: the earlier of `boundary`, the impacts with its ends, and the impact
/// with its interior, within `2^-levels`. The points are the vertex and the two ends.
pub(in crate::continuous) fn vertex_edge(
    points: [&MovingPoint; 3],
    levels: usize,
    boundary: Option<TimeInterval>,
) -> Option<TimeInterval> {
    let exact = Exact::new(points);
    let (from_a, edge) = (exact.between(1, 0), exact.between(1, 2));
    let area = cross(&from_a, &edge);
    let equation = Polynomial::common_of(&area);
    if equation.degree() == 0 && !equation.is_zero() {
        return boundary;
    }
    let weights = [difference(&edge, &from_a), from_a];
    decide(equation, &edge, &weights, levels, boundary)
}

/// Returns when the vertex is first in the triangle: the earlier of `boundary`, the impacts with its edges, and the
/// impact with its interior, within `2^-levels`. The points are the vertex and the three corners.
pub(in crate::continuous) fn vertex_triangle(
    points: [&MovingPoint; 4],
    levels: usize,
    boundary: Option<TimeInterval>,
) -> Option<TimeInterval> {
    let exact = Exact::new(points);
    let (from_a, to_b, to_c) = (exact.between(1, 0), exact.between(1, 2), exact.between(1, 3));
    let normal = cross(&to_b, &to_c);
    let (of_b, of_c) = (cross(&from_a, &to_c), cross(&to_b, &from_a));
    let of_a = difference(&difference(&normal, &of_b), &of_c);
    decide(dot(&from_a, &normal), &normal, &[of_a, of_b, of_c], levels, boundary)
}

/// Returns when the edges first meet: the earlier of `boundary`, the impacts of an end with the other edge, and the
/// impact of the interiors, within `2^-levels`. The points are the ends of the one and of the other.
pub(in crate::continuous) fn edge_edge(
    points: [&MovingPoint; 4],
    levels: usize,
    boundary: Option<TimeInterval>,
) -> Option<TimeInterval> {
    let exact = Exact::new(points);
    let (a, b, between) = (exact.between(0, 1), exact.between(2, 3), exact.between(0, 2));
    let normal = cross(&a, &b);
    let (of_a1, of_b1) = (cross(&between, &b), cross(&between, &a));
    let (of_a0, of_b0) = (difference(&normal, &of_a1), difference(&normal, &of_b1));
    decide(dot(&between, &normal), &normal, &[of_a0, of_a1, of_b0, of_b1], levels, boundary)
}
