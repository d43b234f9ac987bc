//! Soaks the step and local queries from a second thread: `soak [SECONDS]`, 60 if not given.

#![allow(clippy::print_stdout, reason = "the command prints its figures")]

use palpate_benches::{Fallible, soak};

fn main() -> Fallible<()> {
    let seconds = std::env::args().nth(1).map_or(Ok(60.0), |given| given.parse())?;
    print!("{}", soak::run(seconds, |queries| allocation_counter::measure(queries).count_total)?);
    Ok(())
}
