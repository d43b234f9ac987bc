//! The types of elements, and the mesh that both encodings fill.

use super::groups::Groups;
use crate::cells::Collector;
use crate::shape::Shape;
use crate::{MeshIoError, Place};
use std::collections::HashMap;

/// An element's type, by its number in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    /// None for a point, which is a node already.
    pub(super) shape: Option<Shape>,
    pub(super) nodes: usize,
}

impl Kind {
    /// `None` for a type whose number of nodes is not known.
    pub(super) fn of(number: u64) -> Option<Self> {
        use Shape::{Hexahedron, Line, Pyramid, Quadrilateral, Tetrahedron, Triangle, Wedge};
        let (shape, nodes) = match number {
            15 => return Some(Self { shape: None, nodes: 1 }),
            1 => (Line, 2),
            2 => (Triangle, 3),
            3 => (Quadrilateral, 4),
            4 => (Tetrahedron, 4),
            5 => (Hexahedron, 8),
            6 => (Wedge, 6),
            7 => (Pyramid, 5),
            8 => (Line, 3),
            9 => (Triangle, 6),
            10 => (Quadrilateral, 9),
            11 => (Tetrahedron, 10),
            12 => (Hexahedron, 27),
            13 => (Wedge, 18),
            14 => (Pyramid, 14),
            16 => (Quadrilateral, 8),
            17 => (Hexahedron, 20),
            18 => (Wedge, 15),
            19 => (Pyramid, 13),
            // Of the third to the tenth degree.
            20 => (Triangle, 9),
            21 => (Triangle, 10),
            22 => (Triangle, 12),
            23 | 24 => (Triangle, 15),
            25 => (Triangle, 21),
            26..=28 => (Line, number as usize - 22),
            29 => (Tetrahedron, 20),
            30 => (Tetrahedron, 35),
            31 => (Tetrahedron, 56),
            36..=38 => (Quadrilateral, (number as usize - 32).pow(2)),
            42..=46 => (Triangle, (number as usize - 35) * (number as usize - 34) / 2),
            47..=51 => (Quadrilateral, (number as usize - 40).pow(2)),
            62..=66 => (Line, number as usize - 55),
            71..=75 => {
                let degree = number as usize - 65;
                (Tetrahedron, (degree + 1) * (degree + 2) * (degree + 3) / 6)
            }
            90 => (Wedge, 40),
            91 => (Wedge, 75),
            92..=98 => (Hexahedron, (number as usize - 88).pow(3)),
            106..=110 => {
                let degree = number as usize - 101;
                (Wedge, (degree + 1) * (degree + 1) * (degree + 2) / 2)
            }
            118 => (Pyramid, 30),
            119 => (Pyramid, 55),
            _ => return None,
        };
        Some(Self { shape: Some(shape), nodes })
    }
}

/// The mesh being read.
pub(super) struct Elements {
    pub(super) cells: Collector,
    pub(super) groups: Groups,
    /// The vertex of each node tag.
    vertices: HashMap<u64, u64>,
}

impl Elements {
    pub(super) fn new(cells: Collector) -> Self {
        Self { cells, groups: Groups::default(), vertices: HashMap::new() }
    }

    pub(super) fn node(&mut self, tag: u64, point: [f64; 3], place: Place) -> Result<(), MeshIoError> {
        if self.vertices.insert(tag, self.cells.point_count() as u64).is_some() {
            return Err(self.cells.syntax(
                place,
                "the tag of a node",
                &tag,
                "one that no node before it has",
            ));
        }
        self.cells.point(point, place)
    }

    /// An element by its type and the tags of its nodes. Errors: a number of nodes that its type does not have; a node that
    /// is not there.
    pub(super) fn element(&mut self, kind: Kind, tags: &[u64], place: Place) -> Result<(), MeshIoError> {
        let Some(shape) = kind.shape else { return Ok(()) };
        if tags.len() != kind.nodes {
            return Err(self.cells.syntax(
                place,
                "the number of nodes",
                &tags.len(),
                &kind.nodes.to_string(),
            ));
        }
        let vertex = |tag: &u64| {
            let known = self.vertices.get(tag).copied();
            known.ok_or_else(|| self.cells.syntax(place, "a node of an element", tag, "the tag of a node"))
        };
        let ids: Vec<u64> = tags.iter().map(vertex).collect::<Result<_, _>>()?;
        if kind.nodes == shape.corners() {
            self.cells.cell(shape, &ids, place)
        } else {
            self.cells.curved(shape, &ids, place)
        }
    }

    /// Adds the cells behind `before` to these groups.
    pub(super) fn add_to(
        &mut self,
        groups: &[String],
        before: [usize; 3],
        place: Place,
    ) -> Result<(), MeshIoError> {
        groups.iter().try_for_each(|group| self.cells.add_to_part(group, before, place))
    }
}
