//! Points and meshes from their fields.

use super::fields::{Fields, boolean, text};
use super::number;
use super::primitive::made;
use crate::describe::DescriptionError;
use crate::geometry::{GeometryError, LineMesh, PointSet, Sidedness, SurfaceMesh, TetraMesh};
use crate::math::Point;
use serde_json::Value;

type Read<T> = Result<T, DescriptionError>;

/// What a mesh is beside its vertices and cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeshTraits {
    /// Thickness in metres.
    pub(crate) radius: f64,
    /// Whether a surface is declared closed or open.
    pub(crate) closed: Option<bool>,
    /// How a surface tells its sides.
    pub(crate) sidedness: Option<Sidedness>,
    /// The cells of a tetrahedral mesh that had negative volume when it was made.
    pub(crate) inverted: Option<Vec<u32>>,
}

impl MeshTraits {
    /// The traits that a description without vertices and cells tells; `None` of what is no mesh.
    #[cfg(feature = "recording")]
    pub(crate) fn read_alone(value: &Value) -> Read<Option<Self>> {
        let mut fields = Fields::new(value)?;
        let traits = match fields.required("type", "the type of a geometry", text)? {
            "PointSet" | "LineMesh" => Self::of_thick(&mut fields)?,
            "SurfaceMesh" => Self::of_surface(&mut fields)?,
            "TetrahedralMesh" => Self::of_tetrahedra(&mut fields, u32::MAX)?,
            _ => return Ok(None),
        };
        fields.finish()?;
        Ok(Some(traits))
    }

    fn of_thick(fields: &mut Fields<'_>) -> Read<Self> {
        let radius = fields.optional("radius", number::not_negative)?.unwrap_or(0.0);
        Ok(Self { radius, ..Self::default() })
    }

    fn of_surface(fields: &mut Fields<'_>) -> Read<Self> {
        let thick = Self::of_thick(fields)?;
        let closed = fields.optional("closed", boolean)?;
        Ok(Self { closed, sidedness: fields.optional("sidedness", sidedness)?, ..thick })
    }

    fn of_tetrahedra(fields: &mut Fields<'_>, last: u32) -> Read<Self> {
        let inverted = fields.optional("inverted", |value| number::whole_numbers(value, last))?;
        Ok(Self { inverted, ..Self::default() })
    }

    pub(crate) fn point_set(&self, points: Vec<Point>) -> Result<PointSet, GeometryError> {
        PointSet::new(points)?.with_radius(self.radius)
    }

    pub(crate) fn line_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 2]>,
    ) -> Result<LineMesh, GeometryError> {
        LineMesh::new(points, cells)?.with_radius(self.radius)
    }

    pub(crate) fn surface_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 3]>,
    ) -> Result<SurfaceMesh, GeometryError> {
        let mut mesh = SurfaceMesh::new(points, cells)?.with_radius(self.radius)?;
        if let Some(closed) = self.closed {
            mesh = mesh.with_closed(closed);
        }
        Ok(match self.sidedness {
            Some(sidedness) => mesh.with_sidedness(sidedness),
            None => mesh,
        })
    }

    pub(crate) fn tetra_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 4]>,
    ) -> Result<TetraMesh, GeometryError> {
        match &self.inverted {
            Some(inverted) => TetraMesh::with_inverted(points, cells, inverted),
            None => TetraMesh::new(points, cells),
        }
    }
}

fn sidedness(value: &Value) -> Read<Sidedness> {
    match text(value)? {
        "pseudonormals" => Ok(Sidedness::Pseudonormals),
        "winding_number" => Ok(Sidedness::WindingNumber),
        _ => Err(DescriptionError::found(value, "pseudonormals or winding_number")),
    }
}

/// A mesh with its previous vertices, where the fields say some.
macro_rules! with_history {
    ($mesh:expr, $previous:expr) => {{
        let mut mesh = made($mesh)?;
        if let Some(previous) = $previous {
            made(mesh.set_previous(&previous))?;
        }
        Ok(mesh)
    }};
}

pub(crate) fn point_set(fields: &mut Fields<'_>) -> Read<PointSet> {
    let (vertices, previous) = vertices(fields)?;
    with_history!(MeshTraits::of_thick(fields)?.point_set(vertices), previous)
}

pub(crate) fn line_mesh(fields: &mut Fields<'_>) -> Read<LineMesh> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells(fields, vertices.len())?;
    with_history!(MeshTraits::of_thick(fields)?.line_mesh(vertices, cells), previous)
}

pub(crate) fn surface_mesh(fields: &mut Fields<'_>) -> Read<SurfaceMesh> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells(fields, vertices.len())?;
    with_history!(MeshTraits::of_surface(fields)?.surface_mesh(vertices, cells), previous)
}

pub(crate) fn tetra_mesh(fields: &mut Fields<'_>) -> Read<TetraMesh> {
    let (vertices, previous) = vertices(fields)?;
    let cells = cells(fields, vertices.len())?;
    let last = (cells.len() as u32).saturating_sub(1);
    with_history!(MeshTraits::of_tetrahedra(fields, last)?.tetra_mesh(vertices, cells), previous)
}

/// Vertices now and, where the fields say so, one step ago.
type Vertices = (Vec<Point>, Option<Vec<Point>>);

fn vertices(fields: &mut Fields<'_>) -> Read<Vertices> {
    let vertices = fields.required("vertices", "a list of points, 3 numbers each", number::points)?;
    let wanted = vertices.len();
    let previous = fields.optional("previous_vertices", |value| {
        let previous = number::points(value)?;
        if previous.len() == wanted {
            Ok(previous)
        } else {
            Err(DescriptionError::found(value, format!("{wanted} points, as in vertices")))
        }
    })?;
    Ok((vertices, previous))
}

fn cells<const N: usize>(fields: &mut Fields<'_>, vertex_count: usize) -> Read<Vec<[u32; N]>> {
    fields.required("cells", "a list of cells", |value| number::cells(value, vertex_count))
}
