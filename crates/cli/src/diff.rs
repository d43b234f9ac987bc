//! `palpate diff`: the contacts of two files of contacts, sessions or snapshots, compared.

use crate::args::DiffArguments;
use crate::error::CommandError;
use crate::output::{Output, refuse_own_input};
use crate::{progress, terminal, text};
use palpate::diff::{Options, Report, compare_files};
use palpate::replay::ReplayOptions;
use std::io::Write;

/// Compares two files. Errors: files that cannot be used; contacts that differ.
pub(crate) fn run(arguments: &DiffArguments) -> Result<(), CommandError> {
    let (was, is) = (&arguments.was, &arguments.is);
    if let Some(path) = &arguments.junit {
        refuse_own_input(path, &[was.clone(), is.clone()])?;
    }
    let replayed = ReplayOptions {
        limits: arguments.read.limits()?,
        allow_external: arguments.read.allow_external,
        ..ReplayOptions::default()
    };
    let bar = progress::bar(0, "frames");
    let mut progress = |done: usize, all: usize| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let report = compare_files([was, is], &options(arguments), &replayed, &mut progress);
    bar.finish_and_clear();
    let report = report?;
    if let Some(path) = &arguments.junit {
        let mut output = Output::create(Some(path))?;
        let written = output.write_all(report.junit().as_bytes());
        written.map_err(|error| CommandError::io(path, "writing", error))?;
        output.finish()?;
    }
    if arguments.json {
        terminal::print_json(&report)?;
    } else {
        let lines = report.to_string();
        terminal::print(&lines.lines().map(|line| text::line(line) + "\n").collect::<String>())?;
    }
    if report.agrees() { Ok(()) } else { Err(differs(arguments, &report)) }
}

fn differs(arguments: &DiffArguments, report: &Report) -> CommandError {
    let first = match (&report.first, report.input.first()) {
        (Some(first), _) => format!("the contacts differ, the first: {first}"),
        (None, Some(input)) => format!("the input differs, the contacts agree: {input}"),
        (None, None) => "the contacts differ".to_owned(),
    };
    CommandError::DiffersFrom { was: arguments.was.clone(), is: arguments.is.clone(), what: first }
}

fn options(arguments: &DiffArguments) -> Options {
    let (policy, allow_empty) = (arguments.policy.policy(), arguments.allow_empty);
    Options { policy, allow_empty, ..Options::default() }
}
