//! Numbered tasks on threads of their own.

use crate::error::Outcome;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The number of threads for 0: one per core.
pub(crate) fn count(asked: usize) -> usize {
    if asked > 0 { asked } else { thread::available_parallelism().map_or(1, usize::from) }
}

/// Does the tasks 0 to `tasks` - 1 on `threads` threads (0: one per core), each with memory of its own from `start`. The results are
/// in the order of the tasks; of several errors the one of the lowest task is returned.
pub(crate) fn each<M, R: Send>(
    tasks: usize,
    threads: usize,
    start: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize) -> Outcome<R> + Sync,
) -> Outcome<Vec<R>> {
    let next = AtomicUsize::new(0);
    let run = || {
        let (mut memory, mut done) = (start(), Vec::new());
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                return done;
            }
            let result = work(&mut memory, task);
            let failed = result.is_err();
            done.push((task, result));
            if failed {
                // Higher tasks are not begun; lower ones are under way elsewhere.
                next.store(tasks, Ordering::Relaxed);
            }
        }
    };
    let threads = count(threads).min(tasks.max(1));
    let mut done = match threads {
        1 => run(),
        threads => thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
            let results = workers.into_iter().map(|worker| worker.join());
            results.flat_map(|result| result.unwrap_or_else(|cause| panic::resume_unwind(cause))).collect()
        }),
    };
    done.sort_unstable_by_key(|(task, _)| *task);
    done.into_iter().map(|(_, result)| result).collect()
}
