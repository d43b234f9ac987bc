#!/bin/sh
# Builds palpate's library for C and C++ and installs it:
#
#     sh crates/capi/install.sh --prefix /usr/local
#
# installs include/palpate.h and palpate.hpp, lib/libpalpate.so (stripped, with a soname; its symbols in lib/debug), the static
# lib/libpalpate.a, and the files for pkg-config and CMake. --built FOLDER takes a library that is built already.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=/usr/local
built=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
        --built) built=${2:?--built needs a folder}; shift 2 ;;
        *) echo "unknown option $1: wanted --prefix FOLDER, --built FOLDER" >&2; exit 2 ;;
    esac
done
if [ -z "$built" ]; then
    (cd "$here" && cargo build --release --locked -p palpate-capi)
    built=${CARGO_TARGET_DIR:-$here/../../target}/release
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -n 1)
abi=$(sed -n 's/^#define PALPATE_ABI_VERSION \([0-9]*\).*/\1/p' "$here/include/palpate.h")
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/palpate" "$prefix/lib/debug"
prefix=$(cd "$prefix" && pwd)
lib=$prefix/lib

cp "$here/include/palpate.h" "$here/include/palpate.hpp" "$prefix/include/"
cp "$built/libpalpate_capi.a" "$lib/libpalpate.a"
if [ "$(uname)" = Darwin ]; then
    shared=libpalpate.$abi.dylib
    cp "$built/libpalpate_capi.dylib" "$lib/$shared"
    ln -sf "$shared" "$lib/libpalpate.dylib"
    strip -x "$lib/$shared"
else
    shared=libpalpate.so.$abi
    file=libpalpate.so.$version
    cp "$built/libpalpate_capi.so" "$lib/$file"
    if command -v objcopy >/dev/null; then
        objcopy --only-keep-debug "$lib/$file" "$lib/debug/$file.debug"
        strip --strip-unneeded "$lib/$file"
        (cd "$lib/debug" && objcopy --add-gnu-debuglink="$file.debug" "$lib/$file")
        strip --strip-debug "$lib/libpalpate.a"
    fi
    ln -sf "$file" "$lib/$shared"
    ln -sf "$shared" "$lib/libpalpate.so"
fi
for file in pkgconfig/palpate.pc cmake/palpate/palpateConfig.cmake cmake/palpate/palpateConfigVersion.cmake; do
    sed -e "s/@VERSION@/$version/g" -e "s/@SHARED@/$shared/g" "$here/package/$(basename "$file").in" > "$lib/$file"
done
echo "palpate $version in $prefix"
