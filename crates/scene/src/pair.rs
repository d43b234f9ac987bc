//! A pair of geometries with the detector bound to it.

use crate::object::Object;
use crate::relative::Relative;
use crate::{GeometryId, PairId, PairOptions};
use palpate_contact::{CollisionData, Side};
use palpate_detect::{Bound, Choice, Context, DetectError, Executor, Flags, Order, Registry, Status};
use palpate_geometry::{Geometry, Needs};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// What the last step did with a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// No step since the pair was bound (or the last step failed): it has no contacts to show.
    #[default]
    Pending,
    /// The broad phase proved the pair apart: it has no contacts, and its detector was reset.
    Apart,
    /// The detector ran and returned this status.
    Ran(Status),
}

/// Two geometries (or one, for self-contact), the detector bound to them, and the contacts of the last step.
pub struct Pair {
    id: PairId,
    a: GeometryId,
    b: GeometryId,
    options: Arc<PairOptions>,
    bound: Bound,
    /// The copy of a pair with a placed geometry.
    relative: Option<Box<Relative>>,
    contacts: CollisionData,
    outcome: Outcome,
    time: Duration,
}

impl Pair {
    /// A pair bound to the geometries of `a` and `b`, given with their ids.
    pub(crate) fn bind(
        registry: &Registry,
        id: PairId,
        [a, b]: [(GeometryId, &dyn Geometry); 2],
        options: &Arc<PairOptions>,
    ) -> Result<Self, DetectError> {
        checked(options.margin)?;
        Ok(Self {
            id,
            a: a.0,
            b: b.0,
            bound: bind(registry, a.0 == b.0, a.1, b.1, options)?,
            options: Arc::clone(options),
            relative: None,
            contacts: CollisionData::new(),
            outcome: Outcome::Pending,
            time: Duration::ZERO,
        })
    }

    /// The detector that the pair's options choose for other geometries.
    pub(crate) fn rebound(
        &self,
        registry: &Registry,
        a: &dyn Geometry,
        b: &dyn Geometry,
    ) -> Result<Bound, DetectError> {
        bind(registry, self.is_self(), a, b, &self.options)
    }

    /// Puts another detector, without memory, in place of the present one.
    pub(crate) fn set_bound(&mut self, bound: Bound) {
        self.bound = bound;
        self.forget();
    }

    /// The pair's id.
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

    /// The detector or alias that the pair was added with, if it named one.
    pub fn requested_detector(&self) -> Option<&str> {
        self.options.detector.as_deref()
    }

    /// The settings that the pair was added with; `None` for the detector's (or the alias's) own.
    pub fn requested_settings(&self) -> Option<&Value> {
        self.options.settings.as_ref()
    }

    /// The order in which the inputs reach the detector; of a pair with a compound, then those of the pairs of its children.
    pub fn orders(&self) -> Vec<Order> {
        self.bound.orders()
    }

    /// All settings of the detector, as a JSON object: those the pair was added with, the alias's and the defaults. Of a pair
    /// with a compound those that it was added with.
    pub fn settings(&self) -> Value {
        self.bound.settings()
    }

    /// The options that the pair was added with.
    pub fn options(&self) -> &PairOptions {
        &self.options
    }

    /// The margin in metres.
    pub fn margin(&self) -> f64 {
        self.options.margin
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

    /// The time that its detector took in the last step; zero while the scene is not
    /// [timed](crate::Scene::set_timed), and for a pair that was apart.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// What the two geometries must have prepared; nothing for one that is copied into the other's frame.
    pub(crate) fn needs(&self) -> [Needs; 2] {
        let [a, b] = self.bound.needs();
        match self.relative.as_ref().map(|relative| relative.copied()) {
            Some(Side::A) => [Needs::empty(), b],
            Some(Side::B) => [a, Needs::empty()],
            None => [a, b],
        }
    }

    pub(crate) fn set_margin(&mut self, margin: f64) -> Result<(), DetectError> {
        Arc::make_mut(&mut self.options).margin = checked(margin)?;
        Ok(())
    }

    /// Binds again what a change of a compound's children calls for.
    pub(crate) fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError> {
        self.bound.refresh(a, b)
    }

    /// Finds the contacts. An error leaves none.
    pub(crate) fn run(&mut self, a: &Object, b: &Object, executor: &dyn Executor) -> Result<(), DetectError> {
        let context = Context::new().with_margin(self.options.margin).with_executor(executor);
        let (bound, out) = (&mut self.bound, &mut self.contacts);
        let status = if self.a == self.b {
            let status = bound.run_self(&*a.geometry, &context, out);
            if let Some(pose) = a.placement() {
                out.transform(&pose);
            }
            status
        } else if a.placement().is_none() && b.placement().is_none() {
            bound.run(&*a.geometry, &*b.geometry, &context, out)
        } else {
            out.clear();
            let relative = match &mut self.relative {
                Some(relative) => relative,
                none => none.insert(Box::new(Relative::new(a, b)?)),
            };
            relative.run(bound, [a, b], &context, out)
        };
        self.outcome = Outcome::Ran(status?);
        Ok(())
    }

    pub(crate) fn set_time(&mut self, time: Duration) {
        self.time = time;
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
        self.time = Duration::ZERO;
        self.relative = None;
    }
}

fn bind(
    registry: &Registry,
    itself: bool,
    a: &dyn Geometry,
    b: &dyn Geometry,
    options: &PairOptions,
) -> Result<Bound, DetectError> {
    let PairOptions { detector, settings, orders, .. } = options;
    let choice = Choice { detector: detector.as_deref(), settings: settings.as_ref(), orders };
    if itself { registry.bind_self(a, choice) } else { registry.bind(a, b, choice) }
}

/// The margin if it is a length. Errors: negative, infinite or NaN.
pub(crate) fn checked(margin: f64) -> Result<f64, DetectError> {
    if margin.is_finite() && margin >= 0.0 { Ok(margin) } else { Err(DetectError::Margin { margin }) }
}
