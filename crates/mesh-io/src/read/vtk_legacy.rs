//! VTK's legacy format, ASCII and binary, by the crate `vtkio`: polygon data and unstructured grids.

use super::vtk_cell::{UNSTRUCTURED_OR_POLYGONS, cell};
use crate::cells::{Collector, syntax};
use crate::{Contents, Format, MeshIoError, Place};
use std::io::Cursor;
use vtkio::Vtk;
use vtkio::model::{DataSet, IOBuffer, Piece, VertexNumbers};

pub(super) fn read(bytes: &[u8], file: &str) -> Result<Contents, MeshIoError> {
    let vtk = Vtk::parse_legacy_be(Cursor::new(bytes)).map_err(|error| {
        syntax(
            file,
            Place::Unknown,
            "the file",
            &format_args!("not understood ({error})"),
            "VTK's legacy format",
        )
    })?;
    let mut cells = Collector::new(file, Format::VtkLegacy);
    match vtk.data {
        DataSet::PolyData { pieces, .. } => {
            for piece in pieces {
                let Piece::Inline(piece) = piece else { return Err(elsewhere(file)) };
                let base = add_points(&mut cells, piece.points)?;
                // Vertices are no cells of a mesh; they are there already.
                each(&cells, piece.lines)?
                    .iter()
                    .try_for_each(|ids| cells.polyline(&moved(ids, base), Place::Unknown))?;
                each(&cells, piece.polys)?
                    .iter()
                    .try_for_each(|ids| cells.polygon(&moved(ids, base), Place::Unknown))?;
                each(&cells, piece.strips)?
                    .iter()
                    .try_for_each(|ids| cells.strip(&moved(ids, base), Place::Unknown))?;
            }
        }
        DataSet::UnstructuredGrid { pieces, .. } => {
            for piece in pieces {
                let Piece::Inline(piece) = piece else { return Err(elsewhere(file)) };
                let base = add_points(&mut cells, piece.points)?;
                let lists = each(&cells, Some(piece.cells.cell_verts))?;
                let types = piece.cells.types;
                if lists.len() != types.len() {
                    let (found, wanted) = (types.len(), lists.len().to_string());
                    return Err(cells.syntax(Place::Unknown, "the number of cell types", &found, &wanted));
                }
                for (ids, kind) in lists.iter().zip(types) {
                    cell(&mut cells, kind as u64, &moved(ids, base), Place::Unknown)?;
                }
            }
        }
        other => {
            let found = match other {
                DataSet::ImageData { .. } => "structured points",
                DataSet::StructuredGrid { .. } => "a structured grid",
                DataSet::RectilinearGrid { .. } => "a rectilinear grid",
                _ => "a field",
            };
            let (file, found) = (file.to_owned(), found.to_owned());
            return Err(MeshIoError::Unsupported {
                file,
                what: "the data set",
                found,
                wanted: UNSTRUCTURED_OR_POLYGONS,
            });
        }
    }
    cells.finish()
}

fn elsewhere(file: &str) -> MeshIoError {
    let (file, found) = (file.to_owned(), "in another file".to_owned());
    MeshIoError::Unsupported { file, what: "a piece", found, wanted: "a piece in this file" }
}

/// Adds the points; returns the number of the first.
fn add_points(cells: &mut Collector, points: IOBuffer) -> Result<u64, MeshIoError> {
    let base = cells.point_count() as u64;
    let numbers: Vec<f64> = match points {
        IOBuffer::F64(numbers) => numbers,
        IOBuffer::F32(numbers) => numbers.into_iter().map(f64::from).collect(),
        IOBuffer::I32(numbers) => numbers.into_iter().map(f64::from).collect(),
        other => {
            let found = other.scalar_type().to_string();
            return Err(cells.syntax(
                Place::Unknown,
                "the type of the points",
                &found,
                "float, double or int",
            ));
        }
    };
    if !numbers.len().is_multiple_of(3) {
        let wanted = "a multiple of three";
        return Err(cells.syntax(Place::Unknown, "the number of coordinates", &numbers.len(), wanted));
    }
    numbers.chunks_exact(3).for_each(|p| cells.point([p[0], p[1], p[2]]));
    Ok(base)
}

