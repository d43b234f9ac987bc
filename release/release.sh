#!/usr/bin/env bash
# Makes a release in a folder, from a clean checkout:
#
#     bash release/release.sh FOLDER            # everything: packages that are built from their packaged form, binaries, wheel, evidence, checksums
#     bash release/release.sh --dry-run FOLDER  # what needs no build: contents of the packages, bills
#
# crates/      a .crate file of every crate of Rust, in the order of publishing (order.txt)
# bin/         the command, its manual pages and shell completions
# c/           headers, libraries, files for pkg-config and CMake
# python/      the wheel
# evidence/    requirements with the results of this build, anomalies, counts, hashes, bills of materials
# SHA256SUMS   of all files
#
# RELEASE_PROFILE: the profile of cargo, `release` without it. RELEASE_LOG: the output of a run of the tests; without it, they are run.
set -euo pipefail
dry=
if [ "${1:-}" = --dry-run ]; then dry=1 && shift; fi
out=$(mkdir -p "${1:?wanted a folder}" && cd "$1" && pwd)
cd "$(dirname "$0")/.."
profile=${RELEASE_PROFILE:-release}
step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

step "order of the crates"
mkdir -p "$out/crates" "$out/evidence"
python3 release/packages.py order >"$out/crates/order.txt"
cat "$out/crates/order.txt"

step "contents of the packages"
selected=()
while read -r name; do selected+=(-p "$name"); done <"$out/crates/order.txt"
for name in $(cat "$out/crates/order.txt"); do
    cargo package --locked --allow-dirty --list -p "$name" | python3 release/packages.py contents "$name"
done

step "bills of materials"
python3 release/bills.py "$out/evidence"
[ -z "$dry" ] || exit 0

[ -z "$(git status --porcelain)" ] || { echo "the checkout has changes: a release is made from committed sources" >&2; exit 1; }

step "packages, each built from its packaged form"
cargo package --locked "${selected[@]}"
target=${CARGO_TARGET_DIR:-target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
for name in $(cat "$out/crates/order.txt"); do cp "$target/package/$name-$version.crate" "$out/crates/"; done

step "the command and the libraries"
build=(cargo build)
if cargo auditable --version >/dev/null 2>&1; then build=(cargo auditable build); fi
"${build[@]}" --profile "$profile" --locked -p palpate-cli -p palpate-capi
mkdir -p "$out/bin/completions"
# Without the tables of the debugger, which are four fifths of the file; the list of dependencies in it stays.
strip --strip-debug -o "$out/bin/palpate" "$target/$profile/palpate"
"$out/bin/palpate" man --out "$out/bin/man" 2>/dev/null || "$out/bin/palpate" man >"$out/bin/palpate.1"
for shell in bash zsh fish; do "$out/bin/palpate" completions $shell >"$out/bin/completions/palpate.$shell"; done
sh crates/capi/install.sh --prefix "$out/c" --built "$target/$profile"

step "the wheel"
python3 -m venv "$target/release-python"
"$target/release-python/bin/python" -m pip install --quiet --disable-pip-version-check 'maturin>=1.16,<2'
"$target/release-python/bin/python" -m maturin build --locked --quiet --profile "$profile" -m crates/python/Cargo.toml --out "$out/python"

step "evidence"
log=${RELEASE_LOG:-}
if [ -z "$log" ]; then
    log=$target/release-tests.log
    cargo test --locked --workspace --exclude palpate-python --exclude palpate-benches -- --show-output 2>&1 | tee "$log"
fi
cargo run --locked -p palpate-evidence --example evidence -- report "$log" "$out/evidence"
cargo run --locked -p palpate-tests --example write_cases -- "$out/evidence/cases.jsonl" 3
PALPATE_SHARED='' bash release/hashes.sh "$out/bin/palpate" "$out/evidence/cases.jsonl" 2 | tee "$out/evidence/contact-hashes.txt"
if grep -vxFf data/contact-hashes.txt "$out/evidence/contact-hashes.txt"; then echo "these hashes are not those of data/contact-hashes.txt" >&2; exit 1; fi
if command -v cargo-deny >/dev/null; then cargo deny --locked check licenses bans sources; fi
cp CHANGELOG.md SECURITY.md LICENSE-APACHE LICENSE-MIT README.md "$out/"

step "checksums"
(cd "$out" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS && wc -l SHA256SUMS)
step "done"
