//! A continuous detector followed by a static one.

use super::bound::{Bound, Detectors, Order};
use super::detection::THEN;
use crate::{Context, DetectError, Status};
use palpate_contact::{CollisionData, Contact, ContactId, ContactKey, IdPart};
use palpate_geometry::{Geometry, Needs};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// First contacts of the motion, then the contacts of the current state whose elements have none.
pub(super) struct Fallback {
    name: String,
    /// Of both; where both have one of the same name, that of the continuous detector.
    settings: Value,
    first: Bound,
    then: Bound,
    found: CollisionData,
    elements: HashSet<(bool, u32, IdPart)>,
    keys: HashSet<ContactKey>,
}

impl Fallback {
    pub(super) fn new([first, then]: [Bound; 2]) -> Self {
        let name = format!("{}{THEN}{}", first.name(), then.name());
        let mut all = Map::new();
        for bound in [&then, &first] {
            if let Value::Object(settings) = bound.settings() {
                all.extend(settings);
            }
        }
        let settings = Value::Object(all);
        let (found, elements, keys) = (CollisionData::new(), HashSet::new(), HashSet::new());
        Self { name, settings, first, then, found, elements, keys }
    }
}

impl Detectors for Fallback {
    fn name(&self) -> &str {
        &self.name
    }

    fn settings(&self) -> Option<&Value> {
        Some(&self.settings)
    }

    fn order(&self) -> Order {
        self.first.order()
    }

    /// The order of the static detector.
    fn parts(&self) -> Vec<Order> {
        self.then.orders()
    }

    fn is_self(&self) -> bool {
        self.first.is_self()
    }

    fn needs(&self) -> [Needs; 2] {
        let ([first_a, first_b], [then_a, then_b]) = (self.first.needs(), self.then.needs());
        [first_a | then_a, first_b | then_b]
    }

    /// Both take the two geometries as a whole: there is nothing to bind again.
    fn refreshed(&self, _: &dyn Geometry, _: &dyn Geometry) -> Result<Option<Bound>, DetectError> {
        Ok(None)
    }

    fn refresh(&mut self, _: &dyn Geometry, _: &dyn Geometry) -> Result<bool, DetectError> {
        Ok(false)
    }

    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let itself = self.is_self();
        let run = |bound: &mut Bound, out: &mut CollisionData| {
            if itself { bound.run_self(a, context, out) } else { bound.run(a, b, context, out) }
        };
        let first = run(&mut self.first, out)?;
        let then = run(&mut self.then, &mut self.found)?;
        self.elements.clear();
        self.keys.clear();
        self.keys.extend(out.contacts.iter().map(Contact::key));
        for contact in &out.contacts {
            let parts = ContactId::parts(contact.id);
            self.elements.insert((false, contact.a.child, parts[0]));
            self.elements.insert((true, contact.b.child, parts[1]));
        }
        // A vertex or an edge that is stopped on its way has its contact; a face or a whole body may have others.
        let stopped = |side, child, part| {
            matches!(part, IdPart::Vertex(_) | IdPart::Edge(_))
                && self.elements.contains(&(side, child, part))
        };
        out.contacts.extend(self.found.contacts.iter().filter(|contact| {
            let [of_a, of_b] = ContactId::parts(contact.id);
            // Ids are unique within an answer: the continuous contact is kept.
            !self.keys.contains(&contact.key())
                && !stopped(false, contact.a.child, of_a)
                && !stopped(true, contact.b.child, of_b)
        }));
        Ok(Status { flags: first.flags | then.flags })
    }

    fn reset(&mut self) {
        self.first.reset();
        self.then.reset();
    }
}
