# SPDX-License-Identifier: BSD-3-Clause
# "mpi-adapter env", "mpi-adapter list", help and version.

load false_mpis

setup_file() { make_fixtures; }
setup() { make_installation; }

@test "env prints what a rank needs" {
    run --separate-stderr "$adapter" env app
    [ "$status" -eq 0 ]
    [ "$output" = "export LD_LIBRARY_PATH='$pair:$fixtures/host'" ]
    [ -z "$stderr" ]
}

@test "env's output runs the program on the adapter, in any POSIX shell" {
    local name
    for name in app runpath-app rpath-app; do
        "$adapter" env "$name" > "$BATS_TEST_TMPDIR/exports"
        run sh -c '. "$1"; "$2"' sh "$BATS_TEST_TMPDIR/exports" "$name"
        [ "$output" = adapter ]
    done
}

@test "env's output survives quotes, blanks, dollars and backslashes in a folder" {
    make_installation $'it\'s $HOME "a" `b`\\c'
    "$adapter" env app > "$BATS_TEST_TMPDIR/exports"
    run sh -c '. "$1"; app' sh "$BATS_TEST_TMPDIR/exports"
    [ "$output" = adapter ]
}

@test "env adds LD_PRELOAD for a program with DT_RPATH" {
    run "$adapter" env rpath-app
    [ "${lines[1]}" = "export LD_PRELOAD='$pair/libmpi.so.40'" ]
    [ "${lines[2]}" = "export MPI_ADAPTER_PRELOAD='$pair/libmpi.so.40'" ]
}

@test "env needs no program when only one ABI is served" {
    run "$adapter" env
    [ "${lines[0]}" = "export LD_LIBRARY_PATH='$pair:$fixtures/host'" ]
    add_pair "$prefix/lib/mpi-adapter/other-to-mpich" other mpich
    run --separate-stderr "$adapter" env
    fails_with 1 'serve several ABIs' --from
    run "$adapter" env --from=other --to=mpich
    [ "${lines[0]}" = "export LD_LIBRARY_PATH='$prefix/lib/mpi-adapter/other-to-mpich:$fixtures/host'" ]
}

@test "env without a program sets what R's own script puts ahead in LD_LIBRARY_PATH" {
    local own=$BATS_TEST_TMPDIR/own
    mkdir "$own"
    printf '%s\n' '#!/bin/sh' 'R_HOME_DIR=/opt/R/lib/R' 'R_HOME_DIR=/elsewhere' > "$own/R"
    chmod +x "$own/R"
    export PATH=$own:$PATH
    run "$adapter" env
    [ "${lines[1]}" = "export R_LD_LIBRARY_PATH='$pair:/opt/R/lib/R/lib'" ]
    R_LD_LIBRARY_PATH=/mine:/also run "$adapter" env
    [ "${lines[1]}" = "export R_LD_LIBRARY_PATH='$pair:/mine:/also'" ]
    run "$adapter" env app
    [ "${#lines[@]}" -eq 1 ]
}

@test "env asks for no launcher" {
    change_pair 's/^launchers.*/launchers = absent/'
    run "$adapter" env app
    [ "$status" -eq 0 ]
}

@test "list shows each pair with its library and launcher" {
    run "$adapter" list
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = openmpi-to-mpich ]
    [[ $output == *'application:  openmpi'* ]]
    [[ $output == *'host:         mpich'* ]]
    [[ $output == *'version:      1.2.3'* ]]
    [[ $output == *"folder:       $pair"* ]]
    [[ $output == *"host library: $fixtures/host/libfakempich.so.12"* ]]
    [[ $output == *"launcher:     $fixtures/bin/mpiexec.fakempich"* ]]
}

@test "list says what is not found" {
    change_pair 's/^launchers.*/launchers = absent/'
    LD_LIBRARY_PATH='' run "$adapter" list
    [ "$status" -eq 0 ]
    [[ $output == *'host library: the MPI library of mpich'*'is not found'* ]]
    [[ $output == *'launcher:     no launcher of mpich (absent) is in PATH'* ]]
}

@test "list reports a damaged pair, shows the others and fails" {
    add_pair "$prefix/lib/mpi-adapter/a-damaged" openmpi mpich
    echo damage >> "$prefix/lib/mpi-adapter/a-damaged/pair.conf"
    run --separate-stderr "$adapter" list
    [ "$status" -eq 1 ]
    [ "${lines[0]}" = openmpi-to-mpich ]
    [[ $stderr == *"a-damaged/pair.conf:10: not of the form"* ]]
}

@test "a damaged pair leaves nothing behind in the next one" {
    add_pair "$prefix/lib/mpi-adapter/a-damaged" openmpi mpich
    sed -i 's/^version.*/version = 9/; $a damage' "$prefix/lib/mpi-adapter/a-damaged/pair.conf"
    change_pair '/^version/d'
    run --separate-stderr "$adapter" list
    [[ $output == *'version:      unknown'* ]]
}

@test "help is printed for the command and each of its commands" {
    local name
    run "$adapter" --help
    [ "$status" -eq 0 ]
    [[ $output == 'Usage: mpi-adapter run'* ]]
    for name in run env list explain doctor build splice; do
        run "$adapter" "$name" --help
        [ "$status" -eq 0 ]
        [[ $output == "Usage: mpi-adapter $name"* ]]
    done
}

@test "the manual page explains every option that the help names" {
    local name option page=$BATS_TEST_DIRNAME/../../docs/man/mpi-adapter.1
    for name in run env list explain doctor build splice; do
        for option in $("$adapter" "$name" --help | grep -oE -- '--?[a-z][a-z-]*' | sort -u); do
            [[ $option == -adapter ]] && continue
            grep -qF -- "${option//-/\\-}" "$page" || { echo "$option is missing"; return 1; }
        done
    done
}

@test "the version is the build's" {
    run "$adapter" --version
    [ "$status" -eq 0 ]
    [[ $output =~ ^mpi-adapter\ [^@[:space:]]+$ ]]
}
