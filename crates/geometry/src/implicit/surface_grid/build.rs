//! The grid of a surface.

use super::work::{Progress, Work};
use super::{SurfaceSampling, certify, far, measure};
use crate::implicit::Grid;
use crate::{Geometry, GeometryError, Needs, Sidedness, SurfaceMesh};
use std::ops::ControlFlow;

/// A signed distance grid made from a closed surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceGrid {
    /// The grid, in the frame of the surface.
    pub grid: Grid,
    /// What told inside from outside.
    pub sidedness: Sidedness,
    /// How many samples are distances; the others are bounds.
    pub measured: usize,
}

impl Grid {
    /// The signed distance from a closed surface, sampled. The sides are told by what the surface's
    /// [health](SurfaceMesh::health) calls for: pseudonormals, or the winding number, where it intersects itself or has gaps
    /// narrower than a cell. A thickness is not taken into account; [`Offset`](crate::implicit::Offset) gives one.
    ///
    /// **Errors of the value**, r being [`error_bound`](Grid::error_bound), half the diagonal of a cell. In the lattice's box
    /// it is nowhere more than the distance plus r, in magnitude. Where it is less than the band less 2 r, it is off by no
    /// more than r; elsewhere it may fall short by 3 r. Of a convex body it is nowhere below the distance where it was
    /// measured, and where the nearest places of a cell lie on one flat face it is exact to rounding. What is thinner than a
    /// cell may be missing between the samples: the surface of the grid is within r of the surface, but not everywhere the
    /// other way round.
    ///
    /// `report` is called on the calling thread with the parts done so far, which never get fewer and in the end are all; it may
    /// ask to stop. The samples are the same, to the last bit, on any number of threads.
    ///
    /// Errors: the surface is empty or open, has a gap of a cell or more, or the sampling is no good (see its fields); or the
    /// report asked to stop. Cost: the health report; then a short search for every sample in the band and some nanoseconds
    /// for every other.
    pub fn from_surface(
        surface: &SurfaceMesh,
        sampling: &SurfaceSampling,
        report: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<SurfaceGrid, GeometryError> {
        if surface.triangles().is_empty() {
            return Err(GeometryError::Empty { what: "the list of triangles".to_owned() });
        }
        if !surface.is_closed() {
            let reason = match surface.adjacency().closedness {
                found if found.boundary_edges > 0 => {
                    format!("{} of its edges have one triangle only", found.boundary_edges)
                }
                found if found.non_manifold_edges + found.misoriented_edges > 0 => {
                    let count = found.non_manifold_edges + found.misoriented_edges;
                    format!("{count} of its edges branch or are wound both ways")
                }
                _ => "it is declared open".to_owned(),
            };
            return Err(GeometryError::NotClosed { what: "the surface".to_owned(), reason });
        }
        let surface = with_sides(surface);
        let tree_bounds = surface.tree().map(|tree| tree.bounds()).unwrap_or_default();
        let lattice = sampling.lattice(&tree_bounds)?;
        let [nx, ny, nz] = lattice.size;
        let mut values = vec![f64::INFINITY; lattice.count()];
        let mut work = Work::new(sampling.threads, ny * nz + far::parts(&lattice), report);
        work.run(&mut values, nx, |row, values, (): &mut ()| {
            measure::measure_row(&surface, &lattice, sampling.band, row, values);
        })?;
        let measured = values.iter().filter(|value| value.is_finite()).count();
        if measured < values.len() {
            far::fill(&lattice, sampling.band, &mut values, &mut work)?;
        }
        certify::changes_as_a_distance(&lattice, &values)?;
        let grid = Grid::on_lattice(lattice, values)?;
        work.finish()?;
        Ok(SurfaceGrid { grid, sidedness: surface.sidedness(), measured })
    }
}

/// The surface with all that tells its distance and its sides.
fn with_sides(surface: &SurfaceMesh) -> SurfaceMesh {
    let mut surface = surface.clone();
    surface.prepare(Needs::TREE);
    if surface.sidedness() == Sidedness::Pseudonormals {
        surface = surface.examined();
    }
    surface.prepare(Needs::TREE | Needs::NORMALS);
    surface
}
