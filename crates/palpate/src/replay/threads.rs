//! The threads that a replay runs its detectors on.

#[cfg(feature = "rayon")]
use crate::detect::Pool;
use crate::detect::{DetectError, Executor};

/// An executor on `threads` threads; 0 for one per core. Errors: the threads cannot be created.
#[cfg(feature = "rayon")]
pub(super) fn executor(threads: usize) -> Result<Box<dyn Executor + Send>, DetectError> {
    Ok(Box::new(Pool::new(threads)?))
}

/// Without the feature `rayon` there is no pool of threads.
#[cfg(not(feature = "rayon"))]
pub(super) fn executor(threads: usize) -> Result<Box<dyn Executor + Send>, DetectError> {
    let reason = "palpate was built without the feature `rayon`: wanted 1 thread".to_owned();
    Err(DetectError::Threads { threads, reason })
}
