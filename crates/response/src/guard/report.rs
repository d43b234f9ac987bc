//! What a guard has done in a step.

use palpate_math::Vector;

/// What a guard can shorten the motion of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mover {
    /// A particle, by its index.
    Particle(usize),
    /// A rigid body or a tool, by the index of its pose.
    Body(usize),
}

/// A motion that was shortened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortened {
    /// Whose motion.
    pub mover: Mover,
    /// The pair that shortened it first: the number that [`Guard::add_pair`](super::Guard::add_pair) returned.
    pub pair: usize,
    /// Metres: how far the end of the motion is from the wanted one; for a body, of its origin.
    pub lost: f64,
    /// Radians: the angle between the wanted rotation and that of the end; 0 for a particle.
    pub lost_turn: f64,
}

/// A tool that did not get where the host moved it to: something that does not give way is between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contradiction {
    /// The index of the tool's pose.
    pub tool: usize,
    /// The number of the pair that holds the tool back most.
    pub pair: usize,
    /// Metres: how far the tool, where the host wants it, is nearer to the other side of the pair than allowed.
    pub missing: f64,
    /// Unit, world frame: moves the tool away from the other side.
    pub direction: Vector,
}

/// What a guard has done in a step. An empty report (`shortened` is empty) is the normal case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Every motion that was shortened: particles first, then bodies, by index.
    pub shortened: Vec<Shortened>,
    /// Every tool that was cut short, by index.
    pub contradictions: Vec<Contradiction>,
    /// The number of pairs of elements that could meet in the step, each of which is proved not to.
    pub near: usize,
    /// The number of pairs of elements that touch or cross at the start of the step: these are not guarded.
    pub crossing: usize,
    /// The number of passes over the pairs; 1 if nothing was shortened.
    pub rounds: usize,
    /// The number of pairs of elements that were put back to where they were at the start, since nothing else helped.
    pub frozen: usize,
}

impl Report {
    pub(super) fn clear(&mut self) {
        self.shortened.clear();
        self.contradictions.clear();
        (self.near, self.crossing, self.rounds, self.frozen) = (0, 0, 0, 0);
    }

    /// Whether no motion was shortened.
    pub fn is_empty(&self) -> bool {
        self.shortened.is_empty()
    }
}
