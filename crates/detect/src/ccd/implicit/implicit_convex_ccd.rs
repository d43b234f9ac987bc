//! A convex solid that moves and turns against a moving implicit body.

use super::lowest_value::{
    ElementSearch, Fall, FirstMinimum, SOLID_TOLERANCE, Secant, first_minimum, first_of_parts,
    rounding_of_values,
};
use super::path::{Meeting, Motion, Path};
use crate::ccd::convex::moving_body::MovingBody;
use crate::contact_ids::id_of;
use crate::convex_body::{height_along, rounding_radius};
use crate::pairs::NoSettings;
use crate::pairs::implicit::implicit_contact::{flags_of, settled};
use crate::pairs::implicit::implicit_convex::ImplicitConvex;
use crate::{
    About, Context, ConvexSolid, ConvexSolidView, Flags, LipschitzBody, PairDetector, SolidView, Status,
};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_convex::Segment;
use palpate_geometry::implicit::internal::Minimum;
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_geometry::{ConvexCore, Geometry, ImplicitBody, Needs, Pose, RigidMotion};
use palpate_math::{Aabb, Point, Vector, direction, rounding};

/// First contact of a moving convex solid with a moving implicit body. In the frame of the implicit body the origin of the
/// solid's pose moves on a straight line, and the solid turns about it at a constant angular velocity by the smaller angle
/// ([`RigidMotion`](palpate_geometry::RigidMotion)). The contact is given with the implicit body as it is at the end of the
/// step.
///
/// A sphere follows the path of its centre, as a point with a radius does. Of other solids the lowest value of the function over
/// the solid has a certified lower bound, and the Lipschitz constant bounds how fast it can fall. A solid that turns
/// beside the body for long, at a small distance, can use up the budget: its impact is marked as open. The depth is how far the solid
/// is, at the end of the step, beyond the plane of the impact.
pub struct ImplicitConvexCcd {
    search: ElementSearch,
    over_solid: ImplicitConvex,
}

impl Default for ImplicitConvexCcd {
    fn default() -> Self {
        let over_solid = ImplicitConvex::with_tolerance(SOLID_TOLERANCE);
        Self { search: ElementSearch::default(), over_solid }
    }
}

/// The place of an impact, with the implicit body as it is now.
struct Impact {
    time: f64,
    place: Point,
    value: f64,
    flags: Flags,
}

/// A solid and an implicit body, relative to the latter.
struct Relative<'a> {
    body: &'a ImplicitBody,
    solid: ConvexSolidView<'a>,
    motion: RigidMotion,
    lipschitz: f64,
    margin: f64,
    size: f64,
}

impl<'a> Relative<'a> {
    fn new(body: &'a ImplicitBody, solid: ConvexSolidView<'a>, context: &Context<'_>) -> Option<Self> {
        let own = solid.body.motion();
        let motion = RigidMotion::new(&(Motion::of(body).carried * own.previous()), own.current());
        let size = solid.body.size();
        Some(Self { body, solid, motion, lipschitz: body.lipschitz()?, margin: context.margin(), size })
    }

    /// A box that contains the solid over the step, in the frame of the body: a ball about its origin along a straight line.
    fn swept_bounds(&self) -> Aabb {
        let ends = [0.0, 1.0].map(|time| Point::from(self.motion.origin(time)));
        // A user's shape may be anywhere about the origin of its pose.
        if self.solid.body.is_posed() { Aabb::from_points(ends).grown(self.size).padded() } else { Aabb::ALL }
    }

    /// The time before which the ball about the solid is apart, by the path of its centre; `None` if it is apart throughout.
    fn apart_until(&self) -> Option<f64> {
        if !self.solid.body.is_posed() {
            return Some(0.0);
        }
        let [start, end] = [0.0, 1.0].map(|time| Point::from(self.motion.origin(time)));
        let rounding = rounding::length(rounding::largest_coordinate([&start, &end]));
        let level = self.margin + self.lipschitz * (self.size + rounding);
        Path { body: self.body, start, end, level, lipschitz: self.lipschitz }.apart_until()
    }

    /// How fast the value at a point of the solid can fall over the step, of a function that is convex or not.
    fn fall(&self, is_convex: bool) -> Fall {
        let origin = [self.motion.previous(), self.motion.current()].map(|pose| pose.translation.vector);
        let moving = MovingBody::along(self.solid.body, self.motion, &[origin[0]; 2]);
        let rounded = self.motion.rotation_angle() * moving.radius();
        let secant = is_convex.then(|| {
            let largest = origin.iter().map(|origin| origin.amax()).fold(0.0, f64::max) + self.size;
            let by_turning = self.lipschitz * (moving.turning_speed() + rounded);
            Secant { by_turning, rounding: rounding_of_values(self.body, largest) }
        });
        Fall { most: self.lipschitz * (moving.speed() + rounded), secant }
    }

    /// The impact of a ball, by the path of its centre.
    fn of_ball(&self, radius: f64) -> Option<Impact> {
        let [start, end] = [0.0, 1.0].map(|time| Point::from(self.motion.origin(time)));
        let level = radius + self.margin;
        let path = Path { body: self.body, start, end, level, lipschitz: self.lipschitz };
        let at = |time: f64| Point::from(self.motion.origin(time));
        let flags = Flags::empty();
        Some(match path.follow() {
            Meeting::Never => return None,
            Meeting::Inside(sample) => Impact { time: 0.0, place: start, value: sample.value, flags },
            Meeting::At { lower, upper, sample } => {
                Impact { time: lower, place: at(upper), value: sample.value, flags }
            }
            Meeting::Open { lower, sample } => {
                Impact { time: lower, place: at(lower), value: sample.value, flags: Flags::OPEN_IMPACT }
            }
        })
    }

