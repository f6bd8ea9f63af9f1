#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
set -eu
# The library and its headers are those of the host environment. An RPATH leads the tools there, wherever that is moved to.
settings=(CC="$CC" PYTHON="$BUILD_PREFIX/bin/python3" CPPFLAGS="-I$PREFIX/include" LDFLAGS="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib"
    PREFIX="$PREFIX" SYSCONFDIR="$PREFIX/etc")
make -j"${CPU_COUNT:-1}" "${settings[@]}"
make install "${settings[@]}"
