"""Measures every row of `palpate-benches --bin table` and writes the figures into the tables of docs/benchmark-tables.md.

    python3 benches/tables.py [FILE.json]      # the output of `table --json` where it was measured before

A row of the page is found by its first two columns. A row that is measured and stands in no table, or stands in one and is not measured, is an error.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmark-tables.md"
COMMAND = ["cargo", "run", "--quiet", "--release", "--locked", "-p", "palpate-benches", "--bin", "table", "--", "--json"]


def number(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def cells(row, width):
    peer = row["parry_ns"] is not None
    columns = [f"{row['name']} · {row['input']}" if row["input"] else row["name"], f"{row['size']:,}", f"{row['contacts']:,}",
               number(row["pass_us"]), number(row["palpate_ns"]),
               "" if row["growth"] is None else f"{row['growth']:.2f}",
               number(row["parry_ns"]) if peer else "", number(row["ratio"]) if peer else ""]
    return "| " + " | ".join(columns[:width]) + " |"


def main():
    text = Path(sys.argv[1]).read_text(encoding="utf-8") if len(sys.argv) > 1 else subprocess.run(
        COMMAND, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = {}
    for row in json.loads(text):
        rows[(f"{row['name']} · {row['input']}" if row["input"] else row["name"], f"{row['size']:,}")] = row
    lines, width, missing = PAGE.read_text(encoding="utf-8").splitlines(), 0, []
    for index, line in enumerate(lines):
        if line.startswith("| what | size | contacts |"):
            width = line.count("|") - 1
        elif not line.startswith("|"):
            width = 0
        elif width and not line.startswith("|--"):
            key = tuple(part.strip() for part in re.split(r"(?<!\\)\|", line)[1:3])
            if key in rows:
                lines[index] = cells(rows.pop(key), width)
            else:
                missing.append(f"not measured: {' of size '.join(key)}")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    missing += [f"in no table: {' of size '.join(key)}" for key in rows]
    if missing:
        raise SystemExit("\n".join(missing))


if __name__ == "__main__":
    main()
