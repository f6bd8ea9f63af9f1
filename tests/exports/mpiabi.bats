#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The names of the standard ABI's library, in either role.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# scanned: the procedures that libraries of the standard ABI have, by the tables.
scanned() {
    awk '$2 == "function" { print $4 }' "$top"/abi-tables/mpiabi-*/exports | sort -u
}

# exported LIBRARY: its names, but for what parts of the adapter share.
exported() {
    nm -D --defined-only "$1" | awk '$NF !~ /mpi_adapter_shared|MPI_ADAPTER_PRIVATE/ { sub(/@.*/, "", $NF); print $NF }' | sort
}

@test "a library of the standard ABI has the names of the native ones, no more and no less" {
    # What Open MPI's own library for Fortran calls.
    scanned | grep -vx ompi_convert_abi_obj_handle_intern_obj_handle > wanted
    [ "$(wc -l < wanted)" -gt 1300 ]
    for pair in $(pairs_of 1); do
        exported "$pairs/$pair/libmpi_abi.so.1" > found
        diff wanted found
    done
}

@test "every procedure of the standard ABI has both names" {
    for pair in $(pairs_of 1); do
        exported "$pairs/$pair/libmpi_abi.so.1" > found
        grep '^MPI_' found | sed 's/^/P/' > wanted
        # MPI-3.0 removed the rest, which native libraries still have by one name.
        comm -23 wanted found > alone
        [ "$(paste -sd' ' alone)" = "PMPI_Address PMPI_Errhandler_create PMPI_Errhandler_get PMPI_Errhandler_set PMPI_Type_extent PMPI_Type_hindexed PMPI_Type_hvector PMPI_Type_lb PMPI_Type_struct PMPI_Type_ub" ]
    done
}

# without FOLDER NAME...: a copy of a pair's folder whose library has none of these procedures.
without() {
    local folder=$1 edit=
    shift
    cp -r "$folder" host
    for name; do
        edit+="s/MPI_$name\x00/mpi_$name\x00/g;"
    done
    sed -i "$edit" host/libmpi_abi.so.1
    exported host/libmpi_abi.so.1 > names
    for name; do
        run ! grep -E "^P?MPI_$name\$" names
    done
}

@test "programs run on a host of the standard ABI that has nothing of what MPI deprecated and removed long ago" {
    without "$pairs/mpiabi-to-mpich" Address Errhandler_create Errhandler_get Errhandler_set Type_extent Type_hindexed \
        Type_hvector Type_lb Type_struct Type_ub Attr_delete Attr_get Attr_put Keyval_create Keyval_free
    cat > deprecated.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int keyval, flag = 0, *found = 0, value = 5, gone = 1;
    MPI_Init(0, 0);
    MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyval, 0);
    MPI_Attr_put(MPI_COMM_SELF, keyval, &value);
    MPI_Attr_get(MPI_COMM_SELF, keyval, &found, &flag);
    MPI_Attr_delete(MPI_COMM_SELF, keyval);
    MPI_Attr_get(MPI_COMM_SELF, keyval, &found, &gone);
    MPI_Keyval_free(&keyval);
    puts(flag && found == &value && !gone && keyval == MPI_KEYVAL_INVALID ? "ok deprecated" : "not so");
    MPI_Finalize();
    return 0;
}
END
    for source in "$top/tests/c/removed.c" deprecated.c; do
        OMPI_CC=$CC mpicc.openmpi -std=gnu11 -w -I "$top/tests/c" -o program "$source"
        [ "$(mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$pairs/openmpi-to-mpiabi:$PWD/host" ./program)" = "ok $(basename "$source" .c)" ]
    done
}
