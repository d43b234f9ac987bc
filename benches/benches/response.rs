//! Constraint rows: time per row.

use divan::Bencher;
use divan::counter::ItemsCount;
use palpate_benches::{Case, cases};

fn main() {
    divan::main();
}

#[divan::bench(args = cases::response())]
fn palpate(bencher: Bencher<'_, '_>, case: &Case) {
    let mut workload = case.workload().expect("the case is made of valid input");
    let items = ItemsCount::new(workload.items);
    bencher.counter(items).bench_local(|| workload.ask().expect("the rows take the case's input"));
}
