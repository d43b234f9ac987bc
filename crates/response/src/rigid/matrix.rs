//! The rows as sparse matrices.

use super::body::Velocity;
use super::row::{Row, RowRef};
use super::rows::Rows;
use super::solver_row::angular;
use palpate_contact::NONE;

/// A sparse matrix in compressed rows (CSR): row `i` has the columns `indices[indptr[i]..indptr[i + 1]]`, ascending, with
/// the values in `data`. Reuse it: its lists are cleared, not dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Csr {
    /// Where each row begins; one more than there are rows.
    pub indptr: Vec<usize>,
    /// The column of each value.
    pub indices: Vec<usize>,
    /// The values.
    pub data: Vec<f64>,
    /// The number of columns.
    pub columns: usize,
}

impl Csr {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.indptr.len().saturating_sub(1)
    }

    /// The product with a vector. Panics if the vector is shorter than the number of columns.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |range: &[usize]| {
            (range[0]..range[1]).map(|k| self.data[k] * vector[self.indices[k]]).sum::<f64>()
        };
        self.indptr.windows(2).map(row).collect()
    }

    fn restart(&mut self, columns: usize) {
        self.indptr.clear();
        self.indptr.push(0);
        self.indices.clear();
        self.data.clear();
        self.columns = columns;
    }

    fn push(&mut self, column: usize, value: f64) {
        self.indices.push(column);
        self.data.push(value);
    }

    fn end_row(&mut self) {
        self.indptr.push(self.indices.len());
    }
}

impl RowRef<'_> {
    /// The contribution of the bodies that two rows share to an entry of `J M⁻¹ Jᵀ`.
    fn coupling(&self, k: usize, other: &Row, l: usize) -> f64 {
        let mut sum = 0.0;
        for (mine, sign) in [(0, 1.0), (1, -1.0)] {
            for (theirs, other_sign) in [(0, 1.0), (1, -1.0)] {
                if self.row.bodies[mine] != NONE && self.row.bodies[mine] == other.bodies[theirs] {
                    let linear = self.row.along[k].dot(&other.along[l]) * sign * other_sign;
                    sum += linear * self.row.inverse_masses[mine];
                    sum += angular(&self.solver.responses[k][mine]).dot(&other.arms(l)[theirs]);
                }
            }
        }
        sum
    }
}

impl Rows {
    /// The Jacobian of all rows, `3 n × 6 bodies`: matrix rows `3 i`, `3 i + 1`, `3 i + 2` are the normal and the tangents
    /// of row `i`, columns `6 k` to `6 k + 5` the linear and angular velocity of body `k`.
    pub fn jacobian(&self, matrix: &mut Csr) {
        matrix.restart(6 * self.body_count);
        for row in &self.rows {
            let mut sides = [0, 1];
            sides.sort_unstable_by_key(|&side: &usize| row.bodies[side]);
            for k in 0..3 {
                for side in sides.into_iter().filter(|&side| row.bodies[side] != NONE) {
                    let linear = if side == 0 { row.along[k] } else { -row.along[k] };
                    let first = 6 * row.bodies[side] as usize;
                    for (column, value) in linear.iter().chain(&row.arms(k)[side]).enumerate() {
                        matrix.push(first + column, *value);
                    }
                }
                matrix.end_row();
            }
        }
    }

    /// The matrix `J M⁻¹ Jᵀ` of all rows, `3 n × 3 n`, without softness. Rows that share no body have no entries. Inverse
    /// masses are scaled by the material; the matrix is symmetric if each body has one scale. Cost: linear in the number
    /// of pairs of rows that share a body.
    pub fn delassus(&self, matrix: &mut Csr) {
        matrix.restart(3 * self.rows.len());
        let mut of_body: Vec<Vec<usize>> = vec![Vec::new(); self.body_count];
        for (index, row) in self.rows.iter().enumerate() {
            for body in row.bodies.into_iter().filter(|&body| body != NONE) {
                of_body[body as usize].push(index);
            }
        }
        let mut neighbours: Vec<usize> = Vec::new();
        for row in self.iter() {
            neighbours.clear();
            for body in row.row.bodies.into_iter().filter(|&body| body != NONE) {
                neighbours.extend(&of_body[body as usize]);
            }
            neighbours.sort_unstable();
            neighbours.dedup();
            for k in 0..3 {
                for &other in &neighbours {
                    for l in 0..3 {
                        matrix.push(3 * other + l, row.coupling(k, &self.rows[other], l));
                    }
                }
                matrix.end_row();
            }
        }
    }

    /// The right-hand side of the complementarity problem `0 ≤ J M⁻¹ Jᵀ λ + b`, `3 n` numbers: the rates at `velocities`
    /// less the targets, of which friction has none.
    pub fn right_hand_side(&self, velocities: &[Velocity], out: &mut Vec<f64>) {
        out.clear();
        for row in self.iter() {
            let [normal, first, second] = row.rates(velocities);
            out.extend([normal - row.target(), first, second]);
        }
    }

    /// The bounds of all impulses, `3 n` pairs, with those of friction by the present normal impulses.
    pub fn bounds(&self, out: &mut Vec<[f64; 2]>) {
        out.clear();
        out.extend(self.iter().flat_map(|row| row.bounds()));
    }
}
