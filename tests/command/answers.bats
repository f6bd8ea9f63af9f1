# SPDX-License-Identifier: BSD-3-Clause
# The command's answers, failures to write them, and its advice.

load false_mpis

setup_file() { make_fixtures; }
setup() { make_installation; }

@test "help and version may be asked for by words, too" {
    local name
    [ "$("$adapter" version)" = "$("$adapter" --version)" ]
    [ "$("$adapter" -V)" = "$("$adapter" --version)" ]
    [ "$("$adapter" help)" = "$("$adapter" --help)" ]
    for name in run exec container env list explain doctor build splice; do
        [ "$("$adapter" help $name)" = "$("$adapter" $name --help)" ]
        [[ $("$adapter" help) == *"mpi-adapter $name"[[:space:]]* ]]
        [[ $("$adapter" help $name) == "Usage: mpi-adapter $name "* ]]
    done
    run --separate-stderr "$adapter" help nothing
    fails_with 2 "unknown command 'nothing'"
}

@test "an answer that cannot be written fails once, with one line" {
    local words
    cd "$fixtures/bin"
    for words in list 'list --abis' 'explain ./app' 'explain --json ./app' 'explain ../real/libmpi.so.40' 'env ./app' \
        help version 'help run' 'run --help' doctor; do
        # shellcheck disable=SC2086
        run -1 --separate-stderr bash -c '"$@" > /dev/full' - "$adapter" $words
        fails_with 1 'the answer cannot be written'
    done
}

@test "a program of the current folder is told from one that is nowhere" {
    cd "$BATS_TEST_TMPDIR"
    cp "$fixtures/bin/app" solver
    run --separate-stderr "$adapter" run solver
    fails_with 1 'solver: no such program in PATH' './solver'
    run "$adapter" run ./solver
    [ "$output" = adapter ]
    # A program that cannot be started gets no advice.
    chmod -x solver
    run --separate-stderr "$adapter" run solver
    fails_with 1 'no such program; check its name'
}

@test "only what can run the program is advised" {
    add_pair "$prefix/lib/mpi-adapter/other-to-fakeopenmpi" other fakeopenmpi
    add_pair "$prefix/lib/mpi-adapter/openmpi-to-mpich@2.0" openmpi mpich
    echo 'name = 2.0' >> "$prefix/lib/mpi-adapter/openmpi-to-mpich@2.0/pair.conf"
    run --separate-stderr "$adapter" run --to fakeopenmpi "$fixtures/bin/app"
    fails_with 1 'install openmpi-to-fakeopenmpi, or give --to one of: mpich mpich@2.0'
    run --separate-stderr "$adapter" run --to mpich@3.0 "$fixtures/bin/app"
    fails_with 1 "'mpi-adapter build --host PREFIX --name 3.0', or give --to one of: mpich mpich@2.0"
    local host
    for host in mpich mpich@2.0; do
        run "$adapter" run --to $host "$fixtures/bin/app"
        [ "$output" = adapter ]
    done
}

@test "libraries are explained: MPI's own, and such as use MPI or not" {
    cd "$BATS_TEST_TMPDIR"
    make_library ./libmiddle.so libmiddle.so 'int middle;' -Wl,--no-as-needed "$fixtures/real/libmpi.so.40"
    make_library ./libplain.so libplain.so 'int plain;'
    run "$adapter" explain ./libmiddle.so
    [ "$status" -eq 0 ]
    [[ $output == *'built against   openmpi'* ]]
    # By its name, as the loader finds it.
    LD_LIBRARY_PATH=$PWD:$LD_LIBRARY_PATH
    cd /
    run "$adapter" explain libmiddle.so
    [ "$status" -eq 0 ]
    [[ $output == *"$BATS_TEST_TMPDIR/libmiddle.so"*'built against   openmpi'* ]]
    run --separate-stderr "$adapter" explain libplain.so
    fails_with 1 'libplain.so uses no MPI; give a program or a library that does'
    run --separate-stderr "$adapter" explain libnone.so
    fails_with 1 'no such program'
    cp "$fixtures/real/libmpi.so.40" "$BATS_TEST_TMPDIR/a\"b.so"
    run "$adapter" explain "$BATS_TEST_TMPDIR/a\"b.so"
    [[ $output == *'an MPI library of the ABI openmpi'*'pairs on it     none' ]]
    run "$adapter" explain --json "$BATS_TEST_TMPDIR/a\"b.so"
    python3 -c 'import json, sys; answer = json.loads(sys.argv[1])
assert answer["library"].endswith("a\"b.so") and answer["mpi"] == "openmpi" and answer["pairs"] == [], answer' "$output"
}

@test "as root, what a launcher refuses is said ahead, once, with what to set" {
    [ "$(id -u)" -eq 0 ] || skip 'only as root'
    local folder=$BATS_TEST_TMPDIR/pairs/fake-to-openmpi name
    add_pair "$folder" openmpi fakeopenmpi
    sed -i 's/fakefakeopenmpi/fakeopenmpi/' "$folder/pair.conf"
    export MPI_ADAPTER_PATH=${folder%/*}
    unset OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
    run --separate-stderr "$adapter" run --to fakeopenmpi "$fixtures/bin/app"
    [ "$output" = adapter ]
    [[ $stderr == *'does not run as root; run as another user, or set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1' ]]
    OMPI_ALLOW_RUN_AS_ROOT=1 run --separate-stderr "$adapter" run --to fakeopenmpi "$fixtures/bin/app"
    [[ $stderr == *'or set OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1' ]]
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run --separate-stderr "$adapter" run --to fakeopenmpi "$fixtures/bin/app"
    echo "$stderr"; [ -z "$stderr" ]
    run --separate-stderr "$adapter" run --to mpich "$fixtures/bin/app"
    echo "$stderr"; [ -z "$stderr" ]
}
