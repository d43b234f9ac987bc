//! The blocks of an input file.

use super::super::beside::Beside;
use super::super::lines::{Lines, Words};
use super::element_type::element_type;
use super::keyword::Keyword;
use crate::cells::Collector;
use crate::shape::Shape;
use crate::{Contents, Format, MeshIoError, Place};
use palpate_math::Limits;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Files that include one another, at most.
const DEPTH: usize = 8;

/// Numbers of one element, at most: no type has nearly as many nodes.
const NUMBERS: usize = 1000;

/// Elements between the first and the last of the generated sets of a file, at most: a bound on time.
const PASSED: u64 = 1 << 28;

/// Bytes of the name of a set, at most.
const NAME: usize = 1000;

pub(in super::super) fn read(
    bytes: &[u8],
    beside: &Beside<'_>,
    limits: &Limits,
) -> Result<Contents, MeshIoError> {
    let cells = Collector::new(beside.file(), Format::Abaqus, limits);
    let (nodes, elements) = (HashMap::new(), BTreeMap::new());
    let mut reading = Reading { cells, beside, nodes, elements, part: None, passed: 0 };
    reading.file(bytes, beside.file(), 0)?;
    reading.cells.finish()
}

/// Lines, triangles and tetrahedra.
type Run = [Range<usize>; 3];

struct Reading<'a> {
    cells: Collector,
    beside: &'a Beside<'a>,
    /// The vertex of each node of the part.
    nodes: HashMap<u64, u64>,
    /// The cells of each element of the part.
    elements: BTreeMap<u64, Run>,
    part: Option<String>,
    /// Elements that generated sets have passed.
    passed: u64,
}

