//! Dimension-dependent parts of GJK and EPA, so that one loop of each serves the plane and space.

use nalgebra::{Vector2, Vector3};

use crate::polytope::{Polygon, Polyhedron, Polytope};
use crate::simplex_reduction::{Reduced, plane, space};
use crate::vector::VectorSpace;

/// The dimension in which GJK and EPA run, named by its vector: [`Vector2`] for the plane, [`Vector3`] for space.
///
/// Implemented for these two types only.
pub trait Dimension: VectorSpace {
    /// The polytope that EPA expands: a polygon or a polyhedron.
    type Polytope: Polytope<Self>;

    /// Returns the point of a triangle closest to the origin; the newest vertex comes last.
    fn reduce_triangle(vertices: &[Self; 4]) -> Reduced<Self>;
    /// Returns the point of a tetrahedron closest to the origin; the newest vertex comes last. Not called in 2D.
    fn reduce_tetrahedron(vertices: &[Self; 4]) -> Reduced<Self>;
}

impl Dimension for Vector3<f64> {
    type Polytope = Polyhedron;

    #[inline(always)]
    fn reduce_triangle(vertices: &[Self; 4]) -> Reduced<Self> {
        space::triangle(vertices)
    }

    #[inline(always)]
    fn reduce_tetrahedron(vertices: &[Self; 4]) -> Reduced<Self> {
        space::tetrahedron(vertices)
    }
}

impl Dimension for Vector2<f64> {
    type Polytope = Polygon;

    #[inline(always)]
    fn reduce_triangle(vertices: &[Self; 4]) -> Reduced<Self> {
        plane::triangle(vertices)
    }

    fn reduce_tetrahedron(vertices: &[Self; 4]) -> Reduced<Self> {
        // A triangle around the origin terminates GJK in 2D; there is never a fourth vertex.
        plane::triangle(vertices)
    }
}
