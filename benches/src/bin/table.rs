//! Prints the table of figures: `table [--json] [PART-OF-A-ROW'S-NAME]`.

use palpate_benches::{Fallible, Row, cases, header, measure};
use serde_json::Value;
use std::io::Write;

fn main() -> Fallible<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let wanted = arguments.iter().find(|argument| !argument.starts_with("--"));
    let is_wanted = |name: &str| wanted.is_none_or(|wanted| name.contains(wanted.as_str()));
    let mut out = std::io::stdout().lock();
    let mut rows: Vec<Row> = Vec::new();
    if !json {
        writeln!(out, "{}", header())?;
    }
    for case in cases::all().into_iter().filter(|case| is_wanted(&case.to_string())) {
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
