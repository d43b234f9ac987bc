//! Runs workload W3: `w3 FOLDER [--json]`.

use palpate_benches::w3::{heading, json, measure_all};
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    command::run(&heading(), json, |folder, report| measure_all(command::wanted(folder)?, report))
}
