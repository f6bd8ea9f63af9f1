#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# MPI_ADAPTER_TRACE and MPI_ADAPTER_STATS: every call with the host's values, and nothing else touched.

load ../pair
use_pair openmpi-to-mpich

setup_file() {
    load ../pair
    use_pair openmpi-to-mpich
    cd "$BATS_FILE_TMPDIR"
    app_program calls "$here/trace/calls.c" -pthread
    app_program hello "$top/tests/processes/linked/hello.c"
    "$CC" -I"$build/include/openmpi" -o built "$here/trace/built.c" "$adapter"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp "$BATS_FILE_TMPDIR"/{calls,hello,built} .
}

# calls VARIABLE=VALUE... [-- WHAT]: the program on two ranks; its output in "output", stderr in "messages".
calls() {
    local settings=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    env "${settings[@]}" LD_LIBRARY_PATH="$folder" timeout 60 mpiexec.mpich -n 2 ./calls "$PWD/mpi-file" "${@:2}" \
        > output 2> messages
}

# traced PATTERN [FILE]: a line of the trace matches.
traced() {
    grep -qE "$1" "${2:-trace.0}" || { echo "no line '$1' in:"; cat "${2:-trace.0}"; return 1; }
}

# Seconds, rank, thread.
stamp='^[0-9]{10,}\.[0-9]{6} 0 [0-9]+ '
took='<[0-9]+\.[0-9]{6}>$'

@test "a line for each call, with the host's names and values" {
    calls MPI_ADAPTER_TRACE=trace.%r
    [ "$(cat output)" = worked ]
    [ ! -s messages ]
    traced "^# ./calls: process [0-9]+, rank 0, of openmpi, on /.*libmpich.so.12$"
    traced "${stamp}MPI_Init_thread\(argc=0x[0-9a-f]+, argv=0x[0-9a-f]+, required=MPI_THREAD_MULTIPLE\) = MPI_SUCCESS -> provided=MPI_THREAD_MULTIPLE $took"
    traced "${stamp}MPI_Comm_size\(comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> size=2 $took"
    traced "MPI_Irecv\(buf=0x[0-9a-f]+, count=1, datatype=MPI_INT, source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> request=0x[0-9a-f]+ $took"
    traced "MPI_Isend\(.*dest=1, tag=7, comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> request=0x[0-9a-f]+ $took"
    traced "MPI_Waitall\(count=2, array_of_requests=\[0x[0-9a-f]+, 0x[0-9a-f]+\]\) = MPI_SUCCESS -> array_of_requests=\[MPI_REQUEST_NULL, MPI_REQUEST_NULL\], array_of_statuses=\[\{source=1, tag=7\}, \{.*\}\] $took"
    traced "MPI_Sendrecv\(.*dest=MPI_PROC_NULL, .*source=MPI_PROC_NULL, .*\) = MPI_SUCCESS -> status=MPI_STATUS_IGNORE $took"
    traced "MPI_Allreduce\(sendbuf=MPI_IN_PLACE, recvbuf=0x.*, op=0x[0-9a-f]+, comm=MPI_COMM_WORLD\) = MPI_SUCCESS"
    traced "MPI_Type_size\(datatype=MPI_INT\) = MPI_SUCCESS -> size=4 $took"
    traced "MPI_Alltoallv\(sendbuf=0x[0-9a-f]+, sendcounts=\[1, 1\], sdispls=\[0, 1\], sendtype=MPI_INT, "
    traced "MPI_Comm_set_name\(comm=MPI_COMM_WORLD, comm_name=\"a \\\\\"name\\\\\"\\\\n\"\)"
    traced "MPI_Comm_get_name\(comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> comm_name=\"a \\\\\"name\\\\\"\\\\n\", resultlen=9 $took"
    traced "MPI_Comm_set_name\(comm=MPI_COMM_SELF, comm_name=\"x{64}\"\.\.\.\)"
    traced "MPI_Type_indexed\(count=20, array_of_blocklengths=\[1, 1, 1, 1, 1, 1, 1, 1, \.\.\. \(20\)\], array_of_displacements=\[0, 2, 4, 6, 8, 10, 12, 14, \.\.\. \(20\)\], oldtype=MPI_DOUBLE\)"
    traced "MPI_Type_free\(datatype=0x[0-9a-f]+\) = MPI_SUCCESS -> datatype=MPI_DATATYPE_NULL "
    traced "MPI_File_open\(comm=MPI_COMM_SELF, filename=\"$PWD/mpi-file.0\", amode=MPI_MODE_CREATE\|MPI_MODE_RDWR\|MPI_MODE_DELETE_ON_CLOSE, info=MPI_INFO_NULL\)"
    traced "MPI_Pcontrol\(level=3\) = MPI_SUCCESS"
    traced "MPI_Send\(.*dest=99, tag=0, comm=MPI_COMM_WORLD\) = MPI_ERR_RANK \([0-9]+\) $took"
    traced "MPI_Wtime\(\) = $(< mpi-file.time.0) $took"
    traced "MPI_Finalize\(\) = MPI_SUCCESS $took"
    traced "^[0-9.]+ 1 [0-9]+ MPI_Comm_rank\(comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> rank=1 $took" trace.1
    # Each line is whole, and nothing that only the adapter asked is there.
    [ -z "$(grep -vE '^#|[0-9]>$' trace.0 trace.1)" ]
    [ "$(grep -c 'MPI_Comm_size' trace.0)" -eq 1 ]
}

