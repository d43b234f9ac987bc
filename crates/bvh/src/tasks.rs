//! Tasks that may run at the same time: on threads that the caller has.

use arrayvec::ArrayVec;

/// Runs tasks: one after the other, on a pool, or on the host's own threads. A tree uses no threads but by this.
pub trait Tasks: Sync {
    /// Runs each task once, in any order or at the same time; returns when all are done.
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]);

    /// Returns into how many tasks a long loop is divided: the number of threads. Affects the time, and no result.
    fn width(&self) -> usize;
}

/// One task after the other, on the calling thread, without the heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl Tasks for InTurn {
    fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
        tasks.iter_mut().for_each(|task| task());
    }

    fn width(&self) -> usize {
        1
    }
}

/// Maximum number of tasks of a loop.
pub(crate) const MOST: usize = 8;

/// Number of cells of a task for which another thread pays off: some ten microseconds.
pub(crate) const FEWEST_CELLS: usize = 4096;

/// The same of vertices, which cost less than a nanosecond each.
pub(crate) const FEWEST_VERTICES: usize = 4 * FEWEST_CELLS;

/// Returns into how many parts a loop is divided, eight at most: one, or as many as have `fewest` items each.
pub fn parts(tasks: &dyn Tasks, items: usize, fewest: usize) -> usize {
    tasks.width().min(items / fewest).clamp(1, MOST)
}

/// Returns where the parts of a loop begin, and where the last ends.
pub(crate) fn bounds_of_parts(
    tasks: &dyn Tasks,
    items: usize,
    fewest: usize,
) -> ArrayVec<usize, { MOST + 1 }> {
    let count = parts(tasks, items, fewest);
    (0..=count).map(|part| items * part / count).collect()
}

/// Runs the jobs as tasks, without the heap; a single one on the calling thread.
///
/// # Panics
/// With more than eight jobs.
pub fn run_all<J: Send>(tasks: &dyn Tasks, jobs: &mut [J], run: impl Fn(&mut J) + Sync) {
    if let [job] = jobs {
        return run(job);
    }
    let run = &run;
    let mut closures: ArrayVec<_, MOST> = jobs.iter_mut().map(|job| move || run(job)).collect();
    let mut list: ArrayVec<&mut (dyn FnMut() + Send), MOST> = ArrayVec::new();
    for closure in &mut closures {
        list.push(closure);
    }
    tasks.run(&mut list);
}

/// Fills places from items of the same number, in [`parts`].
pub(crate) fn fill<T: Sync, U: Send>(
    tasks: &dyn Tasks,
    fewest: usize,
    (mut from, mut to): (&[T], &mut [U]),
    map: impl Fn(&T) -> U + Sync,
) {
    let mut jobs: ArrayVec<(&[T], &mut [U]), MOST> = ArrayVec::new();
    let bounds = bounds_of_parts(tasks, to.len(), fewest);
    for part in bounds.windows(2) {
        let length = part[1] - part[0];
        let (items, places);
        (items, from) = from.split_at(length);
        (places, to) = to.split_at_mut(length);
        jobs.push((items, places));
    }
    run_all(tasks, &mut jobs, |(items, places)| {
        for (place, item) in places.iter_mut().zip(*items) {
            *place = map(item);
        }
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// So many threads, which run the last task first.
    pub(crate) struct LastFirst(pub(crate) usize);

    impl Tasks for LastFirst {
        fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
            assert!(tasks.len() <= self.0);
            tasks.iter_mut().rev().for_each(|task| task());
        }

        fn width(&self) -> usize {
            self.0
        }
    }

    /// Threads of the system.
    pub(crate) struct Threads(pub(crate) usize);

    impl Tasks for Threads {
        fn run(&self, tasks: &mut [&mut (dyn FnMut() + Send)]) {
            std::thread::scope(|scope| {
                for task in tasks {
                    scope.spawn(task);
                }
            });
        }

        fn width(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn every_item_is_filled_for_any_number_of_threads() {
        let fewest = 1000;
        for count in [0, 1, fewest, 3 * fewest - 1, 20 * fewest] {
            let from: Vec<usize> = (0..count).collect();
            let wanted: Vec<usize> = from.iter().map(|x| x * x).collect();
            for tasks in [&InTurn as &dyn Tasks, &LastFirst(2), &Threads(4), &LastFirst(64)] {
                let mut to = vec![0; count];
                fill(tasks, fewest, (&from, &mut to), |x| x * x);
                assert_eq!(to, wanted);
                let parts = bounds_of_parts(tasks, count, fewest);
                assert!(parts.len() - 1 <= tasks.width().min(MOST) && parts.last() == Some(&count));
            }
        }
    }
}
