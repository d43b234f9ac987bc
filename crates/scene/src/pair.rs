//! A pair of geometries with the detector bound to it.

use crate::object::{Object, State};
use crate::relative::Relative;
use crate::{ContactFilter, GeometryId, OwnDetector, PairId, PairOptions};
use palpate_contact::{CollisionData, Contact, ContactKey, PairContacts, Side};
use palpate_detect::{Bound, Choice, Context, DetectError, Executor, Flags, Order, Registry, Status};
use palpate_geometry::{Geometry, Needs};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Outcome of the last step for a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// No step has succeeded since the pair was bound: there are no contacts.
    #[default]
    Pending,
    /// The broad phase culled the pair: it has no contacts, and its detector was reset.
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
    /// The copy of one side, for a pair with a placed geometry.
    relative: Option<Box<Relative>>,
    done: Done,
    /// What the current step found, until it has succeeded.
    next: Done,
    /// The detector before it was rebound in the current step.
    replaced: Option<Box<Bound>>,
    /// Whether the contacts of the last step are those of the current one.
    is_unchanged: bool,
    /// For the check of what a detector of the caller's own finds.
    keys: Vec<ContactKey>,
}

/// A pair as it is saved: everything but the detector, which is bound again.
pub(crate) struct Kept {
    pub(crate) id: PairId,
    pub(crate) sides: [GeometryId; 2],
    options: PairOptions,
    done: Done,
}

