//! What a sheet meets, and the cells.

use crate::laws::solids::SolidKind;

/// The kind of the other body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OtherKind {
    /// A solid; a surface mesh is closed.
    Solid(SolidKind),
    /// A thread.
    LineMesh,
    /// Points.
    PointSet,
    /// Another open surface.
    Sheet,
}

impl OtherKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Solid(SolidKind::SurfaceMesh),
        Self::Solid(SolidKind::TetraMesh),
        Self::LineMesh,
        Self::PointSet,
        Self::Solid(SolidKind::Implicit),
        Self::Solid(SolidKind::Sphere),
        Self::Solid(SolidKind::Capsule),
        Self::Solid(SolidKind::Cylinder),
        Self::Solid(SolidKind::OrientedBox),
        Self::Solid(SolidKind::Convex),
        Self::Solid(SolidKind::Compound),
        Self::Sheet,
    ];

    /// The kinds of which every body is convex.
    pub const CONVEX: [Self; 5] = [
        Self::Solid(SolidKind::Sphere),
        Self::Solid(SolidKind::Capsule),
        Self::Solid(SolidKind::Cylinder),
        Self::Solid(SolidKind::OrientedBox),
        Self::Solid(SolidKind::Convex),
    ];

    /// The name in a cell's name.
    pub fn name(self) -> String {
        match self {
            Self::Solid(SolidKind::SurfaceMesh) => "closed_surface_mesh".to_owned(),
            Self::Solid(kind) => kind.geometry().to_string(),
            Self::LineMesh => "line_mesh".to_owned(),
            Self::PointSet => "point_set".to_owned(),
            Self::Sheet => "sheet".to_owned(),
        }
    }
}

/// What meets what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SheetCell {
    /// An open surface and another body.
    Sheet(OtherKind),
    /// A closed flat box of many triangles and a convex body.
    Slab(OtherKind),
    /// Two closed meshes.
    Closed([SolidKind; 2]),
}

impl SheetCell {
    /// `sheet:capsule`.
    pub fn name(&self) -> String {
        match self {
            Self::Sheet(kind) => format!("sheet:{}", kind.name()),
            Self::Slab(kind) => format!("slab:{}", kind.name()),
            Self::Closed([a, b]) => {
                let [a, b] = [*a, *b].map(|kind| OtherKind::Solid(kind).name());
                format!("{a}:{b}")
            }
        }
    }

    /// The kind of the second body.
    pub fn other(&self) -> OtherKind {
        match self {
            Self::Sheet(kind) | Self::Slab(kind) => *kind,
            Self::Closed([_, kind]) => OtherKind::Solid(*kind),
        }
    }
}

/// All cells.
pub fn sheet_cells() -> Vec<SheetCell> {
    use SolidKind::{SurfaceMesh, TetraMesh};
    let sheets = OtherKind::ALL.into_iter().map(SheetCell::Sheet);
    let slabs = OtherKind::CONVEX.into_iter().map(SheetCell::Slab);
    let closed = [[SurfaceMesh, SurfaceMesh], [SurfaceMesh, TetraMesh], [TetraMesh, TetraMesh]];
    sheets.chain(slabs).chain(closed.map(SheetCell::Closed)).collect()
}
