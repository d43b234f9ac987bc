//! Collects the points and cells of a file during reading.

use crate::shape::{self, Shape};
use crate::{Contents, Format, MeshIoError, Part, Place};
use palpate_math::{Limits, Point, polygon};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Runs of consecutive cells of all parts together, at most: more than the cells of the largest meshes, and a bound where every
/// cell is in every part.
const RUNS: usize = 1 << 24;

/// The contents of a file under construction.
pub(crate) struct Collector {
    contents: Contents,
    /// The largest vertex id in a cell, and its place in the file: vertices may follow the cells.
    largest: Option<(u64, Place)>,
    /// Polygons with more than three corners, and the number of their first triangle: triangulated when all
    /// vertices are known.
    polygons: Vec<(usize, Vec<u32>)>,
    /// The tetrahedra of each cell that was cut: turned when all vertices are known.
    cuts: Vec<Range<usize>>,
    /// The parts by name, and how many runs of cells they have.
    parts: HashMap<String, usize>,
    runs: usize,
    limits: Limits,
}

impl Collector {
    pub(crate) fn new(file: &str, format: Format, limits: &Limits) -> Self {
        let contents = Contents {
            file: file.to_owned(),
            format,
            positions: Vec::new(),
            lines: Vec::new(),
            triangles: Vec::new(),
            tetrahedra: Vec::new(),
            split_polygons: 0,
            cut_cells: BTreeMap::new(),
            straightened: BTreeMap::new(),
            left_out: BTreeMap::new(),
            parts: Vec::new(),
        };
        let (polygons, cuts, parts) = (Vec::new(), Vec::new(), HashMap::new());
        Self { contents, largest: None, polygons, cuts, parts, runs: 0, limits: *limits }
    }

    pub(crate) fn file(&self) -> &str {
        &self.contents.file
    }

    pub(crate) fn point_count(&self) -> usize {
        self.contents.positions.len()
    }

    /// A vertex. Errors: a coordinate that is not finite.
    pub(crate) fn point(&mut self, coordinates: [f64; 3], place: Place) -> Result<(), MeshIoError> {
        if let Some(axis) = (0..3).find(|&axis| !coordinates[axis].is_finite()) {
            let what = format!("the {} of vertex {}", ["x", "y", "z"][axis], self.point_count());
            return Err(self.syntax(place, &what, &coordinates[axis], "a finite number"));
        }
        self.contents.positions.push(Point::from(coordinates));
        Ok(())
    }

    /// A polyline through these vertices.
    pub(crate) fn polyline(&mut self, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
        let ids = self.checked(ids, 2, "a line", place)?;
        self.contents.lines.extend(ids.windows(2).map(|pair| [pair[0], pair[1]]));
        Ok(())
    }

    /// A polygon, triangulated at the end.
    pub(crate) fn polygon(&mut self, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
        let ids = self.checked(ids, 3, "a face", place)?;
        if ids.len() as u64 > self.limits.polygon_corners {
            let (found, value) = (ids.len() as u64, self.limits.polygon_corners);
            let (file, what) = (self.file().to_owned(), format!("{place}: the number of corners of a face"));
            return Err(MeshIoError::Limit { file, what, found, limit: "polygon_corners", value });
        }
        if ids.len() > 3 {
            self.polygons.push((self.contents.triangles.len(), ids.clone()));
        }
        self.contents.triangles.extend(ids[1..].windows(2).map(|side| [ids[0], side[0], side[1]]));
        Ok(())
    }

    /// A triangle strip, every other triangle reversed.
    pub(crate) fn strip(&mut self, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
        let ids = self.checked(ids, 3, "a strip", place)?;
        self.contents.triangles.extend(ids.windows(3).enumerate().map(|(index, corners)| {
            let [a, b, c] = [corners[0], corners[1], corners[2]];
            if index % 2 == 0 { [a, b, c] } else { [b, a, c] }
        }));
        Ok(())
    }

