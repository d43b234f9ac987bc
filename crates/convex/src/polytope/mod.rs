//! What EPA expands: a polygon in the plane, a polyhedron in space, with vertices on the difference of two cores.
//!
//! A facet (an edge of the polygon, a triangle of the polyhedron) carries its outward unit normal, its distance from the
//! origin along it (negative if the origin lies outside), and a *bound*: the distance less what rounding can have done. The least bound of all facets is a lower bound of the depth, because the polytope lies within the difference.

mod carry_over;
mod polygon;
mod polyhedron;
mod queue;

use crate::vector::VectorSpace;
use crate::vertex::Vertex;

pub(crate) use polygon::Polygon;
pub(crate) use polyhedron::Polyhedron;

/// One facet of a polytope, as EPA sees it.
#[derive(Clone, Copy, Debug)]
pub struct Facet<V> {
    /// Outward, unit length.
    pub normal: V,
    /// How far the farthest corner lies along the normal; to rounding, so do all.
    pub distance: f64,
    /// No point of the facet is nearer to the origin than this.
    pub bound: f64,
}

/// A convex polytope that grows vertex by vertex. Buffers are kept from use to use.
pub trait Polytope<V: VectorSpace>: Clone + std::fmt::Debug + Default {
    /// Starts from a full simplex. `rounding_error` is the length that rounding leaves undecided in a vertex. False if the simplex is
    /// flat.
    fn start(&mut self, simplex: &[Vertex<V>; 4], rounding_error: f64) -> bool;

    /// Goes on from the facets of the last query, with the same vertices where they are now; `place` gives the vertex of those
    /// ids. False, and of no more use, if a vertex has no ids, if the surface is no longer convex, or if it has become so
    /// large that a fresh start costs less. Nothing is queued yet.
    fn refresh(&mut self, place: impl FnMut([u32; 2]) -> Option<Vertex<V>>, rounding_error: f64) -> bool;

    /// After a refresh: the facet with the least bound.
    fn least(&self) -> u32;

    /// After a refresh: queues the facets but one whose bounds do not exceed `worth`.
    fn queue_all_but(&mut self, facet: u32, worth: f64);

    /// Takes the facet with the least bound out of the queue, with the bound it was queued by. None if every facet left is
    /// farther than was worth keeping.
    fn next(&mut self) -> Option<(f64, u32)>;

    /// Takes out of the normal of a facet that was taken what rounding has put along its longest edge, and queues it again. False,
    /// and nothing is changed, if that is no more than rounding.
    ///
    /// The cross product of two edges is off by rounding times the longest over the width: along a needle that lifts one end over
    /// the other by more than rounding. Across it the width makes up for the error.
    fn straighten(&mut self, facet: u32) -> bool;

    /// How many facets there are or were, those included that have been replaced.
    fn count(&self) -> u32;

    /// The facet of that number.
    fn facet(&self, facet: u32) -> Facet<V>;

    /// A vertex of the facet.
    fn corner(&self, facet: u32, index: usize) -> &Vertex<V>;

    /// The facet that the line through the origin along a direction leaves the polytope by, and barycentric weights of where
    /// it does; not negative, with sum one. `start` is a facet to search from.
    fn locate(&self, start: u32, direction: V) -> (u32, [f64; 3]);

    /// Adds a vertex beyond the facet and replaces every facet it sees. Facets whose bound exceeds `worth` are not queued.
    /// False if rounding broke the surface; then the polytope is of no more use.
    fn expand(&mut self, facet: u32, vertex: Vertex<V>, worth: f64) -> bool;
}
