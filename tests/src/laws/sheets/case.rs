//! A sheet and another body, and their detection by the registry's default detector.

use super::form::{Rectangle, SheetForm};
use super::mutation::SheetMutation;
use super::{SheetCell, SheetStand};
use crate::compound::Body;
use crate::laws::solids::{Answer, TOLERANCE};
use palpate_contact::CollisionData;
use palpate_detect::{Bound, Choice, Context, Registry};
use palpate_geometry::{Geometry, Pose};
use palpate_math::Vector;
use serde_json::{Value, json};

/// A sheet and another body.
#[derive(Clone, Debug)]
pub struct SheetCase {
    /// The kinds.
    pub cell: SheetCell,
    /// Relative position.
    pub stand: SheetStand,
    /// Index of the case in its cell and stand.
    pub number: usize,
    /// The form of the sheet; of slabs and closed meshes, a rectangle.
    pub form: SheetForm,
    /// The sheet.
    pub a: Body,
    /// The other body.
    pub b: Body,
    /// The margin in metres.
    pub margin: f64,
    /// Length of the unit in which the bodies were made.
    pub unit: f64,
    /// Displacement of B in a sequence of steps; zero if it is only moved slightly.
    pub way: Vector,
    /// Whether A is flat, except for noise.
    pub flat: bool,
    /// Whether A is convex: a flat sheet with a convex outline, or a slab.
    pub convex: bool,
    /// The rectangle that A divides.
    pub rectangle: Option<Rectangle>,
}

impl SheetCase {
    /// The largest coordinate or length.
    pub fn size(&self) -> f64 {
        let parts = self.a.parts().iter().chain(self.b.parts());
        parts.map(crate::Shape::size).fold(self.margin, f64::max)
    }

    /// The tolerance of the judges, in metres.
    pub fn tolerance(&self) -> f64 {
        TOLERANCE * self.size()
    }

    /// B after a motion.
    pub(super) fn moved_b(&self, motion: &Pose) -> Body {
        self.b.map(|shape| shape.moved(motion))
    }

    /// The case as an input line for `palpate detect`.
    pub fn to_json(&self) -> String {
        let id = format!("{} {:?} {}", self.cell.name(), self.stand, self.number);
        let options = json!({"margin": self.margin});
        json!({"id": id, "a": self.a.json(), "b": self.b.json(), "options": options}).to_string()
    }
}

/// The detectors, with or without a fault in their results.
#[derive(Clone, Copy)]
pub struct Detectors<'a> {
    /// All detectors.
    pub registry: &'a Registry,
    /// The fault.
    pub mutation: Option<SheetMutation>,
}

impl Detectors<'_> {
    /// Binds the bodies of a case.
    pub(super) fn runs(&self, case: &SheetCase) -> Result<Runs, String> {
        self.bound(&case.a, &case.b, None)
    }

    /// Binds two bodies.
    pub(super) fn bound(&self, a: &Body, b: &Body, settings: Option<&Value>) -> Result<Runs, String> {
        let (a, b) = (a.prepared(), b.prepared());
        let choice = settings.map_or_else(Choice::default, |json| Choice::default().with_settings(json));
        let bound = self.registry.bind(a.as_ref(), b.as_ref(), choice).map_err(|error| error.to_string())?;
        Ok(Runs { a, b, bound, mutation: self.mutation, count: 0 })
    }
}

/// Successive detections of one pair.
pub(super) struct Runs {
    a: Box<dyn Geometry>,
    b: Box<dyn Geometry>,
    bound: Bound,
    mutation: Option<SheetMutation>,
    count: usize,
}

impl Runs {
    /// The result with B as placed last.
    pub(super) fn run(&mut self, margin: f64) -> Result<Answer, String> {
        let mut data = CollisionData::new();
        let context = Context::new().with_margin(margin);
        let ran = self.bound.run(self.a.as_ref(), self.b.as_ref(), &context, &mut data);
        let flags = ran.map_err(|error| error.to_string())?.flags;
        if let Some(mutation) = self.mutation {
            mutation.apply(&mut data, self.count);
        }
        self.count += 1;
        Ok(Answer { data, flags })
    }

    /// The result with B at another position.
    pub(super) fn run_with(&mut self, b: &Body, margin: f64) -> Result<Answer, String> {
        b.place(self.b.as_mut());
        self.run(margin)
    }
}
