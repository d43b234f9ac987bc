//! Rows as the caller sees them.

use super::body::{Positions, RigidBody, State, Velocities};
use super::row::{Entry, Lists, Parts, Row};
use super::rows::Rows;
use crate::{Material, RowKey};
use palpate_math::{Point, Vector};

/// A row, to be read.
#[derive(Clone, Copy, Debug)]
pub struct RowRef<'a> {
    pub(super) row: &'a Row,
    pub(super) parts: Parts<'a>,
}

/// A row, to be solved.
#[derive(Debug)]
pub struct RowMut<'a> {
    pub(super) row: &'a mut Row,
    pub(super) parts: Parts<'a>,
}

impl<'a> RowRef<'a> {
    /// What finds the row again in another step.
    pub fn key(&self) -> RowKey {
        self.row.key
    }

    /// The unit direction along which the gap grows when side A moves.
    pub fn direction(&self) -> Vector {
        self.row.direction
    }

    /// Two unit vectors that complete the direction to a right-handed frame. They follow those of the previous step.
    pub fn tangents(&self) -> [Vector; 2] {
        self.row.tangents
    }

    /// The material of the pair.
    pub fn material(&self) -> &'a Material {
        &self.parts.terms.material
    }

    /// The particles of both sides, each once: up to eight without a [mapping](super::Mapping).
    pub fn entries(&self) -> &'a [Entry] {
        self.parts.entries
    }

    /// The particles with the gradient of the gap.
    pub fn gradients(&self) -> impl ExactSizeIterator<Item = (usize, Vector)> + use<'a> {
        let direction = self.row.direction;
        self.parts.entries.iter().map(move |entry| (entry.particle as usize, direction * entry.weight))
    }

    /// The rigid bodies with the gradient of the gap: with respect to the centre of mass, and to a rotation about it (lever
    /// arm × direction), with the body at its pose in `bodies`.
    pub fn body_gradients(
        &self,
        bodies: &'a [RigidBody],
    ) -> impl Iterator<Item = (usize, [Vector; 2])> + use<'a> {
        self.parts.body_gradients(self.row.direction, bodies)
    }

    /// The gap in metres at other positions.
    pub fn gap<'p>(&self, positions: impl Into<Positions<'p>>) -> f64 {
        self.row.gap(&self.parts, &positions.into())
    }

    /// The displacement of A relative to B since `previous` along both tangents, metres.
    pub fn slip<'p>(&self, positions: impl Into<Positions<'p>>, previous: &[Point]) -> [f64; 2] {
        self.row.slip(&self.parts, &positions.into(), previous)
    }

    /// The velocity of A relative to B at the contact, prescribed motions included; metres per second.
    pub fn velocity(&self, velocities: &Velocities<'_>, bodies: &[RigidBody]) -> Vector {
        self.row.velocity(&self.parts, velocities, bodies)
    }

    /// The rigid bodies with their lever arms from the centre of mass to the contact, and 1 on side A or -1 on side B.
    pub fn levers(&self, bodies: &'a [RigidBody]) -> impl Iterator<Item = (usize, Vector, f64)> + use<'a> {
        self.parts.levers(bodies)
    }

    /// The multipliers along the direction (0 or more) and both tangents, in kilogram metres: divided by the step, the
    /// impulse on side A; by its square, the force.
    pub fn multipliers(&self) -> [f64; 3] {
        self.row.multipliers
    }

    /// The total positional impulse on side A, kilogram metres.
    pub fn impulse(&self) -> Vector {
        self.row.impulse()
    }

    /// The inverse mass of the row along its direction, one per kilogram: `∇C M⁻¹ ∇Cᵀ`.
    pub fn inverse_mass(&self, inverse_masses: &[f64], bodies: &[RigidBody]) -> f64 {
        self.row.inverse_mass(&self.parts, inverse_masses, bodies, &self.row.direction)
    }

    /// The speed of approach at the first projection of the step; NaN before it. Metres per second.
    pub fn approach_speed(&self) -> f64 {
        self.row.approach
    }

    /// Whether the previous step had a row with this key.
    pub fn is_known(&self) -> bool {
        self.row.is_known
    }

    /// Whether the last [re-projection](Rows::reproject) found the witness points outside their elements: the row is then
    /// that of the line or plane through the element, and contacts should be found again.
    pub fn is_beyond(&self) -> bool {
        self.row.is_beyond
    }
}

