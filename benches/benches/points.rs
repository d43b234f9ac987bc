//! Points and rays against solids: time per vertex and per ray, beside parry.

use divan::Bencher;
use divan::counter::ItemsCount;
use palpate_benches::{Case, cases};

fn main() {
    divan::main();
}

fn all() -> Vec<Case> {
    [cases::points(), cases::rays()].concat()
}

#[divan::bench(args = all())]
fn palpate(bencher: Bencher<'_, '_>, case: &Case) {
    let mut workload = case.workload().expect("the case is made of valid input");
    let items = ItemsCount::new(workload.items);
    bencher.counter(items).bench_local(|| workload.ask().expect("the detector takes the case's input"));
}

#[divan::bench(args = all())]
fn parry(bencher: Bencher<'_, '_>, case: &Case) {
    let mut workload = case.workload().expect("the case is made of valid input");
    let items = ItemsCount::new(workload.items);
    if workload.peer().is_some() {
        bencher.counter(items).bench_local(|| workload.ask_peer());
    }
}
