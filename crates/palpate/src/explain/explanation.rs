//! The result: a list of decisions.

use crate::contact::Contact;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// What a decision is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// Which detector, with which settings and margin, and in which order it gets its inputs.
    Binding,
    /// Whether the bounding boxes are near enough.
    Boxes,
    /// Of a compound: the pairs of its children, with their detectors.
    Children,
    /// How many elements of each side are near the box of the other.
    Elements,
    /// Whether a surface has an inside.
    Sides,
    /// Another detector that the pair would have by default.
    Detector,
    /// Of self-contact: the elements that share a vertex, which are not in contact with each other.
    Neighbours,
    /// The nearest elements by the detector itself, and their distance.
    Nearest,
    /// A setting that decides: with another value the result is another.
    Setting,
    /// The contacts one by one.
    Contact,
    /// Why contacts are not the same one.
    Several,
    /// What is at the place that was asked for.
    Place,
    /// Caveats of the detector.
    Flags,
    /// The result: always the last.
    Verdict,
}

/// One decision: words, and the numbers in them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// What it is about.
    pub stage: Stage,
    /// One sentence.
    pub text: String,
    /// The numbers by name. Metres, world frame.
    pub values: Map<String, Value>,
}

impl Step {
    pub(super) fn new<const N: usize>(stage: Stage, text: String, values: [(&str, Value); N]) -> Self {
        Self {
            stage,
            text,
            values: values.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        }
    }
}

/// The chain of decisions of a pair. `Display` writes a line per decision.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The decisions, in order; the last is the verdict.
    pub steps: Vec<Step>,
    /// The contacts of the pair.
    pub contacts: Vec<Contact>,
}

impl Explanation {
    /// The last line.
    pub fn verdict(&self) -> &str {
        self.steps.last().map_or("", |step| &step.text)
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{}", step.text))
    }
}

/// A number of contacts in words.
pub(super) fn counted(contacts: usize) -> String {
    if contacts == 1 { "1 contact".to_owned() } else { format!("{contacts} contacts") }
}
