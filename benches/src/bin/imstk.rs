//! Times palpate on the inputs of published timings of iMSTK: `imstk [--json]`.

use palpate_benches::imstk::{Row, json, measure};
use palpate_benches::{Fallible, command};

fn main() -> Fallible<()> {
    command::run(&Row::heading(), json, |_, report| measure(report))
}