impl Reading<'_> {
    fn file(&mut self, bytes: &[u8], file: &str, depth: usize) -> Result<(), MeshIoError> {
        let mut data = Data { lines: Lines::new(file, bytes, None), next: None };
        data.advance();
        while let Some(mut words) = data.next.take() {
            let (start, mut line) = (words.clone(), words.rest().to_owned());
            if !line.starts_with('*') {
                let wanted = "a keyword of Abaqus, which begins with an asterisk";
                let found = format!("{:?}", line.split_whitespace().next().unwrap_or_default());
                return Err(start.error("the first word", &found, wanted));
            }
            data.advance();
            while line.ends_with(',') && line.len() < NAME && data.next.is_some() {
                line.push_str(data.next.as_mut().map_or("", Words::rest));
                data.advance();
            }
            let keyword = Keyword::new(&line);
            self.block(&keyword, &start, &mut data, depth)?;
            // What is left of a block.
            while data.line().is_some() {}
        }
        Ok(())
    }

    fn block(
        &mut self,
        keyword: &Keyword,
        start: &Words<'_>,
        data: &mut Data<'_>,
        depth: usize,
    ) -> Result<(), MeshIoError> {
        let refused =
            |wanted: &str| Err(start.error("a keyword", &format_args!("*{}", keyword.name), wanted));
        match keyword.name.as_str() {
            "NODE" if keyword.has("SYSTEM") => refused("nodes in the global system"),
            "NODE" | "ELEMENT" if keyword.has("INPUT") => refused("its lines in the file, or *INCLUDE"),
            "NODE" => self.node_lines(data),
            "ELEMENT" => self.element_lines(keyword, start, data),
            "ELSET" => self.set_lines(keyword, start, data),
            "PART" => {
                self.part = keyword.value("NAME").filter(|name| name.len() <= NAME).map(str::to_owned);
                Ok(())
            }
            "END PART" => {
                (self.nodes, self.elements, self.part) = (HashMap::new(), BTreeMap::new(), None);
                Ok(())
            }
            "INSTANCE" if data.line().is_some() => refused("an instance that is not moved"),
            "NGEN" | "NFILL" | "NCOPY" | "NMAP" | "ELGEN" | "ELCOPY" => {
                refused("every node and element by its own line")
            }
            "SYSTEM" if data.line().is_some() => refused("nodes in the global system"),
            "INCLUDE" => {
                let Some(name) = keyword.value("INPUT") else { return refused("*INCLUDE, INPUT=name") };
                if depth == DEPTH {
                    return Err(start.error("the depth of included files", &(depth + 1), "at most 8"));
                }
                let bytes = self.beside.bytes(name)?;
                self.file(&bytes, name, depth + 1)
            }
            _ => Ok(()),
        }
    }

    fn node_lines(&mut self, data: &mut Data<'_>) -> Result<(), MeshIoError> {
        while let Some(words) = data.line() {
            let numbers = split(&words);
            let (Some(label), 2..) = (label(numbers.first()), numbers.len()) else {
                return Err(words.error(
                    "a node",
                    &format_args!("{:?}", words.clone().rest()),
                    "its label and coordinates",
                ));
            };
            let mut point = [0.0; 3];
            for (x, word) in point.iter_mut().zip(&numbers[1..]).filter(|(_, word)| !word.is_empty()) {
                let found = format!("{word:?}");
                *x = word.parse().map_err(|_| words.error("a coordinate of a node", &found, "a number"))?;
            }
            if self.nodes.insert(label, self.cells.point_count() as u64).is_some() {
                return Err(words.error("the label of a node", &label, "one that no node before it has"));
            }
            self.cells.point(point, words.place)?;
        }
        Ok(())
    }

    fn element_lines(
        &mut self,
        keyword: &Keyword,
        start: &Words<'_>,
        data: &mut Data<'_>,
    ) -> Result<(), MeshIoError> {
        let name = keyword.value("TYPE").unwrap_or_default();
        if name.is_empty() {
            return Err(start.error("the type of the elements", &"missing", "TYPE=name"));
        }
        let kind = element_type(name);
        let before = self.cells.counts();
        while let Some(words) = data.line() {
            let mut text = words.clone().rest().to_owned();
            let mut numbers = split_text(&text);
            // An element goes on where a line ends with a comma, or is too short.
            while (text.ends_with(',') || kind.is_some_and(|(_, nodes)| numbers.len() <= nodes))
                && numbers.len() < NUMBERS
            {
                let Some(words) = data.line() else { break };
                text = words.clone().rest().to_owned();
                numbers.extend(split_text(&text));
            }
            let Some((shape, nodes)) = kind else {
                let name: String = name.chars().take(40).collect();
                self.cells.left_out(&format!("elements of type {name}"));
                continue;
            };
            let start = self.cells.counts();
            let label = self.element(shape, nodes, &numbers, &words)?;
            let now = self.cells.counts();
            self.elements.insert(label, [start[0]..now[0], start[1]..now[1], start[2]..now[2]]);
        }
        let part = self.part.clone();
        for name in [keyword.value("ELSET"), part.as_deref()].into_iter().flatten() {
            let name: String = name.chars().take(NAME).collect();
            self.cells.add_to_part(&name, before, start.place)?;
        }
        Ok(())
    }

    /// Adds an element; returns its label.
    fn element(
        &mut self,
        shape: Shape,
        nodes: usize,
        numbers: &[String],
        words: &Words<'_>,
    ) -> Result<u64, MeshIoError> {
        let mut labels = Vec::with_capacity(numbers.len());
        for word in numbers {
            let found = format!("{word:?}");
            labels.push(
                label(Some(word)).ok_or_else(|| words.error("a number of an element", &found, "a label"))?,
            );
        }
        if labels.len() != nodes + 1 {
            return Err(words.error(
                "the number of nodes",
                &labels.len().saturating_sub(1),
                &nodes.to_string(),
            ));
        }
        let vertex = |label: &u64| {
            let vertex = self.nodes.get(label).copied();
            vertex.ok_or_else(|| words.error("a node of an element", label, "the label of a node before it"))
        };
        let ids: Vec<u64> = labels[1..].iter().map(vertex).collect::<Result<_, _>>()?;
        if nodes == shape.corners() {
            self.cells.cell(shape, &ids, words.place)?;
        } else {
            self.cells.curved(shape, &ids, words.place)?;
        }
        Ok(labels[0])
    }

    /// The elements of a set by their labels, or by first, last and step. Sets of an assembly, and sets of sets, are not read.
    fn set_lines(
        &mut self,
        keyword: &Keyword,
        start: &Words<'_>,
        data: &mut Data<'_>,
    ) -> Result<(), MeshIoError> {
        let name: String = keyword.value("ELSET").unwrap_or_default().chars().take(NAME).collect();
        if name.is_empty() {
            return Err(start.error("the name of a set", &"missing", "ELSET=name"));
        }
        if keyword.has("INSTANCE") {
            self.cells.left_out("sets of an assembly");
            return Ok(());
        }
        let mut runs: Vec<(Run, Place)> = Vec::new();
        while let Some(words) = data.line() {
            let numbers = split(&words);
            let labels: Option<Vec<u64>> = numbers.iter().map(|word| label(Some(word))).collect();
            let Some(labels) = labels else {
                self.cells.left_out("lines of sets that name other sets");
                continue;
            };
            let of = |label: &u64| self.elements.get(label).map(|run| (run.clone(), words.place));
            if !keyword.has("GENERATE") {
                runs.extend(labels.iter().filter_map(of));
                continue;
            }
            let (first, last) = (labels[0], labels.get(1).copied().unwrap_or(labels[0]));
            let step = labels.get(2).copied().unwrap_or(1).max(1);
            for (label, run) in self.elements.range(first..=last.max(first)) {
                self.passed += 1;
                if *label <= last && (label - first) % step == 0 {
                    runs.push((run.clone(), words.place));
                }
            }
            if self.passed > PASSED {
                let wanted = format!("at most {PASSED}");
                return Err(words.error(
                    "the number of elements between the ends of sets",
                    &self.passed,
                    &wanted,
                ));
            }
        }
        runs.sort_unstable_by_key(|(run, _)| run.clone().map(|range| (range.start, range.end)));
        runs.dedup_by(|a, b| a.0 == b.0);
        runs.into_iter().try_for_each(|(run, place)| self.cells.add_run(&name, run, place))
    }
}

