//! Medians of interleaved rounds.

use crate::{Case, Fallible, Workload};
use std::time::{Duration, Instant};

/// Number of rounds whose median is a figure.
const ROUNDS: usize = 5;

/// Minimum duration of one side's round: long compared with the clock's resolution, short compared with load
/// changes.
const ROUND: Duration = Duration::from_millis(20);

/// Number of rounds of one pair, and the minimum duration of one.
const PAIR_ROUNDS: usize = 7;
const PAIR: Duration = Duration::from_micros(100);

/// The measured row of a case.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Number of contacts found in one pass.
    pub contacts: usize,
    /// Number of items processed in one pass.
    pub items: usize,
    /// palpate's nanoseconds per item.
    pub palpate: f64,
    /// parry's query, its nanoseconds per item, and the median of the rounds' ratios (palpate's time to parry's).
    pub peer: Option<PeerTiming>,
}

/// parry's time for the same input.
#[derive(Clone, Debug)]
pub struct PeerTiming {
    /// Which query.
    pub query: &'static str,
    /// Nanoseconds per item.
    pub nanoseconds: f64,
    /// palpate's time divided by parry's: the median over the rounds, in each of which both were timed.
    pub ratio: f64,
}

/// Times a case. palpate and parry alternate, so that other load on the machine affects both. Errors: the case
/// cannot be made, a detector refuses.
pub fn measure(case: &Case) -> Fallible<Timing> {
    let mut workload = case.workload()?;
    // Twice, so that buffers have settled.
    workload.ask()?;
    let contacts = workload.ask()?;
    let items = workload.items as f64;
    let passes = passes(|| workload.ask().map(drop))?;
    let query = workload.peer();
    let peer_passes = match query {
        Some(_) => passes_of_peer(&mut workload)?,
        None => 0,
    };
    let (mut times, mut peer_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let time = timed(passes, || workload.ask().map(drop))? / items;
        times.push(time);
        if query.is_some() {
            let peer_time = timed(peer_passes, || ask_peer(&mut workload))? / items;
            peer_times.push(peer_time);
            ratios.push(time / peer_time);
        }
    }
    let peer = query.map(|query| PeerTiming {
        query,
        nanoseconds: median(&mut peer_times),
        ratio: median(&mut ratios),
    });
    Ok(Timing { contacts, items: workload.items, palpate: median(&mut times), peer })
}

/// Times each pair of a case alone and returns the times in nanoseconds, ascending; nothing if the case is not a list of pairs. A
/// time is the least of some rounds. Errors: the case cannot be made, a detector refuses.
pub fn measure_pairs(case: &Case) -> Fallible<Vec<f64>> {
    let mut workload = case.workload()?;
    let mut times = Vec::new();
    for number in 0..workload.pair_count().unwrap_or(0) {
        let start = Instant::now();
        workload.ask_pair(number)?;
        let passes = (PAIR.as_nanos() / start.elapsed().as_nanos().max(1)).max(1) as usize;
        let mut least = f64::INFINITY;
        for _ in 0..PAIR_ROUNDS {
            least = least.min(timed(passes, || workload.ask_pair(number))?);
        }
        times.push(least);
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

fn ask_peer(workload: &mut Workload) -> Fallible<()> {
    std::hint::black_box(workload.ask_peer());
    Ok(())
}

fn passes_of_peer(workload: &mut Workload) -> Fallible<usize> {
    ask_peer(workload)?;
    passes(|| ask_peer(workload))
}

/// How many passes fill a round.
fn passes(mut pass: impl FnMut() -> Fallible<()>) -> Fallible<usize> {
    let mut passes = 1;
    loop {
        let start = Instant::now();
        for _ in 0..passes {
            pass()?;
        }
        if start.elapsed() >= ROUND {
            return Ok(passes);
        }
        passes *= 2;
    }
}

/// Nanoseconds per pass.
fn timed(passes: usize, mut pass: impl FnMut() -> Fallible<()>) -> Fallible<f64> {
    let start = Instant::now();
    for _ in 0..passes {
        pass()?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / passes as f64)
}

/// The median; for an even number the upper one of the middle two. Zero if there is none.
pub(crate) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_value() {
        assert_eq!(median(&mut [5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&mut [4.0, 1.0, 3.0, 2.0]), 3.0);
        assert_eq!(median(&mut []), 0.0);
    }
}
