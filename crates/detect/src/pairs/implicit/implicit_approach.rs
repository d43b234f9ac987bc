//! Whether a contact within the margin approaches the surface of a solid from outside: a body does not come from inside.

use crate::pairs::implicit::implicit_contact::{Reach, other_exit};
use crate::pairs::implicit::implicit_inside::{Inside, NEXT_TO_NOTHING};
use palpate_contact::{CollisionData, Contact};
use palpate_geometry::implicit::{ImplicitFunction, Sample};
use palpate_math::direction::unit_or;
use palpate_math::{Point, Vector};

/// How deep in the solid a point of the body counts as on its surface, relative to the distance to the element that it approaches:
/// where that distance hardly changes along an edge, the point is known to a root of the rounding error only.
const ON_THE_SURFACE: f64 = 1e-5;

/// How far beside an element the other faces of a ridge are found, and up to which difference the element is as near to them; relative to
/// the smaller of both shapes. Far above the error of the place: the gap of a search by the slope of the shallower face.
const ACROSS_A_RIDGE: f64 = 1.0 / (1 << 18) as f64;
const AS_NEAR_TO_FACES: f64 = 1e-7;

impl Inside<'_> {
    /// Drops contacts within the margin that approach the surface from inside: the body does not come from there. What may touch, as
    /// far as the search knows, is not within the margin only.
    pub(super) fn drop_within_margin(
        &self,
        elements: std::ops::Range<usize>,
        size: f64,
        out: &mut CollisionData,
    ) {
        let mut index = 0;
        out.contacts.retain(|contact| {
            let is_element = elements.contains(&index);
            index += 1;
            let is_apart = contact.depth_upper < -NEXT_TO_NOTHING * size;
            !(is_element && is_apart && self.approaches_from_inside(contact, size))
        });
    }

    /// Whether the body's point nearest to an element is inside the solid; a point in a face of the solid is not. Where the element
    /// crosses a ridge of the body, each of the ridge's faces has such a point, and rounding decides which of them the contact names:
    /// then one of them inside is enough. The faces are searched for in all octants of the body's frame, so that every cell of a grid is
    /// found where several meet.
    fn approaches_from_inside(&self, contact: &Contact, size: f64) -> bool {
        let is_inside = |place: &Point| self.solid.sample(place).value < ON_THE_SURFACE * contact.depth;
        if is_inside(&Point::from(contact.a.point)) {
            return true;
        }
        let Reach { body, radius, .. } = *self.reach;
        if body.exactness().outside {
            return false;
        }
        let (place, value) = (self.place_on_element(contact), radius - contact.depth);
        let is_of_face_inside = |face: &Sample| {
            let outward = unit_or(&face.gradient, &-Vector::from(contact.direction));
            is_inside(&(place - outward * value))
        };
        let here = body.sample(&place);
        is_of_face_inside(&here)
            || (0..8).any(|octant| {
                let diagonal = Vector::from([0, 1, 2].map(|axis| 1.0 - f64::from(octant >> axis & 1) * 2.0));
                let way = body.pose().rotation * diagonal * (ACROSS_A_RIDGE * size);
                let other = other_exit(body, &place, &here, &way, AS_NEAR_TO_FACES * size);
                other.is_some_and(|other| is_of_face_inside(&other))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;
    use crate::pairs::implicit::surface_samples::{cube, moved};
    use palpate_contact::Feature;
    use palpate_geometry::implicit::internal::MeshSolid;
    use palpate_geometry::implicit::{ImplicitFunction, Intersection};
    use palpate_geometry::{ImplicitBody, OrientedBox, Pose};
    use std::sync::Arc;

    /// A point of a block's wall above the ridge between two faces of a body. Of the nearest points of both faces one is inside the
    /// block, or both are if the block is moved one way, or none if it is moved the other way: whether the contact is dropped does not
    /// depend on which of the faces it is normal to.
    #[test]
    fn either_face_of_a_ridge_decides_whether_a_contact_approaches_from_inside() {
        let block = cube(8.0);
        let value = 0.1;
        for (beyond, is_dropped) in [(-0.2, false), (0.0, true), (0.2, true)] {
            for case in 0..100 {
                let t = f64::from(case);
                let tilts = [0.4 + 0.2 * (1.7 * t).sin(), -0.4 - 0.2 * (2.9 * t).cos()];
                let tilted = tilts.map(|tilt| Pose::new(Vector::zeros(), Vector::x() * tilt));
                let parts = tilted.map(|pose| -> Arc<dyn ImplicitFunction> {
                    Arc::new(OrientedBox::new(pose, Vector::new(2.0, 2.0, 1.0)).unwrap())
                });
                let pose = Pose::new(Vector::zeros(), Vector::new((1.3 * t).sin(), (0.7 * t).cos(), 0.1 * t));
                let body =
                    ImplicitBody::new(pose, Arc::new(Intersection::new(parts.into()).unwrap())).unwrap();
                let normals = tilted.map(|tilted| tilted.rotation * Vector::z());
                let up = (normals[0] + normals[1]).normalize();
                let ridge = up * ((1.0 + value) / up.dot(&normals[0]));
                // The wall at x = 0 is turned to the plane between the faces, through the place above the ridge.
                let across = (normals[1] - normals[0]).normalize();
                let wall = nalgebra::Matrix3::from_columns(&[across, up, across.cross(&up)]);
                let placed = |corner: &Point| {
                    let from_middle = corner.coords - Vector::new(beyond, 4.0, 4.0);
                    pose * Point::from(ridge + wall * from_middle)
                };
                let mesh = moved(&block, placed);
                let solid = MeshSolid::of_surface(&mesh).unwrap();
                let context = Context::new().with_margin(1.0);
                let reach = Reach { body: &body, radius: 0.0, context: &context };
                let inside =
                    Inside { reach: &reach, solid: &solid, other: &|_, point| Feature::point(point) };
                let place = pose * Point::from(ridge);
                let dropped = normals.map(|normal| {
                    let sample = Sample { value, gradient: pose.rotation * normal, feature: 0 };
                    let contact = reach.at_place(&place, &sample, 0, Feature::point).unwrap();
                    inside.approaches_from_inside(&contact, 1.0)
                });
                assert_eq!(dropped, [is_dropped; 2], "{beyond} {case}");
            }
        }
    }
}
