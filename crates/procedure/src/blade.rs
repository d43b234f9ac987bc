//! A blade that cuts meshes along the surface that its edge sweeps.

use crate::ProcedureError;
use crate::complex::{Complex, CutLimits, FrontVertex, Known, Vertex};
use crate::divisible::{Divisible, NO_TREE, holds};
use crate::division::{Division, NewVertex};
use crate::sweep::{EdgeCut, Sweep};
use palpate_contact::NONE;
use palpate_math::Point;

/// A cell that the edge of a blade passes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptCell {
    /// The cell.
    pub cell: u32,
    /// When the edge enters it and when it leaves it, 0 to 1: 0 if it was in it before, 1 if it is in it now.
    pub times: [f64; 2],
}

/// Cuts one mesh along what its edge sweeps, step by step.
///
/// Which edges of the mesh a sweep passes through is decided exactly, as if the sweep were moved by an infinitely small
/// amount, the same everywhere. Each gets a vertex, which divides all cells around it; then the cells are parted along the facets
/// that have all their vertices on the cut. So neighbours always fit, two vertices that the sweep parts are parted in the mesh,
/// and where the sweep ends within a cell the cut ends in vertices that are not doubled: the front, which the next sweep takes
/// up. A blade that passes through no edge of a cell cuts nothing of it, and an edge that it passes through twice is not cut:
/// its ends are on one side.
///
/// An edge with an end on the cut, at the front or where a cut was moved to a vertex, is cut no further: the cut goes through that
/// end.
///
/// A cut that comes nearer to a vertex than the [limits](CutLimits) allow goes through the vertex. No part is then smaller than
/// the least size, however often a cell is cut, unless it was before.
///
/// ```
/// use palpate_geometry::{Geometry, Needs, TetraMesh};
/// use palpate_math::Point;
/// use palpate_procedure::{Blade, Sweep};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Point::from);
/// let mut organ = TetraMesh::new(corners.to_vec(), vec![[0, 1, 2, 3]])?;
/// organ.prepare(Needs::TREE);
/// let row = |x: f64| [Point::new(x, -1.0, 0.25), Point::new(x, 2.0, 0.25)];
/// let mut blade = Blade::default();
/// let division = blade.cut(&mut organ, &Sweep::new(&row(-1.0), &row(2.0))?)?;
/// // Three edges are cut, and their new vertices are doubled.
/// assert_eq!((division.cuts.len(), division.vertices.len()), (3, 6));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Blade {
    limits: CutLimits,
    front: Vec<FrontVertex>,
    known: Known,
}

