#!/usr/bin/env bash
# Builds the Python package, installs it in an environment of its own, and runs its tests.
#
#     bash tests/python/check_wheel.sh [CASES.jsonl]
#
# CASES: generated cases of every detector (`write_cases`), to compare with `palpate detect`. PALPATE_WHEEL_PROFILE: the profile of cargo; `dev`,
# which has the libraries of the tests of the C interface, without it. The interpreter is `python3`; the documents and the notebook also run
# on the oldest and the newest other one that is found (PALPATE_PYTHONS names them, else pyenv's).
set -euo pipefail
cd "$(dirname "$0")/../.."
folder="$PWD/target/wheel"
mkdir -p "$folder"
rm -f "$folder"/*.whl

python="$folder/python/bin/python"
[ -x "$python" ] || python3 -m venv "$folder/python"
pip=(-m pip install --quiet --disable-pip-version-check)
"$python" "${pip[@]}" 'maturin>=1.16,<2' numpy pytest mypy scipy matplotlib distributed

"$python" -m maturin build --locked --quiet --profile "${PALPATE_WHEEL_PROFILE:-dev}" -m crates/python/Cargo.toml --out "$folder"
wheel=$(ls "$folder"/*.whl)
echo "$(basename "$wheel"): $(($(stat -c %s "$wheel") / 1024)) kB"
"$python" "${pip[@]}" --force-reinstall --no-deps "$wheel"

export PALPATE_CASES="${1:-}"
[ -n "$PALPATE_CASES" ] || unset PALPATE_CASES
cd crates/python
"$python" -m pytest

others="${PALPATE_PYTHONS-}"
if [ -z "$others" ]; then
    found=$(ls -d "$HOME"/.pyenv/versions/3.1[0-9]*/bin/python 2>/dev/null | sort -V || true)
    others=$(printf '%s\n' "$found" | sed -n '1p;$p' | uniq)
fi
for other in $others; do
    name="$folder/python-$("$other" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
    [ -x "$name/bin/python" ] || "$other" -m venv "$name"
    "$name/bin/python" "${pip[@]}" pytest matplotlib "numpy>=1.23"
    "$name/bin/python" "${pip[@]}" --force-reinstall --no-deps "$wheel"
    "$name/bin/python" -m pytest tests/test_package.py tests/test_views.py
done
