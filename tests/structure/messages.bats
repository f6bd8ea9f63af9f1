#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Every message says what is wrong and what to do, and a test or a command line brings it.

bats_require_minimum_version 1.5.0

setup() {
    top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    . "$top/tests/messages.bash"
    build=$(cd "${BUILD:-$top/build}" && pwd)
    export top PYTHON=${PYTHON:-/usr/bin/python3} adapter=$build/bin/mpi-adapter
    cd "$BATS_TEST_TMPDIR"
}

messages() { "$PYTHON" -B "$top/tests/structure/messages.py" "$@"; }

@test "every message has a row that names what brings it, and says what to do" {
    messages check
}

# Makes the files that the table's commands find.
files() {
    mkdir folder 'a b'
    : > empty
    mpicc.openmpi -o program "$top/tests/demo/ring.c"
}

@test "command lines of the table bring their messages, and fail where something is wrong" {
    local line pattern failed=0
    files
    export HOME=$PWD
    unset LD_LIBRARY_PATH LD_PRELOAD MPI_ADAPTER_PATH MPI_ADAPTER_LAUNCHER MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE MPI_ADAPTER_CONFIG
    messages commands > commands
    [ "$(wc -l < commands)" -gt 25 ]
    while IFS=$'\t' read -r line pattern; do
        unless_dropped run timeout 120 bash -c "$line" < /dev/null
        pattern=${pattern//'...'/*}
        # shellcheck disable=SC2053  # a pattern
        [[ $output == *${pattern//[[\]]/?}* ]] || { printf '%s\n  says %s\n  not %s\n' "$line" "$output" "$pattern"; failed=1; }
    done < commands
    [ "$failed" -eq 0 ]
}

# A tree with one source and the table.
tree() {
    mkdir -p tree/command tree/tests/structure
    cat > tree/command/a.bash
    cp "$top/tests/structure/messages.py" tree/tests/structure
    cat > tree/tests/structure/messages.tsv <<< "$1"
    run "$PYTHON" -B tree/tests/structure/messages.py check
    echo "$output"
}

@test "a message without a row, a row without a message, one that no test has, and one without a cure are found" {
    tree $'gone; do\t- reason\nold ... is ; do\ttests/none\nsame\t- reason' << 'END'
    die "new $1 is '${x:-"}"}'" 'do it'
    die "old $(f "(") is " do
    usage_error "none of $1"
    die "no cure"
END
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 7 ]
    [[ $output == *"command/a.bash: error: 'new ... is '...'; do it' has no row"* ]]
    [[ $output == *"'none of ...; see 'mpi-adapter ...--help'' has no row"* ]]
    [[ $output == *"'no cure' does not say what to do; write 'what; what to do'"* ]]
    [[ $output == *"no source says 'gone; do'; remove the row"* ]]
    [[ $output == *"there is no tests/none"* ]]
}
