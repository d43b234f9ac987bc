//! What an author of a detector writes, and what the framework sees of it.

use crate::{Context, DetectError, Port, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Geometry, Needs};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What the first side of a detector sees.
pub type ViewA<'a, D> = <<D as PairDetector>::A as Port>::View<'a>;
/// What the second side of a detector sees.
pub type ViewB<'a, D> = <<D as PairDetector>::B as Port>::View<'a>;

/// What a detector says of itself: a row of the table of detectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct About {
    /// Element kinds on the first side.
    pub elements_a: &'static str,
    /// Element kinds on the second side.
    pub elements_b: &'static str,
    /// How many contacts there are at most, per pair of features: `one per vertex`.
    pub at_most: &'static str,
    /// One- or two-sided: what has an inside, and what is a sheet.
    pub sides: &'static str,
    /// How it finds its contacts, its conventions and its order, in a sentence or two.
    pub method: &'static str,
    /// How its cost grows.
    pub cost: &'static str,
    /// Authors, year, section.
    pub source: &'static str,
}

/// A detector for one pair of kinds. State that must survive a step lives in `self`.
///
/// It sees its sides in its own order; exchanged inputs are the framework's business. It appends contacts to `out` in an
/// order that depends on the inputs alone. A pair whose two sides take the same is put in order by content, so a
/// detector never sees both orders of one pair.
pub trait PairDetector: Send + Sized + 'static {
    /// What the first side takes: a concrete type or a capability.
    type A: Port;
    /// What the second side takes.
    type B: Port;
    /// Documented settings, fixed when bound. Written and read as JSON: give the type `#[serde(deny_unknown_fields)]`.
    type Settings: Default + Clone + Serialize + DeserializeOwned;

    /// The name: the two kinds in the order of `GeometryKind::ORDER`, `sphere_capsule`.
    const NAME: &'static str;
    /// What the two sides must have prepared.
    const NEEDS: [Needs; 2] = [Needs::empty(), Needs::empty()];
    /// The detector's row in the table.
    const ABOUT: About;
    /// Whether [`detect_self`](Self::detect_self) is implemented.
    const SELF_CONTACT: bool = false;

    /// Whether it is the default of its two kinds for some geometries only: those for which
    /// [`is_default_for`](Self::is_default_for) says so. The next detector of the same kinds serves the others.
    const DEFAULT_FOR_SOME: bool = false;

    /// Whether the registry takes it for these two where no detector is named; asked only of a default for some.
    fn is_default_for(_a: ViewA<'_, Self>, _b: ViewB<'_, Self>) -> bool {
        true
    }

    /// A detector with these settings and no memory.
    fn new(settings: Self::Settings) -> Self;

    /// The settings that mean the same when the two inputs are exchanged: only settings that speak of the first or the
    /// second input change.
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

    /// Finds the contacts of `a` with itself; `None` when the detector has no such thing.
    fn detect_self(
        &mut self,
        _a: ViewA<'_, Self>,
        _context: &Context<'_>,
        _out: &mut CollisionData,
    ) -> Option<Status> {
        None
    }

    /// Forgets what was remembered of earlier steps.
    fn reset(&mut self) {}
}

/// A detector without its types: what scene, C and Python see. Implemented for every [`PairDetector`].
pub trait CollisionDetectionAlgorithm: Send {
    /// The detector's name.
    fn name(&self) -> &str;

    /// What its two sides must have prepared.
    fn needs(&self) -> [Needs; 2];

    /// Finds the contacts of `a` and `b`, given in the detector's own order, and appends them to `out`. Errors: a
    /// geometry that a side does not take.
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

    /// Forgets what was remembered of earlier steps.
    fn reset(&mut self);
}

impl<D: PairDetector> CollisionDetectionAlgorithm for D {
    fn name(&self) -> &str {
        D::NAME
    }

    fn needs(&self) -> [Needs; 2] {
        D::NEEDS
    }

    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let (Some(view_a), Some(view_b)) = (D::A::view(a), D::B::view(b)) else {
            return Err(does_not_fit::<D>(a, b));
        };
        Ok(self.detect(view_a, view_b, context, out))
    }

    fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let view = D::A::view(a).ok_or_else(|| does_not_fit::<D>(a, a))?;
        self.detect_self(view, context, out)
            .ok_or_else(|| DetectError::NoSelfDetector { kind: a.kind(), known: String::new() })
    }

    fn reset(&mut self) {
        PairDetector::reset(self);
    }
}

fn does_not_fit<D: PairDetector>(a: &dyn Geometry, b: &dyn Geometry) -> DetectError {
    DetectError::DoesNotFit {
        name: D::NAME.to_owned(),
        a: a.kind(),
        b: b.kind(),
        wanted_a: D::A::ACCEPTS.to_string(),
        wanted_b: D::B::ACCEPTS.to_string(),
    }
}
