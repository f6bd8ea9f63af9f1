#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# Who stands between the program and the host: MPI_ADAPTER_VERBOSE prints it, and the order is the same whichever came first.

bats_require_minimum_version 1.5.0

load ../pair.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# program NAME OPTION...: compiled for the application's MPI.
program() {
    local name=$1
    shift
    "$CC" -std=gnu11 -g -Wall -I"$build/include/$application" "$@" -o "$name" "$top/tests/tools/$name.c" -L"$folder" -l:"$soname"
}

# stack PROCEDURE WHEN: its layers.
stack() {
    sed -n "s/^mpi-adapter: process [0-9]*: layers of $1 $2: //p" said
}

make_tool() {
    cat > tool.c <<'END'
#include <mpi.h>
int MPI_Finalize(void) { return PMPI_Finalize(); }
int MPI_File_open(MPI_Comm comm, const char *name, int mode, MPI_Info info, MPI_File *file)
{
    return PMPI_File_open(comm, name, mode, info, file);
}
END
    host_program tool.so -shared -fPIC tool.c
}

# run_all: stack.c with all that may stand between it and the host.
run_all() {
    make_tool
    program stack ${counted:+-DCOUNTED}
    MPI_ADAPTER_HOST_TOOLS=$PWD/tool.so MPI_ADAPTER_TRACE=$PWD/trace MPI_ADAPTER_VERBOSE=MPI_Finalize,MPI_File_open,MPI_Sond \
        adapted ./stack > output 2> said || { cat output said; return 1; }
    [ "$(cat output)" = 'done' ] || { cat output said; return 1; }
    cat said
    grep -q "layers of MPI_Sond at load: no procedure of $host\$" said
}

# Open MPI has neither sessions nor partitioned sends of its own, and MPICH has the fault.
@test "the layers of MPI_Finalize: tool, trace, session, buffers, and a workaround for the host" {
    for pair in openmpi-to-mpich mpich-to-openmpi; do
        [ "$(release_here openmpi) $(release_here mpich)" = "4.1.4 4.0.2" ] || skip "known of other releases"
        use_pair "$pair"
        counted=
        [ "$application" != mpich ] || counted=yes
        run_all
        case $pair in
            mpich-to-openmpi)
                [ "$(stack MPI_Finalize 'at MPI_Finalize')" = 'world, lifetime, partitioned, early, life, trace, tool, host' ]
                [ "$(stack MPI_File_open 'at MPI_Finalize')" = 'isolation, lifetime, file name, trace, tool, host' ]
                [ "$(stack MPI_Finalize 'at load')" = 'early, life, trace, tool, host' ]
                ;;
            openmpi-to-mpich)
                [ "$(stack MPI_Finalize 'at MPI_Finalize')" = 'life, launch info, trace, tool, host' ]
                [ "$(stack MPI_File_open 'at MPI_Finalize')" = 'isolation, file name, trace, workaround, tool, host' ]
                ;;
        esac
    done
}

@test "what a session has stays until it ends, though MPI_Finalize came first" {
    use_pair mpich-to-openmpi
    program late_end
    adapted ./late_end > output
    diff output <(printf '%s\n' finalized "handled the session's" "destroyed the session's" ended)
}

@test "what MPI-4.1 allows before MPI_Init and after MPI_Finalize is there while calls are traced, too" {
    use_pair mpich-to-openmpi
    program early
    [ "$(adapted ./early)" = '1 key, class right' ]
    [ "$(MPI_ADAPTER_TRACE=$PWD/trace adapted ./early)" = '1 key, class right' ]
    grep -q MPI_Finalize trace.*
}
