//! A pair of solids, and its detection by the registry's default detector.

use super::mutation::SolidMutation;
use super::solid::Solid;
use super::{Cell, Stand, cell_name};
use crate::ALL_NEEDS;
use crate::compound::Body;
use palpate_contact::{CollisionData, Contact};
use palpate_detect::{Bound, Choice, Context, Flags, Registry};
use palpate_geometry::{Geometry, Pose, Sidedness, SurfaceMesh};
use palpate_math::Vector;
use serde_json::json;
use std::any::Any;

/// Error of depths and points left by rounding and the search between curved bodies, relative to the size of the
/// case.
pub const TOLERANCE: f64 = 2e-9;

/// Two solids.
#[derive(Clone, Debug)]
pub struct SolidCase {
    /// The two kinds.
    pub cell: Cell,
    /// Relative position.
    pub stand: Stand,
    /// Index of the case in its cell and stand.
    pub number: usize,
    /// The first solid.
    pub a: Body,
    /// The second solid.
    pub b: Body,
    /// The margin in metres.
    pub margin: f64,
    /// The numbers of the parts that certainly share a point.
    pub shared: Vec<[u32; 2]>,
    /// Displacement of B in a sequence of steps; zero if it is only moved slightly.
    pub way: Vector,
    /// How A and B tell inside from outside, where they are surface meshes.
    pub sidedness: [Sidedness; 2],
}

impl SolidCase {
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
    pub fn moved_b(&self, motion: &Pose) -> Body {
        self.b.map(|shape| shape.moved(motion))
    }

    /// The same with another B.
    #[must_use]
    pub fn with_b(&self, b: Body) -> Self {
        Self { b, ..self.clone() }
    }

    /// The case as an input line for `palpate detect`.
    pub fn to_json(&self) -> String {
        let id = format!("{} {:?} {}", cell_name(&self.cell), self.stand, self.number);
        let [a, b] = [(&self.a, self.sidedness[0]), (&self.b, self.sidedness[1])].map(|(body, sidedness)| {
            let mut json = body.json();
            if sidedness == Sidedness::WindingNumber && json["type"] == "SurfaceMesh" {
                json["sidedness"] = json!("winding_number");
            }
            json
        });
        json!({"id": id, "a": a, "b": b, "options": {"margin": self.margin}}).to_string()
    }

    /// All pairs of parts as the judges represent them, with their numbers.
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

/// The result of a detection.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The contacts.
    pub data: CollisionData,
    /// The flags.
    pub flags: Flags,
}

impl Answer {
    /// The contacts of two parts.
    pub(crate) fn of(&self, children: [u32; 2]) -> impl Iterator<Item = &Contact> {
        self.data.contacts.iter().filter(move |contact| [contact.a.child, contact.b.child] == children)
    }

    /// The depth of the deepest contact, and its upper bound where a limit was reached; at least zero.
    pub(crate) fn depth(&self) -> [f64; 2] {
        let limit = self.flags.intersects(Flags::ITERATION_LIMIT | Flags::BUDGET_EXHAUSTED);
        let upper = |contact: &Contact| if limit { contact.depth_upper } else { contact.depth };
        self.data
            .contacts
            .iter()
            .fold([0.0, 0.0], |[low, high], contact| [low.max(contact.depth), high.max(upper(contact))])
    }
}

/// Successive detections of one pair by the registry's default detector.
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
        let [a, b] = [(&case.a, case.sidedness[0]), (&case.b, case.sidedness[1])].map(|(body, sidedness)| {
            let mut geometry = body.prepared();
            let any: &mut dyn Any = geometry.as_mut();
            if let (Sidedness::WindingNumber, Some(mesh)) = (sidedness, any.downcast_mut::<SurfaceMesh>()) {
                *mesh = mesh.clone().with_sidedness(sidedness);
                mesh.prepare(ALL_NEEDS);
            }
            geometry
        });
        let bound =
            registry.bind(a.as_ref(), b.as_ref(), Choice::default()).map_err(|error| error.to_string())?;
        Ok(Self { a, b, bound, margin: case.margin, mutation, count: 0 })
    }

    /// The result with B as in the case, or as placed last.
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

    /// The result with B at another position.
    pub fn run_with(&mut self, b: &Body) -> Result<Answer, String> {
        b.place(self.b.as_mut());
        self.run()
    }
}
