//! Plane against capsule: one-sided and two-sided.

use crate::contact_ids::id_of_second;
use crate::pairs::PlaneBodySettings;
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart, NONE};
use palpate_geometry::{Capsule, Plane};
use palpate_math::{Point, Vector};

/// Plane against capsule, in closed form: both ends of the axis within the margin, the deeper first. If a single
/// contact is requested, it is the deeper end, or the middle if both depths are bitwise equal.
pub struct PlaneCapsule {
    settings: PlaneBodySettings,
}

impl PairDetector for PlaneCapsule {
    type A = Plane;
    type B = Capsule;
    type Settings = PlaneBodySettings;

    const NAME: &'static str = "plane_capsule";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "two",
        sides: "those of the plane: one (below is solid) or two; setting `sides`",
        method: "closed form: both ends of the axis within the margin, the deeper first; without manifold \
            the deeper end (the middle if both are equally deep); a two-sided plane pushes to the side \
            with the shorter translation",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 5.2.2",
    };

    fn new(settings: PlaneBodySettings) -> Self {
        Self { settings }
    }

    fn detect(&mut self, a: &Plane, b: &Capsule, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let ends = b.ends();
        let heights = ends.map(|end| a.height(&end));
        let sides = self.settings.sides();
        let (outward, least) = sides.way_out(a, heights[0].min(heights[1]), heights[0].max(heights[1]));
        let mut push = |core: Point, height: f64, end: u32, part: IdPart| {
            let depth = b.radius() - height;
            if context.reports(depth) {
                let foot = Feature::point(core - outward * height);
                let lowest = Feature::numbered(end, core - outward * b.radius());
                out.push(Contact::exact(foot, lowest, -outward, depth, id_of_second(part)));
            }
        };
        let (core, end) = deeper(&ends, a, &outward);
        if !self.settings.manifold || b.length() == 0.0 {
            push(core, least, end, IdPart::Whole);
            return Status::default();
        }
        let first = if end == 1 { 1 } else { 0 };
        let over = heights.map(|height| if outward == a.normal() { height } else { -height });
        push(ends[first], least, first as u32, IdPart::Corner(first as u32));
        push(ends[1 - first], over[1 - first], 1 - first as u32, IdPart::Corner(1 - first as u32));
        Status::default()
    }
}

/// Returns the lowest end of the axis along `outward` and its number; the midpoint if both are equal.
fn deeper(ends: &[Point; 2], plane: &Plane, outward: &Vector) -> (Point, u32) {
    let [first, second] = ends.map(|end| (end - plane.position()).dot(outward));
    if first < second {
        (ends[0], 0)
    } else if second < first {
        (ends[1], 1)
    } else {
        (ends[0] + (ends[1] - ends[0]) * 0.5, NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::PlaneSides;

    const ONE: PlaneBodySettings = PlaneBodySettings { sides: PlaneSides::AsGiven, manifold: false };

    fn contact(ends: [[f64; 3]; 2], sides: PlaneSides) -> Option<Contact> {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let capsule = Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), 0.25).unwrap();
        let mut out = CollisionData::new();
        PlaneCapsule::new(PlaneBodySettings { sides, ..ONE }).detect(
            &plane,
            &capsule,
            &Context::new(),
            &mut out,
        );
        out.contacts.first().copied()
    }

    /// Upright, from 0 to 1: the lowest point is at -0.25, whichever end is the first. (A published detector puts it
    /// on the middle of the capsule when the +y end is the deeper one.)
    #[test]
    fn the_contact_is_at_the_deeper_end_whichever_it_is() {
        let up = contact([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], PlaneSides::One).unwrap();
        assert_eq!((up.depth, up.b.point, up.b.cell), (0.25, [0.0, -0.25, 0.0], 0));
        let down = contact([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]], PlaneSides::One).unwrap();
        assert_eq!((down.depth, down.b.cell), (0.25, 1));
        assert!((down.b.point[1] + 0.25).abs() < 1e-15);
    }

    /// Hovering at 0.125: the plane's point is the projection, at height zero.
    #[test]
    fn the_planes_point_lies_on_the_plane() {
        let hovering = contact([[2.0, 0.125, 0.0], [2.0, 1.125, 0.0]], PlaneSides::One).unwrap();
        assert_eq!((hovering.depth, hovering.a.point), (0.125, [2.0, 0.0, 0.0]));
    }

    #[test]
    fn a_lying_capsule_has_two_points_or_one_in_the_middle() {
        let capsule = Capsule::new(palpate_geometry::Pose::identity(), 0.25, 2.0).unwrap();
        let wall = Plane::new(Point::new(0.125, 0.0, 0.0), -Vector::x()).unwrap();
        let mut out = CollisionData::new();
        PlaneCapsule::new(ONE).detect(&wall, &capsule, &Context::new(), &mut out);
        assert_eq!((out.contacts[0].depth, out.contacts[0].b.point), (0.125, [0.25, 0.0, 0.0]));
        out.clear();
        PlaneCapsule::new(PlaneBodySettings::default()).detect(&wall, &capsule, &Context::new(), &mut out);
        let points: Vec<_> = out.contacts.iter().map(|c| (c.depth, c.b.point, c.b.cell)).collect();
        assert_eq!(points, [(0.125, [0.25, -1.0, 0.0], 0), (0.125, [0.25, 1.0, 0.0], 1)]);
    }

    /// From 0 to 1 along y: the upper end is reported only within the margin.
    #[test]
    fn the_higher_end_comes_second() {
        let plane = Plane::new(Point::origin(), Vector::y()).unwrap();
        let capsule = Capsule::from_ends(Point::new(0.0, 1.0, 0.0), Point::origin(), 0.25).unwrap();
        for (margin, depths) in [(0.0, vec![0.25]), (1.0, vec![0.25, -0.75])] {
            let mut out = CollisionData::new();
            let context = Context::new().with_margin(margin);
            PlaneCapsule::new(PlaneBodySettings::default()).detect(&plane, &capsule, &context, &mut out);
            let found: Vec<f64> = out.contacts.iter().map(|contact| contact.depth).collect();
            assert_eq!(found, depths);
            assert_eq!(out.contacts[0].b.cell, 1);
        }
    }

    #[test]
    fn a_sheet_is_left_by_the_shorter_way() {
        let pierced = contact([[0.0, -0.5, 0.0], [0.0, 2.0, 0.0]], PlaneSides::Two).unwrap();
        assert_eq!((pierced.depth, pierced.direction), (0.75, [0.0, -1.0, 0.0]));
        let other = contact([[0.0, -2.0, 0.0], [0.0, 0.5, 0.0]], PlaneSides::Two).unwrap();
        assert_eq!((other.depth, other.direction), (0.75, [0.0, 1.0, 0.0]));
        assert!(contact([[0.0, -2.0, 0.0], [0.0, -0.5, 0.0]], PlaneSides::Two).is_none());
    }
}
