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
