//! Fields of the shapes with a pose, without the type name, which differs between geometries and functions.

use super::object::{Object, object, points, posed};
use crate::geometry::{Convex, Plane, Pose, SizeField, SizedShape};
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

impl Fields for dyn SizedShape + '_ {
    fn fields(&self) -> Object {
        let mut fields = posed("center", Fields::pose(self));
        let sizes = self.sizes();
        let mut later = sizes.as_slice();
        for field in self.shape_type().sizes() {
            let (numbers, rest) = later.split_at(field.count());
            let value = match field {
                SizeField::ThreePositive(_) => json!(numbers),
                SizeField::Positive(_) | SizeField::NotNegative(_) => json!(numbers[0]),
            };
            fields.extend(object([(field.key(), value)]));
            later = rest;
        }
        fields
    }

    fn pose(&self) -> &Pose {
        self.poses().0
    }

    fn previous_pose(&self) -> Option<&Pose> {
        self.poses().1
    }
}

fields! {
    Convex, "position": |shape| [
        "vertices": points(&shape.hull().points().iter().map(|&corner| corner.into()).collect::<Vec<Point>>()),
        "cells": shape.hull().triangles(),
        "margin": shape.radius()
    ];
    Plane, "position": |shape| ["normal": shape.normal().as_slice(), "two_sided": shape.two_sided()];
}
