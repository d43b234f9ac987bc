//! The `palpate` command: recordings and cases in, contacts out.
//!
//! Exit status: 0 for success; 1 if the work completed and found something wrong (a case without an answer, a
//! snapshot that differs); 2 if it could not run. Errors are one line on standard error.

mod args;
mod case;
mod demo;
mod detect;
mod detectors;
mod error;
mod explain;
mod inspect;
mod output;
mod picture;
mod record;
mod replay;
mod snapshot;
mod words;

use args::{Arguments, Command};
use clap::Parser;
use error::CommandError;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments.command) {
        Ok(()) | Err(CommandError::BrokenPipe) => ExitCode::SUCCESS,
        Err(error) => {
            let line = error.to_string().replace(['\n', '\r'], " ");
            // Nothing can be reported when standard error is closed.
            let _ = writeln!(io::stderr(), "palpate: error: {line}");
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
        Command::Snapshot(arguments) => snapshot::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
    }
}
