//! The cells of VTK, by the numbers of their types (`Common/DataModel/vtkCellType.h`), as both of its formats write them.

use crate::cells::Collector;
use crate::{MeshIoError, Place};

/// The data sets that are read.
pub(super) const UNSTRUCTURED_OR_POLYGONS: &str = "an unstructured grid or polygon data";

/// Adds a cell by the number of its type.
pub(super) fn cell(cells: &mut Collector, kind: u64, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
    match kind {
        1 | 2 => Ok(()), // Vertices, which are there already.
        3 | 4 => cells.polyline(ids, place),
        5 | 7 | 9 => cells.polygon(ids, place),
        6 => cells.strip(ids, place),
        8 => match *ids {
            // A pixel lists its corners row by row.
            [a, b, c, d] => cells.polygon(&[a, b, d, c], place),
            _ => Err(cells.syntax(place, "the number of vertices of a pixel", &ids.len(), "4")),
        },
        10 => cells.tetrahedron(ids, place),
        11 | 12 => {
            cells.left_out("hexahedra");
            Ok(())
        }
        13 => {
            cells.left_out("wedges");
            Ok(())
        }
        14 => {
            cells.left_out("pyramids");
            Ok(())
        }
        other => {
            cells.left_out(&format!("cells of VTK's type {other}"));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use palpate_math::Limits;

    #[test]
    fn cells_of_every_sort() {
        let mut cells = Collector::new("file", Format::Vtu, &Limits::DEFAULT);
        (0..8).for_each(|i| {
            let point = [f64::from(i % 2), f64::from(i / 2 % 2), f64::from(i / 4)];
            cells.point(point, Place::Unknown).unwrap();
        });
        let ids = [0, 1, 2, 3, 4, 5, 6, 7];
        for (kind, count) in [
            (1, 1),
            (2, 3),
            (3, 2),
            (4, 3),
            (5, 3),
            (6, 4),
            (8, 4),
            (10, 4),
            (11, 8),
            (12, 8),
            (13, 6),
            (14, 5),
            (42, 5),
        ] {
            cell(&mut cells, kind, &ids[..count], Place::Unknown).unwrap();
        }
        let contents = cells.finish().unwrap();
        assert_eq!(contents.lines, [[0, 1], [0, 1], [1, 2]]);
        // A triangle, a strip, and a pixel, whose corners go round as 0, 1, 3, 2.
        assert_eq!(contents.triangles[..3], [[0, 1, 2], [0, 1, 2], [2, 1, 3]]);
        assert_eq!((contents.triangles.len(), contents.split_polygons), (5, 1));
        let left_out = "2 hexahedra left out, 1 pyramids left out, 1 wedges left out";
        assert_eq!(
            contents.summary(),
            format!(
                "8 points, 3 lines, 5 triangles, 1 tetrahedra, 1 cells of VTK's type 42 left out, {left_out}"
            )
        );
    }

    #[test]
    fn a_pixel_has_four_vertices() {
        let mut cells = Collector::new("file", Format::Vtu, &Limits::DEFAULT);
        let error = cell(&mut cells, 8, &[0, 1, 2], Place::Line(3)).unwrap_err().to_string();
        assert_eq!(error, "file, line 3: the number of vertices of a pixel is 3: wanted 4");
    }
}
