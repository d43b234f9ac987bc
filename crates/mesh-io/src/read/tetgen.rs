//! TetGen's nodes and elements: `.node` and `.ele`, in ASCII. Either file of the two may be named; the other lies beside it.
//!
//! The elements have 4 vertices, or 10 of which the first 4 are the corners. The first attribute of an element, if it is a
//! whole number, is its region, a part. Source: H. Si, "TetGen: user's manual", 1.5, section 5.2.

use super::beside::Beside;
use super::lines::Lines;
use super::numbered::Numbering;
use crate::cells::Collector;
use crate::shape::Shape;
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;

/// Reads nodes, and the elements of the file of the same name that ends in `.ele`, if there is one.
pub(super) fn read_nodes(
    bytes: &[u8],
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(beside.file(), Format::TetGenNode, limits);
    let numbering = nodes(bytes, beside.file(), &mut cells)?;
    let other = beside.sibling("ele");
    if let Some(bytes) = beside.optional(&other)? {
        elements(&bytes, &other, &mut cells, numbering)?;
    }
    cells.finish()
}

/// Reads elements, and the nodes of the file of the same name that ends in `.node`.
pub(super) fn read_elements(
    bytes: &[u8],
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let mut cells = Collector::new(beside.file(), Format::TetGenEle, limits);
    let other = beside.sibling("node");
    let numbering = nodes(&beside.bytes(&other)?, &other, &mut cells)?;
    elements(bytes, beside.file(), &mut cells, numbering)?;
    cells.finish()
}

fn nodes(bytes: &[u8], file: &str, cells: &mut Collector) -> Result<Numbering, MeshIoError> {
    let mut lines = Lines::new(file, bytes, Some(b'#'));
    let mut words = lines.wanted("the number of nodes")?;
    let count = words.count("the number of nodes")?;
    let dimension = words.count("the dimension")?;
    if !(2..=3).contains(&dimension) {
        return Err(words.error("the dimension", &dimension, "2 or 3"));
    }
    words.numbers_to_end("a number of the head")?;
    let mut numbering = Numbering::default();
    for _ in 0..count {
        let mut words = lines.wanted("a node")?;
        let number = words.count("the number of a node")?;
        let [x, y] = [words.number("the x of a vertex")?, words.number("the y of a vertex")?];
        let z = if dimension == 3 { words.number("the z of a vertex")? } else { 0.0 };
        words.numbers_to_end("an attribute of a node")?;
        numbering.vertex(number, [x, y, z], cells, &words)?;
    }
    lines.end("the last node that is counted")?;
    Ok(numbering)
}

fn elements(
    bytes: &[u8],
    file: &str,
    cells: &mut Collector,
    numbering: Numbering,
) -> Result<(), MeshIoError> {
    let mut lines = Lines::new(file, bytes, Some(b'#'));
    let mut words = lines.wanted("the number of elements")?;
    let count = words.count("the number of elements")?;
    let nodes = words.count("the number of nodes of an element")?;
    let (shape, nodes) = match nodes {
        3 => (Shape::Triangle, 3),
        4 => (Shape::Tetrahedron, 4),
        6 => (Shape::Triangle, 6),
        10 => (Shape::Tetrahedron, 10),
        other => return Err(words.error("the number of nodes of an element", &other, "3, 4, 6 or 10")),
    };
    let regions = words.next().is_some_and(|attributes| attributes != "0");
    for _ in 0..count {
        let mut words = lines.wanted("an element")?;
        words.count("the number of an element")?;
        let (ids, before, place) = (numbering.ids(nodes, &mut words)?, cells.counts(), words.place);
        if nodes == shape.corners() {
            cells.cell(shape, &ids, place)?;
        } else {
            cells.curved(shape, &ids, place)?;
        }
        if regions {
            let region = words.number("the region of an element")?;
            add_region(cells, region, before, place)?;
        }
        words.numbers_to_end("an attribute of an element")?;
    }
    lines.end("the last element that is counted")
}

