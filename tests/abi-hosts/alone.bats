#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Programs of Open MPI and MPICH where no library of either can be found: an overlay hides them all. This machine has no
# library of the standard ABI, so pairs stand in for it, on MPIs that only a setting names. `make check-abi-hosts` does the
# same with real libraries of the standard ABI, and much more.

bats_require_minimum_version 1.5.0

setup_file() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    BUILD=${BUILD:-$top/build} "$BATS_TEST_DIRNAME/compile" "$BATS_FILE_TMPDIR"
}

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    here=$BATS_TEST_DIRNAME
    build=${BUILD:-$top/build}
    . "$top/tests/chroot.bash"
    . "$top/tests/components.bash"
    . "$here/families.bash"
    require_mounts
    unset MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_PRELOAD LD_PRELOAD LD_LIBRARY_PATH
    export MPI_ADAPTER_CONFIG=/dev/null XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
    programs=$BATS_FILE_TMPDIR/command
    cd "$top"
}

# host_of_stack FAMILY: the other family, on which its programs run here; its library for C is kept apart.
keep_host() {
    local library
    for host in $(families); do
        [ "$host" = "$1" ] || break
    done
    library=$(ldconfig -p | sed -n "s/.*$(family_fact "$host" soname | tr -d '\n') .*=> //p" | sed -n 1p)
    mkdir -p "$BATS_TEST_TMPDIR/apart"
    cp -L "$library" "$BATS_TEST_TMPDIR/apart/"
    export MPI_ADAPTER_HOST_LIBRARY=$build/lib/mpi-adapter/mpiabi-to-$host/libmpi_abi.so.1:$BATS_TEST_TMPDIR/apart/${library##*/}
}

# alone COMMAND...
alone() { "$here/alone" - env PATH="$PATH" "$@"; }

# start_all FAMILY HOST PROGRAMS ADAPTER: in the overlay. Natively its programs do not start; by the command each does.
start_all() {
    local language
    for language in c cxx fortran; do
        ! "$3/$language.$1" || return
        "$4" run -n 2 --to mpiabi "$3/$language.$1" || return
    done
    "$4" exec --to mpiabi -- "mpiexec.$2" -n 2 "$3/c.$1"
}

@test "programs run by the standard ABI where no library of their MPI or of another one is" {
    for family in $(families); do
        keep_host "$family"
        alone bash -c "$(declare -f start_all); start_all \"\$@\"" bash "$family" "$host" "$programs" "$build/bin/mpi-adapter" \
            > "$BATS_TEST_TMPDIR/said" 2>&1
        cat "$BATS_TEST_TMPDIR/said"
        [ "$(grep -c 'error while loading shared libraries: lib' "$BATS_TEST_TMPDIR/said")" -eq 3 ]
        [ "$(grep -c verified "$BATS_TEST_TMPDIR/said")" -eq 4 ]
    done
}

@test "without any library of MPI, a message says what is missing" {
    for family in $(families); do
        run --separate-stderr alone "$build/bin/mpi-adapter" run -n 2 --to mpiabi "$programs/c.$family"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $stderr == *'mpi-adapter: '*'libmpi_abi.so.1'*'; '* ]]
    done
}

@test "what hides the libraries is seen by nobody else, and goes away" {
    mkdir "$BATS_TEST_TMPDIR/place"
    TMPDIR=$BATS_TEST_TMPDIR/place run alone sh -c 'ls /usr/lib/*/libmpi*.so* /usr/lib/*/libmpich*.so* || exit 3'
    [ "$status" -eq 3 ]
    for family in $(families); do
        ldconfig -p | sed -n "s/.*$(family_fact "$family" soname | tr -d '\n') .*=> //p" | grep .
    done
    run ! grep -F "$BATS_TEST_TMPDIR/place" /proc/mounts
    [ -z "$(ls -A "$BATS_TEST_TMPDIR/place")" ]
}
