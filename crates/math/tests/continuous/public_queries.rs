//! The public queries with exact ground truth, if `PALPATE_SHARED` names the shared folder.

use std::fs;
use std::path::{Path, PathBuf};

use palpate_math::Point;
use palpate_math::continuous::{Certainty, MovingPoint, Options};

use crate::{Kind, ask};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "csv") {
            found.push(path);
        }
    }
}

fn row(line: &str) -> (Point, bool) {
    let fields: Vec<i128> = line.trim().split(',').map(|field| field.parse().unwrap()).collect();
    assert_eq!(fields.len(), 7, "{line}");
    (
        Point::from(std::array::from_fn::<f64, 3, _>(|k| fields[2 * k] as f64 / fields[2 * k + 1] as f64)),
        fields[6] == 1,
    )
}

#[test]
fn every_public_query_is_answered_rightly() {
    let Some(shared) = std::env::var_os("PALPATE_SHARED") else { return };
    let mut paths = Vec::new();
    files(&PathBuf::from(shared).join("data/ccd-queries"), &mut paths);
    let (mut queries, mut impacts, mut wrong) = (0, 0, Vec::new());
    for path in paths {
        let is_edges = path.components().any(|part| part.as_os_str() == "edge-edge");
        let kind = if is_edges { Kind::EdgeEdge } else { Kind::VertexTriangle };
        let rows: Vec<(Point, bool)> = fs::read_to_string(&path).unwrap().lines().map(row).collect();
        for (index, rows) in rows.chunks_exact(8).enumerate() {
            let vertices = std::array::from_fn(|k| MovingPoint::new(rows[k].0, rows[k + 4].0));
            let answer = ask(kind, &vertices, &Options::DEFAULT);
            queries += 1;
            impacts += usize::from(rows[0].1);
            let is_narrow = answer.is_none_or(|impact| {
                let width = impact.time.upper - impact.time.lower;
                width <= Options::DEFAULT.time_tolerance && impact.certainty == Certainty::Proven
            });
            if answer.is_some() != rows[0].1 || !is_narrow {
                wrong.push(format!("{} query {index}: {answer:?}", path.display()));
            }
        }
    }
    assert!(queries >= 2_800 && impacts >= 290, "{queries} queries, {impacts} impacts");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
