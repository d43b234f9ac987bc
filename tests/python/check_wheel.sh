#!/usr/bin/env bash
# Builds the Python package, installs it in an environment of its own, and runs its tests.
#
#     bash tests/python/check_wheel.sh [CASES.jsonl]
#
# CASES: generated cases of every detector (`write_cases`), to compare with `palpate detect`. PALPATE_WHEEL_PROFILE: the profile of cargo, `release`
# without it; with `quick` the demo has built the libraries. The tests run on the newest Python that pyenv has (else `python3`); those of the package
# and of views also on the oldest.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder="$PWD/target/wheel"
mkdir -p "$folder"
rm -f "$folder"/*.whl

found=$(ls -d "$HOME"/.pyenv/versions/3.1[0-9].*/bin/python 2>/dev/null | sort -V || true)
newest=$(printf '%s\n' "$found" | tail -n 1)
oldest=$(printf '%s\n' "$found" | head -n 1)
environment() { # INTERPRETER NAME PACKAGES…
    [ -x "$folder/$2/bin/python" ] || "$1" -m venv "$folder/$2"
    "$folder/$2/bin/python" -m pip install --quiet --disable-pip-version-check "${@:3}"
}

environment "${newest:-python3}" newest 'maturin>=1.16,<2' numpy pytest mypy scipy matplotlib distributed
python="$folder/newest/bin/python"
"$python" -m maturin build --locked --quiet --profile "${PALPATE_WHEEL_PROFILE:-release}" -m crates/python/Cargo.toml --out "$folder"
wheel=$(ls "$folder"/*.whl)
echo "$(basename "$wheel"): $(($(stat -c %s "$wheel") / 1000)) kB"

[ $# -eq 0 ] || { PALPATE_CASES=$(realpath "$1") && export PALPATE_CASES; }
# What the tests of the C interface wrote, with the answers of Rust.
script="$PWD/target/tmp/capi/procedure-gcc"
[ ! -f "$script.out" ] || export PALPATE_PROCEDURE="$script"
cd crates/python
environment "$python" newest --force-reinstall --no-deps "$wheel"
"$python" -m pytest
if [ -n "$oldest" ] && [ "$oldest" != "$newest" ]; then
    environment "$oldest" oldest pytest matplotlib numpy
    environment "$oldest" oldest --force-reinstall --no-deps "$wheel"
    "$folder/oldest/bin/python" -m pytest tests/test_package.py tests/test_views.py
fi
