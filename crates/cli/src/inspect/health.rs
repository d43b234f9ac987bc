//! A mesh's health as JSON and text.

use crate::{json, words};
use palpate::geometry::health::{Component, Findings, Orientation, SurfaceHealth, TetraHealth};
use palpate::geometry::{Geometry, Sidedness, TypedGeometry};
use serde::Serialize;

/// The health of a surface mesh or a tetra mesh as JSON, as `palpate inspect --json` prints it; `None` for another geometry.
pub fn report(geometry: &dyn Geometry) -> Option<String> {
    match TypedGeometry::of(geometry) {
        TypedGeometry::SurfaceMesh(mesh) => Some(json::line(&Surface::from(&mesh.health()))),
        TypedGeometry::TetraMesh(mesh) => Some(json::line(&Tetra::from(&mesh.health()))),
        _ => None,
    }
}

/// Faults of one class.
#[derive(Serialize)]
pub(super) struct Sort<T> {
    count: usize,
    first: Vec<T>,
    /// Whether the search was stopped: there may be more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
}

impl<T: Clone> From<&Findings<T>> for Sort<T> {
    fn from(findings: &Findings<T>) -> Self {
        Self { count: findings.count, first: findings.first.clone(), at_least: findings.at_least }
    }
}

#[derive(Serialize)]
struct Part {
    first_triangle: u32,
    triangles: usize,
    closed: bool,
    orientation: &'static str,
    area: f64,
    /// Null unless it is closed.
    volume: Option<f64>,
}

impl From<&Component> for Part {
    fn from(component: &Component) -> Self {
        Self {
            first_triangle: component.first_triangle,
            triangles: component.triangles,
            closed: component.closed,
            orientation: match component.orientation {
                Orientation::Outward => "outward",
                Orientation::Inward => "inward",
                Orientation::Undefined => "undefined",
            },
            area: component.area,
            volume: component.closed.then_some(component.volume),
        }
    }
}

/// The report of a surface.
#[derive(Serialize)]
pub(super) struct Surface {
    vertices: usize,
    triangles: usize,
    edges: usize,
    closed: bool,
    oriented: bool,
    manifold: bool,
    inward: bool,
    /// The method that tells inside from outside.
    sides_by: &'static str,
    area: f64,
    /// Null unless the surface is closed and oriented.
    volume: Option<f64>,
    inward_components: usize,
    /// Components that wind against the whole as the walls of cavities do; null where that is not decided.
    cavities: Option<usize>,
    components: Sort<Part>,
    inconsistent_components: Sort<u32>,
    boundary_edges: Sort<[u32; 2]>,
    boundary_loops: Sort<u32>,
    non_manifold_edges: Sort<[u32; 2]>,
    non_manifold_vertices: Sort<u32>,
    misoriented_edges: Sort<[u32; 2]>,
    self_intersections: Sort<[u32; 2]>,
    degenerate_triangles: Sort<u32>,
    duplicate_triangles: Sort<[u32; 2]>,
    duplicate_vertices: Sort<[u32; 2]>,
    unused_vertices: Sort<u32>,
}

impl From<&SurfaceHealth> for Surface {
    fn from(health: &SurfaceHealth) -> Self {
        let components = &health.components;
        Self {
            vertices: health.vertices,
            triangles: health.triangles,
            edges: health.edges,
            closed: health.is_closed(),
            oriented: health.is_oriented(),
            manifold: health.is_manifold(),
            inward: health.is_inward(),
            sides_by: match health.sidedness() {
                Sidedness::Pseudonormals => "pseudonormals",
                Sidedness::WindingNumber => "winding_number",
            },
            area: health.area,
            volume: (health.is_closed() && health.is_oriented()).then_some(health.volume),
            inward_components: health.inward_components,
            cavities: cavities(health),
            components: Sort {
                count: components.count,
                first: components.first.iter().map(Part::from).collect(),
                at_least: components.at_least,
            },
            inconsistent_components: (&health.inconsistent_components).into(),
            boundary_edges: (&health.boundary_edges).into(),
            boundary_loops: (&health.boundary_loops).into(),
            non_manifold_edges: (&health.non_manifold_edges).into(),
            non_manifold_vertices: (&health.non_manifold_vertices).into(),
            misoriented_edges: (&health.misoriented_edges).into(),
            self_intersections: (&health.self_intersections).into(),
            degenerate_triangles: (&health.degenerate_triangles).into(),
            duplicate_triangles: (&health.duplicate_triangles).into(),
            duplicate_vertices: (&health.duplicate_vertices).into(),
            unused_vertices: (&health.unused_vertices).into(),
        }
    }
}

