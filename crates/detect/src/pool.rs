//! Runs chunks on several threads.

use crate::{Chunk, DetectError, Executor, Serial};
use palpate_bvh::Tasks;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long threads stay awake by default. Waking one takes up to a tenth of this.
const AWAKE: Duration = Duration::from_micros(500);

/// Number of unsuccessful searches for work between two looks at the clock.
const SEARCHES: u32 = 32;

/// Pauses a thread between two searches for work: a few hundred nanoseconds, in which it leaves a core that two threads share
/// to the other.
fn pause() {
    for _ in 0..8 {
        std::hint::spin_loop();
    }
}

/// A pool of rayon's threads.
///
/// Its threads stay awake for half a millisecond after the last work, so that those of a step, which come in quick
/// succession, do not wait for a sleeping thread every time: waking takes as long as refitting a tree of some ten thousand
/// triangles. Awake threads without work give way to other threads of the system.
#[derive(Debug)]
pub struct Pool {
    pool: rayon::ThreadPool,
    watch: Arc<Watch>,
    awake: Duration,
}

/// What awake threads watch.
#[derive(Debug, Default)]
struct Watch {
    /// Counts the work that was given to the pool.
    given: AtomicU64,
    threads: Vec<Thread>,
}

#[derive(Debug, Default)]
struct Thread {
    /// Whether it was asked to stay awake, and has not gone to sleep since.
    is_asked: AtomicBool,
    /// Whether it stays awake for work of others. What it does meanwhile may be a whole step, in whose calls the others help.
    is_awake: AtomicBool,
    /// How many calls it waits in: it must return from these as soon as they are done.
    calls: AtomicU32,
}

/// A call that a thread waits in, until it is dropped.
struct Call<'a>(&'a Thread);

impl<'a> Call<'a> {
    fn begin(thread: &'a Thread) -> Self {
        thread.calls.fetch_add(1, Ordering::Relaxed);
        Self(thread)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    /// Creates a pool of `threads` threads; 0 for one per core. Errors: the system cannot create the threads.
    pub fn new(threads: usize) -> Result<Self, DetectError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| DetectError::Threads { threads, reason: error.to_string() })?;
        let threads = (0..pool.current_num_threads()).map(|_| Thread::default()).collect();
        Ok(Self { pool, watch: Arc::new(Watch { threads, ..Watch::default() }), awake: AWAKE })
    }

    /// Sets how long threads stay awake after the last work; zero to let them sleep at once, half a millisecond by default.
    #[must_use]
    pub fn awake_for(self, awake: Duration) -> Self {
        Self { awake, ..self }
    }

    /// Runs `work` on a thread of the pool and returns its result. What it divides in turn starts without waiting for a
    /// thread from outside: worth it around a whole step.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.pool.install(work)
    }

    /// Runs two jobs, the first on the calling thread of the pool. That does not fall asleep before the second is done: waking
    /// it would take longer than the jobs of a step differ.
    fn join(&self, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
        let caller = self.pool.current_thread_index();
        let _call = caller.map(|index| Call::begin(&self.watch.threads[index]));
        let is_done = AtomicBool::new(self.awake.is_zero());
        self.pool.join(
            || {
                first();
                while !is_done.load(Ordering::Acquire) {
                    // The second job too, if no other thread has taken it.
                    rayon::yield_now();
                    pause();
                }
            },
            || {
                let _done = SetOnDrop(&is_done);
                second();
            },
        );
    }

    /// Runs a job for each item, given its number, on all threads.
    fn for_each_item<T: Send>(&self, items: &mut [T], job: &(impl Fn(usize, &mut T) + Sync)) {
        self.keep_awake();
        self.pool.install(|| self.in_halves(0, items, job));
    }

    /// Runs a job for each item, given its number, on a thread of the pool; the numbers begin with `first`.
    fn in_halves<T: Send>(&self, first: usize, items: &mut [T], job: &(impl Fn(usize, &mut T) + Sync)) {
        match items {
            [] => {}
            [item] => job(first, item),
            items => {
                let middle = items.len() / 2;
                let (before, after) = items.split_at_mut(middle);
                self.join(
                    || self.in_halves(first, before, job),
                    || self.in_halves(first + middle, after, job),
                );
            }
        }
    }

    /// Asks all threads but the calling one to stay awake. Touches the heap only if one of them has gone to sleep.
    fn keep_awake(&self) {
        if self.awake.is_zero() || self.watch.threads.len() < 2 {
            return;
        }
        let caller = self.pool.current_thread_index();
        self.watch.given.fetch_add(1, Ordering::Relaxed);
        if self.watch.ask_all_but(caller) {
            let (watch, limit) = (Arc::clone(&self.watch), self.awake);
            self.pool.spawn_broadcast(move |thread| watch.stay_awake(thread.index(), limit));
        }
    }
}

