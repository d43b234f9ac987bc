//! The kinds of solids, and their cells.

use palpate_geometry::GeometryKind;

/// A kind of solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the kinds of geometries")]
pub enum SolidKind {
    /// Closed.
    SurfaceMesh,
    TetraMesh,
    Implicit,
    Sphere,
    Capsule,
    Cylinder,
    OrientedBox,
    /// A hull, an ellipsoid or a cone.
    Convex,
    /// Of solid children.
    Compound,
}

impl SolidKind {
    /// All kinds, in the order of the registry except for compounds.
    pub const ALL: [Self; 9] = [
        Self::Implicit,
        Self::SurfaceMesh,
        Self::TetraMesh,
        Self::Sphere,
        Self::Capsule,
        Self::Cylinder,
        Self::OrientedBox,
        Self::Convex,
        Self::Compound,
    ];

    /// The kind of its geometry.
    pub fn geometry(self) -> GeometryKind {
        match self {
            Self::SurfaceMesh => GeometryKind::SURFACE_MESH,
            Self::TetraMesh => GeometryKind::TETRA_MESH,
            Self::Implicit => GeometryKind::IMPLICIT,
            Self::Sphere => GeometryKind::SPHERE,
            Self::Capsule => GeometryKind::CAPSULE,
            Self::Cylinder => GeometryKind::CYLINDER,
            Self::OrientedBox => GeometryKind::ORIENTED_BOX,
            Self::Convex => GeometryKind::CONVEX,
            Self::Compound => GeometryKind::COMPOUND,
        }
    }

    /// Whether its shapes can have flat faces only, so that two can lie face on face.
    pub fn has_flat_faces(self) -> bool {
        !matches!(self, Self::Sphere | Self::Capsule | Self::Cylinder)
    }
}

/// Two kinds.
pub type Cell = [SolidKind; 2];

/// Every two kinds, once.
pub fn cells() -> Vec<Cell> {
    let all = SolidKind::ALL;
    all.iter().enumerate().flat_map(|(i, a)| all[i..].iter().map(|b| [*a, *b])).collect()
}

/// `surface_mesh:capsule`.
pub fn cell_name(cell: &Cell) -> String {
    format!("{}:{}", cell[0].geometry(), cell[1].geometry())
}