    /// The impact of a segment with a radius.
    fn of_segment(
        &self,
        segment: &Segment<Vector>,
        radius: f64,
        search: &mut ElementSearch,
    ) -> Option<Impact> {
        let start = self.apart_until()?;
        let first = first_of_parts(self.body, |part, end| {
            let fall = self.fall(part.is_convex());
            first_minimum(radius + self.margin, fall, [start, end], |time, cutoff, gap| {
                let pose = self.motion.at(time);
                let ends = segment.ends.map(|end| pose * Point::from(end));
                search.to(gap).below(part, &ends, cutoff)
            })
        })?;
        Some(Self::found(&first))
    }

    /// The impact of a solid that is searched as a whole, where it is now: the implicit body is moved instead.
    fn of_solid(&self, radius: f64, over_solid: &mut ImplicitConvex) -> Option<Impact> {
        let mut moved = self.body.clone();
        let back = |time: f64| self.motion.current() * self.motion.at(time).inverse();
        let level = radius + self.margin;
        let (fall, interval) = (self.fall(self.body.is_convex()), [self.apart_until()?, 1.0]);
        let first = first_minimum(level, fall, interval, |time, cutoff, gap| {
            over_solid.set_tolerance(SOLID_TOLERANCE.0 * gap);
            if time < 1.0 {
                moved.copy_moved(self.body, &back(time));
            } else {
                moved = self.body.clone();
            }
            let found = over_solid.least(&moved, self.solid.solid, cutoff);
            if found.is_none() && over_solid.is_undecided() {
                // Nothing is known: the search ran out before it had a point of the solid.
                let point = Point::from(self.motion.current().translation.vector);
                let sample = moved.sample(&point);
                return Some(Minimum {
                    weights: [0.0; 4],
                    point,
                    sample,
                    lower: f64::NEG_INFINITY,
                    converged: false,
                });
            }
            found
        })?;
        let forth = if first.time < 1.0 { back(first.time).inverse() } else { Pose::identity() };
        Some(Impact { place: forth * first.found.point, ..Self::found(&first) })
    }

    fn found(first: &FirstMinimum) -> Impact {
        let flags = if first.open { Flags::OPEN_IMPACT } else { Flags::empty() };
        Impact { time: first.time, place: first.found.point, value: first.found.sample.value, flags }
    }

    /// The contact of a solid that is rounded by a radius about what was searched.
    fn contact(&self, impact: &Impact, radius: f64) -> Contact {
        let here = Sample { value: impact.value, ..self.body.sample(&impact.place) };
        let sample = settled(self.body, &impact.place, here, self.size);
        let outward = direction::unit_or(&sample.gradient, &Vector::y());
        let on_surface = impact.place - outward * sample.value;
        let depth = outward.dot(&on_surface.coords) + height_along(&self.solid.body, &-outward);
        Contact {
            time_of_impact: impact.time,
            ..Contact::exact(
                Feature::numbered(sample.feature, on_surface),
                Feature::point(impact.place - outward * radius),
                -outward,
                depth,
                id_of(IdPart::Whole, IdPart::Whole),
            )
        }
    }
}

impl PairDetector for ImplicitConvexCcd {
    type A = LipschitzBody;
    type B = ConvexSolid;
    type Settings = NoSettings;

    const NAME: &'static str = "implicit_convex_ccd";
    const NEEDS: [Needs; 2] = [Needs::MOTION, Needs::MOTION];
    const CONTINUOUS: bool = true;
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "in the frame of the implicit body: a sphere by the path of its centre; other solids by steps in which the lowest \
            value over the solid, by a certified branch and bound, cannot fall to the surface",
        cost: "a sphere about ten samples; other solids some searches of some hundred to some thousand, at most 70",
        source: "Hart 1996, Sphere tracing, section 2; Mirtich 1996, Impulse-based dynamic simulation, 2.3; Piyavskii 1972",
    };

    fn new(_: NoSettings) -> Self {
        Self::default()
    }

    fn detect(
        &mut self,
        a: &ImplicitBody,
        b: ConvexSolidView<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let Some(relative) = Relative::new(a, b, context) else { return Status::default() };
        let bounds = a.sublevel_bounds(0.0).grown(context.margin());
        if !relative.swept_bounds().overlaps(&bounds) {
            return Status::default();
        }
        let radius = rounding_radius(&b.body);
        let (impact, radius) = match (&b.body.shape, b.solid) {
            (ConvexCore::Ball(_), _) => (relative.of_ball(radius), radius),
            (ConvexCore::Capsule(capsule), _) => {
                let half = Vector::y() * capsule.half_length;
                let segment = Segment { ends: [-half, half] };
                (relative.of_segment(&segment, radius, &mut self.search), radius)
            }
            (_, SolidView::Hull { radius, .. }) => (relative.of_solid(radius, &mut self.over_solid), radius),
            _ => (relative.of_solid(0.0, &mut self.over_solid), 0.0),
        };
        let Some(impact) = impact else { return Status::default() };
        let contact = relative.contact(&impact, radius);
        out.push(contact);
        (impact.flags | flags_of(a, impact.value)).into()
    }
}
