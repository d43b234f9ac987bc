//! Contact of an implicit body at the minimum of its function; shared by the detectors of implicit bodies.

use crate::{Context, Flags};
use palpate_contact::{Contact, Feature};
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::{ImplicitFunction, Minimum, Sample, Search};
use palpate_math::{Point, Vector, direction};

/// How much lower the value inside an edge or a face must be than on its boundary, relative to its length, for the
/// element to have a contact of its own.
pub(crate) const OF_ITS_OWN: f64 = 1e-9;

/// The offset from the minimum at which the gradient is evaluated, relative to the value and to the size of the
/// searched element: between two equally near exits, rounding error alone would choose.
const BESIDE: f64 = 1.0 / (1 << 20) as f64;
const BESIDE_IN_SIZE: f64 = 1.0 / (1_u64 << 36) as f64;

/// Up to which difference, relative to that size, two exits are equally near.
const AS_NEAR: f64 = 1e-9;

/// In the body's own frame, in a generic direction.
const ASIDE: [f64; 3] = [0.5391, 0.7433, 0.3960];

/// An implicit body and the radius of the other body.
pub(crate) struct Reach<'a> {
    pub(crate) body: &'a ImplicitBody,
    pub(crate) radius: f64,
    pub(crate) context: &'a Context<'a>,
}

impl Reach<'_> {
    /// Returns the highest value at which there is a contact.
    pub(crate) fn cutoff(&self) -> f64 {
        self.radius + self.context.margin()
    }

    /// Returns the contact of the body (first side) at a sampled point. `other` makes the second side from its
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

    /// Returns the contact of the body at the minimum over an element of about `size`; the value may exceed the
    /// cutoff by rounding error.
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

    /// Returns the flags of a value: whether it is a distance.
    pub(crate) fn flags(&self, value: f64) -> Flags {
        flags_of(self.body, value)
    }
}

/// Returns the flags of a body's value: whether it is a distance.
pub(crate) fn flags_of(body: &ImplicitBody, value: f64) -> Flags {
    let exactness = body.exactness();
    let exact = if value < 0.0 { exactness.inside } else { exactness.outside };
    if exact || value == 0.0 { Flags::empty() } else { Flags::NOT_A_DISTANCE }
}

/// Returns the flags of a search: whether it converged.
pub(crate) fn flags_of_search(found: &Minimum) -> Flags {
    if found.converged { Flags::empty() } else { Flags::ITERATION_LIMIT }
}

/// Returns the flags of a search that found nothing: whether it is certain that there is nothing.
pub(crate) fn flags_of_nothing(search: &Search) -> Flags {
    if search.undecided() { Flags::BUDGET_EXHAUSTED } else { Flags::empty() }
}

/// Returns the value at the result of a search, with the gradient evaluated slightly beside it, so that of equally
/// near exits the same is chosen however the body is moved.
pub(crate) fn settled(body: &ImplicitBody, place: &Point, value: f64, size: f64) -> Sample {
    // Outside, the closest point of a distance function is unique, except at points that are never deepest.
    if value >= 0.0 && body.exactness().outside {
        return body.sample(place);
    }
    let way = aside(body) * (BESIDE * value.abs()).max(BESIDE_IN_SIZE * size);
    let beside = body.sample(&(place + way));
    // Where another exit begins between the two, the one beside is not as near from the place.
    if (beside.value - beside.gradient.dot(&way) - value).abs() > AS_NEAR * size {
        return Sample { value, ..body.sample(place) };
    }
    Sample { value, ..beside }
}

/// Returns a unit direction that moves with the body.
pub(crate) fn aside(body: &ImplicitBody) -> Vector {
    body.pose().rotation * Vector::from(ASIDE)
}
