#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# pkg-config finds an installed gotswap for those who develop with it.

bats_require_minimum_version 1.5.0
load common

setup_file() {
    load common
    make -C "$top" --no-print-directory BUILD="${built%/gotswap}" PREFIX="$BATS_FILE_TMPDIR/prefix" \
        VERSION=7.8.9 install-gotswap
    cat > "$BATS_FILE_TMPDIR/user.c" <<'C'
#include <gotswap.h>
#include <stdio.h>

int main(void)
{
    gotswap_object *object;
    if (gotswap_open(&object, NULL)) {
        puts(gotswap_message());
        return 1;
    }
    puts(gotswap_path(object));
    return gotswap_close(object);
}
C
}

setup() {
    cd "$BATS_FILE_TMPDIR"
    export PKG_CONFIG_PATH=$PWD/prefix/lib/pkgconfig
    unset PKG_CONFIG_LIBDIR
}

# build OUTPUT PKG_CONFIG_OPTION...
build() {
    local output=$1 flags
    shift
    flags=$(pkg-config --cflags --libs "$@" gotswap) || return
    # shellcheck disable=SC2086
    "$CC" -o "$output" user.c $flags
}

@test "a program is built with the shared library and runs" {
    build shared
    readelf -d shared | grep -q 'NEEDED.*libgotswap.so.1'
    [ "$(LD_LIBRARY_PATH=prefix/lib ./shared)" = "$PWD/shared" ]
}

@test "a program is built with the static library and needs no other file of ours" {
    mkdir static-only
    cp prefix/lib/libgotswap.a static-only
    sed "s|^libdir=.*|libdir=$PWD/static-only|" prefix/lib/pkgconfig/gotswap.pc > static-only/gotswap.pc
    PKG_CONFIG_PATH=static-only build static --static
    run ! grep -q libgotswap <(readelf -d static)
    [ "$(./static)" = "$PWD/static" ]
}

@test "the version is that of the installation" {
    [ "$(pkg-config --modversion gotswap)" = 7.8.9 ]
    pkg-config --atleast-version=7.8 gotswap
    run ! pkg-config --atleast-version=8 gotswap
}

@test "LIBDIR puts the libraries into a folder of the system's choice" {
    make -C "$top" --no-print-directory BUILD="${built%/gotswap}" DESTDIR="$PWD/root" PREFIX=/usr \
        LIBDIR=/usr/lib/some-machine VERSION=7.8.9 install-gotswap
    [ -e root/usr/lib/some-machine/libgotswap.so.1 ]
    [ ! -e root/usr/lib/libgotswap.so.1 ]
    [ "$(PKG_CONFIG_PATH=root/usr/lib/some-machine/pkgconfig pkg-config --variable=libdir gotswap)" = /usr/lib/some-machine ]
    run ! grep -rqF "$PWD" root/usr/lib/some-machine/pkgconfig
}

@test "gotswap is built without the generator, by the compiler of the environment" {
    cd "$BATS_TEST_TMPDIR"
    printf '#!/bin/sh\necho generated >> "%s/generated"\nexit 1\n' "$PWD" > python
    printf '#!/bin/sh\necho compiled >> "%s/compiled"\nexec "%s" "$@"\n' "$PWD" "$CC" > compiler
    chmod +x python compiler
    CC=$PWD/compiler make -s -C "$top" BUILD="$PWD/build" PYTHON="$PWD/python" gotswap
    [ -e build/gotswap/libgotswap.so ] && [ -e compiled ] && [ ! -e generated ]
}
