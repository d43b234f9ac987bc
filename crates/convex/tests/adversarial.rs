//! Random and adversarial pairs: kissing, coplanar, needle-thin, flat, collinear, duplicate points, concentric, far
//! from the origin, at every scale. Every result must be finite and agree with independently computed supports.
//!
//! The suite runs some thousands of pairs;
//! `PALPATE_PAIRS=10000000 cargo test --release -p palpate-convex --test adversarial -- --ignored` runs more, with
//! `PALPATE_SEED` others.

#[allow(clippy::unwrap_used, unreachable_pub)]
mod any;
#[allow(clippy::print_stdout, unreachable_pub)]
mod oracle;
#[allow(clippy::unwrap_used, clippy::should_implement_trait, unreachable_pub)]
mod pairs;

use oracle::{Tally, check};
use pairs::Pairs;

fn run(seed: u64, count: u64) -> Tally {
    let mut pairs = Pairs::new(seed);
    let mut tally = Tally::default();
    for number in 0..count {
        let pair = pairs.next();
        if let Err(fault) = check(&pair, &mut tally, &mut pairs.random) {
            panic!("seed {seed}, pair {number}: {fault}\n{pair:?}");
        }
    }
    tally
}

fn assert_means_something(tally: &Tally) {
    let total = tally.pairs as f64;
    assert!(tally.overlapping as f64 > 0.2 * total, "{tally:?}");
    assert!(tally.apart as f64 > 0.2 * total, "{tally:?}");
    assert!(tally.touching as f64 > 0.005 * total, "{tally:?}");
    assert!(tally.curved as f64 > 0.2 * total, "{tally:?}");
    assert!(tally.loose as f64 <= 2e-3 * total, "{tally:?}");
}

#[test]
fn thousands_of_pairs_hold() {
    assert_means_something(&run(1, 20_000));
}

#[test]
#[ignore = "takes minutes; PALPATE_PAIRS sets the number of pairs"]
fn as_many_pairs_as_wanted_hold() {
    let number =
        |name, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let tally = run(number("PALPATE_SEED", 2), number("PALPATE_PAIRS", 1_000_000));
    println!("{tally:?}");
    assert_means_something(&tally);
}
