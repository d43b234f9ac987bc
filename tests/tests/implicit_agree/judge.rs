//! Comparison of two answers, each with certified bounds.

use crate::cells::{Partner, extent};
use crate::hidden::{Bodies, Both, Kept};
use palpate_contact::{CollisionData, Contact, ContactId, IdPart};
use palpate_detect::{Context, Flags, Registry};
use palpate_geometry::Geometry;
use palpate_geometry::implicit::{ImplicitBody, ImplicitFunction};
use palpate_math::{Point, Vector};
use palpate_tests::compare::{ROUNDING, same_element};
use palpate_tests::{Case, Shape, Subject};

/// The gap of a search that converged, relative to the smaller of both shapes, where no grid is coarser.
const GAP: f64 = 1e-9;

/// How much deeper than its boundary an element must be to surely have a contact of its own, relative to that size.
const OF_ITS_OWN: f64 = 1e-8;

/// The outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same contacts, all depths certified by both.
    Agreed,
    /// No contact in either.
    Nothing,
    /// The brackets of depths overlap, but branch and bound did not converge.
    OracleOpen,
    /// The same; neither converged.
    BothOpen,
    /// The same, but it was the detector's own search that did not converge, alone.
    OpenAlone,
}

/// What a detector answered.
pub(crate) struct Answer {
    contacts: CollisionData,
    flags: Flags,
}

impl Answer {
    fn of(registry: &Registry, case: &Case, a: &dyn Geometry, b: &dyn Geometry) -> Result<Self, String> {
        let subject = Subject::new(registry);
        let mut bound = subject.bind(case, a, b)?;
        let context = Context::new().with_margin(case.margin);
        let (contacts, flags) = subject.run_with_flags(&mut bound, a, b, &context)?;
        Ok(Self { contacts, flags })
    }

    fn is_open(&self) -> bool {
        self.flags.intersects(Flags::ITERATION_LIMIT | Flags::BUDGET_EXHAUSTED)
    }

    fn find(&self, contact: &Contact) -> Option<&Contact> {
        self.contacts.contacts.iter().find(|other| key(other) == key(contact))
    }

    fn has_pieces(&self) -> bool {
        self.contacts.contacts.iter().any(|contact| piece(contact).is_some())
    }
}

/// The number of the piece whose deepest point this is.
fn piece(contact: &Contact) -> Option<u32> {
    match ContactId::parts(contact.id)[0] {
        IdPart::Inside(number) => Some(number),
        _ => None,
    }
}

/// What is compared with what. Of a piece's deepest points each may be nearest to another element.
fn key(contact: &Contact) -> (u64, Option<u32>) {
    let piece = piece(contact);
    (if piece.is_some() { 0 } else { contact.id }, piece)
}

