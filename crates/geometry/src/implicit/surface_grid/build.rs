//! Builds the grid of a surface.

use super::work::{Progress, Work};
use super::{SurfaceSampling, certify, far, measure};
use crate::implicit::Grid;
use crate::{Geometry, GeometryError, Needs, Sidedness, SurfaceMesh};
use std::ops::ControlFlow;

/// A signed distance grid built from a closed surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceGrid {
    /// The grid, in the frame of the surface.
    pub grid: Grid,
    /// The inside-outside classification used.
    pub sidedness: Sidedness,
    /// The number of samples that are exact distances; the others are bounds.
    pub measured: usize,
}

impl SurfaceGrid {
    /// Samples the signed distance from a closed surface. Inside and outside are decided as recommended by the
    /// surface's [health](SurfaceMesh::health): by pseudonormals, or by the winding number if it intersects itself or
    /// has gaps narrower than a cell. A thickness is ignored; [`Offset`](crate::implicit::Offset) adds one.
    ///
    /// **Errors of the value**, with r = [`error_bound`](Grid::error_bound), half the diagonal of a cell. In the
    /// lattice's box its magnitude is at most the distance plus r. Where it is less than the band minus 2 r, its error
    /// is at most r; elsewhere it may be too small by 3 r. For a convex body it is nowhere below the distance where
    /// measured, and where the closest points of a cell lie on one flat face it is exact up to rounding. Features
    /// thinner than a cell may be missing between the samples: the surface of the grid is within r of the surface, but
    /// not everywhere the other way round.
    ///
    /// `report` is called on the calling thread with the number of parts done, which is non-decreasing and ends with
    /// all; it may request to stop. The samples are bitwise identical for any number of threads.
    ///
    /// Errors: the surface is empty or open, has a gap of a cell or more, or the sampling is invalid (see its fields);
    /// or the report requested to stop. Cost: the health report; then a short search for every sample in the band and
    /// some nanoseconds for every other.
    pub fn new(
        surface: &SurfaceMesh,
        sampling: &SurfaceSampling,
        report: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Self, GeometryError> {
        if surface.is_cut() {
            let mut whole = surface.clone();
            whole.compact();
            return Self::new(&whole, sampling, report);
        }
        if surface.triangles().is_empty() {
            return Err(GeometryError::Empty { what: "the list of triangles".to_owned() });
        }
        if !surface.is_closed() {
            let reason = match surface.adjacency().closedness {
                found if found.boundary_edges > 0 => {
                    format!("{} of its edges have only one triangle", found.boundary_edges)
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
        Ok(Self { grid, sidedness: surface.sidedness(), measured })
    }
}

/// Prepares a surface for signed distance queries.
fn with_sides(surface: &SurfaceMesh) -> SurfaceMesh {
    let mut surface = surface.clone();
    surface.prepare(Needs::TREE);
    if surface.sidedness() == Sidedness::Pseudonormals {
        surface = surface.examined();
    }
    surface.prepare(Needs::TREE | Needs::NORMALS);
    surface
}
