//! The command line that the workloads share: `NAME FOLDER [--json]`.

#![allow(clippy::print_stdout, reason = "the commands print their figures")]

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::Fallible;

/// Runs a workload's command. `measure` receives the folder, if one was given, and a callback that prints a row as soon as it is
/// measured; with `--json`, `json` formats all rows at the end instead. Errors: those of `measure`.
pub fn run<R: Display>(
    heading: &str,
    json: impl Fn(&[R]) -> String,
    measure: impl FnOnce(Option<&Path>, &mut dyn FnMut(&R)) -> Fallible<Vec<R>>,
) -> Fallible<()> {
    let mut folder: Option<PathBuf> = None;
    let mut as_json = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--json" => as_json = true,
            _ => folder = Some(argument.into()),
        }
    }
    if as_json {
        let rows = measure(folder.as_deref(), &mut |_| {})?;
        println!("{}", json(&rows));
    } else {
        println!("{heading}");
        measure(folder.as_deref(), &mut |row| println!("{row}"))?;
    }
    Ok(())
}

/// Returns the folder of a workload that requires one. Errors: no folder was given.
pub fn wanted(folder: Option<&Path>) -> Fallible<&Path> {
    folder.ok_or_else(|| "a folder is wanted: FOLDER [--json]".into())
}
