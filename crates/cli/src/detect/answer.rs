//! The answer to one case: a line of JSON.

use crate::case::{self, CaseError, Other, Question};
use crate::json;
use palpate::contact::{CollisionData, Contact};
use palpate::describe::MeshFiles;
use palpate::detect::{Bound, Choice, Context, DetectError, Registry, Status};
use palpate::geometry::Geometry;
use serde::Serialize;
use serde_json::Value;
use std::any::Any;
use std::time::Instant;

/// Shared settings of all answers.
pub(crate) struct Answering {
    /// The detectors.
    pub(crate) registry: Registry,
    /// The mesh files that cases name.
    pub(crate) files: MeshFiles,
    /// Whether to report the time.
    pub(crate) timing: bool,
    /// The longest line that is read, in bytes.
    pub(crate) longest_line: u64,
}

/// One line of output.
pub(crate) struct Answer {
    /// JSON, without the line feed.
    pub(crate) text: String,
    /// Whether it is an error line.
    pub(crate) failed: bool,
    /// Whether answering it panicked.
    pub(crate) panicked: bool,
}

/// An answer with contacts.
#[derive(Serialize)]
struct Contacts<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    detector: &'a str,
    contacts: &'a [Contact],
    flags: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanoseconds: Option<u64>,
}

/// An error line.
#[derive(Serialize)]
struct Failure<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    error: String,
}

/// The name of a case: its own id, or its line in the input.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Name<'a> {
    /// The case's own id.
    Id(&'a Value),
    /// The number of its line, from 1.
    Line(u64),
}

impl<'a> Name<'a> {
    /// The name of the case on line `number`.
    pub(crate) fn of(case: &'a Value, number: u64) -> Self {
        match case.get("id") {
            None | Some(Value::Null) => Self::Line(number),
            Some(id) => Self::Id(id),
        }
    }
}

/// The result of a detection.
struct Found {
    bound: Bound,
    status: Status,
    data: CollisionData,
    nanoseconds: u64,
}

impl Answering {
    /// Answers the case on line `number` (from 1) of the input.
    pub(crate) fn answer(&self, line: &[u8], number: u64) -> Answer {
        let value = match case::parse(line) {
            Ok(value) => value,
            Err(error) => return failure(Name::Line(number), &error),
        };
        let name = Name::of(&value, number);
        match Question::read(&value, &self.files).and_then(|question| self.detect(question)) {
            Ok(found) => self.contacts(name, &found),
            Err(error) => failure(name, &error),
        }
    }

    fn detect(&self, mut question: Question) -> Result<Found, CaseError> {
        let mut bound = self.bind(&question)?;
        let [needs_a, needs_b] = bound.needs();
        question.a.prepare(needs_a);
        if let Other::Geometry(b) = &mut question.b {
            b.prepare(needs_b);
        }
        let context = Context::new().with_margin(question.margin);
        let mut data = CollisionData::new();
        let started = Instant::now();
        let status = run(&mut bound, &question, &context, &mut data)?;
        let nanoseconds = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(Found { bound, status, data, nanoseconds })
    }

    fn bind(&self, question: &Question) -> Result<Bound, CaseError> {
        let (detector, settings) = (question.detector.as_deref(), question.settings.as_ref());
        let choice = Choice { detector, settings, ..Choice::default() };
        let bound = match &question.b {
            Other::Geometry(b) => self.registry.bind(question.a.as_ref(), b.as_ref(), choice),
            Other::Itself => self.registry.bind_self(question.a.as_ref(), choice),
        };
        bound.map_err(refused)
    }

    fn contacts(&self, name: Name<'_>, found: &Found) -> Answer {
        let answer = Contacts {
            name,
            detector: found.bound.name(),
            contacts: &found.data.contacts,
            flags: found.status.flags.names().collect(),
            nanoseconds: self.timing.then_some(found.nanoseconds),
        };
        Answer { text: json::line(&answer), failed: false, panicked: false }
    }
}

fn run(
    bound: &mut Bound,
    question: &Question,
    context: &Context<'_>,
    data: &mut CollisionData,
) -> Result<Status, CaseError> {
    let a: &dyn Geometry = question.a.as_ref();
    let status = match &question.b {
        Other::Geometry(b) => bound.run(a, b.as_ref(), context, data),
        Other::Itself => bound.run_self(a, context, data),
    };
    status.map_err(refused)
}

/// An error of the registry or a detector, attributed to the field that caused it.
fn refused(source: DetectError) -> CaseError {
    CaseError::Detect { field: field_of(&source).to_owned(), source: Box::new(source) }
}

fn field_of(error: &DetectError) -> &'static str {
    match error {
        DetectError::Settings { .. } => "options.settings",
        DetectError::Margin { .. } => "options.margin",
        DetectError::UnknownDetector { .. } | DetectError::DoesNotFit { .. } => "detector",
        DetectError::Child { source, .. } => field_of(source),
        _ => "a, b",
    }
}

fn failure(name: Name<'_>, error: &CaseError) -> Answer {
    Answer { text: json::line(&Failure { name, error: error.to_string() }), failed: true, panicked: false }
}

/// The error line for a line that is too long.
pub(crate) fn too_long(number: u64, longest: u64) -> Answer {
    failure(Name::Line(number), &CaseError::TooLong(longest))
}

/// The error line for a case whose answer panicked.
pub(crate) fn panicked(line: &[u8], number: u64, cause: &(dyn Any + Send)) -> Answer {
    let text = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
    let value = case::parse(line).unwrap_or(Value::Null);
    let error = CaseError::Panicked(text.unwrap_or("an unknown cause").to_owned());
    Answer { panicked: true, ..failure(Name::of(&value, number), &error) }
}