@test "without %p or %r each process has a file of its own, where a callback's calls stand in their place" {
    calls MPI_ADAPTER_TRACE=trace
    set -- trace.*
    [ $# -eq 2 ]
    grep -q 'MPI_Allreduce(.*) <unfinished \.\.\.>$' "$1"
    [[ $(grep -A2 'MPI_Allreduce(.*unfinished' "$1") == *MPI_Type_size*"<... MPI_Allreduce resumed> = MPI_SUCCESS"* ]]
    rm trace.*
    calls MPI_ADAPTER_TRACE=%%%r-%p
    set -- %*
    [ $# -eq 2 ] && [[ $1 =~ ^%0-[0-9]+$ && $2 =~ ^%1-[0-9]+$ ]]
}

# both_end_in_receive NAME: waits until the last line of both ranks' traces is a receive from oneself.
both_end_in_receive() {
    for ((i = 0; i < 500; i++)); do
        sleep 0.1
        [ "$(grep -lE 'MPI_Recv\(.*source=[01], tag=5, comm=MPI_COMM_WORLD\)$' "$1".* | wc -l)" -ne 2 ] || return 0
    done
    tail -n 1 "$1".*
    return 1
}

@test "the trace shows where a process aborts, hangs or ends" {
    run calls MPI_ADAPTER_TRACE=abort.%p -- abort
    [ "$status" -ne 0 ]
    # MPICH 4.2 may come back from it.
    aborting=$(grep -h 'MPI_Abort(' abort.*)
    [[ $aborting == *"MPI_Abort(comm=MPI_COMM_WORLD, errorcode=3)"* ]]
    MPI_ADAPTER_TRACE=hang.%p LD_LIBRARY_PATH=$folder timeout 60 mpiexec.mpich -n 2 ./calls "$PWD/mpi-file" hang > output 2>&1 &
    local launcher=$!
    both_end_in_receive hang
    kill "$launcher"
    # Hydra ends with a signal's status, and now and then with 0.
    wait "$launcher" || true
    # The launcher may end the one that has not left yet; both have made their last call.
    run calls MPI_ADAPTER_TRACE=quit.%p -- quit
    [ "$(ls quit.* | wc -l)" -eq 2 ]
    for file in quit.*; do [[ $(tail -n 1 "$file") == *MPI_Send*MPI_ERR_RANK* || $(tail -n 1 "$file") == *MPI_Wtime* ]]; done
}

@test "calls of several threads, and one that is left by a jump" {
    calls MPI_ADAPTER_TRACE=threads.%r -- threads
    [ "$(cat output)" = worked ]
    [ "$(grep -c 'MPI_Comm_size(comm=MPI_COMM_WORLD) = MPI_SUCCESS -> size=2 <' threads.0)" -eq 401 ]
    [ "$(grep 'MPI_Comm_size' threads.0 | cut -d' ' -f3 | sort -u | wc -l)" -eq 2 ]
    calls MPI_ADAPTER_TRACE=parts.%p -- threads
    for file in parts.*; do
        # However lines were interrupted, every call came to its end.
        [ "$(grep -cE 'MPI_Comm_size(\(comm=MPI_COMM_WORLD\)| resumed>) = MPI_SUCCESS -> size=2 <' "$file")" -eq 401 ]
    done
    calls MPI_ADAPTER_TRACE=jump.%p -- throw
    for file in jump.*; do traced 'MPI_Send\(.*comm=MPI_COMM_SELF\) <unfinished \.\.\.>$' "$file"; traced 'MPI_Finalize\(\) =' "$file"; done
}

@test "a child process adds nothing, and no descriptor of the program's is written to" {
    calls MPI_ADAPTER_TRACE=trace.%r MPI_ADAPTER_STATS=1 -- fork
    [ "$(grep -c ' in all$' messages)" -eq 2 ]
    # Straight into a file: the launcher ends at once when the ranks leave like this.
    MPI_ADAPTER_TRACE=closed.%r LD_LIBRARY_PATH=$folder run timeout 60 mpiexec.mpich -n 2 \
        bash -c './calls "$0" close 2>> messages' "$PWD/mpi-file"
    [ -e own ]
    [ ! -s own ]
    [ "$(grep -c '^mpi-adapter: the program closed the file of MPI_ADAPTER_TRACE; ' messages)" -ge 1 ]
}

@test "a trace that cannot be written stops the program before it starts" {
    for name in /nonexistent/trace "$PWD" trace.%x trace%; do
        run --separate-stderr env MPI_ADAPTER_TRACE="$name" LD_LIBRARY_PATH="$folder" ./hello
        [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "$name: $status $output"; return 1; }
        one_line "$stderr"
        [[ $stderr == *MPI_ADAPTER_TRACE* ]]
    done
    run --separate-stderr env MPI_ADAPTER_STATS=/nonexistent/counts LD_LIBRARY_PATH="$folder" ./hello
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    one_line "$stderr"
    # A full disk is said once, and does not stop the program.
    [ -c /dev/full ] || return 0
    run --separate-stderr env MPI_ADAPTER_TRACE=/dev/full LD_LIBRARY_PATH="$folder" ./hello
    [ "$status" -eq 0 ]
    [ "$output" = 'hello 1' ]
    one_line "$stderr"
}

@test "a terminal, pipe or the like is used under its own name, a line at a time" {
    MPI_ADAPTER_TRACE=/dev/stderr LD_LIBRARY_PATH=$folder ./hello 2>&1 > output | cat > lines
    [ "$(cat output)" = 'hello 1' ]
    traced 'MPI_Comm_size\(comm=MPI_COMM_WORLD\) = MPI_SUCCESS -> size=1 <' lines
    [ -z "$(grep -vE '^#|[0-9]>$' lines)" ]
}

@test "neither variable, an empty one and 0 leave everything alone" {
    for value in '' 0; do
        MPI_ADAPTER_TRACE=$value MPI_ADAPTER_STATS=$value LD_LIBRARY_PATH=$folder ./hello > output 2> messages
        [ "$(cat output)" = 'hello 1' ]
        [ ! -s messages ]
    done
    [ "$(find . -type f | sort | tr '\n' ' ')" = './built ./calls ./hello ./messages ./output ' ]
}

@test "calls are counted for each procedure" {
    calls MPI_ADAPTER_STATS=1 -- threads
    [ "$(cat output)" = worked ]
    for rank in 0 1; do
        traced "^mpi-adapter: rank $rank: +401 calls +[0-9]+\.[0-9]{6} s  MPI_Comm_size$" messages
        traced "^mpi-adapter: rank $rank: +1 calls +[0-9]+\.[0-9]{6} s  MPI_Waitall$" messages
        [ "$(awk -v who="$rank:" '$3 == who && !/in all/ { sum += $4 } END { print sum }' messages)" -eq \
            "$(awk -v who="$rank:" '$3 == who && /in all/ { print $4 }' messages)" ]
    done
    calls MPI_ADAPTER_STATS=counts.%r -- quit
    [ ! -e counts.0 ] || [ ! -s counts.0 ]
    calls MPI_ADAPTER_STATS=counts.%r
    traced ' in all$' counts.0
    traced ' in all$' counts.1
    [ ! -s messages ]
    # Into files: of a job that ends so, the launcher may lose messages.
    run calls MPI_ADAPTER_STATS=aborted.%r -- abort
    cat aborted.* > aborted
    traced ' in all$' aborted
}

@test "a stand-in is listed with the host's procedures that it is built of" {
    ! nm -D --defined-only "$("$CC" -print-file-name=libmpich.so.12)" | grep ' MPI_Status_set_elements_c$' > /dev/null ||
        skip "this host has them"
    MPI_ADAPTER_TRACE=trace.%r MPI_ADAPTER_STATS=counts.%r LD_LIBRARY_PATH=$folder ./built
    traced 'MPI_Barrier_init\(comm=MPI_COMM_WORLD, info=MPI_INFO_NULL\) = MPI_SUCCESS -> request='
    # The application's call stands beside the host's procedure.
    traced 'MPI_Status_set_elements_x\(status=\{.*\}, datatype=MPI_INT, count=3\) = MPI_SUCCESS \[MPI_Status_set_elements_c\] <'
    traced 'MPI_Status_set_elements_c\(.*\) = MPI_SUCCESS \[by the adapter\] <'
    traced ' 1 calls .* MPI_Status_set_elements_c \(by the adapter\)$' counts.0
}
