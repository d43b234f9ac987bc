//! Gmsh's format in binary, versions 2 and 4, little-endian and big-endian.

use super::super::bytes::Bytes;
use super::super::lines::Lines;
use super::elements::{Elements, Kind};
use super::groups::GROUPS_WANTED;
use super::head::{self, Head};
use crate::cells::Collector;
use crate::{Contents, Format, MeshIoError};
use palpate_math::Limits;

pub(super) fn read(bytes: &[u8], file: &str, limits: &Limits) -> Result<Contents, MeshIoError> {
    let cells = Collector::new(file, Format::Gmsh, limits);
    let mut input = Bytes::new(file, bytes);
    let head = first_section(&mut input, file)?;
    let mut reading = Reading { mesh: Elements::new(cells), input, head };
    while let Some(name) = reading.input.line() {
        let name = name.trim_ascii();
        if name.is_empty() {
            continue;
        }
        let name = String::from_utf8_lossy(name).into_owned();
        match name.as_str() {
            "$PhysicalNames" => {
                let section = reading.input.up_to(b"$EndPhysicalNames", &name)?;
                reading.mesh.groups.names(&mut Lines::new(file, section, None))?;
            }
            "$Entities" if head.version >= 4.0 => reading.entities()?,
            "$Nodes" if head.version >= 4.0 => reading.nodes_in_blocks()?,
            "$Nodes" => reading.nodes()?,
            "$Elements" if head.version >= 4.0 => reading.elements_in_blocks()?,
            "$Elements" => reading.elements()?,
            other => {
                let Some(rest) = other.strip_prefix('$') else {
                    let wanted = "$Nodes, $Elements or another section of Gmsh";
                    return Err(reading.input.error(
                        "the name of a section",
                        &format_args!("{other:?}"),
                        wanted,
                    ));
                };
                reading.input.up_to(format!("$End{rest}").as_bytes(), other)?;
            }
        }
        reading.end(&name)?;
    }
    reading.mesh.cells.finish()
}

/// `$MeshFormat` with the number one, by whose bytes the byte order is known.
fn first_section(input: &mut Bytes<'_>, file: &str) -> Result<Head, MeshIoError> {
    while input.line().is_some_and(|line| !line.trim_ascii().eq_ignore_ascii_case(b"$MeshFormat")) {}
    let line = input.line().unwrap_or_default();
    let head = head::head(&mut Lines::new(file, line, None).wanted("the version")?, file)?;
    if !matches!((head.version >= 4.0, head.size), (false, 8) | (true, 4 | 8)) {
        return Err(input.error("the size of a number", &head.size, "8, or in version 4 also 4"));
    }
    let one = input.take(4, "the number one of the byte order")?;
    match one {
        [1, 0, 0, 0] => {}
        [0, 0, 0, 1] => input.big_endian = true,
        _ => {
            return Err(input.error(
                "the number one of the byte order",
                &format_args!("{one:?}"),
                "1 in 32 bits",
            ));
        }
    }
    while let Some(line) = input.line() {
        match line.trim_ascii() {
            b"" => {}
            b"$EndMeshFormat" => return Ok(head),
            other => {
                let found = String::from_utf8_lossy(other).into_owned();
                return Err(input.error(
                    "the end of a section",
                    &format_args!("{found:?}"),
                    "$EndMeshFormat",
                ));
            }
        }
    }
    Err(input.error("the end of a section", &"the end of the file", "$EndMeshFormat"))
}

struct Reading<'a> {
    mesh: Elements,
    input: Bytes<'a>,
    head: Head,
}

