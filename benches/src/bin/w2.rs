//! Runs workload W2: `w2 FOLDER [--json] [--threads N]`. With `--threads`, palpate on one thread and on so many, without the peer.

use palpate_benches::figures::{Figure, json};
use palpate_benches::w2::{Scaling, measure, measure_threads};
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    match command::threads()? {
        None => {
            command::run(&Figure::heading(), json, |folder, report| measure(command::wanted(folder)?, report))
        }
        Some(threads) => command::run(&Scaling::heading(), Scaling::json, |folder, report| {
            measure_threads(command::wanted(folder)?, threads, report)
        }),
    }
}