/// What a step found for a pair.
#[derive(Clone, Default)]
struct Done {
    contacts: CollisionData,
    outcome: Outcome,
    time: Duration,
    /// The states of the geometries in which this was found; `None` if the detector is to run in any case.
    seen: Option<[State; 2]>,
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
            bound: bind(registry, id, [a, b], options)?,
            options: Arc::clone(options),
            relative: None,
            done: Done::default(),
            next: Done::default(),
            replaced: None,
            is_unchanged: false,
            keys: Vec::new(),
        })
    }

    /// What restores the pair, without the memory of its detector.
    pub(crate) fn kept(&self) -> Kept {
        let options = PairOptions { orders: self.orders(), ..(*self.options).clone() };
        Kept { id: self.id, sides: [self.a, self.b], options, done: self.done.clone() }
    }

    /// A pair as it was saved, bound to its geometries.
    pub(crate) fn restored(
        registry: &Registry,
        kept: &Kept,
        [a, b]: [&dyn Geometry; 2],
    ) -> Result<Self, DetectError> {
        let [first, second] = kept.sides;
        let options = Arc::new(kept.options.clone());
        let pair = Self::bind(registry, kept.id, [(first, a), (second, b)], &options)?;
        Ok(Self { done: Done { seen: None, ..kept.done.clone() }, ..pair })
    }

    /// Drops what the filter does not keep of what the current step found.
    pub(crate) fn filter(&mut self, filter: &mut dyn ContactFilter) {
        let (id, sides) = (self.id, [self.a, self.b]);
        self.next.contacts.contacts.retain(|contact| filter.keeps(id, sides, contact));
    }

    /// Binds the detector chosen by the pair's options to other geometries.
    pub(crate) fn rebound(
        &self,
        registry: &Registry,
        a: &dyn Geometry,
        b: &dyn Geometry,
    ) -> Result<Bound, DetectError> {
        bind(registry, self.id, [(self.a, a), (self.b, b)], &self.options)
    }

    /// Binds the detector to the same geometries in the same orders, with the settings of `options`.
    pub(crate) fn bound_with(
        &self,
        registry: &Registry,
        [a, b]: [&dyn Geometry; 2],
        options: &PairOptions,
    ) -> Result<Bound, DetectError> {
        let options = PairOptions { orders: self.orders(), ..options.clone() };
        bind(registry, self.id, [(self.a, a), (self.b, b)], &options)
    }

    /// Replaces the options and the detector that they bind; the detector has no memory.
    pub(crate) fn set_options(&mut self, options: PairOptions, bound: Bound) {
        self.options = Arc::new(options);
        self.set_bound(bound);
    }

    /// Replaces the detector by another one without memory.
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

    /// Whether this is self-contact: the pair of a geometry with itself.
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

    /// The name of the detector, also if it was chosen by an alias.
    pub fn detector(&self) -> &str {
        self.bound.name()
    }

    /// The detector or alias that the pair was added with, or the name of the caller's own, if any.
    pub fn requested_detector(&self) -> Option<&str> {
        let own = self.options.own_detector.as_ref().map(OwnDetector::name);
        own.or(self.options.detector.as_deref())
    }

    /// The settings that the pair was added with; `None` for those of the detector or alias.
    pub fn requested_settings(&self) -> Option<&Value> {
        self.options.settings.as_ref()
    }

    /// The order in which the inputs are passed to the detector; for a pair with a compound, followed by the orders of
    /// the pairs of its children.
    pub fn orders(&self) -> Vec<Order> {
        self.bound.orders()
    }

    /// All settings of the detector, as a JSON object: those the pair was added with, those of the alias, and the
    /// defaults. For a pair with a compound only those it was added with.
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
        &self.done.contacts
    }

    /// Outcome of the last step for this pair.
    pub fn outcome(&self) -> Outcome {
        self.done.outcome
    }

    /// The status of the contacts. Without flags for a culled pair: its lack of contacts is certain.
    pub fn status(&self) -> Status {
        match self.done.outcome {
            Outcome::Ran(status) => status,
            Outcome::Pending | Outcome::Apart => Status::from(Flags::empty()),
        }
    }

    /// The time that the detector took in the last step; zero if the scene is not [timed](crate::Scene::set_timed) or
    /// the pair was culled.
    pub fn time(&self) -> Duration {
        self.done.time
    }

    /// The derived data that the two geometries must have prepared; none for a geometry that is copied into the other's
    /// frame.
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
        self.done.seen = None;
        Ok(())
    }

    /// Rebinds in the present orders from now on.
    pub(crate) fn keep_orders(&mut self) {
        Arc::make_mut(&mut self.options).orders = self.bound.orders();
    }

    /// Drops a copy that is no longer of the lighter side.
    pub(crate) fn refresh_copy(&mut self, a: &dyn Geometry, b: &dyn Geometry) {
        self.relative = self.relative.take().filter(|relative| relative.is_of(a, b));
    }

    /// Whether it has several detectors: only then can [`refresh`](Self::refresh) change it.
    pub(crate) fn has_parts(&self) -> bool {
        self.bound.has_parts()
    }

    /// Rebinds a pair whose children were added or removed, until [`undo`](Self::undo) or [`commit`](Self::commit).
    /// Returns whether it did.
    pub(crate) fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError> {
        let Some(bound) = self.bound.refreshed(a, b)? else { return Ok(false) };
        self.replaced = Some(Box::new(std::mem::replace(&mut self.bound, bound)));
        self.done.seen = None;
        Ok(true)
    }

    /// Gives back the detector that was [replaced](Self::refresh).
    pub(crate) fn undo(&mut self) {
        if let Some(bound) = self.replaced.take() {
            self.bound = *bound;
        }
    }

    /// Keeps the [new](Self::refresh) detector.
    pub(crate) fn commit(&mut self) {
        self.replaced = None;
    }

    /// Clears the memory of the detector. The copy of a side stays: it depends on the geometries alone, and a pair that comes
    /// near again does not make it anew.
    pub(crate) fn forget_memory(&mut self) {
        self.bound.reset();
        self.is_unchanged = false;
    }

    /// Makes what the last [run](Self::run) found the pair's contacts.
    pub(crate) fn publish(&mut self) {
        if self.is_unchanged {
            self.done.time = Duration::ZERO;
        } else {
            std::mem::swap(&mut self.done, &mut self.next);
        }
    }

    /// Whether nothing that the contacts depend on changed between the last two steps, so that the detector did not run in the
    /// last one.
    pub fn is_unchanged(&self) -> bool {
        self.is_unchanged
    }

    /// Finds the contacts, which replace those of the last step when they are [published](Self::publish). Where both geometries
    /// are as in the last step, and no filter is asked, they are the same.
    pub(crate) fn run(
        &mut self,
        a: &Object,
        b: &Object,
        executor: &dyn Executor,
        is_filtered: bool,
    ) -> Result<(), DetectError> {
        let states = a.state().zip(b.state()).filter(|_| !is_filtered).map(|(a, b)| [a, b]);
        self.is_unchanged = states.is_some() && states == self.done.seen;
        if self.is_unchanged {
            return Ok(());
        }
        self.next.seen = states;
        let context = Context::new().with_margin(self.options.margin).with_executor(executor);
        let (bound, out) = (&mut self.bound, &mut self.next.contacts);
        let status = if let Some(own) = &self.options.own_detector {
            own.run((bound, &mut self.keys), [a, b], &context, out)
        } else if self.a == self.b {
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
        self.next.outcome = Outcome::Ran(status?);
        // The steps fill two lists by turns: both have room for the longest.
        let (longest, other) = (self.next.contacts.contacts.capacity(), &mut self.done.contacts.contacts);
        if other.capacity() < longest {
            other.reserve_exact(longest - other.len());
        }
        Ok(())
    }

    pub(crate) fn set_time(&mut self, time: Duration) {
        self.next.time = time;
    }

    /// Marks the pair as culled: the same result as running its detector.
    pub(crate) fn put_apart(&mut self) {
        self.forget();
        self.done.outcome = Outcome::Apart;
    }

    /// Resets the pair to its state before the first step.
    pub(crate) fn forget(&mut self) {
        self.forget_memory();
        self.done.seen = None;
        self.done.contacts.clear();
        self.done.outcome = Outcome::Pending;
        self.done.time = Duration::ZERO;
    }
}

impl PairContacts for Pair {
    type Geometry = GeometryId;

    fn pair_number(&self) -> u64 {
        self.id.number()
    }

    fn geometry(&self, side: Side) -> GeometryId {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    fn contact_list(&self) -> &[Contact] {
        &self.done.contacts.contacts
    }
}

fn bind(
    registry: &Registry,
    id: PairId,
    [(a, first), (b, second)]: [(GeometryId, &dyn Geometry); 2],
    options: &PairOptions,
) -> Result<Bound, DetectError> {
    let PairOptions { detector, settings, orders, detection, own_detector, .. } = options;
    if let Some(own) = own_detector {
        return own.bind([a, b], settings.is_some());
    }
    // The pairs of groups share settings, and may be of several kinds.
    let ignore_unknown_settings = id.is_of_groups();
    let choice = Choice {
        detector: detector.as_deref(),
        settings: settings.as_ref(),
        orders,
        ignore_unknown_settings,
        detection: *detection,
    };
    if a == b { registry.bind_self(first, choice) } else { registry.bind(first, second, choice) }
}

/// The margin, if it is valid. Errors: as [`Context::check`].
pub(crate) fn checked(margin: f64) -> Result<f64, DetectError> {
    Context::new().with_margin(margin).check().map(|()| margin)
}
