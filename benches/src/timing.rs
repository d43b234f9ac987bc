//! Medians of interleaved rounds.

use crate::{Case, Fallible, Workload};
use std::time::{Duration, Instant};

/// How many rounds a figure is the median of.
const ROUNDS: usize = 5;

/// How long one side's round lasts at least: long against the clock's grain, short against the machine's moods.
const ROUND: Duration = Duration::from_millis(20);

/// The measured row of a case.
#[derive(Clone, Debug)]
pub struct Timing {
    /// How many contacts one pass finds.
    pub contacts: usize,
    /// How many items one pass treats.
    pub items: usize,
    /// Nanoseconds per item: palpate.
    pub palpate: f64,
    /// parry's query, its nanoseconds per item, and the median of the rounds' ratios (palpate's time to parry's).
    pub peer: Option<PeerTiming>,
}

/// What parry needed for the same input.
#[derive(Clone, Debug)]
pub struct PeerTiming {
    /// Which query.
    pub query: &'static str,
    /// Nanoseconds per item.
    pub nanoseconds: f64,
    /// palpate's time divided by parry's: the median of the rounds, in each of which both were timed.
    pub ratio: f64,
}

/// Times a case. palpate and parry take turns, so that what else the machine does meets both. Errors: the case cannot be
/// made, a detector refuses.
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

/// The middle value; of an even number the upper one of the two. Zero when there is none.
fn median(values: &mut [f64]) -> f64 {
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
