//! Prints quantiles over the pairs of each row of the table: `pairs [--json] [PART-OF-A-ROW'S-NAME]`.

use palpate_benches::{Fallible, cases, command, measure_pairs};
use serde_json::{Value, json};
use std::io::Write;

/// Which quantiles.
const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

fn main() -> Fallible<()> {
    let (json, wanted) = command::rows();
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    if !json {
        writeln!(out, "{:60} {:>9} {:>9} {:>9} {:>9}", "microseconds a pair", "p50", "p90", "p99", "max")?;
    }
    for case in cases::all().into_iter().filter(|case| case.to_string().contains(&wanted)) {
        let times = measure_pairs(&case)?;
        let Some(last) = times.len().checked_sub(1).filter(|last| *last > 0) else { continue };
        let [half, tenth, hundredth] = QUANTILES.map(|part| times[(part * last as f64) as usize] * 1e-3);
        let most = times[last] * 1e-3;
        let name = format!("{} · {}", case.name, case.input);
        if !json {
            writeln!(out, "{name:60} {half:9.2} {tenth:9.2} {hundredth:9.2} {most:9.2}")?;
        }
        rows.push(
            json!({ "row": name, "p50_us": half, "p90_us": tenth, "p99_us": hundredth, "max_us": most }),
        );
    }
    if json {
        writeln!(out, "{}", Value::Array(rows))?;
    }
    Ok(())
}
