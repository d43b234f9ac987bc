//! Rows of workloads W2 and W4: an operation, its time beside parry's, and what both counted.

use cpu_time::ThreadTime;
use serde_json::{Value, json};

/// One operation on one input.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What was done.
    pub operation: &'static str,
    /// The size of the input, as in the names of its files.
    pub size: &'static str,
    /// palpate's milliseconds of CPU time for one item (a query, a frame); the median of the rounds.
    pub ms: f64,
    /// parry's.
    pub parry_ms: f64,
    /// What palpate found in all items.
    pub count: usize,
    /// What parry found.
    pub parry_count: usize,
}

impl Figure {
    /// Times both sides in turn, each over all `items`, which they return the count of.
    pub(crate) fn measured(
        (operation, size): (&'static str, &'static str),
        (rounds, items): (usize, usize),
        mut palpate: impl FnMut() -> usize,
        mut parry: impl FnMut() -> usize,
    ) -> Self {
        let (mut times, mut peer_times) = (Vec::new(), Vec::new());
        let (mut count, mut parry_count) = (0, 0);
        for _ in 0..rounds {
            let start = ThreadTime::now();
            count = palpate();
            times.push(start.elapsed().as_secs_f64());
            let start = ThreadTime::now();
            parry_count = parry();
            peer_times.push(start.elapsed().as_secs_f64());
        }
        let milliseconds = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(0.0) * 1e3 / items as f64
        };
        let (ms, parry_ms) = (milliseconds(&mut times), milliseconds(&mut peer_times));
        Self { operation, size, ms, parry_ms, count, parry_count }
    }

    /// The heading of the lines of figures.
    pub fn heading() -> String {
        format!(
            "{:<44} {:>5} {:>11} {:>11} {:>7} {:>9} {:>9}",
            "operation", "size", "ms", "parry ms", "faster", "count", "parry's"
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "operation": self.operation,
            "size": self.size,
            "ms": self.ms,
            "parry_ms": self.parry_ms,
            "count": self.count,
            "parry_count": self.parry_count,
        })
    }
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:<44} {:>5} {:>11.5} {:>11.5} {:>7.2} {:>9} {:>9}",
            self.operation,
            self.size,
            self.ms,
            self.parry_ms,
            self.parry_ms / self.ms,
            self.count,
            self.parry_count
        )
    }
}

/// The figures as a JSON list of objects.
pub fn json(figures: &[Figure]) -> String {
    Value::Array(figures.iter().map(Figure::to_json).collect()).to_string()
}

/// The little-endian numbers of a file. Errors: it cannot be read.
pub(crate) fn numbers(path: &std::path::Path) -> crate::Fallible<Vec<f64>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let chunks = bytes.as_chunks::<8>().0;
    Ok(chunks.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_counts_of_both_sides() {
        let figure = Figure::measured(("sum", "3"), (2, 3), || 6, || 7);
        let expected = ("sum", "3", 6, 7);
        assert_eq!((figure.operation, figure.size, figure.count, figure.parry_count), expected);
        assert!(json(&[figure]).contains("\"parry_count\":7"));
    }
}
