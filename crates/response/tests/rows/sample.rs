//! Random contacts of every pair of elements.

use palpate_contact::{Contact, ContactsOfPair, Feature};
use palpate_math::{Point, Vector};
use palpate_response::Material;
use palpate_response::pbd::{Body, Rows};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) struct Sample(ChaCha8Rng);

impl Sample {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.random_range(low..high)
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::from_fn(|_, _| self.between(-1.0, 1.0))
    }

    pub(crate) fn point(&mut self) -> Point {
        self.vector().into()
    }

    pub(crate) fn direction(&mut self) -> Vector {
        loop {
            let vector = self.vector();
            if (0.1..1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }

    /// Positive weights that sum to 1.
    pub(crate) fn weights<const N: usize>(&mut self) -> [f64; N] {
        let weights = [0.0; N].map(|_: f64| self.between(0.05, 1.0));
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }
}

/// The number of contacts per type.
pub(crate) fn count() -> usize {
    std::env::var("PALPATE_CONTACTS").map_or(2000, |count| count.parse().unwrap())
}

/// A side by its number of vertices: 0 is a point of a rigid or static body.
pub(crate) fn feature(vertices: usize, weights: [f64; 4], point: Point) -> Feature {
    let [a, b, c, d] = weights;
    match vertices {
        0 => Feature::point(point),
        1 => Feature::vertex(0, 0, point),
        2 => Feature::edge([0, 1], [a, b], 0, point),
        3 => Feature::triangle([0, 1, 2], [a, b, c], 0, point),
        _ => Feature::tetrahedron([0, 1, 2, 3], [a, b, c, d], 0, point),
    }
}

/// The contact of two sides whose particles are 0 to 3 and 4 to 7.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) positions: Vec<Point>,
    pub(crate) contact: Contact,
}

impl Pair {
    /// Elements at random; the contact between random weights of them, `depth` deep.
    pub(crate) fn random(sample: &mut Sample, sides: [usize; 2], depth: f64) -> Self {
        let positions: Vec<Point> = (0..8).map(|_| sample.point()).collect();
        let mut weights = [[0.0; 4]; 2];
        for (side, weights) in weights.iter_mut().enumerate() {
            let given: [f64; 4] = match sides[side] {
                2 => {
                    let [a, b] = sample.weights();
                    [a, b, 0.0, 0.0]
                }
                3 => {
                    let [a, b, c] = sample.weights();
                    [a, b, c, 0.0]
                }
                4 => sample.weights(),
                _ => [1.0, 0.0, 0.0, 0.0],
            };
            *weights = given;
        }
        let point = |side: usize| -> Vector {
            (0..4).map(|k| positions[4 * side + k].coords * weights[side][k]).sum()
        };
        let points = [point(0), point(1)];
        let direction = (points[0] - points[1]).normalize();
        let [a, b] = [0, 1].map(|side| feature(sides[side], weights[side], points[side].into()));
        Self { positions, contact: Contact::exact(a, b, direction, depth, 7) }
    }

    pub(crate) fn list(&self) -> ContactsOfPair<'_, usize> {
        ContactsOfPair { number: 3, geometries: [0, 1], contacts: std::slice::from_ref(&self.contact) }
    }

    /// Its row, both sides particles.
    pub(crate) fn rows(&self, material: Material) -> Rows {
        let mut rows = Rows::new(0.01);
        let body = |side| Body::Particles(4 * side);
        rows.gather([self.list()], &self.positions, body, |_| material).unwrap();
        rows
    }
}