    /// A cell with straight sides. Errors: another number of vertices than its shape has corners.
    pub(crate) fn cell(&mut self, shape: Shape, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
        let wanted = shape.corners();
        if ids.len() != wanted {
            let what = format!("the number of vertices of one of the {}", shape.plural());
            return Err(self.syntax(place, &what, &ids.len(), &wanted.to_string()));
        }
        match shape {
            Shape::Line => self.polyline(ids, place),
            Shape::Triangle | Shape::Quadrilateral => self.polygon(ids, place),
            Shape::Tetrahedron => {
                let ids = self.checked(ids, wanted, "a tetrahedron", place)?;
                self.contents.tetrahedra.push([ids[0], ids[1], ids[2], ids[3]]);
                Ok(())
            }
            Shape::Hexahedron | Shape::Wedge | Shape::Pyramid => {
                let ids = self.checked(ids, wanted, "a cell", place)?;
                let start = self.contents.tetrahedra.len();
                self.contents.tetrahedra.extend(shape::cut(shape, &ids));
                self.cuts.push(start..self.contents.tetrahedra.len());
                *self.contents.cut_cells.entry(shape.plural().to_owned()).or_default() += 1;
                Ok(())
            }
        }
    }

    /// A curved cell, taken by its corners, which come first. Errors: fewer vertices than corners.
    pub(crate) fn curved(&mut self, shape: Shape, ids: &[u64], place: Place) -> Result<(), MeshIoError> {
        let Some(corners) = ids.get(..shape.corners()) else {
            let what = format!("the number of vertices of one of the curved {}", shape.plural());
            return Err(self.syntax(place, &what, &ids.len(), &format!("{} or more", shape.corners())));
        };
        // The others must be there too.
        self.checked(ids, 0, "a cell", place)?;
        self.cell(shape, corners, place)?;
        self.straightened(shape);
        Ok(())
    }

    /// Counts a curved cell that was taken by its corners.
    pub(crate) fn straightened(&mut self, shape: Shape) {
        *self.contents.straightened.entry(format!("curved {}", shape.plural())).or_default() += 1;
    }

    /// The numbers of lines, triangles and tetrahedra so far.
    pub(crate) fn counts(&self) -> [usize; 3] {
        [self.contents.lines.len(), self.contents.triangles.len(), self.contents.tetrahedra.len()]
    }

    /// Adds the cells behind `before`, which [`counts`](Self::counts) gave, to the part of that name. Errors: too many runs.
    pub(crate) fn add_to_part(
        &mut self,
        name: &str,
        before: [usize; 3],
        place: Place,
    ) -> Result<(), MeshIoError> {
        let now = self.counts();
        self.add_run(name, [before[0]..now[0], before[1]..now[1], before[2]..now[2]], place)
    }

    /// Adds runs of lines, triangles and tetrahedra to the part of that name; in each part ascending.
    pub(crate) fn add_run(
        &mut self,
        name: &str,
        cells: [Range<usize>; 3],
        place: Place,
    ) -> Result<(), MeshIoError> {
        let index = match self.parts.get(name) {
            Some(&index) => index,
            None => {
                self.parts.insert(name.to_owned(), self.contents.parts.len());
                self.contents.parts.push(Part { name: name.to_owned(), ..Part::default() });
                self.contents.parts.len() - 1
            }
        };
        let part = &mut self.contents.parts[index];
        let mut more = 0;
        for (runs, run) in [&mut part.lines, &mut part.triangles, &mut part.tetrahedra].into_iter().zip(cells)
        {
            match runs.last_mut() {
                _ if run.is_empty() => {}
                Some(last) if last.end == run.start => last.end = run.end,
                _ => {
                    runs.push(run);
                    more += 1;
                }
            }
        }
        self.runs += more;
        if self.runs > RUNS {
            let wanted = format!("at most {RUNS} runs of cells in all parts");
            return Err(self.syntax(place, "the number of runs of cells in parts", &self.runs, &wanted));
        }
        Ok(())
    }

    /// A cell without a palpate mesh type.
    pub(crate) fn left_out(&mut self, sort: &str) {
        *self.contents.left_out.entry(sort.to_owned()).or_default() += 1;
    }

    /// The contents, if every vertex referred to by a cell exists.
    pub(crate) fn finish(self) -> Result<Contents, MeshIoError> {
        let count = self.contents.positions.len();
        if let Some((id, place)) = self.largest
            && id >= count as u64
        {
            let wanted = format!("less than {count}, the number of vertices (counted from 0)");
            return Err(self.syntax(place, "a vertex of a cell", &id, &wanted));
        }
        let Self { mut contents, polygons, cuts, .. } = self;
        for range in cuts {
            shape::turn(&mut contents.tetrahedra[range], &contents.positions);
        }
        contents.parts.retain(|part| part.counts() != [0; 3]);
        contents.split_polygons = polygons.len();
        for (first, ids) in polygons {
            let corners: Vec<Point> = ids.iter().map(|&id| contents.positions[id as usize]).collect();
            let triangles = polygon::triangulated(&corners);
            for (place, corners) in contents.triangles[first..].iter_mut().zip(triangles) {
                *place = corners.map(|corner| ids[corner]);
            }
        }
        Ok(contents)
    }

