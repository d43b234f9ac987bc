//! Contact of an implicit body at the minimum of its function; shared by the detectors of implicit bodies.

use crate::{Context, Flags};
use palpate_contact::{Contact, Feature};
use palpate_geometry::ImplicitBody;
use palpate_geometry::implicit::internal::{Minimum, Search};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_math::{Point, Vector, direction};

/// How much lower the value inside an edge or a face must be than on its boundary, relative to its length, for the
/// element to have a contact of its own.
pub(crate) const OF_ITS_OWN: f64 = 1e-9;

/// How far beside the minimum one of two equally near exits is chosen, relative to the value and to the size of the searched
/// element. Larger than the error of the minimum's place, which would choose otherwise.
const BESIDE: f64 = 1.0 / (1 << 20) as f64;
const BESIDE_IN_SIZE: f64 = 1.0 / (1 << 24) as f64;

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
        let sample = settled(self.body, &found.point, found.sample, size);
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

/// Returns the sample `here` of a minimum; between equally near exits, with the gradient of the one that is nearer a little beside
/// it. That choice depends neither on the pose of the body nor on where exactly the search ended.
pub(crate) fn settled(body: &ImplicitBody, place: &Point, here: Sample, size: f64) -> Sample {
    let value = here.value;
    // Outside, the closest point of a distance function is unique, except at points that are never deepest.
    if value >= 0.0 && body.exactness().outside {
        return here;
    }
    let way = aside(body) * (BESIDE * value.abs()).max(BESIDE_IN_SIZE * size);
    let other = other_exit(body, place, &here, &way, AS_NEAR * size);
    other.map_or(here, |beside| Sample { value, ..beside })
}

/// Returns the sample at `place + way` if another exit is the nearest there than at `place`, whose sample is `here`, and if
/// the distances of both exits from `place` differ by `farther` at most.
pub(crate) fn other_exit(
    body: &ImplicitBody,
    place: &Point,
    here: &Sample,
    way: &Vector,
    farther: f64,
) -> Option<Sample> {
    let beside = body.sample(&(place + way));
    // The linearization at the other place, evaluated here. For one curved exit its error is half the change of the gradient along the way.
    let from_place = (beside.value - beside.gradient.dot(way) - here.value).abs();
    let is_other = from_place < 0.25 * (beside.gradient - here.gradient).dot(way).abs();
    (is_other && from_place <= farther).then_some(beside)
}

/// Returns a unit direction that moves with the body.
pub(crate) fn aside(body: &ImplicitBody) -> Vector {
    body.pose().rotation * Vector::from(ASIDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_geometry::implicit::Intersection;
    use palpate_geometry::{Capsule, OrientedBox, Pose};
    use std::sync::Arc;

    /// An edge across the ridge of two faces is deepest at the ridge: however far from it the search ends, within its gap of
    /// 1e-9, the contact has the normal of the same face.
    #[test]
    fn an_edge_across_a_ridge_has_the_normal_of_one_face_wherever_the_search_ends() {
        let (mut of_first, mut of_second) = (0, 0);
        for case in 0..200 {
            let t = f64::from(case);
            let tilts = [0.3 + 0.2 * (1.7 * t).sin(), -0.3 - 0.2 * (2.9 * t).cos()];
            let tilted = tilts.map(|tilt| {
                Pose::new(Vector::zeros(), Vector::x() * if case % 2 == 0 { tilt } else { -tilt })
            });
            let parts = tilted.map(|pose| -> Arc<dyn ImplicitFunction> {
                Arc::new(OrientedBox::new(pose, Vector::new(2.0, 2.0, 1.0)).unwrap())
            });
            let pose =
                Pose::new(Vector::new(t, 0.3, -t), Vector::new((1.3 * t).sin(), (0.7 * t).cos(), 0.1 * t));
            let body = ImplicitBody::new(pose, Arc::new(Intersection::new(parts.into()).unwrap())).unwrap();
            let [first, second] = tilted.map(|tilted| pose.rotation * (tilted.rotation * Vector::z()));
            let up = (first + second).normalize();
            let value = 1e-3 * f64::from(case % 3 - 1);
            let ridge = Point::from(pose.translation.vector) + up * ((1.0 + value) / up.dot(&first));
            let along = (first - second).normalize() + pose.rotation * Vector::x() * 0.3;
            let normals = [-1e-9, -1e-12, 0.0, 1e-12, 1e-9].map(|off| {
                let place = ridge + along * off;
                let sample = body.sample(&place);
                assert!((sample.value - value).abs() < 1e-9, "{case}: {}", sample.value);
                settled(&body, &place, sample, 1.0).gradient
            });
            let is_of = |normal: &Vector| normals.iter().all(|found| (found - normal).norm() < 1e-9);
            assert!(is_of(&first) || is_of(&second), "{case}: {normals:?}");
            of_first += usize::from(is_of(&first));
            of_second += usize::from(is_of(&second));
        }
        assert!(of_first > 50 && of_second > 50, "{of_first} {of_second}");
    }

    /// A rod much thinner than the element has the normal at the place itself: the way to another exit is a large part of its
    /// radius.
    #[test]
    fn a_curved_exit_has_the_normal_of_the_place_itself() {
        let rod = Arc::new(Capsule::new(Pose::identity(), 1e-3, 4.0).unwrap());
        let body = ImplicitBody::new(Pose::identity(), rod).unwrap();
        for case in 0..100 {
            let (turn, distance) = (f64::from(case), 1e-4 * f64::from(1 + case % 9));
            let way = Vector::new(turn.sin(), 0.0, turn.cos());
            let place = Point::from(way * distance);
            let sample = settled(&body, &place, body.sample(&place), 8.0);
            assert!((sample.gradient - way).norm() < 1e-12, "{case}: {}", sample.gradient);
        }
    }
}