impl Reading<'_> {
    fn end(&mut self, section: &str) -> Result<(), MeshIoError> {
        let wanted = format!("$End{}", section.trim_start_matches('$'));
        loop {
            match self.input.line().map(<[u8]>::trim_ascii) {
                Some(b"") => {}
                Some(line) if line == wanted.as_bytes() => return Ok(()),
                line => {
                    let found =
                        line.map_or("the end of the file".into(), String::from_utf8_lossy).into_owned();
                    return Err(self.input.error(
                        "the end of a section",
                        &format_args!("{found:?}"),
                        &wanted,
                    ));
                }
            }
        }
    }

    fn size(&mut self, what: &str) -> Result<u64, MeshIoError> {
        if self.head.size == 4 { self.input.u32(what).map(u64::from) } else { self.input.u64(what) }
    }

    /// A tag: 32 bits with a sign, and before version 4.1 for nodes and elements too.
    fn tag(&mut self, what: &str) -> Result<u64, MeshIoError> {
        if self.head.version >= 4.1 {
            return self.size(what);
        }
        let tag = self.input.i32(what)?;
        u64::try_from(tag).map_err(|_| self.input.error(what, &tag, "0 or more"))
    }

    fn count_in_text(&mut self, what: &str) -> Result<u64, MeshIoError> {
        let line = self.input.line().unwrap_or_default();
        let text = std::str::from_utf8(line.trim_ascii()).unwrap_or("\u{fffd}");
        text.parse()
            .map_err(|_| self.input.error(what, &format_args!("{text:?}"), "a whole number, 0 or more"))
    }

    fn point(&mut self) -> Result<[f64; 3], MeshIoError> {
        let what = "a coordinate";
        Ok([self.input.f64(what)?, self.input.f64(what)?, self.input.f64(what)?])
    }

    fn nodes(&mut self) -> Result<(), MeshIoError> {
        for _ in 0..self.count_in_text("the number of nodes")? {
            let place = self.input.place();
            let tag = self.tag("the tag of a node")?;
            let point = self.point()?;
            self.mesh.node(tag, point, place)?;
        }
        Ok(())
    }

    fn elements(&mut self) -> Result<(), MeshIoError> {
        let count = self.count_in_text("the number of elements")?;
        let mut read = 0_u64;
        while read < count {
            let kind = self.input.u32("the type of the elements")?;
            let kind = self.kind(kind.into())?;
            let (elements, tags) =
                (self.input.u32("the number of elements")?, self.input.u32("the number of tags")?);
            if elements == 0 {
                return Err(self.input.error("the number of elements of a block", &0, "1 or more"));
            }
            for _ in 0..elements {
                let place = self.input.place();
                self.input.i32("the number of an element")?;
                let mut group = 0;
                for index in 0..tags {
                    let tag = self.input.i32("a tag of an element")?;
                    if index == 0 {
                        group = i64::from(tag);
                    }
                }
                let groups = match kind.shape {
                    Some(shape) if group != 0 => {
                        vec![self.mesh.groups.name((shape.dimension(), group.saturating_abs()))]
                    }
                    _ => Vec::new(),
                };
                let (nodes, before) = (self.nodes_of(kind)?, self.mesh.cells.counts());
                self.mesh.element(kind, &nodes, place)?;
                self.mesh.add_to(&groups, before, place)?;
            }
            read += u64::from(elements);
        }
        if read == count {
            Ok(())
        } else {
            Err(self.input.error("the number of elements", &read, &count.to_string()))
        }
    }

    /// A type whose number of nodes must be known.
    fn kind(&self, number: u64) -> Result<Kind, MeshIoError> {
        let wanted = "a type of Gmsh's manual, without polygons and polyhedra";
        Kind::of(number).ok_or_else(|| self.input.error("the type of the elements", &number, wanted))
    }

    fn nodes_of(&mut self, kind: Kind) -> Result<Vec<u64>, MeshIoError> {
        (0..kind.nodes).map(|_| self.tag("a node of an element")).collect()
    }

    fn entities(&mut self) -> Result<(), MeshIoError> {
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = self.size("the number of entities")?;
        }
        for (dimension, count) in (0..).zip(counts) {
            let numbers = if dimension == 0 && self.head.version >= 4.1 { 3 } else { 6 };
            for _ in 0..count {
                let tag = self.input.i32("the tag of an entity")?;
                self.input.take(8 * numbers, "the box of an entity")?;
                let groups = self.size("the number of groups of an entity")?;
                let mut all = Vec::new();
                for _ in 0..groups {
                    all.push(i64::from(self.input.i32("a group of an entity")?));
                }
                if let Err(found) = self.mesh.groups.add_entity((dimension, i64::from(tag)), all) {
                    return Err(self.input.error("the number of groups of an entity", &found, GROUPS_WANTED));
                }
                if dimension > 0 {
                    for _ in 0..self.size("the size of the boundary of an entity")? {
                        self.input.i32("the boundary of an entity")?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The head of a block: its entity, and a number behind it.
    fn block(&mut self) -> Result<((u64, i64), u32), MeshIoError> {
        let mut entity = [self.input.i32("an entity")?, self.input.i32("an entity")?];
        if self.head.version < 4.1 {
            entity.reverse();
        }
        let number = self.input.u32("a number of a block")?;
        Ok(((u64::from(entity[0].unsigned_abs()), i64::from(entity[1])), number))
    }

    fn blocks(&mut self) -> Result<u64, MeshIoError> {
        let blocks = self.size("the number of blocks")?;
        // The number of all nodes or elements, and from version 4.1 on the least and the greatest tag.
        for _ in 0..if self.head.version >= 4.1 { 3 } else { 1 } {
            self.size("a number of a section")?;
        }
        Ok(blocks)
    }

    fn nodes_in_blocks(&mut self) -> Result<(), MeshIoError> {
        for _ in 0..self.blocks()? {
            let ((dimension, _), parametric) = self.block()?;
            let count = self.size("the number of nodes")?;
            let mut tags = Vec::new();
            if self.head.version >= 4.1 {
                for _ in 0..count {
                    tags.push(self.size("the tag of a node")?);
                }
            }
            for index in 0..count {
                let place = self.input.place();
                let tag = match tags.get(index as usize) {
                    Some(&tag) => tag,
                    None => self.tag("the tag of a node")?,
                };
                let point = self.point()?;
                if parametric != 0 {
                    self.input.take(8 * dimension.min(3), "the parameters of a node")?;
                }
                self.mesh.node(tag, point, place)?;
            }
        }
        Ok(())
    }

    fn elements_in_blocks(&mut self) -> Result<(), MeshIoError> {
        for _ in 0..self.blocks()? {
            let (entity, kind) = self.block()?;
            let kind = self.kind(kind.into())?;
            let (groups, before, start) =
                (self.mesh.groups.of_entity(entity), self.mesh.cells.counts(), self.input.place());
            for _ in 0..self.size("the number of elements")? {
                let place = self.input.place();
                self.tag("the tag of an element")?;
                let nodes = self.nodes_of(kind)?;
                self.mesh.element(kind, &nodes, place)?;
            }
            self.mesh.add_to(&groups, before, start)?;
        }
        Ok(())
    }
}