/// Sets a flag when it is dropped, so that those who wait for it also go on after a panic.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

impl Watch {
    /// Marks all threads as asked but the caller and those that wait in a call, which do not sleep; returns whether one of
    /// them was not.
    fn ask_all_but(&self, caller: Option<usize>) -> bool {
        let others = self.threads.iter().enumerate().filter(|&(index, _)| Some(index) != caller);
        let idle = others.filter(|(_, thread)| thread.calls.load(Ordering::Relaxed) == 0);
        idle.fold(false, |is_new, (_, thread)| {
            // Read often, and written rarely.
            let was_asked = thread.is_asked.load(Ordering::Relaxed);
            is_new | (!was_asked && !thread.is_asked.swap(true, Ordering::Relaxed))
        })
    }

    /// Does the work of the pool until there has been none for so long.
    fn stay_awake(&self, index: usize, limit: Duration) {
        let thread = &self.threads[index];
        // Work that an awake thread does may ask it again.
        if thread.is_awake.load(Ordering::Relaxed) {
            return;
        }
        if thread.calls.load(Ordering::Relaxed) > 0 {
            thread.is_asked.store(false, Ordering::Relaxed);
            return;
        }
        thread.is_awake.store(true, Ordering::Relaxed);
        let (mut given, mut since, mut searches) = (0, Instant::now(), 0_u32);
        loop {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                (since, searches) = (Instant::now(), 0);
                continue;
            }
            pause();
            searches += 1;
            if !searches.is_multiple_of(SEARCHES) {
                continue;
            }
            let now = self.given.load(Ordering::Relaxed);
            if now != given {
                (given, since) = (now, Instant::now());
            } else if since.elapsed() > limit {
                break;
            }
            std::thread::yield_now();
        }
        thread.is_awake.store(false, Ordering::Relaxed);
        thread.is_asked.store(false, Ordering::Relaxed);
    }
}

/// The pool divides the trees of a geometry too, see [`Geometry::prepare_by`](palpate_geometry::Geometry::prepare_by).
impl Tasks for Pool {
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
        match tasks {
            [] => {}
            [task] => task(),
            tasks => self.for_each_item(tasks, &|_, task| task()),
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
        self.for_each_item(chunks, &job);
    }

    fn tasks(&self) -> &dyn Tasks {
        self
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

    /// An awake thread may run the whole step from outside: then the other one must stay awake for it.
    #[test]
    fn the_other_thread_is_awake_whichever_runs_the_step() {
        let pool = Pool::new(2).unwrap().awake_for(Duration::from_millis(50));
        let pair = || pool.run(&mut [&mut || {}, &mut || {}]);
        for round in 0..40 {
            if round % 8 == 0 {
                // All go to sleep.
                std::thread::sleep(Duration::from_millis(120));
            }
            pool.install(|| {
                let caller = pool.pool.current_thread_index().unwrap();
                let start = Instant::now();
                while !pool.watch.threads[1 - caller].is_awake.load(Ordering::Relaxed) {
                    assert!(
                        start.elapsed() < Duration::from_secs(60),
                        "round {round}: thread {caller} waits"
                    );
                    pair();
                }
            });
        }
    }

    #[test]
    fn a_panic_of_either_job_ends_the_call() {
        let pool = Pool::new(2).unwrap();
        for panics in [0, 1] {
            let job = |number: usize| move || assert!(number != panics, "as wanted");
            let (mut first, mut second) = (job(0), job(1));
            let run = || pool.run(&mut [&mut first, &mut second]);
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        }
        assert_eq!(numbers(&pool, 9), (0..9).collect::<Vec<_>>());
    }

    /// Runs two tasks a hundred times; each call returns though the threads stay awake for an hour.
    #[test]
    fn awake_threads_hold_up_no_call() {
        let hour = Duration::from_secs(3600);
        for awake in [Duration::ZERO, Duration::from_micros(50), Duration::from_millis(300)] {
            for threads in [2, 3] {
                let pool = Pool::new(threads).unwrap().awake_for(awake);
                let sum = AtomicU64::new(0);
                let pairs = || {
                    for _ in 0..100 {
                        let add = || {
                            sum.fetch_add(1, Ordering::Relaxed);
                        };
                        pool.run(&mut [&mut { add }, &mut { add }]);
                    }
                };
                let start = Instant::now();
                pool.install(pairs);
                pairs();
                // From several threads at once, of the pool and others.
                std::thread::scope(|scope| {
                    scope.spawn(pairs);
                    scope.spawn(|| pool.install(|| pool.run(&mut [&mut { pairs }, &mut { pairs }])));
                });
                assert_eq!(sum.into_inner(), 2 * 100 * 5);
                assert!(start.elapsed() < hour);
            }
        }
    }
}