/// A case, with what its shapes are as implicit functions.
pub(crate) struct Trial<'a> {
    case: &'a Case,
    bodies: [Box<dyn Geometry>; 2],
    hidden: [Option<ImplicitBody>; 2],
    /// The error of a depth, and what of it is the resolution of grids.
    tolerance: f64,
    resolution: f64,
    /// How deep an element's own contact must be.
    own: f64,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(case: &'a Case, partner: &Partner, bodies: &mut Bodies) -> Self {
        let kept =
            Kept { convexity: !partner.is_solid(), rods: partner.is_mesh(), resolution: !bodies.is_finer };
        let shapes = [&case.a, &case.b];
        let sizes = shapes.iter().filter(|shape| !matches!(shape, Shape::Plane { .. }));
        let size = sizes.map(|shape| extent(shape)).fold(f64::INFINITY, f64::min);
        let rounding = ROUNDING * case.size();
        let resolution = case.resolution();
        let [(a, hidden_a), (b, hidden_b)] = shapes.map(|shape| -> (Box<dyn Geometry>, _) {
            match bodies.of(shape, kept) {
                Some(Both { open, hidden }) => (Box::new(open), Some(hidden)),
                None => (shape.prepared(), None),
            }
        });
        Self {
            case,
            bodies: [a, b],
            hidden: [hidden_a, hidden_b],
            tolerance: GAP * size + resolution + rounding,
            resolution,
            own: OF_ITS_OWN * size + resolution + rounding,
        }
    }

    /// The detector's answer.
    pub(crate) fn fast(&self, registry: &Registry) -> Result<Answer, String> {
        let [a, b] = &self.bodies;
        Answer::of(registry, self.case, a.as_ref(), b.as_ref())
    }

    /// The answer by branch and bound.
    pub(crate) fn slow(&self, registry: &Registry) -> Result<Answer, String> {
        let [a, b] = [0, 1].map(|side| match &self.hidden[side] {
            Some(body) => body as &dyn Geometry,
            None => self.bodies[side].as_ref(),
        });
        Answer::of(registry, self.case, a, b)
    }

    /// Compares both. Errors: what differs.
    pub(crate) fn compare(&self, fast: &Answer, slow: &Answer) -> Result<Verdict, String> {
        for (name, answer) in [("the detector", fast), ("branch and bound", slow)] {
            for contact in &answer.contacts.contacts {
                self.is_attained(contact).map_err(|reason| format!("{name}: {reason}: {contact:?}"))?;
                let gap = contact.depth_upper - contact.depth;
                if !answer.is_open() && !(0.0..=self.tolerance).contains(&gap) {
                    let most = self.tolerance;
                    return Err(format!("{name}: a gap of {gap}, wanted {most} at most: {contact:?}"));
                }
            }
        }
        for (name, these, those) in [("branch and bound", fast, slow), ("the detector", slow, fast)] {
            for contact in &these.contacts.contacts {
                match those.find(contact) {
                    Some(other) => self.is_same(contact, other)?,
                    None if self.may_be_missing(contact, these, those) => {}
                    None => return Err(format!("{name} does not find {contact:?}; {:?}", those.flags)),
                }
            }
        }
        Ok(match (slow.is_open(), fast.is_open()) {
            (true, false) => Verdict::OracleOpen,
            (true, true) => Verdict::BothOpen,
            (false, true) => Verdict::OpenAlone,
            _ if fast.contacts.is_empty() && slow.contacts.is_empty() => Verdict::Nothing,
            _ => Verdict::Agreed,
        })
    }

    /// Whether two contacts are with the same element, and the true depth may be within both brackets.
    fn is_same(&self, x: &Contact, y: &Contact) -> Result<(), String> {
        let (known, least) = (x.depth.max(y.depth), x.depth_upper.min(y.depth_upper));
        if known > least + self.tolerance {
            return Err(format!("depths differ by {}:\n{x:?}\n{y:?}", known - least));
        }
        // A mesh's element; of a solid many places may be deepest, each on a part of its own.
        let of_mesh = !self.case.b.vertices().is_empty() && piece(x).is_none();
        if of_mesh && !same_element(&x.b, &y.b) {
            return Err(format!("elements differ:\n{x:?}\n{y:?}"));
        }
        Ok(())
    }

    /// Whether a contact may be missing from the other answer: it is as deep as the margin allows, or as its element's
    /// boundary is, or the other search says that it gave up.
    fn may_be_missing(&self, contact: &Contact, these: &Answer, those: &Answer) -> bool {
        let all = || these.contacts.contacts.iter().chain(&those.contacts.contacts);
        let is_of_boundary = |other: &&Contact| {
            let (inner, outer) = (other.b.vertex_ids(), contact.b.vertex_ids());
            if piece(contact).is_some() {
                piece(other).is_none()
            } else {
                inner.len() < outer.len() && inner.iter().all(|vertex| outer.contains(vertex))
            }
        };
        let on_boundary =
            all().filter(is_of_boundary).map(|other| other.depth_upper).fold(f64::NEG_INFINITY, f64::max);
        // Beside a deepest point the detectors drop what approaches from inside. Whether it does depends on the sign of the depth and on
        // the body's nearest point: a search that ended at the resolution of a grid knows neither better than that.
        let is_coarse = contact.depth_upper - contact.depth > self.tolerance - self.resolution;
        let dropped = contact.depth < 0.0
            && (these.has_pieces() != those.has_pieces() || these.has_pieces() && is_coarse);
        contact.depth <= self.tolerance - self.case.margin
            || contact.depth <= on_boundary + self.own
            || dropped
            || those.flags.contains(Flags::BUDGET_EXHAUSTED)
    }

    /// Whether the depth is the value at the contact's own place, so that the true depth is no less.
    fn is_attained(&self, contact: &Contact) -> Result<(), String> {
        if piece(contact).is_some() || contact.depth <= self.tolerance - self.case.margin {
            return Ok(());
        }
        let value = |side: usize, place: &Point| {
            self.bodies[side].as_implicit().map(|function| ImplicitFunction::sample(function, place).value)
        };
        let [on_a, on_b] = [&contact.a, &contact.b].map(|side| side.surface_point());
        let is_inside = |side: usize, place: &Point| value(side, place).is_none_or(|v| v <= self.tolerance);
        let is_depth = |v: f64, radius: f64| (radius - v - contact.depth).abs() <= self.tolerance;
        let radius = self.case.b.rounding_radius();
        let attained = match &self.case.b {
            Shape::Plane { position, normal, .. } => {
                let height = normal.dot(&(on_a - position)) / normal.norm();
                is_inside(0, &on_a) && (height.abs() - contact.depth.abs()).abs() <= self.tolerance
            }
            Shape::Implicit { .. } => [(0, on_b), (1, on_a)].into_iter().any(|(side, place)| {
                value(side, &place).is_some_and(|v| is_depth(v, 0.0)) && is_inside(1 - side, &place)
            }),
            shape => {
                let place = on_b - Vector::from(contact.direction) * radius;
                let is_mesh = !shape.vertices().is_empty();
                value(0, &place).is_some_and(|v| is_depth(v, radius)) && (is_mesh || is_inside(1, &place))
            }
        };
        if attained { Ok(()) } else { Err("a depth that is not attained".to_owned()) }
    }
}
