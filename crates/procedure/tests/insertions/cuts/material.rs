//! The material of a mesh that is cut: the place of every vertex as an exact number, from the lattice on.

use num_bigint::BigInt;
use palpate_procedure::Division;
use std::collections::HashMap;

/// A number as an integer times 2^-`exponent`.
#[derive(Clone)]
pub(crate) struct Exact(BigInt, u32);

impl Exact {
    fn at(&self, exponent: u32) -> BigInt {
        &self.0 << (exponent - self.1)
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        let exponent = self.1.max(other.1);
        Self(self.at(exponent) + other.at(exponent), exponent)
    }

    fn sub(&self, other: &Self) -> Self {
        let exponent = self.1.max(other.1);
        Self(self.at(exponent) - other.at(exponent), exponent)
    }

    fn mul(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0, self.1 + other.1)
    }

    /// A weight of a new vertex: a multiple of 2^-53.
    fn weight(value: f64) -> Self {
        let scaled = value * 2f64.powi(53);
        assert!(scaled == scaled.trunc() && (0.0..=2f64.powi(53)).contains(&scaled), "{value}");
        Self(BigInt::from(scaled as i64), 53)
    }

    pub(crate) fn zero() -> Self {
        Self(BigInt::from(0), 0)
    }

    pub(crate) fn sign(&self) -> i32 {
        i32::from(self.0 > BigInt::from(0)) - i32::from(self.0 < BigInt::from(0))
    }

    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.sub(other).sign() == 0
    }
}

type Place = [Exact; 3];

/// Where the vertices are in the material.
pub(crate) struct Material(Vec<Place>);

impl Material {
    pub(crate) fn new(lattice: &[[i64; 3]]) -> Self {
        Self(lattice.iter().map(|at| at.map(|x| Exact(BigInt::from(x), 0))).collect())
    }

    pub(crate) fn carry(&mut self, division: &Division) {
        division.carry(&mut self.0, |a, b, t| {
            let [from, to] = [1.0 - t, t].map(Exact::weight);
            [0, 1, 2].map(|axis| a[axis].mul(&from).add(&b[axis].mul(&to)))
        });
    }

    fn edge(&self, from: u32, to: u32) -> Place {
        let [from, to] = [from, to].map(|id| &self.0[id as usize]);
        [0, 1, 2].map(|axis| to[axis].sub(&from[axis]))
    }

    /// The measures of a cell that are added up: six times the volume of a tetrahedron, twice the vector area of a triangle.
    pub(crate) fn measures<const N: usize>(&self, cell: &[u32; N]) -> Vec<Exact> {
        let (u, v) = (self.edge(cell[0], cell[1]), self.edge(cell[0], cell[2]));
        let minor = |i: usize, j: usize| u[i].mul(&v[j]).sub(&u[j].mul(&v[i]));
        let area = [minor(1, 2), minor(2, 0), minor(0, 1)];
        if N == 3 {
            return area.to_vec();
        }
        let w = self.edge(cell[0], cell[3]);
        vec![(0..3).map(|axis| area[axis].mul(&w[axis])).fold(Exact::zero(), |sum, part| sum.add(&part))]
    }
}

/// The place of every vertex in the mesh as it was: copies have the place of what they copy.
pub(crate) fn places(division: &Division) -> impl Fn(u32) -> u32 {
    let mut known: HashMap<([u32; 2], u64), u32> = HashMap::new();
    let mut of_new = Vec::new();
    for (number, vertex) in (division.first_vertex..).zip(&division.vertices) {
        let [a, b] = vertex.of;
        let key = (vertex.of, vertex.weights[1].to_bits());
        of_new.push(if a == b { a } else { *known.entry(key).or_insert(number) });
    }
    let first = division.first_vertex;
    move |id| if id < first { id } else { of_new[(id - first) as usize] }
}
