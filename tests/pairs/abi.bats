#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI's answers to a program about its ABI and Fortran, and features that hosts of the standard ABI may lack.

load ../standard-abi

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# told VERSION FOLDERS: what abi.c finds, before MPI_Init and in a session, too, where the host of the last folder does not end a program for
# such a call.
told() {
    local said times=('')
    case $(release_here "${2##*-to-}") in [56].*) ;; *) times+=(early) ;; esac
    for early in "${times[@]}"; do
        # shellcheck disable=SC2086  # no word, if it is empty
        said=$(on "$2" 1 ./abi $early)
        [ "$said" = "$1" ]
    done
}

@test "a program of the standard ABI is told its version, sizes, and what is known of the host's Fortran" {
    abi_program abi "$here/abi.c"
    for pair in $(pairs_of 1); do
        told 1.0 "$pair"
    done
}

@test "a program of another ABI is told so, and what a host of the standard ABI says" {
    for application in openmpi mpich; do
        "$CC" -I "$build/include/$application" -o abi "$here/abi.c" \
            -L "$pairs/$application-to-mpiabi" -l:"$(soname "$application")"
        for inner in $(pairs_of 1 | grep -v -- "-to-$application$"); do
            told -1.-1 "$application-to-mpiabi $inner"
        done
    done
}

# named NAME: the program abi, which needs the library for C by that name alone.
named() {
    printf '#define PROCEDURE(name) void name(void) {}\n#include "procedures.h"\n' |
        "$CC" -shared -fPIC -w -o "$1" -Wl,-soname,"$1" -I "$build/include/mpiabi" -x c -
    "$CC" -I "$build/include/mpiabi" -o abi "$here/abi.c" "$PWD/$1"
    [ "$(readelf -d abi | grep -o 'NEEDED.*\[libmpi[^]]*')" = "NEEDED)             Shared library: [$1" ]
    rm "$1"
}

@test "the name of the library in MPICH 5.0.0, 5.0.1 and early mpi-abi-stubs leads to the same" {
    named libmpi_abi.so.0
    for pair in $(pairs_of 1); do
        told 1.0 "$pair"
        [ "$("$build/bin/mpi-adapter" run -n 1 --to "${pair#*-to-}" ./abi)" = 1.0 ]
    done
}

@test "the name of a library that has a draft of the ABI is refused, with the reason" {
    named libmpi_abi.so.12
    run --separate-stderr ! "$build/bin/mpi-adapter" run -n 1 ./abi
    [ -z "$output" ]
    [ "$stderr" = "mpi-adapter: ./abi needs libmpi_abi.so.12, which MPICH 4.3 built of a draft of the MPI-5.0 standard ABI with \
other values; compile it again with mpicc_abi" ]
}

@test "programs that import what Fortran's handles and statuses are converted by are served" {
    local class name ctype
    {
        echo '#include <mpi.h>'
        for class in Comm Errhandler File Group Info Message Op Request Session Type Win; do
            name=MPI_$class
            ctype=${name/Type/Datatype}
            for name in "$name" "P$name"; do
                echo "MPI_Fint ${name}_c2f($ctype); $ctype ${name}_f2c(MPI_Fint);"
            done
        done
        for name in MPI PMPI; do
            echo "int ${name}_Status_c2f(const MPI_Status *, MPI_Fint *); int ${name}_Status_f2c(const MPI_Fint *, MPI_Status *);"
        done
    } > fortran.h
    abi_program conversion "$top/tests/c/handle_conversion.c" -I "$top/tests/c" -std=gnu11 -DMPI_ADAPTER_NO_FORTRAN -include ./fortran.h
    [ "$(nm -D --undefined-only conversion | grep -c 'MPI_[A-Za-z]*_[cf]2[cf]$')" -gt 20 ]
    choose_windows
    for pair in $(pairs_of 1); do
        [ "$(on "$pair" 2 ./conversion)" = 'ok handle_conversion' ]
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
    nm -D --defined-only host/libmpi_abi.so.1 | sed 's/@.*//; s/.* //' > names
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
