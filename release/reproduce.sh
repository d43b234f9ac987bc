#!/usr/bin/env bash
# Builds the command and the libraries for C and C++ twice, from copies of the committed sources in two folders, and compares them byte by byte:
#
#     bash release/reproduce.sh [PROFILE] [FOLDER]
#
# PROFILE: release without it. The paths of the sources, of cargo's registry and of the target folder are written as fixed names into the binaries.
set -euo pipefail
profile=${1:-release}
folder=${2:-$(mktemp -d)}
cd "$(dirname "$0")/.."
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0
home=${CARGO_HOME:-$HOME/.cargo}

for copy in first second/and/deeper; do
    mkdir -p "$folder/$copy"
    git archive HEAD | tar -x -C "$folder/$copy"
    (
        cd "$folder/$copy"
        export CARGO_TARGET_DIR="$PWD/target"
        export RUSTFLAGS="--remap-path-prefix=$PWD=/palpate --remap-path-prefix=$home=/cargo"
        cargo build --profile "$profile" --locked -p palpate-cli -p palpate-capi
    )
done

equal=0
for file in palpate libpalpate_capi.so libpalpate_capi.a; do
    one=$(sha256sum <"$folder/first/target/$profile/$file" | cut -d' ' -f1)
    two=$(sha256sum <"$folder/second/and/deeper/target/$profile/$file" | cut -d' ' -f1)
    echo "$file $one $two"
    [ "$one" = "$two" ] || equal=1
done
[ $equal = 0 ] && echo "equal" || echo "not equal" >&2
exit $equal
