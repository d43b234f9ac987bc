//! Simplices over which implicit functions are bounded.

use palpate_math::{Point, Vector};

/// A point, a segment, a triangle or a tetrahedron over which a function is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// One to four corners.
    pub corners: &'a [Point],
    /// Their mean.
    pub center: Point,
    /// The distance of the farthest corner from the centre.
    pub radius: f64,
}

impl<'a> Cell<'a> {
    /// Creates the cell of one to four corners.
    pub fn new(corners: &'a [Point]) -> Self {
        let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
        let center = Point::from(sum / corners.len() as f64);
        let radius = corners.iter().map(|corner| (corner - center).norm_squared()).fold(0.0, f64::max).sqrt();
        Self { corners, center, radius }
    }

    /// Evaluates a number at every corner, zero beyond their count.
    pub fn at_corners(&self, number: impl Fn(&Point) -> f64) -> [f64; 4] {
        let mut numbers = [0.0; 4];
        for (slot, corner) in numbers.iter_mut().zip(self.corners) {
            *slot = number(corner);
        }
        numbers
    }

    /// Returns the linear function with this value and gradient at the centre.
    pub fn linear(&self, value: f64, gradient: &Vector) -> [f64; 4] {
        self.at_corners(|corner| value + gradient.dot(&(corner - self.center)))
    }

    /// Returns the constant function.
    pub fn constant(&self, value: f64) -> [f64; 4] {
        self.at_corners(|_| value)
    }
}

/// A point on an edge of a cell where the function changes its formula: the best point to split the cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeSplit {
    /// The indices of the edge's two corners.
    pub edge: [usize; 2],
    /// The weight of the second, strictly between 0 and 1.
    pub t: f64,
}