/// The lines of a file, without remarks.
struct Data<'a> {
    lines: Lines<'a>,
    /// The next line.
    next: Option<Words<'a>>,
}

impl<'a> Data<'a> {
    fn advance(&mut self) {
        self.next = loop {
            let Some(words) = self.lines.next() else { break None };
            if !words.clone().rest().starts_with("**") {
                break Some(words);
            }
        };
    }

    /// The next line of the block; `None` before the next keyword.
    fn line(&mut self) -> Option<Words<'a>> {
        let is_data = self.next.as_ref().is_some_and(|words| !words.clone().rest().starts_with('*'));
        if !is_data {
            return None;
        }
        let words = self.next.take();
        self.advance();
        words
    }
}

fn split(words: &Words<'_>) -> Vec<String> {
    split_text(words.clone().rest())
}

/// What stands between commas; nothing behind the last one.
fn split_text(text: &str) -> Vec<String> {
    let text = text.strip_suffix(',').unwrap_or(text);
    text.split(',').map(|word| word.trim().to_owned()).collect()
}

fn label(word: Option<&String>) -> Option<u64> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "*HEADING\n a test, of the reader\n** a remark\n*Node, nset=all\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n\
        7, 0., 0., 1e-1\n8,1,1,1\n*Element, type=C3D4, elset=body\n10, 1, 2, 3, 7\n11, 2, 3,\n 7, 8\n*ELEMENT, TYPE=S3\n12, 1, 2, 3\n\
        *ELEMENT, TYPE=SPRINGA\n13, 1, 2\n*ELSET, ELSET=some, GENERATE\n11, 12, 1\n*ELSET, ELSET=first\n10,\n*STEP\n*STATIC\n1., 1.\n*NODE OUTPUT\nU\n";

    fn read_with(text: &str, included: &str) -> Result<Contents, MeshIoError> {
        let find = |name: &str| (name == "b.inp").then(|| included.as_bytes().to_vec());
        read(text.as_bytes(), &Beside::new("a.inp", &find, 1 << 20), &Limits::DEFAULT)
    }

    #[test]
    fn nodes_elements_and_sets() {
        let contents = read_with(TEXT, "").unwrap();
        assert_eq!((contents.positions.len(), contents.positions[3].z), (5, 0.1));
        assert_eq!(contents.tetrahedra, [[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(contents.triangles, [[0, 1, 2]]);
        assert_eq!(contents.left_out.get("elements of type SPRINGA"), Some(&1));
        let parts: Vec<_> = contents.parts.iter().map(|part| (part.name.as_str(), part.counts())).collect();
        assert_eq!(parts, [("body", [0, 0, 2]), ("some", [0, 1, 1]), ("first", [0, 0, 1])]);
        let (head, rest) = TEXT.split_at(TEXT.find("*Node").unwrap());
        assert_eq!(read_with(&format!("{head}*INCLUDE, INPUT=b.inp\n"), rest).unwrap(), contents);
    }

    #[test]
    fn every_part_counts_its_own_nodes() {
        let part = |name: &str, x: f64| {
            format!(
                "*PART, NAME={name}\n*NODE\n1,{x},0,0\n2,{x},1,0\n3,{x},0,1\n*ELEMENT, TYPE=S3\n1,1,2,3\n*END PART\n"
            )
        };
        let instances = "*ASSEMBLY, NAME=all\n*INSTANCE, NAME=a1, PART=a\n*END INSTANCE\n*ELSET, ELSET=s, INSTANCE=a1\n1\n*END ASSEMBLY\n";
        let text = part("a", 0.0) + &part("b", 1.0) + instances;
        let contents = read_with(&text, "").unwrap();
        assert_eq!(contents.triangles, [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(contents.part("b").unwrap().positions[0].x, 1.0);
        assert_eq!(contents.left_out.get("sets of an assembly"), Some(&1));
        let moved = text.replace("PART=a\n", "PART=a\n 1., 0., 0.\n");
        assert!(
            read_with(&moved, "")
                .unwrap_err()
                .to_string()
                .contains("a keyword is *INSTANCE: wanted an instance that is not moved")
        );
    }

    #[test]
    fn errors_name_the_line() {
        let error = |from: &str, to: &str| {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT);
            read_with(&text, "*INCLUDE, INPUT=b.inp\n").unwrap_err().to_string()
        };
        assert!(
            error("*HEADING", "5 2 0 0 0")
                .contains("line 1: the first word is \"5\": wanted a keyword of Abaqus")
        );
        assert!(error("3, 0., 1., 0.", "3, 0., x, 0.").contains("line 7: a coordinate of a node is \"x\""));
        assert!(error("3, 0., 1., 0.", "2, 0., 1., 0.").contains("line 7: the label of a node is 2"));
        assert!(error("10, 1, 2, 3, 7", "10, 1, 2, 3, 9").contains("line 11: a node of an element is 9"));
        assert!(
            error("10, 1, 2, 3, 7", "10, 1, 2, 3, 7, 8")
                .contains("line 11: the number of nodes is 5: wanted 4")
        );
        assert!(error(", type=C3D4", "").contains("line 10: the type of the elements is missing"));
        assert!(error("*HEADING", "*NGEN\n1,2").contains("a keyword is *NGEN: wanted every node"));
        assert!(
            error("nset=all", "system=c").contains("a keyword is *NODE: wanted nodes in the global system")
        );
        assert!(error("*HEADING", "*INCLUDE, INPUT=b.inp").contains("the depth of included files is 9"));
        assert!(error("1e-1", "1e999").contains("line 8: the z of vertex 3 is inf"));
    }
}
