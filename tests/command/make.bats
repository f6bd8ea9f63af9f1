# SPDX-License-Identifier: BSD-3-Clause
# command.mk: what is built and installed.

load false_mpis

setup_file() {
    export BUILD=$BATS_FILE_TMPDIR/build
    cd "$BATS_TEST_DIRNAME/../.."
    unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR MPI_ADAPTER_PATH
    make -s -f command/command.mk "BUILD=$BUILD" command
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
    options=(-s -f command/command.mk "BUILD=$BUILD")
    unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR MPI_ADAPTER_PATH
}

@test "a second build does nothing" {
    local before after
    before=$(stat -c %Y.%i "$BUILD/bin/mpi-adapter" "$BUILD/lib/mpi-adapter/trees")
    make "${options[@]}" command
    after=$(stat -c %Y.%i "$BUILD/bin/mpi-adapter" "$BUILD/lib/mpi-adapter/trees")
    [ "$before" = "$after" ]
}

@test "what is installed works from there" {
    make "${options[@]}" install-command PREFIX=/opt/it DESTDIR="$BATS_TEST_TMPDIR/root"
    local root=$BATS_TEST_TMPDIR/root/opt/it
    run "$root/bin/mpi-adapter" list
    [ "$status" -eq 1 ]
    [[ $output == *"no pair is installed in $root/lib/mpi-adapter"* ]]
    [ -s "$root/share/man/man1/mpi-adapter.1" ]
}

@test "the version reaches the command, and a new one replaces it" {
    for version in 1.2.3 1.2.4; do
        make "${options[@]}" command VERSION=$version
        [ "$("$BUILD/bin/mpi-adapter" --version)" = "mpi-adapter $version" ]
    done
}
