//! Which cells of a long run are asked for, and how many cases of each, by environment variables; the cells are run on all
//! cores.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The value of an environment variable, unless it is empty.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// The space-separated words of an environment variable.
pub fn words(name: &str) -> Vec<String> {
    variable(name).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// Whether a name contains one of the words; without words, every name is asked for.
pub fn is_asked(words: &[String], name: &str) -> bool {
    words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
}

/// The number of cases of a cell: `PALPATE_CELL_CASES`, or the default.
pub fn cases_of_a_cell(default: usize) -> usize {
    variable("PALPATE_CELL_CASES").map_or(default, |count| count.parse().expect("a number of cases"))
}

/// The outcomes of all cells, in no order; each core takes the next cell.
pub fn on_all_cores<C: Sync, O: Send>(cells: &[C], run: impl Fn(&C) -> O + Sync) -> Vec<O> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(run(cell));
        }
        outcomes
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no run of a cell panics")).collect()
    })
}
