//! A cell: its pairs and its pool.

use std::path::Path;

use super::pool::{self, HullData};
use super::record::Record;
use crate::Fallible;

/// The pairs of a cell and the hulls they name.
pub struct Cell {
    /// The file's name without its extension.
    pub name: String,
    /// The pairs, in the file's order.
    pub records: Vec<Record>,
    pub(super) hulls: Vec<HullData>,
}

/// Every cell of a folder, by name. Errors: a file that cannot be read or is malformed.
pub fn cells_in(folder: &Path) -> Fallible<Vec<Cell>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(".bin")
            && !stem.starts_with("hulls_")
        {
            names.push(stem.to_owned());
        }
    }
    names.sort();
    names.into_iter().map(|name| Cell::read(folder, name)).collect()
}

impl Cell {
    fn read(folder: &Path, name: String) -> Fallible<Self> {
        let records = Record::all(&pool::numbers(&folder.join(format!("{name}.bin")))?)?;
        let stem = name.split('_').next().unwrap_or(&name);
        let pool = match stem.strip_prefix("hull") {
            Some(size) => format!("hulls_{size}.bin"),
            None => format!("hulls_{stem}.bin"),
        };
        let path = folder.join(pool);
        let hulls = if path.exists() { pool::hulls(&pool::numbers(&path)?)? } else { Vec::new() };
        Ok(Self { name, records, hulls })
    }
}
