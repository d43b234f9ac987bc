//! One side of a contact: the element, and the position of the contact on it.

use bytemuck::{Pod, Zeroable};
use palpate_math::Point;

/// Marks an absent vertex, cell or child.
pub const NONE: u32 = u32::MAX;

/// The kind of element of one side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[repr(u32)]
pub enum FeatureKind {
    /// A point of a shape without vertices (a sphere, a plane).
    Point = 0,
    /// A vertex, by its id.
    Vertex = 1,
    /// An edge between two vertices.
    Edge = 2,
    /// A triangle of three vertices.
    Triangle = 3,
    /// A tetrahedron of four vertices.
    Tetrahedron = 4,
}

impl FeatureKind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Point, Self::Vertex, Self::Edge, Self::Triangle, Self::Tetrahedron];

    /// Returns the name used in JSON, HDF5 and Python.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Vertex => "vertex",
            Self::Edge => "edge",
            Self::Triangle => "triangle",
            Self::Tetrahedron => "tetrahedron",
        }
    }

    /// Returns the number of vertices of an element of this kind: 0 for a point, else 1 to 4.
    pub const fn vertex_count(self) -> u32 {
        self as u32
    }
}

/// One side of a contact. 88 bytes, no padding.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "crate::form::FeatureForm", try_from = "crate::form::FeatureForm")
)]
#[repr(C)]
pub struct Feature {
    /// The [`FeatureKind`], by number.
    pub kind: u32,
    /// The number of valid `vertices` and `weights`: 0 for a point, else 1 to 4.
    pub vertex_count: u32,
    /// Vertex ids; [`NONE`] beyond the count.
    pub vertices: [u32; 4],
    /// The highest-dimensional cell that owns the element (the lowest index if several do); on a shape without
    /// vertices the number of its feature (box face 0-5, capsule end 0-1); or [`NONE`].
    pub cell: u32,
    /// The child of a compound, or [`NONE`].
    pub child: u32,
    /// Barycentric weights that locate the contact on the bare element, before any radius; zero beyond the count. For a
    /// tetrahedron they locate the other side's point inside it.
    pub weights: [f64; 4],
    /// This side's own surface point of the contact: world frame, metres.
    pub point: [f64; 3],
}

impl Feature {
    /// Creates a point of a shape without vertices.
    pub fn point(point: Point) -> Self {
        Self::element(FeatureKind::Point, &[], &[], NONE, point)
    }

    /// Creates a numbered feature (a box face, a capsule end) of a shape without vertices.
    pub fn numbered(number: u32, point: Point) -> Self {
        Self::element(FeatureKind::Point, &[], &[], number, point)
    }

    /// Creates the vertex `vertex`, owned by `cell`; `point` is its surface point.
    pub fn vertex(vertex: u32, cell: u32, point: Point) -> Self {
        Self::element(FeatureKind::Vertex, &[vertex], &[1.0], cell, point)
    }

    /// Creates the edge between two vertices, owned by `cell`; `weights` locate the contact on it.
    pub fn edge(vertices: [u32; 2], weights: [f64; 2], cell: u32, point: Point) -> Self {
        Self::element(FeatureKind::Edge, &vertices, &weights, cell, point)
    }

    /// Creates the triangle `cell` with its three vertices; `weights` locate the contact on it.
    pub fn triangle(vertices: [u32; 3], weights: [f64; 3], cell: u32, point: Point) -> Self {
        Self::element(FeatureKind::Triangle, &vertices, &weights, cell, point)
    }

    /// Creates the tetrahedron `cell` with its four vertices; `weights` locate the other side's point inside it.
    pub fn tetrahedron(vertices: [u32; 4], weights: [f64; 4], cell: u32, point: Point) -> Self {
        Self::element(FeatureKind::Tetrahedron, &vertices, &weights, cell, point)
    }

    fn element(kind: FeatureKind, ids: &[u32], bary: &[f64], cell: u32, point: Point) -> Self {
        let mut vertices = [NONE; 4];
        let mut weights = [0.0; 4];
        vertices[..ids.len()].copy_from_slice(ids);
        weights[..bary.len()].copy_from_slice(bary);
        let vertex_count = kind.vertex_count();
        Self {
            kind: kind as u32,
            vertex_count,
            vertices,
            cell,
            child: NONE,
            weights,
            point: point.coords.into(),
        }
    }

    /// Returns the kind of the element; a number out of range (from damaged data) reads as [`FeatureKind::Point`].
    pub fn feature_kind(&self) -> FeatureKind {
        FeatureKind::ALL.get(self.kind as usize).copied().unwrap_or(FeatureKind::Point)
    }

    /// Returns the ids of the element's vertices: empty for a point.
    pub fn vertex_ids(&self) -> &[u32] {
        &self.vertices[..self.count()]
    }

    /// Returns the weights of the element's vertices, in the order of [`vertex_ids`](Self::vertex_ids).
    pub fn vertex_weights(&self) -> &[f64] {
        &self.weights[..self.count()]
    }

    /// Returns this side's surface point: world frame, metres.
    pub fn surface_point(&self) -> Point {
        Point::new(self.point[0], self.point[1], self.point[2])
    }

    fn count(&self) -> usize {
        (self.vertex_count as usize).min(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_has_no_padding_and_88_bytes() {
        assert_eq!(size_of::<Feature>(), 88);
    }

    #[test]
    fn an_edge_fills_two_of_the_four_places() {
        let edge = Feature::edge([7, 3], [0.25, 0.75], 5, Point::new(1.0, 2.0, 3.0));
        assert_eq!(edge.feature_kind(), FeatureKind::Edge);
        assert_eq!(edge.vertex_ids(), &[7, 3]);
        assert_eq!(edge.vertices[2..], [NONE, NONE]);
        assert_eq!(edge.vertex_weights(), &[0.25, 0.75]);
        assert_eq!((edge.cell, edge.child), (5, NONE));
    }

    #[test]
    fn a_damaged_kind_or_count_does_not_panic() {
        let mut feature = Feature::point(Point::origin());
        feature.kind = 99;
        feature.vertex_count = 77;
        assert_eq!(feature.feature_kind(), FeatureKind::Point);
        assert_eq!(feature.vertex_ids().len(), 4);
    }
}
