//! Prints the table of figures: `table [--json] [PART-OF-A-ROW'S-NAME]`.

use palpate_benches::{Fallible, Row, cases, command, header, measure};
use serde_json::Value;
use std::io::Write;

fn main() -> Fallible<()> {
    let (json, wanted) = command::rows();
    let mut out = std::io::stdout().lock();
    let mut rows: Vec<Row> = Vec::new();
    if !json {
        writeln!(out, "{}", header())?;
    }
    for case in cases::all().into_iter().filter(|case| case.to_string().contains(&wanted)) {
        let row = Row::new(case, measure(&case)?, rows.last());
        if !json {
            writeln!(out, "{}", row.to_text())?;
        }
        rows.push(row);
    }
    if json {
        writeln!(out, "{}", Value::Array(rows.iter().map(Row::to_json).collect()))?;
    }
    Ok(())
}
