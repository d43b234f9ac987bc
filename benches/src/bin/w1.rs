//! Runs workload W1: `w1 FOLDER [--json] [--only NAME] [--spin ROUNDS]`.
//!
//! `--only` selects the cells whose names start with this; `--spin` times palpate alone, for a profiler.

#![allow(clippy::print_stdout)]

use std::path::Path;

use palpate_benches::w1::{cells_in, doubtful, heading, json, measure, spin};

fn main() -> palpate_benches::Fallible<()> {
    let mut folder = None;
    let mut as_json = false;
    let mut rounds = 0;
    let mut width = None;
    let mut only = String::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => as_json = true,
            "--only" => only = arguments.next().ok_or("--only wants the beginning of a cell's name")?,
            "--doubtful" => width = Some(arguments.next().ok_or("--doubtful wants a width")?.parse()?),
            "--spin" => rounds = arguments.next().ok_or("--spin wants a number of rounds")?.parse()?,
            _ => folder = Some(argument),
        }
    }
    let folder = folder.ok_or("a folder is wanted: w1 FOLDER [--json] [--only NAME]")?;
    let mut reports = Vec::new();
    if !as_json {
        println!("{}", heading());
    }
    for cell in cells_in(Path::new(&folder))?.iter().filter(|cell| cell.name.starts_with(&only)) {
        if let Some(width) = width {
            doubtful(cell, width)?.iter().for_each(|line| println!("{line}"));
            continue;
        }
        if rounds > 0 {
            println!("{:<16} {:>8.0}", cell.name, spin(cell, rounds)?);
            continue;
        }
        let report = measure(cell)?;
        if !as_json {
            println!("{report}");
        }
        reports.push(report);
    }
    if as_json {
        println!("{}", json(&reports));
    }
    Ok(())
}