impl Surface {
    /// The report as lines of text.
    pub(super) fn words(&self, unit: &str) -> String {
        let or = |is: bool, yes: &str, no: &str| (if is { yes } else { no }).to_owned();
        let mut shape = vec![or(self.closed, "closed", "not closed")];
        shape.push(or(self.oriented, "oriented", "not oriented"));
        shape.push(or(self.manifold, "manifold", "not manifold"));
        if self.inward {
            shape.push("wound inward".to_owned());
        }
        let mut text = format!("surface: {}\n", shape.join(", "));
        text.push_str(&format!(
            "area {}, volume {} (in {unit})\n",
            words::significant(self.area, 6),
            volume(self.volume)
        ));
        let sides = match self.sides_by {
            "pseudonormals" => "its normals",
            _ => "its winding number: as a solid it is not sound",
        };
        text.push_str(&format!("inside and outside are told by {sides}\n"));
        text.push_str(&format!("components: {}{}\n", words::count(self.components.count), self.windings()));
        let findings = [
            line("components that contradict the others", &self.inconsistent_components),
            line("boundary edges", &self.boundary_edges),
            line("holes and rims", &self.boundary_loops),
            line("edges of more than two triangles", &self.non_manifold_edges),
            line("vertices between two fans", &self.non_manifold_vertices),
            line("edges whose triangles wind against each other", &self.misoriented_edges),
            line("pairs of triangles that intersect", &self.self_intersections),
            line("degenerate triangles", &self.degenerate_triangles),
            line("duplicate triangles", &self.duplicate_triangles),
            line("duplicate vertices", &self.duplicate_vertices),
            line("vertices that no triangle has", &self.unused_vertices),
        ];
        text.extend(findings);
        text
    }

    /// What the components that wind against the whole are: cavities, or faults.
    fn windings(&self) -> String {
        match (self.cavities, self.inward_components) {
            (Some(0), _) | (None, 0) => String::new(),
            (Some(1), _) => ", one of them a cavity".to_owned(),
            (Some(count), _) => format!(", {} of them cavities", words::count(count)),
            (None, count) => format!(", {} wound inward", words::count(count)),
        }
    }
}

/// The number of cavities of a sound surface. Where the whole winds inward, they are the components that wind outward.
fn cavities(health: &SurfaceHealth) -> Option<usize> {
    let is_sound = health.is_closed()
        && health.is_oriented()
        && health.self_intersections.is_empty()
        && health.inconsistent_components.is_empty();
    let inward = health.inward_components;
    is_sound.then(|| if health.is_inward() { health.components.count.saturating_sub(inward) } else { inward })
}

/// A volume, `-` if it is not known.
fn volume(volume: Option<f64>) -> String {
    volume.map_or_else(|| "-".to_owned(), |volume| words::significant(volume, 6))
}

/// The report of a tetrahedral mesh.
#[derive(Serialize)]
pub(super) struct Tetra {
    vertices: usize,
    tetrahedra: usize,
    volume: f64,
    /// Whether most tetrahedra are listed with negative volume.
    listed_negative: bool,
    flat_tetrahedra: Sort<u32>,
    inverted_tetrahedra: Sort<u32>,
    duplicate_tetrahedra: Sort<[u32; 2]>,
    non_manifold_faces: Sort<[u32; 3]>,
    duplicate_vertices: Sort<[u32; 2]>,
    unused_vertices: Sort<u32>,
    boundary: Surface,
}

impl From<&TetraHealth> for Tetra {
    fn from(health: &TetraHealth) -> Self {
        Self {
            vertices: health.vertices,
            tetrahedra: health.tetrahedra,
            volume: health.volume,
            listed_negative: health.listed_negative,
            flat_tetrahedra: (&health.flat_tetrahedra).into(),
            inverted_tetrahedra: (&health.inverted_tetrahedra).into(),
            duplicate_tetrahedra: (&health.duplicate_tetrahedra).into(),
            non_manifold_faces: (&health.non_manifold_faces).into(),
            duplicate_vertices: (&health.duplicate_vertices).into(),
            unused_vertices: (&health.unused_vertices).into(),
            boundary: Surface {
                // The boundary is wound outward: what winds inward in it surrounds a cavity, also where parts of it touch.
                cavities: health.inverted_tetrahedra.is_empty().then_some(health.boundary.inward_components),
                ..(&health.boundary).into()
            },
        }
    }
}

impl Tetra {
    /// The report as lines of text, followed by that of the boundary.
    pub(super) fn words(&self, unit: &str) -> String {
        let mut text = format!("tetrahedra: volume {} (in {unit})", words::significant(self.volume, 6));
        text.push_str(if self.listed_negative { ", listed with negative volume\n" } else { "\n" });
        let findings = [
            line("flat tetrahedra", &self.flat_tetrahedra),
            line("inverted tetrahedra", &self.inverted_tetrahedra),
            line("duplicate tetrahedra", &self.duplicate_tetrahedra),
            line("faces of more than two tetrahedra", &self.non_manifold_faces),
            line("duplicate vertices", &self.duplicate_vertices),
            line("vertices that no tetrahedron has", &self.unused_vertices),
        ];
        text.extend(findings);
        text.push_str("\nits boundary, ");
        text.push_str(&self.boundary.words(unit));
        text
    }
}

/// A fault's name: a number, or numbers separated by colons.
trait Named {
    fn name(&self) -> String;
}

impl Named for u32 {
    fn name(&self) -> String {
        self.to_string()
    }
}

impl<const N: usize> Named for [u32; N] {
    fn name(&self) -> String {
        self.map(|id| id.to_string()).join(":")
    }
}

/// Empty if there are none.
fn line<T: Named>(what: &str, sort: &Sort<T>) -> String {
    if sort.at_least {
        let first: Vec<String> = sort.first.iter().map(Named::name).chain(["...".to_owned()]).collect();
        let count = words::count(sort.count);
        return format!("{what}: at least {count}, too many to search all ({})\n", first.join(", "));
    }
    if sort.count == 0 {
        return String::new();
    }
    let first: Vec<String> = sort.first.iter().map(Named::name).collect();
    let more = if sort.count > first.len() { ", ..." } else { "" };
    format!("{what}: {} ({}{more})\n", words::count(sort.count), first.join(", "))
}
