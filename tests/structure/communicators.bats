#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which session a communicator is of is known of all that a procedure of the table makes.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# Duplicates inherit the attribute; the parent of spawned processes and who is at a socket's other end are of no session
# here; MPIX_Comm_ishrink is Open MPI's alone, and no program has it whose host is Open MPI.
known="MPI_Comm_dup MPI_Comm_dup_with_info MPI_Comm_idup MPI_Comm_idup_with_info MPI_Comm_get_parent MPI_Comm_join
    MPIX_Comm_ishrink"

# unnoted PROCEDURES: those that make a communicator, and of which no note is taken.
unnoted() {
    local name
    for name in $(awk '/^[^#].*:COMM\/out/ { print $1 }' "$1"); do
        [[ " $(echo $known) " == *" $name "* ]] || grep -q "each($name)" "$top"/adapter-c/sessions/{new_comm,session_origin}.c || echo "$name"
    done
}

@test "every procedure that makes a communicator notes whose session it is of" {
    [ "$(awk '/^[^#].*:COMM\/out/' "$top/abi-tables/procedures" | grep -c .)" -gt 20 ]
    [ -z "$(unnoted "$top/abi-tables/procedures")" ]
}

@test "a procedure that nobody thought of is found" {
    echo "MPIX_Comm_new - comm:COMM newcomm:COMM/out" > "$BATS_TEST_TMPDIR/procedures"
    [ "$(unnoted "$BATS_TEST_TMPDIR/procedures")" = MPIX_Comm_new ]
}
