#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The tests that Debian's packages bring for autopkgtest: what they need is packaged, and they pass by the command of this build,
# and fail where the program is not run by the other MPI.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    build=$(cd "${BUILD:-$top/build}" && pwd)
    debian=$top/packaging/debian
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_HOST MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_LAUNCHER
    export MPI_ADAPTER_CONFIG=/dev/null AUTOPKGTEST_TMP=$BATS_TEST_TMPDIR
    cd "$top"
}

# Words of the field, without commas.
needs() { sed -n '/^Depends:/,/^[A-Z][a-z]*:/ { s/^Depends://; /^[A-Z]/d; s/,//g; p }' "$debian/tests/control"; }

@test "they depend on packages that the checkout makes, and each native pair has one" {
    local name tried=0
    for name in $(needs | tr ' ' '\n' | grep '^mpi-adapter' | sort -u); do
        grep -qx "Package: $name" "$debian/control"
        tried=$((tried + 1))
    done
    [ "$tried" -eq 6 ]
    for name in openmpi-to-mpich mpich-to-openmpi standard-abi; do
        grep -qx "Features: test-name=$name" "$debian/tests/control"
    done
}

# As the control file calls them, with the command of this build ahead.
passes() { PATH=$1:$build/bin:$PATH packaging/debian/tests/run-program "${@:2}"; }

@test "each passes, and fails where the other MPI does not run the program" {
    local line lines
    mapfile -t lines < <(sed -n 's/^Test-Command: .*run-program //p' "$debian/tests/control")
    [ "${#lines[@]}" -eq 3 ]
    for line in "${lines[@]}"; do
        # shellcheck disable=SC2086  # words
        passes . $line
    done
    mkdir "$BATS_TEST_TMPDIR/false"
    printf '#!/bin/sh\necho "ring on 2 ranks, Another MPI: verified"\n' > "$BATS_TEST_TMPDIR/false/mpi-adapter"
    chmod +x "$BATS_TEST_TMPDIR/false/mpi-adapter"
    run passes "$BATS_TEST_TMPDIR/false" openmpi mpich
    [ "$status" -ne 0 ]
}
