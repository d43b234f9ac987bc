//! Runs workload W5: `w5 [FOLDER] [--json]`. Without a folder the pairs are generated.

use palpate_benches::w5::{Row, json, measure};
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    command::run(&Row::heading(), json, |folder, report| measure(folder, report))
}
