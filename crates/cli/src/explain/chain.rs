//! The chain of decisions of a pair.

use crate::case::{Other, Question};
use palpate::contact::Contact;
use palpate::describe::MeshFiles;
use palpate::explain::{Explanation, Step, explain};
use palpate::scene::{Groups, PairOptions, Scene};
use serde::Serialize;
use serde_json::Value;

/// The chain as JSON.
#[derive(Serialize)]
pub(super) struct Chain<'a> {
    steps: &'a [Step],
    contacts: &'a [Contact],
    verdict: &'a str,
}

impl<'a> Chain<'a> {
    /// The JSON of a chain.
    pub(super) fn new(chain: &'a Explanation) -> Self {
        Self { steps: &chain.steps, contacts: &chain.contacts, verdict: chain.verdict() }
    }
}

/// The chain of a case; `None` where it is of polygons, or cannot be detected.
pub(super) fn of_case(value: &Value) -> Option<Explanation> {
    let Question { detector, a, b, margin, settings } = Question::read(value, &MeshFiles::default()).ok()?;
    let mut scene = Scene::standard();
    let one = scene.add_boxed("a", a, Groups::default()).ok()?;
    let two = match b {
        Other::Geometry(b) => scene.add_boxed("b", b, Groups::default()).ok()?,
        Other::Itself => one,
    };
    let options = PairOptions { detector, settings, margin, ..PairOptions::default() };
    let pair = scene.add_pair(one, two, options).ok()?;
    explain(&mut scene, pair, None).ok()
}
