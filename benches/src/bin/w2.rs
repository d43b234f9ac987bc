//! Runs workload W2: `w2 FOLDER [--json]`.

#![allow(clippy::print_stdout)]

use std::path::Path;

use palpate_benches::figures::{Figure, json};
use palpate_benches::w2::measure;

fn main() -> palpate_benches::Fallible<()> {
    let mut folder = None;
    let mut as_json = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => as_json = true,
            _ => folder = Some(argument),
        }
    }
    let folder = folder.ok_or("a folder is wanted: w2 FOLDER [--json]")?;
    if !as_json {
        println!("{}", Figure::heading());
    }
    let print = |figure: &Figure| {
        if !as_json {
            println!("{figure}");
        }
    };
    let figures = measure(Path::new(&folder), print)?;
    if as_json {
        println!("{}", json(&figures));
    }
    Ok(())
}
