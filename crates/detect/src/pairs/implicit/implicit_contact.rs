//! The contact of an implicit body with the place where its function is least: what the detectors of implicit bodies share.

use crate::{Context, Flags};
use palpate_contact::{Contact, Feature};
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::{ImplicitFunction, Minimum, Sample, Search};
use palpate_math::{Point, Vector, direction};

/// How much lower than on the elements around it the value must be inside of an edge or a face, relative to its length, for the
/// element to have a contact of its own.
pub(crate) const OF_ITS_OWN: f64 = 1e-9;

/// A place beside the least value from which the gradient is taken, relative to the value and to the size of what was searched:
/// where two ways out are equally near, rounding alone would choose between them.
const BESIDE: f64 = 1.0 / (1 << 20) as f64;
const BESIDE_IN_SIZE: f64 = 1.0 / (1_u64 << 36) as f64;

/// In the body's own frame, in no special direction.
const ASIDE: [f64; 3] = [0.5391, 0.7433, 0.3960];

/// What may touch: a body, with the radius of what it meets.
pub(crate) struct Reach<'a> {
    pub(crate) body: &'a ImplicitBody,
    pub(crate) radius: f64,
    pub(crate) context: &'a Context<'a>,
}

impl Reach<'_> {
    /// The highest value at which there is a contact.
    pub(crate) fn cutoff(&self) -> f64 {
        self.radius + self.context.margin()
    }

    /// The contact of the body (first side) with a place at which the sample was taken. `other` makes the second side of its
    /// surface point.
    pub(crate) fn at_place(
        &self,
        place: &Point,
        sample: &Sample,
        id: u64,
        other: impl FnOnce(Point) -> Feature,
    ) -> Option<Contact> {
        let depth = self.radius - sample.value;
        self.context.reports(depth).then(|| self.contact(place, sample, depth, id, other))
    }

    /// The contact of the body with the least value over an element of about `size`, a value that may be above the cutoff by
    /// rounding.
    pub(crate) fn at_minimum(
        &self,
        found: &Minimum,
        size: f64,
        id: u64,
        other: impl FnOnce(Point) -> Feature,
    ) -> Contact {
        let sample = settled(self.body, &found.point, found.sample.value, size);
        let depth = (self.radius - sample.value).max(-self.context.margin());
        let contact = self.contact(&found.point, &sample, depth, id, other);
        Contact { depth_upper: depth.max(self.radius - found.lower), ..contact }
    }

    fn contact(
        &self,
        place: &Point,
        sample: &Sample,
        depth: f64,
        id: u64,
        other: impl FnOnce(Point) -> Feature,
    ) -> Contact {
        let outward = direction::unit_or(&sample.gradient, &Vector::y());
        let on_other = place - outward * self.radius;
        let a = Feature::numbered(sample.feature, on_other + outward * depth);
        Contact::exact(a, other(on_other), -outward, depth, id)
    }

    /// What an answer says of a value: whether it is the distance.
    pub(crate) fn flags(&self, value: f64) -> Flags {
        flags_of(self.body, value)
    }
}

/// What an answer says of a body's value: whether it is the distance.
pub(crate) fn flags_of(body: &ImplicitBody, value: f64) -> Flags {
    let exactness = body.exactness();
    let exact = if value < 0.0 { exactness.inside } else { exactness.outside };
    if exact || value == 0.0 { Flags::empty() } else { Flags::NOT_A_DISTANCE }
}

/// What an answer says of the end of a search.
pub(crate) fn flags_of_search(found: &Minimum) -> Flags {
    if found.converged { Flags::empty() } else { Flags::ITERATION_LIMIT }
}

/// What an answer says when a search found nothing: whether it knows that there is nothing.
pub(crate) fn flags_of_nothing(search: &Search) -> Flags {
    if search.undecided() { Flags::BUDGET_EXHAUSTED } else { Flags::empty() }
}

/// The value at a place where a search ended, with the gradient from just beside it, so that of ways out that are equally near
/// the same is taken however the body is moved.
pub(crate) fn settled(body: &ImplicitBody, place: &Point, value: f64, size: f64) -> Sample {
    // Of a distance, outside, what is nearest is nearest alone, but for places that are deepest nowhere.
    if value >= 0.0 && body.exactness().outside {
        return body.sample(place);
    }
    let slack = (BESIDE * value.abs()).max(BESIDE_IN_SIZE * size);
    Sample { value, ..body.sample(&(place + aside(body) * slack)) }
}

/// A direction of unit length that moves with the body.
pub(crate) fn aside(body: &ImplicitBody) -> Vector {
    body.pose().rotation * Vector::from(ASIDE)
}
