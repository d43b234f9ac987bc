//! Ids of contacts: the parts that detectors put into [`ContactId`].

use palpate_contact::{ContactId, IdPart};
use palpate_geometry::SurfaceFeature;

/// Returns the id part of a surface element.
pub(crate) fn surface_part(feature: SurfaceFeature) -> IdPart {
    match feature {
        SurfaceFeature::Vertex(vertex) => IdPart::Vertex(vertex),
        SurfaceFeature::Edge(edge) => IdPart::Edge(edge),
        SurfaceFeature::Face(triangle) => IdPart::Triangle(triangle),
    }
}

/// Returns the id part of a line mesh element: the vertex, or the segment.
pub(crate) fn line_part(vertex: Option<u32>, cell: u32) -> IdPart {
    vertex.map_or(IdPart::Edge(cell), IdPart::Vertex)
}

/// Returns the id of two parts.
pub(crate) fn id_of(a: IdPart, b: IdPart) -> u64 {
    ContactId::new(a, b).number()
}

/// Returns the id of the first side's part and the whole second side.
pub(crate) fn id_of_first(part: IdPart) -> u64 {
    id_of(part, IdPart::Whole)
}

/// Returns the id of the whole first side and the second side's part.
pub(crate) fn id_of_second(part: IdPart) -> u64 {
    id_of(IdPart::Whole, part)
}

/// Returns the id of a contact with exchanged sides.
pub(crate) fn exchanged(id: u64) -> u64 {
    id.rotate_left(32)
}

/// Returns the id of a manifold point of two convex bodies: a corner of A's face, a corner of B's, a crossing of two
/// sides, or the query's own point.
pub(crate) fn id_of_manifold_point(id: u64) -> u64 {
    const NUMBER: u64 = 0x7fff_ffff;
    let [a, b] = [id >> 31 & NUMBER, id & NUMBER].map(|number| number as u32);
    match id >> 62 {
        0 if id == 0 => id_of(IdPart::Whole, IdPart::Whole),
        0 => id_of(IdPart::Whole, IdPart::Side(b)),
        1 => id_of_first(IdPart::Corner(a)),
        2 => id_of_second(IdPart::Corner(b)),
        _ => id_of(IdPart::Side(a), IdPart::Side(b)),
    }
}
