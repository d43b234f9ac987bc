//! What GJK and EPA do differently in the plane and in space, so that one loop of each serves both.

use nalgebra::{Vector2, Vector3};

use crate::polytope::{Polygon, Polyhedron, Polytope};
use crate::simplex_reduction::{Reduced, plane, space};
use crate::vector::VectorSpace;

/// The dimension in which GJK and EPA run, named by its vector: [`Vector2`] for the plane, [`Vector3`] for space.
///
/// Implemented for these two and meant for no other type.
pub trait Dimension: VectorSpace {
    /// What EPA expands: a polygon or a polyhedron.
    type Polytope: Polytope<Self>;

    /// The point of a triangle that is nearest to the origin; the newest vertex comes last.
    fn reduce_triangle(vertices: &[Self; 4]) -> Reduced<Self>;
    /// The point of a tetrahedron that is nearest to the origin; the newest vertex comes last. Not asked in the plane.
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
        // Three vertices with an inside end GJK in the plane; a fourth never comes.
        plane::triangle(vertices)
    }
}
