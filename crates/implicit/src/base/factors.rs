//! Solution of three linear equations with a positive matrix.

use nalgebra::Matrix3;
use palpate_math::Vector;

/// A matrix with positive eigenvalues, eliminated: without roots, so that all lengths may be scaled.
pub(crate) struct Factors {
    pivots: [f64; 3],
    /// What is left below the pivots, over these.
    below: [[f64; 3]; 3],
}

impl Factors {
    /// Eliminates; `None` if an eigenvalue is not positive.
    pub(crate) fn of(m: &Matrix3<f64>) -> Option<Self> {
        let (mut pivots, mut below, mut left) = ([0.0; 3], [[0.0; 3]; 3], [[0.0; 3]; 3]);
        for column in 0..3 {
            for row in column..3 {
                let mut number = m[(row, column)];
                for k in 0..column {
                    number -= below[row][k] * left[column][k];
                }
                if row == column {
                    pivots[column] = number;
                }
                left[row][column] = number;
                below[row][column] = number / pivots[column];
            }
        }
        pivots.iter().all(|pivot| *pivot > 0.0).then_some(Self { pivots, below })
    }

    /// Returns what the matrix times it is the right side.
    pub(crate) fn solve(&self, right: &Vector) -> Vector {
        let mut solution = *right;
        for row in 1..3 {
            for k in 0..row {
                solution[row] -= self.below[row][k] * solution[k];
            }
        }
        for row in (0..3).rev() {
            solution[row] /= self.pivots[row];
            for k in row + 1..3 {
                solution[row] -= self.below[k][row] * solution[k];
            }
        }
        solution
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
