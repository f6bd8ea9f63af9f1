# SPDX-License-Identifier: BSD-3-Clause
# command.mk: what is built and installed.

load false_mpis

setup() {
    cd "$BATS_TEST_DIRNAME/../.."
    options=(-s -f command/command.mk "BUILD=$BATS_TEST_TMPDIR/build")
    unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR MPI_ADAPTER_PATH
}

@test "the version reaches the command, and a new one replaces it" {
    make "${options[@]}" command VERSION=1.2.3
    [ "$("$BATS_TEST_TMPDIR/build/bin/mpi-adapter" --version)" = 'mpi-adapter 1.2.3' ]
    make "${options[@]}" command VERSION=1.2.4
    [ "$("$BATS_TEST_TMPDIR/build/bin/mpi-adapter" --version)" = 'mpi-adapter 1.2.4' ]
}

@test "a second build does nothing" {
    make "${options[@]}" command
    local before after
    before=$(stat -c %Y.%i "$BATS_TEST_TMPDIR/build/bin/mpi-adapter" "$BATS_TEST_TMPDIR/build/lib/mpi-adapter/trees")
    make "${options[@]}" command
    after=$(stat -c %Y.%i "$BATS_TEST_TMPDIR/build/bin/mpi-adapter" "$BATS_TEST_TMPDIR/build/lib/mpi-adapter/trees")
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
