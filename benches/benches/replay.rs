//! The recording of the demo, replayed: time per frame.

use divan::Bencher;
use divan::counter::ItemsCount;
use palpate_benches::{Case, cases};

fn main() {
    divan::main();
}

fn all() -> Vec<Case> {
    cases::replays()
}

#[divan::bench(args = all())]
fn palpate(bencher: Bencher<'_, '_>, case: &Case) {
    let mut workload = case.workload().expect("the case is made of valid input");
    let items = ItemsCount::new(workload.items);
    bencher.counter(items).bench_local(|| workload.ask().expect("the detector takes the case's input"));
}
