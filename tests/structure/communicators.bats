#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which session a communicator is of is known of all that a procedure of the table makes.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# Duplicates inherit the attribute; the parent of spawned processes and who is at a socket's other end are of no session
# here; MPIX_Comm_ishrink is Open MPI's alone, and no program has it whose host is Open MPI.
known="MPI_Comm_dup MPI_Comm_dup_with_info MPI_Comm_idup MPI_Comm_idup_with_info MPI_Comm_get_parent MPI_Comm_join
    MPIX_Comm_ishrink"

@test "every procedure that makes a communicator notes whose session it is of" {
    local name makers
    makers=$(awk '/^[^#].*:COMM\/out/ { print $1 }' "$top/abi-tables/procedures")
    [ "$(wc -l <<< "$makers")" -gt 20 ]
    for name in $makers; do
        [[ " $(echo $known) " == *" $name "* ]] || grep -q "each($name)" "$top"/adapter-c/sessions/{new_comm.c,session_origin.each.c} || { echo "$name"; return 1; }
    done
}
