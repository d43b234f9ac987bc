//! A pair of geometries with the detector bound to it.

use crate::{GeometryId, PairId};
use palpate_contact::CollisionData;
use palpate_detect::{Bound, Choice, Context, DetectError, Executor, Flags, Order, Registry, Status};
use palpate_geometry::Geometry;
use serde_json::Value;

/// How a pair is to be detected; the default is the registry's own choice, with its default settings and no margin.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairOptions<'a> {
    /// A detector's name or an alias; `None` for the default of the two kinds.
    pub detector: Option<&'a str>,
    /// The detector's settings as JSON; `None` for its defaults (or those of the alias).
    pub settings: Option<&'a Value>,
    /// Metres: pairs nearer than it are reported too, with negative depth.
    pub margin: f64,
    /// In which order the inputs reach the detector where both would do: the [`Pair::orders`] of another pair that this one
    /// is to repeat. Empty: by content.
    pub orders: &'a [Order],
}

impl<'a> PairOptions<'a> {
    /// The same with a detector by name or alias.
    #[must_use]
    pub fn with_detector(self, detector: &'a str) -> Self {
        Self { detector: Some(detector), ..self }
    }

    /// The same with settings.
    #[must_use]
    pub fn with_settings(self, settings: &'a Value) -> Self {
        Self { settings: Some(settings), ..self }
    }

    /// The same with a margin in metres.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin, ..self }
    }
}

/// What the last step did with a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// No step since the pair was bound (or the last step failed): it has no contacts to show.
    #[default]
    Pending,
    /// The broad phase proved the pair apart: it has no contacts, and its detector was reset.
    Apart,
    /// The detector ran, and has this to say of its contacts.
    Ran(Status),
}

/// Two geometries (or one, for self-contact), the detector bound to them, and the contacts of the last step.
pub struct Pair {
    id: PairId,
    a: GeometryId,
    b: GeometryId,
    margin: f64,
    detector: Option<String>,
    settings: Option<Value>,
    orders: Vec<Order>,
    bound: Bound,
    contacts: CollisionData,
    outcome: Outcome,
}

impl Pair {
    /// A pair bound to the geometries of `a` and `b`, given with their ids.
    pub(crate) fn bind(
        registry: &Registry,
        [a, b]: [(GeometryId, &dyn Geometry); 2],
        options: PairOptions<'_>,
    ) -> Result<Self, DetectError> {
        let margin = checked(options.margin)?;
        let PairOptions { detector, settings, orders, .. } = options;
        let choice = Choice { detector, settings, orders };
        Ok(Self {
            // Given its number when it enters the scene.
            id: PairId(0),
            a: a.0,
            b: b.0,
            margin,
            detector: options.detector.map(str::to_owned),
            settings: options.settings.cloned(),
            orders: orders.to_vec(),
            bound: bind(registry, a.0 == b.0, a.1, b.1, choice)?,
            contacts: CollisionData::new(),
            outcome: Outcome::Pending,
        })
    }

    /// The detector that the pair's options choose for other geometries.
    pub(crate) fn rebound(
        &self,
        registry: &Registry,
        a: &dyn Geometry,
        b: &dyn Geometry,
    ) -> Result<Bound, DetectError> {
        let (detector, settings) = (self.detector.as_deref(), self.settings.as_ref());
        let choice = Choice { detector, settings, orders: &self.orders };
        bind(registry, self.is_self(), a, b, choice)
    }

    /// Puts another detector, without memory, in place of the present one.
    pub(crate) fn set_bound(&mut self, bound: Bound) {
        self.bound = bound;
        self.forget();
    }

    pub(crate) fn numbered(self, id: PairId) -> Self {
        Self { id, ..self }
    }

    /// The pair's number.
    pub fn id(&self) -> PairId {
        self.id
    }

    /// The first geometry: side A of the contacts.
    pub fn a(&self) -> GeometryId {
        self.a
    }

    /// The second geometry: side B of the contacts; the first again for self-contact.
    pub fn b(&self) -> GeometryId {
        self.b
    }

    /// Whether these are the contacts of one geometry with itself.
    pub fn is_self(&self) -> bool {
        self.a == self.b
    }

    /// Whether the geometry is one of the two.
    pub fn is_with(&self, id: GeometryId) -> bool {
        self.a == id || self.b == id
    }

    /// The two geometries, the lower id first.
    pub(crate) fn ordered_ids(&self) -> (GeometryId, GeometryId) {
        (self.a.min(self.b), self.a.max(self.b))
    }

    /// The detector's own name, also when it was chosen by an alias.
    pub fn detector(&self) -> &str {
        self.bound.name()
    }

    /// The detector or alias that the pair was added with; `None` for the default of the two kinds.
    pub fn requested_detector(&self) -> Option<&str> {
        self.detector.as_deref()
    }

    /// The settings that the pair was added with; `None` for the detector's (or the alias's) own.
    pub fn requested_settings(&self) -> Option<&Value> {
        self.settings.as_ref()
    }

    /// In which order the inputs reach the detector, and with a compound those of every pair of children.
    pub fn orders(&self) -> Vec<Order> {
        self.bound.orders()
    }

    /// The margin in metres.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The contacts of the last step.
    pub fn contacts(&self) -> &CollisionData {
        &self.contacts
    }

    /// What the last step did with the pair.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// What must be known of the contacts. Nothing for a pair that was proven apart: that it has no contacts is certain.
    pub fn status(&self) -> Status {
        match self.outcome {
            Outcome::Ran(status) => status,
            Outcome::Pending | Outcome::Apart => Status::from(Flags::empty()),
        }
    }

    pub(crate) fn bound(&self) -> &Bound {
        &self.bound
    }

    pub(crate) fn set_margin(&mut self, margin: f64) -> Result<(), DetectError> {
        self.margin = checked(margin)?;
        Ok(())
    }

    /// Binds again what a change of a compound's children calls for. Returns whether it did.
    pub(crate) fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError> {
        self.bound.refresh(a, b)
    }

    /// Finds the contacts. An error leaves none.
    pub(crate) fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        executor: &dyn Executor,
    ) -> Result<(), DetectError> {
        let context = Context::new().with_margin(self.margin).with_executor(executor);
        let status = if self.a == self.b {
            self.bound.run_self(a, &context, &mut self.contacts)
        } else {
            self.bound.run(a, b, &context, &mut self.contacts)
        };
        self.outcome = Outcome::Ran(status?);
        Ok(())
    }

    /// Notes that the pair is apart: what running it would have come to.
    pub(crate) fn put_apart(&mut self) {
        self.forget();
        self.outcome = Outcome::Apart;
    }

    /// Back to what the pair was before its first step.
    pub(crate) fn forget(&mut self) {
        self.bound.reset();
        self.contacts.clear();
        self.outcome = Outcome::Pending;
    }
}

fn bind(
    registry: &Registry,
    itself: bool,
    a: &dyn Geometry,
    b: &dyn Geometry,
    choice: Choice<'_>,
) -> Result<Bound, DetectError> {
    if itself { registry.bind_self(a, choice) } else { registry.bind(a, b, choice) }
}

fn checked(margin: f64) -> Result<f64, DetectError> {
    if margin.is_finite() && margin >= 0.0 { Ok(margin) } else { Err(DetectError::Margin { margin }) }
}
