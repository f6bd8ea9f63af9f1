#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Which procedure failed, of errors that the adapter finds itself: the host's message names the one that calls the handler.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    choose_windows
    choose_messages
}

# The line on stderr is the only one of the adapter's.
names_it() {
    local case said
    for case in "${cases[@]}"; do
        run ! adapted ./fatal "$case"
        said=$(grep '^mpi-adapter:' <<< "$output") || { echo "$output"; return 1; }
        one_line "$said"
        grep -qE "^mpi-adapter: $case failed \(.+\); correct this call" <<< "$said" || { echo "$case: $said"; return 1; }
    done
}

is_silent() {
    local case
    for case in "${cases[@]}"; do
        adapted ./fatal "$case" return > stdout 2> stderr || { echo "$case: $?"; cat stdout stderr; return 1; }
        [ "$(cat stdout)" = "goes on after 1" ]
        [ ! -s stderr ] || { cat stderr; return 1; }
    done
}

of_each_object() {
    local cases=(MPI_Comm_get_info MPI_Win_get_group MPI_File_get_group MPI_Get_count)
    app_program fatal "$here/fatal.c"
    is_silent
    # MPICH 4.0.2 ends a program all the same whose session's errors are to be returned, natively, too.
    ! grep -q MPI_Session_get_info fatal || cases+=(MPI_Session_get_info)
    names_it
    # An error of no communicator is raised where one of no object is.
    run ! adapted ./fatal null
    grep '^mpi-adapter: MPI_Comm_get_info failed' <<< "$output"
}

@test "a fatal error that the adapter finds itself has a line that names the procedure" {
    for_each_pair of_each_object
}
