//! Two convex bodies that move and turn.

use super::advancement::{MovingPair, first_impact};
use super::moving_body::{MovingBody, origins};
use crate::contact_ids::id_of;
use crate::convex_body::query;
use crate::pairs::NoSettings;
use crate::{About, AnyConvex, Context, ConvexBody, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_convex::{Memory, QueryResult, Settings};
use palpate_geometry::Needs;
use palpate_math::{Point, Vector};

/// First contact of two moving convex bodies: the origin of each pose moves on a straight line, and the body turns about it at
/// a constant angular velocity about one axis, by the smaller angle ([`RigidMotion`](palpate_geometry::RigidMotion)).
///
/// Bodies in contact at the start have their impact at time 0, with the direction of static detection. The depth is the overlap
/// of the two at the end of the step along the direction at the impact.
#[derive(Default)]
pub struct ConvexConvexCcd {
    memory: Memory<Vector>,
}

/// Two bodies relative to the second.
struct Bodies<'a, 'm> {
    a: MovingBody<'a>,
    b: MovingBody<'a>,
    memory: &'m mut Memory<Vector>,
}

impl MovingPair for Bodies<'_, '_> {
    fn query(&mut self, time: f64) -> QueryResult<Vector> {
        query(&self.a.at(time), &self.b.at(time), self.memory, &Settings::default())
    }

    fn gap(&self, along: &Vector, time: f64) -> f64 {
        -self.a.height(&-along, time) - self.b.height(along, time)
    }

    fn bend(&self, along: &Vector) -> f64 {
        self.a.bend(along) + self.b.bend(along)
    }

    fn size(&self) -> f64 {
        self.a.size().min(self.b.size())
    }

    fn error(&self) -> f64 {
        self.a.error() + self.b.error()
    }

    fn guess(&self) -> Option<Vector> {
        (self.a.origin_at(0.5) - self.b.origin_at(0.5)).try_normalize(0.0)
    }
}

impl PairDetector for ConvexConvexCcd {
    type A = AnyConvex;
    type B = AnyConvex;
    type Settings = NoSettings;

    const NAME: &'static str = "convex_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "conservative advancement from the previous poses to the current ones: GJK for the direction, and a bound on \
            how far the paths of all points bend for the time that it separates the two; origins move straight, rotations at \
            constant angular velocity by the smaller angle",
        cost: "O(steps), about ten, each with a distance query and some support points of both; up to 2048 for bodies that turn \
            at hardly more than the tolerance from each other",
        source: "Mirtich 1996, Impulse-based dynamic simulation, 2.3; Zhang, Lee, Kim 2006, Interactive continuous collision \
            detection for non-convex polyhedra",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: ConvexBody<'_>,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let reference = origins(&b.motion());
        let [a, b] = [a, b].map(|body| MovingBody::new(body, &reference));
        let mut pair = Bodies { a, b, memory: &mut self.memory };
        let Some(impact) = first_impact(&mut pair, context.margin()) else { return Status::default() };
        let found = &impact.found;
        let moved = reference[0] * (1.0 - impact.time) + reference[1] * impact.time;
        let [on_a, on_b] =
            [found.point_a, found.point_b].map(|point| Feature::point(Point::from(point + moved)));
        let depth = -pair.gap(&found.direction, 1.0);
        out.push(Contact {
            time_of_impact: impact.time,
            ..Contact::exact(on_a, on_b, found.direction, depth, id_of(IdPart::Whole, IdPart::Whole))
        });
        if impact.open { Flags::OPEN_IMPACT.into() } else { Status::default() }
    }
}