impl RowMut<'_> {
    /// The row, to be read.
    pub fn as_ref(&self) -> RowRef<'_> {
        RowRef { row: self.row, parts: self.parts }
    }

    /// Projects the gap and friction once: particles only. `previous` are the positions at the start of the step.
    #[inline]
    pub fn project(self, particles: &mut [Point], previous: &[Point], inverse_masses: &[f64]) {
        self.project_in(&mut State { particles, previous, inverse_masses, bodies: &mut [] });
    }

    /// Projects the gap and friction once, with rigid bodies. The gap's multiplier stays 0 or more: over all projections
    /// of a step the row pushes or does nothing. A side that cannot move is not moved; a row of two such sides does nothing.
    #[inline]
    pub fn project_in(self, state: &mut State<'_>) {
        self.row.project(&self.parts, state);
    }

    /// [Rolling friction](Material::rolling_friction), once after the last iteration: takes from the rotation of the step what rolls, by
    /// no more than the coefficient times the gap's multiplier allows. A contact point of XPBD turns with its body within the step,
    /// which pushes a rolling body on as if the coefficient were less by its speed times the step: choose it above that.
    pub fn resist_rolling(self, state: &mut State<'_>) {
        self.row.resist_rolling(&self.parts, state.bodies);
    }

    /// Restitution by positions, once after the last iteration: before velocities are taken from the displacements.
    pub fn rebound(self, state: &mut State<'_>) {
        self.row.rebound(&self.parts, state);
    }

    /// Restitution by velocities, once after velocities were taken from the displacements. A row that pushed in this step
    /// leaves with the speed of its rebound; speed left by the correction of an old penetration is taken out.
    pub fn rebound_velocities(
        self,
        velocities: &mut Velocities<'_>,
        inverse_masses: &[f64],
        bodies: &[RigidBody],
    ) {
        self.row.rebound_velocities(&self.parts, velocities, inverse_masses, bodies);
    }
}

impl Rows {
    /// Iterates over the rows, in the order of the pairs and of their contacts.
    pub fn iter(&self) -> Iter<'_> {
        self.into_iter()
    }

    /// Iterates over the rows, to solve them.
    pub fn iter_mut(&mut self) -> IterMut<'_> {
        self.into_iter()
    }

    /// A row by its number.
    pub fn get(&self, index: usize) -> Option<RowRef<'_>> {
        let lists = self.lists();
        self.rows.get(index).map(|row| RowRef { row, parts: lists.of(row) })
    }

    /// A row by its number, to solve it.
    pub fn get_mut(&mut self, index: usize) -> Option<RowMut<'_>> {
        let lists = Lists { entries: &self.entries, anchors: &self.anchors, terms: &self.terms };
        self.rows.get_mut(index).map(|row| {
            let parts = lists.of(row);
            RowMut { row, parts }
        })
    }

    fn lists(&self) -> Lists<'_> {
        Lists { entries: &self.entries, anchors: &self.anchors, terms: &self.terms }
    }
}

/// Iterates over rows to be read.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    rows: std::slice::Iter<'a, Row>,
    lists: Lists<'a>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = RowRef<'a>;

    fn next(&mut self) -> Option<RowRef<'a>> {
        self.rows.next().map(|row| RowRef { row, parts: self.lists.of(row) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}

/// Iterates over rows to be solved.
#[derive(Debug)]
pub struct IterMut<'a> {
    rows: std::slice::IterMut<'a, Row>,
    lists: Lists<'a>,
}

impl<'a> Iterator for IterMut<'a> {
    type Item = RowMut<'a>;

    #[inline]
    fn next(&mut self) -> Option<RowMut<'a>> {
        self.rows.next().map(|row| {
            let parts = self.lists.of(row);
            RowMut { row, parts }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }
}

impl ExactSizeIterator for IterMut<'_> {}

impl<'a> IntoIterator for &'a Rows {
    type Item = RowRef<'a>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        Iter { rows: self.rows.iter(), lists: self.lists() }
    }
}

impl<'a> IntoIterator for &'a mut Rows {
    type Item = RowMut<'a>;
    type IntoIter = IterMut<'a>;

    fn into_iter(self) -> IterMut<'a> {
        let lists = Lists { entries: &self.entries, anchors: &self.anchors, terms: &self.terms };
        IterMut { rows: self.rows.iter_mut(), lists }
    }
}
