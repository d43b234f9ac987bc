#!/usr/bin/env bash
# Prints a SHA-256 for each contact stream: of the contacts, as text that reads back to the same bits, that the command finds in
#
#     bash release/hashes.sh PALPATE CASES.jsonl [THREADS]        # PALPATE may be a command with words before it: "qemu-x86_64 -cpu Nehalem palpate"
#
# every recording of data/ and, with PALPATE_SHARED, of the shared folder, and in the generated cases of every detector
# (`cargo run -p palpate-tests --example write_cases -- CASES.jsonl 3`). `data/contact-hashes.txt` has what is wanted.
set -euo pipefail
palpate=${1:?wanted the command} cases=${2:?wanted a file of generated cases} threads=${3:-1}
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

stream() { # NAME FILE...
    # shellcheck disable=SC2086
    $palpate replay "${@:2}" --threads "$threads" --out "$out/contacts.json" >/dev/null
    printf '%s  %s\n' "$(sha256sum <"$out/contacts.json" | cut -d' ' -f1)" "$1"
}

# shellcheck disable=SC2086
$palpate detect "$cases" --threads "$threads" --out "$out/answers.jsonl" >/dev/null
printf '%s  %s\n' "$(sha256sum <"$cases" | cut -d' ' -f1)" "generated cases (input)"
printf '%s  %s\n' "$(sha256sum <"$out/answers.jsonl" | cut -d' ' -f1)" "generated cases"
stream demo data/demo.vtkhdf
if [ -n "${PALPATE_SHARED:-}" ]; then
    for folder in "$PALPATE_SHARED"/data/recordings/r* "$PALPATE_SHARED"/data/recordings/large/*; do
        [ -d "$folder" ] || continue
        for organ in "$folder"/organ_*.vtkhdf; do
            if [ -f "$organ" ]; then
                other=$(ls "$folder"/*.vtkhdf | grep -v /organ_)
                # shellcheck disable=SC2086
                stream "$(basename "$folder"), $(basename "$organ" .vtkhdf)" "$organ" $other
            fi
        done
        if [ -f "$folder/thread.vtkhdf" ]; then
            stream "$(basename "$folder"), self-contact" "$folder/thread.vtkhdf" --pair thread:thread
        elif [ -f "$folder/bodies.vtkhdf" ]; then
            stream "$(basename "$folder")" "$folder/bodies.vtkhdf" "$folder/tray.vtkhdf"
        fi
    done
fi
