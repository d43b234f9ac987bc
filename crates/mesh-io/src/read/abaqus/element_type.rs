//! The shapes of Abaqus' elements, by the names of their types.

use crate::shape::Shape;

/// The families: what a name begins with, and the dimension of the cells. Longer beginnings come first.
const FAMILIES: [(&str, u64); 19] = [
    ("SFM3D", 2),
    ("STRI", 2),
    ("AC3D", 3),
    ("DC3D", 3),
    ("FC3D", 3),
    ("COH3D", 3),
    ("RB3D", 1),
    ("C3D", 3),
    ("M3D", 2),
    ("R3D", 2),
    ("T3D", 1),
    ("T2D", 1),
    ("CPS", 2),
    ("CPE", 2),
    ("CAX", 2),
    ("SC", 3),
    ("DS", 2),
    ("B", 1),
    ("S", 2),
];

/// The shape of a type of elements and its number of nodes. `None` for springs, connectors and others without a shape.
pub(super) fn element_type(name: &str) -> Option<(Shape, usize)> {
    let name = name.trim().to_ascii_uppercase();
    let (family, dimension) = FAMILIES.iter().find(|(family, _)| name.starts_with(family))?;
    let behind = &name[family.len()..];
    let digits = behind.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(behind.len());
    let number: usize = behind[..digits].parse().ok()?;
    match (*family, dimension) {
        // `B31`: in space, of the first degree; `B33` has two nodes too.
        ("B", _) => match number {
            21 | 23 | 31 | 33 => Some((Shape::Line, 2)),
            22 | 32 => Some((Shape::Line, 3)),
            _ => None,
        },
        // `STRI65`: six nodes, five degrees of freedom.
        ("STRI", _) => match number {
            3 => Some((Shape::Triangle, 3)),
            65 => Some((Shape::Triangle, 6)),
            _ => None,
        },
        (_, 1) => matches!(number, 2 | 3).then_some((Shape::Line, number)),
        (_, 2) => match number {
            3 | 6 => Some((Shape::Triangle, number)),
            4 | 8 | 9 => Some((Shape::Quadrilateral, number)),
            _ => None,
        },
        _ => match number {
            4 | 10 => Some((Shape::Tetrahedron, number)),
            5 | 13 => Some((Shape::Pyramid, number)),
            6 | 15 => Some((Shape::Wedge, number)),
            8 | 20 | 27 => Some((Shape::Hexahedron, number)),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_shapes() {
        for (name, shape, nodes) in [
            ("C3D4", Shape::Tetrahedron, 4),
            ("c3d10mh", Shape::Tetrahedron, 10),
            ("C3D8R", Shape::Hexahedron, 8),
            ("C3D20", Shape::Hexahedron, 20),
            ("C3D6", Shape::Wedge, 6),
            ("SC8R", Shape::Hexahedron, 8),
            ("C3D5", Shape::Pyramid, 5),
            ("S3R", Shape::Triangle, 3),
            ("S4R5", Shape::Quadrilateral, 4),
            ("STRI65", Shape::Triangle, 6),
            ("CPS3", Shape::Triangle, 3),
            ("R3D4", Shape::Quadrilateral, 4),
            ("M3D3", Shape::Triangle, 3),
            ("T3D2", Shape::Line, 2),
            ("B32", Shape::Line, 3),
        ] {
            assert_eq!(element_type(name), Some((shape, nodes)), "{name}");
        }
        for name in ["SPRING1", "CONN3D2", "MASS", "C3D", "S7", ""] {
            assert_eq!(element_type(name), None, "{name}");
        }
    }
}
