//! Gmsh's format in ASCII, versions 1 (`$NOD`, `$ELM`), 2 and 4 (`$MeshFormat`).
//!
//! Nodes have their own tags; vertices are numbered in the order of the nodes. Elements of all groups are read,
//! including boundary elements: the caller chooses the kind.

use super::lines::{Lines, Words};
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;
use std::collections::HashMap;

/// The sections that are read.
const SECTIONS: [&str; 5] = ["$MeshFormat", "$NOD", "$Nodes", "$ELM", "$Elements"];

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let mut mesh = Reading {
        cells: Collector::new(file, Format::Gmsh, limits),
        lines: Lines::new(file, bytes, None),
        vertices: HashMap::new(),
    };
    let mut version = 1.0;
    let mut known = false;
    while let Some(mut words) = mesh.lines.next() {
        let Some(section) = words.next() else { continue };
        // Capitals are as good.
        let known_name = SECTIONS.iter().copied().find(|name| name.eq_ignore_ascii_case(section));
        match known_name.unwrap_or(section) {
            "$MeshFormat" => {
                version = mesh.version(file)?;
                mesh.end("$MeshFormat")?;
            }
            name @ ("$NOD" | "$Nodes" | "$ELM" | "$Elements") => {
                match name {
                    "$Nodes" if version >= 4.0 => mesh.nodes_in_blocks(version)?,
                    "$Elements" if version >= 4.0 => mesh.elements_in_blocks()?,
                    "$NOD" | "$Nodes" => mesh.nodes_in_lines()?,
                    _ => mesh.elements_in_lines(name == "$ELM")?,
                }
                mesh.end(name)?;
            }
            _ if !section.starts_with('$') => {
                let (what, wanted) = if known {
                    ("the name of a section", "$Nodes, $Elements or another section of Gmsh")
                } else {
                    ("the first word", "$MeshFormat or $NOD")
                };
                return Err(words.error(what, &format_args!("{section:?}"), wanted));
            }
            // Sections without a mesh.
            _ => mesh.skip(section)?,
        }
        known = true;
    }
    mesh.cells.finish()
}

struct Reading<'a> {
    cells: Collector,
    lines: Lines<'a>,
    /// The vertex of each node tag.
    vertices: HashMap<u64, u64>,
}

