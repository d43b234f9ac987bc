//! Classes of errors, for interfaces that tell them apart by a code or a type.

use crate::describe::DescriptionError;
#[cfg(feature = "recording")]
use crate::replay::ReplayError;
use crate::stepping::StepError;
use palpate_detect::DetectError;
use palpate_geometry::GeometryError;
use palpate_haptics::HapticError;
use palpate_procedure::ProcedureError;
use palpate_response::ResponseError;
use palpate_scene::SceneError;

/// The class of an error: a status code in C, an exception's type in Python. The text of the error says the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// A value is not one of those that are wanted.
    Argument,
    /// An id of another scene, or of something that was removed.
    Handle,
    /// No detector serves the pair, or the geometry does not have what is asked for.
    Unsupported,
    /// An index, a count or a size is out of range.
    Range,
    /// There is nothing of this name.
    NotFound,
    /// The caller's own code failed.
    Callback,
    /// A file cannot be read or written, or what it holds is refused.
    File,
}

impl From<&GeometryError> for ErrorClass {
    fn from(error: &GeometryError) -> Self {
        match error {
            GeometryError::IndexOutOfRange { .. }
            | GeometryError::NoCell { .. }
            | GeometryError::Numbers { .. }
            | GeometryError::TooLarge { .. }
            | GeometryError::TooSmall { .. } => Self::Range,
            GeometryError::NoPose { .. }
            | GeometryError::NoVertices { .. }
            | GeometryError::Unsupported { .. } => Self::Unsupported,
            _ => Self::Argument,
        }
    }
}

impl From<&DetectError> for ErrorClass {
    fn from(error: &DetectError) -> Self {
        match error {
            DetectError::NoDetector { .. }
            | DetectError::NoContinuousDetector { .. }
            | DetectError::Refused { .. }
            | DetectError::NotPlaceable { .. }
            | DetectError::NoSelfDetector { .. }
            | DetectError::DoesNotFit { .. } => Self::Unsupported,
            DetectError::Child { source, .. } => Self::from(&**source),
            DetectError::UnknownDetector { .. } => Self::NotFound,
            DetectError::Own { .. } => Self::Callback,
            _ => Self::Argument,
        }
    }
}

impl From<&SceneError> for ErrorClass {
    fn from(error: &SceneError) -> Self {
        match error {
            SceneError::OtherScene { .. }
            | SceneError::PairOfOtherScene { .. }
            | SceneError::UnknownGeometry { .. }
            | SceneError::UnknownPair { .. } => Self::Handle,
            SceneError::Pair { reason, .. } => Self::from(&**reason),
            SceneError::NotMoved { reason, .. } => Self::from(reason),
            SceneError::OtherType { .. }
            | SceneError::PairOfGroups { .. }
            | SceneError::SharedByOther { .. }
            | SceneError::NotCloned { .. } => Self::Unsupported,
            SceneError::IdsExhausted { .. } => Self::Range,
            _ => Self::Argument,
        }
    }
}

impl From<&DescriptionError> for ErrorClass {
    fn from(error: &DescriptionError) -> Self {
        match error {
            DescriptionError::Geometry { source, .. } => Self::from(&**source),
            DescriptionError::File { .. } => Self::File,
            _ => Self::Argument,
        }
    }
}

impl From<&ResponseError> for ErrorClass {
    fn from(error: &ResponseError) -> Self {
        match error {
            ResponseError::Material { .. } => Self::Argument,
            ResponseError::NotGuarded { .. } => Self::Unsupported,
            _ => Self::Range,
        }
    }
}

impl From<&StepError> for ErrorClass {
    fn from(error: &StepError) -> Self {
        match error {
            StepError::Scene(error) => Self::from(error),
            StepError::Response(error) => Self::from(error),
            StepError::NotGuarded { .. } => Self::Unsupported,
            StepError::UnknownGeometry { .. } => Self::Handle,
            StepError::TooFew { .. } => Self::Range,
            StepError::Option { .. } => Self::Argument,
        }
    }
}

impl From<&HapticError> for ErrorClass {
    fn from(error: &HapticError) -> Self {
        match error {
            HapticError::Scene(error) => Self::from(error),
            _ => Self::Argument,
        }
    }
}

impl From<&ProcedureError> for ErrorClass {
    fn from(error: &ProcedureError) -> Self {
        match error {
            ProcedureError::TooFewPoints { .. }
            | ProcedureError::TooFewBladePoints { .. }
            | ProcedureError::RowsDiffer { .. } => Self::Range,
            ProcedureError::Open => Self::Unsupported,
            ProcedureError::Mesh(error) => Self::from(error),
            _ => Self::Argument,
        }
    }
}

#[cfg(feature = "recording")]
impl From<&ReplayError> for ErrorClass {
    fn from(error: &ReplayError) -> Self {
        match error {
            ReplayError::NoSuchFrame { .. } => Self::Range,
            ReplayError::UnknownObject { .. } => Self::NotFound,
            ReplayError::Scene(error) => Self::from(error),
            _ => Self::File,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn an_error_within_another_decides_the_class() {
        let range = GeometryError::TooSmall { what: "the radius".to_owned(), value: 0.0, least: 1.0 };
        assert_eq!(ErrorClass::from(&range), ErrorClass::Range);
        let mut scene = Scene::standard();
        let ball = scene.add("ball", Sphere::new(Point::origin(), 1.0).unwrap()).unwrap();
        let unknown = scene.add_pair(ball, ball, PairOptions::default().with_detector("sphere_spear"));
        assert_eq!(ErrorClass::from(&unknown.unwrap_err()), ErrorClass::NotFound);
        let of_itself = scene.add_pair(ball, ball, PairOptions::default()).unwrap_err();
        assert_eq!(ErrorClass::from(&of_itself), ErrorClass::Unsupported);
        let other = Scene::standard().geometry(ball).map(|_| ()).unwrap_err();
        assert_eq!(ErrorClass::from(&HapticError::Scene(other)), ErrorClass::Handle);
    }
}
