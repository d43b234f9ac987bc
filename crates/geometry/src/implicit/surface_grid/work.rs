//! Parallel loop with progress reports and cancellation.

use crate::GeometryError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The progress of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of parts done.
    pub done: usize,
    /// The total number of parts.
    pub total: usize,
}

/// Work in several loops.
pub(super) struct Work<'a> {
    threads: usize,
    progress: Progress,
    report: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl<'a> Work<'a> {
    /// Creates work of `total` parts on a number of threads, 0 for one per core. `report` is called on the calling
    /// thread.
    pub(super) fn new(
        threads: usize,
        total: usize,
        report: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Self {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        Self { threads, progress: Progress { done: 0, total }, report }
    }

    /// Calls `job` once for every part of `size` values, with its number: each part is written by one thread, so that
    /// the number of threads does not affect the values. Every thread has its own scratch memory. Errors: the report
    /// requested to stop.
    pub(super) fn run<T: Send, M: Default>(
        &mut self,
        values: &mut [T],
        size: usize,
        job: impl Fn(usize, &mut [T], &mut M) + Sync,
    ) -> Result<(), GeometryError> {
        let parts = values.len().div_ceil(size);
        let parts_left = Mutex::new(values.chunks_mut(size).enumerate());
        let next = || parts_left.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take_turns = |after_each: &mut dyn FnMut() -> ControlFlow<()>| {
            let mut memory = M::default();
            while !stopped.load(Ordering::Relaxed)
                && let Some((number, part)) = next()
            {
                job(number, part, &mut memory);
                done.fetch_add(1, Ordering::Relaxed);
                if after_each().is_break() {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        let Progress { done: before, total } = self.progress;
        thread::scope(|scope| {
            let others = self.threads.min(parts).saturating_sub(1);
            // If the system provides no more threads, the existing ones do all the work.
            (0..others).all(|_| {
                let work = || take_turns(&mut || ControlFlow::Continue(()));
                thread::Builder::new().spawn_scoped(scope, work).is_ok()
            });
            take_turns(&mut || {
                let done = before + done.load(Ordering::Relaxed);
                (self.report)(Progress { done, total })
            });
        });
        self.progress.done += parts;
        if stopped.into_inner() { Err(GeometryError::Stopped) } else { Ok(()) }
    }

    /// Reports completion. Errors: the report requested to stop.
    pub(super) fn finish(self) -> Result<(), GeometryError> {
        let total = self.progress.total;
        match (self.report)(Progress { done: total, total }) {
            ControlFlow::Break(()) => Err(GeometryError::Stopped),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once_on_any_number_of_threads() {
        for threads in [0, 1, 2, 8, 300] {
            let mut seen = Vec::new();
            let mut report = |progress: Progress| {
                seen.push(progress.done);
                assert_eq!(progress.total, 26);
                ControlFlow::Continue(())
            };
            let mut work = Work::new(threads, 26, &mut report);
            let mut values = vec![0_usize; 100];
            for _ in 0..2 {
                let job = |number: usize, part: &mut [usize], parts: &mut usize| {
                    *parts += 1;
                    assert!(*parts <= 13 && part.len() == if number == 12 { 4 } else { 8 });
                    part.iter_mut().for_each(|value| *value += number + 1);
                };
                work.run(&mut values, 8, job).unwrap();
            }
            work.finish().unwrap();
            assert!(values.iter().enumerate().all(|(index, value)| *value == 2 * (index / 8 + 1)));
            assert!(seen.is_sorted() && seen.last() == Some(&26), "{seen:?}");
        }
    }

    #[test]
    fn stopping_leaves_the_rest_undone() {
        let mut report = |progress: Progress| {
            if progress.done >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut work = Work::new(1, 10, &mut report);
        let mut values = [0_u8; 10];
        let job = |_: usize, part: &mut [u8], (): &mut ()| part[0] = 1;
        assert_eq!(work.run(&mut values, 1, job), Err(GeometryError::Stopped));
        assert_eq!(values.iter().filter(|value| **value == 1).count(), 3);
        let mut never = |_| ControlFlow::Break(());
        assert_eq!(Work::new(1, 0, &mut never).finish(), Err(GeometryError::Stopped));
    }
}
