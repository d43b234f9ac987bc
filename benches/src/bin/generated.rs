//! Prints quantiles of the time of implicit bodies in generated cases:
//! `generated [--json] [--cases N] [--slowest FILE] [PART-OF-A-DETECTOR'S-NAME]`, 1,000 cases of each detector if not given. The file
//! gets the slowest case of each row, as input of `palpate detect`.

use palpate_benches::{Fallible, generated};
use serde_json::Value;
use std::io::Write;

fn main() -> Fallible<()> {
    let (mut json, mut count, mut slowest, mut wanted) = (false, 1000, None, String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => json = true,
            "--cases" => count = arguments.next().unwrap_or_default().parse()?,
            "--slowest" => slowest = arguments.next(),
            _ => wanted = argument,
        }
    }
    let mut out = std::io::stdout().lock();
    if !json {
        writeln!(out, "{}", generated::heading())?;
    }
    let rows = generated::measure(&wanted, count, |row| {
        if !json {
            writeln!(out, "{row}")?;
        }
        Ok(())
    })?;
    if json {
        writeln!(out, "{}", Value::Array(rows.iter().map(generated::Generated::to_json).collect()))?;
    }
    if let Some(file) = slowest {
        let lines: Vec<&str> = rows.iter().map(|row| row.slowest.as_str()).collect();
        std::fs::write(file, lines.join("\n") + "\n")?;
    }
    Ok(())
}
