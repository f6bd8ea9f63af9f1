#!/usr/bin/env bats
# SPDX-License-Identifier: BSD-3-Clause
# The mpi-adapter command, launchers, tools and errors with programs of MPICH's on Open MPI.

load ../pair
use_pair mpich-to-openmpi

setup_file() {
    load ../pair
    use_pair mpich-to-openmpi
    cd "$BATS_FILE_TMPDIR"
    app_program hello "$top/tests/processes/linked/hello.c"
    app_program ring "$top/tests/demo/ring.c"
    cat > tool.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int calls;
int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    int bytes = 0;
    PMPI_Type_size(datatype, &bytes);
    calls += datatype == MPI_INT && bytes == 4 && op == MPI_SUM;
    return PMPI_Allreduce(in, out, count, datatype, op, comm);
}
int MPI_Finalize(void)
{
    fprintf(stderr, "tool: %d\n", calls);
    return PMPI_Finalize();
}
END
    cat > sum.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 7;
}
END
    app_program sum sum.c
    app_program libtool.so -shared -fPIC tool.c
}

setup() {
    cd "$BATS_FILE_TMPDIR"
}

@test "list shows the pair with Open MPI's library and launcher" {
    run --separate-stderr "$command" list
    [ "$status" -eq 0 ]
    grep -A 6 "^$pair\$" <<< "$output" > shown
    grep -qE '^ +application: +mpich$' shown
    grep -qE '^ +host: +openmpi$' shown
    grep -qE '^ +host library: +/.*/libmpi\.so\.40$' shown
    grep -qE '^ +launcher: +/.*/mpiexec\.openmpi$' shown
}

@test "run finds out that a program is MPICH's, and passes its status on" {
    run --separate-stderr "$command" run -v -n 2 --to openmpi ./sum
    [ "$status" -eq 7 ]
    [ "$output" = 'sum 1' ]
    [[ $stderr == *"compiled against mpich"*"pair $pair "*"mpiexec.openmpi"* ]]
    run "$command" run --from mpich --to openmpi -n 3 --launcher-arg --oversubscribe ./ring
    [ "$status" -eq 0 ]
    [[ $output == *"3 ranks"*"Open MPI"*"verified"* ]] || { echo "$output"; return 1; }
}

@test "what the user gives the launcher reaches it" {
    unset OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy PRTE_MCA_mapby
    [ "$("$command" run -n 3 --to openmpi --launcher-arg --host --launcher-arg localhost:3 --launcher-arg --bind-to --launcher-arg none \
        ./hello 2>&1)" = 'hello 3' ]
    run "$command" run -n 3 --to openmpi --launcher-arg --host --launcher-arg localhost:1 ./hello
    [ "$status" -ne 0 ]
    [[ $output == *"not enough slots"* ]]
    [ "$("$command" run -n 2 --to mpich ./hello 2>&1)" = 'hello 2' ]
    run "$command" run -n 2 --to nonesuch ./hello
    echo "$status: $output"
    [ "$status" -eq 1 ]
    one_line "$output"
}

@test "env prints what Open MPI's launcher and a single process need" {
    eval "$("$command" env ./hello)"
    [[ $LD_LIBRARY_PATH == "$folder"* ]]
    [ "$(mpiexec.openmpi -n 2 ./hello 2>&1)" = 'hello 2' ]
    [ "$(./hello 2>&1)" = 'hello 1' ]
}

@test "a tool that was built for MPICH and uses the profiling interface" {
    run --separate-stderr on_ranks 2 -x LD_PRELOAD="$PWD/libtool.so" ./sum
    [ "$status" -eq 7 ]
    [ "$output" = 'sum 1' ]
    [ "$(grep -c '^tool: 3$' <<< "$stderr")" -eq 2 ]
    # And with the adapter preloaded behind it.
    export LD_PRELOAD=$PWD/libtool.so
    run --separate-stderr "$command" run --preload -n 2 ./sum
    unset LD_PRELOAD
    [ "$status" -eq 7 ]
    [ "$output" = 'sum 1' ]
    [ "$(grep -c '^tool: 3$' <<< "$stderr")" -eq 2 ]
}

@test "MPICH's launcher is the wrong one, and the right one is named" {
    unless_dropped run --separate-stderr timeout 60 mpiexec.mpich -n 2 env LD_LIBRARY_PATH="$folder" ./hello
    [ "$status" -ne 0 ]
    [[ $output != *hello* ]]
    grep '^mpi-adapter: ' <<< "$stderr" > lines
    [ "$(wc -l < lines)" -ge 1 ]
    while read -r line; do
        one_line "$line"
        [[ $line == *"runs on openmpi but was started by a launcher with PMI (Hydra)"*"its 2 processes"*"start it with mpiexec.openmpi or mpi-adapter run, or "* ]]
    done < lines
    run "$command" run --to openmpi --launcher "$(type -P mpiexec.mpich)" -n 2 ./hello
    [ "$status" -eq 1 ]
    one_line "$output"
    [ "$(timeout 60 mpiexec.mpich -n 1 env LD_LIBRARY_PATH="$folder" ./hello 2>&1)" = 'hello 1' ]
}

# refused HOST: the library that the environment names does not serve.
refused() {
    run --separate-stderr env MPI_ADAPTER_HOST_LIBRARY="$1" LD_LIBRARY_PATH="$folder" ./hello
    [ "$status" -eq 1 ] && [ -z "$output" ] || { echo "$status: $output $stderr"; return 1; }
    one_line "$stderr"
}

@test "without Open MPI's library, or with another, the program stops with one line" {
    refused /nonexistent/libmpi.so.40
    [[ $stderr == *"/nonexistent/libmpi.so.40"* ]]
    refused "$(LD_LIBRARY_PATH='' "$CC" -print-file-name=libmpich.so.12)"
    [[ $stderr == *"is not a library of openmpi"* ]]
    refused "$adapter"
    refused libm.so.6
}

@test "MPI_Init fails as it does natively, with Open MPI's reasons" {
    # Now and then Open MPI loses its own message, natively too: it is asked for more than once.
    for attempt in 1 2 3 4 5; do
        run env OMPI_MCA_pml=nonexistent LD_LIBRARY_PATH="$folder" timeout 60 ./hello
        [ "$status" -ne 0 ]
        [[ $output != *"hello 1"* ]]
        [[ $output == *MPI_I* ]] && break
    done
    [[ $output == *MPI_I* ]] || { echo "attempt $attempt: $output"; return 1; }
    cat > twice.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Init(&argc, &argv);
    return 0;
}
END
    app_program twice twice.c
    run adapted ./twice
    [ "$status" -ne 0 ]
    [[ $output == *MPI_I* ]] || { echo "$output"; return 1; }
}

# In a BUILD of its own: those of tests/c may be compiling the same programs, into that of all.
@test "processes that connect: ports, names and sockets" {
    mkdir "$BATS_TEST_TMPDIR/build"
    ln -s "$build/lib" "$build/include" "$BATS_TEST_TMPDIR/build"
    TEST_TIMEOUT=60 BUILD=$BATS_TEST_TMPDIR/build "$top/tests/c/run.sh" mpich-to-openmpi ports join
}

@test "a program without MPI loads a module with it, for itself alone or for all" {
    app_program module.so -shared -fPIC "$top/tests/processes/linked/module.c"
    "$CC" -o loader "$top/tests/processes/linked/loader.c" -ldl
    for words in '' now global 'now global' close; do
        # shellcheck disable=SC2086  # a list of words
        [ "$(adapted ./loader ./module.so "$PWD/file" $words 2>&1)" = right ] || { echo "wrong: $words"; return 1; }
    done
}
