//! Shapes determined by a pose and at most three numbers, and what descriptions and recordings need to know of their types.

use crate::{Geometry, GeometryError, GeometryKind, Pose};
use palpate_implicit::ImplicitFunction;
use std::sync::Arc;

/// The extra ways to write the rotation of a shape, besides those that all shapes share (quaternion, matrix, angles).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// None.
    Plain,
    /// The direction of local +y, for a shape that is round about it.
    Axis,
    /// The directions of local x, y and z.
    Axes,
}

/// A size under its name in descriptions, for example `radius`; metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeField {
    /// A number greater than 0.
    Positive(&'static str),
    /// A number that is 0 or more.
    NotNegative(&'static str),
    /// A list of three numbers greater than 0, along local x, y and z.
    ThreePositive(&'static str),
}

impl SizeField {
    /// Returns the name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Positive(key) | Self::NotNegative(key) | Self::ThreePositive(key) => key,
        }
    }

    /// Returns how many numbers it has: 1 or 3.
    pub const fn count(self) -> usize {
        match self {
            Self::Positive(_) | Self::NotNegative(_) => 1,
            Self::ThreePositive(_) => 3,
        }
    }
}

type Made<T> = Result<T, GeometryError>;

/// The type of a sized shape: its names, its sizes, and how one is made. The types are listed by [`ShapeType::all`].
#[derive(Debug)]
pub struct ShapeType {
    name: &'static str,
    kind: GeometryKind,
    turn: Turn,
    sizes: &'static [SizeField],
    make: fn(Pose, [f64; 3]) -> Made<Box<dyn SizedShape>>,
    function: Option<FunctionType>,
}

/// A type as an implicit function.
#[derive(Debug)]
struct FunctionType {
    key: &'static str,
    make: fn(Pose, [f64; 3]) -> Made<Arc<dyn ImplicitFunction>>,
}

impl ShapeType {
    /// Creates the type of `T`: its name in descriptions, its kind, the way to write its rotation, its sizes in order.
    /// The counts of the sizes add up to 3 at most.
    pub(crate) const fn new<T: SizedShape>(
        name: &'static str,
        kind: GeometryKind,
        turn: Turn,
        sizes: &'static [SizeField],
    ) -> Self {
        let (mut field, mut count) = (0, 0);
        while field < sizes.len() {
            count += sizes[field].count();
            field += 1;
        }
        assert!(count <= 3, "a recording stores three numbers of a shape");
        Self { name, kind, turn, sizes, make: make::<T>, function: None }
    }

    /// Sets the name as an implicit function, for a type that is one.
    pub(crate) const fn with_function<T: SizedShape + ImplicitFunction>(mut self, key: &'static str) -> Self {
        self.function = Some(FunctionType { key, make: make_function::<T> });
        self
    }

    /// Returns the name in descriptions, for example `OrientedBox`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the name as an implicit function, for example `box`; `None` for a type that is not one.
    pub fn function_key(&self) -> Option<&'static str> {
        self.function.as_ref().map(|function| function.key)
    }

    /// Returns the kind of the geometries of this type.
    pub fn kind(&self) -> &GeometryKind {
        &self.kind
    }

    /// Returns the extra ways to write the rotation.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Returns the sizes, in the order of [`SizedShape::sizes`]; their counts add up to 3 at most.
    pub fn sizes(&self) -> &'static [SizeField] {
        self.sizes
    }

    /// Creates a shape. `sizes` are the numbers of all fields one after another, then zeros. Errors: those of the
    /// constructor.
    pub fn make(&self, pose: Pose, sizes: [f64; 3]) -> Result<Box<dyn SizedShape>, GeometryError> {
        (self.make)(pose, sizes)
    }

    /// Creates a shape as an implicit function. Errors: those of the constructor, a type that is not a function.
    pub fn make_function(
        &self,
        pose: Pose,
        sizes: [f64; 3],
    ) -> Result<Arc<dyn ImplicitFunction>, GeometryError> {
        let wanted = "a shape that is an implicit function";
        let none = || GeometryError::Unsupported { kind: self.kind.clone(), wanted };
        (self.function.as_ref().ok_or_else(none)?.make)(pose, sizes)
    }
}

fn make<T: SizedShape>(pose: Pose, sizes: [f64; 3]) -> Made<Box<dyn SizedShape>> {
    Ok(Box::new(T::from_sizes(pose, sizes)?))
}

fn make_function<T: SizedShape + ImplicitFunction>(
    pose: Pose,
    sizes: [f64; 3],
) -> Made<Arc<dyn ImplicitFunction>> {
    Ok(Arc::new(T::from_sizes(pose, sizes)?))
}

/// A shape of palpate that a pose and at most three numbers determine. [`TypedGeometry::sized`](crate::TypedGeometry::sized)
/// finds it behind a geometry. User-defined shapes are not described: implementing this trait for one has no effect.
pub trait SizedShape: Geometry {
    /// Returns the type.
    fn of_type() -> &'static ShapeType
    where
        Self: Sized;

    /// Creates a shape from its sizes, in the order of [`ShapeType::sizes`]. Errors: those of the constructor.
    fn from_sizes(pose: Pose, sizes: [f64; 3]) -> Result<Self, GeometryError>
    where
        Self: Sized;

    /// Returns the type of this shape.
    fn shape_type(&self) -> &'static ShapeType;

    /// Returns the numbers of all sizes one after another, in metres, then zeros.
    fn sizes(&self) -> [f64; 3];

    /// Returns the pose (local to world), and the one at the last [`advance`](Geometry::advance), if there was one.
    fn poses(&self) -> (&Pose, Option<&Pose>);

    /// Sets the pose of the previous step. Errors: a non-finite coordinate.
    fn set_previous_pose(&mut self, pose: Pose) -> Result<(), GeometryError>;
}
