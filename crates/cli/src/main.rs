//! The `palpate` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(palpate_cli::command(std::env::args_os()))
}
