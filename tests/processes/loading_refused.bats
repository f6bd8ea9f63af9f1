#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# An adapter that finds no host: a program that was started with it ends at once, one that opened it goes on until it calls
# MPI.

load ../pair

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat > open.py <<'TEXT'
import ctypes, os, sys
try:
    mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
except OSError as error:
    sys.exit("not opened: %s" % error)
print("opened", flush=True)
flag = ctypes.c_int(7)
for name in "MPI_Initialized", "MPI_Finalized":
    mpi[name](ctypes.byref(flag))
    print(name, flag.value, flush=True)
if len(sys.argv) > 2:
    mpi[sys.argv[2]](*[None] * int(sys.argv[3]))
print("end")
TEXT
}

# refused COMMAND...: with a host that is not there; sets output, stderr and status.
refused() {
    MPI_ADAPTER_HOST_LIBRARY=/nonexistent LD_LIBRARY_PATH=$folder run --separate-stderr timeout 60 "$@"
    echo "$*: status $status, stdout: $output, stderr: $stderr"
}

names_the_host() {
    one_line "$stderr" && [[ $stderr == *"cannot load MPI_ADAPTER_HOST_LIBRARY (/nonexistent"* ]]
}

opened_late_or_early() {
    local called=$'opened\nMPI_Initialized 0\nMPI_Finalized 0'
    refused /usr/bin/python3 "$OLDPWD/open.py" "$soname"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ "$output" = "$called"$'\nend' ]
    for call in "MPI_Init 2" "MPI_Barrier 1" "MPI_Comm_size 2"; do
        # shellcheck disable=SC2086  # the name and how many arguments
        refused /usr/bin/python3 "$OLDPWD/open.py" "$soname" $call
        [ "$status" -eq 1 ]
        [ "$output" = "$called" ]
        names_the_host
    done
    # Timers need no host.
    refused /usr/bin/python3 "$OLDPWD/open.py" "$soname" MPI_Wtime 0
    [ "$status" -eq 0 ]
    # Preloaded, or needed by the program, or by a library that it needs.
    refused env LD_PRELOAD="$adapter" /usr/bin/python3 -c 'print("started")'
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    names_the_host
    app_program library.so -shared -fPIC "$here/loading_start.c" -Dmain=start
    "$CC" -o program -x c - -L. -l:library.so -Wl,-rpath,"$PWD" -Wl,--allow-shlib-undefined <<< 'int start(int, char **); int main(void) { return start(0, 0); }'
    refused ./program
    [ "$status" -eq 1 ]
    names_the_host
}

@test "without a host, a program that opens the adapter goes on until it calls MPI, and others end at once" {
    for_each_pair opened_late_or_early
}

fortran_opened_late() {
    [ -n "$fortran" ] || return 0
    MPI_ADAPTER_FORTRAN=nonsense LD_LIBRARY_PATH=$folder run --separate-stderr timeout 60 /usr/bin/python3 -c "
import ctypes
ctypes.CDLL('$fortran', mode=ctypes.RTLD_GLOBAL)
print('opened', flush=True)
ctypes.CDLL(None).MPI_Init(None, None)"
    echo "status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 1 ]
    [ "$output" = opened ]
    one_line "$stderr"
    [[ $stderr == *MPI_ADAPTER_FORTRAN=nonsense* ]]
}

@test "the same of a library for Fortran, with a compiler that nobody knows" {
    for_each_pair fortran_opened_late
}

# another_library NAME TEXT EXPRESSION: an MPI that somebody made, with the standard ABI's name. Its MPI_Get_library_version says TEXT, its
# MPI_Comm_toint returns EXPRESSION, and its other procedures return 0.
another_library() {
    {
        nm -D --defined-only "$build/lib/mpi-adapter/mpiabi-to-mpich/libmpi_abi.so.1" |
            sed -n 's/@.*//; /MPI_Comm_toint$\|MPI_Get_version$\|MPI_Get_library_version$/d; s/.* [TW] \(P\{0,1\}MPI_.*\)/long \1(void) { return 0; }/p'
        printf 'int MPI_Get_library_version(char *text, int *length)\n{ *length = __builtin_strlen(__builtin_strcpy(text, "%s")); return 0; }\n' "$2"
        echo 'int MPI_Get_version(int *version, int *subversion) { *version = 5; *subversion = 0; return 0; }'
        echo "int MPI_Comm_toint(void *comm) { return $3; }"
        echo 'int MPI_Type_toint(void *type) { return (long)type; }'
        echo 'int MPI_Errhandler_toint(void *handler) { return (long)handler; }'
    } | sed '/^long MPI_\(Type\|Errhandler\)_toint/d' > "$1.c"
    "$CC" -w -shared -fPIC -o "$1" -Wl,-soname,libmpi_abi.so.1 "$1.c"
}

# not_believed LIBRARY TEXT: neither a program that needs the adapter nor one that opens it runs on that host.
not_believed() {
    export MPI_ADAPTER_HOST_LIBRARY=$OLDPWD/$1 LD_LIBRARY_PATH=$folder
    local words
    for words in "env LD_PRELOAD=$adapter /usr/bin/python3 -c 1" "/usr/bin/python3 $OLDPWD/open.py $soname MPI_Barrier 1"; do
        # shellcheck disable=SC2086  # words are wanted
        run --separate-stderr timeout 60 $words
        echo "$words: status $status, stdout: $output, stderr: $stderr"
        [ "$status" -eq 1 ]
        one_line "$stderr"
        [[ $stderr == *"$1 $2" ]]
    done
}

believed() {
    MPI_ADAPTER_HOST_LIBRARY=$OLDPWD/$1 LD_LIBRARY_PATH=$folder run --separate-stderr timeout 60 /usr/bin/python3 "$OLDPWD/open.py" "$soname" MPI_Barrier 1
    echo "$1: status $status, stdout: $output, stderr: $stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "a library with the standard ABI's name is not believed if its maker's numbers are others, or if its handles are" {
    local PAIRS='' name
    for name in $(pair_modes); do
        [[ $name != *-to-mpiabi ]] || PAIRS+="$name "
    done
    [ -n "$PAIRS" ] || skip 'no pair to the standard ABI is wanted'
    another_library intel 'Intel(R) MPI Library 2021.18.1 for Linux* OS' '(long)comm'
    another_library other 'Another MPI 1.0' 1140850688
    another_library right 'Another MPI 2.0' '(long)comm'
    another_library known 'MPICH Version: 5.0.2' 0
    for_each_pair not_believed intel "is Intel MPI's, which numbers MPI_SEEK_SET, MPI_ERRORS_RETURN and MPI_UNIVERSE_SIZE otherwise than the \
ABI mpiabi; use a pair on its library of the ABI mpich"
    rm -r -- *-to-mpiabi
    for_each_pair not_believed other "says that it has the ABI mpiabi, but its MPI_Comm_toint makes 1140850688 of MPI_COMM_WORLD and not \
257; set MPI_ADAPTER_HOST_LIBRARY to another library"
    rm -r -- *-to-mpiabi
    for_each_pair believed right
    rm -r -- *-to-mpiabi
    for_each_pair believed known
}
