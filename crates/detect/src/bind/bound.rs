//! A detector bound to a pair, with its order settled once.

use crate::{CollisionDetectionAlgorithm, Context, DetectError, Flags, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Geometry, Needs};
use serde_json::{Map, Value};

/// The order in which the inputs reach the detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Order {
    /// As the caller gives them.
    AsGiven,
    /// Exchanged; the contacts are mirrored on the way out.
    Swapped,
}

/// A detector bound to a pair, and its memory: run it with the same two geometries, in the same order, step after
/// step. For a pair with a compound it owns a detector for every child.
pub struct Bound {
    way: Way,
}

enum Way {
    Detector(Detector),
    Several(Box<dyn Detectors>),
}

/// The detectors of a pair that has several; the methods are those of [`Bound`].
pub(crate) trait Detectors: Send {
    fn name(&self) -> &str;
    fn settings(&self) -> Option<&Value>;
    fn order(&self) -> Order;
    fn parts(&self) -> Vec<Order>;
    fn is_self(&self) -> bool;
    fn needs(&self) -> [Needs; 2];
    fn refreshed(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<Option<Bound>, DetectError>;
    fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError>;
    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError>;
    fn reset(&mut self);
}

struct Detector {
    algorithm: Box<dyn CollisionDetectionAlgorithm>,
    order: Order,
    itself: bool,
    flags: Flags,
    settings: BoundSettings,
}

/// The settings that a detector was bound with.
pub(crate) struct BoundSettings {
    /// Those that an alias or the caller gave; `None` for the defaults.
    pub(crate) given: Option<Value>,
    /// Completes what was given by the defaults.
    pub(crate) complete: fn(Option<&Value>) -> Value,
}

impl Bound {
    /// A detector for two geometries in this order.
    pub(crate) fn new(
        algorithm: Box<dyn CollisionDetectionAlgorithm>,
        order: Order,
        flags: Flags,
        settings: BoundSettings,
    ) -> Self {
        Self { way: Way::Detector(Detector { algorithm, order, itself: false, flags, settings }) }
    }

    /// A detector for one geometry with itself.
    pub(crate) fn of_one(algorithm: Box<dyn CollisionDetectionAlgorithm>, settings: BoundSettings) -> Self {
        let (order, flags) = (Order::AsGiven, Flags::empty());
        Self { way: Way::Detector(Detector { algorithm, order, itself: true, flags, settings }) }
    }

    /// A detector of the caller's own, which no registry knows, for two geometries as given, or for one with itself. It has no
    /// settings.
    pub fn of_own(algorithm: Box<dyn CollisionDetectionAlgorithm>, is_self: bool) -> Self {
        let settings = BoundSettings { given: None, complete: |_| Value::Object(Map::new()) };
        let (order, flags) = (Order::AsGiven, Flags::empty());
        Self { way: Way::Detector(Detector { algorithm, order, itself: is_self, flags, settings }) }
    }

    /// The detectors of a compound's children, or a continuous one and the static one that follows it.
    pub(crate) fn of_several(detectors: impl Detectors + 'static) -> Self {
        Self { way: Way::Several(Box::new(detectors)) }
    }

    /// The detector's name; of a pair with a compound the two kinds, as in `compound_sphere`.
    pub fn name(&self) -> &str {
        match &self.way {
            Way::Detector(detector) => detector.algorithm.name(),
            Way::Several(detectors) => detectors.name(),
        }
    }

    /// All settings of the detector, as a JSON object: those of the caller, of the alias and the defaults together. Of a pair with a
    /// compound those that were given.
    pub fn settings(&self) -> Value {
        match &self.way {
            Way::Detector(detector) => (detector.settings.complete)(detector.settings.given.as_ref()),
            Way::Several(detectors) => {
                detectors.settings().cloned().unwrap_or_else(|| Value::Object(Map::new()))
            }
        }
    }

    /// In which order the inputs reach the detector; of two, the continuous one. Of a pair with a compound: whose children the contacts are listed
    /// by, the first input's (as given) or the second's.
    pub fn order(&self) -> Order {
        match &self.way {
            Way::Detector(detector) => detector.order,
            Way::Several(detectors) => detectors.order(),
        }
    }

    /// The [`order`](Self::order), then that of every pair of children of a pair with a compound, or of the static detector after
    /// a continuous one: what binds two others in the same way, as [`Choice::orders`](crate::Choice::orders).
    pub fn orders(&self) -> Vec<Order> {
        let mut orders = vec![self.order()];
        if let Way::Several(detectors) = &self.way {
            orders.extend(detectors.parts());
        }
        orders
    }

