//! A contact as three velocity constraints.

use super::body::Velocity;
use super::solver_row::SolverRow;
use crate::RowKey;
use crate::warm::Keyed;
use palpate_contact::{ContactKey, NONE};
use palpate_math::Vector;

/// What describes a row; what an iteration reads of it is in its [`SolverRow`]. The constraints are numbered: 0 the normal,
/// 1 and 2 the tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: RowKey,
    /// [`NONE`] for a side that is not dynamic.
    pub(super) bodies: [u32; 2],
    /// The direction and both tangents: the linear Jacobian of A; that of B is the negative.
    pub(super) along: [Vector; 3],
    /// From the centres of mass to the middle of both surface points; zero for a side that is not dynamic.
    pub(super) levers: [Vector; 2],
    /// The inverse masses, with the scale of the material.
    pub(super) inverse_masses: [f64; 2],
    /// 1 / (J M⁻¹ Jᵀ + softness); 0 if neither side moves.
    pub(super) masses: [f64; 3],
    /// Relative velocity of the prescribed motions along the constraints.
    pub(super) surface: [f64; 3],
    /// The velocity that the normal has to reach.
    pub(super) target: f64,
    pub(super) gap: f64,
    /// The impulses at the end of the step, once it is over.
    pub(super) last_impulses: [f64; 3],
    pub(super) is_known: bool,
}

impl Keyed for Row {
    #[inline]
    fn key(&self) -> &RowKey {
        &self.key
    }
}

impl Row {
    /// To be overwritten.
    pub(super) const BLANK: Self = {
        const ZERO: Vector = Vector::new(0.0, 0.0, 0.0);
        Self {
            key: RowKey { pair: 0, contact: ContactKey { id: 0, children: [NONE; 2] } },
            bodies: [NONE; 2],
            along: [ZERO; 3],
            levers: [ZERO; 2],
            inverse_masses: [0.0; 2],
            masses: [0.0; 3],
            surface: [0.0; 3],
            target: 0.0,
            gap: 0.0,
            last_impulses: [0.0; 3],
            is_known: false,
        }
    };

    /// The angular Jacobian of a constraint, for both sides.
    #[inline]
    pub(super) fn arms(&self, k: usize) -> [Vector; 2] {
        let [a, b] = &self.levers;
        [a.cross(&self.along[k]), self.along[k].cross(b)]
    }

    /// The rates of the three constraints, prescribed motions included.
    pub(super) fn rates(&self, [a, b]: &[Velocity; 2]) -> [f64; 3] {
        let between = a.at(&self.levers[0]) - b.at(&self.levers[1]);
        let rate = |k: usize| self.along[k].dot(&between) + self.surface[k];
        [rate(0), rate(1), rate(2)]
    }
}

/// A row, to be read.
#[derive(Clone, Copy, Debug)]
pub struct RowRef<'a> {
    pub(super) row: &'a Row,
    pub(super) solver: &'a SolverRow,
}

/// A row, to be solved.
#[derive(Debug)]
pub struct RowMut<'a> {
    pub(super) row: &'a Row,
    pub(super) solver: &'a mut SolverRow,
}

impl RowRef<'_> {
    /// What finds the row again in another step.
    pub fn key(&self) -> RowKey {
        self.row.key
    }

    /// The dynamic bodies of side A and side B.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        self.row.bodies.map(|body| (body != NONE).then_some(body as usize))
    }

    /// The unit direction that moves A out of B.
    pub fn direction(&self) -> Vector {
        self.row.along[0]
    }

    /// Two unit vectors that complete the direction to a right-handed frame. They follow those of the previous step.
    pub fn tangents(&self) -> [Vector; 2] {
        [self.row.along[1], self.row.along[2]]
    }

    /// The Jacobian of one constraint (0 the normal, 1 and 2 the tangents), per side: linear and angular part. Panics if
    /// there is no such constraint.
    pub fn jacobian(&self, constraint: usize) -> [[Vector; 2]; 2] {
        let linear = self.row.along[constraint];
        let [a, b] = self.row.arms(constraint);
        [[linear, a], [-linear, b]]
    }

    /// The effective masses in kilograms; 0 if neither side moves.
    pub fn effective_masses(&self) -> [f64; 3] {
        self.row.masses
    }

    /// The gap in metres when the contact was found, less the thickness.
    pub fn gap(&self) -> f64 {
        self.row.gap
    }

    /// The velocity in metres per second that the normal constraint has to reach: negative while there is a gap, which may
    /// close within the step; the bias if it is penetrated and not stabilised by split impulses; the rebound.
    pub fn target(&self) -> f64 {
        self.row.target
    }

    /// The rates of the three constraints in metres per second, prescribed motions included.
    pub fn rates(&self, velocities: &[Velocity]) -> [f64; 3] {
        {
            let side = |body: u32| if body == NONE { Velocity::default() } else { velocities[body as usize] };
            self.row.rates(&self.row.bodies.map(side))
        }
    }

    /// The accumulated impulses, newton seconds: 0 or more along the normal.
    pub fn impulses(&self) -> [f64; 3] {
        self.solver.impulses
    }

    /// The total impulse on side A, newton seconds, world frame.
    pub fn impulse(&self) -> Vector {
        let (along, impulses) = (&self.row.along, self.solver.impulses);
        along[0] * impulses[0] + along[1] * impulses[1] + along[2] * impulses[2]
    }

    /// The bounds of the three impulses, with those of friction by the present normal impulse (the sides of the pyramid).
    pub fn bounds(&self) -> [[f64; 2]; 3] {
        let most = self.solver.friction[0] * self.solver.impulses[0];
        [[0.0, f64::INFINITY], [-most, most], [-most, most]]
    }

    /// Whether the previous step had a row with this key.
    pub fn is_known(&self) -> bool {
        self.row.is_known
    }
}

impl RowMut<'_> {
    /// The row, to be read.
    pub fn as_ref(&self) -> RowRef<'_> {
        RowRef { row: self.row, solver: self.solver }
    }

    /// One step of projected Gauss–Seidel: friction within the bound of the present normal impulse, then the normal.
    #[inline]
    pub fn solve(self, velocities: &mut [Velocity]) {
        self.solver.solve(velocities);
    }

    /// One step of projected Gauss–Seidel on the split impulses: `velocities` are pseudo-velocities that begin at 0 in
    /// every step, move the poses once, and are then forgotten.
    pub fn solve_push(self, velocities: &mut [Velocity]) {
        self.solver.solve_push(velocities);
    }
}
