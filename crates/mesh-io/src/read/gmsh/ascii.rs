//! Gmsh's format in ASCII.

use super::super::lines::{Lines, Words};
use super::elements::{Elements, Kind};
use super::groups::GROUPS_WANTED;
use super::head;
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;

/// The sections that are read.
const SECTIONS: [&str; 7] =
    ["$MeshFormat", "$PhysicalNames", "$Entities", "$NOD", "$Nodes", "$ELM", "$Elements"];

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let cells = Collector::new(file, Format::Gmsh, limits);
    let mut mesh = Reading { mesh: Elements::new(cells), lines: Lines::new(file, bytes, None) };
    let mut version = 1.0;
    let mut known = false;
    while let Some(mut words) = mesh.lines.next() {
        let Some(section) = words.next() else { continue };
        // Capitals are as good.
        let known_name = SECTIONS.iter().copied().find(|name| name.eq_ignore_ascii_case(section));
        match known_name.unwrap_or(section) {
            "$MeshFormat" => {
                version = head::head(&mut mesh.lines.wanted("the version")?, file)?.version;
                mesh.end("$MeshFormat")?;
            }
            "$PhysicalNames" => {
                mesh.mesh.groups.names(&mut mesh.lines)?;
                mesh.end("$PhysicalNames")?;
            }
            "$Entities" if version >= 4.0 => {
                mesh.entities(version)?;
                mesh.end("$Entities")?;
            }
            name @ ("$NOD" | "$Nodes" | "$ELM" | "$Elements") => {
                match name {
                    "$Nodes" if version >= 4.0 => mesh.nodes_in_blocks(version)?,
                    "$Elements" if version >= 4.0 => mesh.elements_in_blocks(version)?,
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
    mesh.mesh.cells.finish()
}

struct Reading<'a> {
    mesh: Elements,
    lines: Lines<'a>,
}

impl Reading<'_> {
    /// The physical groups of the entities: for each dimension the number of entities, then a line for each of them, with its
    /// position or box before the groups.
    fn entities(&mut self, version: f64) -> Result<(), MeshIoError> {
        let mut words = self.lines.wanted("the numbers of entities")?;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = words.count("the number of entities")?;
        }
        for (dimension, count) in (0..).zip(counts) {
            let numbers = if dimension == 0 && version >= 4.1 { 3 } else { 6 };
            for _ in 0..count {
                let mut words = self.lines.wanted("an entity")?;
                let tag = words.whole("the tag of an entity")?;
                for _ in 0..numbers {
                    words.number("the box of an entity")?;
                }
                let count = words.count("the number of groups of an entity")?;
                let mut groups = Vec::new();
                for _ in 0..count {
                    groups.push(words.whole("a group of an entity")?);
                }
                if let Err(found) = self.mesh.groups.add_entity((dimension, tag), groups) {
                    return Err(words.error("the number of groups of an entity", &found, GROUPS_WANTED));
                }
            }
        }
        Ok(())
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

    fn nodes_in_lines(&mut self) -> Result<(), MeshIoError> {
        let count = self.lines.wanted("the number of nodes")?.count("the number of nodes")?;
        for _ in 0..count {
            let mut words = self.lines.wanted("a node")?;
            let tag = words.count("the tag of a node")?;
            let point = words.point()?;
            self.mesh.node(tag, point, words.place)?;
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
                    self.mesh.node(tag, point, words.place)?;
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
                self.mesh.node(tag, point, words.place)?;
            }
        }
        Ok(())
    }

    /// Version 1 has two numbers for groups and the number of nodes before the nodes; version 2 has as many tags as
    /// it declares. The first of them is the physical group, 0 for none.
    fn elements_in_lines(&mut self, first_version: bool) -> Result<(), MeshIoError> {
        let count = self.lines.wanted("the number of elements")?.count("the number of elements")?;
        for _ in 0..count {
            let mut words = self.lines.wanted("an element")?;
            words.count("the number of an element")?;
            let kind = words.count("the type of an element")?;
            let tags = if first_version { 3 } else { words.count("the number of tags")? };
            let mut group = 0;
            for index in 0..tags {
                let tag = words.whole("a tag of an element")?;
                if index == 0 {
                    group = tag;
                }
            }
            let groups = match Kind::of(kind).and_then(|kind| kind.shape) {
                Some(shape) if group != 0 => {
                    vec![self.mesh.groups.name((shape.dimension(), group.saturating_abs()))]
                }
                _ => Vec::new(),
            };
            let before = self.mesh.cells.counts();
            self.element(kind, &mut words)?;
            self.mesh.add_to(&groups, before, words.place)?;
        }
        Ok(())
    }

    /// Version 4.0 has the tag of the entity before its dimension.
    fn elements_in_blocks(&mut self, version: f64) -> Result<(), MeshIoError> {
        let blocks = self.lines.wanted("the number of blocks")?.count("the number of blocks")?;
        for _ in 0..blocks {
            let mut words = self.lines.wanted("a block of elements")?;
            let mut entity = [words.whole("an entity")?, words.whole("an entity")?];
            if version < 4.1 {
                entity.reverse();
            }
            let groups = self.mesh.groups.of_entity((entity[0].unsigned_abs(), entity[1]));
            let kind = words.count("the type of the elements")?;
            let (count, before) = (words.count("the number of elements")?, self.mesh.cells.counts());
            for _ in 0..count {
                let mut words = self.lines.wanted("an element")?;
                words.count("the tag of an element")?;
                self.element(kind, &mut words)?;
            }
            self.mesh.add_to(&groups, before, words.place)?;
        }
        Ok(())
    }

    /// The nodes of an element, to the end of its line.
    fn element(&mut self, kind: u64, words: &mut Words<'_>) -> Result<(), MeshIoError> {
        let Some(kind) = Kind::of(kind) else {
            self.mesh.cells.left_out(&format!("elements of Gmsh's type {kind}"));
            return Ok(());
        };
        let tags = words.counts("a node of an element")?;
        self.mesh.element(kind, &tags, words.place)
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
        // The hexahedron has each vertex twice.
        assert_eq!(contents.cut_cells.get("hexahedra"), Some(&1));
        assert_eq!(
            (contents.parts[0].name.as_str(), contents.parts[2].name.as_str()),
            ("physical curve 1", "organ")
        );
        assert_eq!(contents.parts[2].counts(), [0, 0, 1]);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: String| read(text.as_bytes(), "a.msh", &Limits::DEFAULT).unwrap_err().to_string();
        assert!(error(SECOND.replace("2.2 0 8", "2.2 2 8")).contains("the encoding is 2: wanted 0 or 1"));
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
                .contains("line 7: the end of a section is \"$Nodes\": wanted $EndPhysicalNames")
        );
        assert!(error(fewer).contains("line 21: the end of a section is \"5\": wanted $EndElements"));
        let unended = SECOND.replace("$Elements\n", "$NodeData\n$Elements\n");
        assert!(error(unended).contains("the end of the section \"$NodeData\" is the end of the file"));
        let stray = SECOND.replace("$Elements\n", "1 2 3\n$Elements\n");
        assert!(error(stray).contains("line 15: the name of a section is \"1\": wanted $Nodes"));
        assert!(error(SECOND.replace("0 0 0.1", "0 0 inf")).contains("line 13: the z of vertex 3 is inf"));
        assert!(error("solid\n".to_owned()).contains("line 1: the first word is \"solid\""));
    }
}
