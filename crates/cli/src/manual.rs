//! `palpate completions` and `palpate man`: what a shell and `man` know about the command.

use crate::args::{Arguments, CompletionsArguments, ManArguments};
use crate::error::CommandError;
use crate::output::Output;
use crate::terminal;
use clap::CommandFactory;
use std::io::Write;
use std::path::Path;

/// Prints the completions for a shell.
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "palpate", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}

/// Prints the page of the command, or writes it and those of the subcommands to a folder.
pub(crate) fn man(arguments: &ManArguments) -> Result<(), CommandError> {
    let mut command = Arguments::command();
    command.build();
    match &arguments.out {
        None => terminal::print(&String::from_utf8_lossy(&page(command, Path::new("standard output"))?)),
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .map_err(|error| CommandError::io(folder, "making the folder", error))?;
            for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
                let name = format!("palpate-{}.1", subcommand.get_name());
                write(&folder.join(name), subcommand.clone())?;
            }
            write(&folder.join("palpate.1"), command)
        }
    }
}

fn write(path: &Path, command: clap::Command) -> Result<(), CommandError> {
    let mut output = Output::create(Some(path))?;
    output.write_all(&page(command, path)?).map_err(|error| CommandError::io(path, "writing", error))?;
    output.finish()
}

fn page(command: clap::Command, path: &Path) -> Result<Vec<u8>, CommandError> {
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(command).render(&mut page);
    rendered.map_err(|error| CommandError::io(path, "rendering", error))?;
    Ok(page)
}
