//! Capsule against capsule.

use crate::contact_ids::{id_of_first, id_of_second};
use crate::pairs::ManifoldSettings;
use crate::rounded_contact::{capsule_end, rounded_contact};
use crate::{About, Context, PairDetector, Status};
use palpate_contact::{CollisionData, Contact, Feature, IdPart};
use palpate_geometry::Capsule;
use palpate_math::nearest::{parallel_overlap, segment_segment};
use palpate_math::{Vector, direction};

/// Capsule against capsule, in closed form. Parallel axes have contacts at both ends of their overlap, or one in its
/// middle if a single contact is requested. Intersecting axes separate along their common perpendicular; collinear
/// overlapping axes along the first capsule's local +x (the second's, if the first has no length).
pub struct CapsuleCapsule {
    settings: ManifoldSettings,
}

impl PairDetector for CapsuleCapsule {
    type A = Capsule;
    type B = Capsule;
    type Settings = ManifoldSettings;

    const NAME: &'static str = "capsule_capsule";
    const ABOUT: About = About {
        elements_a: "point",
        elements_b: "point",
        at_most: "two",
        sides: "one: both are solids",
        method: "closed form: closest points of the two axes, then two spheres; intersecting axes separate \
            along their common perpendicular, parallel ones have contacts at both ends of their overlap \
            (without manifold, in the middle)",
        cost: "O(1)",
        source: "Ericson 2005, Real-Time Collision Detection, 4.5.1 and 5.1.9",
    };

    fn new(settings: ManifoldSettings) -> Self {
        Self { settings }
    }

    fn detect(&mut self, a: &Capsule, b: &Capsule, context: &Context<'_>, out: &mut CollisionData) -> Status {
        let ([a0, a1], [b0, b1]) = (a.ends(), b.ends());
        let nearest = segment_segment(&a0, &a1, &b0, &b1);
        let balls = rounded_contact(&nearest.point_a, a.radius(), &nearest.point_b, b.radius(), || {
            // A sphere on the other's axis: its own local +x may be parallel to that axis.
            let aside = if a.length() == 0.0 { b.side_direction() } else { a.side_direction() };
            common_perpendicular(&(a1 - a0), &(b1 - b0), aside)
        });
        if !context.reports(balls.depth) {
            return Status::default();
        }
        if self.settings.manifold
            && let Some(overlap) = parallel_overlap(&a0, &a1, &b0, &b1)
        {
            // Equal depths, up to rounding error.
            for end in overlap {
                let point_a = end.point_a - balls.direction * a.radius();
                let on_a = Feature::numbered(capsule_end(end.feature_a), point_a);
                let on_b =
                    Feature::numbered(capsule_end(end.feature_b), point_a + balls.direction * balls.depth);
                let id = match end.end {
                    of_a @ (0 | 1) => id_of_first(IdPart::Corner(of_a)),
                    of_b => id_of_second(IdPart::Corner(of_b - 2)),
                };
                out.push(Contact::exact(on_a, on_b, balls.direction, balls.depth, id));
            }
        } else {
            let on_a = Feature::numbered(capsule_end(nearest.feature_a), balls.point_a);
            let on_b = Feature::numbered(capsule_end(nearest.feature_b), balls.point_b);
            out.push(Contact::exact(on_a, on_b, balls.direction, balls.depth, 0));
        }
        Status::default()
    }
}

/// Returns the unit direction `first` × `second`, or `fallback` (perpendicular to one of them) if that is zero up to
/// rounding error.
pub(crate) fn common_perpendicular(first: &Vector, second: &Vector, fallback: Vector) -> Vector {
    let cross = first.cross(second);
    let resolved = cross.norm() > 16.0 * f64::EPSILON * first.norm() * second.norm();
    if resolved { direction::unit_or(&cross, &fallback) } else { fallback }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palpate_contact::NONE;
    use palpate_math::Point;

    fn contact(a: [[f64; 3]; 2], b: [[f64; 3]; 2]) -> Contact {
        let capsule = |ends: [[f64; 3]; 2]| {
            Capsule::from_ends(Point::from(ends[0]), Point::from(ends[1]), 0.25).unwrap()
        };
        let mut out = CollisionData::new();
        CapsuleCapsule::new(ManifoldSettings { manifold: false }).detect(
            &capsule(a),
            &capsule(b),
            &Context::new(),
            &mut out,
        );
        assert_eq!(out.len(), 1);
        out.contacts[0]
    }

    #[test]
    fn crossing_axes_part_along_their_common_perpendicular() {
        let contact = contact([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!(contact.depth, 0.5);
        assert!((contact.direction[2].abs() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn parallel_axes_meet_in_the_middle_of_their_overlap() {
        let contact = contact([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0.375, 0.0, 0.0], [0.375, 2.0, 0.0]]);
        assert_eq!((contact.depth, contact.a.point[1], contact.b.point[1]), (0.125, 0.5, 0.5));
    }

    /// From 0 to 1: the start of the second, and the end of the first.
    #[test]
    fn parallel_axes_have_two_points_by_default() {
        let capsule = |x: f64, low: f64, high: f64| {
            Capsule::from_ends(Point::new(x, low, 0.0), Point::new(x, high, 0.0), 0.25).unwrap()
        };
        let (a, b) = (capsule(0.0, -1.0, 1.0), capsule(0.375, 0.0, 2.0));
        let mut out = CollisionData::new();
        CapsuleCapsule::new(ManifoldSettings::default()).detect(&a, &b, &Context::new(), &mut out);
        let points: Vec<_> = out.contacts.iter().map(|c| (c.a.point, c.a.cell, c.b.cell, c.id)).collect();
        assert_eq!(
            points,
            [
                ([0.25, 1.0, 0.0], 1, NONE, id_of_first(IdPart::Corner(1))),
                ([0.25, 0.0, 0.0], NONE, 0, id_of_second(IdPart::Corner(0)))
            ]
        );
        assert!(out.contacts.iter().all(|contact| contact.depth == 0.125 && contact.b.point[0] == 0.125));
    }

    #[test]
    fn axes_in_one_another_part_sideways() {
        let contact = contact([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]], [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
        assert_eq!((contact.depth, contact.direction), (0.5, [1.0, 0.0, 0.0]));
    }

    /// The first has no length, and its local +x is the second's axis: that direction would not separate the two.
    #[test]
    fn a_ball_in_an_axis_parts_sideways() {
        let turned = nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.5, 0.5, 0.5, 0.5));
        for turned in [turned, turned.inverse()] {
            let ball = Capsule::new(palpate_geometry::Pose::identity(), 0.25, 0.0).unwrap();
            let pose = palpate_geometry::pose::from_rotation(Point::origin(), turned).unwrap();
            let capsule = Capsule::new(pose, 0.25, 2.0).unwrap();
            let mut out = CollisionData::new();
            CapsuleCapsule::new(ManifoldSettings { manifold: false }).detect(
                &ball,
                &capsule,
                &Context::new(),
                &mut out,
            );
            let [start, end] = capsule.ends();
            assert_eq!(Vector::from(out.contacts[0].direction).dot(&(end - start)), 0.0);
            assert_eq!(out.contacts[0].depth, 0.5);
        }
    }

    #[test]
    fn end_against_end() {
        let contact = contact([[0.0, -1.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.375, 0.0], [0.0, 2.0, 0.0]]);
        assert_eq!((contact.depth, contact.a.cell, contact.b.cell), (0.125, 1, 0));
        assert_eq!(contact.direction, [0.0, -1.0, 0.0]);
    }
}
