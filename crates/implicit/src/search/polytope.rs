//! A convex polytope as a function: the greatest height over the planes of its faces.

use crate::base::{Exactness, OrientedBounds, Sample};
use crate::function::{Description, ImplicitFunction, Structure};
use palpate_contact::NONE;
use palpate_math::triangle::area_vector;
use palpate_math::{Aabb, Point, Vector};

/// A convex polytope, world frame: its value is the signed distance inside, and nowhere above it outside.
#[derive(Clone, Debug)]
pub struct Polytope {
    corners: Vec<Point>,
    planes: Vec<(Vector, f64)>,
    bounds: Aabb,
    root: Option<OrientedBounds>,
}

impl Default for Polytope {
    fn default() -> Self {
        Self { corners: Vec::new(), planes: Vec::new(), bounds: Aabb::EMPTY, root: None }
    }
}

impl Polytope {
    /// Becomes the polytope with these corners, and triangles of its surface, anticlockwise from outside, given a box around it. All
    /// corners are behind the plane of each triangle, also of a narrow one whose normal is inexact. Degenerate ones are left out. Cost:
    /// corners times triangles.
    pub fn fill<'t>(
        &mut self,
        corners: impl Iterator<Item = Point>,
        triangles: impl Iterator<Item = &'t [u32; 3]>,
        root: Option<OrientedBounds>,
    ) {
        self.corners.clear();
        self.corners.extend(corners);
        self.planes.clear();
        (self.bounds, self.root) = (Aabb::from_points(&self.corners), root);
        for ids in triangles {
            let [a, b, c] = ids.map(|id| &self.corners[id as usize]);
            if let Some(normal) = area_vector(a, b, c).try_normalize(0.0) {
                let heights = self.corners.iter().map(|corner| normal.dot(&corner.coords));
                self.planes.push((normal, heights.fold(f64::NEG_INFINITY, f64::max)));
            }
        }
    }

    /// Forgets all planes.
    pub fn clear(&mut self) {
        self.planes.clear();
    }

    /// Whether it has no planes.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }
}

impl ImplicitFunction for Polytope {
    fn sample(&self, point: &Point) -> Sample {
        let heights = self.planes.iter().map(|(normal, offset)| (normal.dot(&point.coords) - offset, normal));
        let highest = heights.reduce(|a, b| if b.0 > a.0 { b } else { a });
        let (value, gradient) =
            highest.map_or((f64::INFINITY, Vector::y()), |(height, normal)| (height, *normal));
        Sample { value, gradient, feature: NONE }
    }

    fn sublevel_bounds(&self, level: f64) -> Aabb {
        // A sharp edge is farther away than its faces: of use at the level zero only.
        if level > 0.0 { Aabb::ALL } else { self.bounds }
    }

    fn lipschitz(&self) -> Option<f64> {
        Some(1.0)
    }

    fn exactness(&self) -> Exactness {
        Exactness { inside: true, outside: false }
    }

    fn is_convex(&self) -> bool {
        true
    }

    fn describe(&self) -> Option<Description<'_>> {
        Some(Description::Own(self))
    }
}

impl Structure for Polytope {
    fn oriented_bounds(&self) -> Option<OrientedBounds> {
        Some(self.root.unwrap_or_else(|| self.bounds.into()))
    }

    fn support_point(&self, direction: &Vector) -> Option<Point> {
        let along = |corner: &&Point| corner.coords.dot(direction);
        self.corners.iter().max_by(|a, b| along(a).total_cmp(&along(b))).copied()
    }

    fn pieces(&self, point: &Point, visit: &mut dyn FnMut(f64, Vector)) {
        for (normal, offset) in &self.planes {
            visit(normal.dot(&point.coords) - offset, *normal);
        }
    }
}
