//! Collision vertices as weighted sums of simulation particles.

use crate::ResponseError;

/// An embedded surface: every collision vertex is a weighted sum of particles, such as the four corners of the
/// tetrahedron that contains it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mapping {
    /// Where the particles of vertex `v` begin; those of the next vertex begin where they end.
    starts: Vec<u32>,
    particles: Vec<u32>,
    weights: Vec<f64>,
}

impl Mapping {
    /// Every vertex has the same number of particles. `particles` and `weights` are `n × N`, vertex by vertex; the weights
    /// of a vertex sum to 1. Errors: lists of different lengths.
    pub fn new<const N: usize>(particles: &[[u32; N]], weights: &[[f64; N]]) -> Result<Self, ResponseError> {
        if particles.len() != weights.len() {
            return Err(ResponseError::Mapping { found: weights.len(), wanted: particles.len() });
        }
        let mut mapping = Self::default();
        for (particles, weights) in particles.iter().zip(weights) {
            mapping.push(particles.iter().copied().zip(weights.iter().copied()));
        }
        Ok(mapping)
    }

    /// Appends a vertex with its particles and their weights, which sum to 1.
    pub fn push(&mut self, parts: impl IntoIterator<Item = (u32, f64)>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        for (particle, weight) in parts {
            self.particles.push(particle);
            self.weights.push(weight);
        }
        self.starts.push(self.particles.len() as u32);
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The particles of a vertex with their weights. Panics if there is no such vertex.
    pub fn particles(&self, vertex: usize) -> impl ExactSizeIterator<Item = (u32, f64)> + '_ {
        let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        self.particles[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_have_their_own_particles() {
        let mut mapping = Mapping::new(&[[3, 4]], &[[0.25, 0.75]]).unwrap();
        mapping.push([(7, 1.0)]);
        assert_eq!(mapping.len(), 2);
        assert!(mapping.particles(0).eq([(3, 0.25), (4, 0.75)]));
        assert!(mapping.particles(1).eq([(7, 1.0)]));
        let wrong = Mapping::new(&[[0_u32; 2]], &[]);
        assert_eq!(wrong, Err(ResponseError::Mapping { found: 0, wanted: 1 }));
    }
}
