//! Points and meshes from their fields.

use super::fields::{Fields, boolean, text};
use super::files::{self, Contents, MeshFiles};
use super::number;
use super::primitive::made;
use crate::describe::DescriptionError;
use crate::geometry::{GeometryError, LineMesh, PointSet, Sidedness, SurfaceMesh, TetraMesh};
use crate::math::Point;
use serde_json::Value;

type Read<T> = Result<T, DescriptionError>;

/// Properties of a mesh other than its vertices and cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeshTraits {
    /// Thickness in metres.
    pub(crate) radius: f64,
    /// Whether a surface is declared closed or open; `None` if it is not declared.
    pub(crate) closed: Option<bool>,
    /// How inside is told from outside on a surface; `None` if it is found out.
    pub(crate) sidedness: Option<Sidedness>,
    /// Whether a surface intersected itself when that `sidedness` was decided.
    pub(crate) self_intersecting: bool,
    /// The cells of a tetrahedral mesh that had negative volume when the mesh was created, counted without the removed ones.
    pub(crate) inverted: Option<Vec<u32>>,
    /// The numbers of removed cells, ascending.
    pub(crate) removed: Vec<u32>,
    /// The numbers of the boundary triangles of a tetrahedral mesh that was cut, in runs.
    pub(crate) boundary_numbers: Vec<u32>,
    /// The numbers of the edges of a surface or boundary that was cut, in runs.
    pub(crate) edge_numbers: Vec<u32>,
}

impl MeshTraits {
    /// The traits from a description without vertices and cells; `None` if it does not describe a mesh.
    #[cfg(feature = "recording")]
    pub(crate) fn read_alone(value: &Value) -> Read<Option<Self>> {
        let mut fields = Fields::new(value)?;
        let traits = match fields.required("type", "the type of a geometry", text)? {
            "PointSet" => Self::of_thick(&mut fields)?,
            "LineMesh" => Self::of_lines(&mut fields)?,
            "SurfaceMesh" => Self::of_surface(&mut fields)?,
            "TetrahedralMesh" => Self::of_tetrahedra(&mut fields, u32::MAX as usize)?,
            _ => return Ok(None),
        };
        fields.finish()?;
        Ok(Some(traits))
    }

    fn of_thick(fields: &mut Fields<'_>) -> Read<Self> {
        let radius = fields.optional("radius", number::not_negative)?.unwrap_or(0.0);
        Ok(Self { radius, ..Self::default() })
    }

    fn of_lines(fields: &mut Fields<'_>) -> Read<Self> {
        Ok(Self { removed: removed(fields)?, ..Self::of_thick(fields)? })
    }

    fn of_surface(fields: &mut Fields<'_>) -> Read<Self> {
        let thick = Self::of_lines(fields)?;
        let closed = fields.optional("closed", boolean)?;
        let sidedness = fields.optional("sidedness", sidedness)?.flatten();
        let intersecting = fields.optional("self_intersecting", |value| match boolean(value)? {
            true if sidedness.is_none() => {
                Err(DescriptionError::found(value, "false, or the sidedness that was decided beside it"))
            }
            given => Ok(given),
        })?;
        Ok(Self {
            closed,
            sidedness,
            self_intersecting: intersecting.unwrap_or(false),
            edge_numbers: numbers(fields, "edge_numbers")?,
            ..thick
        })
    }

    /// Of so many cells that are left.
    fn of_tetrahedra(fields: &mut Fields<'_>, left: usize) -> Read<Self> {
        let removed = removed(fields)?;
        let last = u32::try_from((left + removed.len()).saturating_sub(1)).unwrap_or(u32::MAX);
        let inverted = fields.optional("inverted", |value| number::whole_numbers(value, last))?;
        let among_left = |cell: u32| removed.binary_search(&cell).err().map(|before| cell - before as u32);
        let inverted = inverted.map(|cells| cells.into_iter().filter_map(among_left).collect());
        let boundary_numbers = numbers(fields, "boundary_numbers")?;
        let edge_numbers = numbers(fields, "edge_numbers")?;
        Ok(Self { inverted, removed, boundary_numbers, edge_numbers, ..Self::default() })
    }

    pub(crate) fn point_set(&self, points: Vec<Point>) -> Result<PointSet, GeometryError> {
        PointSet::new(points)?.with_radius(self.radius)
    }

