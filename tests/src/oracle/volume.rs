//! Tetrahedral meshes: inside by heights above faces, the boundary by counting faces.

use super::distance::nearest_triangle;
use super::expected::{Element, Expected};
use super::farthest::farthest;
use super::surface::{Surface, deepest_inside, surface_and_ball, surface_and_capsule};
use crate::{Case, Shape};
use palpate_math::{Point, Vector};
use std::collections::HashMap;

pub(super) struct Volume {
    cells: Vec<([u32; 4], [Point; 4])>,
    pub(super) boundary: Surface,
}

impl Volume {
    pub(super) fn of(shape: &Shape) -> Self {
        let Shape::TetraMesh { vertices, cells } = shape else {
            unreachable!("{} is no volume", shape.kind())
        };
        let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
        for cell in cells {
            for face in faces_of(cell) {
                *faces.entry(face).or_default() += 1;
            }
        }
        let single = |cell: &[u32; 4]| {
            let counted = |face: &[u32; 3]| faces[&sorted(*face)] == 1;
            outward_faces(cell, vertices).into_iter().filter(counted).collect::<Vec<_>>()
        };
        let single: Vec<[u32; 3]> = cells.iter().flat_map(single).collect();
        let cells = cells.iter().map(|&ids| (ids, ids.map(|id| vertices[id as usize]))).collect();
        Self { cells, boundary: Surface::from_cells(vertices, &single, 0.0) }
    }

    /// Whether some tetrahedron contains a point, to rounding: there is no gap between two of them.
    pub(super) fn holds(&self, point: &Point) -> bool {
        const ROUNDING: f64 = 1e-12;
        let above = |corners: &[Point; 4], left_out: usize| {
            let others = [1, 2, 3].map(|turn| &corners[(left_out + turn) % 4]);
            let normal: Vector = (others[1] - others[0]).cross(&(others[2] - others[0]));
            let own = (corners[left_out] - others[0]).dot(&normal);
            own != 0.0 && (point - others[0]).dot(&normal) / own >= -ROUNDING
        };
        self.cells.iter().any(|(_, corners)| (0..4).all(|left_out| above(corners, left_out)))
    }

    /// The lowest-numbered tetrahedron that contains a point.
    pub(super) fn cell_of(&self, point: &Point) -> Option<[u32; 4]> {
        let holds =
            |(_, corners): &&([u32; 4], [Point; 4])| part_inside(&[*point, *point], corners).is_some();
        self.cells.iter().find(holds).map(|(ids, _)| *ids)
    }
}

/// The boundary as a surface.
pub(super) fn boundary_surface(shape: &Shape) -> Surface {
    Volume::of(shape).boundary
}

/// The triangles of the boundary.
pub(super) fn boundary(shape: &Shape) -> Vec<[u32; 3]> {
    Volume::of(shape).boundary.triangles.iter().map(|(ids, _)| *ids).collect()
}

fn sorted(mut face: [u32; 3]) -> [u32; 3] {
    face.sort_unstable();
    face
}

/// The faces of a cell, opposite its corners in order, with outward normals: in the order of the boundary's
/// triangles, with their corners.
fn outward_faces(cell: &[u32; 4], vertices: &[Point]) -> [[u32; 3]; 4] {
    let [p, q, r, s] = cell.map(|id| vertices[id as usize]);
    let inverted = (q - p).cross(&(r - p)).dot(&(s - p)) < 0.0;
    let [i, j, k, l] = *cell;
    let faces = [[j, k, l], [i, l, k], [i, j, l], [i, k, j]];
    faces.map(|[a, b, c]| if inverted { [a, c, b] } else { [a, b, c] })
}

/// The faces of a cell as sorted triples.
fn faces_of(cell: &[u32; 4]) -> Vec<[u32; 3]> {
    (0..4)
        .map(|left_out| {
            let mut face: Vec<u32> =
                (0..4).filter(|&corner| corner != left_out).map(|corner| cell[corner]).collect();
            face.sort_unstable();
            [face[0], face[1], face[2]]
        })
        .collect()
}

/// The part of a segment inside a tetrahedron, as parameters.
fn part_inside(segment: &[Point; 2], corners: &[Point; 4]) -> Option<(f64, f64)> {
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for left_out in 0..4 {
        let others = [1, 2, 3].map(|turn| &corners[(left_out + turn) % 4]);
        let normal: Vector = (others[1] - others[0]).cross(&(others[2] - others[0]));
        let own = (corners[left_out] - others[0]).dot(&normal);
        // A flat one contains nothing.
        if own == 0.0 {
            return None;
        }
        // Heights above the face, positive inside.
        let [start, end] = segment.map(|point| (point - others[0]).dot(&normal) * own.signum());
        if start < 0.0 && end < 0.0 {
            return None;
        }
        let crossing = start / (start - end);
        if start < 0.0 {
            from = from.max(crossing);
        } else if end < 0.0 {
            to = to.min(crossing);
        }
    }
    (from < to).then_some((from, to))
}

