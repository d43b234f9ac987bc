//! Progress of long commands.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};
use std::fs::File;
use std::io::{self, IsTerminal, Read};

/// A bar with the time left, on a terminal; nothing elsewhere. `what` is counted: frames, cases.
pub(crate) fn bar(count: usize, what: &str) -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    match ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {what}, {{eta}} left")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A file that is read with a bar of its bytes and the time left; without, if results go to a terminal meanwhile.
pub(crate) fn reading(file: File) -> Box<dyn Read> {
    let length = file.metadata().map_or(0, |about| about.len());
    if io::stdout().is_terminal() || length == 0 {
        return Box::new(file);
    }
    let bar = bar(length as usize, "bytes read").with_finish(ProgressFinish::AndClear);
    Box::new(bar.wrap_read(file))
}
