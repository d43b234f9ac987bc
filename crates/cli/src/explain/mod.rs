//! `palpate explain`: why a pair has its contacts or none, and GJK and EPA, iteration by iteration.

mod chain;
mod coordinates;
mod drawing;
mod outline;
mod page;
mod panel;
mod polytope;
mod question;
mod report;
mod session;
mod solid;

use crate::args::ExplainArguments;
use crate::case::{self, CaseError};
use crate::detect::lines::{Line, Lines};
use crate::detect::{Name, Tally, open};
use crate::error::CommandError;
use crate::json;
use crate::output::{Output, refuse_own_input};
use crate::{terminal, text};
use chain::Chain;
use palpate::explain::Explanation;
use report::Report;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

/// A case and its result.
pub(crate) struct Answered {
    /// Its id, or else its line number.
    name: String,
    /// The chain of decisions, unless the case is of polygons.
    chain: Option<Explanation>,
    report: Result<Report, String>,
    /// The line of JSON.
    text: String,
}

/// Output formats.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    List,
    Text,
    Svg,
    Html,
}

/// A line of output.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    #[serde(flatten)]
    report: Option<&'a Report>,
    #[serde(flatten)]
    chain: Option<Chain<'a>>,
}

/// The line for a case that cannot be explained.
#[derive(Serialize)]
struct Failure<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    error: &'a str,
}

/// Explains every case, in the order of the cases. Errors: an input that cannot be read, an output that cannot be
/// written; cases with errors.
pub(crate) fn run(arguments: &ExplainArguments) -> Result<(), CommandError> {
    let cases = match &arguments.files[..] {
        _ if arguments.frame.is_some() => return session::run(arguments),
        [cases] => cases,
        files => {
            return Err(CommandError::Argument {
                argument: "FILE",
                found: format!("{} files", files.len()),
                wanted: "one file of cases, or --frame and --pair of a session".to_owned(),
            });
        }
    };
    let longest = arguments.read.limits()?.json_line_bytes;
    let form = form(arguments.out.as_deref())?;
    let mut lines = Lines::new(open(cases)?, longest);
    if let Some(out) = &arguments.out {
        refuse_own_input(out, std::slice::from_ref(cases))?;
    }
    let mut output = Output::create(arguments.out.as_deref())?;
    let mut tally = Tally::default();
    let mut kept = Vec::new();
    loop {
        let batch = lines.next_batch().map_err(|error| CommandError::io(cases, "reading", error))?;
        if batch.is_empty() {
            break;
        }
        for line in &batch {
            let answered = answer(line, longest);
            tally.count(line.number, answered.report.is_err() && answered.chain.is_none());
            if form == Form::Lines {
                writeln!(output, "{}", answered.text).map_err(|error| failed(&output, error))?;
            } else {
                kept.push(answered);
            }
        }
        output.flush().map_err(|error| failed(&output, error))?;
    }
    write(form, &kept, &mut output).map_err(|error| failed(&output, error))?;
    output.finish()?;
    if let Some(out) = arguments.out.as_deref().filter(|_| arguments.json) {
        terminal::print_json(&tally.summary(out))?;
    }
    tally.verdict()
}

fn failed(output: &Output, error: io::Error) -> CommandError {
    CommandError::io(&output.path(), "writing", error)
}

/// The format for the extension of the file.
fn form(out: Option<&Path>) -> Result<Form, CommandError> {
    let Some(path) = out else { return Ok(Form::Lines) };
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("jsonl") => Ok(Form::Lines),
        Some("json") => Ok(Form::List),
        Some("txt") => Ok(Form::Text),
        Some("svg") => Ok(Form::Svg),
        Some("html") => Ok(Form::Html),
        _ if path.is_dir() => Err(CommandError::IsDirectory { path: path.to_owned() }),
        _ => Err(CommandError::Argument {
            argument: "--out",
            found: path.display().to_string(),
            wanted: "a name that ends in .txt, .svg, .html, .json or .jsonl".to_owned(),
        }),
    }
}

fn write(form: Form, answers: &[Answered], output: &mut Output) -> io::Result<()> {
    match form {
        Form::Lines => Ok(()),
        Form::List => {
            let lines: Vec<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
            writeln!(output, "[\n{}\n]", lines.join(",\n"))
        }
        Form::Text => answers.iter().try_for_each(|answer| write!(output, "{}", lines_of(answer))),
        Form::Svg => output.write_all(drawing::svg(answers).as_bytes()),
        Form::Html => output.write_all(page::html(answers).as_bytes()),
    }
}

/// The decisions, a line each, below the name of the case.
fn lines_of(answer: &Answered) -> String {
    let told = match (&answer.chain, &answer.report) {
        (Some(chain), _) => chain.to_string(),
        (None, Err(error)) => format!("{error}\n"),
        (None, Ok(_)) => "Polygons: the iterations are in the other formats.\n".to_owned(),
    };
    let lines = told.lines().map(|line| format!("{}\n", text::line(line))).collect::<String>();
    format!("{}\n{lines}\n", text::line(&answer.name))
}

fn answer(line: &Line, longest: u64) -> Answered {
    let Some(bytes) = &line.bytes else {
        return refused(Name::Line(line.number), &CaseError::TooLong(longest));
    };
    let value = match case::parse(bytes) {
        Ok(value) => value,
        Err(error) => return refused(Name::Line(line.number), &error),
    };
    let name = Name::of(&value, line.number);
    let report = question::answer(&value).map_err(CaseError::from);
    let chain = chain::of_case(&value);
    match (&report, &chain) {
        (Err(error), None) => refused(name, error),
        _ => {
            let title = title(&name);
            let told = chain.as_ref().map(Chain::new);
            let text = json::line(&Answer { name, report: report.as_ref().ok(), chain: told });
            Answered { name: title, chain, report: report.map_err(|error| error.to_string()), text }
        }
    }
}

fn refused(name: Name<'_>, error: &CaseError) -> Answered {
    let (title, error) = (title(&name), error.to_string());
    let text = json::line(&Failure { name, error: &error });
    Answered { name: title, chain: None, report: Err(error), text }
}

fn title(name: &Name<'_>) -> String {
    match name {
        Name::Id(Value::String(id)) => id.clone(),
        Name::Id(id) => id.to_string(),
        Name::Line(number) => format!("line {number}"),
    }
}
