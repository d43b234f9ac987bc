//! The straight path of a point relative to a moving implicit body.

use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_geometry::{ImplicitBody, Pose};
use palpate_math::Point;

/// Width of the interval of time in which an impact is located, and the value within which the surface counts as reached,
/// relative to the length of the path.
pub(crate) const TIME_TOLERANCE: f64 = 1.0 / (1 << 20) as f64;
/// Samples of a path. A path that grazes the body takes a step of the tolerance where it is nearest.
const BUDGET: u32 = 512;

/// How a path meets the body.
pub(crate) enum Meeting {
    /// The whole path is apart.
    Never,
    /// It is in contact from the start.
    Inside(Sample),
    /// It is apart before `lower`, and in contact, or within the tolerance of it, at `upper`.
    At { lower: f64, upper: f64, sample: Sample },
    /// The samples ran out at this time.
    Open { lower: f64, sample: Sample },
}

/// A straight path relative to the body, in the world frame at the end of the step.
pub(crate) struct Path<'a> {
    pub(crate) body: &'a ImplicitBody,
    pub(crate) start: Point,
    pub(crate) end: Point,
    /// The highest value at which there is a contact.
    pub(crate) level: f64,
    pub(crate) lipschitz: f64,
}

impl Path<'_> {
    fn at(&self, time: f64) -> Point {
        Point::from(self.start.coords * (1.0 - time) + self.end.coords * time)
    }

    /// Follows the path by steps in which the value cannot fall to the level.
    pub(crate) fn follow(&self) -> Meeting {
        let fall = self.lipschitz * (self.end - self.start).norm();
        let mut time = 0.0;
        for _ in 0..BUDGET {
            let sample = self.body.sample(&self.at(time));
            let above = sample.value - self.level;
            if above <= 0.0 {
                return match time {
                    0.0 => Meeting::Inside(sample),
                    _ => Meeting::At { lower: (time - TIME_TOLERANCE).max(0.0), upper: time, sample },
                };
            }
            if above > fall * (1.0 - time) {
                return Meeting::Never;
            }
            // The step is shortened by the rounding of its terms, and never shorter than the tolerance: what it then
            // skips is sampled at its end.
            let step = (above / fall) * (1.0 - 16.0 * f64::EPSILON);
            if step < TIME_TOLERANCE {
                let lower = time;
                let upper = (time + TIME_TOLERANCE).min(1.0);
                let later = self.body.sample(&self.at(upper));
                if later.value <= self.level || above <= fall * TIME_TOLERANCE * NEAR {
                    return Meeting::At { lower, upper, sample: later };
                }
            }
            let next = time + step.max(TIME_TOLERANCE * NEAR);
            if next >= 1.0 {
                let sample = self.body.sample(&self.end);
                return if sample.value <= self.level {
                    Meeting::At { lower: time, upper: 1.0, sample }
                } else {
                    Meeting::Never
                };
            }
            time = next;
        }
        Meeting::Open { lower: time, sample: self.body.sample(&self.at(time)) }
    }
}

impl Path<'_> {
    /// Returns the time before which the whole path is apart; `None` if it is apart throughout.
    pub(crate) fn apart_until(&self) -> Option<f64> {
        match self.follow() {
            Meeting::Never => None,
            Meeting::Inside(_) => Some(0.0),
            Meeting::At { lower, .. } | Meeting::Open { lower, .. } => Some(lower),
        }
    }
}

/// A surface that is nearer than this part of the tolerance counts as reached.
const NEAR: f64 = 1.0 / 16.0;

/// The motions of a body over the step.
pub(crate) struct Motion {
    /// From the world before to the world now, as the body moves.
    pub(crate) carried: Pose,
    /// From the body's frame to the world now.
    pub(crate) pose: Pose,
}

impl Motion {
    pub(crate) fn of(body: &ImplicitBody) -> Self {
        let pose = *body.pose();
        let previous = body.previous_pose().copied().unwrap_or(pose);
        // A body at rest moves nothing, not by rounding either.
        let carried = if previous == pose { Pose::identity() } else { pose * previous.inverse() };
        Self { carried, pose }
    }
}