fn add_region(
    cells: &mut Collector,
    region: f64,
    before: [usize; 3],
    place: Place,
) -> Result<(), MeshIoError> {
    if region.fract() != 0.0 || region.abs() > 1e15 {
        return Ok(());
    }
    cells.add_to_part(&format!("region {region}"), before, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODES: &str =
        "# four nodes\n4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n\n3 0 1 0 0\n4 0 0 0.1 0\n# made by hand\n";
    const ELEMENTS: &str = "1 4 1\n1 1 2 3 4 7\n";

    fn both(nodes: &str, elements: &str) -> [Result<Contents, MeshIoError>; 2] {
        let find = |name: &str| match name {
            "a.1.node" => Some(nodes.as_bytes().to_vec()),
            "a.1.ele" => Some(elements.as_bytes().to_vec()),
            _ => None,
        };
        let by_nodes = Beside::new("folder/a.1.node", &find, 1 << 20);
        let by_elements = Beside::new("folder/a.1.ele", &find, 1 << 20);
        [
            read_nodes(nodes.as_bytes(), &by_nodes, &Limits::DEFAULT),
            read_elements(elements.as_bytes(), &by_elements, &Limits::DEFAULT),
        ]
    }

    #[test]
    fn either_file_leads_to_the_other() {
        for contents in both(NODES, ELEMENTS).map(Result::unwrap) {
            assert_eq!((contents.positions.len(), contents.positions[3].z), (4, 0.1));
            assert_eq!(
                (contents.tetrahedra.as_slice(), contents.parts[0].name.as_str()),
                ([[0, 1, 2, 3]].as_slice(), "region 7")
            );
        }
        let from_zero =
            NODES.replace("1 0 0 0 1", "0 0 0 0 1").replace("2 1 0", "1 1 0").replace("3 0 1", "2 0 1");
        let from_zero = from_zero.replace("4 0 0 0.1", "3 0 0 0.1");
        for contents in both(&from_zero, "1 4 0\n0 0 1 2 3\n").map(Result::unwrap) {
            assert_eq!(contents.tetrahedra, [[0, 1, 2, 3]]);
        }
        let none = |_: &str| None;
        let alone =
            read_nodes(NODES.as_bytes(), &Beside::new("a.node", &none, 99), &Limits::DEFAULT).unwrap();
        assert_eq!(alone.summary(), "4 points");
        let error = read_elements(ELEMENTS.as_bytes(), &Beside::new("a.ele", &none, 99), &Limits::DEFAULT)
            .unwrap_err();
        assert!(
            error.to_string().starts_with("a.ele: the file \"a.node\" beside it is not there"),
            "{error}"
        );
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let error = |nodes: &str, elements: &str| both(nodes, elements)[1].as_ref().unwrap_err().to_string();
        assert!(
            error(&NODES.replace("3 0 1 0", "5 0 1 0"), ELEMENTS)
                .contains("a.1.node, line 6: the number of a vertex is 5: wanted 3")
        );
        assert!(error(&NODES.replace("\n4 3", "\n5 3"), ELEMENTS).contains("a node is the end of the file"));
        assert!(error(NODES, "1 4 0\n1 1 2 3\n").contains("a.1.ele, line 2: a vertex of a cell is missing"));
        assert!(error(NODES, "1 4 0\n1 0 2 3 4\n").contains("a vertex of a cell is 0: wanted 1 or more"));
        assert!(
            error(NODES, "1 4 0\n1 1 2 3 5\n")
                .contains("line 2: a vertex of a cell is 4: wanted less than 4")
        );
        assert!(
            error(NODES, "1 5 0\n1 1 2 3 4 5\n")
                .contains("the number of nodes of an element is 5: wanted 3, 4, 6 or 10")
        );
        assert!(
            error(NODES, "1 4 0\n1 1 2 3 4\n2 1 2 3 4\n")
                .contains("the last element that is counted is followed by \"2\"")
        );
    }
}
