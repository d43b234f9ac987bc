//! A mended surface, and what was changed.

use crate::args::InspectArguments;
use crate::error::CommandError;
use crate::words;
use palpate::geometry::SurfaceMesh;
use palpate::geometry::mend::{MendOptions, MendReport};
use palpate::mesh_io::{self, Mesh};
use std::collections::BTreeMap;
use std::path::Path;

/// Mends the surface and writes it. Returns the counts of what was changed, by their words, and the mended surface. Errors: an
/// option out of range, the input as output, a file that cannot be written.
pub(super) fn mended(
    mesh: &SurfaceMesh,
    out: &Path,
    arguments: &InspectArguments,
) -> Result<(BTreeMap<&'static str, usize>, SurfaceMesh), CommandError> {
    if same_file(out, &arguments.file) {
        return Err(CommandError::Argument {
            argument: "--mend",
            found: out.display().to_string(),
            wanted: "another name than that of the input".to_owned(),
        });
    }
    let options = MendOptions { weld: arguments.weld, fill_edges: arguments.fill_edges };
    let (mesh, report) =
        mesh.mended(&options).map_err(|error| CommandError::Writing(format!("--mend: {error}")))?;
    mesh_io::write(out, &Mesh::Surface(mesh.clone()))?;
    Ok((counts(&report), mesh))
}

fn same_file(one: &Path, two: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(two)) {
        (Ok(one), Ok(two)) => one == two,
        _ => one == two,
    }
}

fn counts(report: &MendReport) -> BTreeMap<&'static str, usize> {
    report.counts().into_iter().collect()
}

/// The changes as lines of text.
pub(super) fn words(out: &str, counts: &BTreeMap<&'static str, usize>) -> String {
    let mut text = format!("\nmended, written to {}\n", crate::text::line(out));
    let changes = counts.iter().filter(|(_, count)| **count > 0);
    let lines: Vec<String> =
        changes.map(|(what, count)| format!("{what}: {}\n", words::count(*count))).collect();
    text.push_str(if lines.is_empty() { "nothing was changed\n" } else { "" });
    text.extend(lines);
    text
}
