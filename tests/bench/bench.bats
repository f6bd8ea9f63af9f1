#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Instructions spent inside the adapter do not grow unnoticed.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

@test "instructions per call are what the table says" {
    [ "$(uname -m)" = x86_64 ] || skip "the table is for x86-64"
    unset MPI_ADAPTER_HOST_LIBRARY MPI_ADAPTER_VERBOSE LD_PRELOAD
    export OMPI_CC=${CC:-gcc}
    "$top/tests/bench/profile"
}

@test "profiles are read line by line: own costs of one library, without other entry points" {
    cd "$BATS_TEST_TMPDIR"
    cat > profile.1 <<'END'
desc: Trigger: Client Request: kind 10 MPI_X
events: Ir

ob=(1) /lib/libmpi.so.40
fl=(1) a.c
fn=(1) PMPI_X
1 20
+2 10
cob=(2) /lib/libhost.so
cfn=(2) PMPI_X
calls=5 0
* 1000
-1 5

fn=(3) helper
7 15

fn=(4) PMPI_Y
7 700

ob=(2)
fn=(2)
0 1000

ob=(1)
fn=(1)
9 30
END
    printf 'desc: Trigger: Program termination\n' > profile.2
    printf 'kind\t8\t9\tthe kind\n' > table
    "$top/tests/bench/instructions.py" libmpi.so.40 table profile.* | grep -qE '^ +8\.0 +9  the kind$'
    printf 'kind\t5\t9\tthe kind\n' > table
    "$top/tests/bench/instructions.py" --ceilings libmpi.so.40 table profile.*
    # A count that is expected lower, a lower ceiling, and a kind that is missing.
    for line in 'kind\t5\t9\tthe kind' 'kind\t8\t7\tthe kind' 'other\t8\t9\tthe kind' 'kind-other\t8\t9\tthe kind'; do
        printf "$line\n" > table
        run "$top/tests/bench/instructions.py" libmpi.so.40 table profile.*
        [ "$status" -eq 1 ]
        [[ $output == *"the kind: "* ]]
    done
}