impl Reading<'_> {
    fn version(&mut self, file: &str) -> Result<f64, MeshIoError> {
        let mut words = self.lines.wanted("the version")?;
        let version = words.number("the version")?;
        let refused = |what, found: String, wanted| {
            let file = file.to_owned();
            Err(MeshIoError::Unsupported { file, what, found, wanted })
        };
        if words.count("the encoding")? != 0 {
            return refused("the encoding", "binary".to_owned(), "ASCII (gmsh -save -bin 0)");
        }
        if (2.0..3.0).contains(&version) || (4.0..5.0).contains(&version) {
            return Ok(version);
        }
        refused("the version", version.to_string(), "1, 2 or 4")
    }

    /// The end of a section, behind all that it counts.
    fn end(&mut self, section: &str) -> Result<(), MeshIoError> {
        let name = section.trim_start_matches('$');
        // Version 1 has `$NOD` and `$ENDNOD`.
        let wanted =
            if matches!(name, "NOD" | "ELM") { format!("$END{name}") } else { format!("$End{name}") };
        let mut words = self.lines.wanted("the end of a section")?;
        match words.next() {
            Some(word) if word.eq_ignore_ascii_case(&wanted) => Ok(()),
            word => Err(words.error(
                "the end of a section",
                &format_args!("{:?}", word.unwrap_or_default()),
                &wanted,
            )),
        }
    }

    /// Passes over a section to its end.
    fn skip(&mut self, section: &str) -> Result<(), MeshIoError> {
        let end = format!("$End{}", section.trim_start_matches('$'));
        loop {
            let mut words = self.lines.wanted(&format!("the end of the section {section:?}"))?;
            if words.next().is_some_and(|word| word.eq_ignore_ascii_case(&end)) {
                return Ok(());
            }
        }
    }

    fn node(&mut self, words: &Words<'_>, tag: u64, point: [f64; 3]) -> Result<(), MeshIoError> {
        if self.vertices.insert(tag, self.cells.point_count() as u64).is_some() {
            return Err(words.error("the tag of a node", &tag, "one that no node before it has"));
        }
        self.cells.point(point, words.place)
    }

    fn nodes_in_lines(&mut self) -> Result<(), MeshIoError> {
        let count = self.lines.wanted("the number of nodes")?.count("the number of nodes")?;
        for _ in 0..count {
            let mut words = self.lines.wanted("a node")?;
            let tag = words.count("the tag of a node")?;
            let point = words.point()?;
            self.node(&words, tag, point)?;
        }
        Ok(())
    }

    /// Version 4.0 has the tag and position of a node in one line; 4.1 has all tags of a block first, then all
    /// positions.
    fn nodes_in_blocks(&mut self, version: f64) -> Result<(), MeshIoError> {
        let blocks = self.lines.wanted("the number of blocks")?.count("the number of blocks")?;
        for _ in 0..blocks {
            let mut words = self.lines.wanted("a block of nodes")?;
            for what in ["an entity", "an entity", "whether nodes are parametric"] {
                words.number(what)?;
            }
            let count = words.count("the number of nodes")?;
            if version < 4.1 {
                for _ in 0..count {
                    let mut words = self.lines.wanted("a node")?;
                    let tag = words.count("the tag of a node")?;
                    let point = words.point()?;
                    self.node(&words, tag, point)?;
                }
                continue;
            }
            let mut tags = Vec::new();
            for _ in 0..count {
                tags.push(self.lines.wanted("the tag of a node")?.count("the tag of a node")?);
            }
            for tag in tags {
                let mut words = self.lines.wanted("a node")?;
                let point = words.point()?;
                self.node(&words, tag, point)?;
            }
        }
        Ok(())
    }

    /// Version 1 has two numbers for groups and the number of nodes before the nodes; version 2 has as many tags as
    /// it declares.
    fn elements_in_lines(&mut self, first_version: bool) -> Result<(), MeshIoError> {
        let count = self.lines.wanted("the number of elements")?.count("the number of elements")?;
        for _ in 0..count {
            let mut words = self.lines.wanted("an element")?;
            words.count("the number of an element")?;
            let kind = words.count("the type of an element")?;
            let passed_over = if first_version { 3 } else { words.count("the number of tags")? };
            for _ in 0..passed_over {
                words.number("a tag of an element")?;
            }
            self.element(kind, &mut words)?;
        }
        Ok(())
    }

    /// Version 4.0 has the tag of the entity before its dimension; neither is used.
    fn elements_in_blocks(&mut self) -> Result<(), MeshIoError> {
        let blocks = self.lines.wanted("the number of blocks")?.count("the number of blocks")?;
        for _ in 0..blocks {
            let mut words = self.lines.wanted("a block of elements")?;
            words.number("an entity")?;
            words.number("an entity")?;
            let kind = words.count("the type of the elements")?;
            let count = words.count("the number of elements")?;
            for _ in 0..count {
                let mut words = self.lines.wanted("an element")?;
                words.count("the tag of an element")?;
                self.element(kind, &mut words)?;
            }
        }
        Ok(())
    }

    /// The nodes of an element, to the end of its line.
    fn element(&mut self, kind: u64, words: &mut Words<'_>) -> Result<(), MeshIoError> {
        let corners = match kind {
            1 => 2,
            2 => 3,
            3 | 4 => 4,
            15 => return Ok(()), // A point, which exists already.
            5 => return self.left_out("hexahedra"),
            6 => return self.left_out("prisms"),
            7 => return self.left_out("pyramids"),
            other => return self.left_out(&format!("elements of Gmsh's type {other}")),
        };
        let tags = words.counts("a node of an element")?;
        if tags.len() != corners {
            return Err(words.error("the number of nodes", &tags.len(), &corners.to_string()));
        }
        let vertex = |tag: &u64| {
            let known = self.vertices.get(tag).copied();
            known.ok_or_else(|| words.error("a node of an element", tag, "the tag of a node"))
        };
        let ids: Vec<u64> = tags.iter().map(vertex).collect::<Result<_, _>>()?;
        match kind {
            1 => self.cells.polyline(&ids, words.place),
            4 => self.cells.tetrahedron(&ids, words.place),
            _ => self.cells.polygon(&ids, words.place),
        }
    }

    fn left_out(&mut self, sort: &str) -> Result<(), MeshIoError> {
        self.cells.left_out(sort);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "$NOD\n4\n7 0 0 0\n2 1 0 0\n9 0 1 0\n4 0 0 0.1\n$ENDNOD\n$ELM\n3\n1 1 1 1 2 7 2\n2 2 1 1 3 7 2 9\n\
        3 4 1 1 4 7 2 9 4\n$ENDELM\n";
    const SECOND: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"organ\"\n$EndPhysicalNames\n\
        $Nodes\n4\n7 0 0 0\n2 1 0 0\n9 0 1 0\n4 0 0 0.1\n$EndNodes\n\
        $Elements\n5\n1 1 2 1 1 7 2\n2 2 2 1 1 7 2 9\n3 4 3 1 1 1 7 2 9 4\n4 15 1 1 7\n5 5 0 7 2 9 4 7 2 9 4\n$EndElements\n";
    const FOURTH: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 4 2 9\n0 1 0 2\n7\n2\n0 0 0\n1 0 0\n2 1 0 2\n9\n4\n\
        0 1 0\n0 0 0.1\n$EndNodes\n$Elements\n3 3 1 3\n1 1 1 1\n1 7 2\n2 1 2 1\n2 7 2 9\n3 1 4 1\n3 7 2 9 4\n$EndElements\n";
    const FOURTH_ZERO: &str = "$MeshFormat\n4 0 8\n$EndMeshFormat\n$Nodes\n1 4\n1 2 0 4\n7 0 0 0\n2 1 0 0\n9 0 1 0\n4 0 0 0.1\n\
        $EndNodes\n$Elements\n3 3\n1 1 1 1\n1 7 2\n1 2 2 1\n2 7 2 9\n1 3 4 1\n3 7 2 9 4\n$EndElements\n";

    #[test]
    fn all_versions_hold_the_same_mesh() {
        for text in [FIRST, SECOND, FOURTH, FOURTH_ZERO] {
            let contents = read(text.as_bytes(), "a.msh", &Limits::DEFAULT).unwrap();
            assert_eq!((contents.positions.len(), contents.positions[3].z), (4, 0.1));
            assert_eq!(contents.lines, [[0, 1]]);
            assert_eq!(contents.triangles, [[0, 1, 2]]);
            assert_eq!(contents.tetrahedra, [[0, 1, 2, 3]]);
        }
        let contents = read(SECOND.as_bytes(), "a.msh", &Limits::DEFAULT).unwrap();
        assert_eq!(contents.left_out.get("hexahedra"), Some(&1));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: String| read(text.as_bytes(), "a.msh", &Limits::DEFAULT).unwrap_err().to_string();
        assert!(error(SECOND.replace("2.2 0 8", "2.2 1 8")).contains("the encoding is binary"));
        assert!(error(SECOND.replace("2.2 0 8", "3 0 8")).contains("the version is 3: wanted 1, 2 or 4"));
        assert!(
            error(FIRST.replace("1 3 7 2 9", "1 3 7 2 8")).contains("line 11: a node of an element is 8")
        );
        assert!(
            error(FIRST.replace("1 3 7 2 9", "1 3 7 2"))
                .contains("line 11: the number of nodes is 2: wanted 3")
        );
        assert!(error(FIRST.replace("4 0 0 0.1", "7 0 0 0.1")).contains("line 6: the tag of a node is 7"));
        let fewer = SECOND.replace("$Elements\n5", "$Elements\n4");
        assert!(
            error(SECOND.replace("$EndPhysicalNames\n", ""))
                .contains("the end of the section \"$PhysicalNames\" is the end of the file")
        );
        assert!(error(fewer).contains("line 21: the end of a section is \"5\": wanted $EndElements"));
        let stray = SECOND.replace("$Elements\n", "1 2 3\n$Elements\n");
        assert!(error(stray).contains("line 15: the name of a section is \"1\": wanted $Nodes"));
        assert!(error(SECOND.replace("0 0 0.1", "0 0 inf")).contains("line 13: the z of vertex 3 is inf"));
        assert!(error("solid\n".to_owned()).contains("line 1: the first word is \"solid\""));
    }
}
