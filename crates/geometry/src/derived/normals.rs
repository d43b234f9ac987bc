//! Angle-weighted pseudonormals of a surface, for inside-outside tests.

use super::Adjacency;
use crate::Version;
use palpate_contact::NONE;
use palpate_math::{Point, Vector, rounding};

/// Normals of faces, edges and vertices. The vector from the closest point to a query point has a positive product with
/// the pseudonormal of the closest feature exactly when the query point is outside a closed oriented surface (Bærentzen
/// and Aanæs 2005, "Signed Distance Computation Using the Angle Weighted Pseudonormal").
///
/// Degenerate triangles have zero normals and do not contribute to their edges and vertices. If all windings are inward
/// (negative signed volume) all normals are flipped outward.
#[derive(Clone, Debug, Default)]
pub struct Normals {
    /// Unit normals per triangle.
    pub faces: Vec<Vector>,
    /// Pseudonormals per edge: the sum of the unit normals of its triangles; not unit.
    pub edges: Vec<Vector>,
    /// Pseudonormals per vertex: unit face normals weighted by the angle at the vertex; not unit.
    pub vertices: Vec<Vector>,
    /// Whether the winding is inward, so that the normals are those of the reversed triangles.
    pub inverted: bool,
    /// Whether the surface is closed but its volume is within rounding error of zero (a flattened ball): then its sides
    /// coincide, and no normal separates inside from outside.
    pub collapsed: bool,
    built_for: Version,
}

impl Normals {
    /// Updates the normals.
    pub fn update(
        &mut self,
        version: Version,
        triangles: &[[u32; 3]],
        adjacency: &Adjacency,
        positions: &[Point],
    ) {
        if self.built_for == version {
            return;
        }
        let volume =
            if adjacency.is_closed() { Volume::new(triangles, positions) } else { Volume::default() };
        self.inverted = volume.six_signed < 0.0;
        self.collapsed = adjacency.is_closed() && volume.is_none(positions);
        let sign = if self.inverted { -1.0 } else { 1.0 };
        self.faces.clear();
        self.edges.clear();
        self.vertices.clear();
        self.vertices.resize(positions.len(), Vector::zeros());
        for ids in triangles {
            let corners = ids.map(|id| positions[id as usize]);
            let normal = face_normal(&corners) * sign;
            self.faces.push(normal);
            for (corner, &id) in ids.iter().enumerate() {
                self.vertices[id as usize] += normal * angle_at(&corners, corner);
            }
        }
        self.edges.extend(adjacency.edge_triangles.iter().map(|&[first, second]| {
            let other = if second == NONE { Vector::zeros() } else { self.faces[second as usize] };
            self.faces[first as usize] + other
        }));
        self.built_for = version;
    }

    /// Whether a closed surface has negative volume.
    pub(crate) fn winds_inward(triangles: &[[u32; 3]], adjacency: &Adjacency, positions: &[Point]) -> bool {
        adjacency.is_closed() && Volume::new(triangles, positions).six_signed < 0.0
    }

    /// Whether the normals were built for `version`.
    pub fn is_current(&self, version: Version) -> bool {
        self.built_for == version
    }
}

/// Returns the unit normal of a triangle by its winding; zero for a degenerate one.
fn face_normal(corners: &[Point; 3]) -> Vector {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let length = normal.norm();
    if length > 0.0 { normal / length } else { Vector::zeros() }
}

/// Returns the angle of a triangle at one of its corners, in radians.
fn angle_at(corners: &[Point; 3], corner: usize) -> f64 {
    let along = corners[(corner + 1) % 3] - corners[corner];
    let back = corners[(corner + 2) % 3] - corners[corner];
    libm::atan2(along.cross(&back).norm(), along.dot(&back))
}

/// The volume and area of a closed surface.
#[derive(Clone, Copy, Debug, Default)]
struct Volume {
    /// Six times the volume, negative for inward winding.
    six_signed: f64,
    /// Twice the area.
    two_areas: f64,
}

impl Volume {
    /// Computes them relative to the first vertex, so that a surface far from the origin loses no accuracy.
    fn new(triangles: &[[u32; 3]], positions: &[Point]) -> Self {
        let Some(origin) = positions.first() else { return Self::default() };
        let mut volume = Self::default();
        for ids in triangles {
            let [a, b, c] = ids.map(|id| positions[id as usize] - origin);
            volume.six_signed += a.dot(&b.cross(&c));
            volume.two_areas += (b - a).cross(&(c - a)).norm();
        }
        volume
    }

    /// Whether the mean thickness is within the rounding error of the coordinates.
    fn is_none(&self, positions: &[Point]) -> bool {
        self.six_signed.abs() <= rounding::length(rounding::largest_coordinate(positions)) * self.two_areas
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(reverse: bool) -> (Vec<[u32; 3]>, Vec<Point>) {
        let mut triangles = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
        if reverse {
            triangles.iter_mut().for_each(|ids| ids.swap(1, 2));
        }
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        (triangles, corners.map(Point::from).to_vec())
    }

    fn normals(reverse: bool) -> Normals {
        let (triangles, positions) = tetrahedron(reverse);
        let mut normals = Normals::default();
        let version = Version { topology: 1, positions: 1 };
        normals.update(version, &triangles, &Adjacency::new(&triangles), &positions);
        normals
    }

    #[test]
    fn normals_point_outward_whichever_way_the_triangles_wind() {
        let (outward, inward) = (normals(false), normals(true));
        assert!(!outward.inverted && inward.inverted);
        for normals in [outward, inward] {
            assert_eq!(normals.faces[0], -Vector::z());
            // Three right angles of a cube's corner: equal weights.
            let corner = normals.vertices[0].normalize();
            assert!((corner + Vector::repeat(1.0).normalize()).norm() < 1e-15);
        }
    }

    /// Three coplanar corners of a ball, and a fourth at the given height above them.
    #[test]
    fn a_surface_pressed_flat_is_collapsed_and_a_thin_one_is_not() {
        let collapsed = |height: f64| {
            let (triangles, mut positions) = tetrahedron(false);
            positions[3] = Point::new(0.25, 0.25, height);
            let mut normals = Normals::default();
            let version = Version { topology: 1, positions: 1 };
            normals.update(version, &triangles, &Adjacency::new(&triangles), &positions);
            normals.collapsed
        };
        assert!(collapsed(0.0) && collapsed(1e-16) && !collapsed(1e-13) && !collapsed(1.0));
    }

    #[test]
    fn a_flat_triangle_has_no_normal_and_adds_none() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]].map(Point::from);
        assert_eq!(face_normal(&corners), Vector::zeros());
    }
}
