"""Measures palpate beside its rivals, and writes the table at the head of docs/benchmarks.md.

    python3 benches/rivals.py                # all rows, into the page
    python3 benches/rivals.py tray-rest      # one row, printed

Every row is one command, given in the table: both sides get the same input in the same run, in turns. Rows of Python need the wheel of palpate and the
rivals' own (`pip install coal rapier3d libigl`); one that is not installed is left as the page has it. What else runs on the machine affects both sides
alike: trust the ratios. PALPATE_BENCH_FOLDER names a folder of programs that are built already, as target/release.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
START, END = "<!-- rivals -->", "<!-- end of rivals -->"
BUILT = os.environ.get("PALPATE_BENCH_FOLDER")


def cargo(kind, name, *words):
    return ["cargo", "run", "--release", "-p", "palpate-benches", f"--{kind}", name, "--", *words]


def table(words):
    return cargo("bin", "table", "--json", words)


def program(command):
    """The command, or the program that it would build."""
    if BUILT is None or command[0] != "cargo":
        return command
    kind, name = command[5:7]
    return [os.path.join(BUILT, *(["examples"] if kind == "--example" else []), name), *command[8:]]


MANY = [sys.executable, "benches/python/many.py"]

OUTPUTS = {}


def output(command):
    """What a command prints; each runs once."""
    key = tuple(command)
    if key not in OUTPUTS:
        OUTPUTS[key] = subprocess.run(program(command), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return OUTPUTS[key]


def of_table(words, name, source, size, of):
    """Microseconds of a row of the table for each of so many."""
    for row in json.loads(output(table(words))):
        if (row["name"], row["input"], row["size"]) == (name, source, size):
            return tuple(row[side] * row["items"] / of / 1e3 for side in ("palpate_ns", "parry_ns"))
    raise SystemExit(f"the table has no row {name} · {source} of size {size}")


def of_text(command, *patterns):
    """The numbers that two patterns find in what a command prints."""
    text = output(command)
    found = [re.search(pattern, text, re.MULTILINE) for pattern in patterns]
    for pattern, match in zip(patterns, found):
        if match is None:
            raise SystemExit(f"{' '.join(command)}: nothing matches {pattern}")
    return tuple(float(match[1]) for match in found)


def rest(floor, when):
    row = rf"^{floor} +{when} +{{}} +([0-9.]+)"
    return of_text(cargo("example", "rapier", "rest"), row.format("palpate, detection"), row.format("rapier, whole step"))


def thread(column):
    row = r"^\| 2 m/s \| {} \|" + r"[^|]*\|" * column + r" *([0-9.]+)"
    return of_text(cargo("example", "thread"), row.format("palpate"), row.format("rapier"))


SCENES, HEAPS = cargo("example", "rapier", "scenes", "--json"), cargo("example", "rapier", "heaps", "--json")


def scenes():
    """Milliseconds a step, the mean of all scenes."""
    rows = json.loads(output(SCENES))
    return tuple(sum(1e3 / row[side]["steps/s"] for row in rows) / len(rows) for side in ("palpate", "rapier"))


def heap(name):
    """Microseconds of the narrow phase for a pair near each other."""
    rows = {row["narrow phase"]: row for row in json.loads(output(HEAPS)) if row["heap"] == name}
    return tuple(rows[side]["ns a pair"] / 1e3 for side in ("palpate", "rapier"))


def soft(name):
    row = next(row for row in json.loads(output(cargo("example", "soft", "20000", "--json"))) if row["name"] == name)
    return row["palpate"]["ms"], row["rapier"]["ms"]


def manifolds():
    row = next(row for row in json.loads(output(cargo("bin", "w5", "--json"))) if row["kind"] == "hulls")
    return row["palpate_ns"] / 1e3, row["parry_ns"] / 1e3


def many(name, rival):
    block = rf"^{name}.*\n(?:    .*\n)*?    {{}}: ([0-9.]+)"
    return of_text(MANY, block.format("palpate"), block.format(rival))


PARRY, RAPIER = "parry3d-f64", "rapier3d-f64"

# id, what both do, rival, unit, how to run it, the two figures
ROWS = [
    ("hulls", "two hulls of 32 points that touch: all points of the manifold", PARRY, "µs a pair", table("convex_convex"),
     lambda: of_table("convex_convex", "convex_convex", "hulls, hit, all points", 1000, 1000)),
    ("hulls-coherent", "the same hulls in 20 small steps, each side with what it keeps from step to step", PARRY, "µs a pair",
     cargo("bin", "w5", "--json"), manifolds),
    ("boxes-meshes", "a box on an organ of 10,000 triangles: all contacts", PARRY, "µs a box", table("surface_mesh_convex"),
     lambda: of_table("surface_mesh_convex", "surface_mesh_convex", "organ, 16 boxes", 10_000, 16)),
    ("distances", "signed distance of a point to an organ of 10,000 triangles", PARRY, "µs a point", table("signed"),
     lambda: of_table("signed", "signed distance", "organ of 10k triangles", 10_000, 10_000)),
    ("rays", "the first hit of a ray on an organ of 10,000 triangles; palpate's is decided exactly and has the element", PARRY, "µs a ray",
     table("first"), lambda: of_table("first", "first hit", "organ", 10_000, 10_000)),
    ("tray-impact", "thirty bodies fall on a tray of 5,000 triangles, first second: palpate's detection, rapier's whole step", RAPIER,
     "ms a step", cargo("example", "rapier", "rest"), lambda: rest("tray", "first second")),
    ("tray-rest", "the same bodies at rest", RAPIER, "ms a step", cargo("example", "rapier", "rest"), lambda: rest("tray", "at rest")),
    ("tray-breathing", "the same at rest on a tray that deforms by a millimetre in a second: the move of the mesh included", RAPIER, "ms a step",
     cargo("example", "rapier", "rest"), lambda: rest("breathing", "at rest")),
    ("rapier-scenes", "eleven scenes of rapier's demonstrations: its whole step on palpate as the narrow phase, and on its own", RAPIER, "ms a step",
     SCENES, scenes),
    ("heap", "a thousand hulls fall and come to rest in rapier's pipeline: the narrow phase alone", RAPIER, "µs a near pair", HEAPS,
     lambda: heap("1000 hulls")),
    ("thread", "a needle draws a thread over a soft organ at 2 m/s: a whole step", RAPIER, "ms a step", cargo("example", "thread"),
     lambda: thread(2)),
    ("soft-sheets", "two waving sheets through one another, 20,000 triangles: positions set, all contacts within a millimetre", RAPIER, "ms a step",
     cargo("example", "soft", "20000", "--json"), lambda: soft("sheets")),
    ("soft-organ", "a tool in an organ that breathes, 20,000 triangles: the same", RAPIER, "ms a step",
     cargo("example", "soft", "20000", "--json"), lambda: soft("tool in an organ")),
    ("poses-coal", "boxes in 100,000 poses, from Python, one call", "coal", "µs a pose", MANY, lambda: many("many poses, box-box", "coal loop")),
    ("poses-rapier", "the same poses", "rapier3d (Python)", "µs a pose", MANY, lambda: many("many poses, box-box", "rapier world")),
]


def shown(figure):
    return f"{figure:.3g}" if figure < 100 else f"{figure:.0f}"


def line(row):
    key, what, rival, unit, command, measure = row
    ours, theirs = measure()
    words = " ".join("python3" if word == sys.executable else word for word in command)
    return f"| {key} | {what} | {unit} | {shown(ours)} | {rival} | {shown(theirs)} | **{ours / theirs:.2f}** | `{words}` |"


def versions():
    packages = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    of = {package["name"]: package["version"] for package in packages}
    named = [f"{name} {of[name]}" for name in ("palpate", PARRY, RAPIER)]
    for name in ("coal", "rapier3d", "libigl"):
        found = subprocess.run([sys.executable, "-m", "pip", "show", name], capture_output=True, text=True, check=False).stdout
        named += [f"{name} {match[1]}" for match in [re.search(r"^Version: (.*)", found, re.MULTILINE)] if match]
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return ", ".join(named) + f"; Rust {rust}, `--release`; {platform.system()} {platform.machine()}, {os.cpu_count()} cores."


def main():
    wanted = sys.argv[1:]
    unknown = set(wanted) - {row[0] for row in ROWS}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: wanted of {', '.join(row[0] for row in ROWS)}")
    if wanted:
        for row in ROWS:
            if row[0] in wanted:
                print(line(row))
        return
    page = PAGE.read_text(encoding="utf-8")
    head, rest_of_page = page.split(START)
    old, tail = rest_of_page.split(END)
    before = {match[1]: match[0] for match in re.finditer(r"^\| ([a-z-]+) \|.*$", old, re.MULTILINE)}
    lines = []
    for row in ROWS:
        try:
            lines.append(line(row))
            print(lines[-1], flush=True)
        except (SystemExit, OSError, subprocess.CalledProcessError) as error:
            print(f"{row[0]} is left as it is: {error}", file=sys.stderr)
            lines += [before[row[0]]] if row[0] in before else []
    heading = "| row | what both do | unit | palpate | rival | its figure | ratio | command |\n|---|---|---|--:|---|--:|--:|---|"
    table = "\n".join([heading, *lines])
    PAGE.write_text(f"{head}{START}\n{table}\n\n{versions()}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
