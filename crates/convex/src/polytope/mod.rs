//! The polytope of EPA: a polygon in 2D, a polyhedron in 3D, with vertices on the Minkowski difference.
//!
//! A facet (an edge of the polygon, a triangle of the polyhedron) has an outward unit normal, a distance from the
//! origin along it (negative if the origin lies outside), and a *bound*: the distance minus the rounding error. The
//! least bound of all facets is a lower bound of the depth, because the polytope lies within the difference.

mod carry_over;
mod polygon;
mod polyhedron;
mod queue;

use crate::vector::VectorSpace;
use crate::vertex::Vertex;

pub(crate) use polygon::Polygon;
pub(crate) use polyhedron::Polyhedron;

/// One facet of a polytope.
#[derive(Clone, Copy, Debug)]
pub struct Facet<V> {
    /// Outward, unit length.
    pub normal: V,
    /// The farthest corner's height along the normal; all corners have it, up to rounding error.
    pub distance: f64,
    /// Lower bound of the distance from the origin to any point of the facet.
    pub bound: f64,
}

/// A convex polytope that grows vertex by vertex. Buffers are reused.
pub trait Polytope<V: VectorSpace>: Clone + std::fmt::Debug + Default {
    /// Makes room for so many expansions of a simplex.
    fn make_room(&mut self, expansions: usize);

    /// Starts from a full simplex. `rounding_error` bounds the error of a vertex. Returns false if the simplex is
    /// degenerate.
    fn start(&mut self, simplex: &[Vertex<V>; 4], rounding_error: f64) -> bool;

    /// Warm starts from the facets of the last query, at the current positions of their vertices; `place` returns the
    /// vertex with the given ids. Returns false, leaving the polytope unusable, if a vertex has no ids, if the surface
    /// is no longer convex, or if it is so large that a cold start is cheaper. Nothing is queued yet.
    fn refresh(&mut self, place: impl FnMut([u32; 2]) -> Option<Vertex<V>>, rounding_error: f64) -> bool;

    /// Returns the facet with the least bound, after a refresh.
    fn least(&self) -> u32;

    /// Queues the facets except one whose bounds do not exceed `worth`, after a refresh.
    fn queue_all_but(&mut self, facet: u32, worth: f64);

    /// Pops the facet with the least bound, with the bound it was queued by. `None` if the queue is empty.
    fn next(&mut self) -> Option<(f64, u32)>;

    /// Removes the component along the longest edge from the normal of a popped facet, which is rounding error, and
    /// queues it again. Returns false, changing nothing, if the gain is within rounding error.
    ///
    /// The cross product of two edges has an error of rounding times length over width along a needle, which lifts one
    /// end above the other by more than the rounding error. Across the needle the small width compensates.
    fn straighten(&mut self, facet: u32) -> bool;

    /// Calls `each` with the bound of every facet and the ids of its corners; not in 2D.
    fn each_facet(&self, each: impl FnMut(f64, [[u32; 2]; 3]));

    /// Returns the number of facets ever created, including replaced ones.
    fn count(&self) -> u32;

    /// Returns the facet with that number.
    fn facet(&self, facet: u32) -> Facet<V>;

    /// Returns a corner of the facet.
    fn corner(&self, facet: u32, index: usize) -> &Vertex<V>;

    /// Returns the facet where the ray from the origin along a direction leaves the polytope, and the barycentric
    /// weights of the exit point; not negative, with sum one. `start` is a facet to search from.
    fn locate(&self, start: u32, direction: V) -> (u32, [f64; 3]);

    /// Adds a vertex beyond the facet and replaces every facet it sees. Facets whose bound exceeds `worth` are not
    /// queued. Returns false if rounding broke the surface; then the polytope is unusable.
    fn expand(&mut self, facet: u32, vertex: Vertex<V>, worth: f64) -> bool;
}
