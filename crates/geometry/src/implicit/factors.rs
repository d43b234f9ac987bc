//! Solution of three linear equations with a positive matrix.

use nalgebra::Matrix3;
use palpate_math::Vector;

/// A matrix with positive eigenvalues, eliminated: without roots, so that all lengths may be scaled.
pub(in crate::implicit) struct Factors {
    pivots: Vector,
    /// What is left below the pivots: of the first in the second and the third row, and of the second.
    below: [f64; 3],
}

impl Factors {
    /// Eliminates; `None` if an eigenvalue is not positive.
    pub(in crate::implicit) fn of(m: &Matrix3<f64>) -> Option<Self> {
        let first = m[(0, 0)];
        let (a, b) = (m[(1, 0)] / first, m[(2, 0)] / first);
        let second = m[(1, 1)] - a * m[(1, 0)];
        let across = m[(2, 1)] - a * m[(2, 0)];
        let c = across / second;
        let third = m[(2, 2)] - b * m[(2, 0)] - c * across;
        let is_positive = first > 0.0 && second > 0.0 && third > 0.0;
        is_positive.then_some(Self { pivots: Vector::new(first, second, third), below: [a, b, c] })
    }

    /// Returns what the matrix times it is the right side.
    pub(in crate::implicit) fn solve(&self, right: &Vector) -> Vector {
        let [a, b, c] = self.below;
        let second = right.y - a * right.x;
        let third = right.z - b * right.x - c * second;
        let last = third / self.pivots.z;
        let middle = second / self.pivots.y - c * last;
        Vector::new(right.x / self.pivots.x - a * middle - b * last, middle, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves_and_scales() {
        let matrix = Matrix3::new(4.0, 1.0, -0.5, 1.0, 3.0, 0.25, -0.5, 0.25, 2.0);
        let right = Vector::new(1.0, -2.0, 0.5);
        let solution = Factors::of(&matrix).unwrap().solve(&right);
        assert!((matrix * solution - right).amax() < 1e-15);
        let doubled = Factors::of(&(matrix * 2.0)).unwrap().solve(&right);
        assert_eq!(doubled * 2.0, solution);
    }

    #[test]
    fn what_is_not_positive_has_no_factors() {
        assert!(Factors::of(&Matrix3::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0)).is_none());
        assert!(Factors::of(&Matrix3::zeros()).is_none());
    }
}
