//! A core that counts its supports.

use std::cell::Cell;

use palpate_convex::{Core, Extreme, VectorSpace};

/// A shape without its closed forms, so that every query uses supports, and their number.
#[derive(Clone, Debug)]
pub struct Counting<S> {
    pub shape: S,
    supports: Cell<u32>,
}

impl<S> Counting<S> {
    pub fn new(shape: S) -> Self {
        Self { shape, supports: Cell::new(0) }
    }

    /// Returns the number of supports since the last call.
    pub fn taken(&self) -> u32 {
        self.supports.take()
    }
}

impl<V: VectorSpace, S: Core<V>> Core<V> for Counting<S> {
    const CURVED: bool = S::CURVED;

    fn support(&self, direction: V, near: u32) -> Extreme<V> {
        self.supports.set(self.supports.get() + 1);
        self.shape.support(direction, near)
    }

    fn vertex(&self, id: u32) -> Option<V> {
        self.shape.vertex(id)
    }

    fn bounding_radius(&self) -> f64 {
        self.shape.bounding_radius()
    }

    fn center(&self) -> V {
        self.shape.center()
    }

    fn radius(&self) -> f64 {
        self.shape.radius()
    }
}
