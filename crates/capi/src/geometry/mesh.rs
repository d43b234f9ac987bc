//! Point sets and meshes.

use super::{make, palpate_geometry};
use crate::arrays::{palpate_cells, palpate_points};
use crate::input::options_struct;
use crate::status::{Failure, Outcome, palpate_status};
use palpate::geometry::{Geometry, LineMesh, PointSet, Sidedness, SurfaceMesh, TetraMesh};
use palpate::math::Point;

/// Bare points or particles: no cells.
pub const PALPATE_POINT_SET: u32 = 0;
/// Segments: threads, wires, needles.
pub const PALPATE_LINE_MESH: u32 = 1;
/// Triangles: organs, tools, cloth.
pub const PALPATE_SURFACE_MESH: u32 = 2;
/// Tetrahedra: soft solids.
pub const PALPATE_TETRA_MESH: u32 = 3;

/// Whether a surface is closed is found by its edges.
pub const PALPATE_CLOSED_BY_EDGES: u32 = 0;
/// The surface is a solid, even if it has holes.
pub const PALPATE_CLOSED_YES: u32 = 1;
/// The surface is a sheet.
pub const PALPATE_CLOSED_NO: u32 = 2;

/// Inside is told from outside by normals where the surface is closed and oriented, else by winding numbers.
pub const PALPATE_SIDEDNESS_DEFAULT: u32 = 0;
/// Inside is told from outside by the normals of faces, edges and vertices.
pub const PALPATE_SIDEDNESS_PSEUDONORMALS: u32 = 1;
/// Inside is told from outside by winding numbers, for dirty meshes.
pub const PALPATE_SIDEDNESS_WINDING_NUMBER: u32 = 2;

/// Options of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct palpate_mesh_options {
    /// Set by `palpate_mesh_options_default`.
    pub struct_size: u32,
    /// `PALPATE_CLOSED_…`; for surfaces.
    pub closed: u32,
    /// `PALPATE_SIDEDNESS_…`; for surfaces.
    pub sidedness: u32,
    /// 0.
    pub reserved: u32,
    /// Radius of points and segments, thickness of surfaces; metres, 0 by default. Tetrahedra have none.
    pub radius: f64,
}

impl Default for palpate_mesh_options {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>() as u32,
            closed: PALPATE_CLOSED_BY_EDGES,
            sidedness: PALPATE_SIDEDNESS_DEFAULT,
            reserved: 0,
            radius: 0.0,
        }
    }
}

options_struct! { palpate_mesh_options 24; }

/// The default options of a mesh.
#[unsafe(no_mangle)]
pub extern "C" fn palpate_mesh_options_default() -> palpate_mesh_options {
    palpate_mesh_options::default()
}

/// Makes a mesh of `kind` (`PALPATE_POINT_SET`, `PALPATE_LINE_MESH`, `PALPATE_SURFACE_MESH` or `PALPATE_TETRA_MESH`) from copies of
/// the arrays. `cells` may be null for a point set; `options` may be null. Errors: an index out of range, a coordinate that is
/// not finite, a count that overflows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn palpate_geometry_mesh(
    kind: u32,
    vertices: *const palpate_points,
    cells: *const palpate_cells,
    options: *const palpate_mesh_options,
    geometry: *mut *mut palpate_geometry,
) -> palpate_status {
    make(geometry, || {
        // SAFETY: by the rules of the header.
        let (vertices, cells, given) =
            unsafe { (vertices.as_ref(), cells.as_ref(), crate::input::options(options)?) };
        let vertices = vertices.ok_or_else(|| Failure::null("vertices"))?;
        // SAFETY: by the rules of the header.
        let points = unsafe { vertices.copied("vertices") }?;
        // SAFETY: by the rules of the header.
        unsafe { mesh(kind, points, cells, &given) }
    })
}

/// # Safety
/// The cells can be read.
unsafe fn mesh(
    kind: u32,
    points: Vec<Point>,
    cells: Option<&palpate_cells>,
    options: &palpate_mesh_options,
) -> Outcome<Box<dyn Geometry>> {
    let radius = options.radius;
    if kind == PALPATE_POINT_SET {
        if cells.is_some_and(|cells| cells.count > 0) {
            return Err(Failure::argument("a point set has cells: wanted none"));
        }
        return Ok(Box::new(PointSet::new(points)?.with_radius(radius)?));
    }
    let cells = cells.ok_or_else(|| Failure::null("cells"))?;
    // SAFETY: the caller's promise.
    unsafe {
        Ok(match kind {
            PALPATE_LINE_MESH => {
                let segments = cells.read("segments")?.into_owned();
                Box::new(LineMesh::new(points, segments)?.with_radius(radius)?)
            }
            PALPATE_SURFACE_MESH => {
                let triangles = cells.read("triangles")?.into_owned();
                Box::new(surface(SurfaceMesh::new(points, triangles)?.with_radius(radius)?, options)?)
            }
            PALPATE_TETRA_MESH => {
                if radius != 0.0 {
                    let text = format!("the radius of a tetra mesh is {radius}: wanted 0");
                    return Err(Failure::argument(text));
                }
                Box::new(TetraMesh::new(points, cells.read("tetrahedra")?.into_owned())?)
            }
            other => {
                return Err(Failure::argument(format!("the kind of mesh is {other}: wanted 0 to 3")));
            }
        })
    }
}

fn surface(mesh: SurfaceMesh, options: &palpate_mesh_options) -> Outcome<SurfaceMesh> {
    let mesh = match options.closed {
        PALPATE_CLOSED_BY_EDGES => mesh,
        PALPATE_CLOSED_YES => mesh.with_closed(true),
        PALPATE_CLOSED_NO => mesh.with_closed(false),
        other => return Err(Failure::argument(format!("closed is {other}: wanted 0, 1 or 2"))),
    };
    Ok(match options.sidedness {
        PALPATE_SIDEDNESS_DEFAULT => mesh,
        PALPATE_SIDEDNESS_PSEUDONORMALS => mesh.with_sidedness(Sidedness::Pseudonormals),
        PALPATE_SIDEDNESS_WINDING_NUMBER => mesh.with_sidedness(Sidedness::WindingNumber),
        other => return Err(Failure::argument(format!("sidedness is {other}: wanted 0, 1 or 2"))),
    })
}
