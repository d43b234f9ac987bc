//! Runs workload W3: `w3 FOLDER [--json]`.

#![allow(clippy::print_stdout)]

use std::path::Path;

use palpate_benches::w3::{files_in, heading, json, measure, total};

fn main() -> palpate_benches::Fallible<()> {
    let mut folder = None;
    let mut as_json = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => as_json = true,
            _ => folder = Some(argument),
        }
    }
    let folder = folder.ok_or("a folder is wanted: w3 FOLDER [--json]")?;
    let mut reports = Vec::new();
    if !as_json {
        println!("{}", heading());
    }
    for file in &files_in(Path::new(&folder))? {
        let report = measure(file);
        if !as_json {
            println!("{report}");
        }
        reports.push(report);
    }
    let total = total(&reports);
    if !as_json {
        println!("{total}");
    }
    reports.push(total);
    if as_json {
        println!("{}", json(&reports));
    }
    Ok(())
}
