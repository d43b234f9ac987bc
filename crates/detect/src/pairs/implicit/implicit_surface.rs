//! An implicit body against the elements of a surface; shared by the detectors of implicit bodies against surfaces
//! and volumes.

use crate::Flags;
use crate::contact_ids::id_of_second;
use crate::mesh::ReportedFeatures;
use crate::pairs::implicit::implicit_contact::{OF_ITS_OWN, Reach, flags_of_search};
use crate::pairs::implicit::implicit_inside::Inside;
use palpate_contact::{CollisionData, Feature, IdPart};
use palpate_geometry::implicit::ImplicitFunction;
use palpate_geometry::implicit::internal::{MeshSolid, Minimum, Search};
use palpate_geometry::{SurfaceFeature, SurfaceMesh, SurfaceNearest};
use palpate_math::{Aabb, Point, Vector};

/// Reusable memory of the search over a surface.
#[derive(Default)]
pub(crate) struct SurfaceSearch {
    search: Search,
    seen: ReportedFeatures,
    triangles: Vec<u32>,
    vertices: Vec<u32>,
    edges: Vec<u32>,
    /// The values at `vertices` and the minima over `edges`, at their slots in `seen`; others are of no meaning.
    vertex_values: Vec<f64>,
    edge_values: Vec<f64>,
}

/// An element and the minimum over it.
struct Element {
    nearest: SurfaceNearest,
    found: Minimum,
    size: f64,
    id: u64,
}

impl SurfaceSearch {
    pub(crate) fn new(search: Search) -> Self {
        Self { search, ..Self::default() }
    }

    /// Adds a contact for every vertex within contact distance, for every edge whose deepest point is interior and
    /// deeper than its ends, and for every face whose deepest point is deeper than its edges; in a solid, also for
    /// every piece of the body whose deepest point is deeper than the elements are in the piece. `other` makes the
    /// second side.
    pub(crate) fn run(
        &mut self,
        reach: &Reach<'_>,
        surface: &SurfaceMesh,
        solid: Option<&MeshSolid<'_>>,
        other: &dyn Fn(&SurfaceNearest, Point) -> Feature,
        out: &mut CollisionData,
    ) -> Flags {
        self.search.relative_to(reach.body.radius());
        let before = out.len();
        let bounds = reach.body.sublevel_bounds(0.0).grown(reach.cutoff());
        self.collect(reach, surface, &bounds);
        let mut flags = self.vertices(reach, surface, &bounds, other, out);
        let mut take = |element: &Element| {
            if bounds.contains_point(&element.found.point) {
                flags |= reach.flags(element.found.sample.value) | flags_of_search(&element.found);
                let side = |point| other(&element.nearest, point);
                out.push(reach.at_minimum(&element.found, element.size, element.id, side));
            }
        };
        self.edges(reach, surface, &mut take);
        self.faces(reach, surface, &mut take);
        if let Some(solid) = solid {
            flags |= Inside { reach, solid, other }.run(&mut self.search, before, out);
        }
        flags
    }

    /// Collects the nearby triangles, and their edges and vertices, each once and in order.
    fn collect(&mut self, reach: &Reach<'_>, surface: &SurfaceMesh, bounds: &Aabb) {
        self.triangles.clear();
        self.edges.clear();
        self.vertices.clear();
        let Some(tree) = surface.tree() else { return };
        let rate = reach.body.lipschitz().unwrap_or(f64::INFINITY);
        let may_touch = |cells: &Aabb| {
            let least =
                || reach.body.as_function().value(&cells.center()) - rate * 0.5 * cells.diagonal_length();
            // The rounding error is far less than a millionth.
            cells.overlaps(bounds) && least() <= reach.cutoff() + 1e-6 * rate * cells.diagonal_length()
        };
        tree.search(may_touch, |triangle| self.triangles.push(triangle));
        self.triangles.sort_unstable();
        let adjacency = surface.adjacency();
        self.seen.clear();
        for &triangle in &self.triangles {
            for edge in adjacency.triangle_edges[triangle as usize] {
                if self.seen.first_edge(edge) {
                    self.edges.push(edge);
                }
            }
            for vertex in surface.triangles()[triangle as usize] {
                if self.seen.first_vertex(vertex) {
                    self.vertices.push(vertex);
                }
            }
        }
        self.edges.sort_unstable();
        self.vertices.sort_unstable();
    }

