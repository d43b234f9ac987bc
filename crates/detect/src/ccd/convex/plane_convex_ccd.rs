//! A moving plane and a moving convex body.

use super::advancement::{MovingPair, first_impact};
use super::moving_body::{MovingBody, origins};
use crate::contact_ids::id_of;
use crate::convex_body::support_along;
use crate::pairs::PlaneSettings;
use crate::pairs::primitive::manifold_points::exactly;
use crate::{About, AnyConvex, Context, ConvexBody, Flags, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_convex::QueryResult;
use palpate_geometry::{Needs, Plane, RigidMotion};
use palpate_math::{Point, Vector};

/// First contact of a moving plane and a moving convex body. Both move as [`RigidMotion`](palpate_geometry::RigidMotion) says; a
/// plane turns about its position. A body that starts on the one side of a two-sided plane meets it there.
///
/// A body in contact at the start has its impact at time 0. The depth is how far the body is beyond the plane at the end
/// of the step.
pub struct PlaneConvexCcd {
    settings: PlaneSettings,
}

/// A half-space and a body, relative to the position of the plane.
struct OnPlane<'a> {
    motion: RigidMotion,
    /// The outward normal in the frame of the plane.
    own_normal: Vector,
    body: MovingBody<'a>,
    bend: f64,
}

impl<'a> OnPlane<'a> {
    fn new(plane: &Plane, body: ConvexBody<'a>) -> Self {
        let current = *plane.pose();
        let motion = plane
            .previous_pose()
            .map_or_else(|| RigidMotion::at_rest(&current), |previous| RigidMotion::new(previous, &current));
        let body = MovingBody::new(body, &origins(&motion));
        // The normal as it is now, which need not be local +y to the last bit.
        let own_normal = current.rotation.inverse_transform_vector(&plane.normal());
        let mut on_plane = Self { motion, own_normal, body, bend: 0.0 };
        on_plane.bend = on_plane.bend_of_heights();
        on_plane
    }

    /// Bound on the second derivative of the height `n · y` of a point of the body: of `n'' · y + 2 n' · y' + n · y''`.
    fn bend_of_heights(&self) -> f64 {
        let angle = self.motion.rotation_angle();
        let farthest =
            self.body.origin_at(0.0).norm().max(self.body.origin_at(1.0).norm()) + self.body.size();
        let of_body = self.body.bend_in_any_direction();
        angle * angle * farthest + 2.0 * angle * self.body.speed() + of_body
    }

    fn normal(&self, time: f64) -> Vector {
        self.motion.rotation(time) * self.own_normal
    }

    /// The heights of the lowest and the highest point of the body at a time.
    fn heights(&self, time: f64) -> [f64; 2] {
        let normal = self.normal(time);
        [-self.body.height(&-normal, time), self.body.height(&normal, time)]
    }
}

impl MovingPair for OnPlane<'_> {
    fn query(&mut self, time: f64) -> QueryResult<Vector> {
        let normal = self.normal(time);
        let [lowest, _] = self.heights(time);
        let on_body = support_along(&self.body.at(time), &-normal);
        exactly(on_body - normal * lowest, -lowest, -normal)
    }

    /// The height of the body; the direction is always that of the plane.
    fn gap(&self, _: &Vector, time: f64) -> f64 {
        self.heights(time)[0]
    }

    fn bend(&self, _: &Vector) -> f64 {
        self.bend
    }

    fn size(&self) -> f64 {
        self.body.size()
    }

    fn error(&self) -> f64 {
        self.body.error()
    }

    fn guess(&self) -> Option<Vector> {
        Some(self.own_normal)
    }
}

impl PairDetector for PlaneConvexCcd {
    type A = Plane;
    type B = AnyConvex;
    type Settings = PlaneSettings;

    const NAME: &'static str = "plane_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "conservative advancement of the body's lowest point above the plane, with a bound on how far the paths of all \
            points bend; a body that starts on a side of a two-sided plane meets it from there",
        cost: "O(steps), about five, each with some support points",
        source: "Mirtich 1996, Impulse-based dynamic simulation, 2.3",
    };

    fn new(settings: PlaneSettings) -> Self {
        Self { settings }
    }

    fn detect(
        &mut self,
        a: &Plane,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let mut pair = OnPlane::new(a, b);
        let [lowest, highest] = pair.heights(0.0);
        if self.settings.two_sided(a) && -highest > lowest {
            pair.own_normal = -pair.own_normal;
        }
        let Some(impact) = first_impact(&mut pair, context.margin()) else { return Status::default() };
        let found = &impact.found;
        let moved = pair.motion.origin(impact.time);
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