    /// An error about this file.
    pub(crate) fn syntax(
        &self,
        place: Place,
        what: &str,
        found: &dyn std::fmt::Display,
        wanted: &str,
    ) -> MeshIoError {
        syntax(self.file(), place, what, found, wanted)
    }

    fn checked(
        &mut self,
        ids: &[u64],
        least: usize,
        what: &str,
        place: Place,
    ) -> Result<Vec<u32>, MeshIoError> {
        if ids.len() < least {
            let what = format!("the number of vertices of {what}");
            return Err(self.syntax(place, &what, &ids.len(), &format!("{least} or more")));
        }
        let mut small = Vec::with_capacity(ids.len());
        for &id in ids {
            if self.largest.is_none_or(|(largest, _)| id > largest) {
                self.largest = Some((id, place));
            }
            // The largest value of all is reserved for "none".
            let fits = u32::try_from(id).ok().filter(|&id| id != u32::MAX);
            small.push(
                fits.ok_or_else(|| self.syntax(place, "a vertex of a cell", &id, "less than 2^32 - 1"))?,
            );
        }
        Ok(small)
    }
}

/// An error about a file that violates its format.
pub(crate) fn syntax(
    file: &str,
    place: Place,
    what: &str,
    found: &dyn std::fmt::Display,
    wanted: &str,
) -> MeshIoError {
    let file = file.to_owned();
    let shorten =
        |text: String| if text.len() > 80 { text.chars().take(80).collect::<String>() + "…" } else { text };
    MeshIoError::Syntax {
        file,
        place,
        what: what.to_owned(),
        found: shorten(found.to_string()),
        wanted: wanted.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collector() -> Collector {
        let mut collector = Collector::new("file", Format::Obj, &Limits::DEFAULT);
        // A pentagon with a blunt corner 3, and a separate point.
        for [x, y] in [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 4.5], [0.0, 4.0], [9.0, 9.0]] {
            collector.point([x, y, 0.0], Place::Unknown).unwrap();
        }
        collector
    }

    #[test]
    fn polygons_and_polylines_are_cut_and_strips_turn() {
        let mut collector = collector();
        collector.polygon(&[0, 1, 2, 3, 4], Place::Unknown).unwrap();
        collector.strip(&[0, 1, 2, 3], Place::Unknown).unwrap();
        collector.polyline(&[3, 4, 5], Place::Unknown).unwrap();
        collector.left_out("hexahedron");
        let contents = collector.finish().unwrap();
        assert_eq!(contents.triangles, [[2, 3, 4], [0, 1, 2], [0, 2, 4], [0, 1, 2], [2, 1, 3]]);
        assert_eq!((contents.lines.as_slice(), contents.split_polygons), ([[3, 4], [4, 5]].as_slice(), 1));
        assert_eq!(contents.summary(), "6 points, 2 lines, 5 triangles, 1 hexahedron left out");
    }

    #[test]
    fn vertices_that_are_not_there_are_named_with_their_place() {
        let mut collector = collector();
        collector.polygon(&[0, 1, 6], Place::Line(9)).unwrap();
        let error = collector.finish().unwrap_err().to_string();
        let wanted = "wanted less than 6, the number of vertices (counted from 0)";
        assert_eq!(error, format!("file, line 9: a vertex of a cell is 6: {wanted}"));
    }

    #[test]
    fn coordinates_are_finite_and_polygons_have_a_limit() {
        let mut collector = collector();
        let error = collector.point([0.0, f64::NAN, 0.0], Place::Line(3)).unwrap_err().to_string();
        assert_eq!(error, "file, line 3: the y of vertex 6 is NaN: wanted a finite number");
        let error = collector.point([0.0, 0.0, f64::INFINITY], Place::Byte(3)).unwrap_err().to_string();
        assert_eq!(error, "file, byte 3: the z of vertex 6 is inf: wanted a finite number");
        collector.limits.polygon_corners = 4;
        collector.polygon(&[0, 1, 2, 3], Place::Unknown).unwrap();
        let error = collector.polygon(&[0, 1, 2, 3, 4], Place::Line(7)).unwrap_err().to_string();
        let wanted = "wanted at most 4, the limit polygon_corners";
        assert_eq!(error, format!("file, line 7: the number of corners of a face is 5: {wanted}"));
    }
}