    fn vertices(
        &mut self,
        reach: &Reach<'_>,
        surface: &SurfaceMesh,
        bounds: &Aabb,
        other: &dyn Fn(&SurfaceNearest, Point) -> Feature,
        out: &mut CollisionData,
    ) -> Flags {
        let mut flags = Flags::empty();
        let [slots, _] = self.seen.slots();
        self.vertex_values.resize(slots.size(), f64::INFINITY);
        for &vertex in &self.vertices {
            let point = surface.points().positions()[vertex as usize];
            let sample = reach.body.sample(&point);
            self.vertex_values[slots.slot_of(vertex)] = sample.value;
            let feature = SurfaceFeature::Vertex(vertex);
            let nearest = SurfaceNearest { feature, weights: [1.0, 0.0, 0.0], point };
            let side = |point| other(&nearest, point);
            let contact = reach.at_place(&point, &sample, id_of_second(IdPart::Vertex(vertex)), side);
            if let Some(contact) = contact.filter(|_| bounds.contains_point(&point)) {
                flags |= reach.flags(sample.value);
                out.push(contact);
            }
        }
        flags
    }

    fn edges(&mut self, reach: &Reach<'_>, surface: &SurfaceMesh, take: &mut dyn FnMut(&Element)) {
        let [vertices, edges] = self.seen.slots();
        self.edge_values.resize(edges.size(), f64::INFINITY);
        let rate = steepest(reach);
        for &edge in &self.edges {
            let ids = surface.adjacency().edges[edge as usize];
            let ends = surface.edge_ends(edge);
            let values = ids.map(|id| self.vertex_values[vertices.slot_of(id)]);
            let least = values[0].min(values[1]);
            let value = &mut self.edge_values[edges.slot_of(edge)];
            *value = least;
            let size = (ends[1] - ends[0]).norm();
            let own = least - OF_ITS_OWN * size;
            // Where the values fall from both ends as steeply as they can.
            let lowest = 0.5 * (values[0] + values[1] - rate * size);
            if lowest > own.min(reach.cutoff()) {
                continue;
            }
            let found = self.search.below(reach.body, &ends, own.min(reach.cutoff()));
            let Some(found) = found.filter(|found| found.sample.value <= own) else { continue };
            *value = found.sample.value;
            let [w0, w1, ..] = found.weights;
            let (feature, weights) = (SurfaceFeature::Edge(edge), [w0, w1, 0.0]);
            let nearest = SurfaceNearest { feature, weights, point: found.point };
            take(&Element { nearest, found, size, id: id_of_second(IdPart::Edge(edge)) });
        }
    }

    fn faces(&mut self, reach: &Reach<'_>, surface: &SurfaceMesh, take: &mut dyn FnMut(&Element)) {
        let rate = steepest(reach);
        let [vertex_slots, edge_slots] = self.seen.slots();
        for &triangle in &self.triangles {
            let edges = surface.adjacency().triangle_edges[triangle as usize];
            let values = edges.map(|id| self.edge_values[edge_slots.slot_of(id)]);
            let least = values[0].min(values[1]).min(values[2]);
            let corners = surface.corners(triangle);
            let [a, b, c] = corners;
            let size = [b - a, c - b, a - c].map(|side: Vector| side.norm()).into_iter().fold(0.0, f64::max);
            let own = least - OF_ITS_OWN * size;
            let at_vertices =
                surface.triangles()[triangle as usize].map(|id| self.vertex_values[vertex_slots.slot_of(id)]);
            let lowest = at_vertices.into_iter().fold(f64::INFINITY, f64::min) - rate * size * FARTHEST;
            if lowest > own.min(reach.cutoff()) {
                continue;
            }
            let cutoff = own.min(reach.cutoff());
            let Some(found) = self.search.below_inside(reach.body, &corners, cutoff) else {
                continue;
            };
            if found.sample.value > own {
                continue;
            }
            let [w0, w1, w2, _] = found.weights;
            let (feature, weights) = (SurfaceFeature::Face(triangle), [w0, w1, w2]);
            let nearest = SurfaceNearest { feature, weights, point: found.point };
            take(&Element { nearest, found, size, id: id_of_second(IdPart::Triangle(triangle)) });
        }
    }
}

/// The greatest distance of a point of a triangle from the closest corner, relative to the longest side: one by the root of
/// three, in an equilateral one.
const FARTHEST: f64 = 0.577_350_27;

/// Returns the Lipschitz constant of a body, and far more than its rounding error.
fn steepest(reach: &Reach<'_>) -> f64 {
    reach.body.lipschitz().unwrap_or(f64::INFINITY) * (1.0 + 1e-9)
}
