//! A pair of the broad phase.

/// A pair as the broad phase sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) margin: f64,
}
