#!/usr/bin/env bash
# Makes the pages of docs/ into a site with search, and the reference of the Rust crates beside it where cargo has made it:
#
#     cargo install mdbook --no-default-features --features search
#     cargo doc --no-deps --workspace && bash release/site.sh FOLDER
#
# Files of the repository that pages link to, and that are no pages, are copied into the site. A link that leads nowhere is a failure.
set -euo pipefail
out=$(mkdir -p "${1:?wanted a folder}" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
reference=${CARGO_TARGET_DIR:-target}/doc
python3 release/site.py gather "$pages" "$reference"
mdbook build "$pages" --dest-dir "$out"
if [ -d "$reference/palpate" ]; then cp -r "$reference" "$out/reference"; fi
python3 release/site.py check "$out"
