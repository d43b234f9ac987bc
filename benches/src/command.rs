//! The command lines that the workloads share, `NAME FOLDER [--json]`, and the tables, `NAME [--json] [PART-OF-A-ROW'S-NAME]`.

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
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => as_json = true,
            // Read by `threads`.
            "--threads" => drop(arguments.next()),
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

/// Returns whether a table is wanted as JSON, and which part of a row's name; empty for all rows.
pub fn rows() -> (bool, String) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let json = arguments.iter().any(|argument| argument == "--json");
    let wanted = arguments.into_iter().find(|argument| !argument.starts_with("--"));
    (json, wanted.unwrap_or_default())
}

/// Returns the number after `--threads`, if it was given. Errors: it is not a number above zero.
pub fn threads() -> Fallible<Option<usize>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--threads").skip(1);
    if !std::env::args().any(|argument| argument == "--threads") {
        return Ok(None);
    }
    let given = arguments.next().unwrap_or_default();
    match given.parse() {
        Ok(threads) if threads > 0 => Ok(Some(threads)),
        _ => Err(format!("--threads: `{given}`, a number of threads is wanted").into()),
    }
}

/// Returns the folder of a workload that requires one. Errors: no folder was given.
pub fn wanted(folder: Option<&Path>) -> Fallible<&Path> {
    folder.ok_or_else(|| "a folder is wanted: FOLDER [--json]".into())
}
