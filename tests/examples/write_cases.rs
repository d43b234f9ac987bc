//! Writes the generated cases of every detector and regime as input of `palpate detect`, to compare the results of
//! two builds.
//!
//! ```text
//! cargo run --release -p palpate-tests --example write_cases -- cases.jsonl 24
//! OLD/palpate detect cases.jsonl --out old.jsonl; NEW/palpate detect cases.jsonl --out new.jsonl
//! python3 tests/python/compare_answers.py cases.jsonl old.jsonl new.jsonl
//! ```
//!
//! The number is the count of cases per detector and regime. The id of a line names both.

use palpate_detect::Registry;
use palpate_tests::laws::solids::{Stand, cells, solid_case};
use palpate_tests::{Regime, cases};
use serde_json::{Value, json};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("wanted the file to write")?;
    let count: usize = arguments.next().map_or(Ok(24), |count| count.parse())?;
    let registry = Registry::standard();
    let mut out = BufWriter::new(File::create(path)?);
    for entry in registry.static_detectors() {
        for regime in Regime::ALL {
            for case in cases::cases(&registry, entry, regime, count)? {
                let mut line: Value = serde_json::from_str(&case.to_json())?;
                line["id"] = json!(format!("{} {regime:?} {}", entry.name, case.number));
                writeln!(out, "{line}")?;
            }
        }
    }
    // With the registry's default detector.
    for cell in cells() {
        for stand in Stand::ALL.into_iter().filter(|stand| stand.suits(&cell)) {
            for case in (0..count.div_ceil(6)).filter_map(|number| solid_case(&cell, stand, number)) {
                writeln!(out, "{}", case.to_json())?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
