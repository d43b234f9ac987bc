//! The detector trait that authors implement, and its type-erased form.

use crate::{Accepts, Context, DetectError, Port, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Geometry, Needs};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The view of a detector's first side.
pub type ViewA<'a, D> = <<D as PairDetector>::A as Port>::View<'a>;
/// The view of a detector's second side.
pub type ViewB<'a, D> = <<D as PairDetector>::B as Port>::View<'a>;

/// A detector's description: a row of the table of detectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    /// Element kinds on the first side.
    pub elements_a: &'static str,
    /// Element kinds on the second side.
    pub elements_b: &'static str,
    /// The maximum number of contacts per pair of features: `one per vertex`.
    pub at_most: &'static str,
    /// One- or two-sided: what has an interior, and what is a sheet.
    pub sides: &'static str,
    /// The method, its conventions and the order of the contacts, in a sentence or two.
    pub method: &'static str,
    /// Complexity.
    pub cost: &'static str,
    /// Authors, year, section.
    pub source: &'static str,
}

/// A detector for one pair of kinds. State that must survive a step lives in `self`.
///
/// It sees its sides in its own order; the framework handles exchanged inputs. It appends contacts to `out` in an
/// order that depends only on the inputs. If both sides accept the same kinds, the pair is ordered by content, so a
/// detector never sees both orders of one pair.
pub trait PairDetector: Send + Sized + 'static {
    /// The type of the first side: a concrete geometry or a capability.
    type A: Port;
    /// The type of the second side.
    type B: Port;
    /// Documented settings, fixed at binding. Read and written as JSON: give the type
    /// `#[serde(deny_unknown_fields)]`.
    type Settings: Default + Clone + Serialize + DeserializeOwned;

    /// The name: the two kinds in the order of `GeometryKind::ORDER`, `sphere_capsule`.
    const NAME: &'static str;
    /// The derived data that the two sides must have prepared, for any settings.
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::empty()];
    /// The detector's row in the table.
    const ABOUT: About;
    /// Whether [`detect_self`](Self::detect_self) is implemented.
    const SELF_CONTACT: bool = false;

    /// Whether it is the default of its two kinds only for some geometries: those for which
    /// [`is_default_for`](Self::is_default_for) returns true. The others go to the next detector of the same kinds.
    const DEFAULT_FOR_SOME: bool = false;

    /// Whether the registry chooses it for these two if no detector is named; called only if `DEFAULT_FOR_SOME`.
    fn is_default_for(_a: ViewA<'_, Self>, _b: ViewB<'_, Self>) -> bool {
        true
    }

    /// Whether it finds the first contacts of the motion between the previous and the current state, not those of the
    /// current state. Such a detector is chosen by name or by [`Detection`](crate::Detection).
    const CONTINUOUS: bool = false;

    /// Creates a detector with these settings and no memory.
    fn new(settings: Self::Settings) -> Self;

    /// Returns the derived data that the two sides must have prepared with its settings: [`NEEDS`](Self::NEEDS), or less.
    fn needed(&self) -> [Needs; 2] {
        Self::NEEDS
    }

    /// Returns the equivalent settings for exchanged inputs: only settings that refer to the first or the second
    /// input change.
    fn mirrored(settings: Self::Settings) -> Self::Settings {
        settings
    }

    /// Finds the contacts between `a` and `b`.
    fn detect(
        &mut self,
        a: ViewA<'_, Self>,
        b: ViewB<'_, Self>,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Status;

    /// Finds the contacts of `a` with itself; `None` if the detector does not support it.
    fn detect_self(
        &mut self,
        _a: ViewA<'_, Self>,
        _context: &Context<'_>,
        _out: &mut CollisionData,
    ) -> Option<Status> {
        None
    }

    /// Clears the memory of earlier steps.
    fn reset(&mut self) {}
}

/// A type-erased detector, as scene, C and Python see it. Implemented for every [`PairDetector`].
pub trait CollisionDetectionAlgorithm: Send {
    /// Returns the detector's name.
    fn name(&self) -> &str;

    /// Returns the derived data that its two sides must have prepared.
    fn needs(&self) -> [Needs; 2];

    /// Finds the contacts of `a` and `b`, given in the detector's own order, and appends them to `out`. Errors: a
    /// geometry that a side does not accept.
    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError>;

    /// Finds the contacts of `a` with itself and appends them to `out`. Errors: no self-contact.
    fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError>;

    /// Clears the memory of earlier steps.
    fn reset(&mut self);
}

impl<D: PairDetector> CollisionDetectionAlgorithm for D {
    fn name(&self) -> &str {
        D::NAME
    }

    fn needs(&self) -> [Needs; 2] {
        self.needed()
    }

    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let (Some(view_a), Some(view_b)) = (D::A::view(a), D::B::view(b)) else {
            return Err(does_not_fit(D::NAME, [D::A::ACCEPTS, D::B::ACCEPTS], a, b));
        };
        Ok(self.detect(view_a, view_b, context, out))
    }

    fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let view =
            D::A::view(a).ok_or_else(|| does_not_fit(D::NAME, [D::A::ACCEPTS, D::B::ACCEPTS], a, a))?;
        self.detect_self(view, context, out)
            .ok_or_else(|| DetectError::NoSelfDetector { kind: a.kind(), known: String::new() })
    }

    fn reset(&mut self) {
        PairDetector::reset(self);
    }
}

fn does_not_fit(name: &str, wanted: [Accepts; 2], a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
    let [wanted_a, wanted_b] = wanted.map(|wanted| wanted.to_string().into());
    DetectError::DoesNotFit {
        name: name.to_owned(),
        a: a.kind(),
        b: b.kind(),
        wanted_a,
        wanted_b,
        fitting: Box::default(),
    }
}
