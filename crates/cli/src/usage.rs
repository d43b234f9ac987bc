//! Errors of the command line in one line, as all others.

use crate::text;
use clap::error::ErrorKind;
use std::io::{self, Write};

/// What `palpate` alone prints.
const FIRST_STEPS: &str = "\
palpate finds the contacts of recorded sessions and of cases. What to do first:

  palpate demo                          a small session, its contacts, a picture
  palpate inspect organ.obj --unit mm   is a mesh sound? what is in a recording?
  palpate replay SESSION                the contacts of a recording
  palpate report SESSION                a page to look at them, frame by frame
  palpate explain SESSION --frame 50 --pair tool:organ
                                        why a contact is there, or none
  palpate snapshot SESSION              the contacts as a text for tests
  palpate diff A B                      what changed between two runs
  palpate detectors                     what can touch what

palpate --help lists all commands, palpate COMMAND --help their options.
";

/// Prints what clap has to say: help, version and the first steps on standard output, with status 0; an error as
/// `palpate: error: …` and a hint on standard error, with status 2.
pub(crate) fn report(error: &clap::Error) -> u8 {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nothing can be reported when standard output is closed.
        let _ = error.print();
        return 0;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = io::stdout().lock().write_all(FIRST_STEPS.as_bytes());
        return 0;
    }
    let (message, hint) = lines(&error.to_string());
    tell(&message, Some(&hint));
    2
}

/// Prints an error, and a hint, on standard error.
pub(crate) fn tell(message: &str, hint: Option<&str>) {
    let mut lines = format!("palpate: error: {}\n", text::line(message));
    if let Some(hint) = hint {
        lines.push_str(&format!("palpate: hint: {}\n", text::line(hint)));
    }
    // Nothing can be reported when standard error is closed.
    let _ = io::stderr().lock().write_all(lines.as_bytes());
}

/// The message and the hint in clap's text: paragraphs of the error, tips, the usage and where to find more.
fn lines(rendered: &str) -> (String, String) {
    let (mut message, mut tips, mut usage) = (Vec::new(), Vec::new(), None);
    for line in rendered.lines().map(str::trim) {
        if let Some(tip) = line.strip_prefix("tip: ") {
            tips.push(tip);
        } else if let Some(line) = line.strip_prefix("Usage: ") {
            usage = Some(line);
        } else if usage.is_none() && tips.is_empty() && !line.is_empty() && !line.starts_with("For more") {
            message.push(line.strip_prefix("error: ").unwrap_or(line));
        }
    }
    let hint = match usage {
        _ if !tips.is_empty() => tips.join("; "),
        Some(usage) => format!("usage: {usage}"),
        None => "palpate --help and palpate SUBCOMMAND --help list what there is".to_owned(),
    };
    (message.join(" "), hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Arguments;
    use clap::Parser;

    fn told(words: &[&str]) -> (String, String) {
        let all = std::iter::once("palpate").chain(words.iter().copied());
        lines(&Arguments::try_parse_from(all).map(|_| ()).unwrap_err().to_string())
    }

    #[test]
    fn an_error_is_a_line_and_a_hint() {
        let (message, hint) = told(&["replay", "x.vtkhdf", "--frame", "1:2"]);
        assert_eq!(message, "unexpected argument '--frame' found");
        assert_eq!(hint, "a similar argument exists: '--frames'");
        let (message, hint) = told(&["replay"]);
        assert_eq!(message, "the following required arguments were not provided: <FILE>...");
        assert_eq!(hint, "usage: palpate replay <FILE>...");
        let (message, hint) = told(&["repaly"]);
        assert!(message.contains("'repaly'") && hint.contains("'replay'"), "{message} {hint}");
        let (message, _) = told(&["replay", "x", "--threads", "many"]);
        assert!(
            message.contains("'many'") && message.contains("--threads") && !message.contains('\n'),
            "{message}"
        );
        let (message, _) = told(&["inspect", "x.obj", "--unit", "mile"]);
        assert!(message.ends_with("[possible values: mm, cm, m, in]"), "{message}");
    }
}
