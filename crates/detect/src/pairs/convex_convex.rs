//! Any convex body against any other: GJK and EPA.

use crate::convex_body::query;
use crate::{About, Context, Convex, ConvexBody, Flags, PairDetector, Status};
use nalgebra::Vector3;
use palpate_contact::{CollisionData, Contact, Feature};
use palpate_convex::{Memory, Settings, Status as Ending};
use palpate_math::Point;
use serde::{Deserialize, Serialize};

/// Settings of [`ConvexConvex`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConvexSettings {
    /// How far the certified bounds of the depth may lie apart, relative to the size of the two bodies.
    pub tolerance: f64,
}

impl Default for ConvexSettings {
    fn default() -> Self {
        Self { tolerance: Settings::default().tolerance }
    }
}

/// Any convex body against any other by their support maps: the distance when apart, the depth when not, each with a
/// certified upper bound.
pub struct ConvexConvex {
    settings: Settings,
    memory: Memory<Vector3<f64>>,
}

impl PairDetector for ConvexConvex {
    type A = Convex;
    type B = Convex;
    type Settings = ConvexSettings;

    const NAME: &'static str = "convex_convex";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "one",
        sides: "one: both are solids",
        method: "GJK for the distance, EPA for the depth; closed forms where a body is a ball; cores and radii settle round \
                 bodies that are barely in contact; certified bounds",
        cost: "O(iterations), each a support point of both",
        source: "Gilbert, Johnson, Keerthi 1988; van den Bergen 2001; Montanari, Petrinic, Barbieri 2017",
    };

    fn new(settings: ConvexSettings) -> Self {
        let settings = Settings { tolerance: settings.tolerance, ..Settings::default() };
        Self { settings, memory: Memory::default() }
    }

    fn detect(
        &mut self,
        a: ConvexBody<'_>,
        b: ConvexBody<'_>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status {
        let found = query(&a, &b, &mut self.memory, &self.settings);
        // Where the bounds leave it open whether the two are in reach, they are: no contact is dropped.
        let depth = if context.reports(found.depth_upper) && !context.reports(found.depth) {
            -context.margin()
        } else {
            found.depth
        };
        if context.reports(depth) {
            let on_a = Feature::point(Point::from(found.point_a));
            let on_b = Feature::point(Point::from(found.point_a + found.direction * depth));
            let contact = Contact::exact(on_a, on_b, found.direction, depth, 0);
            out.push(Contact { depth_upper: found.depth_upper.max(depth), ..contact });
        }
        match found.status {
            Ending::Exact | Ending::Converged => Status::default(),
            _ => Flags::ITERATION_LIMIT.into(),
        }
    }
}
