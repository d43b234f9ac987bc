//! The convex hull of points by its supporting planes: every plane through three of the points that has all others
//! on one side, found by trying all triples.

use super::distance::{on_segment, on_triangle};
use palpate_math::{Point, Vector};

/// Height by which a point may be above a supporting plane, relative to the coordinates.
const ROUNDING: f64 = 1e-12;

/// The hull of a few points.
pub(crate) struct HullOfPoints {
    corners: Vec<Point>,
    /// Unit outward normal, and three points of the plane.
    planes: Vec<(Vector, [Point; 3])>,
    has_volume: bool,
}

impl HullOfPoints {
    pub(crate) fn new(corners: Vec<Point>) -> Self {
        let size = corners.iter().fold(0.0_f64, |size, corner| size.max(corner.coords.amax()));
        let mut planes = Vec::new();
        let mut has_volume = false;
        for (i, a) in corners.iter().enumerate() {
            for (j, b) in corners.iter().enumerate().take(i) {
                for c in &corners[..j] {
                    let normal = (b - a).cross(&(c - a));
                    if normal.norm() <= ROUNDING * size * size {
                        continue;
                    }
                    let normal = normal.normalize();
                    let heights = || corners.iter().map(|corner| (corner - a).dot(&normal));
                    let highest = heights().fold(f64::NEG_INFINITY, f64::max);
                    let lowest = heights().fold(f64::INFINITY, f64::min);
                    has_volume |= highest - lowest > 4.0 * ROUNDING * size;
                    if highest <= ROUNDING * size {
                        planes.push((normal, [*a, *b, *c]));
                    }
                    if lowest >= -ROUNDING * size {
                        planes.push((-normal, [*a, *b, *c]));
                    }
                }
            }
        }
        Self { corners, planes, has_volume }
    }

    /// The supporting planes: unit outward normals, and three of the points on each.
    pub(crate) fn planes(&self) -> &[(Vector, [Point; 3])] {
        &self.planes
    }

    /// The signed distance of a point and its gradient.
    pub(crate) fn signed_distance(&self, point: &Point) -> (f64, Vector) {
        let height = |(normal, [a, ..]): &(Vector, [Point; 3])| ((point - a).dot(normal), *normal);
        let higher = |x: (f64, Vector), y: (f64, Vector)| if y.0 > x.0 { y } else { x };
        let highest = self.planes.iter().map(height).reduce(higher);
        if let Some((height, normal)) = highest.filter(|highest| self.has_volume && highest.0 <= 0.0) {
            return (height, normal);
        }
        let faces = self.planes.iter().map(|(_, corners)| on_triangle(point, corners).place);
        // Collinear points have no faces; a single point is a segment of zero length.
        let segments = self
            .corners
            .iter()
            .flat_map(|start| self.corners.iter().map(move |end| on_segment(point, start, end).1));
        let nearest = faces
            .chain(segments)
            .map(|place| point - place)
            .reduce(|x, y| if y.norm() < x.norm() { y } else { x })
            .expect("a hull has points");
        (nearest.norm(), nearest.normalize())
    }
}
