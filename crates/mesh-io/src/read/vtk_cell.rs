//! The cells of VTK, by the numbers of their types (`Common/DataModel/vtkCellType.h`), as both of its formats write them.

use crate::cells::Collector;
use crate::shape::Shape;
use crate::{MeshIoError, Place};

/// The data sets that are read.
pub(super) const UNSTRUCTURED_OR_POLYGONS: &str = "an unstructured grid or polygon data";

/// Adds a cell by the number of its type.
pub(super) fn cell(cells: &mut Collector, kind: u64, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
    if let Some((shape, count)) = curved(kind, ids.len()) {
        if ids.len() != count {
            let what = format!("the number of vertices of one of the curved {}", shape.plural());
            return Err(cells.syntax(place, &what, &ids.len(), &count.to_string()));
        }
        return cells.curved(shape, ids, place);
    }
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
        10 => cells.cell(Shape::Tetrahedron, ids, place),
        11 => match *ids {
            [a, b, c, d, e, f, g, h] => cells.cell(Shape::Hexahedron, &[a, b, d, c, e, f, h, g], place),
            _ => Err(cells.syntax(place, "the number of vertices of a voxel", &ids.len(), "8")),
        },
        12 => cells.cell(Shape::Hexahedron, ids, place),
        13 => cells.cell(Shape::Wedge, ids, place),
        14 => cells.cell(Shape::Pyramid, ids, place),
        // The corners of a curved polygon come first.
        36 if ids.len() >= 6 && ids.len().is_multiple_of(2) => {
            cells.polygon(&ids[..ids.len() / 2], place)?;
            cells.straightened(Shape::Quadrilateral);
            Ok(())
        }
        other => {
            cells.left_out(&format!("cells of VTK's type {other}"));
            Ok(())
        }
    }
}

/// The shape of a curved cell and how many vertices it has; where that depends on its degree, `found`.
fn curved(kind: u64, found: usize) -> Option<(Shape, usize)> {
    Some(match kind {
        21 => (Shape::Line, 3),
        22 => (Shape::Triangle, 6),
        23 => (Shape::Quadrilateral, 8),
        24 => (Shape::Tetrahedron, 10),
        25 => (Shape::Hexahedron, 20),
        26 => (Shape::Wedge, 15),
        27 => (Shape::Pyramid, 13),
        28 => (Shape::Quadrilateral, 9),
        29 => (Shape::Hexahedron, 27),
        30 => (Shape::Quadrilateral, 6),
        31 => (Shape::Wedge, 12),
        32 => (Shape::Wedge, 18),
        33 => (Shape::Hexahedron, 24),
        34 => (Shape::Triangle, 7),
        35 => (Shape::Line, 4),
        37 => (Shape::Pyramid, 19),
        // Lagrange's, and Bézier's.
        68 | 75 => (Shape::Line, found),
        69 | 76 => (Shape::Triangle, found),
        70 | 77 => (Shape::Quadrilateral, found),
        71 | 78 => (Shape::Tetrahedron, found),
        72 | 79 => (Shape::Hexahedron, found),
        73 | 80 => (Shape::Wedge, found),
        74 | 81 => (Shape::Pyramid, found),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use palpate_math::Limits;

    #[test]
    fn cells_of_every_sort() {
        let mut cells = Collector::new("file", Format::Vtu, &Limits::DEFAULT);
        (0..27).for_each(|i| {
            let point = [f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)];
            cells.point(point, Place::Unknown).unwrap();
        });
        let ids: Vec<u64> = (0..20).collect();
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
            (24, 10),
            (22, 6),
            (71, 20),
        ] {
            cell(&mut cells, kind, &ids[..count], Place::Unknown).unwrap();
        }
        let contents = cells.finish().unwrap();
        assert_eq!(contents.lines, [[0, 1], [0, 1], [1, 2]]);
        // A triangle, a strip, and a pixel, whose corners go round as 0, 1, 3, 2.
        assert_eq!(contents.triangles[..3], [[0, 1, 2], [0, 1, 2], [2, 1, 3]]);
        assert_eq!((contents.triangles.len(), contents.split_polygons), (6, 1));
        let cut =
            "2 hexahedra cut into tetrahedra, 1 pyramids cut into tetrahedra, 1 wedges cut into tetrahedra";
        let curved = "2 curved tetrahedra taken by their corners, 1 curved triangles taken by their corners";
        assert_eq!(
            contents.summary(),
            format!(
                "27 points, 3 lines, 6 triangles, 20 tetrahedra, {cut}, {curved}, 1 cells of VTK's type 42 left out"
            )
        );
    }

    #[test]
    fn curved_cells_have_all_their_vertices() {
        let mut cells = Collector::new("file", Format::Vtu, &Limits::DEFAULT);
        let error = cell(&mut cells, 24, &[0, 1, 2, 3], Place::Line(3)).unwrap_err().to_string();
        assert_eq!(
            error,
            "file, line 3: the number of vertices of one of the curved tetrahedra is 4: wanted 10"
        );
        let error = cell(&mut cells, 71, &[0, 1, 2], Place::Line(3)).unwrap_err().to_string();
        assert!(error.ends_with("one of the curved tetrahedra is 3: wanted 4 or more"), "{error}");
        cell(&mut cells, 24, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], Place::Line(4)).unwrap();
        assert!(cells.finish().is_err(), "a vertex in the middle of a side is not there");
    }

    #[test]
    fn a_pixel_has_four_vertices() {
        let mut cells = Collector::new("file", Format::Vtu, &Limits::DEFAULT);
        let error = cell(&mut cells, 8, &[0, 1, 2], Place::Line(3)).unwrap_err().to_string();
        assert_eq!(error, "file, line 3: the number of vertices of a pixel is 3: wanted 4");
    }
}
