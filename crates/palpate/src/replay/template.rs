//! Constant part of a recorded object: everything that its frames do not contain.

use crate::describe::{DescriptionError, MeshTraits, from_json, sidedness_of};
use crate::geometry::{Convex, ImplicitBody, ShapeType};
use crate::recording::ObjectInfo;
use serde_json::Value;
use std::any::Any;

/// The data needed, together with a state and cells, to create the geometry of an object.
pub(crate) struct Template {
    pub(crate) form: Form,
    /// Whether the quaternions of states are used bit for bit. True if the object has a description; other writers may
    /// store quaternions whose length is not 1.
    pub(crate) exact: bool,
    pub(crate) two_sided: bool,
    /// The cells of a tetrahedral mesh that were inverted in the frame in which they were new, if its description does not
    /// name them.
    pub(crate) inverted: Option<Vec<u32>>,
}

/// The form of the geometry that the states belong to.
pub(crate) enum Form {
    /// A shape of this type; its sizes are in the state.
    Sized(&'static ShapeType),
    Plane,
    Hull(Box<Convex>),
    Body(Box<ImplicitBody>),
    Mesh(MeshTraits),
    Compound,
    /// Not enough is known to create a geometry.
    Unknown,
}

impl Template {
    /// The template of an object with the description `shape`, if it has one.
    pub(crate) fn new(info: &ObjectInfo, shape: Option<&str>) -> Result<Self, DescriptionError> {
        match shape {
            Some(shape) => Self::described(info, shape),
            None => Ok(Self::plain(info)),
        }
    }

    /// Whether nothing says how the boundary of a tetrahedral mesh is oriented.
    pub(crate) fn lacks_orientation(&self) -> bool {
        matches!(&self.form, Form::Mesh(traits) if traits.inverted.is_none())
    }

    fn plain(info: &ObjectInfo) -> Self {
        let form = match info.kind.as_str() {
            "compound" => Form::Compound,
            _ if info.topology.kind().is_some() => Form::Mesh(MeshTraits {
                radius: info.radius.unwrap_or(0.0),
                closed: info.closed,
                sidedness: info.sidedness.as_deref().and_then(sidedness_of),
                ..MeshTraits::default()
            }),
            "plane" => Form::Plane,
            kind => ShapeType::of_kind(kind).map_or(Form::Unknown, Form::Sized),
        };
        Self { form, exact: false, two_sided: info.two_sided.unwrap_or(false), inverted: None }
    }

    fn described(info: &ObjectInfo, shape: &str) -> Result<Self, DescriptionError> {
        let value: Value = serde_json::from_str(shape)
            .map_err(|error| DescriptionError::found(&Value::from(error.to_string()), "JSON"))?;
        let name = value.get("type").and_then(Value::as_str).unwrap_or_default();
        let kind = kind_of(name);
        if kind != Some(info.kind.as_str()) {
            let wanted = format!("the type of a {}", info.kind);
            return Err(DescriptionError::found(&Value::from(name), wanted).at("type"));
        }
        let form = match name {
            "Compound" => Form::Compound,
            "Plane" => Form::Plane,
            "Convex" => Form::Hull(made(&value)?),
            "Implicit" => Form::Body(made(&value)?),
            _ => match ShapeType::named(name) {
                Some(shape) => Form::Sized(shape),
                None => MeshTraits::read_alone(&value)?.map_or(Form::Unknown, Form::Mesh),
            },
        };
        let two_sided = value.get("two_sided").and_then(Value::as_bool).unwrap_or(false);
        Ok(Self { form, exact: true, two_sided, inverted: None })
    }
}

/// The kind of a type in descriptions.
fn kind_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "Plane" => "plane",
        "Convex" => "convex",
        "PointSet" => "point_set",
        "LineMesh" => "line_mesh",
        "SurfaceMesh" => "surface_mesh",
        "TetrahedralMesh" => "tetra_mesh",
        "Implicit" => "implicit",
        "Compound" => "compound",
        _ => return ShapeType::named(name).map(|shape| shape.kind().name()),
    })
}

/// Creates the geometry of a complete description whose type name denotes `T`.
fn made<T: 'static>(value: &Value) -> Result<Box<T>, DescriptionError> {
    let any: Box<dyn Any> = from_json(value)?;
    let wanted = "a description of the named type";
    any.downcast().map_err(|_| DescriptionError::found(value, wanted))
}
