//! Pairs with a placed geometry: one side stays in its local frame, a copy of the other is moved into that frame.
//!
//! The contacts of two geometries do not depend on the frame. A mesh that moves as a rigid body therefore keeps its
//! vertices, tree and normals; a pair with it moves the *other* geometry by the inverse motion, which is cheap for a
//! shape, and transforms the contacts to the world frame. Of two meshes, the one with fewer vertices is copied.

use crate::object::Object;
use palpate_contact::{CollisionData, Side};
use palpate_detect::{Bound, Context, DetectError, Status, downcast};
use palpate_geometry::{Compound, Geometry, Needs, Pose, Version};

/// A copy of one side, in the frame of the other.
pub(crate) struct Relative {
    /// The side that was lighter when the copy was made.
    lighter: Side,
    /// The copied side.
    copied: Side,
    copy: Box<dyn Geometry>,
    /// The version and pose for which the copy is up to date; `None` for a fresh clone.
    state: Option<(Version, Pose)>,
}

impl Relative {
    /// Creates the copy for two geometries, at least one of them placed. Errors: neither can be cloned.
    pub(crate) fn new(a: &Object, b: &Object) -> Result<Self, DetectError> {
        let lighter = lighter(&*a.geometry, &*b.geometry);
        let other = if lighter == Side::A { Side::B } else { Side::A };
        let clone_of = |side: Side| pick(side, a, b).geometry.try_clone().map(|copy| (side, copy));
        let (copied, copy) = clone_of(lighter)
            .or_else(|| clone_of(other))
            .ok_or_else(|| DetectError::NotPlaceable { kind: pick(lighter, a, b).geometry.kind() })?;
        Ok(Self { lighter, copied, copy, state: None })
    }

    /// Whether the same side would be copied now: a compound may have other children than when the copy was made.
    pub(crate) fn is_of(&self, a: &dyn Geometry, b: &dyn Geometry) -> bool {
        lighter(a, b) == self.lighter
    }

    /// The copied side: derived data of the original is not used.
    pub(crate) fn copied(&self) -> Side {
        self.copied
    }

    /// Finds the contacts of `a` and `b` in the frame of the side that is not copied, and transforms them to the world frame.
    pub(crate) fn run(
        &mut self,
        bound: &mut Bound,
        [a, b]: [&Object; 2],
        context: &Context<'_>,
        out: &mut CollisionData,
    ) -> Result<Status, DetectError> {
        let [needs_a, needs_b] = bound.needs();
        let (source, still) = if self.copied == Side::A { (a, b) } else { (b, a) };
        let frame = still.placement().unwrap_or_else(Pose::identity);
        let motion = frame.inverse() * source.placement().unwrap_or_else(Pose::identity);
        let needs = if self.copied == Side::A { needs_a } else { needs_b };
        let before = still.previous_placement().unwrap_or_else(Pose::identity);
        let previous = (needs_a | needs_b)
            .intersects(Needs::SWEPT | Needs::MOTION)
            .then(|| before.inverse() * source.previous_placement().unwrap_or_else(Pose::identity));
        self.update(&*source.geometry, motion, previous, needs)?;
        let status = if self.copied == Side::A {
            bound.run(&*self.copy, &*still.geometry, context, out)?
        } else {
            bound.run(&*still.geometry, &*self.copy, context, out)?
        };
        out.transform_moving(&before, &frame);
        Ok(status)
    }

    /// Brings the copy up to date; `previous` is the motion of its previous state, where that is needed.
    fn update(
        &mut self,
        source: &dyn Geometry,
        motion: Pose,
        previous: Option<Pose>,
        needs: Needs,
    ) -> Result<(), DetectError> {
        let state = Some((source.version(), motion));
        if self.state != state || previous.is_some() {
            if !self.copy.copy_moved(source, &motion) {
                let refused = || DetectError::NotPlaceable { kind: source.kind() };
                self.copy = source.try_clone().ok_or_else(refused)?;
                if !self.copy.copy_moved(source, &motion) {
                    return Err(refused());
                }
            }
            if let Some(previous) = previous {
                self.copy.copy_previous_moved(source, &previous);
            }
            self.state = state;
        }
        self.copy.prepare(needs);
        Ok(())
    }
}

fn pick<'a>(side: Side, a: &'a Object, b: &'a Object) -> &'a Object {
    match side {
        Side::A => a,
        Side::B => b,
    }
}

/// The side that is cheaper to move.
fn lighter(a: &dyn Geometry, b: &dyn Geometry) -> Side {
    if weight(a) < weight(b) { Side::A } else { Side::B }
}

/// The relative cost of moving a copy: 1 plus the number of vertices, summed over the children of a compound.
fn weight(geometry: &dyn Geometry) -> usize {
    match downcast::<Compound>(geometry) {
        Some(compound) => compound.children().map(|(_, child)| weight(child)).sum(),
        None => 1 + geometry.as_points().map_or(0, |points| points.len()),
    }
}
