//! Queries and their files.

use std::fs;
use std::path::{Path, PathBuf};

use palpate::math::Point;
use palpate::math::continuous::{Impact, MovingPoint, Options, edge_edge, vertex_triangle};

use crate::Fallible;

/// Lines of a query.
const LINES: usize = 8;

/// Which features the queries of a file are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two edges: the ends of the one, then those of the other.
    EdgeEdge,
    /// A vertex, and the corners of a triangle.
    VertexFace,
}

impl Kind {
    /// The name of the folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::EdgeEdge => "edge-edge",
            Self::VertexFace => "vertex-face",
        }
    }
}

/// Four moving vertices, and the truth.
#[derive(Clone, Debug)]
pub struct Query {
    /// The vertices in the order of the kind.
    pub vertices: [MovingPoint; 4],
    /// Whether there is an impact.
    pub has_impact: bool,
}

impl Query {
    /// palpate's answer, without a separation.
    pub fn ask(&self, kind: Kind) -> Option<Impact> {
        let [a, b, c, d] = self.vertices;
        match kind {
            Kind::EdgeEdge => edge_edge(&[a, b], &[c, d], &Options::DEFAULT),
            Kind::VertexFace => vertex_triangle(&a, &[b, c, d], &Options::DEFAULT),
        }
    }
}

/// The queries of one file.
#[derive(Clone, Debug)]
pub struct QueryFile {
    /// The path below the folder.
    pub name: String,
    /// What they are about.
    pub kind: Kind,
    /// In the order of the file.
    pub queries: Vec<Query>,
}

/// Reads the CSV files below a folder, in the order of their names. Errors: a file cannot be read or has another format, or there is none.
pub fn files_in(folder: &Path) -> Fallible<Vec<QueryFile>> {
    let mut paths = Vec::new();
    collect(folder, &mut paths)?;
    paths.sort();
    if paths.is_empty() {
        return Err(format!("{}: no CSV file", folder.display()).into());
    }
    paths.iter().map(|path| read(folder, path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Fallible<()> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "csv") {
            paths.push(path);
        }
    }
    Ok(())
}

fn read(folder: &Path, path: &Path) -> Fallible<QueryFile> {
    let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let kind = [Kind::EdgeEdge, Kind::VertexFace]
        .into_iter()
        .find(|kind| path.components().any(|part| part.as_os_str() == kind.name()))
        .ok_or_else(|| format!("{name}: neither below edge-edge nor below vertex-face"))?;
    let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    let rows: Vec<(Point, bool)> = text
        .lines()
        .enumerate()
        .map(|(line, text)| {
            row(text).ok_or_else(|| format!("{name}:{}: {text:?} is no vertex", line + 1).into())
        })
        .collect::<Fallible<_>>()?;
    if !rows.len().is_multiple_of(LINES) {
        return Err(format!("{name}: {} lines, wanted a multiple of {LINES}", rows.len()).into());
    }
    let queries = rows
        .chunks_exact(LINES)
        .map(|rows| Query {
            vertices: std::array::from_fn(|k| MovingPoint::new(rows[k].0, rows[k + LINES / 2].0)),
            has_impact: rows[0].1,
        })
        .collect();
    Ok(QueryFile { name, kind, queries })
}

fn row(text: &str) -> Option<(Point, bool)> {
    let fields: Vec<&str> = text.trim().split(',').collect();
    let &[x, x_below, y, y_below, z, z_below, impact] = fields.as_slice() else {
        return None;
    };
    let point = Point::new(quotient(x, x_below)?, quotient(y, y_below)?, quotient(z, z_below)?);
    match impact {
        "0" => Some((point, false)),
        "1" => Some((point, true)),
        _ => None,
    }
}

/// The quotient of two integers that an `f64` can have: then it is rounded once, or not at all.
fn quotient(above: &str, below: &str) -> Option<f64> {
    let exact = |text: &str| {
        let integer: i128 = text.parse().ok()?;
        let float = integer as f64;
        (float as i128 == integer).then_some(float)
    };
    let quotient = exact(above)? / exact(below)?;
    quotient.is_finite().then_some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_vertex_and_the_truth() {
        let (point, has_impact) = row("1,4,-3,2,0,1,1").unwrap();
        assert_eq!((point, has_impact), (Point::new(0.25, -1.5, 0.0), true));
        for wrong in ["1,4,-3,2,0,1", "1,0,1,1,1,1,0", "9007199254740993,1,0,1,0,1,0", "a,1,0,1,0,1,0"] {
            assert!(row(wrong).is_none(), "{wrong}");
        }
    }
}