fn moved(ids: &[u64], base: u64) -> Vec<u64> {
    ids.iter().map(|id| id.saturating_add(base)).collect()
}

/// The vertices of each cell.
fn each(cells: &Collector, numbers: Option<VertexNumbers>) -> Result<Vec<Vec<u64>>, MeshIoError> {
    match numbers {
        None => Ok(Vec::new()),
        Some(VertexNumbers::Legacy { vertices, .. }) => {
            let mut lists = Vec::new();
            let mut rest = vertices.as_slice();
            while let Some((&count, behind)) = rest.split_first() {
                let Some((ids, behind)) = behind.split_at_checked(count as usize) else {
                    let wanted = format!("{count} or more, what a cell counts");
                    return Err(cells.syntax(
                        Place::Unknown,
                        "the number of vertices left",
                        &behind.len(),
                        &wanted,
                    ));
                };
                lists.push(ids.iter().map(|&id| u64::from(id)).collect());
                rest = behind;
            }
            Ok(lists)
        }
        Some(VertexNumbers::XML { connectivity, offsets }) => {
            let mut lists = Vec::new();
            let mut start = 0;
            // A leading zero ends the cell before the first.
            let skipped = usize::from(offsets.first() == Some(&0));
            for &end in &offsets[skipped..] {
                let range = start as usize..usize::try_from(end).unwrap_or(usize::MAX);
                let Some(ids) = connectivity.get(range) else {
                    let wanted = format!("{start} to {}", connectivity.len());
                    return Err(cells.syntax(Place::Unknown, "the offset of a cell", &end, &wanted));
                };
                lists.push(ids.to_vec());
                start = end;
            }
            Ok(lists)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# vtk DataFile Version 3.0\na test\nASCII\n";

    #[test]
    fn polygon_data_with_lines_and_strips() {
        let text = format!(
            "{HEAD}DATASET POLYDATA\nPOINTS 4 double\n0 0 0 1 0 0\n1 1 0.1 0 1 0\nPOLYGONS 1 5\n4 0 1 2 3\nLINES 1 4\n3 0 1 2\n\
             TRIANGLE_STRIPS 1 5\n4 0 1 3 2\n"
        );
        let contents = read(text.as_bytes(), "a.vtk").unwrap();
        assert_eq!(contents.positions[2].z, 0.1);
        assert_eq!(contents.triangles, [[1, 2, 3], [0, 1, 3], [0, 1, 3], [3, 1, 2]]);
        assert_eq!(contents.lines, [[0, 1], [1, 2]]);
    }

    #[test]
    fn unstructured_grids_in_both_versions_of_cells() {
        let points = "DATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n";
        let old = format!("{HEAD}{points}CELLS 3 11\n4 0 1 2 3\n3 0 1 2\n1 0\nCELL_TYPES 3\n10 5 1\n");
        let contents = read(old.as_bytes(), "a.vtk").unwrap();
        assert_eq!((contents.tetrahedra.len(), contents.triangles.len()), (1, 1));
        let head = HEAD.replace("3.0", "5.1");
        let new = format!(
            "{head}{points}CELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1 2\nCELL_TYPES 2\n10 5\n"
        );
        let contents = read(new.as_bytes(), "a.vtk").unwrap();
        assert_eq!(
            (contents.tetrahedra.as_slice(), contents.triangles.len()),
            ([[0, 1, 2, 3]].as_slice(), 1)
        );
    }

    #[test]
    fn damage_is_named() {
        let error = |text: String| read(text.as_bytes(), "a.vtk").unwrap_err().to_string();
        assert!(error("nothing".to_owned()).starts_with("a.vtk: the file is not understood"));
        let text = format!("{HEAD}DATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 4\n3 0 0 7\n");
        assert!(error(text).contains("a vertex of a cell is 7: wanted less than 1"));
    }
}
