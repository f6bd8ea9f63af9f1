# SPDX-License-Identifier: BSD-3-Clause
# Which tests scripts/check runs, on a checkout of two.

bats_require_minimum_version 1.5.0

setup() {
    local top=$BATS_TEST_DIRNAME/../..
    mkdir -p "$BATS_TEST_TMPDIR/checkout"/{scripts,tests/one,tests/two/programs,tests/cluster,build/bin,build/lib}
    cd "$BATS_TEST_TMPDIR/checkout"
    cp "$top/scripts/check" scripts/
    cp -r "$top/abi-tables" .
    cp "$top/tests/families.bash" tests/
    printf '@test "first of %s" { echo "# ${MODES-all modes}" >&3; }\n@test "second of %s" { true; }\n' one one > tests/one/one.bats
    printf '@test "first of %s" { true; }\n' two > tests/two/two.bats
    printf '@test "as root" { false; }\n' > tests/cluster/cluster.bats
    export BUILD=$PWD/build CHECK_JOBS=1
    unset TESTS MODES NAMED
}

# counts TEXT ARGUMENT...: the last line of a run.
counts() {
    run scripts/check "${@:2}"
    [ "${lines[-1]}" = "$1" ] || { echo "$output"; return 1; }
}

@test "all tests, or those of folders, files and patterns" {
    counts '3 passed, 0 failed'
    [[ $output == *'# all modes'* ]]
    counts '2 passed, 0 failed' one
    counts '2 passed, 0 failed' tests/one/one.bats
    counts '1 passed, 0 failed' two/two
    counts '3 passed, 0 failed' 'one' 't*/*.bats'
}

@test "what make check passes on" {
    TESTS='one two' counts '3 passed, 0 failed'
    TESTS='t*' counts '1 passed, 0 failed'
    NAMED='^first' counts '2 passed, 0 failed'
    TESTS=one MODES='openmpi-to-mpich mpich' counts '2 passed, 0 failed'
    [[ $output == *'# openmpi-to-mpich mpich'* ]]
}

@test "names that are none are complained of, and nothing runs" {
    for words in three 'one three' two/programs; do
        TESTS=$words run -2 --separate-stderr scripts/check --names
        [ "$stderr" = "check: there are no tests '${words##* }'; give folders or files of tests/, as c, pairs/trace.bats or 'calls/*'" ]
        TESTS=$words run -2 scripts/check
        [[ $output != *ok* ]]
    done
    MODES='mpich to-mpich' run -2 --separate-stderr scripts/check --names
    [[ $stderr == "check: 'to-mpich' is no mode; give any of: "*" openmpi-to-mpich "*" openmpi-to-mpiabi-to-mpich "* ]]
    TESTS='one two/two.bats' MODES=mpich run -0 scripts/check --names
    [ -z "$output" ]
}
