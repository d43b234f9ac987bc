//! One detector for one pair, its order settled once.

use crate::{CollisionDetectionAlgorithm, Context, DetectError, Flags, Status};
use palpate_contact::CollisionData;
use palpate_geometry::{Geometry, Needs};

/// In which order the inputs reach the detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the caller gives them.
    AsGiven,
    /// Exchanged; the contacts are mirrored on the way out.
    Swapped,
}

/// A detector bound to a pair. It is the pair's memory: run it with the same two geometries, in the same order, step
/// after step.
pub struct Bound {
    pub(crate) algorithm: Box<dyn CollisionDetectionAlgorithm>,
    pub(crate) order: Order,
    pub(crate) itself: bool,
    pub(crate) flags: Flags,
}

impl Bound {
    /// The detector's name.
    pub fn name(&self) -> &str {
        self.algorithm.name()
    }

    /// In which order the inputs reach the detector.
    pub fn order(&self) -> Order {
        self.order
    }

    /// Whether it was bound for the contacts of one geometry with itself.
    pub fn is_self(&self) -> bool {
        self.itself
    }

    /// What the first and the second input must have prepared.
    pub fn needs(&self) -> [Needs; 2] {
        let [a, b] = self.algorithm.needs();
        match self.order {
            Order::AsGiven if self.itself => [a | b, Needs::empty()],
            Order::AsGiven => [a, b],
            Order::Swapped => [b, a],
        }
    }

    /// Replaces `out` by the contacts of `a` and `b`. Errors: a margin that is no length, an input that is not prepared
    /// or of another kind than at binding, a detector bound for self-contact.
    pub fn run(
        &mut self,
        a: &dyn Geometry,
        b: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        out.clear();
        if self.itself {
            return Err(self.bound_otherwise("self-contact"));
        }
        context.check()?;
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

    /// Replaces `out` by the contacts of `a` with itself. Errors as [`run`](Self::run); a detector bound for a pair of
    /// two.
    pub fn run_self(
        &mut self,
        a: &dyn Geometry,
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        out.clear();
        if !self.itself {
            return Err(self.bound_otherwise("a pair of two geometries"));
        }
        context.check()?;
        check_prepared(a, self.needs()[0])?;
        let status = self.algorithm.run_self(a, context, out)?;
        Ok(Status { flags: status.flags | self.flags })
    }

    /// Forgets what was remembered of earlier steps: what the step calls when the broad phase proves the pair apart.
    pub fn reset(&mut self) {
        self.algorithm.reset();
    }

    fn bound_otherwise(&self, bound: &'static str) -> DetectError {
        DetectError::BoundOtherwise { name: self.name().to_owned(), bound }
    }
}

fn check_prepared(geometry: &dyn Geometry, needs: Needs) -> Result<(), DetectError> {
    // Most primitives need nothing: spares them a call through the table.
    if needs.is_empty() || geometry.is_prepared(needs) {
        Ok(())
    } else {
        Err(DetectError::NotPrepared { kind: geometry.kind(), needs })
    }
}