    /// Whether it was bound for the contacts of one geometry with itself.
    pub fn is_self(&self) -> bool {
        match &self.way {
            Way::Detector(detector) => detector.itself,
            Way::Several(detectors) => detectors.is_self(),
        }
    }

    /// Whether it consists of several detectors: only then can [`refresh`](Self::refresh) change it.
    pub fn has_parts(&self) -> bool {
        matches!(self.way, Way::Several(_))
    }

    /// Returns the derived data that the first and the second input must have prepared.
    pub fn needs(&self) -> [Needs; 2] {
        match &self.way {
            Way::Detector(detector) => detector.needs(),
            Way::Several(detectors) => detectors.needs(),
        }
    }

    /// Rebinds the children of a compound if some were added or removed; for self-contact `b` is `a`. Returns whether
    /// it did: then [`needs`](Self::needs) may have changed. [`run`](Self::run) does the same; call this first to
    /// learn of it before the geometries are prepared. Errors: a child that no detector accepts; then the old binding
    /// stays.
    pub fn refresh(&mut self, a: &dyn Geometry, b: &dyn Geometry) -> Result<bool, DetectError> {
        match &mut self.way {
            Way::Detector(_) => Ok(false),
            Way::Several(detectors) => detectors.refresh(a, b),
        }
    }

    /// Returns the binding that [`refresh`](Self::refresh) would leave, without memory, and changes nothing; `None` if no children
    /// were added or removed. Errors as [`refresh`](Self::refresh).
    pub fn refreshed(&self, a: &dyn Geometry, b: &dyn Geometry) -> Result<Option<Self>, DetectError> {
        match &self.way {
            Way::Detector(_) => Ok(None),
            Way::Several(detectors) => detectors.refreshed(a, b),
        }
    }

    /// Replaces `out` by the contacts of `a` and `b`. Errors: a margin that is negative or not finite, an input that is
    /// not prepared or of another kind than at binding, a detector bound for self-contact, a new child that no detector
    /// supports.
    pub fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        out.clear();
        if self.is_self() {
            return Err(self.bound_otherwise("self-contact"));
        }
        context.check()?;
        match &mut self.way {
            Way::Detector(detector) => detector.run(a, b, context, out),
            Way::Several(detectors) => detectors.run(a, b, context, out),
        }
    }

    /// Replaces `out` by the contacts of `a` with itself; of a compound those between its different children. Errors as
    /// [`run`](Self::run); a detector bound for a pair of two.
    pub fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        out.clear();
        if !self.is_self() {
            return Err(self.bound_otherwise("a pair of two geometries"));
        }
        context.check()?;
        match &mut self.way {
            Way::Detector(detector) => detector.run_self(a, context, out),
            Way::Several(detectors) => detectors.run(a, a, context, out),
        }
    }

    /// Clears the memory of earlier steps; called by the step if the broad phase culls the pair.
    pub fn reset(&mut self) {
        match &mut self.way {
            Way::Detector(detector) => detector.algorithm.reset(),
            Way::Several(detectors) => detectors.reset(),
        }
    }

    fn bound_otherwise(&self, bound: &'static str) -> DetectError {
        DetectError::BoundOtherwise { name: self.name().to_owned(), bound }
    }
}

impl Detector {
    fn needs(&self) -> [Needs; 2] {
        let [a, b] = self.algorithm.needs();
        match self.order {
            Order::AsGiven if self.itself => [a | b, Needs::empty()],
            Order::AsGiven => [a, b],
            Order::Swapped => [b, a],
        }
    }

    fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let [needs_a, needs_b] = self.needs();
        check_prepared(a, needs_a)?;
        check_prepared(b, needs_b)?;
        let status = match self.order {
            Order::AsGiven => self.algorithm.run(a, b, context, out)?,
            Order::Swapped => {
                let status = self.algorithm.run(b, a, context, out)?;
                out.mirror();
                status
            }
        };
        Ok(Status { flags: status.flags | self.flags })
    }

    fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        check_prepared(a, self.needs()[0])?;
        let status = self.algorithm.run_self(a, context, out)?;
        Ok(Status { flags: status.flags | self.flags })
    }
}

fn check_prepared(geometry: &dyn Geometry, needs: Needs) -> Result<(), DetectError> {
    // Most primitives need nothing: saves a virtual call.
    if needs.is_empty() || geometry.is_prepared(needs) {
        Ok(())
    } else {
        Err(DetectError::NotPrepared { kind: geometry.kind(), needs })
    }
}
