//! Simplices over which implicit functions are bounded.

use palpate_math::{Point, Vector};

/// The most corners of a cell.
pub const MOST_CORNERS: usize = 8;

/// Values at the corners of a [`Cell`], zero beyond their count. They bound a function in the cell from below if at every point of it the
/// function is no less than the mean of them by the point's weights: barycentric in a simplex, trilinear in a box.
pub type CellValues = [f64; MOST_CORNERS];

/// A point, a segment, a triangle, a tetrahedron or a box over which a function is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// One to four corners of a simplex, or the eight of a box, its first axis varying fastest.
    pub corners: &'a [Point],
    /// Their mean.
    pub center: Point,
    /// The distance of the farthest corner from the centre.
    pub radius: f64,
}

impl<'a> Cell<'a> {
    /// Creates the cell of a simplex or a box, given its corners.
    pub fn new(corners: &'a [Point]) -> Self {
        let sum = corners.iter().fold(Vector::zeros(), |sum, corner| sum + corner.coords);
        let center = Point::from(sum / corners.len() as f64);
        let radius = corners.iter().map(|corner| (corner - center).norm_squared()).fold(0.0, f64::max).sqrt();
        Self { corners, center, radius }
    }

    /// Evaluates a number at every corner, zero beyond their count.
    pub fn at_corners(&self, number: impl Fn(&Point) -> f64) -> CellValues {
        let mut numbers = [0.0; MOST_CORNERS];
        for (slot, corner) in numbers.iter_mut().zip(self.corners) {
            *slot = number(corner);
        }
        numbers
    }

    /// Returns the linear function with this value and gradient at the centre.
    pub fn linear(&self, value: f64, gradient: &Vector) -> CellValues {
        self.at_corners(|corner| value + gradient.dot(&(corner - self.center)))
    }

    /// Returns the constant function.
    pub fn constant(&self, value: f64) -> CellValues {
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
