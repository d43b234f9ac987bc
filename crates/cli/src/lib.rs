//! The `palpate` command: recordings and cases in, contacts out. A library, so that the Python package has the command, too.
//!
//! Exit status: 0 for success; 1 if the work completed and found something wrong (a case without an answer, a
//! snapshot that differs); 2 if it could not run. Errors are one line on standard error; a second one may hold a hint.

mod args;
mod case;
mod convert;
mod demo;
mod detect;
mod detectors;
mod diff;
mod error;
mod explain;
mod inspect;
mod json;
mod manual;
mod notes;
mod output;
mod pack;
mod picture;
mod progress;
mod replay;
mod report;
mod snapshot;
mod terminal;
mod text;
mod usage;
mod validate;
mod words;

pub use inspect::report as health;

use args::{Arguments, Command};
use clap::Parser;
use error::CommandError;
use std::ffi::OsString;

/// Runs the command with these arguments, of which the first is the name of the program, and returns its exit status. Prints
/// what the subcommand prints.
pub fn command<T: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = T>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(&error),
    };
    match run(&arguments.command) {
        Ok(()) | Err(CommandError::BrokenPipe) => 0,
        Err(error) => {
            usage::tell(&error.to_string(), error.hint().as_deref());
            error.exit_code()
        }
    }
}

fn run(command: &Command) -> Result<(), CommandError> {
    match command {
        Command::Detect(arguments) => detect::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Detectors(arguments) => detectors::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Validate(arguments) => validate::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Snapshot(arguments) => snapshot::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
        Command::Completions(arguments) => manual::completions(arguments),
        Command::Man(arguments) => manual::man(arguments),
    }
}
