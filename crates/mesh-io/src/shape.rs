//! The shapes of cells, and how a solid cell is cut into tetrahedra.

use palpate_math::Point;

/// The shape of a cell, whatever its degree: its corners come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Line,
    Triangle,
    Quadrilateral,
    Tetrahedron,
    Hexahedron,
    Wedge,
    Pyramid,
}

impl Shape {
    pub(crate) fn corners(self) -> usize {
        match self {
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quadrilateral | Self::Tetrahedron => 4,
            Self::Pyramid => 5,
            Self::Wedge => 6,
            Self::Hexahedron => 8,
        }
    }

    /// 1 for lines, 2 for faces, 3 for solids.
    pub(crate) fn dimension(self) -> u64 {
        match self {
            Self::Line => 1,
            Self::Triangle | Self::Quadrilateral => 2,
            Self::Tetrahedron | Self::Hexahedron | Self::Wedge | Self::Pyramid => 3,
        }
    }

    /// The word for several of them.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Line => "lines",
            Self::Triangle => "triangles",
            Self::Quadrilateral => "quadrilaterals",
            Self::Tetrahedron => "tetrahedra",
            Self::Hexahedron => "hexahedra",
            Self::Wedge => "wedges",
            Self::Pyramid => "pyramids",
        }
    }

    /// The faces by local corners, seen from outside counter-clockwise where the last corners are above the first; none of a
    /// shape that is not cut.
    fn faces(self) -> &'static [&'static [usize]] {
        match self {
            Self::Hexahedron => {
                &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]]
            }
            Self::Wedge => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
            Self::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
            _ => &[],
        }
    }
}

/// Cuts a cell into tetrahedra without new vertices: each face along its diagonal from its lowest vertex, and the faces that
/// lack the lowest vertex of the cell joined to it. Cells that share a face cut it alike, whatever their shapes (Dompierre,
/// Labbé, Vallet and Camarero 1999). A cell with a vertex twice has fewer tetrahedra.
pub(crate) fn cut(shape: Shape, ids: &[u32]) -> Vec<[u32; 4]> {
    let mut tetrahedra = Vec::with_capacity(6);
    let Some(&lowest) = ids.iter().min() else { return tetrahedra };
    for face in shape.faces() {
        let mut corners: Vec<u32> = face.iter().map(|&corner| ids[corner]).collect();
        if corners.contains(&lowest) {
            continue;
        }
        let first = (0..corners.len()).min_by_key(|&corner| corners[corner]).unwrap_or(0);
        corners.rotate_left(first);
        for side in corners[1..].windows(2) {
            let [a, b, c] = [corners[0], side[0], side[1]];
            if a != b && b != c && c != a {
                tetrahedra.push([a, c, b, lowest]);
            }
        }
    }
    tetrahedra
}

/// Turns the tetrahedra of one cell so that their volume is positive: writers disagree on the order of the corners of a wedge.
pub(crate) fn turn(tetrahedra: &mut [[u32; 4]], positions: &[Point]) {
    let volume = |ids: &[u32; 4]| {
        let [a, b, c, d] = ids.map(|id| positions[id as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a))
    };
    if tetrahedra.iter().map(volume).sum::<f64>() < 0.0 {
        tetrahedra.iter_mut().for_each(|ids| ids.swap(2, 3));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A cube is 6 tetrahedra, a wedge 3, a pyramid 2, whatever the numbers; their volumes sum up to that of the cell.
    #[test]
    fn volumes_sum_up() {
        let cube = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        let wedge = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1]];
        let pyramid = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]];
        let cases: [(Shape, &[[i32; 3]], usize, f64); 3] = [
            (Shape::Hexahedron, &cube, 6, 6.0),
            (Shape::Wedge, &wedge, 3, 3.0),
            (Shape::Pyramid, &pyramid, 2, 2.0),
        ];
        for (shape, corners, count, volume) in cases {
            for seed in 0..200_usize {
                // A permutation of the numbers of the corners.
                let mut numbers: Vec<u32> = (0..corners.len() as u32).collect();
                let mut rest = seed * 7919 + 13;
                for index in (1..numbers.len()).rev() {
                    numbers.swap(index, rest % (index + 1));
                    rest = rest / (index + 1) + rest * 31 % 1009;
                }
                let mut positions = vec![Point::origin(); corners.len()];
                for (&number, corner) in numbers.iter().zip(corners) {
                    positions[number as usize] = Point::from(corner.map(f64::from));
                }
                let mut tetrahedra = cut(shape, &numbers);
                assert_eq!(tetrahedra.len(), count);
                turn(&mut tetrahedra, &positions);
                let six = |ids: &[u32; 4]| {
                    let [a, b, c, d] = ids.map(|id| positions[id as usize]);
                    (b - a).cross(&(c - a)).dot(&(d - a))
                };
                assert!(tetrahedra.iter().all(|ids| six(ids) == 1.0), "{shape:?} {numbers:?}");
                assert_eq!(tetrahedra.iter().map(six).sum::<f64>(), volume);
            }
        }
    }

    /// Every face within a block of cells with shuffled numbers has two tetrahedra; on its outside one.
    #[test]
    fn neighbours_agree() {
        let side = 5_usize;
        let number = |x: usize, y: usize, z: usize| {
            let index = x + side * (y + side * z);
            (index * 7 % (side * side * side)) as u32
        };
        let mut tetrahedra = Vec::new();
        for cell in 0..(side - 1).pow(3) {
            let [x, y, z] =
                [cell % (side - 1), cell / (side - 1) % (side - 1), cell / (side - 1) / (side - 1)];
            let at = |dx: usize, dy: usize, dz: usize| number(x + dx, y + dy, z + dz);
            let [a, b, c, d] = [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)];
            let [e, f, g, h] = [at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)];
            let corners = [a, b, c, d, e, f, g, h];
            // Columns of one shape each: the triangles of wedges meet triangles.
            match (x + y) % 3 {
                0 => tetrahedra.extend(cut(Shape::Hexahedron, &corners)),
                1 => {
                    tetrahedra.extend(cut(Shape::Wedge, &[a, b, d, e, f, h]));
                    tetrahedra.extend(cut(Shape::Wedge, &[b, c, d, f, g, h]));
                }
                _ => {
                    let middle = (side.pow(3) + cell) as u32;
                    for face in Shape::Hexahedron.faces() {
                        let [p, q, r, s] = [face[0], face[1], face[2], face[3]].map(|corner| corners[corner]);
                        tetrahedra.extend(cut(Shape::Pyramid, &[p, q, r, s, middle]));
                    }
                }
            }
        }
        let mut faces: HashMap<[u32; 3], usize> = HashMap::new();
        for ids in &tetrahedra {
            for leave in 0..4 {
                let mut face: Vec<u32> = (0..4).filter(|&k| k != leave).map(|k| ids[k]).collect();
                face.sort_unstable();
                *faces.entry([face[0], face[1], face[2]]).or_default() += 1;
            }
        }
        let once = faces.values().filter(|&&count| count == 1).count();
        assert!(faces.values().all(|&count| count <= 2));
        assert_eq!(once, 6 * 2 * (side - 1).pow(2));
    }
}
