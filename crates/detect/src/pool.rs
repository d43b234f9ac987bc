//! Runs chunks on several threads.

use crate::{Chunk, DetectError, Executor, Serial};
use palpate_bvh::Tasks;
use rayon::prelude::*;

/// A pool of rayon's threads.
#[derive(Debug)]
pub struct Pool {
    pool: rayon::ThreadPool,
}

impl Pool {
    /// Creates a pool of `threads` threads; 0 for one per core. Errors: the system cannot create the threads.
    pub fn new(threads: usize) -> Result<Self, DetectError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map(|pool| Self { pool })
            .map_err(|error| DetectError::Threads { threads, reason: error.to_string() })
    }
}

impl Pool {
    /// Runs `work` on a thread of the pool and returns its result. What it divides in turn starts without waiting for a
    /// thread from outside: worth it around a whole step.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }
}

/// The pool divides the trees of a geometry too, see [`Geometry::prepare_by`](palpate_geometry::Geometry::prepare_by).
impl Tasks for Pool {
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
        match tasks {
            [task] => task(),
            [first, second] => {
                self.pool.join(first, second);
            }
            tasks => self.pool.install(|| tasks.par_iter_mut().for_each(|task| task())),
        }
    }

    fn width(&self) -> usize {
        self.pool.current_num_threads()
    }
}

impl Executor for Pool {
    fn for_each(&self, chunks: &mut [Chunk], job: &(dyn Fn(usize, &mut Chunk) + Sync)) {
        // A single chunk is not worth dispatching.
        if chunks.len() < 2 {
            return Serial.for_each(chunks, job);
        }
        self.pool
            .install(|| chunks.par_iter_mut().enumerate().for_each(|(number, chunk)| job(number, chunk)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::tests::numbers;

    #[test]
    fn every_item_is_done_once_and_in_order_on_any_number_of_threads() {
        let pools = [1, 2, 3].map(|threads| Pool::new(threads).unwrap());
        for count in [0, 1, 7, 8, 100] {
            let wanted: Vec<u64> = (0..count as u64).collect();
            for pool in &pools {
                assert_eq!(numbers(pool, count), wanted);
            }
        }
    }

    #[test]
    fn every_task_is_run_once() {
        for pool in [1, 2, 3].map(|threads| Pool::new(threads).unwrap()) {
            for count in 0..5 {
                let mut runs = vec![0; count];
                let mut tasks: Vec<_> = runs.iter_mut().map(|runs| move || *runs += 1).collect();
                let mut list: Vec<&mut (dyn FnMut() + Send)> = Vec::new();
                for task in &mut tasks {
                    list.push(task);
                }
                pool.run(&mut list);
                assert!(runs.iter().all(|&runs| runs == 1), "{runs:?}");
            }
            assert_eq!(pool.install(|| pool.width()), pool.width());
        }
    }
}
