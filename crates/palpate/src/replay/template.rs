//! Constant part of a recorded object: everything that its frames do not contain.

use crate::describe::{DescriptionError, MeshTraits, from_json};
use crate::geometry::{Convex, ImplicitBody};
use crate::recording::ObjectInfo;
use serde_json::Value;
use std::any::Any;

/// What is needed, together with a state and with cells, to make the geometry of an object.
pub(crate) struct Template {
    pub(crate) form: Form,
    /// Whether the rotations of states are taken to the bit: they are where the object has a description, which the
    /// writer of a recording by others need not have brought to length 1.
    pub(crate) exact: bool,
    pub(crate) two_sided: bool,
}

/// What the states are of.
pub(crate) enum Form {
    /// One of the shapes whose size the state tells, by the word of its kind.
    Sized,
    /// A cone by the size in its state.
    Cone,
    /// An ellipsoid by the size in its state.
    Ellipsoid,
    Hull(Box<Convex>),
    Body(Box<ImplicitBody>),
    Mesh(MeshTraits),
    Compound,
}

impl Template {
    /// The template of an object with the description `shape`, if it has one.
    pub(crate) fn new(info: &ObjectInfo, shape: Option<&str>) -> Result<Self, DescriptionError> {
        match shape {
            Some(shape) => Self::described(info, shape),
            None => Ok(Self::plain(info)),
        }
    }

    fn plain(info: &ObjectInfo) -> Self {
        let form = match info.kind.as_str() {
            "compound" => Form::Compound,
            _ if info.topology.kind().is_some() => Form::Mesh(MeshTraits {
                radius: info.radius.unwrap_or(0.0),
                closed: info.closed,
                ..MeshTraits::default()
            }),
            _ => Form::Sized,
        };
        Self { form, exact: false, two_sided: info.two_sided.unwrap_or(false) }
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
            "Cone" => Form::Cone,
            "Ellipsoid" => Form::Ellipsoid,
            "Convex" => Form::Hull(made(&value)?),
            "Implicit" => Form::Body(made(&value)?),
            _ => MeshTraits::read_alone(&value)?.map_or(Form::Sized, Form::Mesh),
        };
        let two_sided = value.get("two_sided").and_then(Value::as_bool).unwrap_or(false);
        Ok(Self { form, exact: true, two_sided })
    }
}

/// The word of the kind of a type.
fn kind_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "Sphere" => "sphere",
        "Capsule" => "capsule",
        "Cylinder" => "cylinder",
        "Plane" => "plane",
        "OrientedBox" => "oriented_box",
        "Ellipsoid" | "Cone" | "Convex" => "convex",
        "PointSet" => "point_set",
        "LineMesh" => "line_mesh",
        "SurfaceMesh" => "surface_mesh",
        "TetrahedralMesh" => "tetra_mesh",
        "Implicit" => "implicit",
        "Compound" => "compound",
        _ => return None,
    })
}

/// The geometry of a whole description, which is of the type `T` by its name.
fn made<T: 'static>(value: &Value) -> Result<Box<T>, DescriptionError> {
    let any: Box<dyn Any> = from_json(value)?;
    let wanted = "a description of its type";
    any.downcast().map_err(|_| DescriptionError::found(value, wanted))
}
