//! Pairs with a geometry that the scene places: one side stays in its own frame, a copy of the other is moved into it.
//!
//! The contacts of two geometries do not depend on the frame, so a mesh that moves as a rigid body keeps its vertices, its tree and
//! its normals; a pair with it moves the *other* geometry by the inverse motion, which costs next to nothing for a shape, and
//! brings the contacts back to the world. Of two meshes the one with fewer vertices is copied.

use crate::object::Object;
use palpate_contact::{CollisionData, Side};
use palpate_detect::{Bound, Context, DetectError, Status, downcast};
use palpate_geometry::{Compound, Geometry, Needs, Pose, Version};

/// A copy of one side, in the frame of the other.
pub(crate) struct Relative {
    /// The side that is copied.
    copied: Side,
    copy: Box<dyn Geometry>,
    /// What the copy is up to date with; `None` for a fresh clone.
    state: Option<(Version, Pose)>,
}

impl Relative {
    /// The copy for two geometries of which one is placed at least. Errors: neither can be cloned.
    pub(crate) fn new(a: &Object, b: &Object) -> Result<Self, DetectError> {
        let lighter = if weight(&*a.geometry) < weight(&*b.geometry) { Side::A } else { Side::B };
        let other = if lighter == Side::A { Side::B } else { Side::A };
        let clone_of = |side: Side| pick(side, a, b).geometry.try_clone().map(|copy| (side, copy));
        let (copied, copy) = clone_of(lighter)
            .or_else(|| clone_of(other))
            .ok_or_else(|| DetectError::NotPlaceable { kind: pick(lighter, a, b).geometry.kind() })?;
        Ok(Self { copied, copy, state: None })
    }

    /// The side that is copied: its own derived data is not used.
    pub(crate) fn copied(&self) -> Side {
        self.copied
    }

    /// Finds the contacts of `a` and `b` in the frame of the side that is not copied, and brings them to the world.
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
        let status = if self.copied == Side::A {
            self.update(&*source.geometry, motion, needs_a)?;
            bound.run(&*self.copy, &*still.geometry, context, out)?
        } else {
            self.update(&*source.geometry, motion, needs_b)?;
            bound.run(&*still.geometry, &*self.copy, context, out)?
        };
        out.transform(&frame);
        Ok(status)
    }

    fn update(&mut self, source: &dyn Geometry, motion: Pose, needs: Needs) -> Result<(), DetectError> {
        let state = Some((source.version(), motion));
        if self.state != state {
            if !self.copy.copy_moved(source, &motion) {
                let refused = || DetectError::NotPlaceable { kind: source.kind() };
                self.copy = source.try_clone().ok_or_else(refused)?;
                if !self.copy.copy_moved(source, &motion) {
                    return Err(refused());
                }
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

/// The cost of moving a copy: vertices, and one for every shape.
fn weight(geometry: &dyn Geometry) -> usize {
    match downcast::<Compound>(geometry) {
        Some(compound) => compound.children().map(|(_, child)| weight(child)).sum(),
        None => 1 + geometry.as_points().map_or(0, |points| points.len()),
    }
}