/// Each vertex: in the lowest-numbered tetrahedron that contains it, or beside the boundary.
pub(super) fn points_against_volume(case: &Case) -> Vec<Expected> {
    let volume = Volume::of(&case.b);
    let radius = case.a.thickness();
    let contact = |(vertex, point): (usize, &Point)| {
        let holds =
            |(_, corners): &&([u32; 4], [Point; 4])| part_inside(&[*point, *point], corners).is_some();
        let cell = volume.cells.iter().find(holds);
        let (nearest, element) = volume.boundary.nearest(point);
        let offset = (point - nearest.place) / nearest.distance;
        let (b, depth, outward) = match cell {
            Some((ids, _)) => (Element::of(*ids), radius + nearest.distance, -offset),
            None => (element, radius - nearest.distance, offset),
        };
        let (a, point_a) = (Element::of([vertex as u32]), Some(point - outward * radius));
        Expected { a, b, depth, direction: Some(outward), point_a, ..Expected::default() }
    };
    case.a.vertices().iter().enumerate().map(contact).collect()
}

/// Each segment: in every tetrahedron that it intersects, or beside the boundary.
pub(super) fn lines_against_volume(case: &Case) -> Vec<Expected> {
    let volume = Volume::of(&case.b);
    let Shape::LineMesh { vertices, cells, radius } = &case.a else { return Vec::new() };
    let mut contacts = Vec::new();
    for ids in cells {
        let segment = ids.map(|id| vertices[id as usize]);
        let before = contacts.len();
        for (tetra, corners) in &volume.cells {
            let Some((from, to)) = part_inside(&segment, corners) else { continue };
            let (_, deepest) = farthest(&volume.boundary.triangles, &segment, [from, to]);
            contacts.push(Expected {
                a: Element::of(*ids),
                b: Element::of(*tetra),
                depth: radius + deepest,
                direction: None,
                point_a: None,
                ..Expected::default()
            });
        }
        if contacts.len() == before && radius + case.margin > 0.0 {
            // A vertex shared by several segments is reported once.
            let is_new =
                |one: &Expected| !contacts.iter().any(|other| (&other.a, &other.b) == (&one.a, &one.b));
            contacts.extend(beside(&volume.boundary, *ids, &segment, *radius).filter(is_new));
        }
    }
    contacts
}

/// The boundary triangle closest to a segment outside.
fn beside(boundary: &Surface, ids: [u32; 2], segment: &[Point; 2], radius: f64) -> Option<Expected> {
    let (index, nearest) = nearest_triangle(segment, boundary.triangles.iter().map(|(_, points)| points))?;
    let corners = boundary.triangles[index].0;
    let a = Element::of(super::distance::part_of_segment(nearest.t).0.into_iter().map(|end| ids[end]));
    let b = Element::of(nearest.part.0.iter().map(|&corner| corners[corner]));
    Some(Expected::of_cores([a, b], [nearest.on_segment, nearest.on_triangle], [radius, 0.0]))
}

/// The contacts of the boundary, except that points inside are reported with a tetrahedron.
pub(super) fn volume_against_round(case: &Case) -> Vec<Expected> {
    let volume = Volume::of(&case.a);
    let core = super::solid::core(&case.b);
    let parts = volume.cells.iter().filter_map(|(_, corners)| part_inside(&core, corners));
    let inside = |(from, to)| farthest(&volume.boundary.triangles, &core, [from, to]).1;
    let deepest = parts.map(inside).reduce(f64::max);
    let mut contacts = match &case.b {
        Shape::Sphere { .. } => surface_and_ball(case, &volume.boundary),
        _ => {
            let held = deepest_inside(&volume.boundary, &core);
            surface_and_capsule(case, &volume.boundary, held)
        }
    };
    // The exit of a body inside comes first; by the tetrahedra, not by the boundary's winding.
    let verge = crate::laws::TRUTH * case.size();
    let radius = case.b.rounding_radius();
    if !volume.boundary.closed {
        // Even if flat cells leave holes in the boundary, it is not a sheet with exits through single triangles.
        contacts.retain(|contact| contact.depth <= radius + deepest.unwrap_or(0.0) + verge);
    }
    if let Some(depth) = deepest.filter(|&depth| depth > verge) {
        if volume.boundary.closed {
            contacts.remove(0);
        }
        let (a, b, depth) = (Element::Any, Element::Point, radius + depth);
        contacts.insert(0, Expected { a, b, depth, ..Expected::default() });
    }
    contacts
}

/// The contacts of the boundary with a convex body.
pub(super) fn volume_against_convex(case: &Case) -> Vec<Expected> {
    let volume = Volume::of(&case.a);
    super::surface_convex::against_body(case, &volume.boundary, |point| volume.cell_of(point).is_some())
}
