//! The field's collision element types, as views on the contact record.
//!
//! The names and meanings are those of iMSTK's collision documentation ("Collision Data"), without its tag: the
//! requested view determines the element type.

use crate::{Contact, FeatureKind, Side};
use palpate_math::{Point, Vector};

/// A view of one side of a contact. Implemented by the five element types.
pub trait ElementView: Sized {
    /// Returns the element of `side`, or `None` if that side is not such an element. `coordinates` are the positions of
    /// that side's vertices; only [`CellVertexElement`] and [`TransientCellIndexElement`] (the previous ones) read them.
    fn view(contact: &Contact, side: Side, coordinates: &[Point]) -> Option<Self>;
}

/// A surface point of this side, the unit direction to move this side, and the depth. Available for every side of every
/// contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDirectionElement {
    /// This side's own surface point: world frame, metres.
    pub point: Point,
    /// Unit direction in which to move this side.
    pub direction: Vector,
    /// Metres.
    pub depth: f64,
}

/// As [`PointDirectionElement`], with a vertex id instead of the point. Only available for vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointIndexDirectionElement {
    /// The vertex id.
    pub index: u32,
    /// Unit direction in which to move this side.
    pub direction: Vector,
    /// Metres.
    pub depth: f64,
}

/// A cell by the ids of its vertices. Available for vertices, edges, triangles and tetrahedra, not for points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellIndexElement {
    /// The kind of cell.
    pub kind: FeatureKind,
    /// Vertex ids; [`NONE`](crate::NONE) beyond `count`.
    pub vertices: [u32; 4],
    /// The number of valid vertices: 1 to 4.
    pub count: u32,
    /// The highest-dimensional cell that owns it (iMSTK's `parentId`), or [`NONE`](crate::NONE).
    pub parent: u32,
}

/// A cell by the positions of its vertices, for callers without ids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellVertexElement {
    /// Positions: world frame, metres; the origin beyond `count`.
    pub vertices: [Point; 4],
    /// The number of valid vertices: 1 to 4.
    pub count: u32,
}

/// A cell of a continuous contact: by the ids of its vertices now, and by their positions in the previous state. Available
/// for contacts with a time of impact, not for points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransientCellIndexElement {
    /// The cell in the current state.
    pub cell: CellIndexElement,
    /// Positions in the previous state: world frame, metres; the origin beyond `cell.count`.
    pub previous: [Point; 4],
    /// When within the step it was hit, 0 to 1.
    pub time_of_impact: f64,
}

impl ElementView for PointDirectionElement {
    fn view(contact: &Contact, side: Side, _: &[Point]) -> Option<Self> {
        let point = contact.feature(side).surface_point();
        Some(Self { point, direction: contact.direction_of(side), depth: contact.depth })
    }
}

impl ElementView for PointIndexDirectionElement {
    fn view(contact: &Contact, side: Side, _: &[Point]) -> Option<Self> {
        let feature = contact.feature(side);
        (feature.feature_kind() == FeatureKind::Vertex).then(|| Self {
            index: feature.vertices[0],
            direction: contact.direction_of(side),
            depth: contact.depth,
        })
    }
}

impl ElementView for CellIndexElement {
    fn view(contact: &Contact, side: Side, _: &[Point]) -> Option<Self> {
        let feature = contact.feature(side);
        let kind = feature.feature_kind();
        (kind != FeatureKind::Point).then_some(Self {
            kind,
            vertices: feature.vertices,
            count: feature.vertex_count,
            parent: feature.cell,
        })
    }
}

impl ElementView for CellVertexElement {
    /// Also `None` if a vertex id is beyond the end of `coordinates`.
    fn view(contact: &Contact, side: Side, coordinates: &[Point]) -> Option<Self> {
        let feature = contact.feature(side);
        if feature.feature_kind() == FeatureKind::Point {
            return None;
        }
        let mut vertices = [Point::origin(); 4];
        for (vertex, &id) in vertices.iter_mut().zip(feature.vertex_ids()) {
            *vertex = *coordinates.get(id as usize)?;
        }
        Some(Self { vertices, count: feature.vertex_count })
    }
}

impl ElementView for TransientCellIndexElement {
    /// `coordinates` are the *previous* positions of the side's vertices. Also `None` if a vertex id is beyond their end.
    fn view(contact: &Contact, side: Side, coordinates: &[Point]) -> Option<Self> {
        let time_of_impact = contact.time_of_impact;
        let cell = CellIndexElement::view(contact, side, &[]).filter(|_| !time_of_impact.is_nan())?;
        let CellVertexElement { vertices: previous, .. } =
            CellVertexElement::view(contact, side, coordinates)?;
        Some(Self { cell, previous, time_of_impact })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;

    fn contact() -> Contact {
        let a = Feature::edge([1, 0], [0.5, 0.5], 4, Point::new(0.5, 0.0, 0.0));
        let b = Feature::vertex(2, 7, Point::new(0.5, 0.25, 0.0));
        Contact::exact(a, b, Vector::y(), 0.25, 0)
    }

    // Proves: REQ-ONE-RECORD
    #[test]
    fn every_side_has_a_point_direction_element() {
        let b = PointDirectionElement::view(&contact(), Side::B, &[]).unwrap();
        assert_eq!((b.direction, b.depth), (-Vector::y(), 0.25));
        assert_eq!(b.point, Point::new(0.5, 0.25, 0.0));
    }

    #[test]
    fn only_a_contact_of_motion_has_a_transient_cell() {
        let before = [Point::new(0.0, 1.0, 0.0), Point::new(1.0, 1.0, 0.0)];
        assert!(TransientCellIndexElement::view(&contact(), Side::A, &before).is_none());
        let hit = Contact { time_of_impact: 0.25, ..contact() };
        let found = TransientCellIndexElement::view(&hit, Side::A, &before).unwrap();
        assert_eq!((found.cell.vertices[0], found.previous[0], found.time_of_impact), (1, before[1], 0.25));
        assert!(TransientCellIndexElement::view(&hit, Side::B, &before).is_none(), "vertex 2 is not there");
    }

    #[test]
    fn only_a_vertex_has_a_point_index() {
        assert!(PointIndexDirectionElement::view(&contact(), Side::A, &[]).is_none());
        assert_eq!(PointIndexDirectionElement::view(&contact(), Side::B, &[]).unwrap().index, 2);
    }

    #[test]
    fn a_cell_is_given_by_ids_or_by_positions() {
        let ids = CellIndexElement::view(&contact(), Side::A, &[]).unwrap();
        assert_eq!((ids.kind, ids.count, ids.parent), (FeatureKind::Edge, 2, 4));
        let coordinates = [Point::origin(), Point::new(1.0, 0.0, 0.0)];
        let cell = CellVertexElement::view(&contact(), Side::A, &coordinates).unwrap();
        assert_eq!(cell.vertices[0], coordinates[1]);
        assert!(
            CellVertexElement::view(&contact(), Side::B, &coordinates).is_none(),
            "vertex 2 is not there"
        );
    }
}
