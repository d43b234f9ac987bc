//! Fields of the shapes with a pose, without the type name, which differs between geometries and functions.

use super::object::{Object, object, points, posed};
use crate::geometry::{Capsule, Cone, Convex, Cylinder, Ellipsoid, OrientedBox, Plane, Pose, Sphere};
use crate::math::Point;
use serde_json::json;

/// A shape that can be written as fields.
pub(super) trait Fields {
    /// The fields.
    fn fields(&self) -> Object;
    /// Its pose.
    fn pose(&self) -> &Pose;
    /// Its pose in the previous step.
    fn previous_pose(&self) -> Option<&Pose>;
}

macro_rules! fields {
    ($($shape:ident, $place:literal: |$of:ident| [$($key:literal: $value:expr),*];)*) => {$(
        impl Fields for $shape {
            fn fields(&self) -> Object {
                let $of = self;
                let mut fields = posed($place, self.pose());
                fields.extend(object([$(($key, json!($value))),*]));
                fields
            }

            fn pose(&self) -> &Pose {
                self.pose()
            }

            fn previous_pose(&self) -> Option<&Pose> {
                self.previous_pose()
            }
        }
    )*};
}

fields! {
    Sphere, "center": |shape| ["radius": shape.radius()];
    Capsule, "center": |shape| ["radius": shape.radius(), "length": shape.length()];
    Cylinder, "center": |shape| ["radius": shape.radius(), "length": shape.length()];
    OrientedBox, "center": |shape| ["half_extents": shape.half_extents().as_slice()];
    Ellipsoid, "center": |shape| ["radii": shape.radii().as_slice()];
    Cone, "center": |shape| ["radius": shape.radius(), "length": shape.length()];
    Convex, "position": |shape| [
        "vertices": points(&shape.hull().points().iter().map(|&corner| corner.into()).collect::<Vec<Point>>()),
        "cells": shape.hull().triangles(),
        "margin": shape.radius()
    ];
    Plane, "position": |shape| ["normal": shape.normal().as_slice(), "two_sided": shape.two_sided()];
}
