//! What is mended, and what was.

/// What [`SurfaceMesh::mended`](crate::SurfaceMesh::mended) may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MendOptions {
    /// Vertices no farther apart than this become one, in metres; 0 for those in the same place.
    pub weld: f64,
    /// Holes of up to this many edges are filled; the rim of a sheet is a hole too. At most [`MendOptions::MOST_EDGES`].
    pub fill_edges: usize,
}

impl MendOptions {
    /// The largest hole that can be filled: the time is the cube of its edges.
    pub const MOST_EDGES: usize = 400;
}

impl Default for MendOptions {
    /// Vertices in the same place, and holes of up to 20 edges.
    fn default() -> Self {
        Self { weld: 0.0, fill_edges: 20 }
    }
}

/// What was changed, in the order in which it was done. All zero for a surface in which there was nothing to mend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MendReport {
    /// Vertices that became another one nearby.
    pub welded_vertices: usize,
    /// Triangles dropped because they have a vertex twice.
    pub dropped_degenerate: usize,
    /// Triangles dropped because another one has the same three vertices.
    pub dropped_duplicates: usize,
    /// Flat triangles whose longest edge was exchanged for the other diagonal with its neighbour.
    pub exchanged_edges: usize,
    /// Triangles turned over to agree with their neighbours.
    pub turned_triangles: usize,
    /// Vertices added where several fans of triangles met.
    pub split_vertices: usize,
    /// Holes filled.
    pub filled_holes: usize,
    /// Triangles added to fill them.
    pub added_triangles: usize,
    /// Holes left open: too many edges, or no triangulation without an edge of three triangles.
    pub open_holes: usize,
    /// Closed components turned inside out because they wound inward and lie in no other.
    pub turned_components: usize,
    /// Vertices dropped because no triangle has them.
    pub dropped_vertices: usize,
}

impl MendReport {
    /// Every count with the words for it, in order.
    pub fn counts(&self) -> [(&'static str, usize); 11] {
        [
            ("vertices welded to others", self.welded_vertices),
            ("triangles with a vertex twice dropped", self.dropped_degenerate),
            ("duplicate triangles dropped", self.dropped_duplicates),
            ("edges of flat triangles exchanged", self.exchanged_edges),
            ("triangles turned over", self.turned_triangles),
            ("vertices added between fans", self.split_vertices),
            ("holes filled", self.filled_holes),
            ("triangles added in holes", self.added_triangles),
            ("holes left open", self.open_holes),
            ("components turned inside out", self.turned_components),
            ("vertices without triangles dropped", self.dropped_vertices),
        ]
    }
}
