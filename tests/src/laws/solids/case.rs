//! A pair of solids, and a detection of it by the registry's own choice.

use super::mutation::SolidMutation;
use super::solid::Solid;
use super::{Cell, Stand, cell_name};
use crate::compound::Body;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Bound, Choice, Context, Flags, Registry};
use palpate_geometry::{Geometry, Pose};
use palpate_math::{Point, Vector};
use serde_json::json;

/// What rounding and the search among curved bodies may leave of depths and places, relative to the size of the case.
pub const TOLERANCE: f64 = 2e-9;

/// Two solids.
#[derive(Clone, Debug)]
pub struct SolidCase {
    /// The kinds of the two.
    pub cell: Cell,
    /// How they stand to each other.
    pub stand: Stand,
    /// Which of the cases of its cell and stand it is.
    pub number: usize,
    /// The first solid.
    pub a: Body,
    /// The second solid.
    pub b: Body,
    /// The margin in metres.
    pub margin: f64,
    /// The numbers of the parts that surely share a point.
    pub shared: Vec<[u32; 2]>,
    /// How far B is moved in a sequence of steps; zero where it is only moved a little.
    pub way: Vector,
}

impl SolidCase {
    /// The largest coordinate or length.
    pub fn size(&self) -> f64 {
        let parts = self.a.parts().iter().chain(self.b.parts());
        parts.map(crate::Shape::size).fold(self.margin, f64::max)
    }

    /// The slack of the judges, in metres.
    pub fn tolerance(&self) -> f64 {
        TOLERANCE * self.size()
    }

    /// B after a motion.
    pub fn moved_b(&self, motion: &Pose) -> Body {
        self.b.map(|shape| shape.moved(motion))
    }

    /// The same with another B.
    #[must_use]
    pub fn with_b(&self, b: Body) -> Self {
        Self { b, ..self.clone() }
    }

    /// Where B is, and how far it reaches from there.
    pub fn pivot(&self) -> (Point, f64) {
        let parts = self.b.parts();
        let middle = parts.iter().map(crate::Shape::center).sum::<Vector>() / parts.len() as f64;
        let middle = Point::from(middle);
        (middle, parts.iter().map(|part| part.reach_from(&middle)).fold(0.0, f64::max))
    }

    /// The case as a line for `palpate detect`.
    pub fn to_json(&self) -> String {
        let id = format!("{} {:?} {}", cell_name(&self.cell), self.stand, self.number);
        json!({"id": id, "a": self.a.json(), "b": self.b.json(), "options": {"margin": self.margin}})
            .to_string()
    }

    /// Every two parts as the judges see them, with their numbers.
    pub(super) fn part_pairs(&self) -> Vec<([u32; 2], Solid, Solid)> {
        let mut pairs = Vec::new();
        for (i, part_a) in self.a.parts().iter().enumerate() {
            for (j, part_b) in self.b.parts().iter().enumerate() {
                pairs.push(([self.a.number(i), self.b.number(j)], Solid::new(part_a), Solid::new(part_b)));
            }
        }
        pairs
    }
}

/// What was answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The contacts.
    pub data: CollisionData,
    /// What the answer says of itself.
    pub flags: Flags,
}

impl Answer {
    /// The contacts of two parts.
    pub(super) fn of(&self, children: [u32; 2]) -> impl Iterator<Item = &Contact> {
        self.data.contacts.iter().filter(move |contact| [contact.a.child, contact.b.child] == children)
    }

    /// The depth of the deepest contact, and its upper bound, where the answer says that a limit was met; zero at least.
    pub(super) fn depth(&self) -> [f64; 2] {
        let limit = self.flags.intersects(Flags::ITERATION_LIMIT | Flags::BUDGET_EXHAUSTED);
        let upper = |contact: &Contact| if limit { contact.depth_upper } else { contact.depth };
        self.data
            .contacts
            .iter()
            .fold([0.0, 0.0], |[low, high], contact| [low.max(contact.depth), high.max(upper(contact))])
    }
}

/// Detections of one pair, one after the other, by the detector that the registry chooses.
pub struct Runs {
    a: Box<dyn Geometry>,
    b: Box<dyn Geometry>,
    bound: Bound,
    margin: f64,
    mutation: Option<SolidMutation>,
    count: usize,
}

impl Runs {
    /// Binds the pair.
    pub fn new(
        registry: &Registry,
        case: &SolidCase,
        mutation: Option<SolidMutation>,
    ) -> Result<Self, String> {
        let (a, b) = (case.a.prepared(), case.b.prepared());
        let bound =
            registry.bind(a.as_ref(), b.as_ref(), Choice::default()).map_err(|error| error.to_string())?;
        Ok(Self { a, b, bound, margin: case.margin, mutation, count: 0 })
    }

    /// The answer with B as it is in the case, or was placed last.
    pub fn run(&mut self) -> Result<Answer, String> {
        let mut data = CollisionData::new();
        let context = Context::new().with_margin(self.margin);
        let status = self
            .bound
            .run(self.a.as_ref(), self.b.as_ref(), &context, &mut data)
            .map_err(|error| error.to_string())?;
        if let Some(mutation) = self.mutation {
            mutation.apply(&mut data, self.count);
        }
        self.count += 1;
        Ok(Answer { data, flags: status.flags })
    }

    /// The answer with B somewhere else.
    pub fn run_with(&mut self, b: &Body) -> Result<Answer, String> {
        b.place(self.b.as_mut());
        self.run()
    }
}