    pub(crate) fn line_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 2]>,
    ) -> Result<LineMesh, GeometryError> {
        LineMesh::new(points, cells)?.with_removed(&self.removed)?.with_radius(self.radius)
    }

    pub(crate) fn surface_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 3]>,
    ) -> Result<SurfaceMesh, GeometryError> {
        let mesh = SurfaceMesh::new(points, cells)?.with_removed(&self.removed)?;
        let mesh = mesh.with_edge_numbers(&self.edge_numbers)?;
        let mut mesh = mesh.with_radius(self.radius)?;
        if let Some(closed) = self.closed {
            mesh = mesh.with_closed(closed);
        }
        Ok(match self.sidedness {
            Some(sidedness) => mesh.with_decided_sides(sidedness, self.self_intersecting),
            None => mesh,
        })
    }

    pub(crate) fn tetra_mesh(
        &self,
        points: Vec<Point>,
        cells: Vec<[u32; 4]>,
    ) -> Result<TetraMesh, GeometryError> {
        let mesh = match &self.inverted {
            Some(inverted) => TetraMesh::with_inverted(points, cells, inverted)?,
            None => TetraMesh::new(points, cells)?,
        };
        mesh.with_removed(&self.removed)?.with_boundary_numbers([&self.boundary_numbers, &self.edge_numbers])
    }
}

/// The numbers of removed cells, ascending.
fn removed(fields: &mut Fields<'_>) -> Read<Vec<u32>> {
    let mut removed = numbers(fields, "removed")?;
    removed.sort_unstable();
    Ok(removed)
}

/// Numbers of a cut mesh; none if it was not cut.
fn numbers(fields: &mut Fields<'_>, name: &'static str) -> Read<Vec<u32>> {
    let given = fields.optional(name, |value| number::whole_numbers(value, u32::MAX - 1))?;
    Ok(given.unwrap_or_default())
}

/// `None` for `auto`.
fn sidedness(value: &Value) -> Read<Option<Sidedness>> {
    let word = text(value)?;
    let read = sidedness_of(word);
    if read.is_none() && word != "auto" {
        return Err(DescriptionError::found(value, "auto, pseudonormals or winding_number"));
    }
    Ok(read)
}

/// The sidedness of that word.
pub(crate) fn sidedness_of(word: &str) -> Option<Sidedness> {
    match word {
        "pseudonormals" => Some(Sidedness::Pseudonormals),
        "winding_number" => Some(Sidedness::WindingNumber),
        _ => None,
    }
}

/// A mesh with its previous vertices, if the fields give them.
macro_rules! with_history {
    ($mesh:expr, $previous:expr) => {{
        let mut mesh = made($mesh)?;
        if let Some(previous) = $previous {
            made(mesh.set_previous(&previous))?;
        }
        Ok(mesh)
    }};
}

pub(super) fn point_set(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Read<PointSet> {
    let Vertices { current, previous, .. } = vertices(fields, files)?;
    with_history!(MeshTraits::of_thick(fields)?.point_set(current), previous)
}

pub(super) fn line_mesh(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Read<LineMesh> {
    let Vertices { current, previous, file } = vertices(fields, files)?;
    let cells = cells(fields, current.len(), file, "lines", |contents| &mut contents.lines)?;
    with_history!(MeshTraits::of_lines(fields)?.line_mesh(current, cells), previous)
}

pub(super) fn surface_mesh(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Read<SurfaceMesh> {
    let Vertices { current, previous, file } = vertices(fields, files)?;
    let cells = cells(fields, current.len(), file, "triangles", |contents| &mut contents.triangles)?;
    with_history!(MeshTraits::of_surface(fields)?.surface_mesh(current, cells), previous)
}

pub(super) fn tetra_mesh(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Read<TetraMesh> {
    let Vertices { current, previous, file } = vertices(fields, files)?;
    let cells = cells(fields, current.len(), file, "tetrahedra", |contents| &mut contents.tetrahedra)?;
    let left = cells.len();
    with_history!(MeshTraits::of_tetrahedra(fields, left)?.tetra_mesh(current, cells), previous)
}

/// Vertices, and where they come from.
struct Vertices {
    current: Vec<Point>,
    /// Those of the previous step, if given.
    previous: Option<Vec<Point>>,
    /// The file that has the cells, without its vertices.
    file: Option<Contents>,
}

fn vertices(fields: &mut Fields<'_>, files: Option<&MeshFiles>) -> Read<Vertices> {
    let mut file = files::named(fields, files)?;
    let current = match &mut file {
        Some(contents) => std::mem::take(&mut contents.positions),
        None => fields.required("vertices", "a list of points, 3 numbers each", number::points)?,
    };
    let wanted = current.len();
    let previous = fields.optional("previous_vertices", |value| {
        let previous = number::points(value)?;
        if previous.len() == wanted {
            Ok(previous)
        } else {
            Err(DescriptionError::found(value, format!("{wanted} points, as in vertices")))
        }
    })?;
    Ok(Vertices { current, previous, file })
}

fn cells<const N: usize>(
    fields: &mut Fields<'_>,
    vertex_count: usize,
    file: Option<Contents>,
    kind: &str,
    of: impl Fn(&mut Contents) -> &mut Vec<[u32; N]>,
) -> Read<Vec<[u32; N]>> {
    match file {
        Some(mut contents) => files::cells(&mut contents, kind, of),
        None => fields.required("cells", "a list of cells", |value| number::cells(value, vertex_count)),
    }
}