impl Blade {
    /// Makes a blade that has cut nothing.
    pub fn new(limits: CutLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Returns the vertices at which the cut ends within the mesh, ascending.
    pub fn front(&self) -> Vec<u32> {
        self.front.iter().map(|vertex| vertex.id).collect()
    }

    /// Ends the cut: the next sweep begins another.
    pub fn lift(&mut self) {
        self.front.clear();
    }

    /// Cuts a mesh, whose tree must be current, along a sweep. Errors: no tree, new vertices that the mesh refuses; then
    /// nothing is changed.
    ///
    /// Cost: in proportion to the cells near the sweep, and that of replacing the cells; the first cut of a mesh that was not
    /// prepared with [`Needs::CUTS`](palpate_geometry::Needs::CUTS) costs a pass over it.
    pub fn cut<const N: usize>(
        &mut self,
        mesh: &mut impl Divisible<N>,
        sweep: &Sweep,
    ) -> Result<Division, ProcedureError> {
        let mut complex = Complex::new(mesh, &self.front, &mut self.known);
        for swept in sweep.swept() {
            mesh.near(&swept.bounds, &mut |cell| complex.add(cell)).ok_or(NO_TREE)?;
        }
        let mut cuts: Vec<EdgeCut> = Vec::new();
        for edge in complex.edges() {
            let ends = edge.map(|id| &mesh.positions()[id as usize]);
            cuts.extend(sweep.parts(ends).map(|(weight, time)| EdgeCut { edge, weight, time }));
        }
        for vertex in 0..complex.vertices.len() as u32 {
            if complex.vertices[vertex as usize].is_cut {
                complex.add_around(vertex);
            }
        }
        for snaps in [true, false] {
            cuts.iter().for_each(|cut| complex.cut_edge(cut.edge, cut.weight, &self.limits, snaps));
        }
        complex.take_apart();
        cuts.sort_by(|x, y| x.time.total_cmp(&y.time));
        let (mut division, positions, cells, on_cut) = collect(&complex);
        division.cuts = cuts;
        let mut seen: Vec<u32> = complex.vertices.iter().map(|vertex| vertex.id).collect();
        seen.sort_unstable();
        if !division.is_empty() {
            division.cells = mesh.replace(&division.removed, &positions, &cells)?;
        }
        self.front.retain(|vertex| seen.binary_search(&vertex.id).is_err());
        self.front.extend(on_cut);
        self.front.sort_unstable();
        Ok(division)
    }

    /// Cuts with scissors: along the sweeps of both edges, one after the other. Where they meet, the second takes up the front of
    /// the first. Errors as [`cut`](Self::cut).
    pub fn close<const N: usize>(
        &mut self,
        mesh: &mut impl Divisible<N>,
        sweeps: [&Sweep; 2],
    ) -> Result<[Division; 2], ProcedureError> {
        Ok([self.cut(mesh, sweeps[0])?, self.cut(mesh, sweeps[1])?])
    }
}

/// Numbers the new vertices and lists the new cells. Returns the division, the positions of the new vertices, the new cells,
/// and the vertices that are still on the cut.
fn collect<M: Divisible<N>, const N: usize>(
    complex: &Complex<'_, M, N>,
) -> (Division, Vec<Point>, Vec<[u32; N]>, Vec<FrontVertex>) {
    let first_vertex = complex.first_vertex();
    let mut division = Division { first_vertex, ..Division::default() };
    let (mut positions, mut cells) = (Vec::new(), Vec::new());
    let mut ids = Vec::with_capacity(complex.vertices.len());
    for vertex in &complex.vertices {
        ids.push(if vertex.id == NONE { first_vertex + positions.len() as u32 } else { vertex.id });
        if vertex.id == NONE {
            positions.push(vertex.position);
            division.vertices.push(NewVertex { of: vertex.of, weights: vertex.weights });
        }
    }
    for cell in complex.cells.iter().filter(|cell| cell.is_changed) {
        cells.push(cell.vertices.map(|vertex| ids[vertex as usize]));
        division.parents.push(cell.parent);
    }
    division.removed.clone_from(&division.parents);
    division.removed.sort_unstable();
    division.removed.dedup();
    let is_cut = |(vertex, _): &(&Vertex, &u32)| vertex.is_cut;
    let of_front = |(vertex, &id): (&Vertex, &u32)| {
        let Vertex { is_parted, edge, .. } = *vertex;
        FrontVertex { id, is_parted, edge }
    };
    let on_cut = complex.vertices.iter().zip(&ids).filter(is_cut).map(of_front).collect();
    (division, positions, cells, on_cut)
}

/// Lists the cells of a mesh, whose tree must be current, that the edge of a blade passes through, in the order in which it enters
/// them. Errors: no tree.
pub fn swept_cells<const N: usize>(
    mesh: &impl Divisible<N>,
    sweep: &Sweep,
    out: &mut Vec<SweptCell>,
) -> Result<(), ProcedureError> {
    let mut near = Vec::new();
    for swept in sweep.swept() {
        mesh.near(&swept.bounds, &mut |cell| near.push(cell)).ok_or(NO_TREE)?;
    }
    near.sort_unstable();
    near.dedup();
    out.clear();
    for cell in near {
        let corners = mesh.corners(cell);
        let times = sweep.stay(&corners, |point| holds(&corners, point));
        out.extend(times.map(|times| SweptCell { cell, times }));
    }
    out.sort_by(|x, y| x.times[0].total_cmp(&y.times[0]).then(x.times[1].total_cmp(&y.times[1])));
    Ok(())
}
